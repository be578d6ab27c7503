// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.comm4j.cli.Running.Outcome;
import org.comm4j.core.launch.Mpiexec;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code comm4j doctor} in processes with something wrong about them: it says what, and ends as ever. */
class DoctorTest {
    private static final String DENIED = "--illegal-native-access=deny";

    @TempDir
    Path folder;

    private String doctor(Map<String, String> variables, String... prefix) throws IOException, InterruptedException {
        return doctor(List.of(), variables, prefix);
    }

    private String doctor(List<String> javaOptions, Map<String, String> variables, String... prefix)
            throws IOException, InterruptedException {
        ProcessBuilder builder = Running.comm4j(javaOptions, List.of("doctor", "-v"));
        if (javaOptions.contains(DENIED)) {
            builder.command().remove("--enable-native-access=ALL-UNNAMED");
        }
        builder.command().addAll(0, List.of(prefix));
        builder.environment().putAll(variables);
        Running.withoutMpi(builder, folder);
        // It starts no ranks, and what java says of options there cannot be written where files have no size.
        builder.environment().remove("JDK_JAVA_OPTIONS");
        Outcome outcome = Running.start(builder, folder).end(Duration.ofMinutes(1));
        assertThat(outcome.code()).as(outcome.toString()).isZero();
        return outcome.out();
    }

    /** A library without its end. */
    private Path half() throws IOException {
        byte[] whole =
                Files.readAllBytes(Path.of(System.getProperty("java.home"), "lib", System.mapLibraryName("zip")));
        Path home = Files.createDirectories(folder.resolve("half"));
        Files.write(home.resolve("libnccl.so.2"), Arrays.copyOf(whole, whole.length / 2));
        return home;
    }

    @Test
    void anIncompleteLibrary() throws IOException, InterruptedException {
        Path home = half();
        assertThat(doctor(Map.of("NCCL_HOME", home.toString())))
                .contains("NCCL_HOME=" + home + ": cannot load " + home.resolve("libnccl.so.2")
                        + ": incomplete, it has ");
    }

    @Test
    @Tag("nightly")
    void anIncompleteLibraryOnTheLoadersPath() throws IOException, InterruptedException {
        Path home = half();
        assertThat(doctor(Map.of("LD_LIBRARY_PATH", "/nowhere:" + home)))
                .contains("libnccl.so.2: " + home.resolve("libnccl.so.2") + ": incomplete, it has ");
    }

    @Test
    @Tag("nightly")
    void aFolderThatTheEncodingLacks() throws IOException, InterruptedException {
        assertThat(doctor(Map.of("LC_ALL", "C", "NCCL_HOME", "/opt/\u00fc", "LD_LIBRARY_PATH", "/opt/\u00fc")))
                .containsPattern("(?m)^  NCCL_HOME=.*: not a path in this process' encoding, \\S+$");
    }

    @Test
    void nativeAccessIsDenied() throws IOException, InterruptedException {
        String denied = "native access is not allowed; start java with --enable-native-access=org.comm4j.ffi (or"
                + " ALL-UNNAMED where comm4j is on the class path)";
        assertThat(doctor(List.of(DENIED), Map.of()))
                .containsPattern("(?m)^NCCL +- +none$")
                .contains("no NCCL: " + denied + System.lineSeparator())
                .containsPattern("(?m)^host +\\Q" + denied + "\\E$");
    }

    @Test
    void anOldCompilerOfNvidia() {
        assertThat(Doctor.oldCompiler("13.0"))
                .hasValueSatisfying(text ->
                        assertThat(text).startsWith("nvJitLink 13.0 ").contains("pip install -U nvidia-nvjitlink"));
        assertThat(Doctor.oldCompiler("12.9.86")).isPresent();
        for (String sound : new String[] {"13.5", "13.5.37", "14.0", "?", null}) {
            assertThat(Doctor.oldCompiler(sound)).as(sound).isEmpty();
        }
    }

    @Test
    @Tag("nightly")
    void anotherOperatingSystem() throws IOException, InterruptedException {
        assertThat(doctor(List.of("-Dos.name=Plan 9"), Map.of()))
                .containsPattern("(?m)^host +comm4j's shared-memory engine runs on Linux, not on Plan 9 \\S+$");
    }

    @Test
    void noMemoryToShare() throws IOException, InterruptedException {
        assumeTrue(Files.isExecutable(Path.of("/usr/bin/prlimit")), "there is no prlimit");
        // What it writes is short, the file in memory is shorter still.
        assertThat(doctor(
                        List.of("-XX:-UsePerfData"), Map.of(), "/bin/sh", "-c", "prlimit --fsize=0 \"$@\" | cat", "sh"))
                .containsPattern("(?m)^host +ftruncate of shared memory .* failed: File too large .*$");
    }

    @Test
    @Tag("nightly")
    void aDriverThatIsNone() throws IOException, InterruptedException {
        Path file = folder.resolve("libcuda.so.1");
        Files.copy(Path.of(System.getProperty("java.home"), "lib", System.mapLibraryName("zip")), file);
        assertThat(doctor(List.of("-Dorg.comm4j.cuda.library=" + file), Map.of()))
                .containsPattern("(?m)^none +the CUDA driver is too old: cuDriverGetVersion needs CUDA driver 2.2 or"
                        + " newer; loaded: \\(\\Q" + file + "\\E\\)$");
    }

    @Test
    void whatWasPassedOver() throws IOException, InterruptedException {
        Path broken = Files.createDirectories(folder.resolve("broken"));
        Files.writeString(broken.resolve("libnvvm.so.4"), "");
        Path good = Files.createDirectories(folder.resolve("good"));
        Files.copy(
                Path.of(System.getProperty("java.home"), "lib", System.mapLibraryName("zip")),
                good.resolve("libnvvm.so.4"));
        assertThat(doctor(Map.of("CUDA_HOME", broken.toString(), "CUDA_PATH", good.toString())))
                .containsPattern("(?m)^libNVVM +\\? +\\Q" + good.resolve("libnvvm.so.4") + "\\E$")
                .containsPattern("(?m)^Warnings:\\R  passed over: CUDA_HOME=\\Q" + broken
                        + "\\E: cannot load .*libnvvm.so.4: file too" + " short$");
    }

    @Test
    void mpiLibrariesAndTheirLaunchers() {
        assertThat(Doctor.mpi(List.of()).rows())
                .containsExactly(List.of("none", "-", "-", "no ranks on several hosts; install Open MPI or MPICH"));
        Mpiexec first = new Mpiexec(Path.of("/o/mpiexec"), Mpiexec.Kind.OPEN_MPI, "5.0.11", Path.of("/o/libmpi.so.40"));
        Mpiexec second = new Mpiexec(Path.of("/m/mpiexec"), Mpiexec.Kind.MPICH, "5.0.2", Path.of("/m/libmpi.so.12"));
        Mpiexec third = new Mpiexec(Path.of("/i/mpiexec"), Mpiexec.Kind.INTEL, "2021.18", null);
        assertThat(Doctor.mpi(List.of(first, second, third)).rows())
                .containsExactly(
                        List.of("Open MPI 5.0.11", "/o/mpiexec", "/o/libmpi.so.40", "starts ranks of run --engine mpi"),
                        List.of("MPICH 5.0.2", "/m/mpiexec", "/m/libmpi.so.12", "by COMM4J_MPI"),
                        List.of(
                                "Intel MPI 2021.18",
                                "/i/mpiexec",
                                "none beside it",
                                "starts ranks; the library is missing"));
    }
}
