// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code comm4j bench moe} of one PE on the CPU. */
class BenchMoeCommandTest {
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int bench(String words) {
        List<String> all = new ArrayList<>(List.of("bench", "moe", "--cpu", "--ranks", "1"));
        all.addAll(List.of(words.split(" ")));
        return Main.execute(new PrintWriter(out, true), new PrintWriter(err, true), all.toArray(String[]::new));
    }

    @ParameterizedTest
    @CsvSource({
        "--tokens 0, 0 tokens: at least 1 is needed",
        "--fused, --fused measures kernels",
        "--layout by_rank --input bf16 --fused, --fused measures kernels",
        "--ways nccl-padded, nccl-padded is for the layout by_rank"
    })
    void whatIsWrongIsRefused(String words, String message) {
        assertThat(bench(words)).isEqualTo(2);
        assertThat(err.toString()).contains(message);
    }

    @Test
    void aLayerIsMeasuredInStepsAndFused() {
        assertThat(bench("--experts 6 --per-token 2 --hidden 32 --tokens 3 -n 2 --input bf16 --layout ragged --fused"))
                .as(err.toString())
                .isZero();
        List<String> lines = out.toString().lines().toList();
        assertThat(lines.getFirst()).contains("1 PE, 6 experts, 2 choices, 32 elements, bf16 in", "RAGGED");
        assertThat(lines).anyMatch(line -> line.startsWith("# way") && line.contains("layer     fused"));
        assertThat(lines.getLast()).startsWith("  kernels       3 |").endsWith(" 0");
    }
}
