// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.bench.moe;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.comm4j.bench.Plot;
import org.comm4j.bench.Reports;
import org.jspecify.annotations.Nullable;

/**
 * The tables of {@code comm4j bench moe}: by default with the columns of pplx-kernels' benchmark in C++, as
 * tab-separated values with those of its benchmark in Python.
 */
public final class MoeTable {
    private static final double MICROS = 1e3;

    private MoeTable() {}

    /** Returns the lines above the rows. */
    public static List<String> header(MoeSettings settings, int pes, String where) {
        List<String> lines = new ArrayList<>();
        lines.add("# " + where + ", " + pes + (pes == 1 ? " PE" : " PEs") + ", " + settings.experts() + " experts, "
                + settings.perToken() + " choices, " + settings.hidden() + " elements, "
                + settings.input().name().toLowerCase(Locale.ROOT) + " in, bf16 back, "
                + settings.layout() + (settings.group() > 1 ? ", groups of " + settings.group() : "") + ", seed "
                + settings.seed());
        lines.add(
                "# microseconds: p50 of the slowest PE, mean and deviation of PE 0, most of all; alone: with a barrier"
                        + " between dispatch and combine;");
        lines.add("# pair: of many in a row; GB/s: tokens * choices * bytes of a row by p50; link: without the share of"
                + " the PE itself; wrong: elements of sums");
        lines.add("#");
        lines.add("# %-8s %6s | %9s %9s %7s %9s %7s %7s | %9s %9s %7s %9s %7s %7s | %9s %9s | %9s%s%s | %5s"
                .formatted(
                        "way",
                        "tokens",
                        "dispatch",
                        "mean",
                        "dev",
                        "most",
                        "GB/s",
                        "link",
                        "combine",
                        "mean",
                        "dev",
                        "most",
                        "GB/s",
                        "link",
                        "dispatch",
                        "combine",
                        "pair",
                        settings.graph() ? "     graph" : "",
                        (settings.split() ? " |      send   receive      send   receive" : "")
                                + (settings.fused() ? " |     layer     fused" : ""),
                        "wrong"));
        return lines;
    }

    /** Returns the line of a row. */
    public static String row(MoeSettings settings, MoeRow row, int pes) {
        StringBuilder more = new StringBuilder();
        if (settings.split()) {
            more.append(" |");
            for (int i = 0; i < 4; i++) {
                more.append(row.halves().length == 0 ? "         -" : number(" %9.2f", row.halves()[i]));
            }
        }
        if (settings.fused()) {
            more.append(" |");
            for (double each : new double[] {row.layer(), row.fused()}) {
                more.append(Double.isNaN(each) ? "         -" : number(" %9.2f", each));
            }
        }
        String graph =
                !settings.graph() ? "" : Double.isNaN(row.graph()) ? "         -" : number(" %9.2f", row.graph());
        return "  %-8s %6d | %s | %s | %s %s | %s%s%s | %5d"
                .formatted(
                        row.way(),
                        row.tokens(),
                        times(row.dispatch(), row.dispatchBytes(), pes),
                        times(row.combine(), row.combineBytes(), pes),
                        number("%9.2f", row.dispatchAlone().p50()),
                        number("%9.2f", row.combineAlone().p50()),
                        number("%9.2f", row.pair()),
                        graph,
                        more,
                        row.wrong());
    }

    private static String times(MoeRow.Times times, long bytes, int pes) {
        double rate = bytes / (times.p50() * MICROS);
        return String.format(
                Locale.ROOT,
                "%9.2f %9.2f %7.2f %9.2f %7.1f %7.1f",
                times.p50(),
                times.mean(),
                times.deviation(),
                times.most(),
                rate,
                rate * (pes - 1) / pes);
    }

    private static String number(String format, double value) {
        return String.format(Locale.ROOT, format, value);
    }

    /** Returns the line above {@link #tsv(MoeSettings, MoeRow, int)}: pplx-kernels' columns, and the way. */
    public static String tsvHeader() {
        return String.join(
                "\t",
                "E",
                "E/tok",
                "tok",
                "dim",
                "Dispatch_lat",
                "Dispatch_bw",
                "Dispatch_bytes",
                "Combine_lat",
                "Combine_bw",
                "Combine_bytes",
                "EP",
                "way",
                "wrong");
    }

    /** Returns a row as tab-separated values. */
    public static String tsv(MoeSettings settings, MoeRow row, int pes) {
        return String.join(
                "\t",
                Integer.toString(settings.experts()),
                Integer.toString(settings.perToken()),
                Integer.toString(row.tokens()),
                Integer.toString(settings.hidden()),
                latency(row.dispatch()),
                number("%.1fGB/s", row.dispatchBytes() / (row.dispatch().p50() * MICROS)),
                Long.toString(row.dispatchBytes()),
                latency(row.combine()),
                number("%.1fGB/s", row.combineBytes() / (row.combine().p50() * MICROS)),
                Long.toString(row.combineBytes()),
                Integer.toString(pes),
                row.way(),
                Long.toString(row.wrong()));
    }

    private static String latency(MoeRow.Times times) {
        return String.format(Locale.ROOT, "%.1fus±%.1fus", times.mean(), times.deviation());
    }

    /** Returns all rows for programs. */
    public static String json(MoeSettings settings, List<MoeRow> rows, int pes, String where) {
        Map<String, @Nullable Object> report = new LinkedHashMap<>();
        report.put("program", "comm4j bench moe");
        report.put("device", where);
        report.put("pes", pes);
        report.put("experts", settings.experts());
        report.put("choices", settings.perToken());
        report.put("hidden", settings.hidden());
        report.put("input", settings.input().toString());
        report.put("layout", settings.layout().toString());
        report.put("seed", settings.seed());
        report.put("rows", rows.stream().map(MoeTable::map).toList());
        return Reports.json(report);
    }

    private static Map<String, @Nullable Object> map(MoeRow row) {
        Map<String, @Nullable Object> map = new LinkedHashMap<>();
        map.put("way", row.way());
        map.put("tokens", row.tokens());
        map.put("samples", row.samples());
        map.put("dispatch_us", row.dispatch().p50());
        map.put("combine_us", row.combine().p50());
        map.put("dispatch_alone_us", row.dispatchAlone().p50());
        map.put("combine_alone_us", row.combineAlone().p50());
        map.put("pair_us", row.pair());
        if (!Double.isNaN(row.graph())) {
            map.put("graph_pair_us", row.graph());
        }
        if (!Double.isNaN(row.fused())) {
            map.put("layer_us", row.layer());
            map.put("fused_layer_us", row.fused());
        }
        map.put("dispatch_bytes", row.dispatchBytes());
        map.put("combine_bytes", row.combineBytes());
        map.put("wrong", row.wrong());
        return map;
    }

    /**
     * Draws times over tokens, two curves for each way.
     *
     * @throws IOException if the file cannot be written
     */
    public static void draw(Path file, MoeSettings settings, List<MoeRow> rows, int pes) throws IOException {
        Map<String, List<double[]>> curves = new LinkedHashMap<>();
        for (MoeRow row : rows) {
            curves.computeIfAbsent("dispatch, " + row.way(), _ -> new ArrayList<>())
                    .add(new double[] {row.tokens(), row.dispatch().p50()});
            curves.computeIfAbsent("combine, " + row.way(), _ -> new ArrayList<>())
                    .add(new double[] {row.tokens(), row.combine().p50()});
        }
        String title = "Dispatch and combine, " + pes + " PEs, " + settings.experts() + " experts, "
                + settings.perToken() + " choices, " + settings.hidden() + " elements";
        Plot.curves(file, title, "tokens of a PE", "time (µs)", curves);
    }
}
