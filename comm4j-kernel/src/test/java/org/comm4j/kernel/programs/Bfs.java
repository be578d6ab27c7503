// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.programs;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.comm4j.core.HostArray;
import org.comm4j.cuda.LaunchConfig;
import org.comm4j.kernel.CompiledKernel;
import org.comm4j.kernel.Machine;
import org.comm4j.kernel.lang.GlobalIdx;
import org.comm4j.kernel.lang.I32Ptr;
import org.comm4j.kernel.lang.Kernel;

/**
 * Rodinia's bfs: who is how far away in a graph. Threads claim places by compare-and-swap, and queue them by atomic
 * additions.
 */
final class Bfs extends Program {
    private static final int FAR = -1;

    @Kernel
    static void expand(
            int length,
            int depth,
            I32Ptr queue,
            I32Ptr starts,
            I32Ptr targets,
            I32Ptr depths,
            I32Ptr next,
            I32Ptr nextLength) {
        int i = GlobalIdx.x();
        if (i >= length) {
            return;
        }
        int from = queue.get(i);
        for (int edge = starts.get(from); edge < starts.get(from + 1); edge++) {
            int target = targets.get(edge);
            if (depths.atomicCas(target, FAR, depth) == FAR) {
                next.set(nextLength.atomicAdd(0, 1), target);
            }
        }
    }

    @Override
    void run(Machine machine, Random random) {
        int n = 301;
        int[] starts = new int[n + 1];
        for (int i = 0; i < n; i++) {
            // Some lead nowhere, some to many.
            int edges = random.nextInt(6) == 0 ? 12 : random.nextInt(3);
            starts[i + 1] = starts[i] + edges;
        }
        int[] targets = random.ints(starts[n], 0, n).toArray();
        int[] expected = new int[n];
        Arrays.fill(expected, FAR);
        HostArray depths = HostArray.of(expected);
        expected[0] = 0;
        depths.setInt(0, 0);
        HostArray queue = HostArray.of(new int[n]);
        HostArray next = HostArray.of(new int[n]);
        HostArray begins = HostArray.of(starts);
        HostArray ends = HostArray.of(targets);
        CompiledKernel expand = machine.kernel(Bfs.class, "expand");
        int length = 1;
        for (int depth = 1; length > 0; depth++) {
            HostArray nextLength = HostArray.of(0);
            machine.launch(
                    expand,
                    LaunchConfig.grid(blocks(length, 32)).block(32),
                    length,
                    depth,
                    queue,
                    begins,
                    ends,
                    depths,
                    next,
                    nextLength);
            length = nextLength.getInt(0);
            HostArray other = queue;
            queue = next;
            next = other;
        }
        ArrayDeque<Integer> waiting = new ArrayDeque<>(List.of(0));
        while (!waiting.isEmpty()) {
            int from = waiting.remove();
            for (int edge = starts[from]; edge < starts[from + 1]; edge++) {
                if (expected[targets[edge]] == FAR) {
                    expected[targets[edge]] = expected[from] + 1;
                    waiting.add(targets[edge]);
                }
            }
        }
        assertThat(depths.toIntArray()).isEqualTo(expected);
    }
}
