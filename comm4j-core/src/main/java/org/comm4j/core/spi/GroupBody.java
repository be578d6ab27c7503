// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.core.spi;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The threads that run the body of a group of a communicator at the moment. A call of the communicator itself there
 * would run before the group, out of the order in which it is written, so it is refused.
 *
 * <p>An engine whose groups know their thread needs only {@link #refused}.
 */
public final class GroupBody {
    private final Set<Thread> threads = ConcurrentHashMap.newKeySet();

    public GroupBody() {}

    /** Begins a body in this thread. */
    public void enter() {
        threads.add(Thread.currentThread());
    }

    /** Ends the body of this thread. */
    public void leave() {
        threads.remove(Thread.currentThread());
    }

    /**
     * Refuses a call of the communicator in the body of one of its groups.
     *
     * @param where who calls, for the message: "rank 0 of 2"
     * @throws IllegalStateException if this thread runs a body
     */
    public void check(String operation, String where) {
        if (!threads.isEmpty() && threads.contains(Thread.currentThread())) {
            throw refused(operation, where);
        }
    }

    /** The exception for a call of a communicator in the body of one of its groups. */
    public static IllegalStateException refused(String operation, String where) {
        return new IllegalStateException(operation + " on " + where
                + ": the body of a group is running, in which only the operations that it was given can be called;"
                + " call this method before or after the group");
    }
}
