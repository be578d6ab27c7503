// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.nvshmem;

import static org.comm4j.core.spi.Arguments.nonNull;

import java.util.BitSet;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import org.comm4j.core.DataType;
import org.comm4j.core.SymmetricBuffer;
import org.comm4j.core.spi.WaitSet;
import org.comm4j.cuda.CudaException;
import org.comm4j.cuda.Stream;
import org.comm4j.ffi.nvshmem.LibNvshmem;
import org.comm4j.nvshmem.AtomicKernels.Kind;
import org.jspecify.annotations.Nullable;

/**
 * Atomic operations on integers of 32 and 64 bits and on {@code FLOAT32} and {@code FLOAT64} (addition also on {@code
 * FLOAT16}) of any PE whose memory this GPU {@linkplain Nvshmem#reaches reaches}, atomic towards those of all GPUs and
 * kernels.
 *
 * <p>NVSHMEM's host library has the functions that are named here, but in all versions up to 3.8 they write "not
 * implemented" and return. So these are kernels of comm4j, one thread each. Therefore they exist in streams, too, which
 * C's do not.
 *
 * <p>Without a {@link Stream} the operation has happened when the method returns, and work in the program's streams is
 * not waited for. There is no order between atomics and puts but that of returning or of one stream.
 */
abstract sealed class Atomics permits SignalOperations {
    final Session session;
    final Polled polled;
    /**
     * Of the operations without a stream that C has in streams only. Not the one of the collectives: one of these may
     * wait there for a PE that waits for what this one is about to do.
     */
    final Stream aside;

    private final BooleanSupplier asideIdle;
    private final @Nullable AtomicKernels kernels;
    /** Why there are none: containers may lack the driver's compiler. */
    private final @Nullable CudaException noKernels;
    /** The PEs whose memory has been asked about, and those of them where atomic operations are atomic. */
    private final BitSet known = new BitSet();

    private final BitSet atomic = new BitSet();
    /** From a launch until its result is read: there is one place for results. */
    private final ReentrantLock fetching = new ReentrantLock();

    Atomics(Session session) {
        this.session = session;
        this.polled = new Polled(session);
        this.aside = session.device.newStream();
        this.asideIdle = aside::isDone;
        AtomicKernels loaded = null;
        CudaException problem = null;
        try {
            loaded = session.atomicKernels.get();
        } catch (CudaException e) {
            problem = e;
        }
        this.kernels = loaded;
        this.noKernels = problem;
    }

    // ---- integers ----

    /** Atomically replaces an integer on {@code pe} and returns what was there ({@code nvshmem_<T>_atomic_swap}). */
    public final long atomicSwap(SymmetricBuffer target, long index, long value, int pe) {
        return fetch(
                "atomicSwap", wide(target, "atomicSwap") ? Kind.SWAP_64 : Kind.SWAP_32, target, index, value, 0, pe);
    }

    /**
     * Atomically adds to an integer on {@code pe} and returns what was there ({@code nvshmem_<T>_atomic_fetch_add}).
     */
    public final long atomicFetchAdd(SymmetricBuffer target, long index, long value, int pe) {
        Kind kind = wide(target, "atomicFetchAdd") ? Kind.ADD_64 : Kind.ADD_32;
        return fetch("atomicFetchAdd", kind, target, index, value, 0, pe);
    }

    /** {@link #atomicFetchAdd(SymmetricBuffer, long, long, int)} of 1 ({@code nvshmem_<T>_atomic_fetch_inc}). */
    public final long atomicFetchInc(SymmetricBuffer target, long index, int pe) {
        Kind kind = wide(target, "atomicFetchInc") ? Kind.ADD_64 : Kind.ADD_32;
        return fetch("atomicFetchInc", kind, target, index, 1, 0, pe);
    }

    /**
     * Atomically replaces an integer on {@code pe} by {@code value} if it is {@code condition}; returns what was there
     * ({@code nvshmem_<T>_atomic_compare_swap}).
     */
    public final long atomicCompareSwap(SymmetricBuffer target, long index, long condition, long value, int pe) {
        Kind kind = wide(target, "atomicCompareSwap") ? Kind.COMPARE_SWAP_64 : Kind.COMPARE_SWAP_32;
        return fetch("atomicCompareSwap", kind, target, index, value, condition, pe);
    }

    /** Atomic bitwise AND; returns what was there ({@code nvshmem_<T>_atomic_fetch_and}). */
    public final long atomicFetchAnd(SymmetricBuffer target, long index, long value, int pe) {
        Kind kind = wide(target, "atomicFetchAnd") ? Kind.AND_64 : Kind.AND_32;
        return fetch("atomicFetchAnd", kind, target, index, value, 0, pe);
    }

    /** Atomic bitwise OR; returns what was there ({@code nvshmem_<T>_atomic_fetch_or}). */
    public final long atomicFetchOr(SymmetricBuffer target, long index, long value, int pe) {
        Kind kind = wide(target, "atomicFetchOr") ? Kind.OR_64 : Kind.OR_32;
        return fetch("atomicFetchOr", kind, target, index, value, 0, pe);
    }

    /** Atomic bitwise exclusive OR; returns what was there ({@code nvshmem_<T>_atomic_fetch_xor}). */
    public final long atomicFetchXor(SymmetricBuffer target, long index, long value, int pe) {
        Kind kind = wide(target, "atomicFetchXor") ? Kind.XOR_64 : Kind.XOR_32;
        return fetch("atomicFetchXor", kind, target, index, value, 0, pe);
    }

    /** Atomic load of an integer ({@code nvshmem_<T>_atomic_fetch}). */
    public final long atomicFetch(SymmetricBuffer source, long index, int pe) {
        Kind kind = wide(source, "atomicFetch") ? Kind.FETCH_64 : Kind.FETCH_32;
        return fetch("atomicFetch", kind, source, index, 0, 0, pe);
    }

    /** Atomic addition ({@code nvshmem_<T>_atomic_add}). */
    public final void atomicAdd(SymmetricBuffer target, long index, long value, int pe) {
        atomicAdd(target, index, value, pe, aside);
        completeAside("atomicAdd");
    }

    /** {@link #atomicAdd(SymmetricBuffer, long, long, int)}, ordered on {@code stream}. */
    public final void atomicAdd(SymmetricBuffer target, long index, long value, int pe, Stream stream) {
        enqueue("atomicAdd", wide(target, "atomicAdd") ? Kind.ADD_64 : Kind.ADD_32, target, index, value, pe, stream);
    }

    /** Atomic addition of 1 ({@code nvshmem_<T>_atomic_inc}). */
    public final void atomicInc(SymmetricBuffer target, long index, int pe) {
        atomicInc(target, index, pe, aside);
        completeAside("atomicInc");
    }

    /** {@link #atomicInc(SymmetricBuffer, long, int)}, ordered on {@code stream}. */
    public final void atomicInc(SymmetricBuffer target, long index, int pe, Stream stream) {
        enqueue("atomicInc", wide(target, "atomicInc") ? Kind.ADD_64 : Kind.ADD_32, target, index, 1, pe, stream);
    }

    /** Atomic bitwise AND ({@code nvshmem_<T>_atomic_and}). */
    public final void atomicAnd(SymmetricBuffer target, long index, long value, int pe) {
        atomicAnd(target, index, value, pe, aside);
        completeAside("atomicAnd");
    }

    /** {@link #atomicAnd(SymmetricBuffer, long, long, int)}, ordered on {@code stream}. */
    public final void atomicAnd(SymmetricBuffer target, long index, long value, int pe, Stream stream) {
        enqueue("atomicAnd", wide(target, "atomicAnd") ? Kind.AND_64 : Kind.AND_32, target, index, value, pe, stream);
    }

    /** Atomic bitwise OR ({@code nvshmem_<T>_atomic_or}). */
    public final void atomicOr(SymmetricBuffer target, long index, long value, int pe) {
        atomicOr(target, index, value, pe, aside);
        completeAside("atomicOr");
    }

    /** {@link #atomicOr(SymmetricBuffer, long, long, int)}, ordered on {@code stream}. */
    public final void atomicOr(SymmetricBuffer target, long index, long value, int pe, Stream stream) {
        enqueue("atomicOr", wide(target, "atomicOr") ? Kind.OR_64 : Kind.OR_32, target, index, value, pe, stream);
    }

    /** Atomic bitwise exclusive OR ({@code nvshmem_<T>_atomic_xor}). */
    public final void atomicXor(SymmetricBuffer target, long index, long value, int pe) {
        atomicXor(target, index, value, pe, aside);
        completeAside("atomicXor");
    }

    /** {@link #atomicXor(SymmetricBuffer, long, long, int)}, ordered on {@code stream}. */
    public final void atomicXor(SymmetricBuffer target, long index, long value, int pe, Stream stream) {
        enqueue("atomicXor", wide(target, "atomicXor") ? Kind.XOR_64 : Kind.XOR_32, target, index, value, pe, stream);
    }

    /** Atomic store of an integer ({@code nvshmem_<T>_atomic_set}). */
    public final void atomicSet(SymmetricBuffer target, long index, long value, int pe) {
        atomicSet(target, index, value, pe, aside);
        completeAside("atomicSet");
    }

    /** {@link #atomicSet(SymmetricBuffer, long, long, int)}, ordered on {@code stream}. */
    public final void atomicSet(SymmetricBuffer target, long index, long value, int pe, Stream stream) {
        enqueue("atomicSet", wide(target, "atomicSet") ? Kind.SET_64 : Kind.SET_32, target, index, value, pe, stream);
    }

    // ---- floating-point numbers ----

    /** Atomic load of a {@code FLOAT32} or {@code FLOAT64} ({@code nvshmem_<T>_atomic_fetch}). */
    public final double atomicFetchDouble(SymmetricBuffer source, long index, int pe) {
        boolean wide = wideFloat(source, "atomicFetchDouble");
        return decode(wide, fetch("atomicFetchDouble", wide ? Kind.FETCH_64 : Kind.FETCH_32, source, index, 0, 0, pe));
    }

    /** Atomic store of a {@code FLOAT32} or {@code FLOAT64} ({@code nvshmem_<T>_atomic_set}). */
    public final void atomicSet(SymmetricBuffer target, long index, double value, int pe) {
        atomicSet(target, index, value, pe, aside);
        completeAside("atomicSet");
    }

    /** {@link #atomicSet(SymmetricBuffer, long, double, int)}, ordered on {@code stream}. */
    public final void atomicSet(SymmetricBuffer target, long index, double value, int pe, Stream stream) {
        boolean wide = wideFloat(target, "atomicSet");
        enqueue("atomicSet", wide ? Kind.SET_64 : Kind.SET_32, target, index, encode(wide, value), pe, stream);
    }

    /**
     * Atomic replacement of a {@code FLOAT32} or {@code FLOAT64}; returns what was there ({@code
     * nvshmem_<T>_atomic_swap}).
     */
    public final double atomicSwap(SymmetricBuffer target, long index, double value, int pe) {
        boolean wide = wideFloat(target, "atomicSwap");
        return decode(
                wide,
                fetch("atomicSwap", wide ? Kind.SWAP_64 : Kind.SWAP_32, target, index, encode(wide, value), 0, pe));
    }

    /**
     * Atomic addition to a {@code FLOAT16}, {@code FLOAT32} or {@code FLOAT64}; returns what was there
     * ({@code nvshmemx_<T>_atomic_fetch_add}, which NVSHMEM names from 3.7 on; this one works with all versions).
     */
    public final double atomicFetchAdd(SymmetricBuffer target, long index, double value, int pe) {
        nonNull(target, "atomicFetchAdd", "target");
        if (target.type() == DataType.FLOAT16) {
            long bits = Float.floatToFloat16((float) value) & 0xffffL;
            return Float.float16ToFloat((short) fetch("atomicFetchAdd", Kind.ADD_F16, target, index, bits, 0, pe));
        }
        boolean wide = wideFloat(target, "atomicFetchAdd");
        return decode(
                wide,
                fetch("atomicFetchAdd", wide ? Kind.ADD_F64 : Kind.ADD_F32, target, index, encode(wide, value), 0, pe));
    }

    /** Atomic addition to a {@code FLOAT16}, {@code FLOAT32} or {@code FLOAT64} ({@code nvshmemx_<T>_atomic_add}). */
    public final void atomicAdd(SymmetricBuffer target, long index, double value, int pe) {
        nonNull(target, "atomicAdd", "target");
        atomicAdd(target, index, value, pe, aside);
        completeAside("atomicAdd");
    }

    /** {@link #atomicAdd(SymmetricBuffer, long, double, int)}, ordered on {@code stream}. */
    public final void atomicAdd(SymmetricBuffer target, long index, double value, int pe, Stream stream) {
        nonNull(target, "atomicAdd", "target");
        if (target.type() == DataType.FLOAT16) {
            long bits = Float.floatToFloat16((float) value) & 0xffffL;
            enqueue("atomicAdd", Kind.ADD_F16, target, index, bits, pe, stream);
            return;
        }
        boolean wide = wideFloat(target, "atomicAdd");
        enqueue("atomicAdd", wide ? Kind.ADD_F64 : Kind.ADD_F32, target, index, encode(wide, value), pe, stream);
    }

    private static long encode(boolean wide, double value) {
        return wide ? Double.doubleToRawLongBits(value) : Float.floatToRawIntBits((float) value) & 0xffff_ffffL;
    }

    private static double decode(boolean wide, long bits) {
        return wide ? Double.longBitsToDouble(bits) : Float.intBitsToFloat((int) bits);
    }

    // ---- how ----

    private long fetch(
            String operation, Kind kind, SymmetricBuffer target, long index, long value, long condition, int pe) {
        AtomicKernels loaded = loaded(operation);
        fetching.lock();
        try {
            launch(operation, kind, target, index, value, condition, pe, true, aside);
            completeAside(operation);
            return WaitSet.widened(target.type(), loaded.result());
        } finally {
            fetching.unlock();
        }
    }

    /** Waits until {@link #aside} has done what was put into it. */
    final void completeAside(String operation) {
        polled.await(asideIdle, operation, System.nanoTime(), session.timeoutNanos());
    }

    private void enqueue(
            String operation, Kind kind, SymmetricBuffer target, long index, long value, int pe, Stream stream) {
        launch(operation, kind, target, index, value, 0, pe, false, stream);
    }

    private void launch(
            String operation,
            Kind kind,
            SymmetricBuffer target,
            long index,
            long value,
            long condition,
            int pe,
            boolean fetch,
            Stream stream) {
        long at = session.place(operation, "target", target, index, 1, pe);
        AtomicKernels loaded = loaded(operation);
        var ignored = session.enter(operation, stream, target, 1, pe);
        try {
            long there = LibNvshmem.nvshmem_ptr(at, pe);
            if (there == 0) {
                throw unreachable(operation, pe);
            }
            checkAtomic(operation, there, pe);
            Session.use(target, stream);
            loaded.launch(kind, there, value, condition, fetch, stream);
        } finally {
            session.leave();
        }
    }

    private AtomicKernels loaded(String operation) {
        AtomicKernels loaded = kernels;
        if (loaded == null) {
            throw new UnsupportedOperationException(
                    operation + " on " + session.where() + ": the driver did not take the kernels of atomic operations",
                    noKernels);
        }
        return loaded;
    }

    /** With the lock held; the driver is asked once for each PE. */
    private void checkAtomic(String operation, long there, int pe) {
        if (!known.get(pe)) {
            known.set(pe);
            atomic.set(pe, AtomicKernels.areAtomic(session.device, there));
        }
        if (!atomic.get(pe)) {
            throw new UnsupportedOperationException(
                    operation + " with PE " + pe + " on " + session.where()
                            + ": between these two GPUs there are no atomic operations, as a rule because there is PCIe and no NVLink");
        }
    }

    /** Whether an atomic operation on integers of the array is one of 64 bits, else of 32. */
    private boolean wide(SymmetricBuffer array, String operation) {
        return switch (nonNull(array, operation, "target").type()) {
            case INT64, UINT64 -> true;
            case INT32, UINT32 -> false;
            default ->
                throw new IllegalArgumentException(
                        operation + " on " + session.where() + ": " + array + " is not of integers of 32 or 64 bits");
        };
    }

    /** Whether an atomic operation on floating-point numbers of the array is one of 64 bits, else of 32. */
    private boolean wideFloat(SymmetricBuffer array, String operation) {
        return switch (nonNull(array, operation, "target").type()) {
            case FLOAT64 -> true;
            case FLOAT32 -> false;
            default ->
                throw new IllegalArgumentException(operation + " of a floating-point number on " + session.where()
                        + ": " + array + " is not of FLOAT32 or FLOAT64");
        };
    }

    /** For what the library, or this GPU, can do only in memory that it reaches by loads and stores. */
    final void checkReaches(String operation, SymmetricBuffer array, int pe) {
        if (!reaches(array, pe)) {
            throw unreachable(operation, pe);
        }
    }

    /** Whether this GPU reaches the copy of {@code array} on {@code pe} by loads and stores. */
    final boolean reaches(SymmetricBuffer array, int pe) {
        return pe == session.myPe || LibNvshmem.nvshmem_ptr(array.address(), pe) != 0;
    }

    private UnsupportedOperationException unreachable(String operation, int pe) {
        return new UnsupportedOperationException(operation + " with PE " + pe + " on " + session.where()
                + ": this GPU does not reach that one's memory, and NVSHMEM cannot do this over a network; use put, get or"
                + " putSignal with symmetric arrays");
    }
}
