// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.ffi;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The signal that makes a JVM print its stacks, SIGQUIT, taken over by a program that has more to say. The JVM gives it
 * to nobody, and Java code cannot run in a handler. So the handler is the C library's own {@code sigignore}, which
 * makes the signal ignored, and a thread looks now and then whether that has happened.
 */
@SuppressWarnings("restricted") // calling the C library is what this class is for
public final class QuitSignal {
    private static final int SIGQUIT = 3;
    private static final long SIG_IGN = 1;

    /** {@code struct sigaction} of the C libraries of 64-bit Linux: handler, 1024 signals, flags, restorer. */
    private static final long ACTION_BYTES = 152;

    private static final long FLAGS = 136;
    private static final int SA_RESTART = 0x10000000;

    private static final long LATER_MILLIS = 5000;
    private static final long ATTACHED_MILLIS = 1000;
    private static final long LOOK_MILLIS = 200;

    private final MethodHandle sigaction;
    private final MethodHandle raise;
    private final Arena arena = Arena.ofShared();
    private final MemorySegment jvms = arena.allocate(ACTION_BYTES, 8);
    private final MemorySegment ours = arena.allocate(ACTION_BYTES, 8);
    private final MemorySegment now = arena.allocate(ACTION_BYTES, 8);

    private QuitSignal(Linker linker) {
        sigaction = linker.downcallHandle(
                linker.defaultLookup().findOrThrow("sigaction"),
                FunctionDescriptor.of(JAVA_INT, JAVA_INT, ADDRESS, ADDRESS));
        raise = linker.downcallHandle(
                linker.defaultLookup().findOrThrow("kill"), FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT));
        ours.set(ADDRESS, 0, linker.defaultLookup().findOrThrow("sigignore"));
        ours.set(JAVA_INT, FLAGS, SA_RESTART);
    }

    /**
     * From five seconds later on, runs {@code action} in a thread of its own whenever this process gets SIGQUIT,
     * instead of the JVM's dump. {@code jcmd} and {@code jstack} work as before. Without effect where that is not
     * possible.
     */
    public static void listen(Runnable action) {
        listen(LATER_MILLIS, () -> {}, action);
    }

    static void listen(long laterMillis, Runnable ready, Runnable action) {
        Thread.ofPlatform().daemon().name("comm4j-quit-signal").start(() -> {
            try {
                // A program that starts others has better to do at first.
                Thread.sleep(laterMillis);
                if (DynamicLoader.problem() == null) {
                    new QuitSignal(Linker.nativeLinker()).serve(ready, action);
                }
            } catch (Throwable e) {
                // Another C library, or none: the JVM's own answer to the signal has to do.
            }
        });
    }

    private void serve(Runnable ready, Runnable action) throws Throwable {
        set(ours, jvms);
        ready.run();
        while (true) {
            Thread.sleep(LOOK_MILLIS);
            set(MemorySegment.NULL, now);
            if (now.get(ADDRESS, 0).address() != SIG_IGN) {
                continue;
            }
            if (isAttachment()) {
                set(jvms, MemorySegment.NULL);
                int ignored =
                        (int) raise.invokeExact((int) ProcessHandle.current().pid(), SIGQUIT);
                Thread.sleep(ATTACHED_MILLIS);
                set(ours, MemorySegment.NULL);
            } else {
                set(ours, MemorySegment.NULL);
                action.run();
            }
        }
    }

    private void set(MemorySegment action, MemorySegment before) throws Throwable {
        int ignored = (int) sigaction.invokeExact(SIGQUIT, action, before);
    }

    /** Whether the signal comes from a tool that wants to talk to the JVM; it leaves a file for it. */
    private static boolean isAttachment() {
        String file = ".attach_pid" + ProcessHandle.current().pid();
        return Files.exists(Path.of("/proc/self/cwd", file))
                || Files.exists(Path.of(System.getProperty("java.io.tmpdir"), file));
    }
}
