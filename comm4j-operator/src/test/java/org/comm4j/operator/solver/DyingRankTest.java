// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.operator.solver;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.comm4j.array.Backend;
import org.comm4j.array.Npy;
import org.comm4j.core.DataType;
import org.comm4j.core.launch.Launcher;
import org.comm4j.operator.Ranks;
import org.comm4j.test.Nightly;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What one rank meets in a job of processes: its death, and a file and memory that it alone lacks. */
@Timeout(60)
class DyingRankTest {
    @TempDir
    Path folder;

    private List<String> run(String what) throws IOException {
        ByteArrayOutputStream output = new ByteArrayOutputStream();
        Launcher.ranks(3)
                .jvmOptions("-XX:TieredStopAtLevel=1")
                .java(DyingRank.class.getName(), folder.toString(), what)
                .timeout(Duration.ofSeconds(45))
                .keepGoing(true)
                .output(output, output)
                .run();
        return output.toString(StandardCharsets.UTF_8).lines().toList();
    }

    /** A rank that dies in the middle of an inversion ends the waits of the others, which are told who it was. */
    @Test
    void aDeadRankEndsTheInversion() throws IOException {
        othersAreTold(run("die"));
    }

    /** Memory that one rank lacks ends the waits of the others, which are told what that rank says. */
    @Test
    void memoryThatOneRankLacksEndsTheWaitsOfTheOthers() throws IOException {
        List<String> lines = run("full");
        othersAreTold(lines);
        String words = "OutOfMemoryError: rank 1 has no memory for an array";
        assertThat(lines)
                .filteredOn(line -> line.contains(words) && line.contains("bytes here"))
                .as("%s", lines)
                .hasSize(3)
                .anySatisfy(line -> assertThat(line).contains("[0] ", "ended after"))
                .anySatisfy(line -> assertThat(line).contains("[1] ", "Exception in thread"))
                .anySatisfy(line -> assertThat(line).contains("[2] ", "ended after"));
    }

    private static void othersAreTold(List<String> lines) {
        List<String> ended =
                lines.stream().filter(line -> line.contains("ended after")).toList();
        assertThat(ended)
                .as("%s", lines)
                .hasSize(2)
                .allSatisfy(line -> assertThat(line).contains("rank 1"));
        for (String line : ended) {
            System.out.println(line);
            // By day the machine may be busy with other tests.
            long millis = Long.parseLong(line.replaceAll(".*ended after (\\d+) ms.*", "$1"));
            assertThat(millis).isLessThan(Nightly.isOn() ? 2_000 : 10_000);
        }
    }

    /** A file that one rank lacks is an exception on all, with that rank's words. */
    @Test
    void aFileThatOneRankLacksIsToldOnAll() throws IOException {
        for (int r : new int[] {0, 2}) {
            Path file = folder.resolve("rank" + r + ".npy");
            Ranks.run(1, (Backend backend) -> Npy.write(backend.zeros(backend.replicated(6), DataType.FLOAT64), file));
        }
        List<String> lines = run("missing");
        assertThat(lines.stream().filter(line -> line.contains("told: ")).toList())
                .as("%s", lines)
                .hasSize(3)
                .allSatisfy(line -> assertThat(line).contains("rank 1: ").contains("rank1.npy"));
    }
}
