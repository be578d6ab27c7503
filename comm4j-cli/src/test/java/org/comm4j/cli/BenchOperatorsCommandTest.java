// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BenchOperatorsCommandTest {
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int bench(String... words) {
        String[] all = new String[words.length + 2];
        all[0] = "bench";
        all[1] = "operators";
        System.arraycopy(words, 0, all, 2, words.length);
        return Main.execute(new PrintWriter(out, true), new PrintWriter(err, true), all);
    }

    @ParameterizedTest
    @CsvSource({
        "-n=0, --rows 0: 1 to 32768",
        "--edge=2000, --edge 2000: 1 to 1024",
        "--rounds=0, --rounds 0: at least 1",
        "--millis=0, --millis 0: at least 1",
        "--warmup-time=-1, --warmup-time -1: 0 to 60000",
        "--type=INT32, INT32 have no algebra",
        "--engine=smoke, smoke",
        "--json=/nowhere/x.json, there is no folder"
    })
    void whatIsWrongIsRefused(String word, String message) {
        assertThat(bench(word)).isEqualTo(2);
        assertThat(err.toString()).contains(message);
    }

    @Test
    void measuresSmallOnes() {
        assertThat(bench("-n", "16", "--edge", "8", "--rounds", "1", "--millis", "1", "--warmup-time", "1"))
                .as(err.toString())
                .isZero();
        assertThat(out.toString()).contains("Laplacian, adjoint", "matrix times vector", "8 x 8 x 8", "share");
    }

    @Test
    void measuresWhatIsNamed() {
        assertThat(bench(
                        "-n",
                        "16",
                        "--edge",
                        "8",
                        "--rounds",
                        "1",
                        "--millis",
                        "1",
                        "--warmup-time",
                        "1",
                        "--only",
                        "cgls"))
                .as(err.toString())
                .isZero();
        assertThat(out.toString()).contains("CGLS iteration", "copy").doesNotContain("Laplacian");
    }

    @Test
    void namesThatAreNoneAreRefused() {
        assertThat(bench("-n", "8", "--edge", "4", "--millis", "1", "--warmup-time", "0", "--only", "gradiant"))
                .isNotZero();
        assertThat(err.toString()).contains("--only gradiant: no operation is called so");
    }
}
