// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class BenchCommandTest {
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int bench(String words) {
        return Main.execute(
                new PrintWriter(out, true),
                new PrintWriter(err, true),
                ("bench " + words).strip().split(" +"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "\"\"                                | Missing OPERATION",
                "all_gatherv                       | 'all_gatherv'",
                "put -b 8X                         | '8X' is not a size",
                "put -b 64K -e 8                   | sizes from 65536 to 8",
                "put -b 0                          | do not grow",
                "put -f 1                          | factor 1",
                "put -f 2 -i 8                     | not by both",
                "put -i 0                          | at least 1 byte",
                "put -n 0                          | -n 0",
                "put -w -1                         | -w -1",
                "put -c -1                         | -c -1",
                "put -d float128                   | 'float128'",
                "put -o mulsum                     | 'mulsum'",
                "broadcast -r -2                   | '-2' is not a rank",
                "broadcast -r first                | 'first' is not a rank",
                "broadcast -r 2 --ranks 2          | ranks 0 to 1",
                "put -a 4                          | -a 4",
                "put --block-time 0                | --block-time 0",
                "put --blocks 0                    | --blocks 0",
                "put --ranks 0                     | --ranks 0",
                "all_reduce -o band -d float       | -o band is not defined for -d float32",
                "put --ranks two                   | 'two'",
                "put --engine gloo                 | 'gloo'",
                "put --engine shmem                | no engine 'shmem' here; known:",
                "latency --ranks 1                 | needs 2 ranks",
                "put --json /no/such/folder/a.json | no folder /no/such/folder",
                "put --json /proc/a.json           | --json /proc/a.json: may not be written",
                "hypercube --ranks 3               | needs a power of two of ranks, not 3",
                "put --png /                       | is a folder",
                "barrier --png a.png               | nothing to draw",
                "put --nonsense                    | --nonsense",
                "idle --ranks 1                    | at least 2 ranks",
                "nvshmem                           | TEST",
                "nvshmem shmem_put_bw              | 'shmem_put_bw'",
                "nvshmem bw,nothing                | 'nothing'",
                "nvshmem bw -b 1X                  | '1X' is not a size",
                "nvshmem bw -b 64 -e 8             | from 64 to 8",
                "nvshmem bw -b 0                   | do not grow",
                "nvshmem bw -f 1                   | do not grow",
                "nvshmem bw -n 0                   | 0 iterations",
                "nvshmem bw -d char                | 'char'",
                "nvshmem bw -o avg                 | 'avg'",
                "nvshmem bw --dir both             | --dir 'both': write, read or all",
                "nvshmem bw --issue device         | --issue 'device': on_stream, host or all",
                "nvshmem bw --warmup-time -1       | --warmup-time -1",
                "nvshmem bw --ranks 0              | --ranks 0",
                "nvshmem stream_latency --threads 0| 0 threads",
                "nvshmem bw --json /no/such/f.json | no folder /no/such",
                "nvshmem init --png a.png          | nothing to draw",
                "nvshmem bw --bidir                | --bidir",
                "device                            | TEST",
                "device bw                         | there is no test 'bw'",
                "device shmem_put_bw -s grid       | there is no scope 'grid'",
                "device shmem_atomic_bw -a nand    | there is no atomic operation 'nand'",
                "device shmem_put_bw -t 100        | 32 blocks of 100 threads",
                "device shmem_put_bw -c 0          | 0 blocks of 256 threads",
                "device shmem_put_bw -e 2 -b 4     | from 4 to 2",
                "device shmem_p_bw -d char         | 'char'",
                "device sync_latency --png a.png   | nothing to draw",
                "device shmem_put_bw --engine mpi  | --engine mpi: nvshmem, or host",
                "device shmem_put_bw --engine host --ranks 3 | shmem_put_bw block is for 2 PEs, not for 3",
                "compare a.json                    | B.json",
                "compare a.json b.json c.json      | 'c.json'",
                "compare a.json b.json c.json d.json | 'c.json'"
            })
    void aWrongOptionIsOneClearLineAndExitCode2(String words, String complaint) {
        assertThat(bench(words)).isEqualTo(2);
        assertThat(err.toString().lines()).hasSize(2).first().asString().contains(complaint);
        assertThat(out.toString()).isEmpty();
    }

    @Test
    void aFileThatIsNotThereIsOneLineAndExitCode1() {
        assertThat(bench("compare /no/a.json /no/b.json")).isEqualTo(1);
        assertThat(err.toString()).isEqualTo("comm4j: there is no file /no/a.json" + System.lineSeparator());
    }

    @Test
    void aFileThatIsNoTextIsNamed(@TempDir Path folder) throws Exception {
        Path file = Files.write(folder.resolve("a.json"), new byte[] {'{', (byte) 0xff});
        assertThat(bench("compare " + file + " " + file)).isEqualTo(1);
        assertThat(err.toString())
                .isEqualTo("comm4j: " + file + " is no text, so it has no results" + System.lineSeparator());
    }

    @ParameterizedTest
    @ValueSource(strings = {"all", "-1"})
    void allRanksAreRootsForEitherProgramsName(String root) {
        assertThat(bench("broadcast --ranks 1 -b 8 -e 8 -n 1 -w 0 --warmup-time 0 -r " + root))
                .as(err.toString())
                .isZero();
        assertThat(out.toString()).containsPattern(" +8 +2 +float +none +0 ");
    }

    @Test
    void oneRankIsMeasuredHereAndLeavesItsFiles(@TempDir Path folder) throws Exception {
        Path json = folder.resolve("a.json");
        Path png = folder.resolve("a.png");
        assertThat(bench("all_reduce --ranks 1 -b 1K -e 2K -n 3 --json " + json + " --png " + png))
                .as(err.toString())
                .isZero();
        assertThat(out.toString().lines().filter(line -> !line.startsWith("#")))
                .hasSize(2)
                .allMatch(line -> line.matches(" +(1024 +256|2048 +512) +float +sum +-1 .*"));
        assertThat(out.toString()).contains("# Out of bounds values : 0 OK");
        assertThat(Files.readString(json)).contains("\"ranks\": 1,", "\"size\": 2048,");
        assertThat(Files.size(png)).isGreaterThan(1000);
        assertThat(bench("compare " + json + " " + json)).isZero();
        assertThat(out.toString()).contains("over 2 rows : 1.000");
        Path ratios = folder.resolve("ratios.png");
        assertThat(bench("compare " + json + " " + json + " --png " + ratios)).isZero();
        assertThat(ImageIO.read(ratios.toFile()).getWidth()).isEqualTo(1000);
    }
}
