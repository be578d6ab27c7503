// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.nvshmem;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Assumptions;

/** The driver and the NVSHMEM of {@code simulation.c}: compiles it, makes a process use it, and controls it there. */
@SuppressWarnings("restricted") // calls C of its own
final class Simulation {
    /** The versions that there are. */
    enum Version {
        V3_4_5,
        NEWEST
    }

    private static final Path SOURCE = Path.of("src/test/c/simulation.c");

    /** The properties that name the libraries to load. */
    private static final List<String> PROPERTIES = List.of("org.comm4j.nvshmem.library", "org.comm4j.cuda.library");

    private static final Map<Version, Path> COMPILED = new EnumMap<>(Version.class);
    private static @Nullable SymbolLookup symbols;

    private Simulation() {}

    /** Skips the test where there is no C compiler. */
    static void require() {
        try {
            compiled(Version.V3_4_5);
        } catch (IOException e) {
            Assumptions.abort("there is no gcc to compile the simulated GPUs with: " + e.getMessage());
        }
    }

    /** The library, compiled when it is first asked for. */
    static synchronized Path compiled(Version version) throws IOException {
        Path known = COMPILED.get(version);
        if (known != null) {
            return known;
        }
        Path folder = Files.createTempDirectory("comm4j-simulation");
        Path library = folder.resolve("libsimulation.so");
        // Beside the real one there are those that it loads.
        Path plugin = Files.createFile(folder.resolve("nvshmem_bootstrap_uid.so.3"));
        List<String> command = new ArrayList<>(List.of("gcc", "-O1", "-shared", "-fPIC", "-pthread", "-o"));
        command.addAll(List.of(library.toString(), SOURCE.toString()));
        if (version == Version.NEWEST) {
            command.add("-DNEWEST");
        }
        Process gcc = new ProcessBuilder(command).redirectErrorStream(true).start();
        String said = new String(gcc.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        try {
            if (gcc.waitFor() != 0) {
                throw new IllegalStateException("gcc: " + said);
            }
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
        // In the reverse order of these calls.
        for (Path each : List.of(folder, library, plugin)) {
            each.toFile().deleteOnExit();
        }
        COMPILED.put(version, library);
        return library;
    }

    /** The options of a JVM that is to use it. */
    static List<String> options(Version version) {
        try {
            Path library = compiled(version);
            return PROPERTIES.stream()
                    .map(property -> "-D" + property + "=" + library)
                    .toList();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Makes this process use it: to be called before the first call of the driver or of NVSHMEM. */
    static void use(Version version) {
        require();
        options(version).forEach(option -> {
            String[] words = option.substring(2).split("=", 2);
            System.setProperty(words[0], words[1]);
        });
    }

    // ---- what a process that uses it can ask for ----

    private static MethodHandle function(String name, FunctionDescriptor type) {
        if (symbols == null) {
            Path library = Path.of(Objects.requireNonNull(System.getProperty(PROPERTIES.getFirst())));
            symbols = SymbolLookup.libraryLookup(library, Arena.global());
        }
        return Linker.nativeLinker().downcallHandle(symbols.findOrThrow(name), type);
    }

    /** The next {@code times} calls of a C function return {@code status}, or NULL. */
    static void fail(String function, int status, int times) {
        try (Arena arena = Arena.ofConfined()) {
            function("sim_fail", FunctionDescriptor.ofVoid(ADDRESS, JAVA_INT, JAVA_INT))
                    .invokeExact(arena.allocateFrom(function), status, times);
        } catch (Throwable e) {
            throw new AssertionError(e);
        }
    }

    /** How often a C function was called. */
    static long count(String function) {
        try (Arena arena = Arena.ofConfined()) {
            return (long) function("sim_count", FunctionDescriptor.of(JAVA_LONG, ADDRESS))
                    .invokeExact(arena.allocateFrom(function));
        } catch (Throwable e) {
            throw new AssertionError(e);
        }
    }

    /** {@code noop}: calls do nothing; {@code nbiDelay}: in µs; {@code initSwallowed}: initialisation fails and says nothing. */
    static void set(String what, long value) {
        try (Arena arena = Arena.ofConfined()) {
            function("sim_set", FunctionDescriptor.ofVoid(ADDRESS, JAVA_LONG))
                    .invokeExact(arena.allocateFrom(what), value);
        } catch (Throwable e) {
            throw new AssertionError(e);
        }
    }

    /** How many there are: {@code pieces} of the heap, {@code teams}, {@code modules}, {@code registered}, {@code streams} ... */
    static long get(String what) {
        try (Arena arena = Arena.ofConfined()) {
            return (long) function("sim_get", FunctionDescriptor.of(JAVA_LONG, ADDRESS))
                    .invokeExact(arena.allocateFrom(what));
        } catch (Throwable e) {
            throw new AssertionError(e);
        }
    }
}
