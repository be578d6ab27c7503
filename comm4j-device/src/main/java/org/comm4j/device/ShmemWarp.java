// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.device;

import org.comm4j.core.ReduceOp;
import org.comm4j.core.SignalOp;
import org.comm4j.kernel.lang.I64Ptr;
import org.comm4j.kernel.lang.KernelLibrary;
import org.comm4j.kernel.lang.Ptr;

/**
 * What the threads of a warp ask NVSHMEM to do together, with the same arguments: they share the work. {@link Shmem}
 * has the rest. All 32 threads call, and each of them finds what the others wrote before it.
 */
@KernelLibrary
public final class ShmemWarp {
    private ShmemWarp() {}

    // ---- put and get ----

    /**
     * Copies {@code count} elements to {@code destination} on {@code pe}. All threads of the warp call it together.
     * When it returns, {@code source} may be used again; {@link Shmem#quiet} says when the data has arrived ({@code
     * nvshmemx_putmem_warp}).
     *
     * @param destination symmetric
     * @param source of this PE
     */
    public static <P extends Ptr> void put(P destination, P source, long count, int pe) {
        Check.remote(destination, pe);
        NvshmemFunctions.nvshmemx_putmem_warp(destination, source, count * destination.elementBytes(), pe);
    }

    /**
     * {@link #put} that may return before {@code source} may be used again: that is after {@link Shmem#quiet} ({@code
     * nvshmemx_putmem_nbi_warp}).
     */
    public static <P extends Ptr> void putNbi(P destination, P source, long count, int pe) {
        Check.remote(destination, pe);
        NvshmemFunctions.nvshmemx_putmem_nbi_warp(destination, source, count * destination.elementBytes(), pe);
    }

    /**
     * Copies {@code count} elements from {@code source} on {@code pe}; they are there when it returns. All threads of
     * the warp call it together. ({@code nvshmemx_getmem_warp}).
     *
     * @param destination of this PE
     * @param source symmetric
     */
    public static <P extends Ptr> void get(P destination, P source, long count, int pe) {
        Check.remote(source, pe);
        NvshmemFunctions.nvshmemx_getmem_warp(destination, source, count * source.elementBytes(), pe);
    }

    /**
     * {@link #get} that may return before the data is there: it is after {@link Shmem#quiet} ({@code
     * nvshmemx_getmem_nbi_warp}).
     */
    public static <P extends Ptr> void getNbi(P destination, P source, long count, int pe) {
        Check.remote(source, pe);
        NvshmemFunctions.nvshmemx_getmem_nbi_warp(destination, source, count * source.elementBytes(), pe);
    }

    /**
     * Copies every {@code sourceStride}-th of {@code source} to every {@code destinationStride}-th of {@code
     * destination} on {@code pe}. All threads of the warp call it together. ({@code nvshmemx_iput8_warp} to {@code
     * 64}).
     *
     * @param destinationStride in elements, at least 1, as the other one
     * @param count of elements that are copied
     */
    public static <P extends Ptr> void iput(
            P destination, P source, long destinationStride, long sourceStride, long count, int pe) {
        Check.remote(destination, pe);
        NvshmemFunctions.nvshmemx_iput_warp(destination, source, destinationStride, sourceStride, count, pe);
    }

    /**
     * The counterpart of {@link #iput}: from {@code source} on {@code pe} to {@code destination} ({@code
     * nvshmemx_iget8_warp} to {@code 64}).
     */
    public static <P extends Ptr> void iget(
            P destination, P source, long destinationStride, long sourceStride, long count, int pe) {
        Check.remote(source, pe);
        NvshmemFunctions.nvshmemx_iget_warp(destination, source, destinationStride, sourceStride, count, pe);
    }

    /**
     * {@link #put}, then a signal: the PE that sees the signal sees the data. All threads of the warp call it together.
     * ({@code nvshmemx_putmem_signal_warp}).
     *
     * @param signal symmetric; waited for by {@link Shmem#signalWaitUntil}
     */
    public static <P extends Ptr> void putSignal(
            P destination, P source, long count, I64Ptr signal, long value, SignalOp op, int pe) {
        Check.remote(destination, pe);
        Check.symmetric(signal);
        NvshmemFunctions.nvshmemx_putmem_signal_warp(
                destination, source, count * destination.elementBytes(), signal, value, Codes.of(op), pe);
    }

    /**
     * {@link #putSignal} that may return before {@code source} may be used again: that is after {@link Shmem#quiet}
     * ({@code nvshmemx_putmem_signal_nbi_warp}).
     */
    public static <P extends Ptr> void putSignalNbi(
            P destination, P source, long count, I64Ptr signal, long value, SignalOp op, int pe) {
        Check.remote(destination, pe);
        Check.symmetric(signal);
        NvshmemFunctions.nvshmemx_putmem_signal_nbi_warp(
                destination, source, count * destination.elementBytes(), signal, value, Codes.of(op), pe);
    }

    /**
     * {@link Shmem#flush} for what all threads of the warp put. They call it together ({@code nvshmemx_flush_warp},
     * NVSHMEM 3.7 and newer).
     */
    public static void flush() {
        NvshmemFunctions.nvshmemx_flush_warp();
    }

    // ---- collectives ----

    /**
     * Returns when all PEs have called it and all that was put before has arrived. All threads of the warp call it
     * together. ({@code nvshmemx_barrier_all_warp}).
     */
    public static void barrierAll() {
        NvshmemFunctions.nvshmemx_barrier_all_warp();
    }

    /**
     * Returns when all PEs have called it, whatever is under way. All threads of the warp call it together. ({@code
     * nvshmemx_sync_all_warp}).
     */
    public static void syncAll() {
        NvshmemFunctions.nvshmemx_sync_all_warp();
    }

    /** {@link #barrierAll} for the members of a team ({@code nvshmemx_barrier_warp}). */
    public static void barrier(ShmemTeam team) {
        int ignored = NvshmemFunctions.nvshmemx_barrier_warp(team.handle());
    }

    /** {@link #syncAll} for the members of a team ({@code nvshmemx_team_sync_warp}). */
    public static void sync(ShmemTeam team) {
        int ignored = NvshmemFunctions.nvshmemx_team_sync_warp(team.handle());
    }

    /**
     * Reduces {@code count} elements of each member, element by element, to each member. All threads of the warp call
     * it together. When it returns, {@code source} may be used again, and {@code destination} is complete; other
     * members may be behind. Both are symmetric. {@code op} is a constant, or code for all operations is linked, which
     * over a network takes a minute ({@code nvshmemx_TYPE_OP_reduce_warp}).
     *
     * @param op one that {@link ReduceOp#supports} the type, but not {@code AVG}; eight-bit floats have none
     */
    public static <P extends Ptr> void reduce(ShmemTeam team, P destination, P source, long count, ReduceOp op) {
        Check.symmetric(destination);
        Check.symmetric(source);
        int ignored = switch (op) {
            case BAND, BOR, BXOR ->
                NvshmemFunctions.nvshmemx_bitwise_reduce_warp(team.handle(), destination, source, count, op);
            default -> NvshmemFunctions.nvshmemx_arithmetic_reduce_warp(team.handle(), destination, source, count, op);
        };
    }

    /**
     * {@link #reduce}, of which each member gets a part: member m elements from {@code m * count} on ({@code
     * nvshmemx_TYPE_OP_reducescatter_warp}).
     *
     * @param source {@code count} elements for each member; {@code destination} is no part of it
     */
    public static <P extends Ptr> void reduceScatter(ShmemTeam team, P destination, P source, long count, ReduceOp op) {
        Check.symmetric(destination);
        Check.symmetric(source);
        int ignored = switch (op) {
            case BAND, BOR, BXOR ->
                NvshmemFunctions.nvshmemx_bitwise_reducescatter_warp(team.handle(), destination, source, count, op);
            default ->
                NvshmemFunctions.nvshmemx_arithmetic_reducescatter_warp(team.handle(), destination, source, count, op);
        };
    }

    /**
     * Copies {@code count} elements of {@code source} of the member {@code root} to {@code destination} of each one.
     * All threads of the warp call it together. ({@code nvshmemx_TYPE_broadcast_warp}).
     */
    public static <P extends Ptr> void broadcast(ShmemTeam team, P destination, P source, long count, int root) {
        Check.symmetric(destination);
        Check.symmetric(source);
        int ignored = NvshmemFunctions.nvshmemx_broadcast_warp(team.handle(), destination, source, count, root);
    }

    /**
     * Gathers {@code count} elements of each member, in the order of the members, at each one. All threads of the warp
     * call it together. ({@code nvshmemx_TYPE_fcollect_warp}).
     */
    public static <P extends Ptr> void fcollect(ShmemTeam team, P destination, P source, long count) {
        Check.symmetric(destination);
        Check.symmetric(source);
        int ignored = NvshmemFunctions.nvshmemx_fcollect_warp(team.handle(), destination, source, count);
    }

    /**
     * Each member sends {@code count} elements to each one: those for member m are from {@code m * count} on, those of
     * member m arrive there. All threads of the warp call it together. ({@code nvshmemx_TYPE_alltoall_warp}).
     */
    public static <P extends Ptr> void allToAll(ShmemTeam team, P destination, P source, long count) {
        Check.symmetric(destination);
        Check.symmetric(source);
        int ignored = NvshmemFunctions.nvshmemx_alltoall_warp(team.handle(), destination, source, count);
    }
}
