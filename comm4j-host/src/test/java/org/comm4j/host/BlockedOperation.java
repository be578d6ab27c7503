// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.host;

import java.util.Arrays;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.core.ReduceOp;
import org.comm4j.core.World;

/**
 * An operation that waits sooner or later, if it is called again and again, when one rank does not take part. Each has
 * a communicator with a heap of its own, so all of them can be tried at the same time.
 */
enum BlockedOperation {
    ALL_REDUCE((e, absent) -> e.comm.allReduce(ints(4), ints(4), ReduceOp.SUM)),
    ALL_REDUCE_STAGED((e, absent) -> e.comm.allReduce(ints(100_000), ints(100_000), ReduceOp.MAX)),
    ALL_REDUCE_DIRECT((e, absent) -> e.comm.allReduce(e.shared, e.shared, ReduceOp.MIN)),
    ALL_REDUCE_ASYNC(
            (e, absent) -> e.comm.allReduceAsync(ints(4), ints(4), ReduceOp.SUM).await()),
    REDUCE((e, absent) -> e.comm.reduce(ints(4), ints(4), ReduceOp.SUM, other(e, absent))),
    REDUCE_STAGED((e, absent) -> e.comm.reduce(ints(100_000), ints(100_000), ReduceOp.SUM, absent)),
    BROADCAST((e, absent) -> e.comm.broadcast(ints(4), absent)),
    BROADCAST_TO((e, absent) -> e.comm.broadcast(ints(100_000), other(e, absent))),
    ALL_GATHER((e, absent) -> e.comm.allGather(ints(4), fourEach(e))),
    ALL_GATHER_DIRECT((e, absent) -> e.comm.allGather(e.shared, ints(e.shared.count() * e.comm.size()))),
    ALL_GATHER_V((e, absent) -> e.comm.allGatherV(ints(4), fourEach(e), fours(e))),
    REDUCE_SCATTER((e, absent) -> e.comm.reduceScatter(fourEach(e), ints(4), ReduceOp.SUM)),
    ALL_TO_ALL((e, absent) -> e.comm.allToAll(fourEach(e), fourEach(e))),
    ALL_TO_ALL_V((e, absent) -> e.comm.allToAllV(fourEach(e), fours(e), fourEach(e), fours(e))),
    GATHER((e, absent) -> e.comm.gather(ints(4), fourEach(e), other(e, absent))),
    SCATTER((e, absent) -> e.comm.scatter(fourEach(e), ints(4), absent)),
    SEND((e, absent) -> e.comm.send(ints(10_000), absent)),
    SEND_SHARED((e, absent) -> e.comm.send(e.shared, absent)),
    RECV((e, absent) -> e.comm.recv(ints(4), absent)),
    GROUP((e, absent) -> e.comm.group(g -> {
        g.send(ints(4), absent);
        g.recv(ints(4), absent);
    })),
    BARRIER((e, absent) -> e.comm.barrier()),
    SPLIT((e, absent) -> e.comm.split(0, 0)),
    COMMUNICATOR((e, absent) -> Host.communicator(e.shmem)),
    BARRIER_ALL((e, absent) -> e.shmem.barrierAll()),
    TEAM_SYNC((e, absent) -> e.shmem.world().sync()),
    ALLOCATE((e, absent) -> e.shmem.allocate(DataType.INT32, 4)),
    TEAM_SPLIT((e, absent) -> e.shmem.world().split("sync", 0, 0)),
    AWAIT((e, absent) -> Words.await(e.shmem, e.flags, 1, 7));

    /** What an operation works with. */
    static final class Environment implements AutoCloseable {
        final HostShmem shmem;
        final HostCommunicator comm;
        final SymmetricArray flags;
        final HostArray shared;

        /** Collective. */
        Environment(World world) {
            shmem = HostShmem.init(world, 32 << 20);
            comm = HostCommunicator.of(shmem, true);
            flags = shmem.allocate(DataType.INT64, 2);
            shared = comm.allocate(DataType.INT32, 50_000);
        }

        @Override
        public void close() {
            comm.close();
        }
    }

    private interface Call {
        void run(Environment environment, int absent);
    }

    @SuppressWarnings("ImmutableEnumChecker") // lambdas without state
    private final Call call;

    BlockedOperation(Call call) {
        this.call = call;
    }

    /** Whether it waits for memory to change, which any rank may do, and not for certain ranks. */
    boolean waitsForMemory() {
        return this == AWAIT;
    }

    /** Calls the operation until it throws. */
    void repeat(Environment environment, int absent) {
        while (true) {
            call.run(environment, absent);
        }
    }

    private static HostArray ints(long count) {
        return HostArray.allocate(DataType.INT32, count);
    }

    private static HostArray fourEach(Environment e) {
        return ints(4L * e.comm.size());
    }

    /** A root that takes part. */
    private static int other(Environment e, int absent) {
        return (absent + 1) % e.comm.size();
    }

    private static long[] fours(Environment e) {
        long[] counts = new long[e.comm.size()];
        Arrays.fill(counts, 4);
        return counts;
    }
}
