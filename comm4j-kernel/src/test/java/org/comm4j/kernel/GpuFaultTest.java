// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.comm4j.cuda.Cuda;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Kernels that kill their context, and those that print: each in a process of its own. */
@Tag("gpu")
class GpuFaultTest {
    @TempDir
    Path folder;

    @BeforeAll
    static void require() {
        Machine.requireGpu();
    }

    private List<String> run(String... arguments) throws Exception {
        List<String> words = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                FaultyProgram.class.getName()));
        words.addAll(List.of(arguments));
        Path out = folder.resolve("out");
        Process process = new ProcessBuilder(words)
                .redirectErrorStream(true)
                .redirectOutput(out.toFile())
                .start();
        if (!process.waitFor(120, TimeUnit.SECONDS)) {
            process.destroyForcibly();
            throw new AssertionError(words + " does not end: " + Files.readString(out));
        }
        List<String> lines = Files.readAllLines(out);
        assertThat(process.exitValue()).as("%s", lines).isZero();
        assertThat(lines).contains("end");
        return lines;
    }

    private static String line(List<String> lines, String start) {
        return lines.stream()
                .filter(each -> each.startsWith(start + ": "))
                .findFirst()
                .orElseThrow(() -> new AssertionError(start + " is not in " + lines));
    }

    @Test
    void printfComesOut() throws Exception {
        List<String> lines = run("prints", "unchecked");
        assertThat(lines).contains("thread 3 of 32: 1.50 words%", "first: 1", "second: 42");
    }

    /**
     * The failing launch names the kernel and what happened; what is tried later, on this or another device, says what
     * began it, and that CUDA ends the whole process's use of it: "the process must be terminated and relaunched", as
     * the driver's manual has it.
     */
    @ParameterizedTest
    @CsvSource({"traps", "strays"})
    void theContextsDeathIsReported(String kernel) throws Exception {
        List<String> lines = run(kernel, "unchecked");
        assertThat(line(lines, "first"))
                .startsWith("first: KernelException: kernel FaultyProgram." + kernel
                        + " (grid 1 x 1 x 1, block 32 x 1 x 1) failed: ")
                .contains("CUDA_ERROR_");
        assertThat(line(lines, "second"))
                .contains("this process met it first in: wait for Stream[device 0")
                .contains("CUDA is of no more use to this process, on any device");
        if (Cuda.deviceCount() > 1) {
            assertThat(line(lines, "other"))
                    .contains("device 1")
                    .contains("this process met it first in: wait for Stream[device 0")
                    .contains("CUDA is of no more use to this process, on any device");
        }
    }

    /** Other processes live on, on the same device and on others. */
    @ParameterizedTest
    @CsvSource({"strays", "asserts"})
    void otherProcessesLive(String kernel) throws Exception {
        List<String> lines = run("lives", kernel);
        assertThat(lines).contains("another failed: true");
        for (int i = 0; i < Cuda.deviceCount(); i++) {
            assertThat(lines).contains("before " + i + ": 42", "after " + i + ": 42");
        }
    }

    @ParameterizedTest
    @CsvSource({
        "asserts, checked, not the seventh",
        "divides, checked, ArithmeticException",
        "leavesTheView, checked, IndexOutOfBoundsException",
        "leavesTheView, unchecked, IndexOutOfBoundsException"
    })
    void whatJavaWouldThrowIsSaidWithItsLine(String kernel, String mode, String words) throws Exception {
        List<String> lines = run(kernel, mode);
        assertThat(lines)
                .anySatisfy(line -> assertThat(line).contains(words).containsPattern("FaultyProgram\\.java:\\d+"));
        assertThat(line(lines, "first"))
                .startsWith("first: KernelException: kernel FaultyProgram." + kernel)
                .contains("the driver has printed to standard error");
    }

    @Test
    void assertsAreNotThereWithoutChecks() throws Exception {
        assertThat(run("asserts", "unchecked")).contains("first: 1", "second: 42");
    }
}
