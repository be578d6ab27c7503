// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.nvshmem;

import static org.comm4j.core.spi.Arguments.nonNull;

import java.lang.ref.Reference;
import org.comm4j.core.Buffer;
import org.comm4j.core.Comparison;
import org.comm4j.core.DataType;
import org.comm4j.core.SignalOp;
import org.comm4j.core.SymmetricBuffer;
import org.comm4j.core.spi.WaitSet;
import org.comm4j.cuda.DeviceArray;
import org.comm4j.cuda.Stream;
import org.comm4j.ffi.NativeCallException;
import org.comm4j.ffi.cuda.LibCuda;
import org.comm4j.ffi.handle.CUstream;
import org.comm4j.ffi.nvshmem.LibNvshmem;
import org.comm4j.ffi.nvshmem.NvshmemType;
import org.jspecify.annotations.Nullable;

/**
 * Signals, puts that end with one, and waits for signals and other integers of this PE's memory, which another PE
 * changes.
 *
 * <p>A wait in a stream holds up that stream only. A wait without one looks at the value from the host until it is as
 * asked, the limit is over ({@link Nvshmem#timeout()}) or a PE died.
 *
 * <p>CUDA loads a kernel when it is launched for the first time, and that waits for kernels that run. Those of waits,
 * and of signals that end them, are loaded before the first wait in a stream; a kernel of the program's own that a wait
 * depends on is to be launched once before, or the variable {@code CUDA_MODULE_LOADING} set to {@code EAGER}.
 */
abstract sealed class SignalOperations extends Atomics permits OneSided {
    /** Of counters of counted puts. */
    private static final long COUNTER_ALIGNMENT = 256;

    SignalOperations(Session session) {
        super(session);
    }

    // ---- put, then signal ----

    /**
     * Copies all of {@code source} to the front of {@code destination} on {@code pe}, then changes a signal there,
     * ordered on {@code stream}: who sees the signal sees the data ({@code nvshmemx_putmem_signal_on_stream}).
     *
     * @param signal an {@code INT64} or {@code UINT64} array; C's signals are 64-bit unsigned integers
     */
    public final void putSignal(
            SymmetricBuffer destination,
            Buffer source,
            SymmetricBuffer signal,
            long index,
            long value,
            SignalOp op,
            int pe,
            Stream stream) {
        nonNull(source, "putSignal", "source");
        nonNull(op, "putSignal", "op");
        putSignal(destination, source, source.count(), signal, index, value, op, pe, stream);
    }

    /**
     * {@link #putSignal(SymmetricBuffer, Buffer, SymmetricBuffer, long, long, SignalOp, int, Stream)} of {@code count}
     * elements.
     */
    public final void putSignal(
            SymmetricBuffer destination,
            Buffer source,
            long count,
            SymmetricBuffer signal,
            long index,
            long value,
            SignalOp op,
            int pe,
            Stream stream) {
        nonNull(op, "putSignal", "op");
        putSignal(false, destination, source, count, signal, index, value, op, pe, stream);
    }

    private void putSignal(
            boolean nbi,
            SymmetricBuffer destination,
            Buffer source,
            long count,
            SymmetricBuffer signal,
            long index,
            long value,
            SignalOp op,
            int pe,
            Stream stream) {
        String operation = nbi ? "putSignalNbi" : "putSignal";
        long to = session.place(operation, "destination", destination, 0, count, pe);
        long from = local(operation, "source", source, 0, count, destination, to, pe);
        long at = signalPlace(operation, signal, index, pe);
        CUstream queue = session.enter(operation, stream, destination, count, pe);
        try {
            Session.use(signal, stream);
            if (count > 0) {
                use(destination, source, stream);
                long bytes = count * destination.type().bytes();
                long there = nbi && !session.isRecorded(queue) ? 0 : settable(operation, op, at, pe, queue);
                if (there != 0) {
                    LibNvshmem.nvshmemx_putmem_on_stream(to, from, bytes, pe, queue);
                    set(operation, there, value, queue);
                } else if (nbi) {
                    LibNvshmem.nvshmemx_putmem_signal_nbi_on_stream(
                            to, from, bytes, at, value, Types.of(op), pe, queue);
                } else {
                    LibNvshmem.nvshmemx_putmem_signal_on_stream(to, from, bytes, at, value, Types.of(op), pe, queue);
                }
            } else {
                change(operation, at, value, op, pe, queue);
            }
        } finally {
            session.leave();
            Reference.reachabilityFence(source);
        }
    }

    /**
     * {@link #putSignal(SymmetricBuffer, Buffer, SymmetricBuffer, long, long, SignalOp, int, Stream)} that returns when
     * data and signal are there. C has none; this one goes through a stream of its own.
     */
    public final void putSignal(
            SymmetricBuffer destination,
            Buffer source,
            SymmetricBuffer signal,
            long index,
            long value,
            SignalOp op,
            int pe) {
        nonNull(source, "putSignal", "source");
        nonNull(op, "putSignal", "op");
        putSignal(destination, source, source.count(), signal, index, value, op, pe);
    }

    /**
     * {@link #putSignal(SymmetricBuffer, Buffer, SymmetricBuffer, long, long, SignalOp, int)} of {@code count}
     * elements.
     */
    public final void putSignal(
            SymmetricBuffer destination,
            Buffer source,
            long count,
            SymmetricBuffer signal,
            long index,
            long value,
            SignalOp op,
            int pe) {
        nonNull(op, "putSignal", "op");
        putSignal(false, destination, source, count, signal, index, value, op, pe, aside);
        completeAside("putSignal");
    }

    /**
     * {@link #putSignal(SymmetricBuffer, Buffer, SymmetricBuffer, long, long, SignalOp, int, Stream)} that begins when
     * {@code stream} has come there, and which the stream does not wait for: {@code source} must stay as it is, and
     * open, until {@link Nvshmem#quiet(Stream)} ({@code nvshmemx_putmem_signal_nbi_on_stream}).
     */
    public final void putSignalNbi(
            SymmetricBuffer destination,
            Buffer source,
            SymmetricBuffer signal,
            long index,
            long value,
            SignalOp op,
            int pe,
            Stream stream) {
        nonNull(source, "putSignalNbi", "source");
        nonNull(op, "putSignalNbi", "op");
        putSignalNbi(destination, source, source.count(), signal, index, value, op, pe, stream);
    }

    /**
     * {@link #putSignalNbi(SymmetricBuffer, Buffer, SymmetricBuffer, long, long, SignalOp, int, Stream)} of {@code
     * count} elements.
     */
    public final void putSignalNbi(
            SymmetricBuffer destination,
            Buffer source,
            long count,
            SymmetricBuffer signal,
            long index,
            long value,
            SignalOp op,
            int pe,
            Stream stream) {
        nonNull(op, "putSignalNbi", "op");
        putSignal(true, destination, source, count, signal, index, value, op, pe, stream);
    }

    /**
     * {@link #putSignal(SymmetricBuffer, Buffer, SymmetricBuffer, long, long, SignalOp, int)} that may return earlier:
     * {@code source} must stay as it is, and open, until {@link Nvshmem#quiet()}. C has none; this one is there when it
     * returns, because nothing else would put signal and data in order without a stream.
     */
    public final void putSignalNbi(
            SymmetricBuffer destination,
            Buffer source,
            SymmetricBuffer signal,
            long index,
            long value,
            SignalOp op,
            int pe) {
        nonNull(source, "putSignalNbi", "source");
        nonNull(op, "putSignalNbi", "op");
        putSignalNbi(destination, source, source.count(), signal, index, value, op, pe);
    }

    /**
     * {@link #putSignalNbi(SymmetricBuffer, Buffer, SymmetricBuffer, long, long, SignalOp, int)} of {@code count}
     * elements.
     */
    public final void putSignalNbi(
            SymmetricBuffer destination,
            Buffer source,
            long count,
            SymmetricBuffer signal,
            long index,
            long value,
            SignalOp op,
            int pe) {
        nonNull(op, "putSignalNbi", "op");
        putSignal(destination, source, count, signal, index, value, op, pe);
    }

    // ---- signal ----

    /**
     * Changes a signal on {@code pe}, ordered on {@code stream} ({@code nvshmemx_signal_op_on_stream}). Who sees it
     * sees what this stream put there before; but only after a {@link Nvshmem#quiet(Stream)} between them what {@code
     * putNbi} began, and anything that went to a PE whose memory this GPU does not {@linkplain Nvshmem#reaches reach}.
     *
     * @param signal an {@code INT64} or {@code UINT64} array; C's signals are 64-bit unsigned integers
     */
    public final void signal(SymmetricBuffer signal, long index, long value, SignalOp op, int pe, Stream stream) {
        nonNull(op, "signal", "op");
        long at = signalPlace("signal", signal, index, pe);
        CUstream queue = session.enter("signal", stream, signal, 1, pe);
        try {
            Session.use(signal, stream);
            change("signal", at, value, op, pe, queue);
        } finally {
            session.leave();
        }
    }

    private void change(String operation, long at, long value, SignalOp op, int pe, CUstream queue) {
        long there = settable(operation, op, at, pe, queue);
        if (there == 0) {
            LibNvshmem.nvshmemx_signal_op_on_stream(at, value, Types.of(op), pe, queue);
        } else {
            set(operation, there, value, queue);
        }
    }

    /**
     * Where the stream itself is to set the signal, 0 where that is the library's business. NVSHMEM 3.4 has streams set
     * all signals that this GPU reaches; 3.8 copies them from a variable, which takes longer, and is gone when a graph
     * runs.
     */
    private long settable(String operation, SignalOp op, long at, int pe, CUstream queue) {
        if (op != SignalOp.SET) {
            return 0;
        }
        long there = LibNvshmem.nvshmem_ptr(at, pe);
        if (there != 0 && !session.streamsWrite) {
            session.checkNotRecorded(operation, queue, "add to the signal");
            return 0;
        }
        return there;
    }

    private void set(String operation, long there, long value, CUstream queue) {
        try {
            LibCuda.cuStreamWriteValue64(queue, there, value, 0);
        } catch (NativeCallException e) {
            throw new NvshmemException(operation + " on " + session.where(), e);
        }
    }

    /**
     * {@link #signal(SymmetricBuffer, long, long, SignalOp, int, Stream)} that returns when it is there. Who sees it
     * sees what this PE put there before without a stream; what {@code putNbi} began only after {@link Nvshmem#quiet()}
     * or {@link Nvshmem#fence()} between them. C has none; this one goes through a stream of its own.
     */
    public final void signal(SymmetricBuffer signal, long index, long value, SignalOp op, int pe) {
        nonNull(op, "signal", "op");
        signal(signal, index, value, op, pe, aside);
        completeAside("signal");
    }

    /**
     * The value of a signal of this PE now ({@code nvshmem_signal_fetch}, but that would wait for the default stream;
     * this does not wait for any).
     */
    public final long signalFetch(SymmetricBuffer signal, long index) {
        long at = signalPlace("signalFetch", signal, index, session.myPe);
        return polled.load("signalFetch", NvshmemType.UINT64, DataType.UINT64, at);
    }

    /**
     * Sets a counter of this PE to zero, to which counted puts of kernels add ({@code nvshmemx_signal_counted_reset};
     * NVSHMEM 3.8). None of these may be under way.
     *
     * @param counters of type {@code UINT64}
     * @param index of a counter, which lies at a multiple of 256 bytes
     * @throws UnsupportedOperationException if NVSHMEM is older
     */
    public final void countedReset(SymmetricBuffer counters, long index) {
        long place = session.place("countedReset", "counters", counters, index, 1);
        Library.require("countedReset", session.where(), 3, 8);
        if (counters.type() != DataType.UINT64 || place % COUNTER_ALIGNMENT != 0) {
            throw new IllegalArgumentException("countedReset on " + session.where() + ": element " + index + " of "
                    + counters + " is no UINT64 at a multiple of " + COUNTER_ALIGNMENT + " bytes");
        }
        session.enter("countedReset", counters, 1, session.myPe);
        try {
            LibNvshmem.nvshmemx_signal_counted_reset(place);
        } finally {
            session.leave();
        }
    }

    /**
     * Waits until a signal of this PE compares as asked with {@code value}, as unsigned integers, and returns it. What
     * came with it, or before, is visible then.
     *
     * @throws org.comm4j.core.CommTimeoutException after {@link Nvshmem#timeout()}, with the address, the expected
     *     value and the last one
     * @throws org.comm4j.core.RankFailedException when a PE died
     */
    public final long signalWaitUntil(SymmetricBuffer signal, long index, Comparison comparison, long value) {
        nonNull(comparison, "signalWaitUntil", "comparison");
        long at = signalPlace("signalWaitUntil", signal, index, session.myPe);
        return polled.await(
                "signalWaitUntil", NvshmemType.UINT64, DataType.UINT64, signal, index, at, comparison, value);
    }

    /**
     * Work that is put into {@code stream} from now on waits until a signal of this PE compares as asked with {@code
     * value}, as unsigned integers less than 2⁶³ apart ({@code nvshmemx_signal_wait_until_on_stream}). {@link
     * Nvshmem#synchronize(Stream)} waits for that with a limit.
     */
    public final void signalWaitUntil(
            SymmetricBuffer signal, long index, Comparison comparison, long value, Stream stream) {
        nonNull(comparison, "signalWaitUntil", "comparison");
        long at = signalPlace("signalWaitUntil", signal, index, session.myPe);
        int code = Types.of(comparison);
        session.checkOwnGpu("signalWaitUntil");
        CUstream queue = session.enter("signalWaitUntil", stream, signal, 1, session.myPe);
        try {
            Session.use(signal, stream);
            WaitKernels.load(session);
            LibNvshmem.nvshmemx_signal_wait_until_on_stream(at, code, value, queue);
            session.note(stream, "signalWaitUntil", signal, index, comparison, value);
        } finally {
            session.leave();
        }
    }

    private long signalPlace(String operation, SymmetricBuffer signal, long index, int pe) {
        nonNull(signal, operation, "signal");
        if (signal.type() != DataType.INT64 && signal.type() != DataType.UINT64) {
            throw new IllegalArgumentException(operation + " on " + session.where() + ": signal " + signal
                    + " is not an array of INT64 or UINT64, which signals are");
        }
        return session.place(operation, "signal", signal, index, 1, pe);
    }

    // ---- waits for integers, in streams ----

    /**
     * Work that is put into {@code stream} from now on waits until an integer of this PE, of 16, 32 or 64 bits,
     * compares as asked with {@code value}, which is cut to the element type ({@code
     * nvshmemx_<T>_wait_until_on_stream}).
     */
    public final void waitUntil(
            SymmetricBuffer variable, long index, Comparison comparison, long value, Stream stream) {
        nonNull(comparison, "waitUntil", "comparison");
        long at = session.place("waitUntil", "variable", variable, index, 1);
        NvshmemType type = Types.awaited("waitUntil", variable.type());
        int code = Types.of(comparison);
        session.checkOwnGpu("waitUntil");
        CUstream queue = session.enter("waitUntil", stream, variable, 1, session.myPe);
        try {
            Session.use(variable, stream);
            WaitKernels.load(session);
            LibNvshmem.nvshmemx_wait_until_on_stream(type, at, code, value, queue);
            session.note(stream, "waitUntil", variable, index, comparison, value);
        } finally {
            session.leave();
        }
    }

    /**
     * Work that is put into {@code stream} from now on waits until all integers of {@code variables} (a slice, to wait
     * for some) compare as asked with {@code value}, each seen to do so at one time or another ({@code
     * nvshmemx_<T>_wait_until_all_on_stream}).
     *
     * @param skip null, or an {@code INT32} array on this GPU with an element for each variable: those that are not 0
     *     leave theirs out; it is read when the stream comes there
     */
    public final void waitUntilAll(
            SymmetricBuffer variables, @Nullable DeviceArray skip, Comparison comparison, long value, Stream stream) {
        nonNull(variables, "waitUntilAll", "variables");
        nonNull(comparison, "waitUntilAll", "comparison");
        nonNull(stream, "waitUntilAll", "stream");
        long count = variables.count();
        long at = session.place("waitUntilAll", "variables", variables, 0, count);
        NvshmemType type = Types.awaited("waitUntilAll", variables.type());
        long status = skipPlace(skip, count);
        int code = Types.of(comparison);
        session.checkOwnGpu("waitUntilAll");
        CUstream queue = session.enter("waitUntilAll", stream, variables, count, session.myPe);
        try {
            if (count > 0) {
                Session.use(variables, stream);
                useSkip(skip, stream);
                WaitKernels.load(session);
                LibNvshmem.nvshmemx_wait_until_all_on_stream(type, at, count, status, code, value, queue);
                session.note(stream, "waitUntilAll", variables, 0, comparison, value);
            }
        } finally {
            session.leave();
        }
    }

    /**
     * {@link #waitUntilAll(SymmetricBuffer, DeviceArray, Comparison, long, Stream)} with a value for each element
     * ({@code nvshmemx_<T>_wait_until_all_vector_on_stream}).
     *
     * @param values on this GPU, of the type and count of {@code variables}; read when the stream comes there
     */
    public final void waitUntilAll(
            SymmetricBuffer variables,
            @Nullable DeviceArray skip,
            Comparison comparison,
            DeviceArray values,
            Stream stream) {
        nonNull(variables, "waitUntilAll", "variables");
        nonNull(comparison, "waitUntilAll", "comparison");
        nonNull(values, "waitUntilAll", "values");
        nonNull(stream, "waitUntilAll", "stream");
        long count = variables.count();
        long at = session.place("waitUntilAll", "variables", variables, 0, count);
        NvshmemType type = Types.awaited("waitUntilAll", variables.type());
        if (values.type() != variables.type() || values.count() != count) {
            throw new IllegalArgumentException("waitUntilAll on " + session.where() + ": values " + values
                    + " does not have the type and count of " + variables);
        }
        long expected = session.local("waitUntilAll", "values", values, 0, count);
        long status = skipPlace(skip, count);
        int code = Types.of(comparison);
        session.checkOwnGpu("waitUntilAll");
        CUstream queue = session.enter("waitUntilAll", stream, variables, count, session.myPe);
        try {
            if (count > 0) {
                Session.use(variables, stream);
                Session.use(values, stream);
                useSkip(skip, stream);
                WaitKernels.load(session);
                LibNvshmem.nvshmemx_wait_until_all_vector_on_stream(type, at, count, status, code, expected, queue);
                session.note(stream, "waitUntilAll", variables, 0, null, 0);
            }
        } finally {
            session.leave();
        }
    }

    private long skipPlace(@Nullable DeviceArray skip, long count) {
        if (skip == null) {
            return 0;
        }
        if (skip.type() != DataType.INT32 || skip.count() != count) {
            throw new IllegalArgumentException("waitUntilAll on " + session.where() + ": skip " + skip
                    + " is not an array of " + count + " x INT32, one for each variable");
        }
        return session.local("waitUntilAll", "skip", skip, 0, count);
    }

    private static void useSkip(@Nullable DeviceArray array, Stream stream) {
        if (array != null) {
            array.usedIn(stream);
        }
    }

    static void use(SymmetricBuffer there, Buffer here, Stream stream) {
        Session.use(there, stream);
        Session.use(here, stream);
    }

    // ---- waits for integers, on the host ----

    /**
     * Waits until an integer of this PE, of 16, 32 or 64 bits, compares as asked with {@code value}, which is cut to
     * the element type; returns the value that was seen. What the PE that stored it put before, in order, is visible
     * then.
     *
     * @throws org.comm4j.core.CommTimeoutException after {@link Nvshmem#timeout()}, with the address, the expected
     *     value and the last one
     * @throws org.comm4j.core.RankFailedException when a PE died
     */
    public final long waitUntil(SymmetricBuffer variable, long index, Comparison comparison, long value) {
        nonNull(comparison, "waitUntil", "comparison");
        long at = session.place("waitUntil", "variable", variable, index, 1);
        NvshmemType type = Types.awaited("waitUntil", variable.type());
        return polled.await("waitUntil", type, variable.type(), variable, index, at, comparison, value);
    }

    /** Whether an integer of this PE compares as asked with {@code value} now. */
    public final boolean test(SymmetricBuffer variable, long index, Comparison comparison, long value) {
        nonNull(comparison, "test", "comparison");
        long at = session.place("test", "variable", variable, index, 1);
        NvshmemType type = Types.awaited("test", variable.type());
        return WaitSet.holds(variable.type(), polled.load("test", type, variable.type(), at), comparison, value);
    }

    /**
     * Waits until all integers of {@code variables} (a slice, to wait for some) on this PE compare as asked, each seen
     * to do so at one time or another.
     *
     * @param skip null, or for each element whether it is left out
     * @param values what to compare with: one value for all elements, or one for each
     */
    public final void waitUntilAll(
            SymmetricBuffer variables, boolean @Nullable [] skip, Comparison comparison, long... values) {
        nonNull(comparison, "waitUntilAll", "comparison");
        nonNull(values, "waitUntilAll", "values");
        several("waitUntilAll", variables, skip, comparison, values).awaitAll();
    }

    /**
     * Waits until one of the integers of {@code variables} on this PE compares as asked, and returns its index; −1 at
     * once if all are left out, or there are none. The search goes on behind the one that was found last, so that none
     * is passed over for ever.
     *
     * @param skip null, or for each element whether it is left out
     * @param values what to compare with: one value for all elements, or one for each
     */
    public final long waitUntilAny(
            SymmetricBuffer variables, boolean @Nullable [] skip, Comparison comparison, long... values) {
        nonNull(comparison, "waitUntilAny", "comparison");
        nonNull(values, "waitUntilAny", "values");
        return several("waitUntilAny", variables, skip, comparison, values).awaitAny();
    }

    /**
     * Waits until at least one of the integers of {@code variables} on this PE compares as asked, and returns the
     * indices of all that do, ascending; none at once if all are left out.
     *
     * @param skip null, or for each element whether it is left out
     * @param values what to compare with: one value for all elements, or one for each
     */
    public final long[] waitUntilSome(
            SymmetricBuffer variables, boolean @Nullable [] skip, Comparison comparison, long... values) {
        nonNull(comparison, "waitUntilSome", "comparison");
        nonNull(values, "waitUntilSome", "values");
        return several("waitUntilSome", variables, skip, comparison, values).awaitSome();
    }

    /** Whether {@link #waitUntilAll(SymmetricBuffer, boolean[], Comparison, long...)} would return now. */
    public final boolean testAll(
            SymmetricBuffer variables, boolean @Nullable [] skip, Comparison comparison, long... values) {
        nonNull(comparison, "testAll", "comparison");
        nonNull(values, "testAll", "values");
        return several("testAll", variables, skip, comparison, values).testAll();
    }

    /** What {@link #waitUntilAny} would return now, −1 if it would wait. */
    public final long testAny(
            SymmetricBuffer variables, boolean @Nullable [] skip, Comparison comparison, long... values) {
        nonNull(comparison, "testAny", "comparison");
        nonNull(values, "testAny", "values");
        return several("testAny", variables, skip, comparison, values).testAny();
    }

    /** What {@link #waitUntilSome} would return now, none if it would wait. */
    public final long[] testSome(
            SymmetricBuffer variables, boolean @Nullable [] skip, Comparison comparison, long... values) {
        nonNull(comparison, "testSome", "comparison");
        nonNull(values, "testSome", "values");
        return several("testSome", variables, skip, comparison, values).testSome();
    }

    private WaitSet several(
            String operation,
            SymmetricBuffer variables,
            boolean @Nullable [] skip,
            Comparison comparison,
            long[] values) {
        nonNull(variables, operation, "variables");
        long at = session.place(operation, "variables", variables, 0, variables.count());
        NvshmemType ignored = Types.awaited(operation, variables.type());
        return polled.several(operation, (SymmetricArray) variables, at, skip, comparison, values);
    }

    /** The address of the front of the array on this side of a copy; {@link OneSided} knows how. */
    abstract long local(
            String operation,
            String name,
            Buffer here,
            long index,
            long count,
            SymmetricBuffer there,
            long place,
            int pe);
}
