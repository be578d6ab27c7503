// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.lang;

import static org.comm4j.core.spi.Arguments.nonNull;

import org.comm4j.kernel.cpu.KernelThread;

/**
 * Memory that the threads of a block share ({@code __shared__}). A static array has a constant length and is one per
 * place in the program that asks for it: all threads of a block, and all passes of a loop, get the same. What is in it
 * at first is not defined.
 *
 * <p>A block has 227 KiB of shared memory on sm_90, and less on others. If its arrays are more than 48 KiB, a launch on
 * a GPU asks for them by itself. They are then the beginning of {@code extern __shared__} for device code in CUDA C++;
 * what {@code dynamic…} return is behind them.
 */
public final class Shared {
    private Shared() {}

    public static float[] f32(int length) {
        return KernelThread.current().shared(float[].class, length);
    }

    public static double[] f64(int length) {
        return KernelThread.current().shared(double[].class, length);
    }

    public static byte[] i8(int length) {
        return KernelThread.current().shared(byte[].class, length);
    }

    public static short[] i16(int length) {
        return KernelThread.current().shared(short[].class, length);
    }

    public static int[] i32(int length) {
        return KernelThread.current().shared(int[].class, length);
    }

    public static long[] i64(int length) {
        return KernelThread.current().shared(long[].class, length);
    }

    /** Returns an array of halves, whose bits are {@code short}s. */
    public static F16Ptr f16(int length) {
        return F16Ptr.of(i16(length));
    }

    /** Returns an array of bfloat16 values, whose bits are {@code short}s. */
    public static BF16Ptr bf16(int length) {
        return BF16Ptr.of(i16(length));
    }

    /**
     * Returns an array of records. They are laid out as a struct is in C, and the array begins at a multiple of 16
     * bytes. A record of 8 or 16 bytes is read and written in one access; others by their components. On the CPU, where
     * the kernel's own class runs, elements are null before they are written.
     *
     * @param type the record, by its name: {@code Point.class}
     */
    @SuppressWarnings("unchecked") // the type of arrays of R
    public static <R extends Record> R[] of(Class<R> type, int length) {
        nonNull(type, "Shared.of", "type");
        return KernelThread.current().shared((Class<R[]>) type.arrayType(), length);
    }

    /** Returns the memory that the launch has asked for ({@code extern __shared__}). */
    public static F32Ptr dynamicF32() {
        return new F32Ptr(KernelThread.current().dynamicShared(), 0, null);
    }

    /** Returns the memory that the launch has asked for ({@code extern __shared__}). */
    public static F64Ptr dynamicF64() {
        return new F64Ptr(KernelThread.current().dynamicShared(), 0, null);
    }

    /** Returns the memory that the launch has asked for ({@code extern __shared__}). */
    public static I8Ptr dynamicI8() {
        return new I8Ptr(KernelThread.current().dynamicShared(), 0, null);
    }

    /** Returns the memory that the launch has asked for ({@code extern __shared__}). */
    public static I16Ptr dynamicI16() {
        return new I16Ptr(KernelThread.current().dynamicShared(), 0, null);
    }

    /** Returns the memory that the launch has asked for ({@code extern __shared__}). */
    public static I32Ptr dynamicI32() {
        return new I32Ptr(KernelThread.current().dynamicShared(), 0, null);
    }

    /** Returns the memory that the launch has asked for ({@code extern __shared__}). */
    public static I64Ptr dynamicI64() {
        return new I64Ptr(KernelThread.current().dynamicShared(), 0, null);
    }

    /** Returns the memory that the launch has asked for ({@code extern __shared__}). */
    public static F16Ptr dynamicF16() {
        return new F16Ptr(KernelThread.current().dynamicShared(), 0, null);
    }

    /** Returns the memory that the launch has asked for ({@code extern __shared__}). */
    public static BF16Ptr dynamicBF16() {
        return new BF16Ptr(KernelThread.current().dynamicShared(), 0, null);
    }
}
