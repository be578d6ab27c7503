// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.programs;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.Random;
import org.comm4j.core.HostArray;
import org.comm4j.cuda.LaunchConfig;
import org.comm4j.kernel.CompiledKernel;
import org.comm4j.kernel.Machine;
import org.comm4j.kernel.lang.Block;
import org.comm4j.kernel.lang.BlockIdx;
import org.comm4j.kernel.lang.GlobalIdx;
import org.comm4j.kernel.lang.I32Ptr;
import org.comm4j.kernel.lang.Kernel;
import org.comm4j.kernel.lang.Shared;
import org.comm4j.kernel.lang.ThreadIdx;

/**
 * Rodinia's hybridsort: runs are sorted in shared memory, then merged by launches over the whole; what is near goes
 * through shared memory again.
 */
final class BitonicSort extends Program {
    private static final int THREADS = 64;
    private static final int RUN = 2 * THREADS;

    private static void exchange(int[] values, int at, int by, boolean up) {
        int other = at ^ by;
        if (other > at && values[at] > values[other] == up) {
            int value = values[at];
            values[at] = values[other];
            values[other] = value;
        }
    }

    /**
     * The steps from {@code by} on of the merges of runs that are {@code size} long; all sizes from 2 if {@code whole}.
     */
    @Kernel
    static void near(boolean whole, int size, I32Ptr values) {
        int[] run = Shared.i32(RUN);
        int base = BlockIdx.x() * RUN;
        int t = ThreadIdx.x();
        run[t] = values.get(base + t);
        run[t + THREADS] = values.get(base + t + THREADS);
        Block.sync();
        for (int length = whole ? 2 : size; length <= size; length *= 2) {
            for (int by = Math.min(length, RUN) / 2; by > 0; by /= 2) {
                // The lower place of the pair of this thread.
                int at = 2 * t - (t & by - 1);
                exchange(run, at, by, (base + at & length) == 0);
                Block.sync();
            }
        }
        values.set(base + t, run[t]);
        values.set(base + t + THREADS, run[t + THREADS]);
    }

    @Kernel
    static void far(int size, int by, I32Ptr values) {
        int t = GlobalIdx.x();
        int at = 2 * t - (t & by - 1);
        int first = values.get(at);
        int second = values.get(at + by);
        if (first > second == ((at & size) == 0)) {
            values.set(at, second);
            values.set(at + by, first);
        }
    }

    @Override
    void run(Machine machine, Random random) {
        int n = 701;
        int padded = 1024;
        int[] values = random.ints(n, -500, 500).toArray();
        values[3] = Integer.MIN_VALUE;
        values[4] = Integer.MAX_VALUE;
        int[] all = Arrays.copyOf(values, padded);
        Arrays.fill(all, n, padded, Integer.MAX_VALUE);
        HostArray result = HostArray.of(all);
        CompiledKernel near = machine.kernel(BitonicSort.class, "near");
        CompiledKernel far = machine.kernel(BitonicSort.class, "far");
        LaunchConfig config = LaunchConfig.grid(padded / RUN).block(THREADS);
        machine.launch(near, config, true, RUN, result);
        for (int size = 2 * RUN; size <= padded; size *= 2) {
            for (int by = size / 2; by >= RUN; by /= 2) {
                machine.launch(far, config, size, by, result);
            }
            machine.launch(near, config, false, size, result);
        }
        Arrays.sort(values);
        assertThat(Arrays.copyOf(result.toIntArray(), n)).isEqualTo(values);
    }
}
