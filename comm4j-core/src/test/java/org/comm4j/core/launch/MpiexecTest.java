// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.core.launch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.abort;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.comm4j.test.Natives;
import org.comm4j.test.Nightly;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Launchers of MPI libraries: found, told apart, and used. */
@Timeout(60)
class MpiexecTest {
    @TempDir
    private Path folder;

    /** An installation whose launcher says that it is something. */
    private Path installation(String name, String says, String... libraries) throws IOException {
        Path prefix = folder.resolve(name);
        Files.createDirectories(prefix.resolve("bin"));
        Files.createDirectories(prefix.resolve("lib"));
        Path launcher = prefix.resolve("bin/mpiexec");
        Files.writeString(launcher, "#!/bin/sh\nprintf '" + says + "'\n");
        Files.setPosixFilePermissions(launcher, PosixFilePermissions.fromString("rwx------"));
        for (String library : libraries) {
            Files.writeString(prefix.resolve("lib").resolve(library), "");
        }
        return prefix;
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "mpirun.openmpi (OpenRTE) 4.1.4\\n\\nReport bugs | OPEN_MPI | 4.1.4     | 4 | libmpi.so.40",
                "mpiexec (Open MPI) 5.0.11\\n                 | OPEN_MPI | 5.0.11    | 5 | libmpi.so.40",
                "HYDRA build details:\\n    Version:   5.0.2\\n| MPICH   | 5.0.2     | 5 | libmpi.so.12",
                "HYDRA build details:\\n    Version:   4.0\\n  | MPICH   | 4.0       | 4 | libmpich.so.12",
                "Intel(R) MPI Library for Linux* OS, Version 2021.18.1 Build | INTEL | 2021.18.1 | 2021 | libmpi.so.12",
            })
    void saysWhatItIs(String says, Mpiexec.Kind kind, String version, int major, String library) throws IOException {
        Path prefix = installation("mpi", says, library);
        Mpiexec launcher = Mpiexec.of(prefix.resolve("bin/mpiexec"));
        assertThat(launcher)
                .isEqualTo(new Mpiexec(prefix.resolve("bin/mpiexec"), kind, version, prefix.resolve("lib/" + library)));
        assertThat(launcher.major()).isEqualTo(major);
        assertThat(launcher).hasToString(kind.text() + " " + version + " (" + prefix + "/bin/mpiexec)");
    }

    @Test
    void whatIsNoneIsLeftOut() throws IOException {
        assertThat(Mpiexec.of(installation("a", "slurm 23").resolve("bin/mpiexec")))
                .isNull();
        assertThat(Mpiexec.of(folder.resolve("nothing"))).isNull();
    }

    @Test
    void whatIsNamedComesFirst() throws IOException {
        Path five = installation("five", "mpiexec (Open MPI) 5.0.11", "libmpi.so.40");
        Path mpich = installation("mpich", "HYDRA build details:\\n Version: 5.0.2\\n", "libmpi.so.12");
        Path old = installation("old", "mpiexec (Open MPI) 4.0.1");
        Map<String, String> environment =
                new HashMap<>(Map.of("PATH", old.resolve("bin").toString(), "MPI_HOME", "" + mpich));
        List<Mpiexec> all = Mpiexec.all(environment);
        assertThat(all.get(0).file()).isEqualTo(mpich.resolve("bin/mpiexec"));
        assertThat(all.get(1).file()).isEqualTo(old.resolve("bin/mpiexec"));
        assertThat(all.get(1).library()).isNull();
        for (Path named : List.of(five, five.resolve("lib"), five.resolve("lib/libmpi.so.40"))) {
            environment.put(Mpiexec.VARIABLE, named.toString());
            assertThat(Mpiexec.all(environment))
                    .extracting(Mpiexec::file)
                    .as(named.toString())
                    .containsExactly(five.resolve("bin/mpiexec"));
        }
    }

    @Test
    void commandLines() {
        List<String> java = List.of("java", "Main");
        Map<String, String> variables = Map.of("COMM4J_ENGINE", "mpi");
        Mpiexec four = new Mpiexec(Path.of("/o4/mpirun"), Mpiexec.Kind.OPEN_MPI, "4.1.4", null);
        Mpiexec five = new Mpiexec(Path.of("/o5/mpirun"), Mpiexec.Kind.OPEN_MPI, "5.0.11", Path.of("/o5/libmpi.so.40"));
        Mpiexec mpich = new Mpiexec(Path.of("/m/mpiexec"), Mpiexec.Kind.MPICH, "5.0.2", Path.of("/m/libmpi.so.12"));
        assertThat(processes(four, List.of(), variables, false).command(java, "me"))
                .containsExactly("/o4/mpirun --tag-output --oversubscribe -x COMM4J_ENGINE -n 3 java Main".split(" "));
        assertThat(processes(five, List.of("a:2", "b"), variables, true).command(java, "root"))
                .containsExactly(
                        ("/o5/mpirun --allow-run-as-root --output tag --oversubscribe --with-ft ulfm --host a:2,b"
                                        + " -x COMM4J_ENGINE -x COMM4J_MPI -n 3 java Main")
                                .split(" "));
        assertThat(processes(mpich, List.of("a", "b"), variables, false).command(java, "root"))
                .containsExactly(("/m/mpiexec -prepend-rank -hosts a,b -genv COMM4J_ENGINE mpi -genv COMM4J_MPI"
                                + " /m/libmpi.so.12 -n 3 java Main")
                        .split(" "));
        for (Mpiexec each : List.of(four, mpich)) {
            assertThatThrownBy(() -> processes(each, List.of(), variables, true).command(java, "me"))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("ends the job when a rank dies");
        }
    }

    private static MpiProcesses processes(
            Mpiexec launcher, List<String> hosts, Map<String, String> variables, boolean keepGoing) {
        return new MpiProcesses(
                launcher,
                3,
                hosts,
                variables,
                keepGoing,
                Duration.ofSeconds(1),
                Duration.ofSeconds(1),
                OutputStream.nullOutputStream(),
                OutputStream.nullOutputStream());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "[1,12]<stdout>:text        | [12] text",
                "[prterun-a-7@1,0]<stderr>: text | [0] text",
                "[3] text                   | [3] text",
                "[1,x]<stdout>:text         | [1,x]<stdout>:text",
                "text [1,2]<stdout>:        | text [1,2]<stdout>:",
            })
    void linesHaveTheRankInFront(String line, String expected) {
        assertThat(new String(MpiProcesses.marked(line.getBytes(StandardCharsets.UTF_8)), StandardCharsets.UTF_8))
                .isEqualTo(expected);
    }

    /** The libraries of dev/mpi, and whatever else this machine has. */
    static List<Mpiexec> present() {
        List<Mpiexec> all = new ArrayList<>(Mpiexec.all(System.getenv()));
        for (String name : List.of("openmpi-5.0.11", "mpich-5.0.2", "impi-rt-2021.18.1")) {
            Natives.find(name)
                    .ifPresent(prefix -> all.addAll(Mpiexec.all(Map.of(Mpiexec.VARIABLE, prefix.toString()))));
        }
        return all;
    }

    @TestFactory
    Stream<DynamicTest> eachStartsRanks() {
        List<Mpiexec> all = present();
        if (all.isEmpty()) {
            return Stream.of(DynamicTest.dynamicTest(
                    "none", () -> abort("there is no launcher of an MPI library; dev/mpi installs some")));
        }
        if (!Nightly.isOn()) {
            // One of each family.
            Set<Boolean> families = new HashSet<>();
            all.removeIf(launcher -> !families.add(launcher.kind() == Mpiexec.Kind.OPEN_MPI));
        }
        return all.stream().map(launcher -> DynamicTest.dynamicTest(launcher.toString(), () -> starts(launcher)));
    }

    private void starts(Mpiexec launcher) throws IOException {
        Path source = Files.writeString(folder.resolve("Hello.java"), """
            import org.comm4j.core.World;
            void main(String[] arguments) {
                try (World world = World.join()) {
                    IO.println("rank " + world.rank() + " of " + world.size() + " " + world.localSize() + " "
                        + world.exchange("k", new byte[0]).size() + " " + System.getenv("COMM4J_TEST_X")
                        + " " + arguments[0]);
                    System.exit(world.rank() == 1 ? 7 : 0);
                }
            }
            """);
        ByteArrayOutputStream output = new ByteArrayOutputStream();
        int code = Launcher.ranks(2)
                .by(launcher, List.of())
                .environment("COMM4J_TEST_X", "x y")
                .jvmOptions("-XX:TieredStopAtLevel=1")
                .output(output, output)
                .timeout(Duration.ofSeconds(30))
                .source(source, "a b")
                .run();
        String text = output.toString(StandardCharsets.UTF_8);
        assertThat(code).as(text).isEqualTo(7);
        assertThat(text.lines()).contains("[0] rank 0 of 2 2 2 x y a b", "[1] rank 1 of 2 2 2 x y a b");
    }

    @Test
    void timeIsUp() {
        List<Mpiexec> all = present();
        assumeTrue(!all.isEmpty(), "there is no launcher of an MPI library; dev/mpi installs some");
        ByteArrayOutputStream output = new ByteArrayOutputStream();
        int code = Launcher.ranks(2)
                .by(all.getFirst(), List.of())
                .output(output, output)
                .timeout(Duration.ofSeconds(1))
                .java("-cp", System.getProperty("java.class.path"), RankProgram.class.getName(), "sleep")
                .run();
        assertThat(code).as(output.toString(StandardCharsets.UTF_8)).isEqualTo(124);
        assertThat(output.toString(StandardCharsets.UTF_8)).contains("comm4j: time is up after 1 s");
    }
}
