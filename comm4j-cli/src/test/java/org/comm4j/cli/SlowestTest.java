// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import org.comm4j.test.TestTimes;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A test class that takes long makes everybody wait. This one runs last, when those of all modules have run. */
@Tag("last")
class SlowestTest {
    private static final int TOLD = 20;
    /** Of processes that want to run, for each processor: as many as this build itself has. */
    private static final double USUAL_LOAD = 2;

    @Test
    void noClassTakesLong() throws IOException {
        Instant begin = Instant.parse(System.getProperty("comm4j.test.begin", "1970-01-01T00:00:00Z"));
        double limit = Double.parseDouble(System.getProperty("comm4j.test.slowest", "20")) * slowdown();
        List<TestTimes.Time> times = TestTimes.of(Path.of(".."), begin);
        System.out.printf("The slowest of %d test classes:%n", times.size());
        times.stream().limit(TOLD).forEach(System.out::println);
        System.out.printf(
                "All of them: %.0f s, %.0f s of processors%n",
                times.stream().mapToDouble(TestTimes.Time::seconds).sum(),
                times.stream().mapToDouble(TestTimes.Time::processor).sum());
        assertThat(times.stream().filter(time -> time.seconds() > limit))
                .as("test classes above %.0f s: tag what takes long \"nightly\", or give -Dcomm4j.test.slowest", limit)
                .isEmpty();
    }

    /** How much longer everything takes on a machine that has other things to do. */
    private static double slowdown() throws IOException {
        Path file = Path.of("/proc/loadavg");
        if (!Files.exists(file)) {
            return 1;
        }
        // Of the last minute, five minutes and fifteen.
        double load = Arrays.stream(Files.readString(file).split(" "))
                .limit(3)
                .mapToDouble(Double::parseDouble)
                .max()
                .orElseThrow();
        return Math.max(1, load / USUAL_LOAD / Runtime.getRuntime().availableProcessors());
    }
}
