// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.lang;

import java.util.Objects;
import org.comm4j.kernel.cpu.KernelThread;
import org.jspecify.annotations.Nullable;

/**
 * Products of {@link Wgmma} whose left factor has two zeros among each four neighbours of a row, of tf32 one among each
 * two ({@code wgmma.mma_async.sp}). Twice as many indices are summed in the same time, and A has half the bytes. sm_90a
 * only.
 *
 * <p>A is in shared memory without its zeros, B whole. {@link StructuredMatrix} makes such a matrix, and the numbers
 * that say where its elements were: of those, thread {@code t} of the warpgroup has the one at {@link
 * StructuredMatrix#index}. The order of calls is that of {@link Wgmma}; {@code d} and {@code n} are as there.
 */
public final class WgmmaSparse {
    private WgmmaSparse() {}

    /**
     * Adds the product of 64 × 32 and 32 × {@code n} elements of bf16 to {@code d}, or puts it there if {@code
     * accumulate} is 0 ({@code wgmma.mma_async.sp.m64nNk32.f32.bf16.bf16}).
     *
     * @param metadata of this thread, for two products
     * @param selector which of the two it is, 0 or 1; a constant
     * @param transposeA 1 if {@code a} is of {@link SharedMatrix#transposed}, else 0; a constant
     * @param transposeB 1 if {@code b} is of {@link SharedMatrix#transposed}, else 0; a constant
     */
    @InlinePtx(
            value = Wgmma.DESCRIPTORS
                    + "wgmma.mma_async.sp.sync.aligned.m64n$9k32.f32.bf16.bf16 "
                    + "{$1}, a, b, $7, $8, p, 1, 1, $10, $11; }",
            registers = {1, 7, 2},
            shared = {2, 3},
            constants = {6, 7, 8, 9},
            convergent = true,
            since = 90,
            specific = true)
    public static void bf16(
            float[] d,
            SharedMatrix a,
            SharedMatrix b,
            int accumulate,
            int metadata,
            int selector,
            int n,
            int transposeA,
            int transposeB) {
        Part part = new Part("bf16", 32, 2, transposeA != 0, transposeB != 0, Wgmma::bfloat16);
        part.multiply(d, a, b, accumulate, metadata, selector, n);
    }

    /**
     * Adds the product of 64 × 32 and 32 × {@code n} elements of f16 to {@code d}, or puts it there if {@code
     * accumulate} is 0 ({@code wgmma.mma_async.sp.m64nNk32.f32.f16.f16}).
     *
     * @param metadata of this thread, for two products
     * @param selector which of the two it is, 0 or 1; a constant
     * @param transposeA 1 if {@code a} is of {@link SharedMatrix#transposed}, else 0; a constant
     * @param transposeB 1 if {@code b} is of {@link SharedMatrix#transposed}, else 0; a constant
     */
    @InlinePtx(
            value = Wgmma.DESCRIPTORS
                    + "wgmma.mma_async.sp.sync.aligned.m64n$9k32.f32.f16.f16 "
                    + "{$1}, a, b, $7, $8, p, 1, 1, $10, $11; }",
            registers = {1, 7, 2},
            shared = {2, 3},
            constants = {6, 7, 8, 9},
            convergent = true,
            since = 90,
            specific = true)
    public static void f16(
            float[] d,
            SharedMatrix a,
            SharedMatrix b,
            int accumulate,
            int metadata,
            int selector,
            int n,
            int transposeA,
            int transposeB) {
        Part part = new Part("f16", 32, 2, transposeA != 0, transposeB != 0, Wgmma::float16);
        part.multiply(d, a, b, accumulate, metadata, selector, n);
    }

    /**
     * Adds the product of 64 × 64 and 64 × {@code n} elements of fp8 (e4m3) to {@code d}, or puts it there if {@code
     * accumulate} is 0 ({@code wgmma.mma_async.sp.m64nNk64.f32.e4m3.e4m3}).
     *
     * @param metadata of this thread
     */
    @InlinePtx(
            value = Wgmma.DESCRIPTORS
                    + "wgmma.mma_async.sp.sync.aligned.m64n$8k64.f32.e4m3.e4m3 {$1}, a, b, $7, 0, p, 1, 1; }",
            registers = {1, 6, 2},
            shared = {2, 3},
            constants = 6,
            convergent = true,
            since = 90,
            specific = true)
    public static void e4m3(float[] d, SharedMatrix a, SharedMatrix b, int accumulate, int metadata, int n) {
        Part part = new Part("e4m3", 64, 1, false, false, bits -> SmallFloat.e4m3ToFloat((byte) bits));
        part.multiply(d, a, b, accumulate, metadata, 0, n);
    }

    /**
     * Adds the product of 64 × 64 and 64 × {@code n} elements of fp8 (e5m2) to {@code d}, or puts it there if {@code
     * accumulate} is 0 ({@code wgmma.mma_async.sp.m64nNk64.f32.e5m2.e5m2}).
     *
     * @param metadata of this thread
     */
    @InlinePtx(
            value = Wgmma.DESCRIPTORS
                    + "wgmma.mma_async.sp.sync.aligned.m64n$8k64.f32.e5m2.e5m2 {$1}, a, b, $7, 0, p, 1, 1; }",
            registers = {1, 6, 2},
            shared = {2, 3},
            constants = 6,
            convergent = true,
            since = 90,
            specific = true)
    public static void e5m2(float[] d, SharedMatrix a, SharedMatrix b, int accumulate, int metadata, int n) {
        Part part = new Part("e5m2", 64, 1, false, false, bits -> SmallFloat.e5m2ToFloat((byte) bits));
        part.multiply(d, a, b, accumulate, metadata, 0, n);
    }

    /**
     * Adds the product of 64 × 16 and 16 × {@code n} elements of tf32 to {@code d}, or puts it there if {@code
     * accumulate} is 0 ({@code wgmma.mma_async.sp.m64nNk16.f32.tf32.tf32}).
     *
     * @param metadata of this thread, for two products
     * @param selector which of the two it is, 0 or 1; a constant
     */
    @InlinePtx(
            value = Wgmma.DESCRIPTORS
                    + "wgmma.mma_async.sp.sync.aligned.m64n$9k16.f32.tf32.tf32 {$1}, a, b, $7, $8, p, 1, 1; }",
            registers = {1, 7, 2},
            shared = {2, 3},
            constants = {6, 7},
            convergent = true,
            since = 90,
            specific = true)
    public static void tf32(
            float[] d, SharedMatrix a, SharedMatrix b, int accumulate, int metadata, int selector, int n) {
        Part part = new Part("tf32", 16, 4, false, false, bits -> Float.intBitsToFloat(bits & Wgmma.TF32));
        part.multiply(d, a, b, accumulate, metadata, selector, n);
    }

    /** On the CPU, a thread's part of a product over {@code inner} indices. */
    private record Part(
            String name, int inner, int bytes, boolean transposedA, boolean transposedB, Wgmma.Element element) {
        void multiply(float[] d, SharedMatrix a, SharedMatrix b, int accumulate, int metadata, int selector, int n) {
            Wgmma.check(name, d, n);
            if (selector < 0 || selector > 1) {
                throw new IllegalArgumentException("WgmmaSparse." + name + ": the selector is 0 or 1, not " + selector);
            }
            @Nullable Object[] words = KernelThread.current().gather("WgmmaSparse." + name, metadata);
            Wgmma.add(
                    d,
                    row(a, Wgmma.row(0), words, selector, 0),
                    row(a, Wgmma.row(2), words, selector, 1),
                    b,
                    accumulate,
                    n,
                    bytes,
                    transposedB,
                    element);
        }

        /** Reads a row of A with its zeros; {@code below} is 1 for the lower one of a thread's two rows. */
        private float[] row(SharedMatrix a, int row, @Nullable Object[] words, int selector, int below) {
            float[] packed = new float[inner / 2];
            Wgmma.read(a, row, bytes, transposedA, element, packed);
            float[] whole = new float[inner];
            for (int i = 0; i < packed.length; i++) {
                int nibble = nibble(words, selector, below, i / (bytes == 4 ? 1 : 2));
                int first = nibble & 3;
                int second = nibble >> 2 & 3;
                if (first >= second) {
                    throw new IllegalArgumentException("WgmmaSparse." + name + ": metadata " + first + ", " + second
                            + " for row " + row + " does not increase; StructuredMatrix makes it");
                }
                if (bytes == 4) {
                    whole[2 * i + first / 2] = packed[i];
                } else {
                    whole[i / 2 * 4 + (i % 2 == 0 ? first : second)] = packed[i];
                }
            }
            return whole;
        }

        private int nibble(@Nullable Object[] words, int selector, int below, int chunk) {
            int quad = KernelThread.current().lane() / 4 * 4;
            int lane = bytes == 1 ? quad + below + chunk / 8 * 2 : quad + 2 * selector + chunk / 4;
            int word = (Integer) Objects.requireNonNull(words[lane], "a warp of fewer than 32 threads");
            return bytes == 1 ? word >>> 4 * (chunk % 8) : word >>> 16 * below + 4 * (chunk % 4);
        }
    }
}
