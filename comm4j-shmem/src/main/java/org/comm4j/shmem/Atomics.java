// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.shmem;

import static org.comm4j.core.spi.Arguments.nonNull;

import java.lang.foreign.MemorySegment;
import org.comm4j.core.CommunicationEvent;
import org.comm4j.core.HostArray;
import org.comm4j.core.SymmetricBuffer;
import org.comm4j.core.spi.Events;
import org.comm4j.core.spi.WaitSet;
import org.comm4j.shmem.Atomic.Operation;

/**
 * Atomic operations on one element of a symmetric array on any PE: integers of 32 and 64 bits, and some on {@code
 * FLOAT32} and {@code FLOAT64}. An integer is cut to the element type; what comes back of an unsigned one is
 * zero-extended.
 *
 * <p>They are atomic among each other, with waits and tests, whoever makes them on whichever PE. What a PE stored or
 * put within reach before one is seen by whoever sees its outcome; elsewhere a {@link OpenShmem#fence} is needed
 * between.
 */
abstract sealed class Atomics permits SignalOperations {
    final Session session;
    final Engine.Stream stream;

    Atomics(Session session, Engine.Stream stream) {
        this.session = session;
        this.stream = stream;
    }

    /**
     * The PE of the job that is meant.
     *
     * @throws IllegalArgumentException if there is none
     */
    abstract int pe(String operation, int pe);

    // ---- integers: what was there comes back ----

    /** Atomic load of an integer ({@code shmem_atomic_fetch}). */
    public final long atomicFetch(SymmetricBuffer source, long index, int pe) {
        return integer("atomicFetch", Operation.FETCH, source, index, 0, 0, pe);
    }

    /** Atomically replaces an integer and returns what was there ({@code shmem_atomic_swap}). */
    public final long atomicSwap(SymmetricBuffer target, long index, long value, int pe) {
        return integer("atomicSwap", Operation.SWAP, target, index, value, 0, pe);
    }

    /**
     * Atomically replaces an integer by {@code value} if it is {@code condition}; returns what was there ({@code
     * shmem_atomic_compare_swap}).
     */
    public final long atomicCompareSwap(SymmetricBuffer target, long index, long condition, long value, int pe) {
        return integer("atomicCompareSwap", Operation.COMPARE_SWAP, target, index, value, condition, pe);
    }

    /** Atomically adds to an integer and returns what was there ({@code shmem_atomic_fetch_add}). */
    public final long atomicFetchAdd(SymmetricBuffer target, long index, long value, int pe) {
        return integer("atomicFetchAdd", Operation.ADD, target, index, value, 0, pe);
    }

    /** {@link #atomicFetchAdd(SymmetricBuffer, long, long, int)} of 1 ({@code shmem_atomic_fetch_inc}). */
    public final long atomicFetchInc(SymmetricBuffer target, long index, int pe) {
        return integer("atomicFetchInc", Operation.ADD, target, index, 1, 0, pe);
    }

    /** Atomic bitwise AND; returns what was there ({@code shmem_atomic_fetch_and}). */
    public final long atomicFetchAnd(SymmetricBuffer target, long index, long value, int pe) {
        return integer("atomicFetchAnd", Operation.AND, target, index, value, 0, pe);
    }

    /** Atomic bitwise OR; returns what was there ({@code shmem_atomic_fetch_or}). */
    public final long atomicFetchOr(SymmetricBuffer target, long index, long value, int pe) {
        return integer("atomicFetchOr", Operation.OR, target, index, value, 0, pe);
    }

    /** Atomic bitwise exclusive OR; returns what was there ({@code shmem_atomic_fetch_xor}). */
    public final long atomicFetchXor(SymmetricBuffer target, long index, long value, int pe) {
        return integer("atomicFetchXor", Operation.XOR, target, index, value, 0, pe);
    }

    // ---- integers: nothing comes back ----

    /** Atomic store of an integer ({@code shmem_atomic_set}). */
    public final void atomicSet(SymmetricBuffer target, long index, long value, int pe) {
        long ignored = integer("atomicSet", Operation.SET, target, index, value, 0, pe);
    }

    /** Atomic addition ({@code shmem_atomic_add}). */
    public final void atomicAdd(SymmetricBuffer target, long index, long value, int pe) {
        long ignored = integer("atomicAdd", Operation.ADD, target, index, value, 0, pe);
    }

    /** Atomic addition of 1 ({@code shmem_atomic_inc}). */
    public final void atomicInc(SymmetricBuffer target, long index, int pe) {
        long ignored = integer("atomicInc", Operation.ADD, target, index, 1, 0, pe);
    }

    /** Atomic bitwise AND ({@code shmem_atomic_and}). */
    public final void atomicAnd(SymmetricBuffer target, long index, long value, int pe) {
        long ignored = integer("atomicAnd", Operation.AND, target, index, value, 0, pe);
    }

    /** Atomic bitwise OR ({@code shmem_atomic_or}). */
    public final void atomicOr(SymmetricBuffer target, long index, long value, int pe) {
        long ignored = integer("atomicOr", Operation.OR, target, index, value, 0, pe);
    }

    /** Atomic bitwise exclusive OR ({@code shmem_atomic_xor}). */
    public final void atomicXor(SymmetricBuffer target, long index, long value, int pe) {
        long ignored = integer("atomicXor", Operation.XOR, target, index, value, 0, pe);
    }

    // ---- integers: what was there is in an array after quiet ----

    /**
     * {@link #atomicFetch(SymmetricBuffer, long, int)}; what was there is in the first element of {@code fetched}, of
     * the same type, after {@link OpenShmem#quiet} ({@code shmem_atomic_fetch_nbi}).
     */
    public final void atomicFetchNbi(HostArray fetched, SymmetricBuffer source, long index, int pe) {
        checkFetched("atomicFetchNbi", fetched, source);
        fetched.setLong(0, atomicFetch(source, index, pe));
    }

    /**
     * {@link #atomicSwap(SymmetricBuffer, long, long, int)}; what was there is in the first element of {@code fetched},
     * of the same type, after {@link OpenShmem#quiet} ({@code shmem_atomic_swap_nbi}).
     */
    public final void atomicSwapNbi(HostArray fetched, SymmetricBuffer target, long index, long value, int pe) {
        checkFetched("atomicSwapNbi", fetched, target);
        fetched.setLong(0, atomicSwap(target, index, value, pe));
    }

    /**
     * {@link #atomicCompareSwap(SymmetricBuffer, long, long, long, int)}; what was there is in the first element of
     * {@code fetched}, of the same type, after {@link OpenShmem#quiet} ({@code shmem_atomic_compare_swap_nbi}).
     */
    public final void atomicCompareSwapNbi(
            HostArray fetched, SymmetricBuffer target, long index, long condition, long value, int pe) {
        checkFetched("atomicCompareSwapNbi", fetched, target);
        fetched.setLong(0, atomicCompareSwap(target, index, condition, value, pe));
    }

    /**
     * {@link #atomicFetchAdd(SymmetricBuffer, long, long, int)}; what was there is in the first element of {@code
     * fetched}, of the same type, after {@link OpenShmem#quiet} ({@code shmem_atomic_fetch_add_nbi}).
     */
    public final void atomicFetchAddNbi(HostArray fetched, SymmetricBuffer target, long index, long value, int pe) {
        checkFetched("atomicFetchAddNbi", fetched, target);
        fetched.setLong(0, atomicFetchAdd(target, index, value, pe));
    }

    /**
     * {@link #atomicFetchInc(SymmetricBuffer, long, int)}; what was there is in the first element of {@code fetched},
     * of the same type, after {@link OpenShmem#quiet} ({@code shmem_atomic_fetch_inc_nbi}).
     */
    public final void atomicFetchIncNbi(HostArray fetched, SymmetricBuffer target, long index, int pe) {
        checkFetched("atomicFetchIncNbi", fetched, target);
        fetched.setLong(0, atomicFetchInc(target, index, pe));
    }

    /**
     * {@link #atomicFetchAnd(SymmetricBuffer, long, long, int)}; what was there is in the first element of {@code
     * fetched}, of the same type, after {@link OpenShmem#quiet} ({@code shmem_atomic_fetch_and_nbi}).
     */
    public final void atomicFetchAndNbi(HostArray fetched, SymmetricBuffer target, long index, long value, int pe) {
        checkFetched("atomicFetchAndNbi", fetched, target);
        fetched.setLong(0, atomicFetchAnd(target, index, value, pe));
    }

    /**
     * {@link #atomicFetchOr(SymmetricBuffer, long, long, int)}; what was there is in the first element of {@code
     * fetched}, of the same type, after {@link OpenShmem#quiet} ({@code shmem_atomic_fetch_or_nbi}).
     */
    public final void atomicFetchOrNbi(HostArray fetched, SymmetricBuffer target, long index, long value, int pe) {
        checkFetched("atomicFetchOrNbi", fetched, target);
        fetched.setLong(0, atomicFetchOr(target, index, value, pe));
    }

    /**
     * {@link #atomicFetchXor(SymmetricBuffer, long, long, int)}; what was there is in the first element of {@code
     * fetched}, of the same type, after {@link OpenShmem#quiet} ({@code shmem_atomic_fetch_xor_nbi}).
     */
    public final void atomicFetchXorNbi(HostArray fetched, SymmetricBuffer target, long index, long value, int pe) {
        checkFetched("atomicFetchXorNbi", fetched, target);
        fetched.setLong(0, atomicFetchXor(target, index, value, pe));
    }

    // ---- FLOAT32 and FLOAT64 ----

    /** Atomic load of a {@code FLOAT32} or {@code FLOAT64} ({@code shmem_atomic_fetch}). */
    public final double atomicFetchDouble(SymmetricBuffer source, long index, int pe) {
        return floating("atomicFetchDouble", Operation.FETCH, source, index, 0, pe);
    }

    /** Atomic store of a {@code FLOAT32} or {@code FLOAT64} ({@code shmem_atomic_set}). */
    public final void atomicSet(SymmetricBuffer target, long index, double value, int pe) {
        double ignored = floating("atomicSet", Operation.SET, target, index, value, pe);
    }

    /**
     * Atomic replacement of a {@code FLOAT32} or {@code FLOAT64}; returns what was there ({@code shmem_atomic_swap}).
     */
    public final double atomicSwap(SymmetricBuffer target, long index, double value, int pe) {
        return floating("atomicSwap", Operation.SWAP, target, index, value, pe);
    }

    /**
     * Atomic addition to a {@code FLOAT32} or {@code FLOAT64}; returns what was there. OpenSHMEM has none; NVSHMEM
     * does.
     */
    public final double atomicFetchAdd(SymmetricBuffer target, long index, double value, int pe) {
        CommunicationEvent event = Events.begin();
        boolean wide = isWideFloat("atomicFetchAdd", target);
        long at = session.offset("atomicFetchAdd", "target", target, index, 1);
        int there = pe("atomicFetchAdd", pe);
        long old = session.atomic(stream, Operation.FETCH, wide, at, 0, 0, there);
        while (true) {
            long sum = encode(wide, decode(wide, old) + value);
            long seen = session.atomic(stream, Operation.COMPARE_SWAP, wide, at, sum, old, there);
            if (seen == old) {
                session.ended(event, "atomicFetchAdd", target, 1, there);
                return decode(wide, old);
            }
            old = seen;
        }
    }

    /** Atomic addition to a {@code FLOAT32} or {@code FLOAT64}. OpenSHMEM has none; NVSHMEM does. */
    public final void atomicAdd(SymmetricBuffer target, long index, double value, int pe) {
        double ignored = atomicFetchAdd(target, index, value, pe);
    }

    // ---- how ----

    private long integer(
            String name, Operation operation, SymmetricBuffer target, long index, long value, long condition, int pe) {
        CommunicationEvent event = Events.begin();
        boolean wide = session.isWide(name, target);
        long at = session.offset(name, "target", target, index, 1);
        int there = pe(name, pe);
        long old = session.atomic(stream, operation, wide, at, value, condition, there);
        session.ended(event, name, target, 1, there);
        return WaitSet.widened(target.type(), old);
    }

    private double floating(
            String name, Operation operation, SymmetricBuffer target, long index, double value, int pe) {
        CommunicationEvent event = Events.begin();
        boolean wide = isWideFloat(name, target);
        long at = session.offset(name, "target", target, index, 1);
        int there = pe(name, pe);
        long old = session.atomic(stream, operation, wide, at, encode(wide, value), 0, there);
        session.ended(event, name, target, 1, there);
        return decode(wide, old);
    }

    private boolean isWideFloat(String operation, SymmetricBuffer array) {
        return switch (nonNull(array, operation, "target").type()) {
            case FLOAT64 -> true;
            case FLOAT32 -> false;
            default ->
                throw new IllegalArgumentException(operation + " of a floating-point number on " + session.where()
                        + ": " + array + " is not of FLOAT32 or FLOAT64");
        };
    }

    private void checkFetched(String operation, HostArray fetched, SymmetricBuffer target) {
        nonNull(target, operation, "target");
        MemorySegment ignored = session.writable(operation, "fetched", fetched, 0, 1, target);
    }

    private static long encode(boolean wide, double value) {
        return wide ? Double.doubleToRawLongBits(value) : Float.floatToRawIntBits((float) value);
    }

    private static double decode(boolean wide, long bits) {
        return wide ? Double.longBitsToDouble(bits) : Float.intBitsToFloat((int) bits);
    }
}
