// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.nccl;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * The ranks of one communicator that live in this process. To end a communicator is to free memory, for which CUDA waits until the
 * GPUs that reach each other's memory are idle. A rank that had ended its part and went on would start work that waits for the next
 * one, which would wait for that work: so ranks of one process that have a thread each leave together.
 *
 * <p>Closing several communicators in different orders on different ranks costs {@link #PATIENCE} each time, no more.
 */
final class Neighbours {
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    private static final Map<String, Neighbours> KNOWN = new HashMap<>();

    private final String name;
    /** The ranks that are not closed, and the thread that made each. */
    private final Map<Integer, Thread> open = new HashMap<>();

    private Neighbours(String name) {
        this.name = name;
    }

    /** @param name the same for all ranks of a communicator, and for no other one */
    static Neighbours join(String name, int rank) {
        synchronized (KNOWN) {
            Neighbours neighbours = KNOWN.computeIfAbsent(name, Neighbours::new);
            synchronized (neighbours) {
                neighbours.open.put(rank, Thread.currentThread());
            }
            return neighbours;
        }
    }

    String name() {
        return name;
    }

    /** Leaves, and waits until those that other threads drive have left, too, unless that takes too long. */
    void leave(int rank) {
        synchronized (KNOWN) {
            synchronized (this) {
                open.remove(rank);
                notifyAll();
                if (open.isEmpty()) {
                    KNOWN.remove(name, this);
                }
            }
        }
        long end = System.nanoTime() + PATIENCE.toNanos();
        synchronized (this) {
            for (long left = PATIENCE.toNanos(); othersWork() && left > 0; left = end - System.nanoTime()) {
                try {
                    TimeUnit.NANOSECONDS.timedWait(this, Math.min(left, TimeUnit.MILLISECONDS.toNanos(50)));
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                    return;
                }
            }
        }
    }

    private boolean othersWork() {
        for (Thread thread : open.values()) {
            if (thread != Thread.currentThread() && thread.isAlive()) {
                return true;
            }
        }
        return false;
    }
}
