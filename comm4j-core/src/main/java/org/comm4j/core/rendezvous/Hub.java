// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.core.rendezvous;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.StringJoiner;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.IntPredicate;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.comm4j.core.CommException;
import org.comm4j.core.CommTimeoutException;
import org.comm4j.core.RankFailedException;
import org.comm4j.core.RendezvousException;
import org.jspecify.annotations.Nullable;

/**
 * The state of one rendezvous: who is here, what was published, who waits for whom. Calls block their thread until they
 * can return or throw; once a rank has died, every wait that is not satisfied yet throws, but those in an {@link
 * #agree agreement}.
 */
public final class Hub {

    /** The longest value, in bytes, and the longest list of values that one exchange can return. */
    public static final int VALUE_LIMIT = 16 << 20;

    /** Nanoseconds after a rank has left in which it may still say that an exception ended it. */
    private static final long LAST_WORDS_NANOS = TimeUnit.SECONDS.toNanos(1);

    /** The longest key, in bytes of UTF-8. */
    public static final int KEY_LIMIT = 1024;

    /** The key of a barrier, which is an exchange of nothing. Users' keys are not empty. */
    public static final String BARRIER = "";

    /** The key of the exchange that forms the world; longer than any that users may give. */
    static final String JOIN = "j".repeat(KEY_LIMIT + 1);

    private enum Presence {
        AWAITED,
        HERE,
        LEFT,
        FAILED
    }

    /** One exchange under way. */
    private static final class Round {
        final byte[] @Nullable [] values;

        @Nullable
        List<byte[]> all;

        Round(int size) {
            values = new byte[size][];
        }
    }

    private final int size;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final Presence[] presence;
    private final @Nullable String[] fate;
    /** Until when a rank that has left may say why. */
    private final long[] wordsUntil;

    private final List<Integer> goneInOrder = new ArrayList<>();
    private final Published published = new Published();
    private final Map<String, Round> rounds = new HashMap<>();
    private final Map<String, Agreement> agreements = new HashMap<>();
    private final Remarks remarks = new Remarks();
    private final List<Watcher> watchers = new CopyOnWriteArrayList<>();
    private @Nullable String aborted;
    private @Nullable String unformed;

    /** A rendezvous of {@code size} ranks, none of which is here yet. */
    public Hub(int size) {
        if (size < 1) {
            throw new IllegalArgumentException("a world has at least one rank, not " + size);
        }
        this.size = size;
        presence = new Presence[size];
        Arrays.fill(presence, Presence.AWAITED);
        fate = new String[size];
        wordsUntil = new long[size];
    }

    /** How many ranks there are. */
    public int size() {
        return size;
    }

    /** From now on tells {@code watcher} what happens. */
    public void watch(Watcher watcher) {
        watchers.add(watcher);
    }

    /** A rank of this same JVM takes its place. */
    public Membership member(int rank) {
        arrive(rank);
        return new Membership() {
            @Override
            public void publish(String key, byte[] value) {
                Hub.this.publish(rank, key, value.clone());
            }

            @Override
            public byte[] lookup(String key, Duration timeout) {
                return Hub.this.lookup(rank, key, timeout).clone();
            }

            @Override
            public List<byte[]> exchange(String key, byte[] mine, Duration timeout) {
                return Hub.this.exchange(rank, key, mine.clone(), timeout).stream()
                        .map(byte[]::clone)
                        .toList();
            }

            @Override
            public SortedMap<Integer, byte[]> agree(String key, int[] ranks, byte[] mine, Duration timeout) {
                SortedMap<Integer, byte[]> values = new TreeMap<>();
                Hub.this
                        .agree(rank, key, ranks.clone(), mine.clone(), timeout)
                        .forEach((each, value) -> values.put(each, value.clone()));
                return values;
            }

            @Override
            public List<Integer> failedRanks() {
                return Hub.this.failedRanks();
            }

            @Override
            public @Nullable String fate(int other) {
                return Hub.this.fate(other);
            }

            @Override
            public void fail(String how) {
                end(rank, how);
            }

            @Override
            public void abort(int exitCode, String reason) {
                Hub.this.abort(rank, exitCode, reason);
            }

            @Override
            public void close() {
                leave(rank);
            }
        };
    }

    /**
     * A rank takes its place.
     *
     * @throws RendezvousException if there is no such place, if it is taken, or if it is too late
     */
    void arrive(int rank) {
        lock.lock();
        try {
            if (rank < 0 || rank >= size) {
                throw new RendezvousException(
                        "rank " + rank + " is out of range: this job has ranks 0 to " + (size - 1));
            }
            if (unformed != null) {
                throw new RendezvousException("rank " + rank + " comes too late: " + unformed);
            }
            if (presence[rank] == Presence.HERE) {
                throw new RendezvousException(
                        "rank " + rank + " is there already: two processes claim to be it. A process that a rank"
                                + " starts inherits its variables; it must not join, or needs them unset");
            }
            if (presence[rank] != Presence.AWAITED) {
                throw new RendezvousException(
                        "rank " + rank + " was there already and " + fate[rank] + "; a rank joins its world once");
            }
            presence[rank] = Presence.HERE;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Waits until all ranks have arrived and gives their cards; the first rank whose patience ends decides for all that
     * the world is not formed.
     */
    List<byte[]> join(int rank, byte[] card, Duration timeout) {
        try {
            return exchange(rank, JOIN, card, timeout);
        } catch (CommTimeoutException e) {
            throw notFormed(
                    () -> {
                        String all = remarks.text();
                        return list(all(r -> presence[r] == Presence.AWAITED)) + " did not join within "
                                + seconds(timeout) + " of rank " + rank
                                + (all.isEmpty() ? "" : "; turned away meanwhile: " + all)
                                + " (COMM4J_JOIN_TIMEOUT sets the seconds)";
                    },
                    e);
        } catch (RankFailedException e) {
            throw notFormed(() -> "rank " + e.failedRank() + " " + fate[e.failedRank()], e);
        }
    }

    /** The first reason that the world is not formed is everybody's. */
    private RendezvousException notFormed(Supplier<String> why, CommException cause) {
        lock.lock();
        try {
            if (unformed == null) {
                unformed = "the world of " + ranks(size) + " was not formed: " + why.get();
                changed.signalAll();
            }
            return new RendezvousException(unformed, cause);
        } finally {
            lock.unlock();
        }
    }

    /** Something to mention when the world is not formed. */
    void remark(String what) {
        String told = remarks.add(what);
        if (told != null) {
            watchers.forEach(w -> w.refused(told));
        }
    }

    void publish(int rank, String key, byte[] value) {
        checkKey(key);
        checkValue(key, value);
        lock.lock();
        try {
            published.add(rank, key, value);
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    byte[] lookup(int rank, String key, Duration timeout) {
        checkKey(key);
        return await(
                rank,
                "the lookup of '" + key + "'",
                timeout,
                () -> published.get(key),
                () -> firstFailedOr(() -> othersLeft(rank)),
                () -> "nobody has published it" + absence());
    }

    List<byte[]> exchange(int rank, String key, byte[] mine, Duration timeout) {
        checkValue(key, mine);
        String what =
                key.equals(BARRIER) ? "the barrier" : key.equals(JOIN) ? "joining" : "the exchange of '" + key + "'";
        Round round;
        lock.lock();
        try {
            round = rounds.computeIfAbsent(key, k -> new Round(size));
            if (round.values[rank] != null) {
                throw new IllegalStateException("rank " + rank + " is in " + what + " already, in another thread");
            }
            round.values[rank] = mine;
            if (missing(round).isEmpty()) {
                rounds.remove(key);
                round.all = List.of(round.values);
                changed.signalAll();
            }
        } finally {
            lock.unlock();
        }
        try {
            List<byte[]> all = await(
                    rank,
                    what,
                    timeout,
                    () -> round.all,
                    () -> firstFailedOr(() -> missing(round).stream()
                            .filter(r -> presence[r] == Presence.LEFT)
                            .findFirst()
                            .orElse(-1)),
                    () -> list(missing(round)) + " of " + size + " did not come");
            long total = all.stream().mapToLong(v -> v.length).sum();
            if (total > VALUE_LIMIT) {
                throw new CommException(
                        "rank " + rank + ": " + what + " gathers " + total + " bytes; the rendezvous takes "
                                + VALUE_LIMIT + " and is meant for small values: use a communicator");
            }
            return all;
        } finally {
            lock.lock();
            try {
                // Whoever gave up has not taken part: a later attempt starts anew.
                if (round.all == null) {
                    round.values[rank] = null;
                }
            } finally {
                lock.unlock();
            }
        }
    }

    /** See {@link Membership#agree}. */
    SortedMap<Integer, byte[]> agree(int rank, String key, int[] ranks, byte[] mine, Duration timeout) {
        checkKey(key);
        checkValue(key, mine);
        int[] inOrder = IntStream.of(ranks)
                .filter(r -> r >= 0 && r < size)
                .sorted()
                .distinct()
                .toArray();
        if (!Arrays.equals(ranks, inOrder) || Arrays.binarySearch(ranks, rank) < 0) {
            throw new IllegalArgumentException("rank " + rank + " of " + size
                    + ": an agreement is among ranks of this job in ascending order, this one included, not "
                    + Arrays.toString(ranks));
        }
        String what = "the agreement '" + key + "'";
        Agreement agreement;
        lock.lock();
        try {
            if (isGone(rank)) {
                throw new CommException("rank " + rank + " " + fate[rank] + " and takes no part in " + what);
            }
            agreement = agreements.computeIfAbsent(key, k -> new Agreement(ranks));
            agreement.give(rank, ranks, mine, what);
            settle();
        } finally {
            lock.unlock();
        }
        try {
            return await(
                    rank,
                    what,
                    timeout,
                    agreement::end,
                    () -> -1,
                    () -> list(agreement.missing(this::isGone)) + " did not come");
        } finally {
            lock.lock();
            try {
                if (agreement.end() == null && agreement.withdraw(rank)) {
                    agreements.remove(key, agreement);
                }
            } finally {
                lock.unlock();
            }
        }
    }

    private boolean isGone(int rank) {
        return presence[rank] == Presence.LEFT || presence[rank] == Presence.FAILED;
    }

    /** Ends the agreements that nobody has to come to any more. */
    private void settle() {
        if (agreements.values().removeIf(each -> each.hasEnded(this::isGone))) {
            changed.signalAll();
        }
    }

    /** The common wait: until {@code ready} gives a value, or nothing can make it do so any more, or time is up. */
    private <T> T await(
            int rank,
            String what,
            Duration timeout,
            Supplier<@Nullable T> ready,
            Supplier<Integer> hopelessFor,
            Supplier<String> why) {
        try {
            lock.lockInterruptibly();
        } catch (InterruptedException e) {
            throw interrupted(rank, what, e);
        }
        try {
            long left = nanos(timeout);
            while (true) {
                T value = ready.get();
                if (value != null) {
                    return value;
                }
                if (aborted != null) {
                    throw new CommException("rank " + rank + ": " + what + " was cut short: " + aborted);
                }
                if (unformed != null) {
                    throw new RendezvousException(unformed);
                }
                int gone = hopelessFor.get();
                long words = gone >= 0 && presence[gone] == Presence.LEFT ? wordsUntil[gone] - System.nanoTime() : 0;
                if (gone >= 0 && words <= 0) {
                    throw new RankFailedException(
                            gone, "rank " + rank + ": " + what + " cannot complete: rank " + gone + " " + fate[gone]);
                }
                if (left <= 0) {
                    throw new CommTimeoutException(
                            "rank " + rank + " waited " + seconds(timeout) + " in " + what + ": " + why.get());
                }
                long pause = words > 0 ? Math.min(words, left) : left;
                left -= pause - changed.awaitNanos(pause);
            }
        } catch (InterruptedException e) {
            throw interrupted(rank, what, e);
        } finally {
            lock.unlock();
        }
    }

    private int firstFailedOr(Supplier<Integer> other) {
        return IntStream.range(0, size)
                .filter(r -> presence[r] == Presence.FAILED)
                .findFirst()
                .orElseGet(other::get);
    }

    static CommException interrupted(int rank, String what, InterruptedException e) {
        Thread.currentThread().interrupt();
        return new CommException("rank " + rank + " was interrupted in " + what, e);
    }

    /** The ranks that died, in ascending order. */
    List<Integer> failedRanks() {
        lock.lock();
        try {
            return all(r -> presence[r] == Presence.FAILED);
        } finally {
            lock.unlock();
        }
    }

    /** Returns how a rank died; null unless it did. */
    @Nullable
    String fate(int rank) {
        lock.lock();
        try {
            return presence[rank] == Presence.FAILED ? fate[rank] : null;
        } finally {
            lock.unlock();
        }
    }

    /**
     * The ranks that have left or died, in that order: others may be gone because of the first. Watchers may hear
     * otherwise.
     */
    public List<Integer> goneInOrder() {
        lock.lock();
        try {
            return List.copyOf(goneInOrder);
        } finally {
            lock.unlock();
        }
    }

    /** A rank leaves in peace; without effect if it is gone already. */
    void leave(int rank) {
        gone(rank, Presence.LEFT, "has closed its world", false);
    }

    /** A rank is dead; without effect if it is known to be gone already. {@code how} continues "rank 2 ...". */
    public void fail(int rank, String how) {
        gone(rank, Presence.FAILED, how, false);
    }

    /** A rank that has not arrived never will; without effect if it has arrived. {@code how} continues "rank 2 ...". */
    public void miss(int rank, String how) {
        lock.lock();
        try {
            if (presence[rank] != Presence.AWAITED) {
                return;
            }
        } finally {
            lock.unlock();
        }
        fail(rank, how);
    }

    /**
     * Notes that an exception has ended a rank, perhaps after it has left.
     *
     * @param how continues "rank 2 ..."
     */
    public void end(int rank, String how) {
        gone(rank, Presence.FAILED, how, true);
    }

    /** @param evenLeft whether it counts although the rank has left */
    private void gone(int rank, Presence now, String how, boolean evenLeft) {
        lock.lock();
        try {
            if (presence[rank] == Presence.FAILED || presence[rank] == Presence.LEFT && !evenLeft) {
                // Nothing more comes of it.
                wordsUntil[rank] = System.nanoTime();
                changed.signalAll();
                return;
            }
            presence[rank] = now;
            fate[rank] = how;
            wordsUntil[rank] = System.nanoTime() + LAST_WORDS_NANOS;
            if (!goneInOrder.contains(rank)) {
                goneInOrder.add(rank);
            }
            settle();
            changed.signalAll();
        } finally {
            lock.unlock();
        }
        watchers.forEach(w -> w.gone(rank, now == Presence.FAILED, how));
    }

    /** Ends the job for all. */
    void abort(int rank, int exitCode, String reason) {
        lock.lock();
        try {
            if (aborted != null) {
                return;
            }
            aborted = abortMessage(rank, exitCode, reason);
            changed.signalAll();
        } finally {
            lock.unlock();
        }
        watchers.forEach(w -> w.aborted(rank, exitCode, reason));
    }

    /** Whether a rank has ended the job. */
    boolean isAborted() {
        lock.lock();
        try {
            return aborted != null;
        } finally {
            lock.unlock();
        }
    }

    static String abortMessage(int rank, int exitCode, String reason) {
        return "rank " + rank + " aborted the job with exit code " + exitCode + ": " + reason;
    }

    /** Waits until every rank that arrived has left or died. */
    void awaitEmpty(Duration timeout) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            long left = nanos(timeout);
            while (left > 0 && Arrays.asList(presence).contains(Presence.HERE)) {
                left = changed.awaitNanos(left);
            }
        } finally {
            lock.unlock();
        }
    }

    private List<Integer> all(IntPredicate which) {
        return IntStream.range(0, size).filter(which).boxed().toList();
    }

    private List<Integer> missing(Round round) {
        return all(r -> round.values[r] == null);
    }

    /** A rank that left, if no other than {@code rank} is there any more to publish anything; else -1. */
    private int othersLeft(int rank) {
        return size > 1 && IntStream.range(0, size).allMatch(r -> r == rank || presence[r] == Presence.LEFT)
                ? (rank == 0 ? 1 : 0)
                : -1;
    }

    private String absence() {
        List<Integer> left = all(r -> presence[r] == Presence.LEFT);
        return left.isEmpty()
                ? ""
                : "; " + list(left) + (left.size() == 1 ? " has" : " have") + " closed the world already";
    }

    /** Throws unless users may give this key. */
    public static void checkKey(String key) {
        int length = key.getBytes(StandardCharsets.UTF_8).length;
        if (length == 0 || length > KEY_LIMIT) {
            throw new IllegalArgumentException("a key has 1 to " + KEY_LIMIT + " bytes, not " + length);
        }
    }

    static void checkValue(String key, byte[] value) {
        if (value.length > VALUE_LIMIT) {
            throw new IllegalArgumentException("the value of '" + key + "' has " + value.length
                    + " bytes; the rendezvous takes at most " + VALUE_LIMIT);
        }
    }

    static long nanos(Duration timeout) {
        return TimeUnit.NANOSECONDS.convert(timeout);
    }

    static String seconds(Duration timeout) {
        return timeout.toMillis() / 1000.0 + " s";
    }

    private static String ranks(int size) {
        return size == 1 ? "1 rank" : size + " ranks";
    }

    /** "rank 3", "ranks 1 and 3", "ranks 0, 1 and 3", "ranks 1, 2, 3 and 60 more". */
    static String list(List<Integer> ranks) {
        if (ranks.size() == 1) {
            return "rank " + ranks.getFirst();
        }
        boolean cut = ranks.size() > 20;
        List<Integer> named = cut ? ranks.subList(0, 16) : ranks.subList(0, Math.max(0, ranks.size() - 1));
        StringJoiner joiner = new StringJoiner(", ", "ranks ", "");
        named.forEach(r -> joiner.add(r.toString()));
        return joiner + " and "
                + (cut ? (ranks.size() - 16) + " more" : ranks.getLast().toString());
    }
}
