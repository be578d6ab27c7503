// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.device;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.SymbolLookup;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;

/** The driver and the NVSHMEM in host memory of the tests of {@code comm4j-nvshmem}, with kernels of these tests. */
@SuppressWarnings("restricted") // calls C of its own
final class SimulatedGpus {
    private static final Path SOURCE = Path.of("src/test/c/simulated-kernels.c");
    private static final String NVSHMEM = "org.comm4j.nvshmem.library";
    private static final String DRIVER = "org.comm4j.cuda.library";

    private SimulatedGpus() {}

    /** The options of a JVM that is to use them; skips the test where there is no C compiler. */
    static List<String> options() {
        return options(SOURCE, NVSHMEM);
    }

    /** The same with the NCCL 2.28.9 of the tests of {@code comm4j-nccl} instead of NVSHMEM. */
    static List<String> ncclOptions() {
        return options(Path.of("../comm4j-nccl/src/test/c/simulation.c"), "org.comm4j.nccl.library");
    }

    private static List<String> options(Path source, String property) {
        try {
            Path folder = Files.createTempDirectory("comm4j-simulation");
            Path library = folder.resolve("libsimulation.so");
            // Beside the real one there are those that it loads.
            Path plugin = Files.createFile(folder.resolve("nvshmem_bootstrap_uid.so.3"));
            Process gcc = new ProcessBuilder(
                            "gcc", "-O1", "-shared", "-fPIC", "-pthread", "-o", library.toString(), source.toString())
                    .redirectErrorStream(true)
                    .start();
            String said = new String(gcc.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (gcc.waitFor() != 0) {
                throw new IllegalStateException("gcc: " + said);
            }
            // In the reverse order of these calls.
            for (Path each : List.of(folder, library, plugin)) {
                each.toFile().deleteOnExit();
            }
            return Stream.of(property, DRIVER)
                    .map(each -> "-D" + each + "=" + library)
                    .toList();
        } catch (IOException e) {
            return Assumptions.abort("there is no gcc to compile the simulated GPUs with: " + e.getMessage());
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static long ask(String function, String what) {
        Path library = Path.of(Objects.requireNonNull(System.getProperty(NVSHMEM)));
        try (Arena arena = Arena.ofConfined()) {
            return (long) Linker.nativeLinker()
                    .downcallHandle(
                            SymbolLookup.libraryLookup(library, Arena.global()).findOrThrow(function),
                            FunctionDescriptor.of(JAVA_LONG, ADDRESS))
                    .invokeExact(arena.allocateFrom(what));
        } catch (Throwable e) {
            throw new AssertionError(e);
        }
    }

    /** In a process that uses them: how many {@code modules} are connected with NVSHMEM, how many are {@code loaded}. */
    static long get(String what) {
        return ask("sim_get", what);
    }
}
