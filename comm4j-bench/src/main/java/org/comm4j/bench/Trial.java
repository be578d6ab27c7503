// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.bench;

import java.util.function.Consumer;
import org.comm4j.core.Communicator;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.core.Operations;
import org.comm4j.core.ReduceOp;
import org.comm4j.host.Comparison;
import org.comm4j.host.HostCommunicator;
import org.comm4j.host.HostShmem;
import org.comm4j.host.SymmetricArray;
import org.jspecify.annotations.Nullable;

/**
 * One operation at one size: what is called, with which data, and what must come out. Made before anything is timed, so that
 * the timed loops do nothing but call.
 */
abstract class Trial implements AutoCloseable {

    /** Calls so many times. Each kind of call has a loop of its own, so that the compiler sees through it. */
    interface Loop {
        void run(long iterations);
    }

    /** What this rank calls. */
    abstract Loop loop();

    /** Puts the data of a checked call into the buffers. */
    abstract void prepare();

    /** After a checked call: elements of this rank's result that are not what they must be. */
    abstract long wrong();

    /** Whether there is a result to look at. */
    boolean hasResult() {
        return true;
    }

    /** Whether this rank takes part; if it does not, it sleeps until the others are done. */
    boolean takesPart() {
        return true;
    }

    @Override
    public void close() {}

    // ---- collectives ----

    /** A collective, or a ring of messages. */
    static final class Collective extends Trial {
        private final Communicator comm;
        private final Operation operation;
        private final Operation.Shape shape;
        private final ReduceOp op;
        private final int root;
        private final HostArray send;
        private final HostArray recv;
        private final Pattern pattern;
        private final int rank;

        /** Of the buffers' first elements, as many as {@code shape} says. */
        Collective(
                Communicator comm,
                Buffers buffers,
                Operation operation,
                Operation.Shape shape,
                DataType type,
                @Nullable ReduceOp op,
                int root,
                boolean inPlace) {
            this.comm = comm;
            this.operation = operation;
            this.shape = shape;
            this.op = op == null ? ReduceOp.SUM : op;
            this.root = root;
            this.rank = comm.rank();
            this.pattern = new Pattern(type, op, comm.size());
            HostArray one = buffers.send(type, shape.send());
            HostArray other = buffers.recv(type, shape.recv());
            if (inPlace) {
                // The larger buffer holds the smaller one.
                switch (operation) {
                    case ALL_GATHER -> one = Buffers.part(other, shape.count(), rank);
                    case GATHER -> one = rank == root ? Buffers.part(other, shape.count(), rank) : one;
                    case REDUCE_SCATTER -> other = Buffers.part(one, shape.count(), rank);
                    case SCATTER -> other = rank == root ? Buffers.part(one, shape.count(), rank) : other;
                    default -> other = one;
                }
            }
            this.send = one;
            this.recv = other;
        }

        @Override
        Loop loop() {
            return switch (operation) {
                case BARRIER ->
                    n -> {
                        for (long i = 0; i < n; i++) {
                            comm.barrier();
                        }
                    };
                case ALL_REDUCE ->
                    n -> {
                        for (long i = 0; i < n; i++) {
                            comm.allReduce(send, recv, op);
                        }
                    };
                case REDUCE ->
                    n -> {
                        for (long i = 0; i < n; i++) {
                            comm.reduce(send, recv, op, root);
                        }
                    };
                case BROADCAST ->
                    n -> {
                        for (long i = 0; i < n; i++) {
                            comm.broadcast(send, recv, root);
                        }
                    };
                case ALL_GATHER ->
                    n -> {
                        for (long i = 0; i < n; i++) {
                            comm.allGather(send, recv);
                        }
                    };
                case REDUCE_SCATTER ->
                    n -> {
                        for (long i = 0; i < n; i++) {
                            comm.reduceScatter(send, recv, op);
                        }
                    };
                case ALL_TO_ALL ->
                    n -> {
                        for (long i = 0; i < n; i++) {
                            comm.allToAll(send, recv);
                        }
                    };
                case GATHER ->
                    n -> {
                        for (long i = 0; i < n; i++) {
                            comm.gather(send, recv, root);
                        }
                    };
                case SCATTER ->
                    n -> {
                        for (long i = 0; i < n; i++) {
                            comm.scatter(send, recv, root);
                        }
                    };
                case SEND_RECV -> {
                    int next = (rank + 1) % comm.size();
                    int previous = (rank + comm.size() - 1) % comm.size();
                    Consumer<Operations> exchange = group -> {
                        group.send(send, next);
                        group.recv(recv, previous);
                    };
                    yield n -> {
                        for (long i = 0; i < n; i++) {
                            comm.group(exchange);
                        }
                    };
                }
                case PUT, GET, LATENCY -> throw new AssertionError(operation);
            };
        }

        @Override
        boolean hasResult() {
            return operation != Operation.BARRIER;
        }

        @Override
        void prepare() {
            // In place one buffer holds the other: the data comes last.
            Buffers.poison(recv);
            pattern.fill(send, rank, 0);
        }

        @Override
        long wrong() {
            long count = shape.count();
            return switch (operation) {
                case ALL_REDUCE -> pattern.wrongReduced(recv, 0);
                case REDUCE -> rank == root ? pattern.wrongReduced(recv, 0) : 0;
                case REDUCE_SCATTER -> pattern.wrongReduced(recv, count * rank);
                case BROADCAST -> pattern.wrongMoved(recv, root, 0);
                case SCATTER -> pattern.wrongMoved(recv, root, count * rank);
                case ALL_GATHER -> wrongParts(0);
                case GATHER -> rank == root ? wrongParts(0) : 0;
                case ALL_TO_ALL -> wrongParts(count * rank);
                case SEND_RECV -> pattern.wrongMoved(recv, (rank + comm.size() - 1) % comm.size(), 0);
                default -> 0;
            };
        }

        /** Of a result with a part from each rank, its elements from {@code first} on. */
        private long wrongParts(long first) {
            long wrong = 0;
            for (int from = 0; from < comm.size(); from++) {
                wrong += pattern.wrongMoved(Buffers.part(recv, shape.count(), from), from, first);
            }
            return wrong;
        }
    }

    // ---- one-sided ----

    /** Rank 0 copies into the memory of rank 1, or from there; both are rank 0 where there is no other. */
    static final class Copy extends Trial {
        private final HostShmem shmem;
        private final boolean put;
        private final HostArray near;
        private final SymmetricArray far;
        private final int peer;
        private final Pattern pattern;

        Copy(HostCommunicator comm, Buffers buffers, boolean put, DataType type, long count) {
            this.shmem = comm.shmem();
            this.put = put;
            this.near = put ? buffers.send(type, count) : buffers.recv(type, count);
            this.far = buffers.far(shmem, type, count);
            this.peer = Math.min(1, shmem.nPes() - 1);
            this.pattern = new Pattern(type, null, shmem.nPes());
        }

        @Override
        boolean takesPart() {
            return shmem.myPe() == 0;
        }

        @Override
        Loop loop() {
            return put
                    ? n -> {
                        for (long i = 0; i < n; i++) {
                            shmem.put(far, near, peer);
                        }
                        shmem.quiet();
                    }
                    : n -> {
                        for (long i = 0; i < n; i++) {
                            shmem.get(near, far, peer);
                        }
                    };
        }

        @Override
        void prepare() {
            HostArray from = put ? near : far;
            HostArray to = put ? far : near;
            Buffers.poison(to);
            pattern.fill(from, shmem.myPe(), 0);
        }

        @Override
        long wrong() {
            if (put) {
                return shmem.myPe() == peer ? pattern.wrongMoved(far, 0, 0) : 0;
            }
            return shmem.myPe() == 0 ? pattern.wrongMoved(near, peer, 0) : 0;
        }
    }

    /** Ranks 0 and 1 store a number into each other's memory in turn. An iteration is one store: half of a round trip. */
    static final class PingPong extends Trial {
        private final HostShmem shmem;
        private final SymmetricArray ball;
        private final boolean serves;
        private final int peer;
        private long rounds;

        PingPong(HostCommunicator comm) {
            this.shmem = comm.shmem();
            this.ball = shmem.allocate(DataType.INT64, 1);
            this.serves = shmem.myPe() == 0;
            this.peer = serves ? 1 : 0;
        }

        @Override
        boolean takesPart() {
            return shmem.myPe() < 2;
        }

        @Override
        Loop loop() {
            return n -> {
                long round = rounds;
                for (long i = 0; i < (n + 1) / 2; i++) {
                    round++;
                    if (serves) {
                        shmem.p(ball, 0, round, peer);
                    }
                    long seen = shmem.waitUntil(ball, 0, Comparison.GE, round);
                    if (!serves) {
                        shmem.p(ball, 0, seen, peer);
                    }
                }
                rounds = round;
            };
        }

        @Override
        void prepare() {}

        /** Every ball that came is the one that was sent: the last one says how many there were. */
        @Override
        long wrong() {
            return takesPart() && ball.getLong(0) != rounds ? 1 : 0;
        }

        @Override
        public void close() {
            ball.close();
        }
    }
}
