// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.comm4j.bind.Binder;
import org.comm4j.test.Natives;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The command line of {@code comm4j bind}. */
class BindCommandTest {
    @TempDir
    Path folder;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int run(String... arguments) {
        List<String> words = new ArrayList<>(List.of("bind"));
        words.addAll(Arrays.asList(arguments));
        return Main.execute(new PrintWriter(out, true), new PrintWriter(err, true), words.toArray(String[]::new));
    }

    /** Settings are looked at before clang and CUDA's headers are. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        x.cuh --class Plain            | class Plain: a Java class with its package is needed
        x.cuh --arch 90                | arch 90: sm_80, sm_90 and sm_100 are examples
        x.cuh --include (              | include (: Unclosed group
        x.cuh --intent a=in            | intent a=in: FUNCTION.PARAMETER = in, inout or return is needed
        x.cuh -I /nowhere              | -I /nowhere: there is no such folder
        x.cuh --config /nowhere        | --config /nowhere: there is no such file
        x.cuh --cuda /nowhere          | no headers of CUDA (cuda_runtime.h); looked in /nowhere/include, /nowhere;
        x.cuh --what x                 | Unknown option: '--what'
        """)
    void whatIsWrongIsNamed(String line, String message) {
        assertThat(run(line.split(" "))).isEqualTo(2);
        assertThat(err.toString()).startsWith("comm4j: " + message).contains("Try 'comm4j bind --help'.");
    }

    @Test
    void headerAndClassAreNeeded() throws IOException {
        Files.writeString(folder.resolve("cuda_runtime.h"), "");
        assertThat(run("--class", "org.example.A", "--cuda", folder.toString())).isEqualTo(1);
        assertThat(run("a.cuh", "--cuda", folder.toString())).isEqualTo(1);
        assertThat(err.toString())
                .contains("comm4j: no header is given")
                .contains("comm4j: --class is missing: the Java class to write, such as org.example.Curand");
    }

    @Test
    void aHeaderBecomesAClass() throws IOException {
        assumeTrue(Binder.clang() != null, "no clang");
        for (String wheel : List.of("nvidia-cuda-runtime", "nvidia-cuda-crt")) {
            assumeTrue(Natives.find(wheel).isPresent(), Natives.missing(wheel));
        }
        Natives.use();
        Path header = Files.writeString(
                folder.resolve("mine.cuh"), "template <class T> __device__ T twice(T x) { return x + x; }\n");
        Path config = Files.writeString(folder.resolve("mine.conf"), "class org.example.Mine\n");
        String include = "nvidia/cu13/include";
        assertThat(run(
                        header.toString(),
                        "--config",
                        config.toString(),
                        "--instantiate",
                        "twice<int>",
                        "--name",
                        "twice=doubled",
                        "--out",
                        folder.resolve("src").toString(),
                        "--resources",
                        folder.resolve("res").toString(),
                        "-I",
                        Natives.folder("nvidia-cuda-runtime").resolve(include).toString(),
                        "-I" + Natives.folder("nvidia-cuda-crt").resolve(include)))
                .as(err.toString())
                .isZero();
        assertThat(out.toString()).contains("Mine.java: 1 functions; left out 0, see ");
        assertThat(folder.resolve("src/org/example/Mine.java")).content().contains("public static int doubled(int x)");
        assertThat(folder.resolve("res/org/example/Mine.cu")).content().contains("::twice<int>(");
    }
}
