// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.cuda.LaunchConfig;
import org.comm4j.kernel.lang.Block;
import org.comm4j.kernel.lang.C128Ptr;
import org.comm4j.kernel.lang.C64Ptr;
import org.comm4j.kernel.lang.Complex128;
import org.comm4j.kernel.lang.Complex64;
import org.comm4j.kernel.lang.GlobalIdx;
import org.comm4j.kernel.lang.Kernel;
import org.comm4j.kernel.lang.Restrict;
import org.comm4j.kernel.lang.Shared;
import org.comm4j.kernel.lang.ThreadIdx;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Complex numbers in kernels, which give the same wherever they run. */
abstract class ComplexContract {
    private static final int[] COUNTS = {0, 1, 5, 256, 1001};

    /** How many results an element has in {@link #all64} and {@link #all128}. */
    private static final int RESULTS = 8;

    private static final double[][] NUMBERS = {
        {3, -4}, {-0.5, 2}, {0, 1.25}, {-7, 0}, {1e18, -3e18}, {2e-18, 1e-18}, {0.1, 0.3}, {-1, -1}
    };

    @Kernel
    static void axpy64(int n, Complex64 a, @Restrict C64Ptr x, @Restrict C64Ptr y) {
        int i = GlobalIdx.x();
        if (i < n) {
            y.set(i, a.times(x.get(i)).plus(y.get(i)));
        }
    }

    @Kernel
    static void axpy128(int n, Complex128 a, C128Ptr x, C128Ptr y) {
        int i = GlobalIdx.x();
        if (i < n) {
            y.set(i, a.times(x.get(i)).plus(y.get(i)));
        }
    }

    @ParameterizedTest
    @MethodSource("machines")
    void buffersAreArguments(Machine machine) {
        // Small integers: products and sums are exact, however they are rounded.
        for (int n : COUNTS) {
            for (DataType type : new DataType[] {DataType.COMPLEX64, DataType.COMPLEX128}) {
                HostArray x = HostArray.allocate(type, n + 1);
                HostArray y = HostArray.allocate(type, n + 1);
                for (int i = 0; i <= n; i++) {
                    x.setComplex(i, i % 17 - 8, i % 5);
                    y.setComplex(i, i, -i);
                }
                boolean wide = type == DataType.COMPLEX128;
                machine.launch(
                        machine.kernel(ComplexContract.class, wide ? "axpy128" : "axpy64"),
                        LaunchConfig.forElements(Math.max(n, 1)),
                        n,
                        wide ? new Complex128(2, -3) : new Complex64(2, -3),
                        x,
                        y);
                for (int i = 0; i <= n; i++) {
                    int re = i % 17 - 8;
                    int im = i % 5;
                    assertThat(y.getReal(i)).isEqualTo(i < n ? 2 * re + 3 * im + i : i);
                    assertThat(y.getImaginary(i)).isEqualTo(i < n ? 2 * im - 3 * re - i : -i);
                }
            }
        }
    }

    @Kernel
    static void all64(C64Ptr x, C64Ptr out) {
        int i = GlobalIdx.x();
        Complex64 a = x.get(i);
        Complex64 b = x.plus(i + 1).get((i + 3) % 8 - (i + 1));
        C64Ptr to = out.plus(RESULTS * (long) i);
        to.set(0, a.minus(b));
        to.set(1, a.times(b));
        to.set(2, a.dividedBy(b));
        to.set(3, a.fma(b, Complex64.of(2)));
        to.set(4, a.negate().conj());
        to.set(5, a.times(0.5f));
        to.set(6, new Complex64(a.abs(), b.abs()));
        to.set(7, new Complex64(a.absSquared(), 0));
    }

    @Kernel
    static void all128(C128Ptr x, C128Ptr out) {
        int i = GlobalIdx.x();
        Complex128 a = x.get(i);
        Complex128 b = x.plus(i + 1).get((i + 3) % 8 - (i + 1));
        C128Ptr to = out.plus(RESULTS * (long) i);
        to.set(0, a.minus(b));
        to.set(1, a.times(b));
        to.set(2, a.dividedBy(b));
        to.set(3, a.fma(b, Complex128.of(2)));
        to.set(4, a.negate().conj());
        to.set(5, a.times(0.5));
        to.set(6, new Complex128(a.abs(), b.abs()));
        to.set(7, new Complex128(a.absSquared(), 0));
    }

    @ParameterizedTest
    @MethodSource("machines")
    void arithmeticIsThatOfComplexNumbers(Machine machine) {
        for (DataType type : new DataType[] {DataType.COMPLEX64, DataType.COMPLEX128}) {
            boolean wide = type == DataType.COMPLEX128;
            int n = NUMBERS.length;
            HostArray x = HostArray.allocate(type, n);
            HostArray out = HostArray.allocate(type, (long) n * RESULTS);
            for (int i = 0; i < n; i++) {
                x.setComplex(i, NUMBERS[i][0], NUMBERS[i][1]);
            }
            machine.launch(
                    machine.kernel(ComplexContract.class, wide ? "all128" : "all64"),
                    LaunchConfig.grid(1).block(n),
                    x,
                    out);
            double error = wide ? 1e-15 : 5e-7;
            for (int i = 0; i < n; i++) {
                int j = (i + 3) % n;
                double a = x.getReal(i);
                double b = x.getImaginary(i);
                double c = x.getReal(j);
                double d = x.getImaginary(j);
                double norm = c * c + d * d;
                int at = i * RESULTS;
                check(out, at, a - c, b - d, error);
                check(out, at + 1, a * c - b * d, a * d + b * c, error);
                check(out, at + 2, (a * c + b * d) / norm, (b * c - a * d) / norm, error);
                check(out, at + 3, a * c - b * d + 2, a * d + b * c, error);
                check(out, at + 4, -a, b, 0);
                check(out, at + 5, a / 2, b / 2, 0);
                check(out, at + 6, Math.sqrt(a * a + b * b), Math.sqrt(norm), error);
                check(out, at + 7, a * a + b * b, 0, error);
            }
        }
    }

    /** Relative to the modulus. */
    private static void check(HostArray out, int at, double re, double im, double error) {
        double off = Math.hypot(out.getReal(at) - re, out.getImaginary(at) - im);
        assertThat(off)
                .as("result %d, %s and %si", at % RESULTS, re, im)
                .isLessThanOrEqualTo(error * Math.hypot(re, im));
    }

    /** All threads add to one number; the block's own numbers are in shared memory. */
    @Kernel
    static void sums64(C64Ptr out) {
        Complex64[] own = Shared.of(Complex64.class, 64);
        int t = ThreadIdx.x();
        own[t] = new Complex64(t, 1);
        Block.sync();
        out.atomicAdd(1, own[t ^ 1]);
    }

    @Kernel
    static void sums128(C128Ptr out) {
        Complex128[] own = Shared.of(Complex128.class, 64);
        int t = ThreadIdx.x();
        own[t] = new Complex128(t, 1);
        Block.sync();
        out.atomicAdd(1, own[t ^ 1]);
    }

    @ParameterizedTest
    @MethodSource("machines")
    void atomicsLoseNothing(Machine machine) {
        for (DataType type : new DataType[] {DataType.COMPLEX64, DataType.COMPLEX128}) {
            HostArray out = HostArray.allocate(type, 3);
            machine.launch(
                    machine.kernel(ComplexContract.class, type == DataType.COMPLEX64 ? "sums64" : "sums128"),
                    LaunchConfig.grid(5).block(64),
                    out);
            assertThat(out.getReal(1)).isEqualTo(5 * 63 * 32);
            assertThat(out.getImaginary(1)).isEqualTo(5 * 64);
            assertThat(out.getReal(0) + out.getReal(2) + out.getImaginary(0) + out.getImaginary(2))
                    .isZero();
        }
    }
}
