// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.bench;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.SymbolLookup;
import java.nio.file.Files;
import java.nio.file.Path;

/** A module's {@code simulation.c}, a C stand-in for its library and the driver, compiled and made the one that this process loads. */
@SuppressWarnings("restricted")
final class Simulated {
    private final SymbolLookup library;

    /** @param properties those that name the file to load */
    Simulated(String module, String... properties) throws IOException, InterruptedException {
        Path source = Path.of(module, "src/test/c/simulation.c");
        Path folder = Files.createTempDirectory("comm4j-jmh");
        Path file = folder.resolve("libsimulation.so");
        // What the real NVSHMEM has beside it.
        Files.createFile(folder.resolve("nvshmem_bootstrap_uid.so.3"));
        Process gcc = new ProcessBuilder(
                        "gcc", "-O2", "-shared", "-fPIC", "-pthread", "-o", file.toString(), source.toString())
                .inheritIO()
                .start();
        if (gcc.waitFor() != 0) {
            throw new IllegalStateException("gcc could not compile " + source);
        }
        for (String property : properties) {
            System.setProperty(property, file.toString());
        }
        library = SymbolLookup.libraryLookup(file, Arena.global());
    }

    /** Whether calls return at once. */
    void doNothing(boolean nothing) throws Throwable {
        try (Arena arena = Arena.ofConfined()) {
            Linker.nativeLinker()
                    .downcallHandle(
                            library.find("sim_set").orElseThrow(), FunctionDescriptor.ofVoid(ADDRESS, JAVA_LONG))
                    .invokeExact(arena.allocateFrom("noop"), nothing ? 1L : 0L);
        }
    }
}
