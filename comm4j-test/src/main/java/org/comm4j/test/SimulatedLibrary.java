// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.test;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * A driver and a library of GPUs in host memory: a module's {@code simulation.c}, and what tests ask of it in the
 * process that has loaded it.
 */
@SuppressWarnings("restricted") // calls C of its own
public final class SimulatedLibrary {
    private final SymbolLookup symbols;

    /** @param file that {@link #compile} made */
    public SimulatedLibrary(Path file) {
        symbols = SymbolLookup.libraryLookup(file, Arena.global());
    }

    /**
     * Compiles it into a folder of its own, which goes with this process; skips the test where there is no C compiler.
     *
     * @param options of the compiler, such as {@code -DNEWEST}
     */
    public static Path compile(Path source, String... options) {
        try {
            Path folder = Files.createTempDirectory("comm4j-simulation");
            Path library = folder.resolve("libsimulation.so");
            // What the real NVSHMEM has beside it.
            Path plugin = Files.createFile(folder.resolve("nvshmem_bootstrap_uid.so.3"));
            // In the reverse order of these calls.
            for (Path each : List.of(folder, library, plugin)) {
                each.toFile().deleteOnExit();
            }
            Gcc.sharedLibrary(source, library, options);
            return library;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Compiles it and makes this process use it: to be called before the first call of the driver. Skips the test where
     * there is no C compiler.
     *
     * @param property that names the file of the library which it simulates beside the driver
     * @param options of the compiler
     */
    public static SimulatedLibrary use(Path source, String property, String... options) {
        Path file = compile(source, options);
        System.setProperty(property, file.toString());
        System.setProperty("org.comm4j.cuda.library", file.toString());
        return new SimulatedLibrary(file);
    }

    /** The next {@code times} calls of a C function return {@code status}, or NULL. */
    public void fail(String function, int status, int times) {
        try (Arena arena = Arena.ofConfined()) {
            function("sim_fail", FunctionDescriptor.ofVoid(ADDRESS, JAVA_INT, JAVA_INT))
                    .invokeExact(arena.allocateFrom(function), status, times);
        } catch (Throwable e) {
            throw new AssertionError(e);
        }
    }

    /** How often a C function was called. */
    public long count(String function) {
        return ask("sim_count", function);
    }

    /** What a simulation has under this name, such as the number of {@code streams}. */
    public long get(String what) {
        return ask("sim_get", what);
    }

    private long ask(String function, String what) {
        try (Arena arena = Arena.ofConfined()) {
            return (long) function(function, FunctionDescriptor.of(JAVA_LONG, ADDRESS))
                    .invokeExact(arena.allocateFrom(what));
        } catch (Throwable e) {
            throw new AssertionError(e);
        }
    }

    /** Changes how it behaves: {@code noop} makes calls return at once. */
    public void set(String what, long value) {
        try (Arena arena = Arena.ofConfined()) {
            function("sim_set", FunctionDescriptor.ofVoid(ADDRESS, JAVA_LONG))
                    .invokeExact(arena.allocateFrom(what), value);
        } catch (Throwable e) {
            throw new AssertionError(e);
        }
    }

    /** Calls a function that takes a text. */
    public void tell(String function, String text) {
        try (Arena arena = Arena.ofConfined()) {
            function(function, FunctionDescriptor.ofVoid(ADDRESS)).invokeExact(arena.allocateFrom(text));
        } catch (Throwable e) {
            throw new AssertionError(e);
        }
    }

    private MethodHandle function(String name, FunctionDescriptor type) {
        return Linker.nativeLinker().downcallHandle(symbols.findOrThrow(name), type);
    }
}
