// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.comm4j.kernel.KernelCode;
import org.comm4j.test.Natives;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BenchCompileCommandTest {
    private static final String HEADERS = "org.comm4j.device.include";

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int bench(String... words) {
        return Main.execute(
                new PrintWriter(out, true),
                new PrintWriter(err, true),
                Stream.concat(Stream.of("bench", "compile"), Stream.of(words)).toArray(String[]::new));
    }

    @ParameterizedTest
    @CsvSource({
        "fft, there is no kernel 'fft'; there are put",
        "--arch=ninety, there is no architecture 'ninety'",
        "--rounds=0, --rounds 0: it is 1 to 100",
        "--json=/nowhere/x.json, there is no folder"
    })
    void whatIsWrongIsRefused(String word, String message) {
        assertThat(bench(word)).isEqualTo(2);
        assertThat(err.toString()).contains(message);
    }

    @Test
    void measuresWithoutAGpu(@TempDir Path folder) throws Exception {
        Natives.use();
        assumeTrue(KernelCode.problem() == null, KernelCode::problem);
        for (String wheel :
                List.of("nvidia-nvshmem-cu13-3.4.5", "nvidia-cuda-runtime", "nvidia-cuda-crt", "nvidia-cuda-cccl")) {
            assumeTrue(Natives.find(wheel).isPresent(), Natives.missing(wheel));
        }
        System.setProperty(HEADERS, Natives.nvshmemHeaders("3.4.5"));
        try {
            Path json = folder.resolve("compile.json");
            assertThat(bench("put,signal", "--rounds", "1", "--arch", "sm_100", "--json", json.toString()))
                    .as(err.toString())
                    .isZero();
            assertThat(out.toString())
                    .contains("for sm_100, least of 1")
                    .containsPattern(
                            "  put +\\d+ +\\d+\\.\\d +\\d+\\.\\d\\d +\\d+\\.\\d/\\d+\\.\\d +\\d+\\.\\d/\\d+\\.\\d"
                                    + " +\\d+\\R")
                    .containsPattern(
                            "  signal +- +\\d+\\.\\d +\\d+\\.\\d\\d +\\d+\\.\\d/\\d+\\.\\d +\\d+\\.\\d/\\d+\\.\\d"
                                    + " +\\d+\\R");
            assertThat(Files.readString(json))
                    .contains(
                            "\"kernel\": \"put\"",
                            "\"first_ms\": ",
                            "\"rehearsed_processor_ms\": ",
                            "\"unit_ms\": 0.0");
        } finally {
            System.clearProperty(HEADERS);
        }
    }
}
