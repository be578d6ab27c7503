// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.core;

import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A group of ranks that communicate with each other, whatever the engine. This interface is what the engines have in
 * common; their own classes add the rest.
 *
 * <p>The operations of {@link Operations} block until this rank's part is done and its buffers may be used again. Their
 * {@code …Async} twins return at once; operations of one communicator run in the order in which they were called,
 * blocking and asynchronous ones alike. A communicator may be used from several threads, but the order in which their
 * calls arrive is then the program's business.
 *
 * <p>A wait ends with {@link RankFailedException} when a rank that it needs died, and with {@link CommTimeoutException}
 * when a {@linkplain #timeout() timeout} is set and has passed. After either the communicator is out of step with the
 * other ranks and good for nothing but {@link #shrink()} and {@link #close()}. So it is after a {@link
 * CollectiveMismatchException} of the engine {@code host} because ranks called different collectives, unless in checked
 * mode.
 */
public interface Communicator extends GroupedOperations, AutoCloseable {

    /** This process's number among the ranks, from 0 to {@link #size()} − 1. */
    int rank();

    /** Returns the number of ranks. */
    int size();

    /** Returns the name of the engine: {@code host}, {@code mpi}, {@code nccl} or {@code nvshmem}. */
    String engine();

    /**
     * Returns zeroed memory from which this engine communicates fastest; not collective. It is freed by {@link #free},
     * or with the communicator. Any other buffer that the engine can reach works, too, with a copy more where the
     * engine needs one. Where the memory is, is the engine's business: {@link Buffer#copyFrom} and {@link
     * Buffer#copyTo} exchange it with the host.
     */
    Buffer allocate(DataType type, long count);

    /**
     * Frees memory of {@link #allocate} ({@code ncclMemFree}, {@code MPI_Free_mem}); not collective. Slices and views
     * of it are dead then, too: using one is an {@link IllegalStateException}. Operations of this communicator may
     * still use the memory: on the host this waits for them, on a GPU the memory goes when streams have passed them.
     * Operations of other communicators on it have ended.
     *
     * @param buffer what {@link #allocate} returned, no slice or view of it
     * @throws IllegalArgumentException if it is not that, or another communicator's
     * @throws IllegalStateException if it was freed, or with the communicator; if the memory is known to be in use; in
     *     the body of a group
     */
    void free(Buffer buffer);

    /**
     * Returns the limit of every wait; {@link Duration#ZERO}, the default unless {@code COMM4J_TIMEOUT} is set, means
     * none.
     */
    Duration timeout();

    /** Sets the limit of every wait from now on. {@link Duration#ZERO}: no limit. */
    void timeout(Duration timeout);

    /** Returns when every rank has called it ({@code MPI_Barrier}). */
    void barrier();

    /**
     * Collective: ranks that pass the same {@code color} form a new communicator, numbered in the order of {@code key}
     * and, where keys are equal, of the ranks here ({@code ncclCommSplit}, {@code MPI_Comm_split}).
     *
     * @param color at least 0, or −1 for a rank that takes no part
     * @return the new communicator, null for a rank that passed −1
     */
    @Nullable
    Communicator split(int color, int key);

    /**
     * Returns the ranks of this communicator that are known to have died, in ascending order, numbered as here. Never
     * waits; cheap enough to be asked in a waiting loop ({@code MPIX_Comm_get_failed}).
     *
     * @throws UnsupportedOperationException if the engine cannot go on without ranks; the message says why
     */
    List<Integer> failedRanks();

    /**
     * Collective over the ranks that live: a communicator of these, in their order here, after all have agreed on who
     * is gone ({@code MPIX_Comm_shrink}, {@code ncclCommShrink}). Gone is who has died or closed its world. It is
     * called after a {@link RankFailedException} or {@link CommTimeoutException}, by every rank that lives, whether it
     * has met an exception or not. A rank that dies meanwhile is left out, too.
     *
     * <p>This communicator is good for nothing but {@link #close()} afterwards, which may happen before the new one is
     * used. The new one has its timeout. The memory of the dead is left alone.
     *
     * <pre>{@code
     * try {
     *     comm.allReduce(x, x, ReduceOp.SUM);
     * } catch (CommException e) {
     *     Communicator rest = comm.shrink();
     *     comm.close();
     *     comm = rest;
     * }
     * }</pre>
     *
     * <p>The other ranks of a job live on only if its launcher lets them: {@code comm4j run --keep-going}.
     *
     * @throws CommTimeoutException if a rank that lives does not call it within {@link #timeout()}, or the world's if
     *     that is none; it may be called again
     * @throws IllegalStateException if the ranks were started without a {@link World}, or this communicator is closed
     * @throws UnsupportedOperationException if the engine cannot go on without ranks; the message says why
     */
    Communicator shrink();

    /**
     * Runs several operations as one ({@code ncclGroupStart}/{@code ncclGroupEnd}): sends and receives of a group make
     * progress together, so ranks can exchange without deadlock. {@code body} only collects and checks; the operations
     * start when it returned normally, and none of them does when it throws.
     *
     * @throws IllegalStateException also in {@code body}, if it calls this communicator instead of what it was given
     * @throws IllegalArgumentException also if one operation writes memory that another one uses: they may run at the
     *     same time
     */
    @Override
    void group(Consumer<Operations> body);

    /** {@link #group} that returns at once. */
    Request groupAsync(Consumer<Operations> body);

    /**
     * Returns operations that are collected and checked now, and done as often as the program says (MPI persistent
     * communication). Nothing is sent here. On engines in host memory a call of what is returned allocates nothing.
     *
     * @param body of a {@link #group}; its buffers stay in memory as long as they are used
     */
    default PersistentGroup persistent(Consumer<Operations> body) {
        return new RepeatedGroup(this, body);
    }

    default Request allReduceAsync(Buffer send, Buffer recv, ReduceOp op) {
        return groupAsync(g -> g.allReduce(send, recv, op));
    }

    default Request reduceAsync(Buffer send, @Nullable Buffer recv, ReduceOp op, int root) {
        return groupAsync(g -> g.reduce(send, recv, op, root));
    }

    default Request broadcastAsync(Buffer buffer, int root) {
        return groupAsync(g -> g.broadcast(buffer, root));
    }

    default Request broadcastAsync(@Nullable Buffer send, Buffer recv, int root) {
        return groupAsync(g -> g.broadcast(send, recv, root));
    }

    default Request allGatherAsync(Buffer send, Buffer recv) {
        return groupAsync(g -> g.allGather(send, recv));
    }

    default Request allGatherVAsync(Buffer send, Buffer recv, long[] counts, long[] offsets) {
        return groupAsync(g -> g.allGatherV(send, recv, counts, offsets));
    }

    default Request reduceScatterAsync(Buffer send, Buffer recv, ReduceOp op) {
        return groupAsync(g -> g.reduceScatter(send, recv, op));
    }

    default Request allToAllAsync(Buffer send, Buffer recv) {
        return groupAsync(g -> g.allToAll(send, recv));
    }

    default Request allToAllVAsync(
            Buffer send, long[] sendCounts, long[] sendOffsets, Buffer recv, long[] recvCounts, long[] recvOffsets) {
        return groupAsync(g -> g.allToAllV(send, sendCounts, sendOffsets, recv, recvCounts, recvOffsets));
    }

    default Request gatherAsync(Buffer send, @Nullable Buffer recv, int root) {
        return groupAsync(g -> g.gather(send, recv, root));
    }

    default Request scatterAsync(@Nullable Buffer send, Buffer recv, int root) {
        return groupAsync(g -> g.scatter(send, recv, root));
    }

    default Request sendAsync(Buffer buffer, int peer) {
        return groupAsync(g -> g.send(buffer, peer));
    }

    default Request recvAsync(Buffer buffer, int peer) {
        return groupAsync(g -> g.recv(buffer, peer));
    }

    /** {@link #barrier} that returns at once. */
    Request barrierAsync();

    /**
     * Leaves the communicator and frees what it allocated. Not a synchronisation: ranks close when they are done. Waits
     * for asynchronous operations of its own first. Closing twice is fine.
     */
    @Override
    void close();
}
