// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.comm4j.bench.Results.Sample;
import org.comm4j.bench.Results.Times;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Files of nccl-tests; ours are in {@link ReportTest}. */
class ResultsTest {
    @TempDir
    private Path folder;

    private Results read(String name, String text) throws IOException {
        return Results.read(Files.writeString(folder.resolve(name), text));
    }

    @Test
    void aTableOfNcclTests() throws Exception {
        Results results = read("out.txt", """
                # nccl-tests version 2.19.6 nccl-headers=22809 nccl-library=22809
                # Collective test starting: all_reduce_perf
                # nThread 4 nGpus 1 minBytes 8 maxBytes 134217728 step: 16(factor) warmup iters: 5 iters: 50 agg iters: 1 validation: 1 graph: 0 unalign: 0
                #
                # Using devices
                #  Rank  0 Group  0 Pid   4711 on       node device  0 [0000:1b:00] NVIDIA H200
                #
                #                                                              out-of-place                       in-place          \s
                #       size         count      type   redop    root     time   algbw   busbw  #wrong     time   algbw   busbw  #wrong\s
                #        (B)    (elements)                               (us)  (GB/s)  (GB/s)             (us)  (GB/s)  (GB/s)        \s
                node:4711:4720 [0] NCCL INFO Connected all rings
                           8             2     float     sum      -1     8.31    0.00    0.00       0     8.27    0.00    0.00       0
                   134217728      33554432     float     sum      -1   613.90  218.63  327.95       0   1.2e+04  218.63  327.95     N/A
                # Out of bounds values : 0 OK
                # Avg bus bandwidth    : 163.971\s
                #
                # Collective test concluded: all_reduce_perf

                #
                """);
        assertThat(results.description())
                .endsWith("out.txt, nccl-tests version 2.19.6 nccl-headers=22809 nccl-library=22809");
        assertThat(results.wrong()).isZero();
        assertThat(results.samples())
                .containsExactly(
                        new Sample(new Results.Key("all_reduce", 8, "float", "sum", null), 8.31, 8.27),
                        new Sample(new Results.Key("all_reduce", 134217728, "float", "sum", null), 613.9, 12000));
    }

    @Test
    void aTableWithTimesOfEachIterationDatesAndWithoutReductions() throws Exception {
        Results results = read("out.txt", """
                # Collective test starting: hypercube_perf_mpi
                #       size         count      type   redop    root     time   algbw   busbw  #wrong    i_min    i_max    i_p99    i_cv%     time   algbw   busbw  #wrong    i_min    i_max    i_p99    i_cv%           timestamp
                        1024            64     float              -1    20.10    0.04    0.04       3    19.00    25.00    25.00     4.00    21.20    0.04    0.04       0    19.50    25.50    25.50     4.10  2026-11-21 16:00:00
                # Out of bounds values : 1 FAILED
                """);
        assertThat(results.samples())
                .containsExactly(new Sample(new Results.Key("hypercube", 1024, "float", null, null), 20.1, 21.2));
        assertThat(results.wrong()).isEqualTo(1);
    }

    @Test
    void anOldTableIsNamedByItsFile() throws Exception {
        Results results = read("sendrecv_perf.txt", """
                # nThread 1 nGpus 2 minBytes 8 maxBytes 8 step: 1048576(bytes) warmup iters: 5 iters: 20 agg iters: 1 validation: 1 graph: 0
                           8             2     float     sum      -1     9.10    0.00    0.00      0     9.00    0.00    0.00    N/A
                           8             2     float     sum      -1     9.30    0.00    0.00      0     9.20    0.00    0.00    N/A
                           8             2     float     sum      -1    99.30    0.00    0.00      0     9.10    0.00    0.00    N/A
                """);
        // What it prints as the reduction of messages is none.
        Map<Results.Key, Times> medians = Results.times(results.samples(), Statistic.MEDIAN);
        assertThat(medians)
                .isEqualTo(Map.of(new Results.Key("sendrecv", 8, "float", null, null), new Times(9.3, 9.1, 3)));
        assertThat(Results.times(results.samples().subList(0, 2), Statistic.MEDIAN)
                        .values())
                .containsExactly(new Times(9.2, 9.1, 2));
        assertThat(Results.times(results.samples(), Statistic.LEAST).values()).containsExactly(new Times(9.1, 9.0, 3));
    }

    @Test
    void theJsonOfNcclTests() throws Exception {
        Results results = read("out.json", """
                {"version":3,"start_time":"2026-11-21 16:00:00","args":["/opt/build/reduce_perf","-J","out.json"],"env":[],
                 "nccl_version":22809,"config":{"nthreads":1},"devices":[],
                 "results":[{"size":8,"count":2,"type":"float","redop":"sum","root":"     2",
                   "out_of_place":{"time":8.310000,"alg_bw":0.001,"bus_bw":0.001,"nwrong":0.000000},
                   "in_place":{"time":8.270000,"alg_bw":0.001,"bus_bw":0.001,"nwrong":null},
                   "actual_iterations":20,"experiment_name":""}],
                 "out_of_bounds":{"count":0,"okay":true},"average_bus_bandwidth":{"bandwidth":0.001,"okay":"unchecked"},
                 "errors":[""],"end_time":"2026-11-21 16:00:09"}
                """);
        assertThat(results.samples())
                .isEqualTo(List.of(new Sample(new Results.Key("reduce", 8, "float", "sum", 2), 8.31, 8.27)));
        assertThat(results.wrong()).isZero();
    }

    @Test
    void theJsonOfNcclTestsWithTimesOfIssuing() throws Exception {
        Results results = read("out.json", """
                {"version":3,"args":["all_reduce_perf","-C","1"],
                 "results":[{"size":8,"count":2,"type":"float","redop":"sum","root":"    -1",
                   "out_of_place":{"cpu_time":3.1,"alg_bw":0.001,"bus_bw":0.001,"nwrong":0.0},
                   "in_place":{"cpu_time":3.2,"alg_bw":0.001,"bus_bw":0.001,"nwrong":0.0}}]}
                """);
        assertThat(results.samples())
                .containsExactly(new Sample(new Results.Key("all_reduce", 8, "float", "sum", null), 3.1, 3.2));
    }

    /** What we print, whatever the file is called. */
    @Test
    void tablesOfOursNameTheirOperations() throws Exception {
        String columns =
                "#        size         count      type   redop    root      time   algbw   busbw #wrong      time\n";
        Results results = read(
                "out.txt",
                "# nRanks 2 engine host minBytes 8 maxBytes 8 warmup iters: 5 iters: 9 blocks: 1 validation: 1 buffers: shared\n"
                        + "#\n# all_reduce\n" + columns
                        + "            8             2     float     sum      -1     7.942    0.00    0.00      0     3.130    0.00    0.00      0    1.80   0.00\n"
                        + "#\n# broadcast\n" + columns
                        + "            8             2     float    none       1     6.163    0.00    0.00      0     0.615    0.01    0.01      0    1.89   0.00\n");
        assertThat(results.samples())
                .containsExactly(
                        new Sample(new Results.Key("all_reduce", 8, "float", "sum", null), 7.942, 3.13),
                        new Sample(new Results.Key("broadcast", 8, "float", null, 1), 6.163, 0.615));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "# nothing",
                "           8             2     float     sum      -1",
                "           8             2     float     sum      -1     fast    0.00    0.00      0     9.00    0.00    0.00    N/A",
                "{\"results\": [], \"rows\": 1}",
                "{\"results\": [1], \"args\": [\"a\"]}",
                "{"
            })
    void otherTextsAreRefused(String text) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> read("other.txt", text))
                .withMessageContaining("other.txt");
    }
}
