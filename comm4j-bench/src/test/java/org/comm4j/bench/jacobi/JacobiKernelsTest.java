// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.bench.jacobi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Random;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.cuda.LaunchConfig;
import org.comm4j.kernel.CompiledKernel;
import org.comm4j.kernel.CpuOptions;
import org.comm4j.kernel.KernelCompiler;
import org.comm4j.kernel.lang.Warp;
import org.comm4j.test.Nightly;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The kernels on the CPU, against plain loops: grids of many sizes with random values, cut into blocks in many ways.
 */
class JacobiKernelsTest {
    /** What nobody writes. */
    private static final float UNTOUCHED = -7;

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 4, 8})
    void sameAsAPlainLoop(int depth) {
        long seed = Long.getLong("comm4j.seed", System.nanoTime());
        System.out.println("JacobiKernelsTest: -Dcomm4j.seed=" + seed);
        for (CpuOptions options : new CpuOptions[] {CpuOptions.fast(), CpuOptions.checked(seed)}) {
            Random random = new Random(seed + depth);
            try (var compiler = KernelCompiler.cpu(options);
                    CompiledKernel kernel = compiler.compile(GpuSlab.method(depth == 1 ? "relax" : "relax" + depth))) {
                for (int i = 0; i < Nightly.times(2, 12); i++) {
                    new Case(random, depth).run(kernel);
                }
            }
        }
    }

    /** A grid, and how it is cut. */
    private static final class Case {
        final int depth;
        final int nx;
        final int rows;
        final int pitch;
        final int first;
        final int all;
        final int step;
        final int each;
        final boolean outer;
        final boolean norms;
        final LaunchConfig config;
        final float[] in;

        Case(Random random, int depth) {
            this.depth = depth;
            nx = random.nextInt(3, random.nextInt(4) > 0 ? 160 : 600);
            rows = random.nextInt(depth, depth + 40);
            pitch = Math.ceilDiv(nx, 32) * 32;
            first = depth + random.nextInt(4);
            all = first + rows + depth + random.nextInt(4);
            // Rows by blocks, as for a whole slab, or the outer ones only.
            outer = rows >= 2 * depth && random.nextInt(4) == 0;
            each = outer ? depth : random.nextInt(1, 60);
            step = outer ? rows - depth : each;
            norms = random.nextInt(4) > 0;
            int warps = random.nextInt(1, 5);
            int own =
                    JacobiKernels.WIDTH * (Warp.SIZE - (depth == 1 ? 0 : 2 * Math.ceilDiv(depth, JacobiKernels.WIDTH)));
            config = LaunchConfig.grid(
                            Math.ceilDiv(depth == 1 ? pitch : nx, own * warps), outer ? 2 : Math.ceilDiv(rows, each))
                    .block(Warp.SIZE * warps);
            in = new float[all * pitch];
            // What must not be read would make everything after it NaN; the columns up to the pitch are zero.
            for (int y = 0; y < all; y++) {
                for (int x = 0; x < pitch; x++) {
                    boolean read = y >= first - depth && y < first + rows + depth;
                    in[y * pitch + x] = !read ? Float.NaN : x < nx ? 2 * random.nextFloat() - 1 : 0;
                }
            }
        }

        boolean computes(int y) {
            return y >= first && y < first + rows && !(outer && y >= first + depth && y < first + rows - depth);
        }

        void run(CompiledKernel kernel) {
            float[] expected = in.clone();
            double[] squares = new double[depth];
            for (int i = 1; i <= depth; i++) {
                float[] next = expected.clone();
                for (int y = first - depth + i; y < first + rows + depth - i; y++) {
                    for (int x = 1; x < nx - 1; x++) {
                        int at = y * pitch + x;
                        next[at] = 0.25f
                                * (expected[at + 1] + expected[at - 1] + expected[at + pitch] + expected[at - pitch]);
                        double change = next[at] - expected[at];
                        squares[i - 1] += computes(y) ? change * change : 0;
                    }
                }
                expected = next;
            }
            HostArray out = HostArray.allocate(DataType.FLOAT32, in.length);
            out.fill(UNTOUCHED);
            HostArray sums = HostArray.allocate(DataType.FLOAT64, depth);
            sums.fill(1);
            kernel.launch(
                    config, HostArray.of(in), out, sums, norms, nx, (long) pitch, first, step, each, first + rows);
            for (int y = 0; y < all; y++) {
                // What fills a row up to the pitch may be written, too.
                for (int x = 0; x < nx; x++) {
                    assertThat(out.getFloat((long) y * pitch + x))
                            .as("row %d, column %d of %s", y, x, this)
                            .isEqualTo(computes(y) ? expected[y * pitch + x] : UNTOUCHED);
                }
            }
            for (int i = 0; i < depth; i++) {
                assertThat(sums.getDouble(i) - 1)
                        .as("squares of iteration %d of %s", i, this)
                        .isCloseTo(norms ? squares[i] : 0, within(1e-5 * squares[i]));
            }
        }

        @Override
        public String toString() {
            return "%d iterations, %d x %d from row %d of %d, blocks of %d rows, %d apart, %s"
                    .formatted(depth, nx, rows, first, all, each, step, config);
        }
    }

    @Test
    void startAndCollect() {
        HostArray grid = HostArray.allocate(DataType.FLOAT32, 5 * 32);
        HostArray sums = HostArray.of(1.0, 2.0, 3.0);
        HostArray history = HostArray.allocate(DataType.FLOAT64, 8);
        HostArray position = HostArray.of(4L);
        try (var compiler = KernelCompiler.cpu(CpuOptions.checked(1))) {
            compiler.compile(GpuSlab.method("start"))
                    .launch(LaunchConfig.forElements(5), grid, HostArray.of(5f, 6f, 7f, 8f, 9f), 21, 32L, 5);
            compiler.compile(GpuSlab.method("collect"))
                    .launch(LaunchConfig.grid(1).block(Warp.SIZE), sums, history, position, 3);
        }
        for (int y = 0; y < 5; y++) {
            for (int x = 0; x < 32; x++) {
                assertThat(grid.getFloat(32 * y + x)).isEqualTo(x == 0 || x == 20 ? 5 + y : 0);
            }
        }
        assertThat(history.toDoubleArray()).containsExactly(0, 0, 0, 0, 1, 2, 3, 0);
        assertThat(sums.toDoubleArray()).containsExactly(0, 0, 0);
        assertThat(position.getLong(0)).isEqualTo(7);
    }
}
