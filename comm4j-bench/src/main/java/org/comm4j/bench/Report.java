// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.comm4j.core.ReduceOp;
import org.jspecify.annotations.Nullable;

/**
 * Results as a file, for other programs: where and when, with which settings, and the rows. Times are in microseconds,
 * bandwidths in GB/s of 10⁹ bytes; null stands for what there is not. Fields are only ever added; if one ever changes its
 * meaning, {@code version} grows.
 */
public final class Report {
    private static final long VERSION = 1;

    private Report() {}

    /** The text of the file. */
    public static String json(Platform platform, Settings settings, Instant date, List<Row> rows) {
        Map<String, @Nullable Object> report = new LinkedHashMap<>();
        report.put("version", VERSION);
        report.put("program", "comm4j bench");
        report.put("date", date.truncatedTo(ChronoUnit.SECONDS).toString());
        report.put("host", platform.host());
        report.put("cpu", platform.cpu());
        report.put("processors", platform.processors());
        report.put("os", platform.os());
        report.put("jvm", platform.jvm());
        report.put("engine", platform.engine());
        report.put("started_by", platform.origin());
        report.put("ranks", platform.ranks());
        Map<String, @Nullable Object> options = options(settings);
        if (platform.hasGpus()) {
            report.put("libraries", platform.libraries());
            report.put("devices", platform.places());
            options.putAll(options(settings.issue()));
        }
        report.put("options", options);
        report.put("rows", rows.stream().map(Report::row).toList());
        report.put("out_of_bounds", Table.outOfBounds(rows));
        report.put("average_bus_bandwidth", Table.averageBusBandwidth(rows));
        return Json.write(report);
    }

    private static Map<String, @Nullable Object> options(Settings settings) {
        Map<String, @Nullable Object> options = new LinkedHashMap<>();
        options.put("min_bytes", settings.sizes().getFirst());
        options.put("max_bytes", settings.largest());
        options.put("iterations", settings.iterations() == 0 ? null : settings.iterations());
        options.put("block_ms", settings.blockTime().toNanos() / 1e6);
        options.put("blocks", settings.blocks());
        options.put("warmup", settings.warmup());
        options.put("check", settings.check());
        options.put("average", settings.average().name().toLowerCase(Locale.ROOT));
        options.put("buffers", settings.registered() ? "shared" : "private");
        return options;
    }

    private static Map<String, @Nullable Object> options(Settings.Issue issue) {
        Map<String, @Nullable Object> options = new LinkedHashMap<>();
        options.put("threads", issue.threads());
        options.put("gpus", issue.gpus());
        options.put("registration", issue.registration().name().toLowerCase(Locale.ROOT));
        options.put("blocking", issue.blocking());
        options.put("graph_launches", issue.graphLaunches());
        options.put("aggregated", issue.aggregated());
        options.put("cpu_time", issue.cpuTime());
        return options;
    }

    private static Map<String, @Nullable Object> row(Row row) {
        ReduceOp reduction = row.reduction();
        Row.Timing inPlace = row.inPlace();
        Map<String, @Nullable Object> fields = new LinkedHashMap<>();
        fields.put("operation", row.operation().toString());
        fields.put("size", row.bytes());
        fields.put("count", row.count());
        fields.put("type", Names.of(row.type()));
        fields.put("redop", reduction == null ? null : Names.of(reduction));
        fields.put("root", row.root() < 0 ? null : row.root());
        fields.put("out_of_place", timing(row.outOfPlace()));
        fields.put("in_place", inPlace == null ? null : timing(inPlace));
        fields.put("copy_bandwidth", row.copyBandwidth());
        return fields;
    }

    private static Map<String, @Nullable Object> timing(Row.Timing timing) {
        Map<String, @Nullable Object> fields = new LinkedHashMap<>();
        fields.put("time", timing.micros());
        fields.put("algbw", timing.algorithmBandwidth());
        fields.put("busbw", timing.busBandwidth());
        fields.put("wrong", timing.wrong() == Row.UNCHECKED ? null : timing.wrong());
        return fields;
    }

    // ---- comparing ----

    /** One row of a file, as far as two files are compared. */
    private record Entry(String operation, long size, String type, String redop, String root, double time) {
        String key() {
            return operation + " " + size + " " + type + " " + redop + " " + root;
        }
    }

    /**
     * Two files side by side: out-of-place times of rows that both have, and how many times faster the second one is.
     *
     * @throws IllegalArgumentException if a file is no report, or they have no row in common
     * @throws IOException if a file cannot be read
     */
    public static List<String> compare(Path first, Path second) throws IOException {
        Map<String, ?> before = read(first);
        Map<String, ?> after = read(second);
        Map<String, Entry> others =
                entries(after, second).stream().collect(Collectors.toMap(Entry::key, Function.identity(), (a, b) -> a));
        List<String> lines = new ArrayList<>();
        lines.add("# A: " + describe(first, before));
        lines.add("# B: " + describe(second, after));
        lines.add("#");
        lines.add(String.format(
                "# %-14s %12s %11s %6s %6s %12s %12s %8s",
                "operation", "size(B)", "type", "redop", "root", "A(us)", "B(us)", "A/B"));
        double logarithms = 0;
        int common = 0;
        for (Entry a : entries(before, first)) {
            Entry b = others.get(a.key());
            if (b != null) {
                double ratio = a.time / b.time;
                common++;
                logarithms += Math.log(ratio);
                lines.add(String.format(
                        Locale.ROOT,
                        "  %-14s %12d %11s %6s %6s %12.3f %12.3f %8.3f",
                        a.operation,
                        a.size,
                        a.type,
                        a.redop,
                        a.root,
                        a.time,
                        b.time,
                        ratio));
            }
        }
        if (common == 0) {
            throw new IllegalArgumentException(first + " and " + second + " have no row in common");
        }
        lines.add("#");
        lines.add(String.format(
                Locale.ROOT, "# geometric mean of A/B over %d rows : %.3f", common, Math.exp(logarithms / common)));
        return lines;
    }

    private static String describe(Path file, Map<String, ?> report) {
        return file + ", " + report.get("date") + ", " + report.get("ranks") + " ranks, engine " + report.get("engine")
                + ", " + (report.get("libraries") instanceof String text && !text.isEmpty() ? text : report.get("cpu"));
    }

    @SuppressWarnings("unchecked")
    private static Map<String, ?> read(Path file) throws IOException {
        Object report;
        try {
            report = Json.read(Files.readString(file));
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(file + ": " + e.getMessage(), e);
        }
        if (report instanceof Map<?, ?> map && Long.valueOf(VERSION).equals(map.get("version"))) {
            return (Map<String, ?>) map;
        }
        throw noReport(file);
    }

    private static List<Entry> entries(Map<String, ?> report, Path file) {
        List<Entry> entries = new ArrayList<>();
        if (!(report.get("rows") instanceof List<?> rows)) {
            throw noReport(file);
        }
        for (Object each : rows) {
            if (each instanceof Map<?, ?> row
                    && row.get("operation") instanceof String operation
                    && row.get("size") instanceof Long size
                    && row.get("type") instanceof String type
                    && row.get("out_of_place") instanceof Map<?, ?> timing
                    && timing.get("time") instanceof Number time) {
                entries.add(new Entry(
                        operation, size, type, text(row.get("redop")), text(row.get("root")), time.doubleValue()));
            } else {
                throw noReport(file);
            }
        }
        return entries;
    }

    private static String text(@Nullable Object value) {
        return value == null ? "-" : value.toString();
    }

    private static IllegalArgumentException noReport(Path file) {
        return new IllegalArgumentException(
                file + " is not what 'comm4j bench --json' writes (version " + VERSION + ")");
    }
}
