// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.lang;

import static org.comm4j.core.spi.Arguments.nonNull;

import java.lang.foreign.MemorySegment;
import org.comm4j.core.Buffer;
import org.comm4j.core.DataType;
import org.comm4j.kernel.cpu.KernelThread;
import org.jspecify.annotations.Nullable;

/** Where values of type {@code double} are; see {@link Ptr}. */
public final class F64Ptr extends Ptr {
    F64Ptr(MemorySegment segment, long offset, @Nullable Buffer buffer) {
        super(segment, offset, 8, buffer);
    }

    private F64Ptr(F64Ptr from, long elements) {
        super(from, elements, 8);
    }

    @Override
    public DataType elementType() {
        return DataType.FLOAT64;
    }

    /** Returns the beginning of a buffer of {@link DataType#FLOAT64}. */
    public static F64Ptr of(Buffer buffer) {
        nonNull(buffer, "F64Ptr.of", "buffer");
        return of(buffer, 0);
    }

    /** Element {@code index} of a buffer of {@link DataType#FLOAT64}. */
    public static F64Ptr of(Buffer buffer, long index) {
        nonNull(buffer, "F64Ptr.of", "buffer");
        checkBuffer("F64Ptr", buffer, index, DataType.FLOAT64);
        return new F64Ptr(segment(buffer), index * 8, buffer);
    }

    /** Returns the first element of an array that {@link Shared} has made, or of a local one. */
    public static F64Ptr of(double[] array) {
        nonNull(array, "F64Ptr.of", "array");
        return new F64Ptr(MemorySegment.ofArray(array), 0, null);
    }

    /** {@code n} elements on. */
    public F64Ptr plus(long n) {
        return new F64Ptr(this, n);
    }

    public double get(long i) {
        return segment.get(DOUBLE, at(i, 8));
    }

    public void set(long i, double value) {
        segment.set(DOUBLE, at(i, 8), value);
    }

    /** Reads what is in memory now ({@code volatile}), as a loop that waits for another thread does. */
    public double getVolatile(long i) {
        KernelThread.pause();
        return (double) VOLATILE_DOUBLE.getVolatile(segment, at(i, 8));
    }

    public void setVolatile(long i, double value) {
        VOLATILE_DOUBLE.setVolatile(segment, at(i, 8), value);
    }

    /** 2 elements at once; element {@code i} is at a multiple of 16 bytes. */
    public Double2 get2(long i) {
        checkAligned(i * 8, 16);
        return new Double2(get(i), get(i + 1));
    }

    /** 2 elements at once; element {@code i} is at a multiple of 16 bytes. */
    public void set2(long i, Double2 value) {
        checkAligned(i * 8, 16);
        set(i, value.x());
        set(i + 1, value.y());
    }

    /** With a hint for the caches; {@code cache} is a constant. */
    public double get(long i, CacheHint cache) {
        return Double.longBitsToDouble(CachedAccess.load(plus(i).asI64(), cache));
    }

    /** With a hint for the caches; {@code cache} is a constant. */
    public void set(long i, double value, CacheHint cache) {
        CachedAccess.store(plus(i).asI64(), Double.doubleToRawLongBits(value), cache);
    }

    /** Reads so that what other threads wrote before their release is seen after it; {@link Scope#DEVICE}. */
    public double getAcquire(long i) {
        return getAcquire(i, Scope.DEVICE);
    }

    /** Reads so that what threads of {@code scope}, a constant, wrote before their release is seen after it. */
    public double getAcquire(long i, Scope scope) {
        return Double.longBitsToDouble(Atomic64.getAcquire(plus(i).asI64(), scope));
    }

    /** Writes so that whoever reads it with acquire sees what was written before; {@link Scope#DEVICE}. */
    public void setRelease(long i, double value) {
        setRelease(i, value, Scope.DEVICE);
    }

    /** Writes so that who reads it with acquire in {@code scope}, a constant, sees what was written before. */
    public void setRelease(long i, double value, Scope scope) {
        Atomic64.setRelease(plus(i).asI64(), Double.doubleToRawLongBits(value), scope);
    }

    /** Adds {@code value}; the old value ({@code atomicAdd}). */
    public double atomicAdd(long i, double value) {
        return atomicAdd(i, value, Scope.DEVICE, Order.RELAXED);
    }

    /** Adds {@code value}; the old value ({@code atomicAdd}). {@code scope} and {@code order} are constants. */
    public double atomicAdd(long i, double value, Scope scope, Order order) {
        return Atomic64.add(plus(i), value, scope, order);
    }

    /** Subtracts {@code value}; the old value. */
    public double atomicSub(long i, double value) {
        return atomicSub(i, value, Scope.DEVICE, Order.RELAXED);
    }

    /** Subtracts {@code value}; the old value. {@code scope} and {@code order} are constants. */
    public double atomicSub(long i, double value, Scope scope, Order order) {
        return Atomic64.add(plus(i), -value, scope, order);
    }

    /** Returns the old value ({@code atomicExch}). */
    public double atomicExch(long i, double value) {
        return atomicExch(i, value, Scope.DEVICE, Order.RELAXED);
    }

    /** Returns the old value ({@code atomicExch}). {@code scope} and {@code order} are constants. */
    public double atomicExch(long i, double value, Scope scope, Order order) {
        return Double.longBitsToDouble(Atomic64.exch(plus(i).asI64(), Double.doubleToRawLongBits(value), scope, order));
    }

    /**
     * Sets {@code value} if {@code expected} is there; the old value ({@code atomicCAS}). Values are compared by their
     * bits.
     */
    public double atomicCas(long i, double expected, double value) {
        return atomicCas(i, expected, value, Scope.DEVICE, Order.RELAXED);
    }

    /**
     * Sets {@code value} if {@code expected} is there; the old value ({@code atomicCAS}). Values are compared by their
     * bits. {@code scope} and {@code order} are constants.
     */
    public double atomicCas(long i, double expected, double value, Scope scope, Order order) {
        return Double.longBitsToDouble(Atomic64.cas(
                plus(i).asI64(),
                Double.doubleToRawLongBits(expected),
                Double.doubleToRawLongBits(value),
                scope,
                order));
    }
}
