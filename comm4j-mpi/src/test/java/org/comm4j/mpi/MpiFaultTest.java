// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.mpi;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import org.comm4j.core.launch.Launcher;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Ranks that die, and ranks that do not come. */
@Timeout(120)
class MpiFaultTest {
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

    private static void late(MpiLibrary library) {
        ByteArrayOutputStream said = new ByteArrayOutputStream();
        // Without MPI_Finalize, which would wait for the request: launchers make of that what they like.
        int ignored = Launcher.ranks(2)
                .by(library.launcher(), List.of())
                .java(FaultProgram.class.getName(), "late")
                .output(said, said)
                .timeout(Duration.ofSeconds(60))
                .run();
        assertThat(said.toString(StandardCharsets.UTF_8))
                .contains("late: recv(recv 10 x FLOAT64, peer 1) on rank 0 of 2 is not done after 300 ms")
                .contains("[0] kept")
                .contains("then: barrier on rank 0 of 2: this communicator is out of step");
    }
}
