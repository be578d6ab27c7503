// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Kernels that are compiled, loaded and closed take no memory with them. The program has a heap of a fixed size that is
 * touched at its start, so that what grows is native: NVIDIA's compilers, the driver, or what calls them.
 */
@Tag("gpu")
class GpuKernelCyclesTest {
    @TempDir
    Path folder;

    @BeforeAll
    static void require() {
        Machine.requireGpu();
    }

    @ParameterizedTest
    @CsvSource({"1000, false", "1000, true"})
    void nothingGrows(int cycles, boolean cached) throws Exception {
        Path out = folder.resolve("out");
        ProcessBuilder builder = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xms96m",
                        "-Xmx96m",
                        "-XX:+AlwaysPreTouch",
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "--enable-native-access=ALL-UNNAMED",
                        "-cp",
                        System.getProperty("java.class.path"),
                        KernelCycles.class.getName(),
                        "" + cycles,
                        "" + cached)
                .redirectErrorStream(true)
                .redirectOutput(out.toFile());
        builder.environment().put("MALLOC_ARENA_MAX", "1");
        Process process = builder.start();
        if (!process.waitFor(60, TimeUnit.SECONDS)) {
            process.destroyForcibly();
            throw new AssertionError("no end: " + Files.readString(out));
        }
        List<String> lines = Files.readAllLines(out);
        System.out.println("kernels compiled and closed, cached " + cached + ", bytes a cycle: " + lines);
        assertThat(lines).contains("end");
        // What a class, a method or a table of the JVM takes once is spread over the cycles.
        // Heaps of NVIDIA's compilers grow and shrink by megabytes: 24 KB a cycle over 100 compilations anew, 71 over
        // 200,
        // 14 over 400 and 0.4 over 800 on a host of an H100.
        assertThat(bytes(lines, "host: ")).isLessThan(cached ? 1024 : 16 << 10);
        assertThat(bytes(lines, "device: ")).isLessThan(4096);
    }

    private static long bytes(List<String> lines, String start) {
        return lines.stream()
                .filter(line -> line.startsWith(start))
                .mapToLong(line -> Long.parseLong(line.substring(start.length())))
                .findFirst()
                .orElseThrow(() -> new AssertionError(lines));
    }
}
