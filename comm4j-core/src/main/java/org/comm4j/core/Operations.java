// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.core;

import org.jspecify.annotations.Nullable;

/**
 * The verbs of communication, as {@link Communicator} runs them and {@link Communicator#group} collects them.
 *
 * <p>All ranks of the communicator call the same collective operation, in the same order, with matching arguments.
 * Counts are those of the buffers: pass a {@link Buffer#slice} to communicate a part. Every operation takes the buffers
 * apart ("out of place") or in the in-place form that it names; any other overlap is an {@link
 * IllegalArgumentException}. A buffer of zero elements is fine everywhere.
 *
 * <p>Arguments are checked completely before anything is sent: {@link NullPointerException} for a null,
 * {@link IllegalArgumentException} for counts, types, a root or a peer that do not fit, and for a reduction that the
 * type does not have, {@link IllegalStateException} for a closed communicator or freed memory,
 * {@link UnsupportedOperationException} for a type or reduction that exists but that the engine lacks.
 */
public interface Operations {

    /**
     * Combines the {@code send} buffers of all ranks, element by element, into {@code recv} on every rank
     * ({@code ncclAllReduce}, {@code MPI_Allreduce}). In place: {@code send} and {@code recv} are the same memory.
     */
    void allReduce(Buffer send, Buffer recv, ReduceOp op);

    /**
     * Combines the {@code send} buffers of all ranks, element by element, into {@code recv} on {@code root}
     * ({@code ncclReduce}). Other ranks may pass null for {@code recv}. In place on the root: the same memory.
     */
    void reduce(Buffer send, @Nullable Buffer recv, ReduceOp op, int root);

    /** Copies {@code buffer} of {@code root} to {@code buffer} of every rank ({@code MPI_Bcast}). */
    default void broadcast(Buffer buffer, int root) {
        broadcast(buffer, buffer, root);
    }

    /**
     * Copies {@code send} of {@code root} to {@code recv} of every rank ({@code ncclBroadcast}). Ranks other than the
     * root may pass null for {@code send}. In place on the root: the same memory.
     */
    void broadcast(@Nullable Buffer send, Buffer recv, int root);

    /**
     * Concatenates the {@code send} buffers, in rank order, in {@code recv} of every rank ({@code ncclAllGather});
     * {@code recv} holds {@code size} times the count of {@code send}. In place: {@code send} is this rank's part of
     * {@code recv}.
     */
    void allGather(Buffer send, Buffer recv);

    /**
     * Like {@link #allGather(Buffer, Buffer)} with parts of different sizes ({@code MPI_Allgatherv}): rank r sends
     * {@code counts[r]} elements, which arrive at element {@code offsets[r]} of {@code recv}. All ranks pass the same
     * arrays. In place: {@code send} is this rank's part of {@code recv}.
     */
    void allGatherV(Buffer send, Buffer recv, long[] counts, long[] offsets);

    /** {@link #allGatherV(Buffer, Buffer, long[], long[])} with the parts packed one behind the other. */
    default void allGatherV(Buffer send, Buffer recv, long[] counts) {
        allGatherV(send, recv, counts, packed(counts));
    }

    /**
     * Combines the {@code send} buffers of all ranks, element by element, and leaves the r-th part of the result in
     * {@code recv} of rank r ({@code ncclReduceScatter}); {@code send} holds {@code size} times the count of {@code
     * recv}. In place: {@code recv} is this rank's part of {@code send}.
     */
    void reduceScatter(Buffer send, Buffer recv, ReduceOp op);

    /**
     * Sends the r-th part of {@code send} to rank r and stores what came from rank r as the r-th part of {@code recv}
     * ({@code ncclAlltoAll}, {@code MPI_Alltoall}). There is no in-place form.
     */
    void allToAll(Buffer send, Buffer recv);

    /**
     * Like {@link #allToAll} with parts of different sizes ({@code MPI_Alltoallv}): {@code sendCounts[r]} elements at
     * {@code sendOffsets[r]} of {@code send} go to rank r; {@code recvCounts[r]} elements from rank r arrive at
     * {@code recvOffsets[r]} of {@code recv}. What r sends to s must be what s receives from r. There is no in-place
     * form.
     */
    void allToAllV(
            Buffer send, long[] sendCounts, long[] sendOffsets, Buffer recv, long[] recvCounts, long[] recvOffsets);

    /** {@link #allToAllV(Buffer, long[], long[], Buffer, long[], long[])} with packed parts on both sides. */
    default void allToAllV(Buffer send, long[] sendCounts, Buffer recv, long[] recvCounts) {
        allToAllV(send, sendCounts, packed(sendCounts), recv, recvCounts, packed(recvCounts));
    }

    /**
     * Concatenates the {@code send} buffers, in rank order, in {@code recv} of {@code root} ({@code MPI_Gather}); the
     * other ranks may pass null for {@code recv}. In place on the root: {@code send} is the root's part of {@code
     * recv}.
     */
    void gather(Buffer send, @Nullable Buffer recv, int root);

    /**
     * Sends the r-th part of {@code send} of {@code root} to {@code recv} of rank r ({@code MPI_Scatter}); the other
     * ranks may pass null for {@code send}. In place on the root: {@code recv} is the root's part of {@code send}.
     */
    void scatter(@Nullable Buffer send, Buffer recv, int root);

    /**
     * Sends {@code buffer} to {@code peer}, which calls {@link #recv} ({@code ncclSend}). May return only when the
     * receiver has arrived: ranks that exchange messages do so in a {@link Communicator#group}. Messages from one rank
     * to another arrive in the order of their sending. A rank may send to itself, in a group that also receives it.
     */
    void send(Buffer buffer, int peer);

    /**
     * Receives from {@code peer} exactly what it sends: type and count must be those of the sender's buffer ({@code
     * ncclRecv}).
     */
    void recv(Buffer buffer, int peer);

    private static long[] packed(long[] counts) {
        if (counts == null) {
            // The operation reports it, with its name and rank.
            return new long[0];
        }
        long[] offsets = new long[counts.length];
        for (int r = 1; r < counts.length; r++) {
            offsets[r] = offsets[r - 1] + counts[r - 1];
        }
        return offsets;
    }
}
