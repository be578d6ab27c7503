// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.core.spi;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The end of this process without shutdown hooks. {@link Runtime#halt} still runs C's exit handlers, and those of
 * communication libraries may wait for other processes for ever: engines register what keeps them from running.
 */
public final class Halt {
    private static final Set<Runnable> BEFORE = ConcurrentHashMap.newKeySet();

    private Halt() {}

    /** Runs {@code action} before this process is halted. */
    public static void before(Runnable action) {
        BEFORE.add(action);
    }

    /** Does not return. */
    public static void now(int exitCode) {
        try {
            BEFORE.forEach(Runnable::run);
        } finally {
            Runtime.getRuntime().halt(exitCode);
        }
    }
}
