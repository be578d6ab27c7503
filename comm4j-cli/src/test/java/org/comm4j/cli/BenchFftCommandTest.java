// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class BenchFftCommandTest {
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int bench(String... words) {
        String[] all = new String[words.length + 2];
        all[0] = "bench";
        all[1] = "fft";
        System.arraycopy(words, 0, all, 2, words.length);
        return Main.execute(new PrintWriter(out, true), new PrintWriter(err, true), all);
    }

    @ParameterizedTest
    @CsvSource({
        "-n=0, --shapes 0: a shape is like",
        "-n=8y8, --shapes 8y8: a shape is like",
        "-n=0*8, --shapes 0*8: a shape is like",
        "-n=99999x99999x99999, 17179869184 elements",
        "--rounds=0, --rounds 0",
        "--millis=0, --millis 0",
        "--type=INT32, INT32 have no algebra",
        "--engine=smoke, smoke"
    })
    void whatIsWrongIsRefused(String word, String message) {
        assertThat(bench(word)).isEqualTo(2);
        assertThat(err.toString()).contains(message);
    }

    @ParameterizedTest
    @ValueSource(strings = {"FLOAT32", "COMPLEX128"})
    void measuresSmallOnes(String type) {
        assertThat(bench("-n", "3*8,17,4x6", "--type", type, "--rounds", "1", "--millis", "1"))
                .as(err.toString())
                .isZero();
        List<String> rows = out.toString()
                .lines()
                .filter(line -> !line.startsWith("#"))
                .map(line -> line.strip().replaceAll(" +", " "))
                .toList();
        assertThat(rows).hasSize(3);
        assertThat(rows.get(0)).startsWith("3*8 " + type);
        assertThat(rows.get(1)).startsWith("17 " + type);
        assertThat(rows.get(2)).startsWith("4x6 " + type);
        for (String row : rows) {
            String[] words = row.split(" ");
            assertThat(words).hasSize(10);
            for (int i = 2; i < words.length; i++) {
                assertThat(Double.parseDouble(words[i])).as(row).isGreaterThanOrEqualTo(0);
            }
        }
    }
}
