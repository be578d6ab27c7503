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
import org.junit.jupiter.params.provider.EnumSource;

/** What MPI has and the common interface does not, in each library. */
@Timeout(60)
class MpiPowersTest {
    @Test
    void onOpenMpi() {
        program(MpiLibrary.OPEN_MPI_4, 2);
    }

    @Tag("nightly")
    @Test
    void onThreeRanks() {
        program(MpiLibrary.OPEN_MPI_4, 3);
    }

    /** Its ranks would wait for each other if they outnumbered the processors. */
    @Tag("nightly")
    @Test
    void onMpich() {
        program(MpiLibrary.MPICH_4, 2);
    }

    @Tag("nightly")
    @ParameterizedTest
    @EnumSource(names = {"OPEN_MPI_5", "MPICH_5", "INTEL", "STANDARD"})
    void onWheels(MpiLibrary library) {
        program(library, 2);
    }

    /** Where the library bears one thread at a time. */
    @Tag("nightly")
    @ParameterizedTest
    @EnumSource(names = {"OPEN_MPI_4", "MPICH_4"})
    void serialized(MpiLibrary library) {
        program(library, 2, "-Dorg.comm4j.mpi.threads=serialized");
    }

    /** With a limit that most of the larger buffers exceed. */
    @Tag("nightly")
    @ParameterizedTest
    @EnumSource(names = {"OPEN_MPI_4", "MPICH_4"})
    void pieces(MpiLibrary library) {
        program(library, 2, "-Dorg.comm4j.mpi.limit=1000");
    }

    private static void program(MpiLibrary library, int ranks, String... options) {
        ByteArrayOutputStream said = new ByteArrayOutputStream();
        int code = Launcher.ranks(ranks)
                .by(library.launcher(), List.of())
                // In short lives the first compiler is enough.
                .jvmOptions("-XX:TieredStopAtLevel=1")
                .jvmOptions(options)
                .java(PowersProgram.class.getName())
                .output(said, said)
                .timeout(Duration.ofSeconds(50))
                .run();
        String text = said.toString(StandardCharsets.UTF_8);
        assertThat(code).as(text).isZero();
        for (int rank = 0; rank < ranks; rank++) {
            assertThat(text).contains("[" + rank + "] powers ok");
        }
    }
}
