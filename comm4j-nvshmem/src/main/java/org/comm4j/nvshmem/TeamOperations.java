// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.nvshmem;

import static org.comm4j.core.spi.Arguments.nonNull;

import java.util.Objects;
import org.comm4j.core.DataType;
import org.comm4j.core.PgasTeam;
import org.comm4j.core.ReduceOp;
import org.comm4j.core.SymmetricBuffer;
import org.comm4j.cuda.Stream;
import org.comm4j.ffi.NativeCallException;
import org.comm4j.ffi.handle.CUstream;
import org.comm4j.ffi.nvshmem.LibNvshmem;
import org.comm4j.ffi.nvshmem.NvshmemType;
import org.comm4j.nvshmem.Connections.Kind;
import org.jspecify.annotations.Nullable;

/**
 * The collective operations of a {@link Team}. Every member calls the same operation with the same counts and the same
 * places of the symmetric heap, and the collectives of a team in the same order, in streams that run them in that
 * order.
 *
 * <p>With a {@link Stream} the operation is put into it, and the method returns; without one it goes through a stream
 * of its own and has ended when the method returns, or the wait for it ends with {@link
 * org.comm4j.core.RankFailedException} or, after {@link Nvshmem#timeout()}, {@link
 * org.comm4j.core.CommTimeoutException}, and the PEs are out of step.
 *
 * <p>Members write into each other's destinations as soon as they have begun, perhaps before this one has: whoever
 * still reads or writes his own must be done before any other member begins, which a {@link #sync} makes sure of. When
 * the operation has ended on this PE, its source may be used again, and its destination is complete; other members may
 * be behind.
 *
 * <p>An operation on no elements does nothing and waits for nobody.
 */
abstract sealed class TeamOperations implements PgasTeam permits Team {
    private static final int NO_ROOT = -1;

    final Session session;
    /** {@code nvshmem_team_t}. */
    final int handle;

    private final Connections connections = new Connections();

    final InPlaceReduction inPlace = new InPlaceReduction(this);

    TeamOperations(Session session, int handle) {
        this.session = session;
        this.handle = handle;
    }

    /** @throws IllegalStateException after close, of the team or of all */
    abstract void check(String operation);

    // ---- barrier, sync ----

    /**
     * Orders all members: what was put into {@code stream} on any of them before is done when the stream passes this
     * ({@code nvshmemx_barrier_on_stream}).
     */
    public final void barrier(Stream stream) {
        CUstream queue = enter("barrier", stream, null, 0, null, NO_ROOT);
        try {
            LibNvshmem.nvshmemx_barrier_on_stream(handle, queue);
            session.note(stream, "barrier", this, 0, null, 0);
        } catch (NativeCallException e) {
            throw failed("barrier", 0, e);
        } finally {
            session.leave();
        }
    }

    /** {@link #barrier(Stream)}, waited for ({@code nvshmem_barrier}). */
    @Override
    public final void barrier() {
        barrier(session.own);
        session.complete("barrier");
    }

    /**
     * Orders all members as {@link #barrier(Stream)} does, but puts of other PEs need not have arrived
     * ({@code nvshmemx_team_sync_on_stream}).
     */
    public final void sync(Stream stream) {
        CUstream queue = enter("sync", stream, null, 0, null, NO_ROOT);
        try {
            LibNvshmem.nvshmemx_team_sync_on_stream(handle, queue);
            session.note(stream, "sync", this, 0, null, 0);
        } catch (NativeCallException e) {
            throw failed("sync", 0, e);
        } finally {
            session.leave();
        }
    }

    /** {@link #sync(Stream)}, waited for ({@code nvshmem_team_sync}). */
    @Override
    public final void sync() {
        sync(session.own);
        session.complete("sync");
    }

    // ---- reduce ----

    /**
     * Combines the sources of all members, element by element, into every member's destination
     * ({@code nvshmemx_<T>_<op>_reduce_on_stream}).
     *
     * @param destination of the count of {@code source}; the same memory, or apart from it
     * @throws IllegalArgumentException if types or counts differ, or the two overlap in part
     * @throws UnsupportedOperationException if NVSHMEM has no such reduction: there is no AVG, none of float8, SUM only
     *     of complex numbers
     */
    public final void reduce(SymmetricBuffer destination, SymmetricBuffer source, ReduceOp op, Stream stream) {
        nonNull(destination, "reduce", "destination");
        nonNull(source, "reduce", "source");
        checkCounts("reduce", destination, source, source.count(), 1, 1);
        reduce(destination, source, source.count(), op, stream);
    }

    /** {@link #reduce(SymmetricBuffer, SymmetricBuffer, ReduceOp, Stream)} of the first {@code count} elements. */
    public final void reduce(
            SymmetricBuffer destination, SymmetricBuffer source, long count, ReduceOp op, Stream stream) {
        nonNull(source, "reduce", "source");
        NvshmemType type = reduced("reduce", op, source.type());
        long to = session.place("reduce", "destination", destination, 0, count);
        long from = session.place("reduce", "source", source, 0, count);
        checkPair("reduce", destination, to, count, source, from, count, true);
        Kind kind = to == from && size() > 2 ? Kind.REDUCE_IN_PLACE : Kind.REDUCE;
        enqueue(kind, type, op, NO_ROOT, destination, to, source, from, count, stream);
    }

    /**
     * {@link #reduce(SymmetricBuffer, SymmetricBuffer, ReduceOp, Stream)}, waited for ({@code
     * nvshmem_<T>_<op>_reduce}).
     */
    @Override
    public final void reduce(SymmetricBuffer destination, SymmetricBuffer source, ReduceOp op) {
        nonNull(destination, "reduce", "destination");
        nonNull(source, "reduce", "source");
        reduce(destination, source, op, session.own);
        session.complete("reduce");
    }

    /** {@link #reduce(SymmetricBuffer, SymmetricBuffer, ReduceOp)} of the first {@code count} elements. */
    @Override
    public final void reduce(SymmetricBuffer destination, SymmetricBuffer source, long count, ReduceOp op) {
        nonNull(source, "reduce", "source");
        reduce(destination, source, count, op, session.own);
        session.complete("reduce");
    }

    private void reduce(NvshmemType type, ReduceOp op, long to, long from, long count, CUstream queue) {
        switch (op) {
            case SUM -> LibNvshmem.nvshmemx_sum_reduce_on_stream(type, handle, to, from, count, queue);
            case PROD -> LibNvshmem.nvshmemx_prod_reduce_on_stream(type, handle, to, from, count, queue);
            case MIN -> LibNvshmem.nvshmemx_min_reduce_on_stream(type, handle, to, from, count, queue);
            case MAX -> LibNvshmem.nvshmemx_max_reduce_on_stream(type, handle, to, from, count, queue);
            case BAND -> LibNvshmem.nvshmemx_and_reduce_on_stream(type, handle, to, from, count, queue);
            case BOR -> LibNvshmem.nvshmemx_or_reduce_on_stream(type, handle, to, from, count, queue);
            case BXOR -> LibNvshmem.nvshmemx_xor_reduce_on_stream(type, handle, to, from, count, queue);
            case AVG -> throw new AssertionError(op);
        }
    }

    // ---- reduceScatter ----

    /**
     * Combines the sources of all members, element by element, and gives each member its part: member m gets the m-th
     * ({@code nvshmemx_<T>_<op>_reducescatter_on_stream}).
     *
     * @param destination one part
     * @param source a part for each member, in their order, apart from {@code destination}
     * @throws IllegalArgumentException if types differ, the counts do not fit, or the two overlap
     * @throws UnsupportedOperationException if NVSHMEM has no such reduction: there is no AVG, none of float8, SUM only
     *     of complex numbers
     */
    public final void reduceScatter(SymmetricBuffer destination, SymmetricBuffer source, ReduceOp op, Stream stream) {
        nonNull(destination, "reduceScatter", "destination");
        nonNull(source, "reduceScatter", "source");
        nonNull(stream, "reduceScatter", "stream");
        checkCounts("reduceScatter", destination, source, destination.count(), 1, size());
        reduceScatter(destination, source, destination.count(), op, stream);
    }

    /**
     * {@link #reduceScatter(SymmetricBuffer, SymmetricBuffer, ReduceOp, Stream)} with parts of {@code count} elements,
     * one behind the other from the front of {@code source}.
     */
    public final void reduceScatter(
            SymmetricBuffer destination, SymmetricBuffer source, long count, ReduceOp op, Stream stream) {
        nonNull(source, "reduceScatter", "source");
        NvshmemType type = reduced("reduceScatter", op, source.type());
        long to = session.place("reduceScatter", "destination", destination, 0, count);
        long from = session.place("reduceScatter", "source", source, 0, parts("reduceScatter", count));
        checkPair("reduceScatter", destination, to, count, source, from, count * size(), false);
        enqueue(Kind.REDUCE_SCATTER, type, op, NO_ROOT, destination, to, source, from, count, stream);
    }

    /**
     * {@link #reduceScatter(SymmetricBuffer, SymmetricBuffer, ReduceOp, Stream)}, waited for ({@code
     * nvshmem_<T>_<op>_reducescatter}).
     */
    @Override
    public final void reduceScatter(SymmetricBuffer destination, SymmetricBuffer source, ReduceOp op) {
        nonNull(destination, "reduceScatter", "destination");
        nonNull(source, "reduceScatter", "source");
        reduceScatter(destination, source, op, session.own);
        session.complete("reduceScatter");
    }

    /** {@link #reduceScatter(SymmetricBuffer, SymmetricBuffer, ReduceOp)} with parts of {@code count} elements. */
    @Override
    public final void reduceScatter(SymmetricBuffer destination, SymmetricBuffer source, long count, ReduceOp op) {
        nonNull(source, "reduceScatter", "source");
        reduceScatter(destination, source, count, op, session.own);
        session.complete("reduceScatter");
    }

    private void reduceScatter(NvshmemType type, ReduceOp op, long to, long from, long count, CUstream queue) {
        switch (op) {
            case SUM -> LibNvshmem.nvshmemx_sum_reducescatter_on_stream(type, handle, to, from, count, queue);
            case PROD -> LibNvshmem.nvshmemx_prod_reducescatter_on_stream(type, handle, to, from, count, queue);
            case MIN -> LibNvshmem.nvshmemx_min_reducescatter_on_stream(type, handle, to, from, count, queue);
            case MAX -> LibNvshmem.nvshmemx_max_reducescatter_on_stream(type, handle, to, from, count, queue);
            case BAND -> LibNvshmem.nvshmemx_and_reducescatter_on_stream(type, handle, to, from, count, queue);
            case BOR -> LibNvshmem.nvshmemx_or_reducescatter_on_stream(type, handle, to, from, count, queue);
            case BXOR -> LibNvshmem.nvshmemx_xor_reducescatter_on_stream(type, handle, to, from, count, queue);
            case AVG -> throw new AssertionError(op);
        }
    }

    // ---- broadcast ----

    /**
     * Copies the source of one member to every member's destination, its own too ({@code
     * nvshmemx_<T>_broadcast_on_stream}).
     *
     * @param destination of the count of {@code source}; the same memory, or apart from it
     * @param source every member passes it; only the root's is read
     * @param root the member's number in this team ({@link Team#memberOf} finds that of a PE)
     * @throws IllegalArgumentException if types or counts differ, {@code root} is no member, or the two overlap in part
     */
    public final void broadcast(SymmetricBuffer destination, SymmetricBuffer source, int root, Stream stream) {
        nonNull(destination, "broadcast", "destination");
        nonNull(source, "broadcast", "source");
        checkCounts("broadcast", destination, source, source.count(), 1, 1);
        broadcast(destination, source, source.count(), root, stream);
    }

    /** {@link #broadcast(SymmetricBuffer, SymmetricBuffer, int, Stream)} of the first {@code count} elements. */
    public final void broadcast(
            SymmetricBuffer destination, SymmetricBuffer source, long count, int root, Stream stream) {
        if (root < 0 || root >= size()) {
            throw new IllegalArgumentException("broadcast on " + session.where() + ": root " + root
                    + " is not a member's number in " + this + ", which are 0 to " + (size() - 1));
        }
        long to = session.place("broadcast", "destination", destination, 0, count);
        long from = session.place("broadcast", "source", source, 0, count);
        checkPair("broadcast", destination, to, count, source, from, count, true);
        enqueue(Kind.BROADCAST, Types.moved(source.type()), null, root, destination, to, source, from, count, stream);
    }

    /**
     * {@link #broadcast(SymmetricBuffer, SymmetricBuffer, int, Stream)}, waited for ({@code nvshmem_<T>_broadcast}).
     */
    @Override
    public final void broadcast(SymmetricBuffer destination, SymmetricBuffer source, int root) {
        nonNull(destination, "broadcast", "destination");
        nonNull(source, "broadcast", "source");
        broadcast(destination, source, root, session.own);
        session.complete("broadcast");
    }

    /** {@link #broadcast(SymmetricBuffer, SymmetricBuffer, int)} of the first {@code count} elements. */
    @Override
    public final void broadcast(SymmetricBuffer destination, SymmetricBuffer source, long count, int root) {
        broadcast(destination, source, count, root, session.own);
        session.complete("broadcast");
    }

    // ---- fcollect ----

    /**
     * Gives every member the sources of all, one behind the other in their order; an all-gather
     * ({@code nvshmemx_<T>_fcollect_on_stream}).
     *
     * @param destination as many times the count of {@code source} as there are members
     * @param source apart from {@code destination}
     * @throws IllegalArgumentException if types differ, the counts do not fit, or the two overlap
     */
    public final void fcollect(SymmetricBuffer destination, SymmetricBuffer source, Stream stream) {
        nonNull(destination, "fcollect", "destination");
        nonNull(source, "fcollect", "source");
        nonNull(stream, "fcollect", "stream");
        checkCounts("fcollect", destination, source, source.count(), size(), 1);
        fcollect(destination, source, source.count(), stream);
    }

    /**
     * {@link #fcollect(SymmetricBuffer, SymmetricBuffer, Stream)} of the first {@code count} elements of each source.
     */
    public final void fcollect(SymmetricBuffer destination, SymmetricBuffer source, long count, Stream stream) {
        long to = session.place("fcollect", "destination", destination, 0, parts("fcollect", count));
        long from = session.place("fcollect", "source", source, 0, count);
        checkPair("fcollect", destination, to, count * size(), source, from, count, false);
        enqueue(Kind.FCOLLECT, Types.moved(source.type()), null, NO_ROOT, destination, to, source, from, count, stream);
    }

    /** {@link #fcollect(SymmetricBuffer, SymmetricBuffer, Stream)}, waited for ({@code nvshmem_<T>_fcollect}). */
    @Override
    public final void fcollect(SymmetricBuffer destination, SymmetricBuffer source) {
        nonNull(destination, "fcollect", "destination");
        nonNull(source, "fcollect", "source");
        fcollect(destination, source, session.own);
        session.complete("fcollect");
    }

    /** {@link #fcollect(SymmetricBuffer, SymmetricBuffer)} of the first {@code count} elements of each source. */
    @Override
    public final void fcollect(SymmetricBuffer destination, SymmetricBuffer source, long count) {
        fcollect(destination, source, count, session.own);
        session.complete("fcollect");
    }

    // ---- allToAll ----

    /**
     * Gives every member a part of every member's source: member m gets the m-th part of each, one behind the other in
     * their order ({@code nvshmemx_<T>_alltoall_on_stream}).
     *
     * @param destination of the count of {@code source}, which is a multiple of the number of members
     * @param source apart from {@code destination}
     * @throws IllegalArgumentException if types differ, the counts do not fit, or the two overlap
     */
    public final void allToAll(SymmetricBuffer destination, SymmetricBuffer source, Stream stream) {
        nonNull(destination, "allToAll", "destination");
        nonNull(source, "allToAll", "source");
        nonNull(stream, "allToAll", "stream");
        checkCounts("allToAll", destination, source, source.count() / size(), size(), size());
        allToAll(destination, source, source.count() / size(), stream);
    }

    /**
     * {@link #allToAll(SymmetricBuffer, SymmetricBuffer, Stream)} with parts of {@code count} elements, one behind the
     * other from the front of both arrays.
     */
    public final void allToAll(SymmetricBuffer destination, SymmetricBuffer source, long count, Stream stream) {
        long all = parts("allToAll", count);
        long to = session.place("allToAll", "destination", destination, 0, all);
        long from = session.place("allToAll", "source", source, 0, all);
        checkPair("allToAll", destination, to, all, source, from, all, false);
        enqueue(
                Kind.ALL_TO_ALL,
                Types.moved(source.type()),
                null,
                NO_ROOT,
                destination,
                to,
                source,
                from,
                count,
                stream);
    }

    /** {@link #allToAll(SymmetricBuffer, SymmetricBuffer, Stream)}, waited for ({@code nvshmem_<T>_alltoall}). */
    @Override
    public final void allToAll(SymmetricBuffer destination, SymmetricBuffer source) {
        nonNull(destination, "allToAll", "destination");
        nonNull(source, "allToAll", "source");
        allToAll(destination, source, session.own);
        session.complete("allToAll");
    }

    /** {@link #allToAll(SymmetricBuffer, SymmetricBuffer)} with parts of {@code count} elements. */
    @Override
    public final void allToAll(SymmetricBuffer destination, SymmetricBuffer source, long count) {
        allToAll(destination, source, count, session.own);
        session.complete("allToAll");
    }

    // ---- all of them ----

    /**
     * Puts a collective into {@code stream}, after its checks.
     *
     * @param to the address of the destination
     * @param from the address of the source
     * @param count of what the kind counts
     */
    private void enqueue(
            Kind kind,
            NvshmemType type,
            @Nullable ReduceOp op,
            int root,
            SymmetricBuffer destination,
            long to,
            SymmetricBuffer source,
            long from,
            long count,
            Stream stream) {
        CUstream queue = enter(kind.operation, stream, source, count, op, root);
        try {
            if (count > 0) {
                Session.use(destination, stream);
                Session.use(source, stream);
                long elements = count * Types.units(source.type());
                long call = Connections.call(kind, type, op, elements);
                if (connections.have(call)) {
                    call(kind, type, op, root, to, from, elements, source.type(), stream, queue);
                } else {
                    // One that is like none before may block until all members make it.
                    session.connect(
                            kind.operation + " of " + elements + " elements of " + this,
                            () -> call(kind, type, op, root, to, from, elements, source.type(), stream, queue));
                    connections.add(call);
                }
                session.note(stream, kind.operation, this, 0, null, 0);
            }
        } catch (NativeCallException e) {
            throw failed(kind.operation, count, e);
        } finally {
            session.leave();
        }
    }

    private void call(
            Kind kind,
            NvshmemType type,
            @Nullable ReduceOp op,
            int root,
            long to,
            long from,
            long elements,
            DataType of,
            Stream stream,
            CUstream queue) {
        switch (kind) {
            case REDUCE -> reduce(type, Objects.requireNonNull(op), to, from, elements, queue);
            case REDUCE_IN_PLACE ->
                inPlace.run(
                        Objects.requireNonNull(op),
                        Types.part(of),
                        to,
                        elements,
                        stream,
                        (at, count) -> reduce(type, Objects.requireNonNull(op), at, at, count, queue));
            case REDUCE_SCATTER -> reduceScatter(type, Objects.requireNonNull(op), to, from, elements, queue);
            case BROADCAST -> LibNvshmem.nvshmemx_broadcast_on_stream(type, handle, to, from, elements, root, queue);
            case FCOLLECT -> LibNvshmem.nvshmemx_fcollect_on_stream(type, handle, to, from, elements, queue);
            case ALL_TO_ALL -> LibNvshmem.nvshmemx_alltoall_on_stream(type, handle, to, from, elements, queue);
        }
    }

    // ---- checks ----

    private CUstream enter(
            String operation,
            Stream stream,
            @Nullable SymmetricBuffer source,
            long count,
            @Nullable ReduceOp op,
            int root) {
        check(operation);
        return session.enter(operation, stream, (Team) this, source, count, op, root);
    }

    private NvshmemType reduced(String operation, ReduceOp op, DataType type) {
        if (!Types.reduces(nonNull(op, operation, "op"), type)) {
            throw new UnsupportedOperationException(
                    operation + " of " + this + " on " + session.where() + ": " + Types.whyNot(op, type));
        }
        return Types.moved(type);
    }

    /** The elements of a part for each member. */
    private long parts(String operation, long count) {
        if (count > Long.MAX_VALUE / size()) {
            throw new IllegalArgumentException(operation + " of " + this + " on " + session.where() + ": " + size()
                    + " parts of " + count + " elements are more than memory can hold");
        }
        return count * size();
    }

    /** Whether the arrays are as long as so many parts of {@code count} elements. */
    private void checkCounts(
            String operation,
            SymmetricBuffer destination,
            SymmetricBuffer source,
            long count,
            int destinationParts,
            int sourceParts) {
        if (destination.count() != count * destinationParts || source.count() != count * sourceParts) {
            throw new IllegalArgumentException(operation + " of " + this + " on " + session.where() + ": destination "
                    + destination + " and source " + source + " do not fit together; "
                    + fit(destinationParts, sourceParts)
                    + ", or pass a count");
        }
    }

    private String fit(int destinationParts, int sourceParts) {
        if (destinationParts == sourceParts) {
            return destinationParts == 1
                    ? "they have the same count"
                    : "they have the same count, a multiple of " + destinationParts;
        }
        return destinationParts > sourceParts
                ? "destination has " + destinationParts + " times the count of source"
                : "source has " + sourceParts + " times the count of destination";
    }

    /** Types are the same, and memory is apart, or, where that is allowed, the same. */
    private void checkPair(
            String operation,
            SymmetricBuffer destination,
            long to,
            long destinationCount,
            SymmetricBuffer source,
            long from,
            long sourceCount,
            boolean inPlace) {
        if (destination.type() != source.type()) {
            throw new IllegalArgumentException(operation + " of " + this + " on " + session.where() + ": destination "
                    + destination + " does not have the type of source " + source);
        }
        int bytes = source.type().bytes();
        if (to < from + sourceCount * bytes && from < to + destinationCount * bytes && !(inPlace && to == from)) {
            throw new IllegalArgumentException(operation + " of " + this + " on " + session.where() + ": destination "
                    + destination + " overlaps source " + source
                    + (inPlace
                            ? "; in place both begin at the same element"
                            : "; this operation has no in-place form"));
        }
    }

    private NvshmemException failed(String operation, long count, NativeCallException e) {
        return new NvshmemException(
                operation + " of " + this + " on " + session.where() + (count > 0 ? ", " + count + " elements" : ""),
                e);
    }
}
