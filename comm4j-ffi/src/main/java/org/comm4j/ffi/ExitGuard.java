// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.ffi;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A native library is in use. When the JVM ends meanwhile, be it by an exception, a signal or {@link System#exit}, the
 * process ends without the exit handlers of C libraries: those of communication libraries wait for GPUs that wait for
 * other processes, for ever, or take away what other threads are using. {@link Runtime#halt} is covered only where
 * {@link #beforeEnd} is called first.
 */
public final class ExitGuard implements AutoCloseable {
    private static final Set<ExitGuard> OPEN = ConcurrentHashMap.newKeySet();

    private ExitGuard() {}

    private static final class Hook {
        static {
            Runtime.getRuntime().addShutdownHook(new Thread(ExitGuard::beforeEnd, "comm4j exit"));
        }

        static void install() {}
    }

    public static ExitGuard open() {
        Hook.install();
        ExitGuard guard = new ExitGuard();
        OPEN.add(guard);
        return guard;
    }

    /** What happens before the JVM ends, for whoever halts it. */
    public static void beforeEnd() {
        if (!OPEN.isEmpty()) {
            skipHandlers();
        }
    }

    /**
     * From now on, the process ends without exit handlers, with the same exit code: {@code on_exit(_exit, NULL)}, since
     * handlers run last in, first out. Does nothing where C has no {@code on_exit}.
     */
    public static void skipHandlers() {
        Linker linker = Linker.nativeLinker();
        SymbolLookup c = linker.defaultLookup();
        c.find("on_exit").ifPresent(onExit -> {
            try {
                int status = (int) linker.downcallHandle(onExit, FunctionDescriptor.of(JAVA_INT, ADDRESS, ADDRESS))
                        .invokeExact(c.findOrThrow("_exit"), MemorySegment.NULL);
                if (status != 0) {
                    throw new IllegalStateException("on_exit returned " + status);
                }
            } catch (RuntimeException | Error e) {
                throw e;
            } catch (Throwable e) {
                throw new AssertionError(e);
            }
        });
    }

    @Override
    public void close() {
        OPEN.remove(this);
    }
}
