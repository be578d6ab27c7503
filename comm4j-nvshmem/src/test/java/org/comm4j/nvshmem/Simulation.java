// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.nvshmem;

import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.comm4j.test.Gcc;
import org.comm4j.test.SimulatedLibrary;
import org.jspecify.annotations.Nullable;

/** The driver and the NVSHMEM of {@code simulation.c}: compiles it, makes a process use it, and controls it there. */
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
    private static @Nullable SimulatedLibrary library;

    private Simulation() {}

    /** Skips the test where there is no C compiler. */
    static void require() {
        Gcc.require();
    }

    /** The library, compiled when it is first asked for; skips the test where there is no C compiler. */
    static synchronized Path compiled(Version version) {
        return COMPILED.computeIfAbsent(
                version,
                _ -> version == Version.NEWEST
                        ? SimulatedLibrary.compile(SOURCE, "-DNEWEST")
                        : SimulatedLibrary.compile(SOURCE));
    }

    /** The options of a JVM that is to use it. */
    static List<String> options(Version version) {
        Path file = compiled(version);
        return PROPERTIES.stream().map(property -> "-D" + property + "=" + file).toList();
    }

    /** Makes this process use it: to be called before the first call of the driver or of NVSHMEM. */
    static void use(Version version) {
        options(version).forEach(option -> {
            String[] words = option.substring(2).split("=", 2);
            System.setProperty(words[0], words[1]);
        });
    }

    // ---- what a process that uses it can ask for ----

    private static SimulatedLibrary library() {
        if (library == null) {
            library = new SimulatedLibrary(Path.of(Objects.requireNonNull(System.getProperty(PROPERTIES.getFirst()))));
        }
        return library;
    }

    /** The next {@code times} calls of a C function return {@code status}, or NULL. */
    static void fail(String function, int status, int times) {
        library().fail(function, status, times);
    }

    /** How often a C function was called. */
    static long count(String function) {
        return library().count(function);
    }

    /**
     * {@code noop}: calls do nothing; {@code nbiDelay}: in µs; {@code initSwallowed}: initialisation fails and says
     * nothing.
     */
    static void set(String what, long value) {
        library().set(what, value);
    }

    /**
     * How many there are: {@code pieces} of the heap, {@code teams}, {@code modules}, {@code registered}, {@code
     * streams} ...
     */
    static long get(String what) {
        return library().get(what);
    }
}
