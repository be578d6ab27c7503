// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.mpi;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.comm4j.core.launch.Launcher;
import org.comm4j.core.launch.Mpiexec;
import org.comm4j.test.Gcc;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Libraries that are not there, cannot be loaded, or do not belong to the launcher: what the user sees. */
@Tag("nightly")
@Timeout(60)
class WrongLibraryTest {
    private static final String PROPERTY = "-Dorg.comm4j.mpi.library=";

    @TempDir
    private Path folder;

    /** Runs two ranks that sum by the engine mpi, and returns what they say; they fail. */
    private static String failure(Launcher launcher, Map<String, String> environment) {
        ByteArrayOutputStream said = new ByteArrayOutputStream();
        launcher.environment("COMM4J_ENGINE", "mpi")
                .java(EngineProgram.class.getName(), "sum")
                .output(said, said)
                .timeout(Duration.ofSeconds(50));
        environment.forEach(launcher::environment);
        int code = launcher.run();
        String text = said.toString(StandardCharsets.UTF_8);
        assertThat(code).as(text).isNotZero().isNotEqualTo(124);
        assertThat(text).doesNotContain("MPI_Abort", "SIGSEGV", "mpi sum");
        return text;
    }

    private static String file(MpiLibrary library) {
        return Objects.requireNonNull(library.launcher().library()).toString();
    }

    /** Both are named before the library can end the process. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "OPEN_MPI_4 | INTEL | Open MPI's mpirun started this process, but the library is Intel MPI",
                "OPEN_MPI_4 | MPICH_5 | Open MPI's mpirun started this process, but the library is MPICH 5",
                "OPEN_MPI_5 | MPICH_5 | Open MPI's mpirun started this process, but the library is MPICH 5",
                "MPICH_4 | OPEN_MPI_4 | MPICH's mpiexec started this process, but the library is Open MPI 4",
                "MPICH_5 | OPEN_MPI_5 | MPICH's mpiexec started this process, but the library is Open MPI 5",
                "INTEL | OPEN_MPI_4 | Intel MPI's mpiexec started this process, but the library is Open MPI 4",
            })
    void theLauncherIsAnotherOnes(MpiLibrary launcher, MpiLibrary library, String text) {
        String said =
                failure(Launcher.ranks(2).by(launcher.launcher(), List.of()), Map.of(Mpiexec.VARIABLE, file(library)));
        assertThat(said)
                .contains(text)
                .contains("Start it by the library's own launcher, or name the launcher's library in COMM4J_MPI");
    }

    /** As Slurm does that was not told to offer PMIx. */
    @Test
    void srunWithoutPmix() {
        String said = failure(
                Launcher.ranks(2),
                Map.of(
                        Mpiexec.VARIABLE,
                        file(MpiLibrary.OPEN_MPI_4),
                        "SLURM_PROCID",
                        "0",
                        "SLURM_STEP_ID",
                        "0",
                        "SLURM_STEP_NUM_TASKS",
                        "2"));
        assertThat(said)
                .contains("under srun needs PMIx, and srun offered none: every process would be a world of its own."
                        + " Start it by srun --mpi=pmix");
    }

    /** The property is looked at alone. */
    @Test
    void noLibrary() {
        Path nothing = folder.resolve("libmpi.so.40");
        String said = failure(Launcher.ranks(2).jvmOptions(PROPERTY + nothing), Map.of());
        assertThat(said)
                .contains("LibraryNotFoundException", "Looked at:", nothing + ": does not exist")
                .contains("COMM4J_MPI");
    }

    /** Another library is found, which does not know the launcher; what the variable names is said, too. */
    @Test
    void theVariableNamesNothing() {
        Path nothing = folder.resolve("libmpi.so.40");
        String said = failure(Launcher.ranks(2), Map.of(Mpiexec.VARIABLE, nothing.toString()));
        assertThat(said)
                .contains("knows 1 processes, but the world has 2 (comm4j run)")
                .contains("COMM4J_MPI=" + nothing + ": does not exist");
    }

    /** The loader's words name what is missing. */
    @Test
    void aLibraryWithoutItsDependencies() throws IOException {
        Path code = Files.writeString(folder.resolve("empty.c"), "void comm4j_test_nothing(void) {}");
        Path missing = folder.resolve("libcomm4j-missing.so");
        Gcc.sharedLibrary(code, missing, "-Wl,-soname,libcomm4j-missing.so");
        Path library = folder.resolve("libmpi.so.40");
        Path more = Files.writeString(folder.resolve("more.c"), "void comm4j_test_more(void) {}");
        Gcc.sharedLibrary(more, library, "-Wl,--no-as-needed", missing.toString());
        Files.delete(missing);
        String said = failure(Launcher.ranks(2).jvmOptions(PROPERTY + library), Map.of());
        assertThat(said).contains(library.toString(), "libcomm4j-missing.so: cannot open shared object file");
    }
}
