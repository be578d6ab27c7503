// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.nvshmem;

import org.comm4j.nvshmem.Nvshmem.State;
import org.jspecify.annotations.Nullable;

/**
 * How far NVSHMEM is in this process: the library keeps it in global variables, and ends the process when they are not
 * as it expects.
 */
final class Lifecycle {
    private static State state = State.NOT_INITIALIZED;
    /** Where the initialisation is, or was, made; for messages. */
    private static @Nullable String by;

    private static boolean isUnderWay;

    private Lifecycle() {}

    static synchronized State state() {
        return state;
    }

    /** An initialisation starts. */
    static synchronized void begin(String who) {
        if (isUnderWay) {
            throw new IllegalStateException("init on " + who
                    + ": NVSHMEM is being initialised by another thread of this process; one process is one PE");
        }
        switch (state) {
            case INITIALIZED ->
                throw new IllegalStateException("init on " + who + ": this process is " + by
                        + " of an Nvshmem already: close that first; one process is one PE");
            case ABANDONED ->
                throw new IllegalStateException("init on " + who + ": NVSHMEM was given up in this process (" + by
                        + "), which cannot be undone; start a new process");
            case NOT_INITIALIZED, FINALIZED -> {}
        }
        isUnderWay = true;
    }

    /** The initialisation that began is over, however it ended. */
    static synchronized void over() {
        isUnderWay = false;
    }

    static synchronized void initialized(String who) {
        state = State.INITIALIZED;
        by = who;
    }

    static synchronized void ended() {
        state = State.FINALIZED;
    }

    /** Nothing that this process can call brings the library back to a known state. */
    static synchronized void abandoned(String why) {
        state = State.ABANDONED;
        by = why;
    }
}
