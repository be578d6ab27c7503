// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.comm4j.cli.Running.Outcome;
import org.comm4j.test.Gcc;
import org.comm4j.test.Natives;
import org.jspecify.annotations.Nullable;

/**
 * GPUs in host memory, with the library of a module: C that its tests have, compiled into a folder; and a process whose
 * commands use them.
 */
final class Simulated implements AutoCloseable {
    /** Properties that name the compilers' libraries, and the wheels that have them. */
    private static final Map<String, String> COMPILERS =
            Map.of("org.comm4j.nvvm.library", "nvidia-nvvm", "org.comm4j.nvjitlink.library", "nvidia-nvjitlink");

    private static final String SIMULATION = "libsimulation.so";

    private final Path folder;
    private final String property;
    private final List<String> options;
    private @Nullable Session session;
    private @Nullable Simulated withKernels;

    private Simulated(Path folder, String property, Path library, List<String> more) {
        this.folder = folder;
        this.property = property;
        options = new ArrayList<>(List.of("-D" + property + "=" + library, "-Dorg.comm4j.cuda.library=" + library));
        options.addAll(more);
    }

    /**
     * Skips the test where there is no C compiler.
     *
     * @param module which has {@code src/test/c/simulation.c}
     * @param property of the library that it simulates beside the driver
     */
    static Simulated compile(Path folder, String module, String property) throws IOException, InterruptedException {
        Path target = folder.resolve(SIMULATION);
        Gcc.sharedLibrary(Path.of("..", module, "src/test/c/simulation.c"), target);
        return new Simulated(folder, property, target, List.of());
    }

    private static void run(List<String> compiler) throws InterruptedException, IOException {
        Process process;
        try {
            process = new ProcessBuilder(compiler).inheritIO().start();
        } catch (IOException e) {
            assumeTrue(
                    false,
                    "there is no " + compiler.getFirst() + " to compile the simulated GPUs with: " + e.getMessage());
            return;
        }
        assertThat(process.waitFor()).isZero();
    }

    /**
     * The same GPUs with the solver's kernels, which are compiled by NVIDIA's compilers and then done in C. Skips the
     * test where they are not.
     */
    Simulated withKernels() throws IOException, InterruptedException {
        if (withKernels != null) {
            return withKernels;
        }
        Natives.use();
        List<String> compilers = new ArrayList<>();
        COMPILERS.forEach((each, wheel) -> {
            String found = System.getProperty(each);
            assumeTrue(found != null, Natives.missing(wheel));
            compilers.add("-D" + each + "=" + found);
        });
        Path target = folder.resolve("libsimulated-kernels.so");
        run(List.of(
                "g++",
                "-std=c++17",
                "-O1",
                "-w",
                "-shared",
                "-fPIC",
                "-pthread",
                "-o",
                target.toString(),
                "../comm4j-bench/src/test/c/simulated-kernels.cpp",
                folder.resolve(SIMULATION).toString(),
                "-ldl",
                "-Wl,-rpath," + folder));
        withKernels = new Simulated(folder, property, target, compilers);
        return withKernels;
    }

    /** Runs a command of {@code comm4j} on them, in one process with those before. */
    Outcome comm4j(List<String> command) throws IOException {
        if (session == null) {
            session = new Session(options);
        }
        return session.run(command);
    }

    Outcome comm4j(String command) throws IOException {
        return comm4j(Stream.of(command.split(" ")).toList());
    }

    /** Ends the processes. */
    @Override
    public void close() throws IOException {
        if (session != null) {
            session.close();
        }
        if (withKernels != null) {
            withKernels.close();
        }
    }
}
