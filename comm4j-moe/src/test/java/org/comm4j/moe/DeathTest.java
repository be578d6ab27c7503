// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.moe;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A PE that is killed is named by those that wait for it, and they go on without it. */
@Tag("nightly")
class DeathTest {
    private static final Pattern KILLED = Pattern.compile("\\[1] killed at (\\d+)");
    private static final Pattern HEARD = Pattern.compile("\\[[02]] heard at (\\d+)");
    private static final Pattern FIRST = Pattern.compile("\\[[012]] first operation took (\\d+) ms");
    private static final Pattern TOLD = Pattern.compile("\\[[02]] told at (\\d+): (.*)");
    private static final long NOTICED_MILLIS = 2000;

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

    private static Stream<Long> times(Pattern line, String text) {
        return text.lines().map(line::matcher).filter(Matcher::matches).map(found -> Long.parseLong(found.group(1)));
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
        long killed = times(KILLED, text).findFirst().orElseThrow();
        List<Long> heard = times(HEARD, text).map(time -> time - killed).toList();
        List<Long> told = times(TOLD, text).map(time -> time - killed).toList();
        System.out.println(kind + ", killed in " + where + ": the others heard of it after " + heard
                + " ms, and their calls ended after " + told + " ms; first operations took "
                + times(FIRST, text).toList() + " ms");
        assertThat(told)
                .as(text)
                .hasSize(2)
                .allSatisfy(millis -> assertThat(millis).isBetween(0L, NOTICED_MILLIS));
        assertThat(text.lines().map(TOLD::matcher).filter(Matcher::matches).map(line -> line.group(2)))
                .allSatisfy(message -> assertThat(message).contains("RankFailedException", operation, "rank 1"));
        assertThat(text.lines())
                .as(text)
                .contains("[0] right operations: " + operations, "[2] right operations: " + operations);
    }
}
