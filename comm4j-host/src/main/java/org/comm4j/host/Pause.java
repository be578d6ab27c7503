// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.host;

import static org.comm4j.host.Processors.FEWEST_SPINS;
import static org.comm4j.host.Processors.MOST_SPINS;

import java.util.BitSet;
import java.util.List;
import java.util.function.Supplier;
import org.comm4j.core.CommException;
import org.comm4j.core.CommTimeoutException;
import org.comm4j.core.RankFailedException;
import org.comm4j.core.spi.LastWords;
import org.comm4j.core.spi.Standstill;
import org.jspecify.annotations.Nullable;

/**
 * How a rank waits: it spins for a moment, then lets others run, then sleeps in the kernel until it is woken. While it
 * sleeps it looks around now and then, so that a wait ends with an exception when a rank that it needs is gone, when
 * its timeout has passed, or when its thread is interrupted.
 *
 * <p>It spins less and less where that is in vain: the system may run both ranks on one processor, and the one that
 * spins then keeps the other from coming. A wait that ended as soon as this rank let others run tells so.
 *
 * <pre>
 * pause.begin("barrier", timeout, NOBODY);
 * while (!condition()) {
 *     pause.once();
 * }
 * pause.end();
 * </pre>
 *
 * <p>{@link #once} may throw; it has cleaned up then. One object serves one thread at a time; it allocates nothing.
 */
final class Pause {
    /** For {@link #begin}: no single rank is waited for. */
    static final int NOBODY = -1;

    /** Whom a wait needs. */
    interface Peers {
        /**
         * A rank of the world that left although it is needed, or −1.
         *
         * @param peer what {@link #begin} was given
         */
        int gone(int peer);

        /**
         * Why the wait is in vain although nobody left; null if nothing is known.
         *
         * @param what the method that waits
         * @param peer what {@link #begin} was given
         */
        default @Nullable CommException trouble(String what, int peer) {
            return null;
        }

        /** The ranks of the world whose death does not end the wait, since all have agreed to go on without them. */
        default BitSet without() {
            return NOBODY_ELSE;
        }

        /** Whom or what the wait is for, for messages: "rank 3 of 4". */
        String waitedFor(int peer);

        /** Who waits, for messages: "rank 0 of 4". Asked once. */
        String waiter();
    }

    /** No ranks. */
    static final BitSet NOBODY_ELSE = new BitSet();

    private static final long YIELD_NANOS = 100_000;
    /** Where there are more ranks than processors, each that looks on takes time from one that works. */
    private static final long YIELD_NANOS_CROWDED = 20_000;

    /** Letting others run takes longer if another thread ran, and less if that was a rank between two waits. */
    private static final long LEAST_TURN_NANOS = 1_500;

    private static final long LONGEST_TURN_NANOS = 200_000;

    /** Turns in which a peer on this processor comes. */
    private static final int MOST_TURNS = 2;

    private static final long LOOK_AROUND_NANOS = 200_000_000;

    private final SharedHeap heap;
    private final Peers peers;
    private final int mostSpins;
    private final long yieldNanos;
    private final boolean forStores;
    /** Texts for messages, made once because each look around passes them on. */
    private final String waiter;

    private final Supplier<String> operation;

    private int spins;

    private String what = "";
    private int peer;
    private long timeoutNanos;
    private int count;
    private long start;
    private long lookedAround;
    private int turns;
    private long turn;
    private boolean announced;
    private int doorbell;
    /** Found by looking around, as the next one; reported only if what is waited for has not come in the meantime. */
    private int gone;

    private @Nullable CommException trouble;

    /** A wait for what others store in this rank's memory, or anywhere. */
    Pause(SharedHeap heap, Peers peers) {
        this(heap, peers, true);
    }

    /**
     * A wait for others to come to a step: their puts meanwhile do not wake this rank, which would cost them a system
     * call each.
     */
    static Pause untilTheyCome(SharedHeap heap, Peers peers) {
        return new Pause(heap, peers, false);
    }

    private Pause(SharedHeap heap, Peers peers, boolean forStores) {
        this.heap = heap;
        this.peers = peers;
        this.mostSpins = heap.crowded ? FEWEST_SPINS : MOST_SPINS;
        this.yieldNanos = heap.crowded ? YIELD_NANOS_CROWDED : YIELD_NANOS;
        this.spins = mostSpins;
        this.forStores = forStores;
        this.waiter = peers.waiter();
        this.operation = () -> what + ", for " + peers.waitedFor(peer);
    }

    /**
     * @param what the method that waits, for messages
     * @param timeoutNanos 0 for no limit
     * @param peer the one rank that the wait depends on, as {@link Peers} understands it, or {@link #NOBODY}
     */
    void begin(String what, long timeoutNanos, int peer) {
        this.what = what;
        this.timeoutNanos = timeoutNanos;
        this.peer = peer;
        this.count = 0;
        this.gone = -1;
        this.trouble = null;
    }

    /** Something that was waited for has come, and now {@code peer} is waited for: time and patience start again. */
    void moveOn(int peer) {
        this.peer = peer;
        this.gone = -1;
        this.trouble = null;
        this.count = Math.min(count, spins);
    }

    void once() {
        if (count < spins) {
            count++;
            Thread.onSpinWait();
        } else {
            slowly();
        }
    }

    void end() {
        if (announced) {
            announced = false;
            heap.withdrawSleep(forStores);
            Standstill.end();
        } else if (count > spins) {
            learn(System.nanoTime() - turn);
        } else if (count > 0) {
            spinMore();
        }
    }

    /** Learns from a wait that ended when others had been let run, the last time for so long. */
    private void learn(long nanos) {
        if (nanos < LEAST_TURN_NANOS) {
            spinMore();
        } else if (turns <= MOST_TURNS && nanos < LONGEST_TURN_NANOS) {
            spins = Math.min(spins, Math.max(FEWEST_SPINS, spins / 4));
        }
    }

    private void spinMore() {
        spins = Math.min(2 * spins, mostSpins);
    }

    /** Returns how often a wait spins now before it lets others run. */
    int spins() {
        return spins;
    }

    private void slowly() {
        long now = System.nanoTime();
        if (count == spins) {
            count++;
            start = now;
            lookedAround = now;
            turns = 0;
        }
        if (trouble != null) {
            end();
            throw trouble;
        }
        if (gone >= 0) {
            end();
            throw new RankFailedException(
                    gone,
                    waiting() + ": rank " + gone + " (process " + heap.processOf(gone) + ") has closed already, "
                            + "while this one waits for " + peers.waitedFor(peer)
                            + LastWords.awaited(heap.world(), gone));
        }
        if (now - start < yieldNanos) {
            turns++;
            turn = now;
            Thread.yield();
            return;
        }
        try {
            if (!announced) {
                doorbell = heap.announceSleep(forStores);
                announced = true;
            } else {
                doorbell = heap.nap(doorbell);
            }
        } catch (IllegalStateException e) {
            throw closed(e);
        }
        lookAround(System.nanoTime());
    }

    /**
     * What to throw when memory was found closed: that another thread has closed it meanwhile, unless it is something
     * else.
     */
    IllegalStateException closed(IllegalStateException found) {
        end();
        return heap.isOpen() ? found : closedMeanwhile();
    }

    private IllegalStateException closedMeanwhile() {
        return new IllegalStateException(
                waiting() + ": the heap was closed by another thread while " + whatWasWaitedFor() + " was waited for");
    }

    /** In closed memory there is nothing to describe. */
    private String whatWasWaitedFor() {
        try {
            return peers.waitedFor(peer);
        } catch (IllegalStateException e) {
            return "something there";
        }
    }

    private void lookAround(long now) {
        if (!heap.isOpen()) {
            end();
            throw closedMeanwhile();
        }
        trouble = peers.trouble(what, peer);
        int dead = heap.knownDead(peers.without());
        if (dead < 0 && now - lookedAround >= LOOK_AROUND_NANOS) {
            lookedAround = now;
            heap.findDead();
            dead = heap.knownDead(peers.without());
            gone = peers.gone(peer);
        }
        if (dead >= 0) {
            end();
            throw heap.dead(dead, waiting());
        }
        Standstill.look(now - start, waiter, operation);
        if (timeoutNanos > 0 && now - start >= timeoutNanos) {
            end();
            throw new CommTimeoutException(String.format(
                    "%s: waited %.1f s for %s in vain, though no rank died (timeout %.1f s)",
                    waiting(), (now - start) / 1e9, peers.waitedFor(peer), timeoutNanos / 1e9));
        }
        if (Thread.interrupted()) {
            end();
            Thread.currentThread().interrupt();
            throw new CommException(
                    waiting() + ": interrupted while it waited for " + peers.waitedFor(peer) + failures());
        }
    }

    /** Ranks that are threads are interrupted when one of them has failed. */
    private String failures() {
        List<Integer> failed = heap.world().failedRanks();
        return failed.isEmpty()
                ? ""
                : "; rank " + failed.getFirst() + " has failed" + LastWords.of(heap.world(), failed.getFirst());
    }

    private String waiting() {
        return what + " on " + waiter;
    }
}
