// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.bench.jacobi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The kernels for GPUs, compiled for the host: the same numbers as a plain loop gives, for grids of all kinds. Needs no GPU. */
class JacobiKernelsTest {
    private static final Path SOURCE = Path.of("src/test/c/jacobi-kernels.cpp");
    private static final Path KERNELS =
            Path.of("src/main/resources/org/comm4j/bench/jacobi/jacobi.cu").toAbsolutePath();

    @TempDir
    private Path folder;

    @Test
    void sameAsAPlainLoop() throws Exception {
        String program = folder.resolve("jacobi-kernels").toString();
        try {
            run("g++", "-std=c++17", "-O1", "-w", "-DJACOBI=\"" + KERNELS + "\"", "-o", program, SOURCE.toString());
        } catch (IOException e) {
            assumeTrue(false, "there is no g++ to compile the kernels with: " + e.getMessage());
        }
        // The second seed is printed where something is wrong.
        run(program, "1", "300");
        run(program, Integer.toString(ThreadLocalRandom.current().nextInt(1 << 30)), "300");
    }

    private static void run(String... command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as("%s: %s", List.of(command), said).isZero();
    }
}
