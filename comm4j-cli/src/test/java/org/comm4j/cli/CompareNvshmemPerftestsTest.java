// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code dev/compare-nvshmem-perftests} with programs that are shell scripts. */
class CompareNvshmemPerftestsTest {
    private static final Path SCRIPT =
            Path.of("../dev/compare-nvshmem-perftests").toAbsolutePath().normalize();

    @TempDir
    private Path folder;

    private record Result(int code, String out, String err) {}

    private void script(String name, String text) throws IOException {
        Path file = Files.writeString(folder.resolve(name), "#!/bin/bash\n" + text);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwx------"));
    }

    private Result run(Map<String, String> environment) throws IOException, InterruptedException {
        Path out = folder.resolve("stdout");
        Path err = folder.resolve("stderr");
        ProcessBuilder builder = new ProcessBuilder(
                        SCRIPT.toString(),
                        folder.toString(),
                        folder.resolve("out").toString())
                .redirectOutput(out.toFile())
                .redirectError(err.toFile());
        builder.environment().putAll(environment);
        Process process = builder.start();
        assertThat(process.waitFor(2, TimeUnit.MINUTES)).isTrue();
        return new Result(process.exitValue(), Files.readString(out), Files.readString(err));
    }

    private List<String> calls() throws IOException {
        return Files.readAllLines(folder.resolve("calls")).stream()
                .map(line -> line.replace(folder.toString(), "."))
                .toList();
    }

    private Map<String, String> environment(String cases) {
        return Map.of(
                "COMM4J",
                folder + "/comm4j",
                "LAUNCHER",
                folder + "/launch -n%n",
                "GPUS",
                "4",
                "ROUNDS",
                "2",
                "MINUTES",
                "0",
                "CASES",
                cases,
                "COLLECTIVE_OPTIONS",
                "-n 7");
    }

    private void programs() throws IOException {
        script("launch", "shift; [[ $1 != stdbuf ]] || shift 2\nexec \"$@\"\n");
        String table = "printf '#alltoall_on_stream\\nsize(B)  count  type  latency(us)\\n64  16  int  %s\\n'\n";
        script("alltoall_on_stream", "echo theirs \"$@\" >>" + folder + "/calls\n" + table.formatted("8.0"));
        String java = String.join(
                " ",
                new ArrayList<>(Running.comm4j(List.of(), List.of("\"$@\"")).command()));
        script(
                "comm4j",
                "if [[ $2 = nvshmem ]]; then echo ours \"$@\" >>" + folder + "/calls\n" + table.formatted("10.0")
                        + "else\nexec " + java + "\nfi\n");
    }

    @Test
    void runsBothInTurnAndPrintsATable() throws Exception {
        programs();
        Result result = run(environment("graphs"));
        assertThat(result.code()).as(result.toString()).isZero();
        String all =
                "alltoall_on_stream,broadcast_on_stream,fcollect_on_stream,reducescatter_on_stream,reduction_on_stream";
        String ours = "ours bench nvshmem " + all + " --ranks 4 --no-check --cudagraph -n 7";
        // The second round is the other way round; programs that are not there are left out.
        assertThat(calls()).containsExactly(ours, "theirs --cudagraph -n 7", "theirs --cudagraph -n 7", ours);
        assertThat(result.out()).contains("| alltoall_on_stream | **10.0 (0.800)** |", "1 of 1");
        assertThat(folder.resolve("out/table.md")).hasContent(result.out());
        // What is there is not measured again.
        assertThat(run(environment("graphs")).code()).isZero();
        assertThat(calls()).hasSize(4);
    }

    @Test
    void laysTheProgramsBesideThemselves() throws Exception {
        programs();
        Map<String, String> environment = new HashMap<>(environment("collectives"));
        environment.put("AGAIN", "yes");
        Result result = run(environment);
        assertThat(result.code()).as(result.toString()).isZero();
        assertThat(calls().stream().filter(each -> each.startsWith("theirs"))).hasSize(4);
        assertThat(result.out())
                .containsSubsequence(
                        "| alltoall_on_stream | **10.0 (0.800)** |",
                        "## The programs beside themselves",
                        "| alltoall_on_stream | 8.00 (1.000) |");
        assertThat(folder.resolve("out/table.md")).hasContent(result.out());
    }

    /** Programs of the same title are told apart by their names. */
    @Test
    void devicePerftestsAreComparedWithBenchDevice() throws Exception {
        programs();
        String table = "printf '#shmem_put_ping_lat\\nsize(B)  scope  latency (us)\\n4  None  %s\\n'\n";
        script("shmem_put_bw", "exit 1\n");
        script("shmem_put_ping_pong_latency", table.formatted("8.0"));
        script("shmem_put_signal_ping_pong_latency", table.formatted("6.0"));
        String ours = Files.readString(folder.resolve("comm4j"));
        script(
                "comm4j",
                "if [[ $2 = device ]]; then echo ours \"$@\" >>" + folder + "/calls\n"
                        + "echo '# program: shmem_put_signal_ping_pong_latency'\n" + table.formatted("5.0")
                        + "echo '# program: shmem_put_ping_pong_latency'\n" + table.formatted("10.0") + "exit 0\nfi\n"
                        + ours.lines().skip(1).collect(Collectors.joining("\n")) + "\n");
        Result result = run(environment("ping_pong"));
        assertThat(result.code()).as(result.toString()).isZero();
        assertThat(calls())
                .containsExactlyElementsOf(Collections.nCopies(
                        2,
                        "ours bench device shmem_p_ping_pong_latency,shmem_put_ping_pong_latency,"
                                + "shmem_put_signal_ping_pong_latency,shmem_put_atomic_ping_pong_latency,"
                                + "shmem_signal_ping_pong_latency,shmem_atomic_ping_pong_latency --ranks 2 --no-check"
                                + " -b 4 -e 64K -f 4 -n 500 -w 50"));
        assertThat(result.out())
                .contains(
                        "| shmem_put_ping_pong_latency | **10.0 (0.800)** |",
                        "| shmem_put_signal_ping_pong_latency | 5.00 (1.200) |");
    }

    @Test
    void failuresAreToldAndNotFiled() throws Exception {
        programs();
        script("alltoall_on_stream", "echo no GPU today; exit 3\n");
        Result result = run(environment("collectives"));
        assertThat(result.code()).isEqualTo(1);
        assertThat(result.err()).contains("alltoall_on_stream -n 7 failed", "no GPU today");
        assertThat(folder.resolve("out/1/collectives.1.theirs.txt")).doesNotExist();
        assertThat(folder.resolve("out/1/collectives.ours.txt")).exists();
    }
}
