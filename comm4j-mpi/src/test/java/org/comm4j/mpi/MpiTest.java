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
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A program over MPI, started by the library's launcher; {@link MpiContractTest} has the rest, at night. */
@Timeout(60)
class MpiTest {
    @ParameterizedTest
    @EnumSource(names = {"OPEN_MPI_4", "MPICH_4"})
    void onSystemsLibraries(MpiLibrary library) {
        program(library);
    }

    @Tag("nightly")
    @ParameterizedTest
    @EnumSource(names = {"OPEN_MPI_5", "MPICH_5", "INTEL", "STANDARD"})
    void onWheels(MpiLibrary library) {
        program(library);
    }

    private static void program(MpiLibrary library) {
        ByteArrayOutputStream said = new ByteArrayOutputStream();
        int code = Launcher.ranks(2)
                .by(library.launcher(), List.of())
                // In short lives the first compiler is enough.
                .jvmOptions("-XX:TieredStopAtLevel=1")
                .java(MpiProgram.class.getName())
                .output(said, said)
                .timeout(Duration.ofSeconds(50))
                .run();
        String text = said.toString(StandardCharsets.UTF_8);
        assertThat(code).as(text).isZero();
        assertThat(text).contains("[0] tags sum 1").contains("[1] tags Received[rank=0, tag=101, count=1] 1");
        for (int rank = 0; rank < 2; rank++) {
            assertThat(text)
                    .contains("[" + rank + "] sum 3.0 half 2.0 extreme NaN 0.0 byte 144")
                    .contains("[" + rank + "] caught 2000 overflow truncated");
        }
    }

    /** The others hear of it, although they wait in MPI, and the job ends. */
    @Tag("nightly")
    @ParameterizedTest
    @EnumSource(names = {"OPEN_MPI_4", "MPICH_4"})
    void anExceptionOnOneRank(MpiLibrary library) {
        ByteArrayOutputStream said = new ByteArrayOutputStream();
        int code = Launcher.ranks(2)
                .by(library.launcher(), List.of())
                .java(MpiProgram.class.getName(), "throw")
                .output(said, said)
                .timeout(Duration.ofSeconds(50))
                .run();
        assertThat(said.toString(StandardCharsets.UTF_8))
                .contains("IllegalStateException: on purpose", "on rank 1 of 2: rank 0 closes its world");
        assertThat(code).as("" + said).isEqualTo(1);
    }
}
