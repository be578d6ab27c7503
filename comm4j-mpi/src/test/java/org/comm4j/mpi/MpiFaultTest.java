// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.mpi;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.comm4j.core.launch.Launcher;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Ranks that die, and ranks that do not come. */
@Timeout(240)
class MpiFaultTest {
    private static final Pattern LEAVES = Pattern.compile("leaves at (\\d+) ms");
    private static final long JOIN_MILLIS = 5000;
    private static final long SOON_MILLIS = 2000;
    /** Open MPI's launcher leaves a second between the signals that end the other ranks. */
    private static final long LAUNCHER_MILLIS = 2000;

    private static final int MANY = Integer.getInteger("comm4j.test.many", 1000);

    /** A rank that ends with a code other than 0 is another thing: Open MPI's launcher ends the job then. */
    @Tag("nightly")
    @ParameterizedTest
    @CsvSource({"kill, 3/2", "kill-without-limit, 2/1"})
    void aJobLosesTwoRanksAndGoesOn(String how, String deaths) {
        ByteArrayOutputStream said = new ByteArrayOutputStream();
        int ignored = Launcher.ranks(4)
                .by(MpiLibrary.OPEN_MPI_5.launcher(), List.of())
                .keepGoing(true)
                .java(FaultProgram.class.getName(), "lose", how, deaths)
                .output(said, said)
                .timeout(Duration.ofSeconds(100))
                .run();
        String text = said.toString(StandardCharsets.UTF_8);
        assertThat(text.lines().filter(line -> line.endsWith("RankFailedException RankFailedException finished")))
                .as(text)
                .hasSize(2);
    }

    private record End(int code, String text, long at) {
        void says(String... parts) {
            assertThat(text).contains(parts);
        }
    }

    private static End program(MpiLibrary library, String... words) {
        ByteArrayOutputStream said = new ByteArrayOutputStream();
        List<String> all = new ArrayList<>(List.of(FaultProgram.class.getName()));
        all.addAll(List.of(words));
        int code = Launcher.ranks(2)
                .by(library.launcher(), List.of())
                .environment("COMM4J_JOIN_TIMEOUT", "" + JOIN_MILLIS / 1000)
                // In short lives the first compiler is enough.
                .jvmOptions("-XX:TieredStopAtLevel=1", "-Dcomm4j.test.many=" + MANY)
                .java(all.toArray(String[]::new))
                .output(said, said)
                .timeout(Duration.ofSeconds(100))
                .run();
        return new End(code, said.toString(StandardCharsets.UTF_8), System.currentTimeMillis());
    }

    private static Stream<Arguments> leavers() {
        List<String> ways = List.of("kill", "zero", "nine", "exit", "throw");
        return Stream.of(MpiLibrary.values())
                .filter(library -> library != MpiLibrary.STANDARD)
                .flatMap(library -> Stream.concat(
                        ways.stream().map(how -> Arguments.of(library, how, "small")),
                        Stream.of("init", "large", "group", "finalize")
                                .flatMap(where ->
                                        Stream.of("kill", "zero").map(how -> Arguments.of(library, how, where)))));
    }

    /** In whatever way it leaves, the others hear of it, or the launcher ends them; the job does not hang. */
    @Tag("nightly")
    @ParameterizedTest
    @MethodSource("leavers")
    void aRankLeaves(MpiLibrary library, String how, String where) {
        End end = program(library, "leave", how, where);
        String text = end.text();
        long left = Long.parseLong(
                LEAVES.matcher(text).results().findFirst().orElseThrow().group(1));
        long millis = end.at() - left;
        System.out.println(library + " " + how + " " + where + ": " + millis + " ms, code " + end.code() + " "
                + text.lines().filter(line -> line.contains("told")).toList());
        // After the cause or the limit of join the others know it soon, as they say themselves; then the job ends.
        assertThat(millis)
                .as(text)
                .isLessThan((where.equals("init") ? JOIN_MILLIS : 0) + SOON_MILLIS + LAUNCHER_MILLIS);
        assertThat(text).doesNotContain("nothing noticed", "SIGSEGV", "Timeout");
        if (!where.equals("init")) {
            // What they say instead after two seconds.
            assertThat(text).doesNotContain("told after");
        }
        if (!how.equals("zero")) {
            assertThat(end.code()).as(text).isNotZero();
        }
        // Hydra ends the others at once.
        if (library.name().startsWith("OPEN_MPI") && !where.equals("finalize")) {
            assertThat(text)
                    .containsAnyOf(
                            "told soon: RankFailedException allReduce",
                            "told soon: RankFailedException [send",
                            "told soon: RendezvousException",
                            "rank 1",
                            "Exit code: ");
        }
    }

    /** Each rank takes 2 GiB. */
    @Tag("nightly")
    @ParameterizedTest
    @EnumSource(names = {"OPEN_MPI_4", "MPICH_4", "MPICH_5"})
    void countsAroundTwoToThe31(MpiLibrary library) {
        End end = program(library, "huge");
        assertThat(end.code()).as(end.text()).isZero();
        end.says("[0] huge", "[1] huge");
    }

    @Test
    void somebodyElseEndsMpi() {
        End end = program(MpiLibrary.OPEN_MPI_4, "finalised");
        assertThat(end.code()).as(end.text()).isZero();
        end.says(
                "[1] used: barrier() on MpiCommunicator rank 1 of 2",
                "MPI has ended, by somebody else (MPI_Finalize)",
                "made: MPI has been ended in this process, by somebody else (MPI_Finalize); it cannot be initialised",
                "[0] left");
    }

    @Tag("nightly")
    @ParameterizedTest
    @EnumSource
    void somebodyElseInitialisesMpi(MpiLibrary library) {
        End end = program(library, "initialised");
        assertThat(end.code()).as(end.text()).isZero();
        end.says("[0] finalised by who has initialised it", "[1] finalised by who has initialised it");
    }

    /** Open MPI's launcher calls a job failed whose ranks have not finalised. */
    @Tag("nightly")
    @Test
    void nobodyCloses() {
        End openMpi = program(MpiLibrary.OPEN_MPI_4, "without-close");
        assertThat(openMpi.code()).as(openMpi.text()).isEqualTo(1);
        openMpi.says(
                "[0] not closed", "comm4j: rank 0 of 2 ends without MPI_Finalize, because its World was not closed");
        End mpich = program(MpiLibrary.MPICH_4, "without-close");
        assertThat(mpich.code()).as(mpich.text()).isZero();
    }

    /** Ranks of Open MPI meet before a large operation, so that a rank that does not come is noticed there, too. */
    @Tag("nightly")
    @ParameterizedTest
    @EnumSource
    void aRankDoesNotComeToALargeOperation(MpiLibrary library) {
        program(library, "large-late")
                .says("late: allReduce(send 1048576 x FLOAT64, recv 1048576 x FLOAT64, SUM) on rank 0 of 2 is not done"
                        + " after 300 ms");
    }

    @Tag("nightly")
    @ParameterizedTest
    @EnumSource
    void anInterruptEndsAWait(MpiLibrary library) {
        program(library, "interrupt").says("[0] interrupted true: barrier() on rank 0 of 2: interrupted while waiting");
    }

    @Tag("nightly")
    @ParameterizedTest
    @EnumSource
    void closeWaitsForWhatIsUnderWay(MpiLibrary library) {
        End end = program(library, "close-under-way");
        assertThat(end.code()).as(end.text()).isZero();
        end.says("[0] came 5", "[0] closed: barrier on rank 0 of 2: MpiCommunicator rank 0 of 2");
    }

    @Tag("nightly")
    @ParameterizedTest
    @EnumSource
    void twoThreadsWithACommunicatorEach(MpiLibrary library) {
        End end = program(library, "two-threads");
        assertThat(end.code()).as(end.text()).isZero();
        end.says("[0] two threads", "[1] two threads");
    }

    /** Both sizes are said, although MPI itself would cut the longer one. */
    @Tag("nightly")
    @ParameterizedTest
    @EnumSource
    void messagesOfOtherSizes(MpiLibrary library) {
        End end = program(library, "counts");
        end.says("[0] counts 5: CollectiveMismatchException recv(recv 6 x INT64, peer 1): a message came that has 5"
                + " elements, not 6");
        assertThat(end.text()).containsPattern("\\[0\\] counts 7: C\\w+Exception recv\\(recv 6 x INT64, peer 1\\)");
        assertThat(end.text()).doesNotContain("taken");
    }

    /** 100 000 by a property, as it takes ten minutes. */
    @Tag("nightly")
    @ParameterizedTest
    @EnumSource(names = {"OPEN_MPI_4", "MPICH_4"})
    void nothingIsKeptOfSplitsAndRequests(MpiLibrary library) {
        End end = program(library, "many");
        assertThat(end.code()).as(end.text()).isZero();
        assertThat(end.text().lines().filter(line -> line.endsWith("KiB, which is nothing")))
                .as(end.text())
                .hasSize(2);
    }

    @Test
    void aRankDoesNotComeOnOpenMpi() {
        late(MpiLibrary.OPEN_MPI_4);
    }

    @Tag("nightly")
    @ParameterizedTest
    @EnumSource(names = "OPEN_MPI_4", mode = EnumSource.Mode.EXCLUDE)
    void aRankDoesNotCome(MpiLibrary library) {
        late(library);
    }

    /** Whether comm4j waits or MPI does. */
    @ParameterizedTest
    @ValueSource(strings = {"poll", "block"})
    void aLongWaitIsTold(String wait) {
        ByteArrayOutputStream said = new ByteArrayOutputStream();
        int code = Launcher.ranks(2)
                .by(MpiLibrary.OPEN_MPI_4.launcher(), List.of())
                .environment("COMM4J_MPI_WAIT", wait)
                .jvmOptions("-XX:TieredStopAtLevel=1", "-Dorg.comm4j.core.standstill=500")
                .java(FaultProgram.class.getName(), "slow")
                .output(said, said)
                .timeout(Duration.ofSeconds(60))
                .run();
        String text = said.toString(StandardCharsets.UTF_8);
        assertThat(code).as(text).isZero();
        assertThat(text.lines())
                .as(text)
                .anyMatch(line -> line.matches(".*rank 0 of 2 has waited \\d s in barrier\\(\\).*"));
    }

    private static void late(MpiLibrary library) {
        ByteArrayOutputStream said = new ByteArrayOutputStream();
        // Without MPI_Finalize, which would wait for the request: launchers make of that what they like.
        int ignored = Launcher.ranks(2)
                .by(library.launcher(), List.of())
                .java("-XX:TieredStopAtLevel=1", FaultProgram.class.getName(), "late")
                .output(said, said)
                .timeout(Duration.ofSeconds(60))
                .run();
        assertThat(said.toString(StandardCharsets.UTF_8))
                .contains("late: recv(recv 10 x FLOAT64, peer 1) on rank 0 of 2 is not done after 300 ms")
                .contains("[0] kept")
                .contains("then: barrier on rank 0 of 2: this communicator is out of step");
    }
}
