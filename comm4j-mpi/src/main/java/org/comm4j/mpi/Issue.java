// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.mpi;

import org.comm4j.ffi.mpi.LibMpi;

/**
 * MPI's operations, each in two forms: with the address of a request it is the non-blocking function, with 0 the
 * blocking one. Counts are elements, {@code type} and {@code op} are MPI's handles. All return MPI's error code.
 */
final class Issue {
    /** The place of a request that means: blocking. */
    static final long BLOCKING = 0;

    private Issue() {}

    static int barrier(long comm, long request) {
        return request == BLOCKING ? LibMpi.MPI_Barrier(comm) : LibMpi.MPI_Ibarrier(comm, request);
    }

    static int broadcast(long data, int count, long type, int root, long comm, long request) {
        return request == BLOCKING
                ? LibMpi.MPI_Bcast(data, count, type, root, comm)
                : LibMpi.MPI_Ibcast(data, count, type, root, comm, request);
    }

    static int allReduce(long send, long recv, int count, long type, long op, long comm, long request) {
        return request == BLOCKING
                ? LibMpi.MPI_Allreduce(send, recv, count, type, op, comm)
                : LibMpi.MPI_Iallreduce(send, recv, count, type, op, comm, request);
    }

    static int reduce(long send, long recv, int count, long type, long op, int root, long comm, long request) {
        return request == BLOCKING
                ? LibMpi.MPI_Reduce(send, recv, count, type, op, root, comm)
                : LibMpi.MPI_Ireduce(send, recv, count, type, op, root, comm, request);
    }

    static int reduceScatter(long send, long recv, int count, long type, long op, long comm, long request) {
        return request == BLOCKING
                ? LibMpi.MPI_Reduce_scatter_block(send, recv, count, type, op, comm)
                : LibMpi.MPI_Ireduce_scatter_block(send, recv, count, type, op, comm, request);
    }

    static int allGather(long send, long recv, int count, long type, long comm, long request) {
        return request == BLOCKING
                ? LibMpi.MPI_Allgather(send, count, type, recv, count, type, comm)
                : LibMpi.MPI_Iallgather(send, count, type, recv, count, type, comm, request);
    }

    /** @param counts the address of an {@code int} for each rank; so is {@code offsets}, in elements of {@code recv} */
    static int allGatherV(
            long send, int count, long recv, long counts, long offsets, long type, long comm, long request) {
        return request == BLOCKING
                ? LibMpi.MPI_Allgatherv(send, count, type, recv, counts, offsets, type, comm)
                : LibMpi.MPI_Iallgatherv(send, count, type, recv, counts, offsets, type, comm, request);
    }

    static int allToAll(long send, long recv, int count, long type, long comm, long request) {
        return request == BLOCKING
                ? LibMpi.MPI_Alltoall(send, count, type, recv, count, type, comm)
                : LibMpi.MPI_Ialltoall(send, count, type, recv, count, type, comm, request);
    }

    static int gather(long send, long recv, int count, long type, int root, long comm, long request) {
        return request == BLOCKING
                ? LibMpi.MPI_Gather(send, count, type, recv, count, type, root, comm)
                : LibMpi.MPI_Igather(send, count, type, recv, count, type, root, comm, request);
    }

    static int scatter(long send, long recv, int count, long type, int root, long comm, long request) {
        return request == BLOCKING
                ? LibMpi.MPI_Scatter(send, count, type, recv, count, type, root, comm)
                : LibMpi.MPI_Iscatter(send, count, type, recv, count, type, root, comm, request);
    }

    static int send(long data, int count, long type, int to, int tag, long comm, long request) {
        return request == BLOCKING
                ? LibMpi.MPI_Send(data, count, type, to, tag, comm)
                : LibMpi.MPI_Isend(data, count, type, to, tag, comm, request);
    }
}
