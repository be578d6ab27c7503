// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.core.spi;

import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The waits of this process that last long. A wait that looks around now and then tells it so; after ten seconds one
 * line on standard error says who waits for what, once for each place in the program, unless {@code COMM4J_QUIET} is
 * set. A report says at any time what all threads are doing. Waits that end soon cost nothing.
 */
public final class Standstill {

    /** The variable that turns the lines off. */
    public static final String QUIET = "COMM4J_QUIET";

    private static final long NOTED = TimeUnit.MILLISECONDS.toNanos(200);
    /** Ten seconds; the system property is for tests. */
    private static final long TOLD = TimeUnit.MILLISECONDS.toNanos(Long.getLong("org.comm4j.core.standstill", 10_000));

    private static final int MOST_PLACES = 1000;

    private static final Map<Thread, Note> NOTES = new ConcurrentHashMap<>();
    private static final Set<String> PLACES = ConcurrentHashMap.newKeySet();

    /** Classes that are nobody's program. */
    private static final Set<String> OURS = Set.of("org.comm4j.", "java.", "jdk.", "sun.");

    /** A wait that does not look around is one until it ends, another one as long as it does. */
    private static final long OVER = TimeUnit.SECONDS.toNanos(2);

    /** What one thread waits for. */
    private static final class Note {
        final String waiter;
        final Supplier<String> operation;
        final long start;
        final boolean looksAround;
        private volatile long looked = System.nanoTime();

        Note(String waiter, Supplier<String> operation, long start, boolean looksAround) {
            this.waiter = waiter;
            this.operation = operation;
            this.start = start;
            this.looksAround = looksAround;
        }

        boolean isOver() {
            return looksAround && System.nanoTime() - looked > OVER;
        }

        String line(@Nullable String place) {
            return waiter + " has waited " + TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - start) + " s in "
                    + operation.get() + (place == null ? "" : " (" + place + ")");
        }
    }

    private Standstill() {}

    /**
     * Notes a wait of this thread if it has become long, and tells of it when it is time. To be called where a wait
     * looks around, several times a second; the wait is over at {@link #end}, or two seconds after the last call.
     *
     * @param waiter who waits: "rank 0 of 4"
     * @param operation what in, and whom for: "send, for rank 1 of 4"
     */
    public static void look(long waitedNanos, String waiter, Supplier<String> operation) {
        look(Thread.currentThread(), waitedNanos, waiter, operation);
    }

    /** {@link #look(long, String, Supplier)} for a thread that waits where it cannot look around. */
    public static void look(Thread thread, long waitedNanos, String waiter, Supplier<String> operation) {
        if (waitedNanos >= NOTED) {
            long start = System.nanoTime() - waitedNanos;
            Note note = NOTES.get(thread);
            // An earlier wait may have left its note.
            if (note == null || Math.abs(start - note.start) >= NOTED) {
                NOTES.keySet().removeIf(each -> !each.isAlive());
                note = new Note(waiter, operation, start, true);
                NOTES.put(thread, note);
            }
            note.looked = System.nanoTime();
            if (waitedNanos >= TOLD && waitedNanos < 2 * TOLD) {
                tell(thread, note);
            }
        }
    }

    /** Notes a wait of this thread that will look around only when it ends. */
    public static void begin(String waiter, Supplier<String> operation) {
        NOTES.put(Thread.currentThread(), new Note(waiter, operation, System.nanoTime(), false));
    }

    /** Ends the wait of this thread. */
    public static void end() {
        NOTES.remove(Thread.currentThread());
    }

    /** Tells of a thread that has waited since it {@linkplain #begin began}. */
    public static void tell(Thread thread) {
        Note note = NOTES.get(thread);
        if (note != null) {
            tell(thread, note);
        }
    }

    private static void tell(Thread thread, Note note) {
        String place = place(thread.getStackTrace());
        // A program that has slow steps hears of each once, not at every step.
        String what = place == null ? note.operation.get() : place;
        if (PLACES.size() < MOST_PLACES && PLACES.add(note.waiter + what) && !isQuiet()) {
            System.err.println(note.line(place));
        }
    }

    /** Whether nobody wants to hear of long waits. */
    public static boolean isQuiet() {
        return Setting.isOn(System.getenv(QUIET), false);
    }

    /**
     * Waits for a future as {@link Future#get(long, TimeUnit)} does.
     *
     * @param waiter and {@code operation}: as for {@link #look}
     */
    public static <T> T get(Future<T> future, long timeoutNanos, String waiter, Supplier<String> operation)
            throws InterruptedException, ExecutionException, TimeoutException {
        long start = System.nanoTime();
        try {
            for (long waited = 0; ; waited = System.nanoTime() - start) {
                look(waited, waiter, operation);
                long left = timeoutNanos - waited;
                try {
                    return future.get(Math.min(left, NOTED), TimeUnit.NANOSECONDS);
                } catch (TimeoutException e) {
                    if (System.nanoTime() - start >= timeoutNanos) {
                        throw e;
                    }
                }
            }
        } finally {
            end();
        }
    }

    /** What the threads of this process are doing that belong to the program or to communication. */
    public static String report(String who) {
        StringBuilder text =
                new StringBuilder(who + " (pid " + ProcessHandle.current().pid() + ")\n");
        Thread.getAllStackTraces().forEach((thread, stack) -> {
            Note note = NOTES.get(thread);
            boolean ours = Stream.of(stack).anyMatch(f -> f.getClassName().startsWith("org.comm4j."))
                    && !thread.getName().startsWith("comm4j-rendezvous");
            if (stack.length > 0 && (note != null && !note.isOver() || ours || !thread.isDaemon())) {
                if (note != null && !note.isOver()) {
                    text.append("  ").append(note.line(place(stack))).append('\n');
                }
                text.append("  \"").append(thread.getName()).append("\" ").append(thread.getState());
                for (StackTraceElement frame : stack) {
                    if (frame.getClassName().startsWith("java.lang.invoke.")
                            || frame.getClassName().startsWith("jdk.internal.foreign.")) {
                        // What the JDK has made for a call of C.
                        continue;
                    }
                    text.append("\n      at ")
                            .append(frame.getClassName())
                            .append('.')
                            .append(frame.getMethodName())
                            .append('(')
                            .append(frame.isNativeMethod() ? "native" : where(frame))
                            .append(')');
                }
                text.append('\n');
            }
        });
        return text.toString();
    }

    /** Where in the program a thread is: file and line. */
    private static @Nullable String place(StackTraceElement[] stack) {
        return Stream.of(stack)
                .filter(f -> OURS.stream().noneMatch(f.getClassName()::startsWith))
                .filter(f -> f.getFileName() != null && f.getLineNumber() > 0)
                .map(Standstill::where)
                .findFirst()
                .orElse(null);
    }

    private static String where(StackTraceElement frame) {
        return frame.getFileName() + ":" + frame.getLineNumber();
    }
}
