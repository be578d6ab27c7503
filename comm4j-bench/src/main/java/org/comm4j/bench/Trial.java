// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.comm4j.core.Buffer;
import org.comm4j.core.Communicator;
import org.comm4j.core.Comparison;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.core.Operations;
import org.comm4j.core.ReduceOp;
import org.comm4j.shmem.OpenShmem;
import org.comm4j.shmem.SymmetricArray;

/**
 * One operation at one size: what is called, with which data, and what must come out. Made before anything is timed, so
 * that the timed loops do nothing but call.
 */
abstract class Trial implements AutoCloseable {

    /** Makes so many calls. Each kind of call has a loop of its own, so that the compiler sees through it. */
    interface Loop {
        void run(long iterations);
    }

    /** What this rank calls. */
    abstract Loop loop();

    /** Puts the data of a checked call into the buffers. */
    abstract void prepare();

    /** After a checked call: elements of this rank's result that are not what they must be. */
    abstract long wrong();

    /** Makes one call and waits for its end. */
    void once() {
        loop().run(1);
    }

    /** Waits for what the loop has started, where calls only start work. */
    void complete() {}

    /** Calls in a timed block for which the user wants so many iterations. */
    long block(int iterations) {
        return iterations;
    }

    /** The least number of calls from {@code calls} on that can be made. */
    long rounded(long calls) {
        return calls;
    }

    /** Whether there is a result to look at. */
    boolean hasResult() {
        return true;
    }

    /** Nanoseconds of the last loop that were spent waiting for other ranks and are not to be counted. */
    long uncounted() {
        return 0;
    }

    /**
     * Microseconds of each iteration of the last loop, of the slowest of this station's ranks; empty where they are not
     * taken.
     */
    double[] iterationTimes() {
        return new double[0];
    }

    /** Whether all ranks take part. */
    boolean isCollective() {
        return false;
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
        private final RankCall call;
        private final RankCall.Pair buffers;

        Collective(Communicator comm, RankCall call, RankCall.Pair buffers) {
            this.comm = comm;
            this.call = call;
            this.buffers = buffers;
        }

        @Override
        Loop loop() {
            Buffer send = buffers.send();
            Buffer recv = buffers.recv();
            ReduceOp op = call.op;
            int root = call.root;
            return switch (call.operation) {
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
                case ALL_TO_ALL_V ->
                    n -> {
                        for (long i = 0; i < n; i++) {
                            comm.allToAllV(
                                    send, call.sendCounts, call.sendOffsets, recv, call.recvCounts, call.recvOffsets);
                        }
                    };
                case HYPERCUBE -> hypercube(send, recv);
                case SEND_RECV -> {
                    Consumer<Operations> exchange = group -> {
                        group.send(send, call.next());
                        group.recv(recv, call.previous());
                    };
                    yield n -> {
                        for (long i = 0; i < n; i++) {
                            comm.group(exchange);
                        }
                    };
                }
                case PUT, GET, LATENCY -> throw new AssertionError(call.operation);
            };
        }

        private Loop hypercube(Buffer send, Buffer recv) {
            List<Consumer<Operations>> steps = new ArrayList<>();
            for (int bit = 1; bit < call.ranks; bit *= 2) {
                Buffer out = call.cubeSend(recv, bit);
                Buffer in = call.cubeRecv(recv, bit);
                int peer = call.rank ^ bit;
                steps.add(group -> {
                    group.send(out, peer);
                    group.recv(in, peer);
                });
            }
            Buffer own = recv.slice(call.shape.count() * call.rank, call.shape.count());
            boolean inPlace = own.address() == send.address();
            return n -> {
                for (long i = 0; i < n; i++) {
                    if (!inPlace) {
                        own.copyFrom((HostArray) send);
                    }
                    for (Consumer<Operations> step : steps) {
                        comm.group(step);
                    }
                }
            };
        }

        @Override
        boolean isCollective() {
            return true;
        }

        @Override
        boolean hasResult() {
            return call.hasResult();
        }

        @Override
        void prepare() {
            call.prepare(buffers);
        }

        @Override
        long wrong() {
            return call.wrong(buffers);
        }
    }

    // ---- one-sided ----

    /** Rank 0 copies into the memory of rank 1, or from there; both are rank 0 where there is no other. */
    static final class Copy extends Trial {
        private final OpenShmem shmem;
        private final boolean put;
        private final HostArray near;
        private final SymmetricArray far;
        private final int peer;
        private final Pattern pattern;

        Copy(OpenShmem shmem, Buffers buffers, boolean put, DataType type, long count) {
            this.shmem = shmem;
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
            RankCall.poison(to);
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

    /**
     * Ranks 0 and 1 store a number into each other's memory in turn. An iteration is one store: half of a round trip.
     */
    static final class PingPong extends Trial {
        private final OpenShmem shmem;
        private final SymmetricArray ball;
        private final boolean serves;
        private final int peer;
        private long rounds;

        PingPong(OpenShmem shmem) {
            this.shmem = shmem;
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

    /** Ranks 0 and 1 send a number to each other in turn. An iteration is one message: half of a round trip. */
    static final class MessagePingPong extends Trial {
        private final Communicator comm;
        private final HostArray ball = HostArray.allocate(DataType.INT64, 1);
        private long rounds;

        MessagePingPong(Communicator comm) {
            this.comm = comm;
        }

        @Override
        boolean takesPart() {
            return comm.rank() < 2;
        }

        @Override
        Loop loop() {
            return n -> {
                for (long i = 0; i < (n + 1) / 2; i++) {
                    rounds++;
                    if (comm.rank() == 0) {
                        ball.setLong(0, rounds);
                        comm.send(ball, 1);
                        comm.recv(ball, 1);
                    } else {
                        comm.recv(ball, 0);
                        comm.send(ball, 0);
                    }
                }
            };
        }

        @Override
        void prepare() {}

        @Override
        long wrong() {
            return takesPart() && ball.getLong(0) != rounds ? 1 : 0;
        }
    }
}
