// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.core;

import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Groups of the same operations, collected each time. */
final class RepeatedGroup implements PersistentGroup {
    private final Communicator communicator;
    private final Consumer<Operations> body;
    private @Nullable Request request;

    RepeatedGroup(Communicator communicator, Consumer<Operations> body) {
        if (body == null) {
            throw new NullPointerException("persistent on " + communicator + ": body is null");
        }
        this.communicator = communicator;
        this.body = body;
    }

    @Override
    public void run() {
        check("run");
        communicator.group(body);
    }

    @Override
    public void start() {
        check("start");
        request = communicator.groupAsync(body);
    }

    private void check(String operation) {
        if (request != null) {
            throw new IllegalStateException(
                    operation + " on " + communicator + ": the operations are under way; await their end first");
        }
    }

    @Override
    public void await() {
        Request started = request;
        if (started == null) {
            throw new IllegalStateException("await on " + communicator + ": the operations were not started");
        }
        request = null;
        started.await();
    }
}
