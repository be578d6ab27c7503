// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.core.rendezvous;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Things that are worth a line, of which strangers can make any number: a few are kept, and a few in each ten seconds
 * are told.
 */
final class Remarks {
    private static final int FEW = 4;
    private static final long WHILE_NANOS = TimeUnit.SECONDS.toNanos(10);

    private final List<String> kept = new ArrayList<>();
    private long since = System.nanoTime();
    private int told;
    private int untold;

    /** Adds one; returns what to tell of it now, or null for nothing. */
    synchronized @Nullable String add(String what) {
        if (kept.size() < FEW) {
            kept.add(what);
        }
        long now = System.nanoTime();
        if (now - since > WHILE_NANOS) {
            since = now;
            told = 0;
        }
        if (told == FEW) {
            untold++;
            return null;
        }
        told++;
        String line = what + (untold == 0 ? "" : " (and " + untold + " more before it)");
        untold = 0;
        return line;
    }

    /** The first ones, in one line; empty if there are none. */
    synchronized String text() {
        return String.join("; ", kept);
    }
}
