// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.comm4j.cli.Running.Outcome;

/** GPUs in host memory, with the library of a module: C that its tests have, compiled into a folder. */
final class Simulated {
    private final Path folder;
    private final Path library;
    private final List<String> properties;

    private Simulated(Path folder, Path library, List<String> properties) {
        this.folder = folder;
        this.library = library;
        this.properties = properties;
    }

    /**
     * Skips the test where there is no C compiler.
     *
     * @param module which has {@code src/test/c/simulation.c}
     * @param property of the library that it simulates beside the driver
     */
    static Simulated compile(Path folder, String module, String property) throws IOException, InterruptedException {
        Path target = folder.resolve("libsimulation.so");
        run(List.of(
                "gcc",
                "-O1",
                "-shared",
                "-fPIC",
                "-pthread",
                "-o",
                target.toString(),
                "../" + module + "/src/test/c/simulation.c"));
        return new Simulated(folder, target, List.of(property, "org.comm4j.cuda.library", "org.comm4j.nvrtc.library"));
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

    /** The same GPUs with the solver's kernels. */
    Simulated withKernels() throws IOException, InterruptedException {
        Path target = folder.resolve("libsimulated-kernels.so");
        if (!Files.exists(target)) {
            Path kernels = Path.of("../comm4j-bench/src/main/resources/org/comm4j/bench/jacobi/jacobi.cu");
            run(List.of(
                    "g++",
                    "-std=c++17",
                    "-O1",
                    "-w",
                    "-shared",
                    "-fPIC",
                    "-pthread",
                    "-DJACOBI=\"" + kernels.toAbsolutePath().normalize() + "\"",
                    "-o",
                    target.toString(),
                    "../comm4j-bench/src/test/c/simulated-kernels.cpp",
                    library.toString(),
                    "-ldl",
                    "-Wl,-rpath," + folder));
        }
        return new Simulated(folder, target, properties);
    }

    /** Runs a command of {@code comm4j} on them. */
    Outcome comm4j(List<String> command) throws IOException, InterruptedException {
        List<String> options = new ArrayList<>();
        properties.forEach(property -> options.add("-D" + property + "=" + library));
        return Running.start(Running.comm4j(options, command), folder).end(Duration.ofMinutes(2));
    }

    Outcome comm4j(String command) throws IOException, InterruptedException {
        return comm4j(Stream.of(command.split(" ")).toList());
    }
}
