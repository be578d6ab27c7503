// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.shmem;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.comm4j.core.launch.Launcher;
import org.comm4j.test.Nightly;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Data is there when its flag is seen, millions of times. */
@Timeout(90)
class LitmusTest {
    /** Of each way to order two stores. */
    private static final String MILLIS = Integer.toString(Nightly.times(20, 2000));
    /** By night the one that reorders the most; otherwise most of the time would go into it. */
    private static final String COMPILER = Nightly.isOn() ? "-XX:+TieredCompilation" : "-XX:TieredStopAtLevel=1";

    private static void assertMany(int code, String text) {
        assertThat(code).as(text).isZero();
        assertThat(text.lines().filter(line -> line.endsWith(" rounds")))
                .as(text)
                .hasSize(14);
    }

    @Test
    void embedded() {
        ByteArrayOutputStream output = new ByteArrayOutputStream();
        int code = Launcher.ranks(2)
                .java(COMPILER, LitmusProgram.class.getName(), MILLIS)
                .environment(OpenShmemOptions.VARIABLE, "embedded")
                .timeout(Duration.ofSeconds(60))
                .output(output, output)
                .run();
        assertMany(code, output.toString(StandardCharsets.UTF_8));
    }

    @Test
    void nativeWithinReach() {
        Oshrun.require();
        var end = Oshrun.run(2, COMPILER, LitmusProgram.class.getName(), MILLIS);
        assertMany(end.getKey(), end.getValue());
    }

    @Test
    void nativeOutOfReach() {
        Oshrun.require();
        var end = Oshrun.run(2, "-Dorg.comm4j.shmem.direct=false", COMPILER, LitmusProgram.class.getName(), MILLIS);
        assertMany(end.getKey(), end.getValue());
    }
}
