// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.shmem;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;
import java.time.Duration;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.comm4j.core.DataType;
import org.comm4j.core.World;
import org.comm4j.host.HostShmem;
import org.comm4j.host.PeerMemory;
import org.comm4j.host.SymmetricArray;
import org.comm4j.host.Team;
import org.jspecify.annotations.Nullable;

/** The processes of one machine over shared memory: {@link HostShmem}, all of whose heaps are within reach. */
final class EmbeddedEngine extends Engine {
    private final World job;
    private final HostShmem shmem;
    private final PeerMemory peers;

    private EmbeddedEngine(World job, HostShmem shmem, PeerMemory peers) {
        super(
                shmem.myPe(),
                peers.all(),
                LongStream.range(0, shmem.nPes())
                        .map(pe -> peers.start((int) pe))
                        .toArray());
        this.job = job;
        this.shmem = shmem;
        this.peers = peers;
    }

    static EmbeddedEngine open(World world, long heapBytes) {
        HostShmem shmem = HostShmem.init(world, heapBytes);
        return new EmbeddedEngine(world, shmem, shmem.memory());
    }

    @Override
    Allocation allocate(DataType type, long count, String what) {
        SymmetricArray array = shmem.allocate(what, type, count);
        long offset = array.address() - memory.address() - heaps[myPe];
        return new Piece(array, offset);
    }

    private static final class Piece implements Allocation {
        private final SymmetricArray array;
        private final long offset;
        private volatile boolean free;

        Piece(SymmetricArray array, long offset) {
            this.array = array;
            this.offset = offset;
        }

        @Override
        public long offset() {
            return offset;
        }

        @Override
        public boolean isFreed() {
            return free;
        }

        @Override
        public void free() {
            free = true;
            array.close();
        }
    }

    @Override
    void written(int pe) {
        peers.written(pe);
    }

    @Override
    Stream stream() {
        return HERE;
    }

    @Override
    Stream newStream(Set<Context.Option> options) {
        return HERE;
    }

    /** Loads and stores of this processor. */
    private static final Stream HERE = new Stream() {
        @Override
        public void put(long to, MemorySegment source, long sourceAt, long bytes, int pe) {
            throw outOfReach();
        }

        @Override
        public void get(MemorySegment destination, long destinationAt, long from, long bytes, int pe) {
            throw outOfReach();
        }

        @Override
        public void putNbi(long to, MemorySegment source, long sourceAt, long bytes, int pe) {
            throw outOfReach();
        }

        @Override
        public void getNbi(MemorySegment destination, long destinationAt, long from, long bytes, int pe) {
            throw outOfReach();
        }

        @Override
        public long atomic(Atomic.Operation operation, boolean wide, long at, long value, long condition, int pe) {
            throw outOfReach();
        }

        private AssertionError outOfReach() {
            return new AssertionError("all PEs are within reach");
        }

        @Override
        public void fence() {
            VarHandle.releaseFence();
        }

        @Override
        public void quiet() {
            VarHandle.fullFence();
        }

        @Override
        public void close() {
            quiet();
        }
    };

    @Override
    void progress() {
        // Others help themselves.
    }

    @Override
    Wait newWait(String what, Supplier<String> waitedFor) {
        PeerMemory.Wait wait = peers.newWait(what, waitedFor);
        return new Wait() {
            @Override
            public void once() {
                wait.once();
            }

            @Override
            public void end() {
                wait.end();
            }
        };
    }

    @Override
    void lookAround(String waiting, long start) {
        peers.lookAround(waiting, start);
    }

    @Override
    Members world() {
        return new HostMembers(shmem.world(), myPe);
    }

    private static final class HostMembers extends Members {
        private final Team team;
        private final int myPe;

        HostMembers(Team team, int myPe) {
            super(IntStream.range(0, team.size()).map(team::worldRank).toArray(), myPe);
            this.team = team;
            this.myPe = myPe;
        }

        @Override
        boolean areNear() {
            return true;
        }

        @Override
        void calls(long head, long count) {
            team.calls(head, count);
        }

        @Override
        long step() {
            return team.step();
        }

        @Override
        void ready(String what) {
            team.ready(what);
        }

        @Override
        long eager(int member, long step) {
            return team.eager(member, step);
        }

        @Override
        long arrive(String what) {
            return team.arriveNext();
        }

        @Override
        void await(String what, int member, long step) {
            team.await(what, member, step);
        }

        @Override
        void awaitAll(String what, long step) {
            team.awaitAll(what, step);
        }

        @Override
        void sync(String what) {
            team.sync(what);
        }

        @Override
        long[][] exchange(String what, long... words) {
            return team.exchangeAll(what, words);
        }

        @Override
        @Nullable
        Members split(String what, int color, int key) {
            Team part = team.split(what, color, key);
            return part == null ? null : new HostMembers(part, myPe);
        }

        @Override
        void close() {
            team.close();
        }
    }

    @Override
    Duration timeout() {
        return shmem.timeout();
    }

    @Override
    void timeout(Duration timeout) {
        shmem.timeout(timeout);
    }

    @Override
    void globalExit(int status) {
        job.abort(status, "globalExit");
    }

    @Override
    void close() {
        shmem.close();
    }

    @Override
    public String toString() {
        return "embedded";
    }
}
