// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.core.spi;

import java.lang.Thread.UncaughtExceptionHandler;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.comm4j.core.World;
import org.jspecify.annotations.Nullable;

/**
 * Words of a rank that an exception ends. A program's resources are closed before its exception is seen, so others may
 * find first that the rank has left, and learn why a moment later.
 */
public final class LastWords {
    /** The longest text of an exception, in characters. */
    private static final int LIMIT = 1000;

    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(1);

    /** Tells the other ranks of the world that this process has joined. */
    private static final AtomicReference<Consumer<String>> TELLER = new AtomicReference<>(_ -> {});

    private LastWords() {}

    /** Returns what an exception says, bounded, to continue "rank 2 ...". */
    public static String of(Throwable e) {
        String text = "has thrown " + e;
        return text.length() <= LIMIT ? text : text.substring(0, LIMIT) + "...";
    }

    /** Has what ends this thread, or is {@link #say said}, told to {@code teller} before other handlers hear of it. */
    public static void tell(Consumer<String> teller) {
        TELLER.set(teller);
        Thread thread = Thread.currentThread();
        UncaughtExceptionHandler others = thread.getUncaughtExceptionHandler();
        thread.setUncaughtExceptionHandler((ended, e) -> {
            try {
                say(e);
            } catch (RuntimeException nobodyListens) {
                // The others learn of the end of this process.
            } finally {
                others.uncaughtException(ended, e);
            }
        });
    }

    /** Tells the other ranks what ends this one, where a program catches it after its world is closed. */
    public static void say(Throwable e) {
        TELLER.get().accept(of(e));
    }

    /** Returns how a rank of a world died, in parentheses; empty unless that is known. */
    public static String of(@Nullable World world, int rank) {
        String fate = world == null ? null : world.fate(rank);
        return fate == null ? "" : " (it " + fate + ")";
    }

    /** Returns {@link #of(World, int)} of a rank that is gone; waits a second for what it may still say. */
    public static String awaited(World world, int rank) {
        long start = System.nanoTime();
        try {
            while (world.fate(rank) == null && System.nanoTime() - start < PATIENCE_NANOS) {
                Thread.sleep(1);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return of(world, rank);
    }
}
