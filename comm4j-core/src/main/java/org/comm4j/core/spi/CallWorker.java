// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.core.spi;

import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * A thread that runs what it is given, one after the other. It starts with the first of it. Giving it something
 * allocates nothing once the queue is as long as it gets.
 */
final class CallWorker {
    private final String name;
    private final ArrayDeque<Runnable> queue = new ArrayDeque<>();
    private boolean started;
    private boolean ended;

    CallWorker(String name) {
        this.name = name;
    }

    synchronized void execute(Runnable task) {
        if (!started) {
            started = true;
            Thread.ofPlatform().daemon().name(name).start(this::loop);
        }
        queue.add(task);
        notifyAll();
    }

    private void loop() {
        for (Runnable task = next(); task != null; task = next()) {
            task.run();
        }
    }

    private synchronized @Nullable Runnable next() {
        boolean interrupted = false;
        while (queue.isEmpty() && !ended) {
            try {
                wait();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        return queue.poll();
    }

    /** Ends the thread when it has run everything it was given. */
    synchronized void end() {
        ended = true;
        notifyAll();
    }
}
