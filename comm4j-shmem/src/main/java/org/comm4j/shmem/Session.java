// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.shmem;

import static org.comm4j.core.spi.Arguments.nonNull;

import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicInteger;
import org.comm4j.core.Buffer;
import org.comm4j.core.CommunicationEvent;
import org.comm4j.core.HostArray;
import org.comm4j.core.ReduceOp;
import org.comm4j.core.SymmetricBuffer;
import org.comm4j.ffi.MemoryCopy;
import org.comm4j.ffi.address.Memmove;
import org.jspecify.annotations.Nullable;

/** The engine as one {@link OpenShmem} uses it, with the checks before each use. */
final class Session {
    /** Of events: no PE is meant more than others. */
    static final int NO_PE = -1;

    final Engine engine;
    final MemorySegment memory;
    final long[] heaps;
    final int myPe;
    final int nPes;
    final OpenShmemOptions options;

    /** What those who have opened it have together. */
    private static final class Shared {
        /** How many have opened it and not closed it. */
        private int users;

        /** Copies under way that name memory by its address. */
        private final AtomicInteger moves = new AtomicInteger();

        private volatile boolean closed;
        private boolean ended;
    }

    private final Shared shared;
    private volatile boolean closed;

    Session(Engine engine, OpenShmemOptions options) {
        this(engine, options, new Shared());
    }

    private Session(Engine engine, OpenShmemOptions options, Shared shared) {
        this.shared = shared;
        shared.users++;
        this.options = options;
        this.engine = engine;
        this.memory = engine.memory;
        this.heaps = engine.heaps;
        this.myPe = engine.myPe;
        this.nPes = engine.nPes;
    }

    /** This PE, for messages. */
    String where() {
        return "PE " + myPe + " of " + nPes;
    }

    boolean isOpen() {
        return !closed;
    }

    /** Whether the heap is there; it ends with the last one who has opened it. */
    boolean isHeapOpen() {
        return !shared.closed;
    }

    /** Whether it has the same heap. */
    boolean shares(Session other) {
        return shared == other.shared;
    }

    void check(String operation) {
        if (closed) {
            throw new IllegalStateException(operation + " on " + where() + ": this OpenShmem was closed");
        }
    }

    /** For a further {@link OpenShmem}, which takes what is there. */
    Session again(OpenShmemOptions wanted) {
        if (wanted.engine() != OpenShmemOptions.Engine.AUTO && wanted.engine() != options.engine()
                || wanted.heapBytes() != 0 && wanted.heapBytes() != options.heapBytes()) {
            throw new IllegalArgumentException("init again on " + where() + " with " + wanted
                    + ", but the OpenShmem that is open was made with " + options);
        }
        return new Session(engine, options, shared);
    }

    /** Closes this one; whether it was the last one, and the heap is yet to {@link #end}. */
    boolean leave() {
        if (!closed) {
            closed = true;
            shared.users--;
        }
        return shared.users == 0 && !shared.ended;
    }

    /** Ends the heap; if it throws, it can be tried again. */
    void end() {
        synchronized (shared) {
            shared.closed = true;
            while (shared.moves.get() != 0) {
                Thread.onSpinWait();
            }
            if (!shared.ended) {
                engine.close();
                shared.ended = true;
            }
        }
    }

    /** This PE's own memory. */
    MemorySegment own(long offset, long bytes) {
        return memory.asSlice(heaps[myPe] + offset, bytes);
    }

    /** The place of elements of a symmetric array in every heap. */
    long offset(String operation, String name, SymmetricBuffer buffer, long index, long count) {
        if (!(buffer instanceof SymmetricArray array)
                || array.session != this && !shares(array.session)
                || array.isFreed()
                || closed) {
            throw unusable(operation, name, buffer);
        }
        if (index < 0 || count < 0 || index > array.count() - count) {
            throw new IndexOutOfBoundsException(operation + " on " + where() + ": " + name + ": " + count
                    + " elements at " + index + " leave " + array);
        }
        return array.offset + index * array.type().bytes();
    }

    /** Where elements of a symmetric array lie in {@link #memory}, in this PE's own copy. */
    long own(String operation, String name, SymmetricBuffer array, long index, long count) {
        return heaps[myPe] + offset(operation, name, array, index, count);
    }

    private RuntimeException unusable(String operation, String name, SymmetricBuffer array) {
        check(operation);
        return !(nonNull(array, operation, name) instanceof SymmetricArray own) || !shares(own.session)
                ? new IllegalArgumentException(
                        operation + " on " + where() + ": " + name + " " + array + " belongs to another OpenShmem")
                : new IllegalStateException(operation + " on " + where() + ": " + name + " " + array + " was freed");
    }

    int checkPe(String operation, int pe) {
        if (pe < 0 || pe >= nPes) {
            throw new IllegalArgumentException(
                    operation + " on " + where() + ": PE " + pe + " is not one of 0 to " + (nPes - 1));
        }
        return pe;
    }

    /** The memory of the array on this side of a copy; {@code count} is not negative. */
    MemorySegment local(String operation, String name, Buffer buffer, long index, long count, SymmetricBuffer there) {
        if (!(buffer instanceof HostArray local)) {
            throw new IllegalArgumentException(operation + " on " + where() + ": " + name + " "
                    + nonNull(buffer, operation, name) + " is not in host memory");
        }
        if (local.type() != there.type()) {
            throw new IllegalArgumentException(
                    operation + " on " + where() + ": " + name + " " + local + " does not have the type of " + there);
        }
        if (index < 0 || index > local.count() - count) {
            throw new IndexOutOfBoundsException(operation + " on " + where() + ": " + name + ": " + count
                    + " elements at " + index + " leave " + local);
        }
        if (!local.isAlive()) {
            throw new IllegalStateException(operation + " on " + where() + ": " + name + " " + local + " was freed");
        }
        return local.segment();
    }

    /** {@link #local} of memory that the call writes. */
    MemorySegment writable(
            String operation, String name, Buffer buffer, long index, long count, SymmetricBuffer there) {
        MemorySegment memory = local(operation, name, buffer, index, count, there);
        if (memory.isReadOnly()) {
            throw new IllegalArgumentException(
                    operation + " on " + where() + ": the memory of " + name + " " + buffer + " is read-only");
        }
        return memory;
    }

    /** Whether atomics and waits on integers of the array are of 64 bits, else of 32. */
    boolean isWide(String operation, SymmetricBuffer array) {
        return switch (nonNull(array, operation, "array").type()) {
            case INT64, UINT64 -> true;
            case INT32, UINT32 -> false;
            default ->
                throw new IllegalArgumentException(
                        operation + " on " + where() + ": " + array + " is not of integers of 32 or 64 bits");
        };
    }

    // ---- flight recorder ----

    /**
     * The call whose beginning {@code event} is has done something with elements of an array on {@code pe}; null where
     * nobody records.
     */
    void ended(@Nullable CommunicationEvent event, String operation, SymmetricBuffer array, long count, int pe) {
        if (event != null) {
            commit(event, operation, where(), array, count, null, pe);
        }
    }

    /** The call was for no elements and no PE. */
    void ended(@Nullable CommunicationEvent event, String operation) {
        if (event != null) {
            commit(event, operation, where(), null, 0, null, NO_PE);
        }
    }

    /** The call was a synchronisation of a team. */
    void ended(@Nullable CommunicationEvent event, String operation, Team team) {
        if (event != null) {
            commit(event, operation, team, null, 0, null, NO_PE);
        }
    }

    /** The call was a collective of a team. */
    void ended(
            @Nullable CommunicationEvent event,
            String operation,
            Team team,
            SymmetricBuffer array,
            long count,
            @Nullable ReduceOp op,
            int root) {
        if (event != null) {
            commit(event, operation, team, array, count, op, root);
        }
    }

    private void commit(
            CommunicationEvent event,
            String operation,
            Object among,
            @Nullable SymmetricBuffer array,
            long count,
            @Nullable ReduceOp op,
            int peer) {
        event.end();
        event.operation = operation;
        event.engine = options.engine().toString();
        event.communicator = among.toString();
        event.rank = myPe;
        event.size = nPes;
        event.peer = peer;
        event.reduceOp = op == null ? "" : op.name();
        if (array != null) {
            event.dataType = array.type().name();
            event.bytes = count * array.type().bytes();
        }
        event.commit();
    }

    // ---- moves, everything checked ----

    /** Copies to the heap of {@code pe}. */
    void put(Engine.Stream stream, long to, MemorySegment source, long sourceAt, long bytes, int pe) {
        long heap = heaps[pe];
        if (heap >= 0) {
            copy(source, sourceAt, memory, heap + to, bytes);
            engine.written(pe);
        } else if (bytes > 0) {
            stream.put(to, source, sourceAt, bytes, pe);
        }
    }

    /** {@link #put} that may read the source until the stream's quiet. */
    void putNbi(Engine.Stream stream, long to, MemorySegment source, long sourceAt, long bytes, int pe) {
        if (heaps[pe] >= 0) {
            put(stream, to, source, sourceAt, bytes, pe);
        } else if (bytes > 0) {
            stream.putNbi(to, source, sourceAt, bytes, pe);
        }
    }

    /** Copies from the heap of {@code pe}. */
    void get(Engine.Stream stream, MemorySegment destination, long destinationAt, long from, long bytes, int pe) {
        long heap = heaps[pe];
        if (heap >= 0) {
            copy(memory, heap + from, destination, destinationAt, bytes);
        } else if (bytes > 0) {
            stream.get(destination, destinationAt, from, bytes, pe);
        }
    }

    /** {@link #get} that may fill the destination until the stream's quiet. */
    void getNbi(Engine.Stream stream, MemorySegment destination, long destinationAt, long from, long bytes, int pe) {
        if (heaps[pe] >= 0) {
            get(stream, destination, destinationAt, from, bytes, pe);
        } else if (bytes > 0) {
            stream.getNbi(destination, destinationAt, from, bytes, pe);
        }
    }

    /** Copies from one place of {@link #memory} to another. */
    void copyWithin(long from, long to, long bytes) {
        copy(memory, from, memory, to, bytes);
    }

    private void copy(MemorySegment from, long fromAt, MemorySegment to, long toAt, long bytes) {
        if (bytes < MemoryCopy.LARGE) {
            // Pieces, because the JVM copies a few bytes without a call only where it sees that two segments are apart,
            // and memory is all heaps. The compiler removes these objects.
            MemorySegment.copy(from.asSlice(fromAt, bytes), 0, to.asSlice(toAt, bytes), 0, bytes);
        } else if (isOfHeap(from) && isOfHeap(to) && !to.isReadOnly()) {
            moveWithinHeap(to.address() + toAt, from.address() + fromAt, bytes);
        } else {
            MemoryCopy.copy(from, fromAt, to, toAt, bytes);
        }
    }

    /**
     * By addresses, which unlike segments takes no object; so nothing but the count of moves keeps the memory while C
     * works on it.
     */
    private void moveWithinHeap(long to, long from, long bytes) {
        shared.moves.incrementAndGet();
        try {
            check("copy");
            Memmove.move(to, from, bytes);
        } finally {
            shared.moves.decrementAndGet();
        }
    }

    private boolean isOfHeap(MemorySegment segment) {
        return segment.scope().equals(memory.scope());
    }

    /** An atomic operation on the heap of {@code pe}; returns what was there, 32 bits sign-extended. */
    long atomic(
            Engine.Stream stream,
            Atomic.Operation operation,
            boolean wide,
            long offset,
            long value,
            long condition,
            int pe) {
        if (!engine.allWithinReach) {
            return stream.atomic(operation, wide, offset, value, condition, pe);
        }
        long at = heaps[pe] + offset;
        long old = wide
                ? Atomic.wide(operation, memory, at, value, condition)
                : Atomic.narrow(operation, memory, at, (int) value, (int) condition);
        if (operation != Atomic.Operation.FETCH) {
            engine.written(pe);
        }
        return old;
    }
}
