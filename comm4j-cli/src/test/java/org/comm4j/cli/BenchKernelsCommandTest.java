// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.comm4j.cuda.Cuda;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BenchKernelsCommandTest {
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int bench(String... words) {
        String[] all = new String[words.length + 2];
        all[0] = "bench";
        all[1] = "kernels";
        System.arraycopy(words, 0, all, 2, words.length);
        return Main.execute(new PrintWriter(out, true), new PrintWriter(err, true), all);
    }

    @ParameterizedTest
    @CsvSource({
        "fft, there is no kernel 'fft'",
        "-n=0, --elements 0: 1 to 1073741824",
        "--elements=2G, --elements 2147483648",
        "--order=0, --order 0",
        "--rounds=0, --rounds 0: at least 1",
        "--launches=-1, --launches -1: at least 1",
        "--peak-flops=-1, are not negative",
        "--json=/nowhere/x.json, there is no folder",
        "--set=all, --set all: bench or suite"
    })
    void whatIsWrongIsRefused(String word, String message) {
        assertThat(bench(word)).isEqualTo(2);
        assertThat(err.toString()).contains(message);
    }

    @ParameterizedTest
    @CsvSource({
        "fft, there is no kernel 'fft'; there are softmax",
        "--rounds=0, --rounds 0: at least 1",
        "--math=EXACT, nvcc has nothing but CUDA and FAST",
        "--math=LOOSE, Invalid value for option '--math'"
    })
    void whatTheSuiteDoesNotHaveIsRefused(String word, String message) {
        assertThat(bench("--set=suite", word)).isEqualTo(2);
        assertThat(err.toString()).contains(message);
    }

    @Test
    void saysThatThereIsNoGpu() {
        assumeTrue(Cuda.problem() != null, "there is a GPU");
        assertThat(bench("copy")).isEqualTo(1);
        assertThat(err.toString()).contains("bench kernels: no CUDA driver");
    }

    @Test
    void help() {
        assertThat(bench("--help")).isZero();
        assertThat(out.toString()).contains("stencil, product, tensor, reduction", "--threshold=RATIO", "Exit codes:");
    }
}
