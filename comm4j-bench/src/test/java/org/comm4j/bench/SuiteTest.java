// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.comm4j.bench.Settings.Registration;
import org.comm4j.bench.Suite.Mode;
import org.comm4j.core.DataType;
import org.comm4j.core.ReduceOp;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The suite with shell scripts for the programs that it runs. */
class SuiteTest {
    @TempDir
    private Path folder;

    private final List<String> progress = new ArrayList<>();

    private Path script(String name, String text) throws IOException {
        Path file = Files.writeString(folder.resolve(name), "#!/bin/sh\n" + text);
        return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwx------"));
    }

    /** A program of nccl-tests that needs so many microseconds, and notes its arguments. */
    private void theirs(Operation operation, double small, double large) throws IOException {
        String row = "'%12d 2 float sum -1 %s 0 0 N/A %s 0 0 N/A\\n'";
        script(
                operation + "_perf",
                "echo %s \"$@\" >>%s/calls\n".formatted(operation, folder)
                        + "echo '# nccl-tests version 2.19.6'\necho '# Collective test starting: %s_perf'\n"
                                .formatted(operation)
                        + "printf " + row.formatted(8, small, small) + "\n"
                        + "printf " + row.formatted(4 << 20, large, large) + "\n");
    }

    /** Stands for comm4j: writes a file of results, of 10 and 100 microseconds, where it is told to. */
    private String ours(long wrong) throws IOException {
        Platform platform = new Platform(
                "node",
                "cpu",
                2,
                "JVM 25",
                "Linux",
                "nccl",
                "alone",
                "NCCL 2.28.9",
                List.of(1L),
                List.of("device  0 [0] H"));
        for (Operation operation : List.of(Operation.ALL_REDUCE, Operation.SEND_RECV)) {
            List<Row> rows = new ArrayList<>();
            for (long size : List.of(0L, 8L, 4L << 20)) {
                Row.Timing timing = new Row.Timing(size == 8 ? 10e-6 : 100e-6, 1, 1, wrong, null);
                rows.add(new Row(
                        operation,
                        size,
                        size / 4,
                        DataType.FLOAT32,
                        operation.reduces() ? ReduceOp.SUM : null,
                        -1,
                        timing,
                        operation.hasInPlaceForm() ? timing : null,
                        Double.NaN));
            }
            Files.writeString(
                    folder.resolve(operation + ".json"),
                    Report.json(platform, Settings.of(operation), Instant.parse("2026-01-02T03:04:05Z"), rows));
        }
        return script(
                        "comm4j",
                        "echo comm4j \"$@\" >>" + folder + "/calls\nresult=" + folder + "/$2.json\n"
                                + "while [ \"$1\" != --json ]; do shift; done\ncp $result \"$2\"\n")
                .toString();
    }

    private Suite.Plan plan(List<Mode> modes, int rounds, Duration limit, @Nullable String launcher) {
        return plan(modes, rounds, limit, launcher, false);
    }

    private Suite.Plan plan(List<Mode> modes, int rounds, Duration limit, @Nullable String launcher, boolean again) {
        return new Suite.Plan(
                4,
                List.of(Operation.ALL_REDUCE, Operation.SEND_RECV),
                modes,
                List.of(Registration.NONE, Registration.SYMMETRIC),
                List.of("-b", "8"),
                rounds,
                Statistic.MEDIAN,
                limit,
                Duration.ofSeconds(20),
                folder.resolve("out"),
                launcher == null ? null : new Suite.Peer(folder, folder, launcher, again));
    }

    private boolean run(Suite.Plan plan, String comm4j) throws IOException {
        return Suite.run(
                plan,
                words -> {
                    List<String> command = new ArrayList<>(List.of(comm4j));
                    command.addAll(words);
                    return command;
                },
                progress::add);
    }

    private List<String> calls() throws IOException {
        Path calls = folder.resolve("calls");
        return Files.exists(calls)
                ? Files.readAllLines(calls).stream()
                        .map(line -> line.replace(folder.toString(), "."))
                        .toList()
                : List.of();
    }

    @Test
    void measuresInTurnAndWritesATable() throws Exception {
        theirs(Operation.ALL_REDUCE, 10.1, 98.5);
        theirs(Operation.SEND_RECV, 9, 120);
        script("launch", "shift\necho launched >>" + folder + "/calls\nexec \"$@\"\n");
        Suite.Plan plan =
                plan(List.of(Mode.GROUP, Mode.THREADS, Mode.PROCESSES), 2, Duration.ZERO, folder + "/launch -np%n");
        assertThat(run(plan, ours(0))).as(progress.toString()).isTrue();
        assertThat(calls())
                .startsWith(
                        "comm4j bench all_reduce --engine nccl -R 0 --warmup-time 100"
                                + " --json ./out/group-R0/1/all_reduce.comm4j.json.part -g 4 -b 8",
                        "all_reduce -g 4 -R 0 -b 8",
                        "comm4j bench sendrecv --engine nccl -R 0 --warmup-time 100"
                                + " --json ./out/group-R0/1/sendrecv.comm4j.json.part -g 4 -b 8",
                        "sendrecv -g 4 -R 0 -b 8",
                        "comm4j bench all_reduce --engine nccl -R 2 --warmup-time 100"
                                + " --json ./out/group-R2/1/all_reduce.comm4j.json.part -g 4 -b 8")
                .contains(
                        "comm4j bench sendrecv --engine nccl -R 2 --warmup-time 100"
                                + " --json ./out/processes-R2/1/sendrecv.comm4j.json.part --ranks 4 -b 8",
                        "sendrecv -t 4 -R 2 -b 8",
                        "launched",
                        "sendrecv -R 2 -b 8")
                // The second round is the other way round.
                .endsWith(
                        "launched",
                        "sendrecv -R 2 -b 8",
                        "comm4j bench sendrecv --engine nccl -R 2 --warmup-time 100"
                                + " --json ./out/processes-R2/2/sendrecv.comm4j.json.part --ranks 4 -b 8");
        String table = Files.readString(folder.resolve("out/table.md"));
        assertThat(table)
                .contains(
                        "nccl-tests version 2.19.6\n", "2026-01-02, 1 ranks, engine nccl, 1 × H, NCCL 2.28.9, JVM 25\n")
                .contains(
                        "| a process each, symmetric windows | 0.953 | 0.900 | 1 of 2 | 1.087 | 0.985 | 1 of 2 | 1.010 | 0.985 |")
                .contains("""
                        ## a thread each

                        | | 8 B | 4 MiB |
                        |---|---|---|
                        | all_reduce | 10.0 (1.010) | **100 (0.985)** |
                        | sendrecv | **10.0 (0.900)** | 100 (1.200) |
                        """);
        assertThat(Json.read(Files.readString(folder.resolve("out/summary.json"))))
                .asString()
                .contains("mode=group, registration=2, operation=sendrecv, size=8, type=float, redop=null, root=null,"
                        + " comm4j=10.0, nccl_tests=9.0, ratio=0.9, comm4j_in_place=null, nccl_tests_in_place=9.0,"
                        + " ratio_in_place=null, samples=2, nccl_tests_samples=2");
    }

    @Test
    void goesOnWhereItStopped() throws Exception {
        theirs(Operation.ALL_REDUCE, 10, 100);
        theirs(Operation.SEND_RECV, 10, 100);
        String comm4j = ours(0);
        // The first one always runs: how long one takes is not known before.
        assertThat(run(plan(List.of(Mode.GROUP), 1, Duration.ofMillis(1), ""), comm4j))
                .isTrue();
        assertThat(calls()).hasSize(4);
        assertThat(progress).last().asString().startsWith("out of time before round 1 of group-R2");
        Files.delete(folder.resolve("out/group-R0/1/sendrecv_perf.txt"));
        assertThat(run(plan(List.of(Mode.GROUP), 1, Duration.ZERO, ""), comm4j)).isTrue();
        assertThat(calls().subList(4, 6))
                .containsExactly(
                        "sendrecv -g 4 -R 0 -b 8",
                        "comm4j bench all_reduce --engine nccl -R 2 --warmup-time 100"
                                + " --json ./out/group-R2/1/all_reduce.comm4j.json.part -g 4 -b 8");
        int all = calls().size();
        assertThat(run(plan(List.of(Mode.GROUP), 1, Duration.ZERO, ""), comm4j)).isTrue();
        assertThat(calls()).hasSize(all);
    }

    @Test
    void withoutAPeerOrItsLauncherOursIsMeasuredAlone() throws Exception {
        assertThat(run(plan(List.of(Mode.THREADS), 1, Duration.ZERO, null), ours(0)))
                .isTrue();
        assertThat(run(plan(List.of(Mode.PROCESSES), 1, Duration.ZERO, " "), ours(0)))
                .isTrue();
        assertThat(calls()).hasSize(8).allMatch(call -> call.startsWith("comm4j "));
        assertThat(Files.readString(folder.resolve("out/table.md"))).contains("| sendrecv | 10.0 | 100 |");
    }

    /** The second run of each program takes 1.25 times as long as the first. */
    @Test
    void ncclTestsIsLaidBesideItself() throws Exception {
        for (String operation : List.of("all_reduce", "sendrecv")) {
            script(
                    operation + "_perf",
                    "echo " + operation + " >>" + folder + "/calls\n"
                            + "case $(grep -c '^" + operation + "$' " + folder + "/calls) in 1) t=8;; *) t=10;; esac\n"
                            + "echo \"8 2 float none 0 $t 1 1 0 $t 1 1 0\"\n");
        }
        assertThat(run(plan(List.of(Mode.GROUP), 1, Duration.ZERO, "", true), ours(0)))
                .as(progress.toString())
                .isTrue();
        assertThat(folder.resolve("out/group-R0/1/sendrecv_perf_again.txt")).exists();
        String table = Files.readString(folder.resolve("out/table.md"));
        String itself = table.substring(table.indexOf("nccl-tests beside itself"), table.indexOf("## one thread"));
        assertThat(itself).contains("| one thread, a group | 0.800 | 0.800 | 2 of 2 | - | - | 0 of 0 | 0.800 | - |");
    }

    @Test
    void failuresAreToldAndNotFiled() throws Exception {
        theirs(Operation.ALL_REDUCE, 10, 100);
        script("sendrecv_perf", "echo 'no GPU today'\nexit 3\n");
        assertThat(run(plan(List.of(Mode.GROUP), 1, Duration.ZERO, ""), ours(0)))
                .isFalse();
        assertThat(progress)
                .contains("    no GPU today")
                .anyMatch(line -> line.startsWith("group-R0/1: sendrecv_perf failed with code 3"));
        assertThat(folder.resolve("out/group-R0/1/sendrecv_perf.txt")).doesNotExist();
        // Wrong results are a failure, too.
        assertThat(run(plan(List.of(Mode.THREADS), 1, Duration.ZERO, null), ours(1)))
                .isFalse();
    }

    @Test
    void aProgramThatDoesNotEndIsEnded() throws Exception {
        String comm4j = script("comm4j", "sleep 100 &\nwait\n").toString();
        Suite.Plan plan = new Suite.Plan(
                1,
                List.of(Operation.ALL_REDUCE),
                List.of(Mode.GROUP),
                List.of(Registration.NONE),
                List.of(),
                1,
                Statistic.MEDIAN,
                Duration.ZERO,
                Duration.ofMillis(300),
                folder.resolve("out"),
                null);
        long start = System.nanoTime();
        assertThat(run(plan, comm4j)).isFalse();
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(30));
        assertThat(progress.getFirst()).contains("does not end");
    }
}
