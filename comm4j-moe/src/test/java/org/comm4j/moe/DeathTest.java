// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.moe;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A PE that is killed is named by those that wait for it, and they go on without it. */
@Tag("nightly")
class DeathTest {
    private static final Pattern TOLD = Pattern.compile("\\[[02]] told after (\\d+) ms: (.*)");
    /** Until it dies, and two seconds; the driver takes some more to end a process that has a GPU. */
    private static final int NOTICED_MILLIS = 2700;

    private static final int NOTICED_ON_GPUS_MILLIS = 8000;

    private static final int OPERATIONS = 1000;

    @Test
    void inACombine() {
        isNamed("combine", "combine", 10);
    }

    @Test
    void betweenDispatchAndCombine() {
        isNamed("between", "combine", 10);
    }

    @Test
    void inADispatch() {
        isNamed("dispatch", "dispatch", OPERATIONS);
    }

    private static void isNamed(String where, String operation, int operations) {
        isNamed(MoeProgram.CPU, where, operation, operations);
    }

    static void isNamed(String kind, String where, String operation, int operations) {
        ByteArrayOutputStream output = new ByteArrayOutputStream();
        int code = MoeProgram.launcher(3, kind, DeathProgram.class, kind, where, Integer.toString(operations))
                .keepGoing(true)
                .timeout(Duration.ofMinutes(3))
                .output(output, output)
                .run();
        String text = output.toString(StandardCharsets.UTF_8);
        assertThat(code).as(text).isEqualTo(137);
        assertThat(text.lines().map(TOLD::matcher).filter(Matcher::matches))
                .as(text)
                .hasSize(2)
                .allSatisfy(line -> {
                    assertThat(Integer.parseInt(line.group(1)))
                            .isLessThan(kind.equals(MoeProgram.GPU) ? NOTICED_ON_GPUS_MILLIS : NOTICED_MILLIS);
                    assertThat(line.group(2)).contains("RankFailedException", operation, "rank 1");
                });
        assertThat(text.lines())
                .as(text)
                .contains("[0] right operations: " + operations, "[2] right operations: " + operations);
    }
}
