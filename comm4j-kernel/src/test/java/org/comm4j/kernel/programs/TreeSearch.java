// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.programs;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.Random;
import org.comm4j.core.HostArray;
import org.comm4j.cuda.LaunchConfig;
import org.comm4j.kernel.Machine;
import org.comm4j.kernel.lang.GlobalIdx;
import org.comm4j.kernel.lang.I32Ptr;
import org.comm4j.kernel.lang.I64Ptr;
import org.comm4j.kernel.lang.Kernel;
import org.comm4j.kernel.lang.Warp;

/**
 * Rodinia's b+tree: a warp for each question, whose lanes compare with the keys of a node at the same time and vote on
 * where to go.
 */
final class TreeSearch extends Program {
    /** Keys of a node, a lane for each. */
    private static final int KEYS = 8;

    private static final int LEVELS = 3;

    /** The tree's nodes stand level by level, their keys in order. */
    @Kernel
    static void search(int questions, I64Ptr keys, I64Ptr wanted, I32Ptr found) {
        int question = GlobalIdx.x() / Warp.SIZE;
        if (question >= questions) {
            return;
        }
        long key = wanted.get(question);
        int lane = Warp.laneId();
        int node = 0;
        int result = -1;
        for (int level = 0; level < LEVELS; level++) {
            long own = lane < KEYS ? keys.get(node * KEYS + lane) : Long.MAX_VALUE;
            int equal = Warp.ballot(lane < KEYS && own == key);
            if (equal != 0) {
                result = node * KEYS + Integer.numberOfTrailingZeros(equal);
                break;
            }
            int below = Integer.bitCount(Warp.ballot(own < key));
            node = node * (KEYS + 1) + below + 1;
        }
        if (lane == 0) {
            found.set(question, result);
        }
    }

    private static int fill(int node, int nodes, long[] sorted, int next, long[] keys) {
        if (node >= nodes) {
            return next;
        }
        int at = next;
        for (int i = 0; i < KEYS; i++) {
            at = fill(node * (KEYS + 1) + i + 1, nodes, sorted, at, keys);
            keys[node * KEYS + i] = sorted[at++];
        }
        return fill(node * (KEYS + 1) + KEYS + 1, nodes, sorted, at, keys);
    }

    @Override
    void run(Machine machine, Random random) {
        int nodes = 0;
        for (int level = 0; level < LEVELS; level++) {
            nodes = nodes * (KEYS + 1) + 1;
        }
        long[] sorted =
                random.longs().distinct().limit((long) nodes * KEYS).sorted().toArray();
        long[] keys = new long[sorted.length];
        assertThat(fill(0, nodes, sorted, 0, keys)).isEqualTo(keys.length);
        int questions = 35;
        long[] wanted = new long[questions];
        for (int i = 0; i < questions; i++) {
            wanted[i] = i % 3 == 0 ? random.nextLong() : sorted[random.nextInt(sorted.length)];
        }
        wanted[1] = Long.MAX_VALUE;
        wanted[2] = Long.MIN_VALUE;
        HostArray found = HostArray.of(new int[questions]);
        machine.launch(
                machine.kernel(TreeSearch.class, "search"),
                LaunchConfig.grid(blocks(questions * Warp.SIZE, 96)).block(96),
                questions,
                HostArray.of(keys),
                HostArray.of(wanted),
                found);
        for (int i = 0; i < questions; i++) {
            int place = found.getInt(i);
            if (Arrays.binarySearch(sorted, wanted[i]) < 0) {
                assertThat(place).isEqualTo(-1);
            } else {
                assertThat(keys[place]).isEqualTo(wanted[i]);
            }
        }
    }
}
