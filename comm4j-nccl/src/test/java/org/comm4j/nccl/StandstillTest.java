// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.nccl;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.comm4j.core.launch.Launcher;
import org.junit.jupiter.api.Test;

/** Ranks that wait for each other for good say so, one line each. */
class StandstillTest {
    @Test
    void eachRankSaysWhomItWaitsFor() {
        Simulation.require();
        ByteArrayOutputStream output = new ByteArrayOutputStream();
        int code = Launcher.ranks(1)
                .java(HangProgram.class.getName())
                .jvmOptions("-XX:TieredStopAtLevel=1", "-Dorg.comm4j.core.standstill=500")
                .timeout(Duration.ofSeconds(60))
                .output(output, output)
                .run();
        String text = output.toString(StandardCharsets.UTF_8);
        assertThat(code).as(text).isZero();
        for (int rank = 0; rank < 2; rank++) {
            String waits = "rank " + rank + " of 2.* has waited 0 s in recv.*";
            assertThat(text.lines().filter(line -> line.matches(waits)))
                    .as(text)
                    .hasSize(1);
        }
        assertThat(text.lines().filter(line -> line.startsWith("in vain: ")))
                .as(text)
                .hasSize(2);
    }
}
