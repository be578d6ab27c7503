// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.nccl;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * The ranks of one communicator that live in this process, each driven by a thread of its own. They reach each other's memory directly,
 * and NCCL frees what they have when the last of them ends, which waits for their GPUs. So they end a communicator together: none frees
 * its memory before all have ended, for their kernels might read it, and none goes on before all have freed, or it would start work that
 * waits for the next one, which waits for that work.
 *
 * <p>Closing several communicators in different orders on different ranks costs {@link #PATIENCE} each time, no more.
 */
final class Neighbours {
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    private static final Map<String, Neighbours> KNOWN = new HashMap<>();

    private enum Phase {
        WORKING,
        LEAVING,
        ENDED,
        FREED
    }

    /** A rank of this process: what it ends goes through here. */
    static final class Member {
        private final Neighbours all;
        private final Thread thread = Thread.currentThread();
        private Phase phase = Phase.WORKING;

        private Member(Neighbours all) {
            this.all = all;
        }

        /** The communicator's name. */
        String name() {
            return all.name;
        }

        /** Whether the ranks of this process are all there are. */
        boolean areAll(int size) {
            return all.count() == size;
        }

        /** This rank aborts its part, or has none. */
        void aborts() {
            all.abort();
        }

        /** This rank is about to destroy its part; false if another one aborts its own, which is waited for a while. */
        boolean isInOrder() {
            return all.leave(this);
        }

        /** There is no communicator after all. */
        void withdraw() {
            all.remove(this);
        }

        /**
         * This rank has destroyed or aborted its part, and frees what it has when the others have ended theirs, too: at the end of this,
         * or if that takes too long, when the last of them does.
         */
        void ended(Runnable free) {
            all.ended(this, free);
        }

        /** This rank goes on, when the others have freed what they had, too, unless that takes too long. */
        void freed() {
            all.reach(Phase.FREED, this);
            all.remove(this);
        }

        /** One thread may drive several ranks, and ends them one after the other. A thread that has ended does not tell. */
        private boolean isAwaited(Phase awaited) {
            return phase.compareTo(awaited) < 0
                    && !(awaited == Phase.LEAVING && all.aborted)
                    && !thread.equals(Thread.currentThread())
                    && thread.isAlive();
        }
    }

    private final String name;
    private final List<Member> members = new ArrayList<>();
    /** How to free what those had that could not wait for the others. */
    private final List<Runnable> legacy = new ArrayList<>();
    /** Whether one of them has aborted its part. */
    private boolean aborted;

    private Neighbours(String name) {
        this.name = name;
    }

    /**
     * Announces a rank, before NCCL makes its communicator: when NCCL has made it for one rank, all have come.
     *
     * @param name the same for all ranks of a communicator, and for no other one
     */
    static Member join(String name) {
        synchronized (KNOWN) {
            Neighbours neighbours = KNOWN.computeIfAbsent(name, Neighbours::new);
            synchronized (neighbours) {
                Member member = new Member(neighbours);
                neighbours.members.add(member);
                return member;
            }
        }
    }

    /** The last one that goes is the end of all. */
    private void remove(Member member) {
        synchronized (KNOWN) {
            synchronized (this) {
                member.phase = Phase.FREED;
                notifyAll();
                if (members.stream().allMatch(each -> each.phase == Phase.FREED)) {
                    KNOWN.remove(name, this);
                }
            }
        }
    }

    private synchronized int count() {
        return members.size();
    }

    private synchronized void abort() {
        aborted = true;
        notifyAll();
    }

    private synchronized boolean leave(Member member) {
        reach(Phase.LEAVING, member);
        return !aborted;
    }

    private void ended(Member member, Runnable free) {
        List<Runnable> due = new ArrayList<>();
        synchronized (this) {
            legacy.add(free);
            if (reach(Phase.ENDED, member)) {
                due.addAll(legacy);
                legacy.clear();
            }
        }
        due.forEach(Runnable::run);
    }

    /** Whether all have reached {@code phase}, after waiting for that a while. */
    private synchronized boolean reach(Phase phase, Member mine) {
        mine.phase = phase;
        notifyAll();
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (members.stream().anyMatch(member -> member.isAwaited(phase))) {
            long left = end - System.nanoTime();
            if (left <= 0) {
                return false;
            }
            try {
                TimeUnit.NANOSECONDS.timedWait(this, Math.min(left, TimeUnit.MILLISECONDS.toNanos(50)));
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return false;
            }
        }
        return true;
    }
}
