// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.bench.kernels;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.comm4j.bench.Reports;
import org.jspecify.annotations.Nullable;

/** Results as text and as JSON. */
public final class KernelTable {
    private KernelTable() {}

    /** What the numbers are of. */
    public static List<String> header(String device, String compiler, KernelPeak peak, KernelSettings settings) {
        return List.of(
                "# " + device,
                "# Java kernels by comm4j, CUDA C++ by " + compiler,
                String.format(
                        Locale.ROOT,
                        "# peaks: %s GB/s, %s GFLOP/s, %s on tensor cores",
                        number(peak.bandwidth() / 1e9),
                        number(peak.flops() / 1e9),
                        number(peak.tensorFlops() / 1e9)),
                String.format(
                        Locale.ROOT,
                        "# least of %d rounds in turns, %d launches each; ratio is CUDA's time over Java's: above 1 Java is faster",
                        settings.rounds(),
                        settings.launches()),
                "#",
                String.format(
                        Locale.ROOT,
                        "# %-10s %12s %11s %11s %7s %9s %9s %8s %10s %6s",
                        "kernel",
                        "elements",
                        "Java us",
                        "CUDA us",
                        "ratio",
                        "GB/s",
                        "GFLOP/s",
                        "of peak",
                        "registers",
                        "wrong"));
    }

    private static String number(double value) {
        return value > 0 ? String.format(Locale.ROOT, "%.0f", value) : "unknown";
    }

    /** One kernel; rates, share of the roofline are Java's. */
    public static String row(KernelRow row) {
        KernelRow.Size size = row.problem();
        double micros = row.java().micros();
        return String.format(
                Locale.ROOT,
                "  %-10s %12d %11.2f %11.2f %7.3f %9.1f %9s %8s %10s %6d",
                size.of(),
                size.elements(),
                micros,
                row.cuda().micros(),
                row.ratio(),
                size.bytes() / micros / 1e3,
                size.flops() == 0 ? "-" : String.format(Locale.ROOT, "%.1f", size.flops() / micros / 1e3),
                Double.isNaN(row.ofPeak()) ? "-" : String.format(Locale.ROOT, "%.1f%%", 100 * row.ofPeak()),
                row.java().registers() + "/" + row.cuda().registers(),
                row.java().wrong() + row.cuda().wrong());
    }

    /** What all rows say together, and what the host pays. */
    public static List<String> footer(List<KernelRow> rows, @Nullable HostCosts costs) {
        List<String> lines = new ArrayList<>();
        lines.add(String.format(Locale.ROOT, "# geometric mean of the ratios: %.3f", KernelRow.mean(rows)));
        if (costs != null) {
            lines.add("#");
            lines.add(String.format(
                    Locale.ROOT,
                    "# compile: %.1f ms at first, %.1f ms warm, %.2f ms from the cache on disk",
                    costs.coldMillis(),
                    costs.warmMillis(),
                    costs.cachedMillis()));
            if (!Double.isNaN(costs.launchMicros())) {
                lines.add(String.format(
                        Locale.ROOT,
                        "# launch: %.3f us of the host prepared, %.3f us a bare cuLaunchKernel, %.3f us more",
                        costs.launchMicros(),
                        costs.bareMicros(),
                        costs.launchMicros() - costs.bareMicros()));
            }
        }
        return lines;
    }

    /** All of it, for programs. */
    public static String json(
            String device,
            String compiler,
            KernelPeak peak,
            KernelSettings settings,
            List<KernelRow> rows,
            @Nullable HostCosts costs) {
        Map<String, @Nullable Object> report = new LinkedHashMap<>();
        report.put("program", "comm4j bench kernels");
        report.put("device", device);
        report.put("cuda_compiler", compiler);
        report.put("peak_bytes_per_second", peak.bandwidth());
        report.put("peak_flops", peak.flops());
        report.put("rounds", settings.rounds());
        report.put("launches", settings.launches());
        report.put("kernels", rows.stream().map(KernelTable::map).toList());
        report.put("geometric_mean", KernelRow.mean(rows));
        if (costs != null) {
            Map<String, @Nullable Object> host = new LinkedHashMap<>();
            host.put("compile_cold_ms", costs.coldMillis());
            host.put("compile_warm_ms", costs.warmMillis());
            host.put("compile_cached_ms", costs.cachedMillis());
            host.put("launch_us", costs.launchMicros());
            host.put("bare_launch_us", costs.bareMicros());
            report.put("host", host);
        }
        return Reports.json(report);
    }

    private static Map<String, @Nullable Object> map(KernelRow row) {
        Map<String, @Nullable Object> map = new LinkedHashMap<>();
        map.put("kernel", row.problem().of().toString());
        map.put("elements", row.problem().elements());
        map.put("bytes", row.problem().bytes());
        map.put("flops", row.problem().flops());
        map.put("java_us", row.java().micros());
        map.put("cuda_us", row.cuda().micros());
        map.put("ratio", row.ratio());
        map.put("of_peak", row.ofPeak());
        map.put("java_registers", row.java().registers());
        map.put("cuda_registers", row.cuda().registers());
        map.put("wrong", row.java().wrong() + row.cuda().wrong());
        return map;
    }
}
