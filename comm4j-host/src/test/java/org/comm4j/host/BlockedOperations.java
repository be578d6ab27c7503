// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.host;

import java.time.Duration;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.comm4j.core.World;
import org.jspecify.annotations.Nullable;

/** All {@link BlockedOperation}s at the same time, each on a thread of its own, until something ends them. */
final class BlockedOperations implements AutoCloseable {
    /** How an operation ended, and when. */
    record Outcome(Throwable thrown, long nanoTime) {}

    private final int absent;
    private final Map<BlockedOperation, BlockedOperation.Environment> environments =
            new EnumMap<>(BlockedOperation.class);
    private final Map<BlockedOperation, Thread> threads = new EnumMap<>(BlockedOperation.class);
    private final Map<BlockedOperation, Outcome> outcomes = new ConcurrentHashMap<>();

    /** Collective; also on the rank that will be absent. */
    BlockedOperations(World world, int absent) {
        this.absent = absent;
        for (BlockedOperation each : BlockedOperation.values()) {
            environments.put(each, new BlockedOperation.Environment(world));
        }
    }

    BlockedOperation.Environment environment(BlockedOperation operation) {
        return environments.get(operation);
    }

    /** Starts them, and returns when all wait. */
    void start(Set<BlockedOperation> operations, @Nullable Duration timeout) throws InterruptedException {
        for (BlockedOperation each : operations) {
            BlockedOperation.Environment environment = environment(each);
            if (timeout != null) {
                environment.shmem.timeout(timeout);
                environment.comm.timeout(timeout);
            }
            threads.put(each, Thread.ofPlatform().daemon().name(each.name()).start(() -> {
                try {
                    each.repeat(environment, absent);
                } catch (Throwable e) {
                    outcomes.put(each, new Outcome(e, System.nanoTime()));
                }
            }));
        }
        for (Map.Entry<BlockedOperation, Thread> each : threads.entrySet()) {
            while (!outcomes.containsKey(each.getKey()) && !waits(each.getValue())) {
                Thread.sleep(1);
            }
        }
    }

    private static boolean waits(Thread thread) {
        if (thread.getState() == Thread.State.WAITING) {
            // For an asynchronous operation; the thread that executes it waits like the others.
            return true;
        }
        for (StackTraceElement frame : thread.getStackTrace()) {
            if (frame.getClassName().equals(Pause.class.getName())) {
                return true;
            }
        }
        return false;
    }

    void interrupt() {
        threads.values().forEach(Thread::interrupt);
    }

    /** How each ended; waits for it. */
    Map<BlockedOperation, Outcome> outcomes(Duration patience) throws InterruptedException {
        long deadline = System.nanoTime() + patience.toNanos();
        Set<BlockedOperation> waiting = EnumSet.noneOf(BlockedOperation.class);
        for (Map.Entry<BlockedOperation, Thread> each : threads.entrySet()) {
            if (!each.getValue().join(Duration.ofNanos(Math.max(1, deadline - System.nanoTime())))) {
                waiting.add(each.getKey());
            }
        }
        if (!waiting.isEmpty()) {
            throw new AssertionError("still waiting after " + patience.toSeconds() + " s: " + waiting);
        }
        return new EnumMap<>(outcomes);
    }

    @Override
    public void close() {
        environments.values().forEach(BlockedOperation.Environment::close);
    }
}
