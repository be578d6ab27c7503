// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.lang;

import java.lang.foreign.MemorySegment;
import java.util.Objects;
import org.comm4j.core.SmallFloats;
import org.comm4j.kernel.cpu.KernelThread;
import org.jspecify.annotations.Nullable;

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
     * Adds the product of 64 × 16 and 16 × {@code n} elements of bf16 to {@code d}, or puts it there if {@code
     * accumulate} is 0 ({@code wgmma.mma_async.m64nNk16.f32.bf16.bf16}).
     *
     * @param transposeA 1 if {@code a} is of {@link SharedMatrix#transposed}, else 0; a constant
     * @param transposeB 1 if {@code b} is of {@link SharedMatrix#transposed}, else 0; a constant
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
        multiply("bf16", d, a, b, accumulate, n, 16, 2, transposeA != 0, transposeB != 0, Wgmma::bfloat16);
    }

    /**
     * Adds the product of 64 × 16 and 16 × {@code n} elements of f16 to {@code d}, or puts it there if {@code
     * accumulate} is 0 ({@code wgmma.mma_async.m64nNk16.f32.f16.f16}).
     *
     * @param transposeA 1 if {@code a} is of {@link SharedMatrix#transposed}, else 0; a constant
     * @param transposeB 1 if {@code b} is of {@link SharedMatrix#transposed}, else 0; a constant
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
        multiply("f16", d, a, b, accumulate, n, 16, 2, transposeA != 0, transposeB != 0, Wgmma::float16);
    }

    /**
     * Adds the product of 64 × 32 and 32 × {@code n} elements of fp8 (e4m3) to {@code d}, or puts it there if {@code
     * accumulate} is 0 ({@code wgmma.mma_async.m64nNk32.f32.e4m3.e4m3}).
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
     * Adds the product of 64 × 32 and 32 × {@code n} elements of fp8 (e5m2) to {@code d}, or puts it there if {@code
     * accumulate} is 0 ({@code wgmma.mma_async.m64nNk32.f32.e5m2.e5m2}).
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

    /**
     * Adds the product of 64 × 8 and 8 × {@code n} elements of tf32, {@code float}s of which the last 13 bits do not
     * count, to {@code d}, or puts it there if {@code accumulate} is 0 ({@code
     * wgmma.mma_async.m64nNk8.f32.tf32.tf32}).
     */
    @InlinePtx(
            value = DESCRIPTORS + "wgmma.mma_async.sync.aligned.m64n$7k8.f32.tf32.tf32 {$1}, a, b, p, 1, 1; }",
            registers = {1, 5, 2},
            shared = {2, 3},
            constants = 5,
            convergent = true,
            since = 90,
            specific = true)
    public static void tf32(float[] d, SharedMatrix a, SharedMatrix b, int accumulate, int n) {
        multiply("tf32", d, a, b, accumulate, n, 8, 4, false, false, bits -> Float.intBitsToFloat(bits & TF32));
    }

    static final int TF32 = 0xffff_e000;

    /**
     * {@link #bf16(float[], SharedMatrix, SharedMatrix, int, int, int, int)} with A in registers: each warp holds its
     * 16 rows as an {@link Mma.A}.
     */
    @InlinePtx(
            value = DESCRIPTOR_B + "wgmma.mma_async.sync.aligned.m64n$9k16.f32.bf16.bf16 "
                    + "{$1}, {$2, $3, $4, $5}, b, p, 1, 1, $10; }",
            registers = {1, 5, 2},
            shared = 3,
            constants = {5, 6},
            convergent = true,
            since = 90,
            specific = true)
    public static void bf16(float[] d, Mma.A a, SharedMatrix b, int accumulate, int n, int transposeB) {
        multiply("bf16", d, a, b, accumulate, n, transposeB != 0, Wgmma::bfloat16);
    }

    /**
     * {@link #f16(float[], SharedMatrix, SharedMatrix, int, int, int, int)} with A in registers: each warp holds its 16
     * rows as an {@link Mma.A}.
     */
    @InlinePtx(
            value = DESCRIPTOR_B + "wgmma.mma_async.sync.aligned.m64n$9k16.f32.f16.f16 "
                    + "{$1}, {$2, $3, $4, $5}, b, p, 1, 1, $10; }",
            registers = {1, 5, 2},
            shared = 3,
            constants = {5, 6},
            convergent = true,
            since = 90,
            specific = true)
    public static void f16(float[] d, Mma.A a, SharedMatrix b, int accumulate, int n, int transposeB) {
        multiply("f16", d, a, b, accumulate, n, transposeB != 0, Wgmma::float16);
    }

    /** Makes the descriptors {@code a} and {@code b} of two matrices, and the predicate {@code p}. */
    static final String DESCRIPTORS = "{ .reg .pred p; .reg .b32 x; .reg .b64 a, b; setp.ne.b32 p, $6, 0; "
            + "bfe.u32 x, $2, 4, 14; cvt.u64.u32 a, x; or.b64 a, a, $3; "
            + "bfe.u32 x, $4, 4, 14; cvt.u64.u32 b, x; or.b64 b, b, $5; ";

    /** Makes the descriptor {@code b} of the right matrix, and the predicate {@code p}. */
    private static final String DESCRIPTOR_B = "{ .reg .pred p; .reg .b32 x; .reg .b64 b; setp.ne.b32 p, $8, 0; "
            + "bfe.u32 x, $6, 4, 14; cvt.u64.u32 b, x; or.b64 b, b, $7; ";

    interface Element {
        float of(int bits);
    }

    static float bfloat16(int bits) {
        return SmallFloats.bfloat16ToFloat((short) bits);
    }

    static float float16(int bits) {
        return Float.float16ToFloat((short) bits);
    }

    static void check(String name, float[] d, int n) {
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
        read(a, row(0), bytes, transposedA, element, upper);
        read(a, row(2), bytes, transposedA, element, lower);
        add(d, upper, lower, b, accumulate, n, bytes, transposedB, element);
    }

    private static void multiply(
            String name,
            float[] d,
            Mma.A a,
            SharedMatrix b,
            int accumulate,
            int n,
            boolean transposedB,
            Element element) {
        check(name, d, n);
        @Nullable Object[] all = KernelThread.current().gather("Wgmma." + name, a);
        int first = KernelThread.current().lane() / 4 * 4;
        float[] upper = new float[16];
        float[] lower = new float[16];
        for (int k = 0; k < 16; k++) {
            Mma.A part = (Mma.A) Objects.requireNonNull(all[first + k % 8 / 2], "a warp of fewer than 32 threads");
            int shift = k % 2 * 16;
            upper[k] = element.of((k < 8 ? part.x() : part.z()) >>> shift & 0xffff);
            lower[k] = element.of((k < 8 ? part.y() : part.w()) >>> shift & 0xffff);
        }
        add(d, upper, lower, b, accumulate, n, 2, transposedB, element);
    }

    /** Adds the products of two rows of A with the columns of this thread. */
    static void add(
            float[] d,
            float[] upper,
            float[] lower,
            SharedMatrix b,
            int accumulate,
            int n,
            int bytes,
            boolean transposedB,
            Element element) {
        float[] factors = new float[upper.length];
        for (int i = 0; i < n / 2; i += (i & 1) == 0 ? 1 : 3) {
            double up = accumulate == 0 ? 0 : d[i];
            double low = accumulate == 0 ? 0 : d[i + 2];
            read(b, column(i), bytes, transposedB, element, factors);
            for (int k = 0; k < factors.length; k++) {
                double factor = factors[k];
                up += upper[k] * factor;
                low += lower[k] * factor;
            }
            d[i] = (float) up;
            d[i + 2] = (float) low;
        }
    }

    /** Reads a row of A or a column of B. */
    static void read(SharedMatrix of, int row, int bytes, boolean transposed, Element element, float[] values) {
        MemorySegment memory = of.place().segment;
        // Where the summed index is the contiguous one, 16 bytes are together.
        int together = transposed ? 1 : 16 / bytes;
        for (int k = 0; k < values.length; k += together) {
            long at = of.offset(row, k, bytes, transposed);
            for (int i = 0; i < together; i++) {
                int bits = switch (bytes) {
                    case 1 -> memory.get(Ptr.BYTE, at + i);
                    case 2 -> memory.get(Ptr.SHORT, at + 2L * i);
                    default -> memory.get(Ptr.INT, at + 4L * i);
                };
                values[k + i] = element.of(bits);
            }
        }
    }
}
