// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.device;

import org.comm4j.core.SignalOp;
import org.comm4j.kernel.I64Ptr;
import org.comm4j.kernel.Ptr;
/**
 * What the threads of a warp ask NVSHMEM to do together, with the same arguments: they share the work. {@link Shmem} has the rest. All 32 threads call, and each of them
 * finds what the others wrote before it.
 */
public final class ShmemWarp {
    private ShmemWarp() {}

    // ---- put and get ----

    /**
     * Copies {@code count} elements to {@code destination} on {@code pe}. All threads of the warp call it together. When it returns, {@code source} may be used again; {@link Shmem#quiet} says when the data has
     * arrived ({@code nvshmemx_putmem_warp}).
     *
     * @param destination symmetric
     * @param source of this PE
     */
    public static <P extends Ptr> void put(P destination, P source, long count, int pe) {
        Check.remote(destination, pe);
        NvshmemFunctions.nvshmemx_putmem_warp(destination, source, count * destination.elementBytes(), pe);
    }

    /** {@link #put} that may return before {@code source} may be used again: that is after {@link Shmem#quiet} ({@code nvshmemx_putmem_nbi_warp}). */
    public static <P extends Ptr> void putNbi(P destination, P source, long count, int pe) {
        Check.remote(destination, pe);
        NvshmemFunctions.nvshmemx_putmem_nbi_warp(destination, source, count * destination.elementBytes(), pe);
    }

    /**
     * Copies {@code count} elements from {@code source} on {@code pe}; they are there when it returns. All threads of the warp call it together. ({@code nvshmemx_getmem_warp}).
     *
     * @param destination of this PE
     * @param source symmetric
     */
    public static <P extends Ptr> void get(P destination, P source, long count, int pe) {
        Check.remote(source, pe);
        NvshmemFunctions.nvshmemx_getmem_warp(destination, source, count * source.elementBytes(), pe);
    }

    /** {@link #get} that may return before the data is there: it is after {@link Shmem#quiet} ({@code nvshmemx_getmem_nbi_warp}). */
    public static <P extends Ptr> void getNbi(P destination, P source, long count, int pe) {
        Check.remote(source, pe);
        NvshmemFunctions.nvshmemx_getmem_nbi_warp(destination, source, count * source.elementBytes(), pe);
    }

    /**
     * Copies every {@code sourceStride}-th of {@code source} to every {@code destinationStride}-th of {@code destination} on {@code pe}. All threads of the warp call it together. ({@code nvshmemx_iput8_warp} to
     * {@code 64}).
     *
     * @param destinationStride in elements, at least 1, as the other one
     * @param count of elements that are copied
     */
    public static <P extends Ptr> void iput(
            P destination, P source, long destinationStride, long sourceStride, long count, int pe) {
        Check.remote(destination, pe);
        if (destination.elementBytes() == 1) {
            NvshmemFunctions.nvshmemx_iput8_warp(destination, source, destinationStride, sourceStride, count, pe);
        } else if (destination.elementBytes() == 2) {
            NvshmemFunctions.nvshmemx_iput16_warp(destination, source, destinationStride, sourceStride, count, pe);
        } else if (destination.elementBytes() == 4) {
            NvshmemFunctions.nvshmemx_iput32_warp(destination, source, destinationStride, sourceStride, count, pe);
        } else {
            NvshmemFunctions.nvshmemx_iput64_warp(destination, source, destinationStride, sourceStride, count, pe);
        }
    }

    /** The counterpart of {@link #iput}: from {@code source} on {@code pe} to {@code destination} ({@code nvshmemx_iget8_warp} to {@code 64}). */
    public static <P extends Ptr> void iget(
            P destination, P source, long destinationStride, long sourceStride, long count, int pe) {
        Check.remote(source, pe);
        if (source.elementBytes() == 1) {
            NvshmemFunctions.nvshmemx_iget8_warp(destination, source, destinationStride, sourceStride, count, pe);
        } else if (source.elementBytes() == 2) {
            NvshmemFunctions.nvshmemx_iget16_warp(destination, source, destinationStride, sourceStride, count, pe);
        } else if (source.elementBytes() == 4) {
            NvshmemFunctions.nvshmemx_iget32_warp(destination, source, destinationStride, sourceStride, count, pe);
        } else {
            NvshmemFunctions.nvshmemx_iget64_warp(destination, source, destinationStride, sourceStride, count, pe);
        }
    }

    /**
     * {@link #put}, then a signal: the PE that sees the signal sees the data. All threads of the warp call it together. ({@code nvshmemx_putmem_signal_warp}).
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

    /** {@link #putSignal} that may return before {@code source} may be used again: that is after {@link Shmem#quiet} ({@code nvshmemx_putmem_signal_nbi_warp}). */
    public static <P extends Ptr> void putSignalNbi(
            P destination, P source, long count, I64Ptr signal, long value, SignalOp op, int pe) {
        Check.remote(destination, pe);
        Check.symmetric(signal);
        NvshmemFunctions.nvshmemx_putmem_signal_nbi_warp(
                destination, source, count * destination.elementBytes(), signal, value, Codes.of(op), pe);
    }
}
