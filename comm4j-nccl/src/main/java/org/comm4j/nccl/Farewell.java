// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.nccl;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.comm4j.core.CommException;
import org.comm4j.core.World;
import org.comm4j.core.spi.Peers;
import org.jspecify.annotations.Nullable;

/**
 * The end of one rank's part of a communicator, which ranks of one process, and of one host, make together.
 *
 * <p>NCCL frees what the ranks of a process have when the last of them ends, which waits for their GPUs. So none frees
 * its memory before all have ended, for their kernels might read it; and none goes on before all have freed, or it
 * would start work that waits for the next one, which waits for that work. From NCCL 2.31 on, destroying waits for all
 * ranks of the host, also for one that has aborted its part and never comes. So ranks tell each other before: those of
 * one process directly, others where they have a {@link World}.
 *
 * <p>Each wait is for ranks that can come, and has a limit. A thread that closes several ranks one after the other does
 * not wait for those that it has yet to close: what a rank cannot end alone, the last one of the process ends for it.
 */
final class Farewell {
    private static final int FIRST_THAT_WAITS = 23100;

    /** A rank that is on its way is waited for so long, and one that another thread drives before it begins. */
    private static final long PATIENCE = Duration.ofSeconds(5).toNanos();

    /** Whoever closes what other threads drive may be closing all of them. */
    private static final long GRACE = Duration.ofMillis(300).toNanos();

    /** Destroying takes NCCL a good part of a second by itself. */
    private static final long LEAST_LIMIT = Duration.ofSeconds(10).toNanos();

    /** A thread that has ended does not tell. */
    private static final long LOOK = TimeUnit.MILLISECONDS.toNanos(50);

    private static final byte[] DESTROYS = {1};
    private static final byte[] ABORTS = {0};

    private static final Map<String, Family> FAMILIES = new HashMap<>();

    private enum Phase {
        WORKING,
        LEAVING,
        ENDED,
        FREED
    }

    /** The ranks of a communicator that live in this process. Guarded by itself. */
    private static final class Family {
        final List<Farewell> members = new ArrayList<>();
        /** What those could not do alone that have ended. */
        final List<Destruction> destructions = new ArrayList<>();

        final List<Runnable> frees = new ArrayList<>();
        /** Whether one of them has aborted its part. */
        boolean aborted;
    }

    /** NCCL's end of a communicator, in two ways. */
    private record Destruction(Runnable destroy, Runnable abort) {}

    private final String name;
    private final String process;
    private final Family family;
    private Phase phase = Phase.WORKING;
    /** The thread that called NCCL for this rank last, or made it. */
    private volatile Thread driver = Thread.currentThread();
    /** The thread that ends this rank; null before. */
    private @Nullable Thread closer;
    /** When this rank began to wait for others that had not begun to end; 0 before. */
    private long waitsSince;

    private Peers peers = Peers.UNKNOWN;
    private int rank;
    /** The other ranks of the host, of other processes, who hear this one, and are heard. */
    private int[] others = {};

    private Farewell(String name, String process, Family family) {
        this.name = name;
        this.process = process;
        this.family = family;
    }

    /**
     * Announces a rank, before NCCL makes its communicator: when NCCL has made it for one rank, all have come.
     *
     * @param name the same for all ranks of a communicator, and for no other one
     */
    static Farewell join(String name) {
        return join(name, name);
    }

    /** For tests: {@code process} is another name for each process of which a rank is as if it came from there. */
    static Farewell join(String name, String process) {
        synchronized (FAMILIES) {
            Family family = FAMILIES.computeIfAbsent(process, _ -> new Family());
            synchronized (family) {
                Farewell member = new Farewell(name, process, family);
                family.members.add(member);
                return member;
            }
        }
    }

    /** Tells who this rank is, when NCCL has made the communicator. */
    void made(Peers peers, int rank, int size) {
        synchronized (family) {
            this.peers = peers;
            this.rank = rank;
            if (meetsOthers() && peers.world() != null && family.members.size() < size) {
                others = IntStream.range(0, size)
                        .filter(each -> each != rank && peers.isNear(each))
                        .toArray();
            }
        }
    }

    /** The communicator's name. */
    String name() {
        return name;
    }

    /** Notes the thread that calls NCCL for this rank. */
    void drivenBy(Thread thread) {
        driver = thread;
    }

    /** Returns what NCCL takes for one host: a name and a boot, unless the user says something else. */
    static long host() {
        String id = System.getenv("NCCL_HOSTID");
        try {
            if (id == null) {
                id = Files.readString(Path.of("/proc/sys/kernel/hostname"))
                        + Files.readString(Path.of("/proc/sys/kernel/random/boot_id"));
            }
        } catch (IOException e) {
            // Nobody's then, so that nothing is known of the other ranks.
            return UUID.randomUUID().getLeastSignificantBits();
        }
        return UUID.nameUUIDFromBytes(id.getBytes(StandardCharsets.UTF_8)).getLeastSignificantBits();
    }

    /** Whether destroying waits for the other ranks of the host. */
    private static boolean meetsOthers() {
        return Library.version() >= FIRST_THAT_WAITS;
    }

    // ---- one after the other ----

    /** This thread begins to end this rank. */
    void begin() {
        synchronized (family) {
            closer = Thread.currentThread();
            family.notifyAll();
        }
    }

    /**
     * Returns whether this rank can destroy its part; false if another one has aborted its own, or has died, so that
     * this one has to abort, too.
     */
    boolean isInOrder() {
        return !meetsOthers()
                || (isFamilyInOrder()
                        && areOthersInOrder()
                        && peers.failedRanks().isEmpty());
    }

    private boolean isFamilyInOrder() {
        synchronized (family) {
            boolean ignored = reach(Phase.LEAVING);
            return !family.aborted;
        }
    }

    private boolean areOthersInOrder() {
        World world = peers.world();
        if (others.length == 0 || world == null) {
            return true;
        }
        publish(DESTROYS);
        long end = System.nanoTime() + PATIENCE;
        for (int each : others) {
            long left = end - System.nanoTime();
            try {
                if (left > 0 && world.lookup(key(each), Duration.ofNanos(left))[0] == ABORTS[0]) {
                    return false;
                }
            } catch (CommException | IllegalStateException tooLateOrNobodyListens) {
                return true;
            }
        }
        return true;
    }

    /**
     * Destroys this rank's part, or leaves that to the last rank of this process where it would wait for one that has
     * yet to begin.
     */
    void destroy(Runnable destroy, Runnable abort) {
        List<Destruction> due = new ArrayList<>();
        synchronized (family) {
            family.destructions.add(new Destruction(destroy, abort));
            if (!meetsOthers() || family.members.stream().allMatch(each -> each.closer != null)) {
                due.addAll(family.destructions);
                family.destructions.clear();
            }
        }
        // Each waits for the others.
        List<CompletableFuture<Void>> beside = due.stream()
                .skip(1)
                .map(each -> CompletableFuture.runAsync(
                        each.destroy, task -> Thread.ofPlatform().start(task)))
                .toList();
        if (!due.isEmpty()) {
            due.getFirst().destroy.run();
        }
        beside.forEach(CompletableFuture::join);
    }

    /** This rank aborts its part. */
    void aborts() {
        synchronized (family) {
            family.aborted = true;
            family.notifyAll();
        }
        if (others.length > 0) {
            publish(ABORTS);
        }
    }

    /**
     * This rank has destroyed or aborted its part, and frees what it has when the others have ended theirs, too: at the
     * end of this, or if that takes too long, when the last of them does.
     */
    void ended(Runnable free) {
        List<Runnable> due = new ArrayList<>();
        synchronized (family) {
            family.frees.add(free);
            if (reach(Phase.ENDED)) {
                // Left from ranks whose last one has aborted.
                family.destructions.forEach(each -> due.add(each.abort));
                family.destructions.clear();
                due.addAll(family.frees);
                family.frees.clear();
            }
        }
        due.forEach(Runnable::run);
    }

    /** This rank goes on, when the others have freed what they had, too, unless that takes too long. */
    void freed() {
        synchronized (family) {
            boolean ignored = reach(Phase.FREED);
        }
        remove();
    }

    /** There is no communicator after all, which is to the others as if it was aborted. */
    void withdraw() {
        aborts();
        remove();
    }

    /** The last one that goes is the end of all. */
    private void remove() {
        synchronized (FAMILIES) {
            synchronized (family) {
                phase = Phase.FREED;
                closer = Thread.currentThread();
                family.notifyAll();
                if (family.members.stream().allMatch(each -> each.phase == Phase.FREED)) {
                    FAMILIES.remove(process, family);
                }
            }
        }
    }

    // ---- waiting, with the family's monitor held ----

    /** Returns whether all have reached {@code next}, after waiting a while for those that can. */
    private boolean reach(Phase next) {
        phase = next;
        family.notifyAll();
        long start = System.nanoTime();
        boolean inTime = true;
        while (inTime) {
            boolean underWay = false;
            boolean toCome = false;
            for (Farewell each : family.members) {
                if (isAwaited(each, next)) {
                    underWay |= each.closer != null;
                    toCome |= each.closer == null;
                }
            }
            if (!underWay && !toCome) {
                break;
            }
            inTime = await(underWay ? start + PATIENCE - System.nanoTime() : leftForOthersToBegin());
        }
        return family.members.stream().allMatch(each -> each.phase.compareTo(next) >= 0);
    }

    private boolean isAwaited(Farewell other, Phase next) {
        if (other.phase.compareTo(next) >= 0 || (next == Phase.LEAVING && family.aborted)) {
            return false;
        }
        Thread thread = other.closer == null ? other.driver : other.closer;
        return thread.isAlive()
                && !thread.equals(closer)
                && (other.closer != null || (!thread.equals(driver) && !closesAll()));
    }

    /** Whether this thread has closed another rank before. */
    private boolean closesAll() {
        return family.members.stream().anyMatch(each -> each != this && Objects.equals(each.closer, closer));
    }

    /** How long to wait for ranks that have not begun to end, once for all phases. */
    private long leftForOthersToBegin() {
        long now = System.nanoTime();
        if (waitsSince == 0) {
            waitsSince = now;
        }
        return waitsSince + (driver.equals(closer) ? PATIENCE : GRACE) - now;
    }

    /** Waits for news; false if it is too late. */
    private boolean await(long left) {
        try {
            if (left > 0) {
                TimeUnit.NANOSECONDS.timedWait(family, Math.min(left, LOOK));
            }
            return left > 0;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    // ---- other processes ----

    /**
     * Returns how long NCCL may wait for others when it ends a communicator.
     *
     * @param timeoutNanos the communicator's limit; 0 for none
     */
    static long limit(long timeoutNanos) {
        return timeoutNanos == 0 ? 0 : Math.max(timeoutNanos, LEAST_LIMIT);
    }

    private void publish(byte[] how) {
        World world = peers.world();
        try {
            if (world != null) {
                world.publish(key(rank), how);
            }
        } catch (IllegalStateException | CommException saidBeforeOrNobodyListens) {
            return;
        }
    }

    private String key(int of) {
        // A split of a split of a split has a long name.
        UUID id = UUID.nameUUIDFromBytes(name.getBytes(StandardCharsets.UTF_8));
        return "comm4j-nccl-end " + of + " " + id;
    }
}
