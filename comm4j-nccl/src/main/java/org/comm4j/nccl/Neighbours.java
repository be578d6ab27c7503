// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.nccl;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * The ranks of one communicator that live in this process, each driven by a thread of its own. CUDA frees memory only while the GPUs
 * that reach each other's memory are idle. A rank that had ended its part and went on would start work that waits for the next one,
 * which would wait for that work; one that freed its memory would wait for the kernels that the next one has yet to stop. So ranks of
 * one process end a communicator together: none frees its memory before all have ended, and none goes on before all have freed.
 *
 * <p>Closing several communicators in different orders on different ranks costs {@link #PATIENCE} each time, no more.
 */
final class Neighbours {
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    private static final Map<String, Neighbours> KNOWN = new HashMap<>();

    private final String name;
    /** The ranks that have not ended their part, and the thread that made each. */
    private final Map<Integer, Thread> working = new HashMap<>();
    /** The ranks that have not freed their memory. */
    private final Map<Integer, Thread> holding = new HashMap<>();

    private Neighbours(String name) {
        this.name = name;
    }

    /** @param name the same for all ranks of a communicator, and for no other one */
    static Neighbours join(String name, int rank) {
        synchronized (KNOWN) {
            Neighbours neighbours = KNOWN.computeIfAbsent(name, Neighbours::new);
            synchronized (neighbours) {
                neighbours.working.put(rank, Thread.currentThread());
                neighbours.holding.put(rank, Thread.currentThread());
            }
            return neighbours;
        }
    }

    String name() {
        return name;
    }

    /** This rank has destroyed or aborted its part: waits until the others have, too, unless that takes too long. */
    void ended(int rank) {
        leave(working, rank);
    }

    /** This rank has freed what it had: waits until the others have, too, unless that takes too long. */
    void freed(int rank) {
        synchronized (KNOWN) {
            synchronized (this) {
                if (holding.size() == 1 && holding.containsKey(rank)) {
                    KNOWN.remove(name, this);
                }
            }
        }
        leave(holding, rank);
    }

    private synchronized void leave(Map<Integer, Thread> those, int rank) {
        those.remove(rank);
        notifyAll();
        long end = System.nanoTime() + PATIENCE.toNanos();
        for (long left = PATIENCE.toNanos(); othersIn(those) && left > 0; left = end - System.nanoTime()) {
            try {
                // A thread that has ended does not tell.
                TimeUnit.NANOSECONDS.timedWait(this, Math.min(left, TimeUnit.MILLISECONDS.toNanos(50)));
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return;
            }
        }
    }

    private static boolean othersIn(Map<Integer, Thread> those) {
        for (Thread thread : those.values()) {
            if (!thread.equals(Thread.currentThread()) && thread.isAlive()) {
                return true;
            }
        }
        return false;
    }
}
