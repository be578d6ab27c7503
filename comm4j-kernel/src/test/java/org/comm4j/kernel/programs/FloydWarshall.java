// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.programs;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.comm4j.core.HostArray;
import org.comm4j.cuda.LaunchConfig;
import org.comm4j.kernel.CompiledKernel;
import org.comm4j.kernel.Machine;
import org.comm4j.kernel.lang.GlobalIdx;
import org.comm4j.kernel.lang.I32Ptr;
import org.comm4j.kernel.lang.Kernel;

/** PolyBench's floyd-warshall: the shortest ways between all places; a launch for each place to go through. */
final class FloydWarshall extends Program {
    private static final int NONE = Integer.MAX_VALUE;

    @Kernel
    static void through(int n, int k, I32Ptr ways) {
        int j = GlobalIdx.x();
        int i = GlobalIdx.y();
        // What leads to k or from there does not change, and others read it.
        if (i >= n || j >= n || i == k || j == k) {
            return;
        }
        int first = ways.get(i * n + k);
        int second = ways.get(k * n + j);
        if (first != NONE && second != NONE) {
            int at = i * n + j;
            ways.set(at, Math.min(ways.get(at), first + second));
        }
    }

    @Override
    void run(Machine machine, Random random) {
        int n = 27;
        int[] ways = new int[n * n];
        for (int at = 0; at < n * n; at++) {
            ways[at] = at % (n + 1) == 0 ? 0 : random.nextInt(8) == 0 ? random.nextInt(1, 1000) : NONE;
        }
        HostArray result = HostArray.of(ways);
        CompiledKernel through = machine.kernel(FloydWarshall.class, "through");
        for (int k = 0; k < n; k++) {
            machine.launch(
                    through, LaunchConfig.grid(blocks(n, 16), blocks(n, 4)).block(16, 4), n, k, result);
        }
        for (int k = 0; k < n; k++) {
            for (int i = 0; i < n; i++) {
                for (int j = 0; j < n; j++) {
                    long way = (long) ways[i * n + k] + ways[k * n + j];
                    ways[i * n + j] = (int) Math.min(ways[i * n + j], way);
                }
            }
        }
        assertThat(result.toIntArray()).isEqualTo(ways);
    }
}
