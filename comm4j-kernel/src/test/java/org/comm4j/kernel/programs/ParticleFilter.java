// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.programs;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.comm4j.core.HostArray;
import org.comm4j.cuda.LaunchConfig;
import org.comm4j.kernel.CompiledKernel;
import org.comm4j.kernel.Machine;
import org.comm4j.kernel.lang.Block;
import org.comm4j.kernel.lang.GlobalIdx;
import org.comm4j.kernel.lang.I32Ptr;
import org.comm4j.kernel.lang.Kernel;
import org.comm4j.kernel.lang.Shared;
import org.comm4j.kernel.lang.ThreadIdx;

/**
 * Rodinia's particlefilter: weights, their sums up to each by a scan of the block, and particles drawn anew by binary
 * search. Integers throughout.
 */
final class ParticleFilter extends Program {
    private static final int THREADS = 128;

    /** A linear congruential generator; the products overflow, and the remainder's sign is dropped. */
    private static int next(int state) {
        int value = (int) (1103515245L * state + 12345);
        return Math.abs(value % 0x7fffffff);
    }

    private static int weight(int x, int target) {
        int distance = Math.abs(x - target);
        int weight = 0;
        while (distance < 1000) {
            weight++;
            distance = 2 * distance + 1;
        }
        return weight * weight;
    }

    @Kernel
    static void move(int n, int target, I32Ptr states, I32Ptr particles, I32Ptr weights) {
        int i = GlobalIdx.x();
        if (i < n) {
            int state = next(states.get(i));
            states.set(i, state);
            int x = particles.get(i) + (state >> 8) % 41 - 20;
            particles.set(i, x);
            weights.set(i, weight(x, target));
        }
    }

    /**
     * One block: each thread adds its part, the parts are scanned in shared memory, and each thread writes its part.
     */
    @Kernel
    static void scan(int n, I32Ptr weights, I32Ptr sums) {
        int[] ends = Shared.i32(THREADS);
        int t = ThreadIdx.x();
        int length = (n + THREADS - 1) / THREADS;
        int from = Math.min(t * length, n);
        int to = Math.min(from + length, n);
        int sum = 0;
        for (int i = from; i < to; i++) {
            sum += weights.get(i);
        }
        ends[t] = sum;
        Block.sync();
        for (int by = 1; by < THREADS; by <<= 1) {
            int before = t >= by ? ends[t - by] : 0;
            Block.sync();
            ends[t] += before;
            Block.sync();
        }
        int running = ends[t] - sum;
        for (int i = from; i < to; i++) {
            running += weights.get(i);
            sums.set(i, running);
        }
    }

    @Kernel
    static void draw(int n, I32Ptr sums, I32Ptr particles, I32Ptr drawn) {
        int i = GlobalIdx.x();
        if (i >= n) {
            return;
        }
        int wanted = (int) ((2L * i + 1) * sums.get(n - 1) / (2L * n));
        int low = 0;
        int high = n - 1;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (sums.get(middle) > wanted) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        drawn.set(i, particles.get(low));
    }

    @Override
    void run(Machine machine, Random random) {
        int n = 1003;
        int[] states = random.ints(n).toArray();
        int[] particles = new int[n];
        HostArray generators = HostArray.of(states);
        HostArray old = HostArray.of(particles);
        HostArray drawn = HostArray.of(new int[n]);
        HostArray weights = HostArray.of(new int[n]);
        HostArray sums = HostArray.of(new int[n]);
        LaunchConfig each = LaunchConfig.grid(blocks(n, 96)).block(96);
        CompiledKernel move = machine.kernel(ParticleFilter.class, "move");
        CompiledKernel scan = machine.kernel(ParticleFilter.class, "scan");
        CompiledKernel draw = machine.kernel(ParticleFilter.class, "draw");
        for (int step = 1; step <= 3; step++) {
            int target = 13 * step;
            machine.launch(move, each, n, target, generators, old, weights);
            machine.launch(scan, LaunchConfig.grid(1).block(THREADS), n, weights, sums);
            machine.launch(draw, each, n, sums, old, drawn);
            int[] ends = new int[n];
            for (int i = 0; i < n; i++) {
                states[i] = next(states[i]);
                particles[i] += (states[i] >> 8) % 41 - 20;
                ends[i] = weight(particles[i], target) + (i > 0 ? ends[i - 1] : 0);
            }
            int[] chosen = new int[n];
            for (int i = 0, at = 0; i < n; i++) {
                while (ends[at] <= (2L * i + 1) * ends[n - 1] / (2L * n)) {
                    at++;
                }
                chosen[i] = particles[at];
            }
            assertThat(sums.toIntArray()).isEqualTo(ends);
            assertThat(drawn.toIntArray()).isEqualTo(chosen);
            particles = chosen;
            HostArray other = old;
            old = drawn;
            drawn = other;
        }
    }
}
