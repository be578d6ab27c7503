// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.shmem;

import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.comm4j.core.CommException;
import org.comm4j.core.CommTimeoutException;
import org.comm4j.core.DataType;
import org.comm4j.core.RankFailedException;
import org.comm4j.core.World;
import org.comm4j.core.spi.AbstractCommunicator;
import org.comm4j.core.spi.LastWords;
import org.comm4j.core.spi.RemoteMemory;
import org.comm4j.core.spi.Standstill;
import org.jspecify.annotations.Nullable;

/**
 * An engine over one piece of memory of each PE, of which a part may be out of reach. Arrays are ranges of the piece,
 * see {@link PieceHeap}; members synchronise by words in it, see {@link WordMembers}. Waits look again and again, and
 * make progress meanwhile.
 */
abstract sealed class PolledEngine extends Engine permits NativeEngine, RemoteEngine {
    /**
     * {@code -Dorg.comm4j.shmem.direct=false}: nothing but a PE's own memory counts as within reach, for tests of the
     * other way.
     */
    static final String DIRECT = "org.comm4j.shmem.direct";

    /** Bytes of a PE's heap where nobody says it. */
    static final long DEFAULT_HEAP = 1L << 30;

    /** Calls that copy end in this time; what takes longer waits for something else. */
    static final long CLOSE_NANOS = 1_000_000_000;

    private static final long YIELD_NANOS = 1_000_000;
    private static final long NAP_NANOS = 50_000;
    private static final long LOOK_AROUND_NANOS = 20_000_000;

    final World job;

    private final PieceHeap heap;
    private final WordMembers world;
    private final int spins;
    private volatile long timeoutNanos;
    private volatile boolean closed;

    /** @param bytes of each PE's piece */
    PolledEngine(World job, MemorySegment memory, long[] heaps, long bytes, int spins) {
        super(job.rank(), memory, heaps);
        this.job = job;
        this.spins = spins;
        this.timeoutNanos = TimeUnit.NANOSECONDS.convert(AbstractCommunicator.defaultTimeout());
        this.world = WordMembers.world(this);
        this.heap = new PieceHeap(this, WordMembers.BYTES, bytes - WordMembers.BYTES);
    }

    // ---- memory ----

    /** This PE's own. */
    MemorySegment own(long offset, long bytes) {
        return memory.asSlice(heaps[myPe] + offset, bytes);
    }

    /** Takes memory for a range of this PE's piece now; false if the machine has not so much. */
    boolean populate(long offset, long bytes) {
        return true;
    }

    @Override
    Allocation allocate(DataType type, long count, String what) {
        return heap.allocate(world, type, count, what);
    }

    @Override
    void written(int pe) {
        // Whoever waits looks.
    }

    /** One word of any PE's memory. */
    long getWord(long from, int pe) {
        if (heaps[pe] >= 0) {
            return (long) Atomic.LONG.getAcquire(memory, heaps[pe] + from);
        }
        return stream().atomic(Atomic.Operation.FETCH, true, from, 0, 0, pe);
    }

    /** Stores one word on any PE, after what this PE has put there before. */
    void setWord(long to, long value, int pe) {
        if (heaps[pe] >= 0) {
            Atomic.LONG.setRelease(memory, heaps[pe] + to, value);
        } else {
            long ignored = stream().atomic(Atomic.Operation.SET, true, to, value, 0, pe);
        }
    }

    // ---- waits ----

    @Override
    Wait newWait(String what, Supplier<String> waitedFor) {
        Polling polling = new Polling();
        polling.begin(what, waitedFor);
        return polling;
    }

    /** Spins, yields, naps; looks around now and then. One object serves one thread, for one wait after the other. */
    final class Polling implements Wait, RemoteMemory.Wait {
        private String what = "";
        /** For messages; null: {@link #pe} says it. */
        private @Nullable Supplier<String> waitedFor;

        private int pe;
        private int count;
        private long start;
        private long lookedAround;

        void begin(String operation, Supplier<String> waitedFor) {
            this.what = operation;
            this.waitedFor = waitedFor;
            this.count = 0;
        }

        /** The wait is for a PE, or others that it waits for. */
        @Override
        public void begin(String operation, int pe) {
            this.what = operation;
            this.waitedFor = null;
            this.pe = pe;
            this.count = 0;
        }

        private String waitedFor() {
            return waitedFor == null ? "PE " + pe + ", or one that it waits for," : waitedFor.get();
        }

        @Override
        public void once() {
            progress();
            if (count < spins) {
                count++;
                Thread.onSpinWait();
                return;
            }
            long now = System.nanoTime();
            if (count == spins) {
                count++;
                start = now;
                lookedAround = now;
            }
            if (now - start < YIELD_NANOS) {
                Thread.yield();
            } else {
                LockSupport.parkNanos(NAP_NANOS);
                if (now - lookedAround >= LOOK_AROUND_NANOS) {
                    lookedAround = now;
                    lookAround(what, this::waitedFor, start, now);
                }
            }
        }

        @Override
        public void end() {
            if (count > spins) {
                Standstill.end();
            }
        }
    }

    @Override
    void lookAround(String waiting, long start) {
        progress();
        lookAround(waiting, () -> "it", start, System.nanoTime());
    }

    private void lookAround(String what, Supplier<String> waitedFor, long start, long now) {
        String where = what + " on PE " + myPe + " of " + nPes;
        if (closed) {
            throw new IllegalStateException(where + ": this OpenShmem was closed by another thread while "
                    + waitedFor.get() + " was waited for");
        }
        List<Integer> failed = job.failedRanks();
        if (!failed.isEmpty()) {
            throw new RankFailedException(
                    failed.getFirst(),
                    where + ": PE " + failed.getFirst() + " died while " + waitedFor.get() + " was waited for"
                            + LastWords.of(job, failed.getFirst()));
        }
        if (timeoutNanos > 0 && now - start >= timeoutNanos) {
            throw new CommTimeoutException(String.format(
                    "%s: waited %.1f s for %s in vain, though no PE died (timeout %.1f s)",
                    where, (now - start) / 1e9, waitedFor.get(), timeoutNanos / 1e9));
        }
        if (Thread.currentThread().isInterrupted()) {
            throw new CommException(where + ": interrupted while it waited for " + waitedFor.get());
        }
        Standstill.look(now - start, "PE " + myPe + " of " + nPes, () -> what + ", for " + waitedFor.get());
    }

    /** Whether a PE is known to have died. */
    boolean hasDied(int pe) {
        return job.failedRanks().contains(pe);
    }

    @Override
    Members world() {
        return world;
    }

    @Override
    Duration timeout() {
        return Duration.ofNanos(timeoutNanos);
    }

    @Override
    void timeout(Duration timeout) {
        timeoutNanos = TimeUnit.NANOSECONDS.convert(timeout);
    }

    // ---- end ----

    boolean isClosed() {
        return closed;
    }

    /** From now on nobody begins anything else. */
    void closed() {
        closed = true;
    }

    void check(String operation) {
        if (closed) {
            throw new IllegalStateException(
                    operation + " on PE " + myPe + " of " + nPes + ": this OpenShmem was closed");
        }
    }

    @Override
    void globalExit(int status) {
        job.abort(status, "globalExit");
    }

    /** Waits for all PEs to come to this; false if one died or does not come. */
    boolean meet() {
        try {
            List<byte[]> ignored = job.exchange("comm4j.shmem.close", new byte[0], limit());
            return true;
        } catch (CommException e) {
            return false;
        }
    }

    /** {@link #meet} while this PE does what slower PEs still want of it. */
    boolean meetAtWork() {
        CompletableFuture<Boolean> met = new CompletableFuture<>();
        Thread ignored = Thread.ofVirtual().start(() -> met.complete(meet()));
        while (!met.isDone()) {
            progress();
            LockSupport.parkNanos(NAP_NANOS);
        }
        return met.join();
    }

    private Duration limit() {
        Duration limit = timeout();
        return limit.isZero() ? job.timeout() : limit;
    }
}
