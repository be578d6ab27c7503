// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.device;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.comm4j.core.launch.Launcher;
import org.comm4j.test.Natives;
import org.junit.jupiter.api.Test;

/** {@link LifeProgram} on simulated GPUs; the kernels are compiled by the real compilers. */
class SimulatedLifeTest {
    @Test
    void kernelsLiveAsLongAsNvshmem() {
        Compilers.require();
        List<String> words = new ArrayList<>(SimulatedGpus.options());
        words.add("-Dcomm4j.simulated=true");
        words.add("-XX:TieredStopAtLevel=1");
        words.add("-D" + Headers.PROPERTY + "="
                + Natives.nvshmemHeaders(Compilers.versions().getFirst()));
        words.add(LifeProgram.class.getName());
        ByteArrayOutputStream output = new ByteArrayOutputStream();
        int code = Launcher.ranks(2)
                .java(words.toArray(String[]::new))
                .timeout(Duration.ofMinutes(3))
                .output(output, output)
                .run();
        String said = output.toString(StandardCharsets.UTF_8);
        assertThat(code).as(said).isZero();
        assertThat(said).contains("[0] passed ended", "[1] passed ended");
    }
}
