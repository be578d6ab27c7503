// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BenchMatmulCommandTest {
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int bench(String... words) {
        String[] all = new String[words.length + 2];
        all[0] = "bench";
        all[1] = "matmul";
        System.arraycopy(words, 0, all, 2, words.length);
        return Main.execute(new PrintWriter(out, true), new PrintWriter(err, true), all);
    }

    @ParameterizedTest
    @CsvSource({
        "-n=0, --sizes 0: matrices need",
        "--grid-rows=2, 1 ranks have no grid",
        "--rounds=0, --rounds 0",
        "--millis=0, --millis 0",
        "--type=INT32, INT32 have no algebra",
        "--engine=smoke, smoke"
    })
    void whatIsWrongIsRefused(String word, String message) {
        assertThat(bench(word)).isEqualTo(2);
        assertThat(err.toString()).contains(message);
    }

    @Test
    void measuresSmallOnes() {
        assertThat(bench("-n", "8,17", "--type", "COMPLEX128", "--rounds", "1", "--millis", "1"))
                .as(err.toString())
                .isZero();
        assertThat(out.toString().lines()).hasSize(4);
        assertThat(out.toString()).contains("1 x 1 ranks", "GFLOP/s", "   8 COMPLEX128", "  17 COMPLEX128");
    }

    @Test
    void saysWhatStaysAndWhatTravels() {
        assertThat(bench("-n", "9", "--rounds", "1", "--millis", "1", "--stationary", "--no-overlap"))
                .as(err.toString())
                .isZero();
        assertThat(out.toString()).contains("stationary matrix, no overlap", "   9 FLOAT64");
    }
}
