// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;
import org.comm4j.core.DataType;
import org.comm4j.core.ReduceOp;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.knowm.xchart.XYChart;

class ReportTest {
    private static final Platform PLATFORM = new Platform(
            "node \"1\"",
            "A\\B",
            2,
            "JVM 25",
            "Linux",
            "host",
            "comm4j run",
            "",
            List.of(11L, 12L),
            List.of("A\\B", "A\\B"));

    private static final Row ALL_REDUCE = new Row(
            Operation.ALL_REDUCE,
            1024,
            256,
            DataType.FLOAT32,
            ReduceOp.SUM,
            -1,
            new Row.Timing(2e-6, 0.512, 0.512, 0, null),
            new Row.Timing(1e-6, 1.024, 1.024, 3, null),
            2.048);

    private static final Row BARRIER = new Row(
            Operation.BARRIER,
            0,
            0,
            DataType.UINT8,
            null,
            -1,
            new Row.Timing(2.5e-7, 0, 0, Row.UNCHECKED, null),
            null,
            Double.NaN);

    private static String json(Row... rows) {
        return Report.json(
                PLATFORM, Settings.of(Operation.ALL_REDUCE), Instant.parse("2026-01-02T03:04:05.678Z"), List.of(rows));
    }

    @Test
    void theFileHasTheseFieldsAndNoOthers() {
        assertThat(json(ALL_REDUCE, BARRIER)).isEqualTo("""
                        {
                          "version": 1,
                          "program": "comm4j bench",
                          "date": "2026-01-02T03:04:05Z",
                          "host": "node \\"1\\"",
                          "cpu": "A\\\\B",
                          "processors": 2,
                          "os": "Linux",
                          "jvm": "JVM 25",
                          "engine": "host",
                          "started_by": "comm4j run",
                          "ranks": 2,
                          "options": {"min_bytes": 8, "max_bytes": 67108864, "iterations": null, "block_ms": 20.0,\
                         "blocks": 1, "warmup": 5, "check": true, "average": "mean", "buffers": "shared"},
                          "rows": [
                            {"operation": "all_reduce", "size": 1024, "count": 256, "type": "float", "redop": "sum",\
                         "root": null, "out_of_place": {"time": 2.0, "algbw": 0.512, "busbw": 0.512, "wrong": 0},\
                         "in_place": {"time": 1.0, "algbw": 1.024, "busbw": 1.024, "wrong": 3}, "copy_bandwidth": 2.048},
                            {"operation": "barrier", "size": 0, "count": 0, "type": "uint8", "redop": null,\
                         "root": null, "out_of_place": {"time": 0.25, "algbw": 0.0, "busbw": 0.0, "wrong": null},\
                         "in_place": null, "copy_bandwidth": null}
                          ],
                          "out_of_bounds": 3,
                          "average_bus_bandwidth": 0.768
                        }
                        """);
    }

    @Test
    void comparesRowsThatBothFilesHave(@TempDir Path folder) throws Exception {
        Path a = Files.writeString(folder.resolve("a.json"), json(ALL_REDUCE, BARRIER));
        Row faster = new Row(
                Operation.ALL_REDUCE,
                1024,
                256,
                DataType.FLOAT32,
                ReduceOp.SUM,
                -1,
                new Row.Timing(5e-7, 2, 2, 0, null),
                null,
                2);
        Path b = Files.writeString(folder.resolve("b.json"), json(faster));
        assertThat(Comparison.of(a, b, Comparison.Bar.NONE, Statistic.MEDIAN).lines())
                .anySatisfy(line -> assertThat(line.strip().split(" +"))
                        .containsExactly(
                                "all_reduce",
                                "1024",
                                "float",
                                "sum",
                                "-",
                                "2.000",
                                "0.500",
                                "4.000",
                                "1.000",
                                "N/A",
                                "N/A"))
                .noneMatch(line -> line.contains("barrier"))
                .last()
                .isEqualTo("# geometric mean of A/B over 1 rows : 4.000");
        // Of a quick call that does the wrong thing nobody wants to hear only how quick it is.
        assertThat(Comparison.of(a, b, Comparison.Bar.NONE, Statistic.MEDIAN).lines())
                .startsWith(
                        "# A: " + Results.read(a).description() + ", out of bounds values: 3",
                        "# B: " + Results.read(b).description());
        Path c = Files.writeString(folder.resolve("c.json"), json(BARRIER));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Comparison.of(b, c, Comparison.Bar.NONE, Statistic.MEDIAN))
                .withMessageContaining("no row in common");
    }

    @Test
    void aThresholdIsOfBothFormsAndOfSizes(@TempDir Path folder) throws Exception {
        Path a = Files.writeString(folder.resolve("a.json"), json(ALL_REDUCE));
        Row slower = new Row(
                Operation.ALL_REDUCE,
                1024,
                256,
                DataType.FLOAT32,
                ReduceOp.SUM,
                -1,
                new Row.Timing(2e-6, 1, 1, 0, null),
                new Row.Timing(1.25e-6, 1, 1, 0, null),
                2);
        Path b = Files.writeString(folder.resolve("b.json"), json(slower));
        assertThat(Comparison.of(a, b, Comparison.Bar.NONE, Statistic.MEDIAN).missed())
                .isZero();
        assertThat(Comparison.of(a, b, new Comparison.Bar(0.8, 1), Statistic.MEDIAN)
                        .missed())
                .isZero();
        Comparison comparison = Comparison.of(a, b, new Comparison.Bar(0.81, 0), Statistic.MEDIAN);
        assertThat(comparison.missed()).isEqualTo(1);
        assertThat(comparison.lines())
                .anyMatch(line -> line.endsWith("0.800  below the threshold"))
                .last()
                .isEqualTo("# rows below the threshold (0.810, from 1 MiB on 0.000) : 1 FAILED");
        assertThatIllegalArgumentException().isThrownBy(() -> new Comparison.Bar(-1, 0));
    }

    @ParameterizedTest
    @ValueSource(strings = {"null", "0.0", "-1.0", "1e999"})
    void aRowWithoutATimeReachesNoThreshold(String time, @TempDir Path folder) throws Exception {
        Path a = Files.writeString(folder.resolve("a.json"), json(ALL_REDUCE, BARRIER));
        Path b = Files.writeString(
                folder.resolve("b.json"),
                json(ALL_REDUCE, BARRIER).replaceFirst("\"time\": [0-9.E-]+", "\"time\": " + time));
        Comparison free = Comparison.of(a, b, Comparison.Bar.NONE, Statistic.MEDIAN);
        assertThat(free.missed()).isZero();
        assertThat(free.lines())
                .anyMatch(line -> line.contains("all_reduce") && line.endsWith("no time to compare"))
                .last()
                .isEqualTo("# geometric mean of A/B over 1 rows : 1.000");
        assertThat(Comparison.of(a, b, new Comparison.Bar(0.9, 0.9), Statistic.MEDIAN)
                        .missed())
                .isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "[]",
                "{}",
                "{\"version\": 1}",
                "{\"version\": 1, \"rows\": [{}]}",
                "{\"version\": 2, \"rows\": []}"
            })
    void refusesOtherFiles(String text, @TempDir Path folder) throws Exception {
        Path file = Files.writeString(folder.resolve("other.json"), text);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Comparison.of(file, file, Comparison.Bar.NONE, Statistic.MEDIAN))
                .withMessageContaining("other.json");
    }

    @Test
    void jsonIsReadAsItWasWritten() {
        Object value = Map.of("a", List.of(1L, -2.5e-3, true, "x\n\"\\\u0001é"), "b", Map.of("c", List.of()));
        assertThat(Json.read(Json.write(value))).isEqualTo(value);
        assertThat(Json.read(" [ null , \"\\u00e9\\/\" ] ")).asString().isEqualTo("[null, é/]");
    }

    @ParameterizedTest
    @ValueSource(strings = {"[1", "[1,]", "{\"a\" 1}", "tru", "1 2", "\"a", "\"\\x\"", "\"\\u12\"", "-", "{1: 2}"})
    void jsonThatIsNoneIsRefusedWithThePlace(String text) {
        assertThatIllegalArgumentException().isThrownBy(() -> Json.read(text)).withMessageContaining("at character");
    }

    @Test
    void deepNestingIsRefused() {
        assertThatIllegalArgumentException().isThrownBy(() -> Json.read("[".repeat(100_000)));
    }

    @Test
    void rowsHaveTheColumnsOfNcclTests() {
        assertThat(Table.row(ALL_REDUCE, EnumSet.of(Table.Columns.COPIES))
                        .strip()
                        .split(" +"))
                .containsExactly(
                        "1024", "256", "float", "sum", "-1", "2.000", "0.51", "0.51", "0", "1.000", "1.02", "1.02", "3",
                        "2.05", "0.25");
        assertThat(Table.row(BARRIER, EnumSet.of(Table.Columns.COPIES)).strip().split(" +"))
                .containsExactly(
                        "0", "0", "none", "none", "-1", "0.250", "0.00", "0.00", "N/A", "N/A", "N/A", "N/A", "N/A",
                        "N/A", "N/A");
        assertThat(Table.footer(List.of(ALL_REDUCE, BARRIER)))
                .contains("# Out of bounds values : 3 FAILED", "# Avg bus bandwidth    : 0.768000");
    }

    @Test
    void noTwoCurvesLookTheSameAndAllAreNamed(@TempDir Path folder) throws Exception {
        List<Row> rows = Arrays.stream(DataType.values())
                .flatMap(type -> Stream.of(ReduceOp.SUM, ReduceOp.MIN, ReduceOp.MAX)
                        .map(op -> new Row(
                                Operation.ALL_REDUCE,
                                64,
                                64 / type.bytes(),
                                type,
                                op,
                                -1,
                                ALL_REDUCE.outOfPlace(),
                                null,
                                1)))
                .toList();
        XYChart chart = Plot.chart("Time", "here", "time", rows, Row.Timing::busBandwidth, true);
        assertThat(chart.getSeriesCollection())
                .hasSizeGreaterThan(rows.size())
                .doesNotHaveDuplicates()
                .extracting(series -> series.getMarkerColor() + " " + series.getMarker())
                .doesNotHaveDuplicates();
        Path file = folder.resolve("a.png");
        Plot.write(file, PLATFORM, rows);
        assertThat(javax.imageio.ImageIO.read(file.toFile()).getHeight()).isGreaterThan(20 * rows.size());
    }

    @Test
    void anAxisHasTwoPowersOfTen() {
        assertThat(LogRange.of(DoubleStream.of(5, 2.4))).isEqualTo(new LogRange(1, 10));
        assertThat(LogRange.of(DoubleStream.of(0.15, 5.6))).isEqualTo(new LogRange(0.1, 10));
        assertThat(LogRange.of(DoubleStream.of(10))).isEqualTo(new LogRange(10, 100));
        assertThat(LogRange.of(DoubleStream.of(0.3, 11))).isEqualTo(new LogRange(0.1, 11));
        assertThat(LogRange.of(DoubleStream.of(0.9, 40))).isEqualTo(new LogRange(0.9, 100));
        assertThat(LogRange.of(DoubleStream.of(0.9, 110))).isEqualTo(new LogRange(0.9, 110));
    }

    /** Where nothing goes over a bus, or nothing is moved at all. */
    @ParameterizedTest
    @EnumSource(
            value = Operation.class,
            names = {"ALL_GATHER", "ALL_REDUCE", "HYPERCUBE"})
    void whatOneGpuDoesIsDrawn(Operation operation, @TempDir Path folder) throws Exception {
        Platform one = new Platform(
                "node", "CPU", 2, "JVM", "Linux", "nccl", "alone", "NCCL 2.28.9", List.of(11L), List.of("device 0"));
        Row row = new Row(
                operation,
                1024,
                256,
                DataType.FLOAT32,
                null,
                -1,
                Row.Timing.of(operation, 1024, 1, 2e-6, 0, null),
                null,
                Double.NaN);
        Path file = folder.resolve("a.png");
        Plot.write(file, one, List.of(row));
        assertThat(file).isNotEmptyFile();
    }

    @Test
    void theDrawingIsAPngFile(@TempDir Path folder) throws Exception {
        Path file = folder.resolve("a.png");
        Plot.write(file, PLATFORM, List.of(ALL_REDUCE, BARRIER));
        assertThat(javax.imageio.ImageIO.read(file.toFile()).getWidth()).isGreaterThan(1000);
        assertThatIllegalArgumentException().isThrownBy(() -> Plot.write(file, PLATFORM, List.of(BARRIER)));
    }
}
