// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.shmem;

import static org.comm4j.core.spi.Arguments.nonNull;

import java.lang.foreign.MemorySegment;
import org.comm4j.core.Buffer;
import org.comm4j.core.CommunicationEvent;
import org.comm4j.core.DataType;
import org.comm4j.core.SignalOp;
import org.comm4j.core.SymmetricBuffer;
import org.comm4j.core.spi.Events;
import org.comm4j.shmem.Atomic.Operation;

/** Puts that tell of their arrival: a signal is one element of a symmetric {@code INT64} or {@code UINT64} array. */
abstract sealed class SignalOperations extends Atomics permits OneSided {
    SignalOperations(Session session, Engine.Stream stream) {
        super(session, stream);
    }

    /**
     * Copies all of {@code source} to the front of {@code destination} on {@code pe}, then changes the signal there:
     * who sees the signal sees the data ({@code shmem_put_signal}). When the method returns, {@code source} can be used
     * again.
     *
     * @param signal an {@code INT64} or {@code UINT64} array
     * @param index of the signal in it
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
        putSignal(destination, source, source.count(), signal, index, value, op, pe);
    }

    /**
     * {@link #putSignal(SymmetricBuffer, Buffer, SymmetricBuffer, long, long, SignalOp, int)} of the first {@code
     * count} elements.
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
        putSignal("putSignal", false, destination, source, count, signal, index, value, op, pe);
    }

    /**
     * {@link #putSignal(SymmetricBuffer, Buffer, SymmetricBuffer, long, long, SignalOp, int)} that may return earlier:
     * {@code source} must stay as it is until {@link OpenShmem#quiet} ({@code shmem_put_signal_nbi}).
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
        putSignalNbi(destination, source, source.count(), signal, index, value, op, pe);
    }

    /**
     * {@link #putSignalNbi(SymmetricBuffer, Buffer, SymmetricBuffer, long, long, SignalOp, int)} of the first {@code
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
            int pe) {
        putSignal("putSignalNbi", true, destination, source, count, signal, index, value, op, pe);
    }

    private void putSignal(
            String operation,
            boolean later,
            SymmetricBuffer destination,
            Buffer source,
            long count,
            SymmetricBuffer signal,
            long index,
            long value,
            SignalOp op,
            int pe) {
        CommunicationEvent event = Events.begin();
        long to = session.offset(operation, "destination", destination, 0, count);
        MemorySegment from = session.local(operation, "source", source, 0, count, destination);
        long at = signal(operation, signal, index);
        Operation change = change(op, operation);
        int there = pe(operation, pe);
        long bytes = count * destination.type().bytes();
        if (later) {
            session.putNbi(stream, to, from, 0, bytes, there);
        } else {
            session.put(stream, to, from, 0, bytes, there);
        }
        if (!session.engine.allWithinReach) {
            stream.fence();
        }
        long ignored = session.atomic(stream, change, true, at, value, 0, there);
        session.ended(event, operation, destination, count, there);
    }

    /** A signal without data ({@code shmem_signal_set}, {@code shmem_signal_add}). */
    public final void signal(SymmetricBuffer signal, long index, long value, SignalOp op, int pe) {
        CommunicationEvent event = Events.begin();
        long at = signal("signal", signal, index);
        int there = pe("signal", pe);
        long ignored = session.atomic(stream, change(op, "signal"), true, at, value, 0, there);
        session.ended(event, "signal", signal, 1, there);
    }

    private static Operation change(SignalOp op, String operation) {
        return nonNull(op, operation, "op") == SignalOp.SET ? Operation.SET : Operation.ADD;
    }

    /** The place of a signal. */
    final long signal(String operation, SymmetricBuffer signal, long index) {
        nonNull(signal, operation, "signal");
        if (signal.type() != DataType.INT64 && signal.type() != DataType.UINT64) {
            throw new IllegalArgumentException(
                    operation + " on " + session.where() + ": " + signal + " is not of signals (INT64 or UINT64)");
        }
        return session.offset(operation, "signal", signal, index, 1);
    }
}
