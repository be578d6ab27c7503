// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.nvshmem;

import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.function.Supplier;
import org.comm4j.core.CommException;

/**
 * Something that this process makes while NVSHMEM is initialised, which is mostly waiting, in a thread of its own.
 *
 * @param <T> what is made
 */
final class Meanwhile<T> {
    private final FutureTask<T> task;

    private Meanwhile(FutureTask<T> task) {
        this.task = task;
    }

    static <T> Meanwhile<T> make(String what, Supplier<T> maker) {
        FutureTask<T> task = new FutureTask<>(maker::get);
        Thread.ofPlatform().daemon().name("comm4j " + what).start(task);
        return new Meanwhile<>(task);
    }

    /** What was made, as soon as it is there; or throws what making it threw. */
    T get() {
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    return task.get();
                } catch (InterruptedException e) {
                    // It is short, and what comes next hears of it.
                    interrupted = true;
                } catch (ExecutionException e) {
                    switch (e.getCause()) {
                        case RuntimeException cause -> throw cause;
                        case Error cause -> throw cause;
                        case null, default -> throw new CommException("initialisation", e);
                    }
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
