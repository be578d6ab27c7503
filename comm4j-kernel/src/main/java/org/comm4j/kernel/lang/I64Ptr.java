// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.lang;

import static org.comm4j.core.spi.Arguments.nonNull;

import java.lang.foreign.MemorySegment;
import org.comm4j.core.Buffer;
import org.comm4j.core.DataType;
import org.comm4j.kernel.cpu.KernelThread;
import org.jspecify.annotations.Nullable;

/** Where values of type {@code long} are; see {@link Ptr}. */
public final class I64Ptr extends Ptr {
    I64Ptr(MemorySegment segment, long offset, @Nullable Buffer buffer) {
        super(segment, offset, 8, buffer);
    }

    private I64Ptr(I64Ptr from, long elements) {
        super(from, elements, 8);
    }

    @Override
    public DataType elementType() {
        return DataType.INT64;
    }

    /** Returns the beginning of a buffer of {@link DataType#INT64} or {@link DataType#UINT64}. */
    public static I64Ptr of(Buffer buffer) {
        nonNull(buffer, "I64Ptr.of", "buffer");
        return of(buffer, 0);
    }

    /** Element {@code index} of a buffer of {@link DataType#INT64} or {@link DataType#UINT64}. */
    public static I64Ptr of(Buffer buffer, long index) {
        nonNull(buffer, "I64Ptr.of", "buffer");
        checkBuffer("I64Ptr", buffer, index, DataType.INT64, DataType.UINT64);
        return new I64Ptr(segment(buffer), index * 8, buffer);
    }

    /** Returns the first element of an array that {@link Shared} has made, or of a local one. */
    public static I64Ptr of(long[] array) {
        nonNull(array, "I64Ptr.of", "array");
        return new I64Ptr(MemorySegment.ofArray(array), 0, null);
    }

    /** {@code n} elements on. */
    public I64Ptr plus(long n) {
        return new I64Ptr(this, n);
    }

    public long get(long i) {
        return segment.get(LONG, at(i, 8));
    }

    public void set(long i, long value) {
        segment.set(LONG, at(i, 8), value);
    }

    /** Reads what is in memory now ({@code volatile}), as a loop that waits for another thread does. */
    public long getVolatile(long i) {
        KernelThread.pause();
        return (long) VOLATILE_LONG.getVolatile(segment, at(i, 8));
    }

    public void setVolatile(long i, long value) {
        VOLATILE_LONG.setVolatile(segment, at(i, 8), value);
    }

    /** 2 elements at once; element {@code i} is at a multiple of 16 bytes. */
    public Long2 get2(long i) {
        checkAligned(i * 8, 16);
        return new Long2(get(i), get(i + 1));
    }

    /** 2 elements at once; element {@code i} is at a multiple of 16 bytes. */
    public void set2(long i, Long2 value) {
        checkAligned(i * 8, 16);
        set(i, value.x());
        set(i + 1, value.y());
    }

    /** With a hint for the caches; {@code cache} is a constant. */
    public long get(long i, CacheHint cache) {
        return CachedAccess.load(plus(i), cache);
    }

    /** With a hint for the caches; {@code cache} is a constant. */
    public void set(long i, long value, CacheHint cache) {
        CachedAccess.store(plus(i), value, cache);
    }

    /** Reads so that what other threads wrote before their release is seen after it; {@link Scope#DEVICE}. */
    public long getAcquire(long i) {
        return getAcquire(i, Scope.DEVICE);
    }

    /** Reads so that what threads of {@code scope}, a constant, wrote before their release is seen after it. */
    public long getAcquire(long i, Scope scope) {
        return Atomic64.getAcquire(plus(i), scope);
    }

    /** Writes so that whoever reads it with acquire sees what was written before; {@link Scope#DEVICE}. */
    public void setRelease(long i, long value) {
        setRelease(i, value, Scope.DEVICE);
    }

    /** Writes so that who reads it with acquire in {@code scope}, a constant, sees what was written before. */
    public void setRelease(long i, long value, Scope scope) {
        Atomic64.setRelease(plus(i), value, scope);
    }

    /** Adds {@code value}; the old value ({@code atomicAdd}). */
    public long atomicAdd(long i, long value) {
        return atomicAdd(i, value, Scope.DEVICE, Order.RELAXED);
    }

    /** Adds {@code value}; the old value ({@code atomicAdd}). {@code scope} and {@code order} are constants. */
    public long atomicAdd(long i, long value, Scope scope, Order order) {
        return Atomic64.add(plus(i), value, scope, order);
    }

    /** Subtracts {@code value}; the old value ({@code atomicSub}). */
    public long atomicSub(long i, long value) {
        return atomicSub(i, value, Scope.DEVICE, Order.RELAXED);
    }

    /** Subtracts {@code value}; the old value ({@code atomicSub}). {@code scope} and {@code order} are constants. */
    public long atomicSub(long i, long value, Scope scope, Order order) {
        return Atomic64.add(plus(i), -value, scope, order);
    }

    /** Returns the old value ({@code atomicMin}). */
    public long atomicMin(long i, long value) {
        return atomicMin(i, value, Scope.DEVICE, Order.RELAXED);
    }

    /** Returns the old value ({@code atomicMin}). {@code scope} and {@code order} are constants. */
    public long atomicMin(long i, long value, Scope scope, Order order) {
        return Atomic64.min(plus(i), value, scope, order);
    }

    /** Returns the old value ({@code atomicMax}). */
    public long atomicMax(long i, long value) {
        return atomicMax(i, value, Scope.DEVICE, Order.RELAXED);
    }

    /** Returns the old value ({@code atomicMax}). {@code scope} and {@code order} are constants. */
    public long atomicMax(long i, long value, Scope scope, Order order) {
        return Atomic64.max(plus(i), value, scope, order);
    }

    /** Returns the old value ({@code atomicAnd}). */
    public long atomicAnd(long i, long value) {
        return atomicAnd(i, value, Scope.DEVICE, Order.RELAXED);
    }

    /** Returns the old value ({@code atomicAnd}). {@code scope} and {@code order} are constants. */
    public long atomicAnd(long i, long value, Scope scope, Order order) {
        return Atomic64.and(plus(i), value, scope, order);
    }

    /** Returns the old value ({@code atomicOr}). */
    public long atomicOr(long i, long value) {
        return atomicOr(i, value, Scope.DEVICE, Order.RELAXED);
    }

    /** Returns the old value ({@code atomicOr}). {@code scope} and {@code order} are constants. */
    public long atomicOr(long i, long value, Scope scope, Order order) {
        return Atomic64.or(plus(i), value, scope, order);
    }

    /** Returns the old value ({@code atomicXor}). */
    public long atomicXor(long i, long value) {
        return atomicXor(i, value, Scope.DEVICE, Order.RELAXED);
    }

    /** Returns the old value ({@code atomicXor}). {@code scope} and {@code order} are constants. */
    public long atomicXor(long i, long value, Scope scope, Order order) {
        return Atomic64.xor(plus(i), value, scope, order);
    }

    /** Returns the old value ({@code atomicExch}). */
    public long atomicExch(long i, long value) {
        return atomicExch(i, value, Scope.DEVICE, Order.RELAXED);
    }

    /** Returns the old value ({@code atomicExch}). {@code scope} and {@code order} are constants. */
    public long atomicExch(long i, long value, Scope scope, Order order) {
        return Atomic64.exch(plus(i), value, scope, order);
    }

    /** Sets {@code value} if {@code expected} is there; the old value ({@code atomicCAS}). */
    public long atomicCas(long i, long expected, long value) {
        return atomicCas(i, expected, value, Scope.DEVICE, Order.RELAXED);
    }

    /**
     * Sets {@code value} if {@code expected} is there; the old value ({@code atomicCAS}). {@code scope} and {@code
     * order} are constants.
     */
    public long atomicCas(long i, long expected, long value, Scope scope, Order order) {
        return Atomic64.cas(plus(i), expected, value, scope, order);
    }

    /**
     * Sets 2 elements at once, from sm_90 on; the old ones ({@code atomicExch} on 16 bytes). Element {@code i} is at a
     * multiple of 16 bytes.
     */
    public Long2 atomicExch2(long i, Long2 value) {
        return atomicExch2(i, value, Scope.DEVICE, Order.RELAXED);
    }

    /**
     * Sets 2 elements at once, from sm_90 on; the old ones ({@code atomicExch} on 16 bytes). Element {@code i} is at a
     * multiple of 16 bytes; {@code scope} and {@code order} are constants. On the CPU it is atomic beside {@link
     * #atomicExch2} and {@link #atomicCas2} within the process, and not beside accesses of single elements.
     */
    public Long2 atomicExch2(long i, Long2 value, Scope scope, Order order) {
        return Atomic128.exch(plus(i), value, scope, order);
    }

    /**
     * Sets 2 elements at once if the expected ones are there, from sm_90 on; the old ones ({@code atomicCAS} on 16
     * bytes). Element {@code i} is at a multiple of 16 bytes.
     */
    public Long2 atomicCas2(long i, Long2 expected, Long2 value) {
        return atomicCas2(i, expected, value, Scope.DEVICE, Order.RELAXED);
    }

    /**
     * Sets 2 elements at once if the expected ones are there, from sm_90 on; the old ones ({@code atomicCAS} on 16
     * bytes). With {@code expected} as the value it only reads both, which {@link #get2} may do one after the other.
     * Element {@code i} is at a multiple of 16 bytes; {@code scope} and {@code order} are constants. On the CPU it is
     * atomic as {@link #atomicExch2} is.
     */
    public Long2 atomicCas2(long i, Long2 expected, Long2 value, Scope scope, Order order) {
        return Atomic128.cas(plus(i), expected, value, scope, order);
    }
}
