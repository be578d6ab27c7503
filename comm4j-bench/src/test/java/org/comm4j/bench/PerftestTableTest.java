// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.comm4j.core.DataType;
import org.comm4j.core.ReduceOp;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PerftestTableTest {
    /** What the programs print, one after the other. */
    private static final String PROGRAMS = """
            Runtime options after parsing command line arguments\s
            min_size: 4, max_size: 64, step_factor: 16, iterations: 10, warmup iterations: 5, number of ctas: 32, threads per cta: 256 \
            stride: 1, datatype: int, reduce_op: sum, threadgroup_scope: all_scopes, atomic_op: inc, dir: read, report_msgrate: 0, \
            bidirectional: 0, putget_issue :host, use_graph: 0, use_mmap: 0, mem_handle_type: 0, use_egm: 0
            Note: Above is full list of options, any given test will use only a subset of these variables.
            mype: 0 mype_node: 0 device name: NVIDIA H200 bus id: 27\s
            #   Latency
            size(B)     scope     latency (us)   \s
            4           None      5.125000       \s
            64          None      6.250000       \s
            # Bandwidth
            size(B)     scope     Bandwidth (GB) \s
            1048576     None      262.144000     \s
            #Stream_Latency
            size(B)     scope     latency (us)   \s
            1           with _on_stream  3.500000       \s
            #Stream_Latency
            size(B)     scope     latency (us)   \s
            1           without _on_stream  12.750000      \s
            min_size: 4, datatype: fp16, dir: write, report_msgrate: 0, bidirectional: 0, putget_issue :on_stream, use_graph: 1, use_mmap: 0
            #reducescatter_on_stream
            size(B)     count     type      redop     latency(us)       min_lat(us)       max_lat(us)       algbw(GB/s)   busbw(GB/s)
            4096        2048      fp16      max       8.125000          8.125             8.125             0.504         0.378
            #alltoall_on_stream
            size(B)     count     type      latency(us)       min_lat(us)       max_lat(us)       algbw(GB/s)   busbw(GB/s)
            16          4         int       7.500000          7.000             8.000             0.002         0.002
            #barrier_on_stream
            size(B)     scope     latency (us)   \s
            1           None      4.600000       \s
            """;

    @TempDir
    private Path folder;

    private static Results.Key key(String operation, long size, String type, String reduction) {
        return Results.Key.of(operation, size, type, reduction, -1);
    }

    @Test
    void readsWhatTheProgramsPrint() throws Exception {
        Results results = Results.read(Files.writeString(folder.resolve("all.txt"), PROGRAMS));
        assertThat(results.samples())
                .containsExactly(
                        new Results.Sample(key("latency read host", 4, "uint8", ""), 5.125, Double.NaN),
                        new Results.Sample(key("latency read host", 64, "uint8", ""), 6.25, Double.NaN),
                        // 1 MiB at 262.144 GB/s.
                        new Results.Sample(key("bw read host", 1 << 20, "uint8", ""), 4, Double.NaN),
                        new Results.Sample(key("stream_latency read", 1, "uint8", ""), 3.5, Double.NaN),
                        new Results.Sample(key("stream_latency read host", 1, "uint8", ""), 12.75, Double.NaN),
                        new Results.Sample(
                                key("reducescatter_on_stream graph", 4096, "half", "max"), 8.125, Double.NaN),
                        new Results.Sample(key("alltoall_on_stream graph", 16, "int32", ""), 7.5, Double.NaN),
                        new Results.Sample(key("barrier_on_stream", 1, "uint8", ""), 4.6, Double.NaN));
        assertThat(results.description()).endsWith("all.txt, NVSHMEM's perftests");
    }

    @Test
    void readsLinesForMachines() {
        Results results = PerftestTable.read(
                List.of(
                        "Latency",
                        "&&&& PERF Latency___None___size__4___latency 5.125000 -us",
                        "&&&& PERF Bandwidth___None___size__1048576___Bandwidth 262.144000 +GB",
                        "&&&& PERF Stream_Latency___without _on_stream___size__1___latency 2.000000 -us",
                        "&&&& PERF reduction_on_stream___int-sum___size__4___latency 7.000000 -us"),
                "x");
        assertThat(results.samples())
                .extracting(Results.Sample::key)
                .containsExactly(
                        key("latency", 4, "uint8", ""),
                        key("bw", 1 << 20, "uint8", ""),
                        key("stream_latency host", 1, "uint8", ""),
                        key("reduction_on_stream", 4, "int32", "sum"));
        assertThat(results.samples()).extracting(Results.Sample::outOfPlace).containsExactly(5.125, 4.0, 2.0, 7.0);
    }

    @Test
    void whatIsNoTableIsSaid() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> PerftestTable.read(List.of("size(B)     scope", "This test requires 2"), "x"))
                .withMessage("x has no table of NVSHMEM's perftests: This test requires 2");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> PerftestTable.read(
                        List.of("#alltoall_on_stream", "size(B)  count  type  latency(us)", "16  4  7.5"), "x"))
                .withMessageContaining("not a row");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> PerftestTable.type("char"))
                .withMessageContaining(
                        "there is no data type 'char'; there are bf16, double, float, fp16, int, int32,");
    }

    private static Row row(PerftestCase test, long bytes, DataType type, ReduceOp op, double micros, Iterations each) {
        return new Row(
                test,
                bytes,
                bytes / type.bytes(),
                type,
                test.test().reduces() ? op : null,
                -1,
                Row.Timing.of(test, bytes, 4, micros / 1e6, 0, each),
                null,
                Double.NaN);
    }

    private static final List<Row> ROWS = List.of(
            row(PerftestCase.of(Perftest.LATENCY, true, true, true), 4, DataType.UINT8, ReduceOp.SUM, 5.125, null),
            row(PerftestCase.of(Perftest.BW, false, false, false), 1 << 20, DataType.UINT8, ReduceOp.SUM, 4, null),
            row(
                    PerftestCase.of(Perftest.STREAM_LATENCY, false, true, false),
                    1,
                    DataType.UINT8,
                    ReduceOp.SUM,
                    12.75,
                    null),
            row(
                    PerftestCase.of(Perftest.REDUCTION, true, true, true),
                    4096,
                    DataType.BFLOAT16,
                    ReduceOp.BXOR,
                    8.125,
                    new Iterations(List.of(8.0, 8.25), 0)),
            row(
                    PerftestCase.of(Perftest.FCOLLECT, false, false, false),
                    16,
                    DataType.INT32,
                    ReduceOp.SUM,
                    7.5,
                    new Iterations(List.of(7.0, 8.0), 0)),
            row(PerftestCase.of(Perftest.INIT, false, false, false), 1, DataType.UINT8, ReduceOp.SUM, 890_000, null));

    private static List<String> printed() {
        List<String> lines = new ArrayList<>();
        for (Row row : ROWS) {
            lines.addAll(PerftestTable.columns(row));
            lines.add(PerftestTable.row(row));
        }
        return lines;
    }

    @Test
    void printsWhatTheProgramsPrint() {
        assertThat(printed())
                .contains(
                        "#   Latency",
                        "size(B)     scope     latency (us)    ",
                        "4           None      5.125000        ",
                        "# Bandwidth",
                        "size(B)     scope     Bandwidth (GB)  ",
                        "1048576     None      262.144000      ",
                        "1           without _on_stream  12.750000       ",
                        "#reduction_on_stream",
                        "size(B)     count     type      redop     latency(us)       min_lat(us)       max_lat(us)"
                                + "       algbw(GB/s)   busbw(GB/s) ",
                        // Twice three quarters of the bus bandwidth.
                        "4096        2048      bf16      xor       8.125000          8.000             8.250      "
                                + "       0.504         0.756       ",
                        "16          4         int       7.500000          7.000             8.000      "
                                + "       0.002         0.002       ");
    }

    @Test
    void whatIsPrintedAndWrittenIsReadAgain() throws Exception {
        Platform platform = new Platform(
                "node",
                "cpu",
                2,
                "JVM 25",
                "Linux",
                "nvshmem",
                "alone",
                "NVSHMEM 3.4.5",
                List.of(1L),
                List.of("device  0 [0] H"));
        PerftestSettings settings = PerftestSettingsTest.settings(4L, 64L, List.of(Perftest.values()));
        List<String> lines = new ArrayList<>(PerftestTable.header(platform, settings));
        lines.addAll(printed());
        lines.addAll(PerftestTable.footer(ROWS));
        Results text = Results.read(Files.write(folder.resolve("a.txt"), lines));
        Results json = Results.read(Files.writeString(
                folder.resolve("a.json"),
                Report.json(platform, settings, Instant.parse("2026-01-02T03:04:05Z"), ROWS)));
        assertThat(text.samples())
                .extracting(Results.Sample::key)
                .isEqualTo(json.samples().stream().map(Results.Sample::key).toList());
        assertThat(text.samples())
                .extracting(sample -> sample.key().operation())
                .containsExactly(
                        "latency read host",
                        "bw",
                        "stream_latency host",
                        "reduction_on_stream graph",
                        "fcollect_on_stream",
                        "init");
        for (int i = 0; i < ROWS.size(); i++) {
            double micros = ROWS.get(i).outOfPlace().micros();
            assertThat(text.samples().get(i).outOfPlace()).isCloseTo(micros, within(1e-5));
            assertThat(json.samples().get(i).outOfPlace()).isCloseTo(micros, within(1e-9 * micros));
        }
        assertThat(text.description()).endsWith("a.txt, NVSHMEM 3.4.5, 1 PEs, JVM 25, Linux, started by alone");
        assertThat(Files.readString(folder.resolve("a.json"))).contains("\"iterations\": 10,", "\"factor\": 16");
    }

    @Test
    void aProgramThatSaysNothingOfItsOptionsHasNotThoseOfTheOneBefore() throws Exception {
        Results results = PerftestTable.read("""
                min_size: 4, dir: read, report_msgrate: 0, putget_issue :host, use_graph: 0, use_mmap: 0
                mype: 0 mype_node: 0 device name: NVIDIA H200 bus id: 0
                #Latency
                size(B)     scope     latency (us)
                4           None      5.125000
                mype: 0 mype_node: 0 device name: NVIDIA H200 bus id: 0
                #Stream_Latency
                size(B)     scope     latency (us)
                1           with _on_stream  3.500000
                """.lines().toList(), "both.txt");
        assertThat(results.samples())
                .extracting(sample -> sample.key().operation())
                .containsExactly("latency read host", "stream_latency");
    }

    @Test
    void comparesAsMarkdown() throws Exception {
        Path theirs = Files.writeString(folder.resolve("theirs.txt"), PROGRAMS);
        Path ours = Files.writeString(
                folder.resolve("ours.txt"),
                PROGRAMS.replace("5.125000 ", "5.000000 ")
                        .replace("7.500000 ", "8.000000 ")
                        .replace("#barrier_on_stream", "#x"));
        Comparison comparison = Comparison.of(theirs, ours, new Comparison.Bar(0.99, 0.99), Statistic.MEDIAN);
        assertThat(comparison.missed()).isEqualTo(1);
        assertThat(String.join("\n", comparison.markdown())).endsWith("""

                | mean below 1 MiB | least | below the bar | mean from 1 MiB on | least | below the bar |
                |---|---|---|---|---|---|
                | 0.993 | 0.938 | 1 of 6 | 1.000 | 1.000 | 0 of 1 |

                | | 1 B | 4 B | 16 B | 64 B | 4 KiB | 1 MiB |
                |---|---|---|---|---|---|---|
                | latency read host |  | 5.00 (1.025) |  | 6.25 (1.000) |  |  |
                | bw read host |  |  |  |  |  | 4.00 (1.000) |
                | stream_latency read | 3.50 (1.000) |  |  |  |  |  |
                | stream_latency read host | 12.8 (1.000) |  |  |  |  |  |
                | reducescatter_on_stream graph half max |  |  |  |  | 8.13 (1.000) |  |
                | alltoall_on_stream graph |  |  | **8.00 (0.938)** |  |  |  |\
                """);
    }
}
