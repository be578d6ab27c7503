// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.lang;

import static org.comm4j.core.spi.Arguments.nonNull;

import java.lang.foreign.MemorySegment;
import org.comm4j.core.Buffer;
import org.comm4j.core.DataType;
import org.comm4j.kernel.cpu.KernelThread;
import org.jspecify.annotations.Nullable;

/** Where values of type {@code float} are; see {@link Ptr}. */
public final class F32Ptr extends Ptr {
    F32Ptr(MemorySegment segment, long offset, @Nullable Buffer buffer) {
        super(segment, offset, 4, buffer);
    }

    private F32Ptr(F32Ptr from, long elements) {
        super(from, elements, 4);
    }

    @Override
    public DataType elementType() {
        return DataType.FLOAT32;
    }

    /** Returns the beginning of a buffer of {@link DataType#FLOAT32}. */
    public static F32Ptr of(Buffer buffer) {
        nonNull(buffer, "F32Ptr.of", "buffer");
        return of(buffer, 0);
    }

    /** Element {@code index} of a buffer of {@link DataType#FLOAT32}. */
    public static F32Ptr of(Buffer buffer, long index) {
        nonNull(buffer, "F32Ptr.of", "buffer");
        checkBuffer("F32Ptr", buffer, index, DataType.FLOAT32);
        return new F32Ptr(segment(buffer), index * 4, buffer);
    }

    /** Returns the first element of an array that {@link Shared} has made, or of a local one. */
    public static F32Ptr of(float[] array) {
        nonNull(array, "F32Ptr.of", "array");
        return new F32Ptr(MemorySegment.ofArray(array), 0, null);
    }

    /** {@code n} elements on. */
    public F32Ptr plus(long n) {
        return new F32Ptr(this, n);
    }

    public float get(long i) {
        return segment.get(FLOAT, at(i, 4));
    }

    public void set(long i, float value) {
        segment.set(FLOAT, at(i, 4), value);
    }

    /** Reads what is in memory now ({@code volatile}), as a loop that waits for another thread does. */
    public float getVolatile(long i) {
        KernelThread.pause();
        return (float) VOLATILE_FLOAT.getVolatile(segment, at(i, 4));
    }

    public void setVolatile(long i, float value) {
        VOLATILE_FLOAT.setVolatile(segment, at(i, 4), value);
    }

    /** 2 elements at once; element {@code i} is at a multiple of 8 bytes. */
    public Float2 get2(long i) {
        checkAligned(i * 4, 8);
        return new Float2(get(i), get(i + 1));
    }

    /** 2 elements at once; element {@code i} is at a multiple of 8 bytes. */
    public void set2(long i, Float2 value) {
        checkAligned(i * 4, 8);
        set(i, value.x());
        set(i + 1, value.y());
    }

    /** 4 elements at once; element {@code i} is at a multiple of 16 bytes. */
    public Float4 get4(long i) {
        checkAligned(i * 4, 16);
        return new Float4(get(i), get(i + 1), get(i + 2), get(i + 3));
    }

    /** 4 elements at once; element {@code i} is at a multiple of 16 bytes. */
    public void set4(long i, Float4 value) {
        checkAligned(i * 4, 16);
        set(i, value.x());
        set(i + 1, value.y());
        set(i + 2, value.z());
        set(i + 3, value.w());
    }

    /** With a hint for the caches; {@code cache} is a constant. */
    public float get(long i, CacheHint cache) {
        return Float.intBitsToFloat(CachedAccess.load(plus(i).asI32(), cache));
    }

    /** With a hint for the caches; {@code cache} is a constant. */
    public void set(long i, float value, CacheHint cache) {
        CachedAccess.store(plus(i).asI32(), Float.floatToRawIntBits(value), cache);
    }

    /** Reads so that what other threads wrote before their release is seen after it; {@link Scope#DEVICE}. */
    public float getAcquire(long i) {
        return getAcquire(i, Scope.DEVICE);
    }

    /** Reads so that what threads of {@code scope}, a constant, wrote before their release is seen after it. */
    public float getAcquire(long i, Scope scope) {
        return Float.intBitsToFloat(Atomic32.getAcquire(plus(i).asI32(), scope));
    }

    /** Writes so that whoever reads it with acquire sees what was written before; {@link Scope#DEVICE}. */
    public void setRelease(long i, float value) {
        setRelease(i, value, Scope.DEVICE);
    }

    /** Writes so that who reads it with acquire in {@code scope}, a constant, sees what was written before. */
    public void setRelease(long i, float value, Scope scope) {
        Atomic32.setRelease(plus(i).asI32(), Float.floatToRawIntBits(value), scope);
    }

    /** 4 elements at once with a hint for the caches; {@code cache} is a constant. */
    public Float4 get4(long i, CacheHint cache) {
        checkAligned(i * 4, 16);
        return CachedAccess.load4(plus(i), cache);
    }

    /** 4 elements at once with a hint for the caches; {@code cache} is a constant. */
    public void set4(long i, Float4 value, CacheHint cache) {
        checkAligned(i * 4, 16);
        CachedAccess.store4(plus(i), value, cache);
    }

    /** Adds {@code value}; the old value ({@code atomicAdd}). */
    public float atomicAdd(long i, float value) {
        return atomicAdd(i, value, Scope.DEVICE, Order.RELAXED);
    }

    /** Adds {@code value}; the old value ({@code atomicAdd}). {@code scope} and {@code order} are constants. */
    public float atomicAdd(long i, float value, Scope scope, Order order) {
        return Atomic32.add(plus(i), value, scope, order);
    }

    /** Subtracts {@code value}; the old value. */
    public float atomicSub(long i, float value) {
        return atomicSub(i, value, Scope.DEVICE, Order.RELAXED);
    }

    /** Subtracts {@code value}; the old value. {@code scope} and {@code order} are constants. */
    public float atomicSub(long i, float value, Scope scope, Order order) {
        return Atomic32.add(plus(i), -value, scope, order);
    }

    /** Returns the old value ({@code atomicExch}). */
    public float atomicExch(long i, float value) {
        return atomicExch(i, value, Scope.DEVICE, Order.RELAXED);
    }

    /** Returns the old value ({@code atomicExch}). {@code scope} and {@code order} are constants. */
    public float atomicExch(long i, float value, Scope scope, Order order) {
        return Float.intBitsToFloat(Atomic32.exch(plus(i).asI32(), Float.floatToRawIntBits(value), scope, order));
    }

    /**
     * Sets {@code value} if {@code expected} is there; the old value ({@code atomicCAS}). Values are compared by their
     * bits.
     */
    public float atomicCas(long i, float expected, float value) {
        return atomicCas(i, expected, value, Scope.DEVICE, Order.RELAXED);
    }

    /**
     * Sets {@code value} if {@code expected} is there; the old value ({@code atomicCAS}). Values are compared by their
     * bits. {@code scope} and {@code order} are constants.
     */
    public float atomicCas(long i, float expected, float value, Scope scope, Order order) {
        return Float.intBitsToFloat(Atomic32.cas(
                plus(i).asI32(), Float.floatToRawIntBits(expected), Float.floatToRawIntBits(value), scope, order));
    }
}
