// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.bench;

import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.comm4j.bench.prk.Prk;
import org.comm4j.bench.prk.Rate;
import org.comm4j.core.ReduceOp;
import org.jspecify.annotations.Nullable;

/**
 * Results as a file, for other programs: where and when, with which settings, and the rows. Times are in microseconds,
 * bandwidths in GB/s of 10⁹ bytes; null stands for what there is not. Fields are only ever added; if one ever changes
 * its meaning, {@code version} grows.
 */
public final class Report {
    private static final long VERSION = 1;

    private Report() {}

    /** The text of the file. */
    public static String json(Platform platform, Settings settings, Instant date, List<Row> rows) {
        Map<String, @Nullable Object> options = options(settings);
        if (platform.hasGpus()) {
            options.putAll(options(settings.issue()));
        }
        return json(platform, options, date, rows);
    }

    /** The same of perftests. */
    public static String json(Platform platform, PerftestSettings settings, Instant date, List<Row> rows) {
        return json(platform, settings.options(), date, rows);
    }

    /** The same of device perftests. */
    public static String json(Platform platform, DeviceSettings settings, Instant date, List<Row> rows) {
        return json(platform, settings.options(), date, rows);
    }

    /** The same of tests of OpenSHMEM. */
    public static String json(Platform platform, ShmemSettings settings, Instant date, List<Row> rows) {
        return json(platform, settings.options(), date, rows);
    }

    /** The same of research kernels; rates are in the units that they name, times in seconds. */
    public static String kernels(Platform platform, Instant date, List<Prk.Outcome> outcomes) {
        Map<String, @Nullable Object> report = head("comm4j prk", platform, date);
        report.put("rows", outcomes.stream().map(Report::row).toList());
        return Json.write(report);
    }

    private static Map<String, @Nullable Object> row(Prk.Outcome outcome) {
        Map<String, @Nullable Object> fields = new LinkedHashMap<>();
        fields.put("kernel", outcome.kernel().name());
        fields.put("pes", outcome.pes());
        fields.put("parameters", outcome.kernel().parameters(outcome.pes()));
        fields.put("right", outcome.isRight());
        fields.put("error", outcome.error());
        fields.put("rates", outcome.rates().stream().map(Report::rate).toList());
        return fields;
    }

    private static Map<String, @Nullable Object> rate(Rate rate) {
        Map<String, @Nullable Object> fields = new LinkedHashMap<>();
        fields.put("unit", rate.unit());
        fields.put("value", rate.value());
        fields.put("seconds", rate.seconds());
        return fields;
    }

    private static String json(Platform platform, Map<String, @Nullable Object> options, Instant date, List<Row> rows) {
        Map<String, @Nullable Object> report = head("comm4j bench", platform, date);
        report.put("options", options);
        report.put("rows", rows.stream().map(Report::row).toList());
        report.put("out_of_bounds", Table.outOfBounds(rows));
        report.put("average_bus_bandwidth", Table.averageBusBandwidth(rows));
        return Json.write(report);
    }

    private static Map<String, @Nullable Object> head(String program, Platform platform, Instant date) {
        Map<String, @Nullable Object> report = new LinkedHashMap<>();
        report.put("version", VERSION);
        report.put("program", program);
        report.put("date", date.truncatedTo(ChronoUnit.SECONDS).toString());
        report.put("host", platform.host());
        report.put("cpu", platform.cpu());
        report.put("processors", platform.processors());
        report.put("os", platform.os());
        report.put("jvm", platform.jvm());
        report.put("engine", platform.engine());
        report.put("started_by", platform.origin());
        report.put("ranks", platform.ranks());
        if (platform.hasGpus()) {
            report.put("libraries", platform.libraries());
            report.put("devices", platform.places());
        }
        return report;
    }

    private static Map<String, @Nullable Object> options(Settings settings) {
        Map<String, @Nullable Object> options = new LinkedHashMap<>();
        options.put("min_bytes", settings.sizes().getFirst());
        options.put("max_bytes", settings.largest());
        options.put("iterations", settings.iterations() == 0 ? null : settings.iterations());
        options.put("block_ms", settings.blockTime().toNanos() / 1e6);
        options.put("blocks", settings.blocks());
        options.put("warmup", settings.warmup());
        options.put("check", settings.checks() > 0);
        options.put("average", settings.average().name().toLowerCase(Locale.ROOT));
        options.put("buffers", settings.registered() ? "shared" : "private");
        return options;
    }

    private static Map<String, @Nullable Object> options(Settings.Issue issue) {
        Map<String, @Nullable Object> options = new LinkedHashMap<>();
        options.put("threads", issue.threads());
        options.put("gpus", issue.gpus());
        options.put("registration", issue.registration().name().toLowerCase(Locale.ROOT));
        options.put("blocking", issue.waiting().ordinal());
        options.put("graph_launches", issue.graphLaunches());
        options.put("aggregated", issue.aggregated());
        options.put("cpu_time", issue.cpuTime());
        Settings.Details details = issue.details();
        options.put("unaligned", details.unaligned());
        options.put("default_stream", details.defaultStream());
        options.put(
                "cta_policy",
                details.ctaPolicy() == null ? null : details.ctaPolicy().name().toLowerCase(Locale.ROOT));
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
        if (row.outOfPlace().iterations() != null) {
            fields.put("out_of_place_per_iter", iterations(row.outOfPlace().iterations()));
            fields.put("in_place_per_iter", inPlace == null ? null : iterations(inPlace.iterations()));
        }
        return fields;
    }

    private static @Nullable Map<String, @Nullable Object> iterations(@Nullable Iterations iterations) {
        if (iterations == null) {
            return null;
        }
        Map<String, @Nullable Object> fields = new LinkedHashMap<>();
        fields.put("skipped_iterations", iterations.skipped());
        fields.put("min_us", iterations.min());
        fields.put("max_us", iterations.max());
        fields.put("avg_us", iterations.mean());
        fields.put("p50_us", iterations.percentile(50));
        fields.put("p95_us", iterations.percentile(95));
        fields.put("p99_us", iterations.percentile(99));
        fields.put("cv_pct", iterations.variation());
        fields.put("times_us", iterations.micros());
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

    // ---- reading ----

    /** The rows of such a file. */
    static Results results(Map<?, ?> report, List<?> rows, Path file) {
        if (!Long.valueOf(VERSION).equals(report.get("version"))) {
            throw Results.unknown(file, null);
        }
        List<Results.Sample> samples = new ArrayList<>();
        for (Object each : rows) {
            if (each instanceof Map<?, ?> row
                    && row.get("operation") instanceof String operation
                    && row.get("size") instanceof Long size
                    && row.get("type") instanceof String type
                    && row.get("out_of_place") instanceof Map<?, ?> timing) {
                samples.add(new Results.Sample(
                        Results.Key.of(
                                operation,
                                size,
                                type,
                                row.get("redop") instanceof String reduction ? reduction : null,
                                row.get("root") instanceof Long root ? root : -1),
                        Results.time(timing),
                        Results.time(row.get("in_place"))));
            } else {
                throw Results.unknown(file, null);
            }
        }
        return new Results(
                describe(file, report), samples, report.get("out_of_bounds") instanceof Long wrong ? wrong : 0);
    }

    private static String describe(Path file, Map<?, ?> report) {
        return file + ", " + report.get("date") + ", " + report.get("ranks") + " ranks, engine " + report.get("engine")
                + ", " + devices(report)
                + (report.get("libraries") instanceof String text && !text.isEmpty() ? text : report.get("cpu")) + ", "
                + report.get("jvm");
    }

    private static String devices(Map<?, ?> report) {
        if (!(report.get("devices") instanceof List<?> devices)) {
            return "";
        }
        // "device  0 [0000:1b:00.0] NVIDIA H200"
        Map<String, Long> names = devices.stream()
                .map(device -> device.toString().replaceFirst("^.*] ", ""))
                .collect(Collectors.groupingBy(name -> name, TreeMap::new, Collectors.counting()));
        return names.entrySet().stream()
                .map(name -> name.getValue() + " × " + name.getKey() + ", ")
                .collect(Collectors.joining());
    }
}
