// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.lang;

import java.util.Objects;
import org.comm4j.core.SmallFloats;
import org.comm4j.kernel.cpu.KernelThread;
import org.jspecify.annotations.Nullable;

/**
 * Products of small matrices on tensor cores: {@code d = a b + c} with 16 rows and 8 columns, by all 32 threads of a
 * warp together ({@code mma.sync} of PTX). Each thread holds a part of each matrix, a fragment. With {@code g = lane /
 * 4} and {@code t = lane % 4} these are
 *
 * <ul>
 *   <li>{@link A}, 16 rows, of f16 or bf16 and 16 columns, two elements in each number, the left one in the low bits:
 *   rows {@code g, g + 8, g, g + 8} and columns
 *       {@code 2t, 2t, 2t + 8, 2t + 8}, each with the next column; of tf32 and 8 columns, one element in each: the same
 *       rows, columns {@code t, t, t + 4, t + 4}
 *   <li>{@link B}, 8 columns, of f16 or bf16 and 16 rows, the upper element in the low bits: column {@code g}, rows
 *   {@code 2t, 2t + 8}, each with the next row;
 *       of tf32 and 8 rows: column {@code g}, rows {@code t, t + 4}
 *   <li>{@link C}, 16 rows and 8 columns of {@code float}: rows {@code g, g, g + 8, g + 8}, columns {@code 2t, 2t + 1,
 *   2t, 2t + 1}
 * </ul>
 *
 * <p>All threads of the warp call every method that says so. The products are exact; how their sum is rounded is the
 * tensor core's secret, and on the CPU it is rounded once. Pointers are to global or shared memory, and what a method
 * reads with them is in row order, {@code stride} elements from row to row.
 */
public final class Mma {
    /** Rows of {@link A} and {@link C}. */
    public static final int M = 16;

    /** Columns of {@link B} and {@link C}. */
    public static final int N = 8;

    /** Columns of {@link A} and rows of {@link B}, of 16 bits each. */
    public static final int K = 16;

    /** Columns of {@link A} and rows of {@link B}, of tf32. */
    public static final int K_TF32 = 8;

    private Mma() {}

    /** A thread's part of the left factor. */
    public record A(int x, int y, int z, int w) {}

    /** A thread's part of the right factor. */
    public record B(int x, int y) {}

    /** A thread's part of the sum. */
    public record C(float x, float y, float z, float w) {
        /** All elements are 0. */
        public static C zero() {
            return new C(0, 0, 0, 0);
        }
    }

    // ---- products ----

    /** {@code a b + c} of f16 ({@code mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32}). The whole warp calls it. */
    @InlinePtx(
            value = "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32" + OPERANDS,
            effects = false,
            convergent = true)
    public static C f16(A a, B b, C c) {
        return multiply("Mma.f16", 2, a, b, c, Float::float16ToFloat);
    }

    /**
     * {@code a b + c} of bf16 ({@code mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32}). The whole warp calls it.
     */
    @InlinePtx(
            value = "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32" + OPERANDS,
            effects = false,
            convergent = true)
    public static C bf16(A a, B b, C c) {
        return multiply("Mma.bf16", 2, a, b, c, SmallFloats::bfloat16ToFloat);
    }

    /**
     * {@code a b + c} of tf32, which is {@code float} without its last 13 bits ({@code
     * mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32}). The whole warp calls it.
     */
    @InlinePtx(
            value = "mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32" + OPERANDS,
            effects = false,
            convergent = true)
    public static C tf32(A a, B b, C c) {
        return multiply("Mma.tf32", 1, a, b, c, bits -> 0);
    }

    private static final String OPERANDS = " {$0, $1, $2, $3}, {$4, $5, $6, $7}, {$8, $9}, {$10, $11, $12, $13};";

    /**
     * What is nearest to {@code value} in tf32, as bits of a {@code float}; ties go away from zero ({@code
     * cvt.rna.tf32.f32}).
     */
    @InlinePtx(value = "cvt.rna.tf32.f32 $0, $1;", effects = false)
    public static int toTf32(float value) {
        int bits = Float.floatToRawIntBits(value);
        return Float.isFinite(value) ? bits + 0x1000 & TF32 : bits & TF32;
    }

    private static final int TF32 = 0xffff_e000;

    private interface Element {
        float of(short bits);
    }

    private record Fragments(A a, B b) {}

    private static C multiply(String name, int packed, A a, B b, C c, Element element) {
        @Nullable Object[] all = KernelThread.current().gather(name, new Fragments(a, b));
        int lane = KernelThread.current().lane();
        int g = lane / 4;
        int t = lane % 4;
        return new C(
                dot(all, packed, g, 2 * t, c.x, element),
                dot(all, packed, g, 2 * t + 1, c.y, element),
                dot(all, packed, g + 8, 2 * t, c.z, element),
                dot(all, packed, g + 8, 2 * t + 1, c.w, element));
    }

    /** Element {@code row}, {@code column} of the product, by whoever holds what it is made of. */
    private static float dot(@Nullable Object[] all, int packed, int row, int column, float c, Element element) {
        double sum = c;
        for (int t = 0; t < 4; t++) {
            A a = fragments(all, row % 8 * 4 + t).a;
            B b = fragments(all, column * 4 + t).b;
            int left = row < 8 ? a.x : a.y;
            int right = row < 8 ? a.z : a.w;
            if (packed == 1) {
                sum += (double) Float.intBitsToFloat(left & TF32) * Float.intBitsToFloat(b.x & TF32);
                sum += (double) Float.intBitsToFloat(right & TF32) * Float.intBitsToFloat(b.y & TF32);
            } else {
                sum += (double) element.of((short) left) * element.of((short) b.x);
                sum += (double) element.of((short) (left >>> 16)) * element.of((short) (b.x >>> 16));
                sum += (double) element.of((short) right) * element.of((short) b.y);
                sum += (double) element.of((short) (right >>> 16)) * element.of((short) (b.y >>> 16));
            }
        }
        return (float) sum;
    }

    private static Fragments fragments(@Nullable Object[] all, int lane) {
        return (Fragments) Objects.requireNonNull(all[lane], "a warp of fewer than 32 threads multiplies no matrices");
    }

    // ---- matrices of 8 rows of 16 bytes, from shared memory ----

    /**
     * Four matrices of 8 × 8 elements of 16 bits from shared memory ({@code ldmatrix.sync.aligned.m8n8.x4}). Lanes 0 to
     * 7 point to the rows of the first one, 16 bytes each at a multiple of 16, lanes 8 to 15 to those of the second,
     * and so on; lane {@code l} gets of each one row {@code l / 4}, columns {@code l % 4 * 2} and the next. So it is an
     * {@link A} whose quarters are, in this order: top left, bottom left, top right, bottom right. The whole warp calls
     * it.
     */
    @InlinePtx(
            value = "ldmatrix.sync.aligned.m8n8.x4.shared.b16 {$0, $1, $2, $3}, [$4];",
            shared = 1,
            convergent = true)
    public static A load4(Ptr row) {
        @Nullable Object[] rows = rows("Mma.load4", row, 32);
        return new A(pair(rows, 0), pair(rows, 1), pair(rows, 2), pair(rows, 3));
    }

    /**
     * {@link #load4} of which lane {@code l} gets column {@code l / 4}, rows {@code l % 4 * 2} and the next ({@code
     * .trans}). The whole warp calls it.
     */
    @InlinePtx(
            value = "ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {$0, $1, $2, $3}, [$4];",
            shared = 1,
            convergent = true)
    public static A load4Transposed(Ptr row) {
        @Nullable Object[] rows = rows("Mma.load4Transposed", row, 32);
        return new A(column(rows, 0), column(rows, 1), column(rows, 2), column(rows, 3));
    }

    /**
     * Two matrices, as {@link #load4}, to which lanes 0 to 15 point: a {@link B} of what is in memory column by column.
     * The whole warp calls it.
     */
    @InlinePtx(value = "ldmatrix.sync.aligned.m8n8.x2.shared.b16 {$0, $1}, [$2];", shared = 1, convergent = true)
    public static B load2(Ptr row) {
        @Nullable Object[] rows = rows("Mma.load2", row, 16);
        return new B(pair(rows, 0), pair(rows, 1));
    }

    /**
     * Two matrices, as {@link #load4Transposed}, to which lanes 0 to 15 point: a {@link B} of what is in memory row by
     * row. The whole warp calls it.
     */
    @InlinePtx(value = "ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {$0, $1}, [$2];", shared = 1, convergent = true)
    public static B load2Transposed(Ptr row) {
        @Nullable Object[] rows = rows("Mma.load2Transposed", row, 16);
        return new B(column(rows, 0), column(rows, 1));
    }

    /** One matrix, as {@link #load4}, to which lanes 0 to 7 point. The whole warp calls it. */
    @InlinePtx(value = "ldmatrix.sync.aligned.m8n8.x1.shared.b16 {$0}, [$1];", shared = 1, convergent = true)
    public static int load1(Ptr row) {
        return pair(rows("Mma.load1", row, 8), 0);
    }

    /** One matrix, as {@link #load4Transposed}, to which lanes 0 to 7 point. The whole warp calls it. */
    @InlinePtx(value = "ldmatrix.sync.aligned.m8n8.x1.trans.shared.b16 {$0}, [$1];", shared = 1, convergent = true)
    public static int load1Transposed(Ptr row) {
        return column(rows("Mma.load1Transposed", row, 8), 0);
    }

    private static @Nullable Object[] rows(String name, Ptr row, int lanes) {
        if (KernelThread.current().lane() < lanes) {
            row.checkAligned(0, 16);
        }
        return KernelThread.current().gather(name, row);
    }

    private static int bits(@Nullable Object[] rows, int matrix, int row, int column) {
        Ptr p = (Ptr)
                Objects.requireNonNull(rows[matrix * 8 + row], "a warp of fewer than 32 threads loads no matrices");
        return p.segment.get(Ptr.SHORT, p.offset + column * 2L) & 0xffff;
    }

    private static int pair(@Nullable Object[] rows, int matrix) {
        int lane = KernelThread.current().lane();
        int column = lane % 4 * 2;
        return bits(rows, matrix, lane / 4, column) | bits(rows, matrix, lane / 4, column + 1) << 16;
    }

    private static int column(@Nullable Object[] rows, int matrix) {
        int lane = KernelThread.current().lane();
        int row = lane % 4 * 2;
        return bits(rows, matrix, row, lane / 4) | bits(rows, matrix, row + 1, lane / 4) << 16;
    }

    // ---- fragments from and to memory of any kind ----

    private static int group() {
        return Warp.laneId() >>> 2;
    }

    private static int member() {
        return Warp.laneId() & 3;
    }

    /** 16 × 16 elements; rows begin at multiples of 4 bytes. */
    public static A loadA(F16Ptr a, int stride) {
        return loadA(a.asI16(), stride);
    }

    /** 16 × 8 elements. */
    public static B loadB(F16Ptr b, int stride) {
        return loadB(b.asI16(), stride);
    }

    /**
     * 16 × 8 elements of which memory has the columns as rows: element (i, j) is at {@code j * stride + i}; these rows
     * begin at multiples of 4 bytes.
     */
    public static B loadBTransposed(F16Ptr b, int stride) {
        return loadBTransposed(b.asI16(), stride);
    }

    /** 16 × 16 elements; rows begin at multiples of 4 bytes. */
    public static A loadA(BF16Ptr a, int stride) {
        return loadA(a.asI16(), stride);
    }

    /** 16 × 8 elements. */
    public static B loadB(BF16Ptr b, int stride) {
        return loadB(b.asI16(), stride);
    }

    /**
     * 16 × 8 elements of which memory has the columns as rows: element (i, j) is at {@code j * stride + i}; these rows
     * begin at multiples of 4 bytes.
     */
    public static B loadBTransposed(BF16Ptr b, int stride) {
        return loadBTransposed(b.asI16(), stride);
    }

    private static A loadA(I16Ptr a, int stride) {
        I32Ptr top = a.plus((long) group() * stride + member() * 2L).asI32();
        I32Ptr bottom = a.plus((long) (group() + 8) * stride + member() * 2L).asI32();
        return new A(top.get(0), bottom.get(0), top.get(4), bottom.get(4));
    }

    private static B loadB(I16Ptr b, int stride) {
        I16Ptr first = b.plus((long) member() * 2 * stride + group());
        I16Ptr second = first.plus(8L * stride);
        return new B(
                first.get(0) & 0xffff | first.get(stride) << 16, second.get(0) & 0xffff | second.get(stride) << 16);
    }

    private static B loadBTransposed(I16Ptr b, int stride) {
        I32Ptr column = b.plus((long) group() * stride + member() * 2L).asI32();
        return new B(column.get(0), column.get(4));
    }

    /** 16 × 8 elements, rounded to tf32. */
    public static A loadA(F32Ptr a, int stride) {
        F32Ptr top = a.plus((long) group() * stride + member());
        F32Ptr bottom = top.plus(8L * stride);
        return new A(toTf32(top.get(0)), toTf32(bottom.get(0)), toTf32(top.get(4)), toTf32(bottom.get(4)));
    }

    /** 8 × 8 elements, rounded to tf32. */
    public static B loadB(F32Ptr b, int stride) {
        F32Ptr first = b.plus((long) member() * stride + group());
        return new B(toTf32(first.get(0)), toTf32(first.get(4L * stride)));
    }

    /**
     * 8 × 8 elements, rounded to tf32, of which memory has the columns as rows: element (i, j) is at {@code j *
     * stride +
     * i}.
     */
    public static B loadBTransposed(F32Ptr b, int stride) {
        F32Ptr column = b.plus((long) group() * stride + member());
        return new B(toTf32(column.get(0)), toTf32(column.get(4)));
    }

    /** 16 × 8 elements; rows begin at multiples of 8 bytes. */
    public static C loadC(F32Ptr c, int stride) {
        F32Ptr top = c.plus((long) group() * stride + member() * 2L);
        Float2 upper = top.get2(0);
        Float2 lower = top.get2(8L * stride);
        return new C(upper.x(), upper.y(), lower.x(), lower.y());
    }

    /** 16 × 8 elements; rows begin at multiples of 8 bytes. */
    public static void storeC(F32Ptr c, int stride, C value) {
        F32Ptr top = c.plus((long) group() * stride + member() * 2L);
        top.set2(0, new Float2(value.x, value.y));
        top.set2(8L * stride, new Float2(value.z, value.w));
    }

    /** 16 × 8 elements, rounded; rows begin at multiples of 4 bytes. */
    public static void storeC(F16Ptr c, int stride, C value) {
        F16Ptr top = c.plus((long) group() * stride + member() * 2L);
        top.set2(0, Half2.of(value.x, value.y));
        top.set2(8L * stride, Half2.of(value.z, value.w));
    }

    /** 16 × 8 elements, rounded; rows begin at multiples of 4 bytes. */
    public static void storeC(BF16Ptr c, int stride, C value) {
        BF16Ptr top = c.plus((long) group() * stride + member() * 2L);
        top.set2(0, BFloat162.of(value.x, value.y));
        top.set2(8L * stride, BFloat162.of(value.z, value.w));
    }

    /**
     * The 16 × 8 elements of a larger matrix that begin at {@code row}, {@code column}, as far as it goes: {@code rows}
     * and {@code columns} are its own.
     */
    public static void storeC(F32Ptr c, int stride, C value, int row, int column, int rows, int columns) {
        int i = row + group();
        int j = column + member() * 2;
        store(c, stride, i, j, value.x, rows, columns);
        store(c, stride, i, j + 1, value.y, rows, columns);
        store(c, stride, i + 8, j, value.z, rows, columns);
        store(c, stride, i + 8, j + 1, value.w, rows, columns);
    }

    private static void store(F32Ptr c, int stride, int i, int j, float value, int rows, int columns) {
        if (i < rows && j < columns) {
            c.set((long) i * stride + j, value);
        }
    }
}
