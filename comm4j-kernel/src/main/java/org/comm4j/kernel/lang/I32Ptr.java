// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.lang;

import static org.comm4j.core.spi.Arguments.nonNull;

import java.lang.foreign.MemorySegment;
import org.comm4j.core.Buffer;
import org.comm4j.core.DataType;
import org.comm4j.kernel.cpu.KernelThread;
import org.jspecify.annotations.Nullable;

/** Where values of type {@code int} are; see {@link Ptr}. */
public final class I32Ptr extends Ptr {
    I32Ptr(MemorySegment segment, long offset, @Nullable Buffer buffer) {
        super(segment, offset, 4, buffer);
    }

    private I32Ptr(I32Ptr from, long elements) {
        super(from, elements, 4);
    }

    @Override
    public DataType elementType() {
        return DataType.INT32;
    }

    /** Returns the beginning of a buffer of {@link DataType#INT32} or {@link DataType#UINT32}. */
    public static I32Ptr of(Buffer buffer) {
        nonNull(buffer, "I32Ptr.of", "buffer");
        return of(buffer, 0);
    }

    /** Element {@code index} of a buffer of {@link DataType#INT32} or {@link DataType#UINT32}. */
    public static I32Ptr of(Buffer buffer, long index) {
        nonNull(buffer, "I32Ptr.of", "buffer");
        checkBuffer("I32Ptr", buffer, index, DataType.INT32, DataType.UINT32);
        return new I32Ptr(segment(buffer), index * 4, buffer);
    }

    /** Returns the first element of an array that {@link Shared} has made, or of a local one. */
    public static I32Ptr of(int[] array) {
        nonNull(array, "I32Ptr.of", "array");
        return new I32Ptr(MemorySegment.ofArray(array), 0, null);
    }

    /** {@code n} elements on. */
    public I32Ptr plus(long n) {
        return new I32Ptr(this, n);
    }

    public int get(long i) {
        return segment.get(INT, at(i, 4));
    }

    public void set(long i, int value) {
        segment.set(INT, at(i, 4), value);
    }

    /** Reads what is in memory now ({@code volatile}), as a loop that waits for another thread does. */
    public int getVolatile(long i) {
        KernelThread.pause();
        return (int) VOLATILE_INT.getVolatile(segment, at(i, 4));
    }

    public void setVolatile(long i, int value) {
        VOLATILE_INT.setVolatile(segment, at(i, 4), value);
    }

    /** 2 elements at once; element {@code i} is at a multiple of 8 bytes. */
    public Int2 get2(long i) {
        checkAligned(i * 4, 8);
        return new Int2(get(i), get(i + 1));
    }

    /** 2 elements at once; element {@code i} is at a multiple of 8 bytes. */
    public void set2(long i, Int2 value) {
        checkAligned(i * 4, 8);
        set(i, value.x());
        set(i + 1, value.y());
    }

    /** 4 elements at once; element {@code i} is at a multiple of 16 bytes. */
    public Int4 get4(long i) {
        checkAligned(i * 4, 16);
        return new Int4(get(i), get(i + 1), get(i + 2), get(i + 3));
    }

    /** 4 elements at once; element {@code i} is at a multiple of 16 bytes. */
    public void set4(long i, Int4 value) {
        checkAligned(i * 4, 16);
        set(i, value.x());
        set(i + 1, value.y());
        set(i + 2, value.z());
        set(i + 3, value.w());
    }

    /** With a hint for the caches; {@code cache} is a constant. */
    public int get(long i, CacheHint cache) {
        return CachedAccess.load(plus(i), cache);
    }

    /** With a hint for the caches; {@code cache} is a constant. */
    public void set(long i, int value, CacheHint cache) {
        CachedAccess.store(plus(i), value, cache);
    }

    /** Reads so that what other threads wrote before their release is seen after it; {@link Scope#DEVICE}. */
    public int getAcquire(long i) {
        return getAcquire(i, Scope.DEVICE);
    }

    /** Reads so that what threads of {@code scope}, a constant, wrote before their release is seen after it. */
    public int getAcquire(long i, Scope scope) {
        return Atomic32.getAcquire(plus(i), scope);
    }

    /** Writes so that whoever reads it with acquire sees what was written before; {@link Scope#DEVICE}. */
    public void setRelease(long i, int value) {
        setRelease(i, value, Scope.DEVICE);
    }

    /** Writes so that who reads it with acquire in {@code scope}, a constant, sees what was written before. */
    public void setRelease(long i, int value, Scope scope) {
        Atomic32.setRelease(plus(i), value, scope);
    }

    /** 4 elements at once with a hint for the caches; {@code cache} is a constant. */
    public Int4 get4(long i, CacheHint cache) {
        checkAligned(i * 4, 16);
        return CachedAccess.load4(plus(i), cache);
    }

    /** 4 elements at once with a hint for the caches; {@code cache} is a constant. */
    public void set4(long i, Int4 value, CacheHint cache) {
        checkAligned(i * 4, 16);
        CachedAccess.store4(plus(i), value, cache);
    }

    /** Adds {@code value}; the old value ({@code atomicAdd}). */
    public int atomicAdd(long i, int value) {
        return atomicAdd(i, value, Scope.DEVICE, Order.RELAXED);
    }

    /** Adds {@code value}; the old value ({@code atomicAdd}). {@code scope} and {@code order} are constants. */
    public int atomicAdd(long i, int value, Scope scope, Order order) {
        return Atomic32.add(plus(i), value, scope, order);
    }

    /** Subtracts {@code value}; the old value ({@code atomicSub}). */
    public int atomicSub(long i, int value) {
        return atomicSub(i, value, Scope.DEVICE, Order.RELAXED);
    }

    /** Subtracts {@code value}; the old value ({@code atomicSub}). {@code scope} and {@code order} are constants. */
    public int atomicSub(long i, int value, Scope scope, Order order) {
        return Atomic32.add(plus(i), -value, scope, order);
    }

    /** Returns the old value ({@code atomicMin}). */
    public int atomicMin(long i, int value) {
        return atomicMin(i, value, Scope.DEVICE, Order.RELAXED);
    }

    /** Returns the old value ({@code atomicMin}). {@code scope} and {@code order} are constants. */
    public int atomicMin(long i, int value, Scope scope, Order order) {
        return Atomic32.min(plus(i), value, scope, order);
    }

    /** Returns the old value ({@code atomicMax}). */
    public int atomicMax(long i, int value) {
        return atomicMax(i, value, Scope.DEVICE, Order.RELAXED);
    }

    /** Returns the old value ({@code atomicMax}). {@code scope} and {@code order} are constants. */
    public int atomicMax(long i, int value, Scope scope, Order order) {
        return Atomic32.max(plus(i), value, scope, order);
    }

    /** Returns the old value ({@code atomicAnd}). */
    public int atomicAnd(long i, int value) {
        return atomicAnd(i, value, Scope.DEVICE, Order.RELAXED);
    }

    /** Returns the old value ({@code atomicAnd}). {@code scope} and {@code order} are constants. */
    public int atomicAnd(long i, int value, Scope scope, Order order) {
        return Atomic32.and(plus(i), value, scope, order);
    }

    /** Returns the old value ({@code atomicOr}). */
    public int atomicOr(long i, int value) {
        return atomicOr(i, value, Scope.DEVICE, Order.RELAXED);
    }

    /** Returns the old value ({@code atomicOr}). {@code scope} and {@code order} are constants. */
    public int atomicOr(long i, int value, Scope scope, Order order) {
        return Atomic32.or(plus(i), value, scope, order);
    }

    /** Returns the old value ({@code atomicXor}). */
    public int atomicXor(long i, int value) {
        return atomicXor(i, value, Scope.DEVICE, Order.RELAXED);
    }

    /** Returns the old value ({@code atomicXor}). {@code scope} and {@code order} are constants. */
    public int atomicXor(long i, int value, Scope scope, Order order) {
        return Atomic32.xor(plus(i), value, scope, order);
    }

    /** Returns the old value ({@code atomicExch}). */
    public int atomicExch(long i, int value) {
        return atomicExch(i, value, Scope.DEVICE, Order.RELAXED);
    }

    /** Returns the old value ({@code atomicExch}). {@code scope} and {@code order} are constants. */
    public int atomicExch(long i, int value, Scope scope, Order order) {
        return Atomic32.exch(plus(i), value, scope, order);
    }

    /** One more, or 0 from {@code value} (unsigned) on; the old value ({@code atomicInc}). */
    public int atomicInc(long i, int value) {
        return atomicInc(i, value, Scope.DEVICE, Order.RELAXED);
    }

    /**
     * One more, or 0 from {@code value} (unsigned) on; the old value ({@code atomicInc}). {@code scope} and {@code
     * order} are constants.
     */
    public int atomicInc(long i, int value, Scope scope, Order order) {
        return Atomic32.inc(plus(i), value, scope, order);
    }

    /** One less, or {@code value} (unsigned) if it was 0 or above {@code value}; the old value ({@code atomicDec}). */
    public int atomicDec(long i, int value) {
        return atomicDec(i, value, Scope.DEVICE, Order.RELAXED);
    }

    /**
     * One less, or {@code value} (unsigned) if it was 0 or above {@code value}; the old value ({@code atomicDec}).
     * {@code scope} and {@code order} are constants.
     */
    public int atomicDec(long i, int value, Scope scope, Order order) {
        return Atomic32.dec(plus(i), value, scope, order);
    }

    /** Sets {@code value} if {@code expected} is there; the old value ({@code atomicCAS}). */
    public int atomicCas(long i, int expected, int value) {
        return atomicCas(i, expected, value, Scope.DEVICE, Order.RELAXED);
    }

    /**
     * Sets {@code value} if {@code expected} is there; the old value ({@code atomicCAS}). {@code scope} and {@code
     * order} are constants.
     */
    public int atomicCas(long i, int expected, int value, Scope scope, Order order) {
        return Atomic32.cas(plus(i), expected, value, scope, order);
    }
}
