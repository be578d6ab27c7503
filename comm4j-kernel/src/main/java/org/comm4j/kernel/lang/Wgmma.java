// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.lang;

import org.comm4j.core.SmallFloats;
import org.comm4j.kernel.cpu.KernelThread;

/**
 * Products of matrices on tensor cores: {@code d = a b + d} with 64 rows and {@code n} columns, by the 128 threads of a
 * {@link Warpgroup} together, from shared memory, while the threads go on ({@code wgmma.mma_async} of PTX). sm_90a
 * only: {@code CompileOptions.withSuffix("a")}.
 *
 * <p>{@code d} is a local array of {@code n / 2} floats. With {@code g = lane / 4}, {@code t = lane % 4} and {@code w}
 * the warp in its warpgroup, element {@code 4 j + 2 h + e} is row {@code 16 w + g + 8 h}, column {@code 8 j + 2 t + e}:
 * {@link #row}, {@link #column}.
 *
 * <p>The order of calls is {@link #fence}, products, {@link #commit}, {@link #waitFor}: in between, neither {@code d}
 * nor the matrices may be touched. All threads of the warpgroup make every call. {@code n} is a constant, a multiple of
 * 8 from 8 to 256. On the CPU a product happens at once, and its sum is rounded once for each call.
 */
public final class Wgmma {
    /** Rows of a product. */
    public static final int M = 64;

    private Wgmma() {}

    /** The row of element {@code i} of a thread's part of the product, 0 to 63. */
    public static int row(int i) {
        int thread = ThreadIdx.x();
        return (thread >> 5 & 3) * 16 + (thread >> 2 & 7) + (i & 2) * 4;
    }

    /** The column of element {@code i} of a thread's part of the product. */
    public static int column(int i) {
        return (i >> 2) * 8 + (ThreadIdx.x() & 3) * 2 + (i & 1);
    }

    /** What threads have written to {@code d} is seen by the products after it ({@code wgmma.fence}). */
    @InlinePtx(
            value = "wgmma.fence.sync.aligned;",
            registers = {1, 2, 2},
            constants = 2,
            convergent = true,
            since = 90,
            specific = true)
    public static void fence(float[] d, int n) {
        check("fence", d, n);
    }

    /** Makes a group of the products since the last one ({@code wgmma.commit_group}). */
    @InlinePtx(value = "wgmma.commit_group.sync.aligned;", convergent = true, since = 90, specific = true)
    public static void commit() {
        // A product has happened.
    }

    /**
     * Waits until at most the {@code pending} latest groups are going on ({@code wgmma.wait_group}); 0 before {@code d}
     * is read. {@code pending} is a constant.
     */
    @InlinePtx(
            value = "wgmma.wait_group.sync.aligned $3;",
            registers = {1, 2, 2},
            constants = {2, 3},
            convergent = true,
            since = 90,
            specific = true)
    public static void waitFor(float[] d, int n, int pending) {
        check("waitFor", d, n);
    }

    /**
     * Adds the product of 64 × 16 and 16 × {@code n} elements of bf16 to {@code d}, or, where {@code accumulate} is 0,
     * puts it there ({@code wgmma.mma_async.m64nNk16.f32.bf16.bf16}). Where {@code transposeA} or {@code transposeB}, constants, is
     * 1, the matrix is of {@link SharedMatrix#transposed}, else 0.
     */
    @InlinePtx(
            value = DESCRIPTORS + "wgmma.mma_async.sync.aligned.m64n$7k16.f32.bf16.bf16 {$1}, a, b, p, 1, 1, $8, $9; }",
            registers = {1, 5, 2},
            shared = {2, 3},
            constants = {5, 6, 7},
            convergent = true,
            since = 90,
            specific = true)
    public static void bf16(
            float[] d, SharedMatrix a, SharedMatrix b, int accumulate, int n, int transposeA, int transposeB) {
        multiply("bf16", d, a, b, accumulate, n, 16, 2, transposeA != 0, transposeB != 0, SmallFloats::bfloat16ToFloat);
    }

    /**
     * Adds the product of 64 × 16 and 16 × {@code n} elements of f16 to {@code d}, or, where {@code accumulate} is 0,
     * puts it there ({@code wgmma.mma_async.m64nNk16.f32.f16.f16}). Where {@code transposeA} or {@code transposeB}, constants, is
     * 1, the matrix is of {@link SharedMatrix#transposed}, else 0.
     */
    @InlinePtx(
            value = DESCRIPTORS + "wgmma.mma_async.sync.aligned.m64n$7k16.f32.f16.f16 {$1}, a, b, p, 1, 1, $8, $9; }",
            registers = {1, 5, 2},
            shared = {2, 3},
            constants = {5, 6, 7},
            convergent = true,
            since = 90,
            specific = true)
    public static void f16(
            float[] d, SharedMatrix a, SharedMatrix b, int accumulate, int n, int transposeA, int transposeB) {
        multiply("f16", d, a, b, accumulate, n, 16, 2, transposeA != 0, transposeB != 0, Float::float16ToFloat);
    }

    /**
     * Adds the product of 64 × 32 and 32 × {@code n} elements of fp8 (e4m3) to {@code d}, or, where {@code accumulate} is 0,
     * puts it there ({@code wgmma.mma_async.m64nNk32.f32.e4m3.e4m3}).
     */
    @InlinePtx(
            value = DESCRIPTORS + "wgmma.mma_async.sync.aligned.m64n$7k32.f32.e4m3.e4m3 {$1}, a, b, p, 1, 1; }",
            registers = {1, 5, 2},
            shared = {2, 3},
            constants = 5,
            convergent = true,
            since = 90,
            specific = true)
    public static void e4m3(float[] d, SharedMatrix a, SharedMatrix b, int accumulate, int n) {
        multiply("e4m3", d, a, b, accumulate, n, 32, 1, false, false, bits -> SmallFloat.e4m3ToFloat((byte) bits));
    }

    /**
     * Adds the product of 64 × 32 and 32 × {@code n} elements of fp8 (e5m2) to {@code d}, or, where {@code accumulate} is 0,
     * puts it there ({@code wgmma.mma_async.m64nNk32.f32.e5m2.e5m2}).
     */
    @InlinePtx(
            value = DESCRIPTORS + "wgmma.mma_async.sync.aligned.m64n$7k32.f32.e5m2.e5m2 {$1}, a, b, p, 1, 1; }",
            registers = {1, 5, 2},
            shared = {2, 3},
            constants = 5,
            convergent = true,
            since = 90,
            specific = true)
    public static void e5m2(float[] d, SharedMatrix a, SharedMatrix b, int accumulate, int n) {
        multiply("e5m2", d, a, b, accumulate, n, 32, 1, false, false, bits -> SmallFloat.e5m2ToFloat((byte) bits));
    }

    /** Makes the descriptors {@code a} and {@code b} of two matrices, and the predicate {@code p}. */
    private static final String DESCRIPTORS = "{ .reg .pred p; .reg .b32 x; .reg .b64 a, b; setp.ne.b32 p, $6, 0; "
            + "bfe.u32 x, $2, 4, 14; cvt.u64.u32 a, x; or.b64 a, a, $3; "
            + "bfe.u32 x, $4, 4, 14; cvt.u64.u32 b, x; or.b64 b, b, $5; ";

    private interface Element {
        float of(short bits);
    }

    private static void check(String name, float[] d, int n) {
        if (n < 8 || n > 256 || n % 8 != 0) {
            throw new IllegalArgumentException(
                    "Wgmma." + name + " with " + n + " columns: they are a multiple of 8 from 8 to 256");
        }
        if (d.length < n / 2) {
            throw new IllegalArgumentException(
                    "Wgmma." + name + ": " + n + " columns need an array of " + n / 2 + " floats, not of " + d.length);
        }
    }

    private static void multiply(
            String name,
            float[] d,
            SharedMatrix a,
            SharedMatrix b,
            int accumulate,
            int n,
            int inner,
            int bytes,
            boolean transposedA,
            boolean transposedB,
            Element element) {
        check(name, d, n);
        KernelThread.current();
        float[] upper = new float[inner];
        float[] lower = new float[inner];
        for (int k = 0; k < inner; k++) {
            upper[k] = get(a, row(0), k, bytes, transposedA, element);
            lower[k] = get(a, row(2), k, bytes, transposedA, element);
        }
        for (int i = 0; i < n / 2; i += (i & 1) == 0 ? 1 : 3) {
            double up = accumulate == 0 ? 0 : d[i];
            double low = accumulate == 0 ? 0 : d[i + 2];
            int column = column(i);
            for (int k = 0; k < inner; k++) {
                double factor = get(b, column, k, bytes, transposedB, element);
                up += upper[k] * factor;
                low += lower[k] * factor;
            }
            d[i] = (float) up;
            d[i + 2] = (float) low;
        }
    }

    private static float get(SharedMatrix of, int row, int k, int bytes, boolean transposed, Element element) {
        long at = of.offset(row, k, bytes, transposed);
        return element.of(
                bytes == 2
                        ? of.place().segment.get(Ptr.SHORT, at)
                        : of.place().segment.get(Ptr.BYTE, at));
    }
}
