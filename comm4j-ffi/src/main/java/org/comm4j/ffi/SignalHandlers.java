// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.ffi;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The handlers of signals that the JVM needs, as they are at one time. The JVM finds null pointers by SIGSEGV,
 * truncated mappings by SIGBUS, and runs shutdown hooks on SIGHUP; UCX, which MPI libraries use, takes these signals
 * for itself.
 */
@SuppressWarnings("restricted") // calling the C library is what this class is for
public final class SignalHandlers {

    /** The signals by their numbers on Linux. */
    private enum Signal {
        SIGHUP(1),
        SIGILL(4),
        SIGBUS(7),
        SIGFPE(8),
        SIGSEGV(11);

        private final int number;

        Signal(int number) {
            this.number = number;
        }
    }

    /** {@code struct sigaction} of the C libraries of 64-bit Linux. */
    private static final long ACTION_BYTES = 152;

    private static final MethodHandle SIGACTION = Linker.nativeLinker()
            .downcallHandle(
                    Linker.nativeLinker().defaultLookup().findOrThrow("sigaction"),
                    FunctionDescriptor.of(JAVA_INT, JAVA_INT, ADDRESS, ADDRESS));

    private final MemorySegment actions;

    private SignalHandlers(MemorySegment actions) {
        this.actions = actions;
    }

    /** Notes the handlers as they are now. */
    public static SignalHandlers now() {
        Signal[] signals = Signal.values();
        MemorySegment actions = Arena.ofAuto().allocate(signals.length * ACTION_BYTES, 8);
        for (Signal signal : signals) {
            call(signal, MemorySegment.NULL, action(actions, signal));
        }
        return new SignalHandlers(actions);
    }

    /**
     * Sets again each handler that has changed since.
     *
     * @return the names of the signals that somebody had taken
     */
    public List<String> restore() {
        List<String> taken = new ArrayList<>();
        SignalHandlers after = now();
        for (Signal signal : Signal.values()) {
            MemorySegment before = action(actions, signal);
            if (before.get(JAVA_LONG, 0) != action(after.actions, signal).get(JAVA_LONG, 0)) {
                taken.add(signal.name());
                call(signal, before, MemorySegment.NULL);
            }
        }
        return taken;
    }

    /**
     * Asks UCX, by its environment variables, to leave the handlers alone; it reads them when it is loaded. Returns why
     * that is not possible, or null.
     */
    static @Nullable String leaveToJvm() {
        if (!"Linux".equals(System.getProperty("os.name"))) {
            return "cannot load it on " + System.getProperty("os.name") + ": comm4j knows it on Linux";
        }
        OperatingSystem os = OperatingSystem.current();
        if (os.variable("UCX_ERROR_SIGNALS") == null) {
            os.setVariable("UCX_ERROR_SIGNALS", "");
        }
        if (os.variable("UCX_DEBUG_SIGNO") == null) {
            os.setVariable("UCX_DEBUG_SIGNO", "0");
        }
        return null;
    }

    private static MemorySegment action(MemorySegment actions, Signal signal) {
        return actions.asSlice(signal.ordinal() * ACTION_BYTES, ACTION_BYTES);
    }

    private static void call(Signal signal, MemorySegment action, MemorySegment before) {
        try {
            int status = (int) SIGACTION.invokeExact(signal.number, action, before);
            if (status != 0) {
                throw new AssertionError("sigaction does not know " + signal);
            }
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new AssertionError("sigaction threw", e);
        }
    }
}
