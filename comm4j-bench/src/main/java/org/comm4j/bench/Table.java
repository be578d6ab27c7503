// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.bench;

import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.comm4j.core.ReduceOp;
import org.jspecify.annotations.Nullable;

/**
 * Results as text, line by line, in the columns of nccl-tests. In host memory two columns follow that it does not have: the bandwidth
 * of a plain copy of as many bytes by each rank that takes part at once, and the out-of-place algorithm bandwidth as a multiple of it.
 */
public final class Table {
    private static final String NOTHING = "N/A";

    private Table() {}

    /** What stands above the rows. */
    public static List<String> header(Platform platform, Settings settings) {
        StringBuilder text = new StringBuilder();
        text.append(String.format(
                Locale.ROOT,
                "# nRanks %d engine %s minBytes %d maxBytes %d warmup iters: %d iters: %s blocks: %d validation: %d buffers: %s%n",
                platform.ranks(),
                platform.engine(),
                settings.sizes().getFirst(),
                settings.largest(),
                settings.warmup(),
                settings.iterations() > 0
                        ? Integer.toString(settings.iterations())
                        : "as take " + settings.blockTime().toNanos() / 1e6 + " ms",
                settings.blocks(),
                settings.check() ? 1 : 0,
                buffers(platform, settings)));
        if (platform.hasGpus()) {
            Settings.Issue issue = settings.issue();
            text.append(String.format(
                    Locale.ROOT,
                    "# %s nThreads %d nGpus %d agg iters: %d blocking: %d graph: %d times: %s%n",
                    platform.libraries(),
                    issue.threads(),
                    issue.gpus(),
                    issue.aggregated(),
                    issue.blocking() ? 1 : 0,
                    issue.graphLaunches(),
                    issue.cpuTime() ? "of issuing" : "to the end"));
        }
        text.append(String.format("#%n# Using %s%n", platform.hasGpus() ? "devices" : "processes"));
        for (int rank = 0; rank < platform.ranks(); rank++) {
            text.append(String.format(
                    Locale.ROOT,
                    "#  Rank %2d Pid %6d on %s %s%n",
                    rank,
                    platform.pids().get(rank),
                    platform.host(),
                    platform.hasGpus()
                            ? platform.places().get(rank)
                            : "[" + platform.places().get(rank) + "]"));
        }
        text.append(String.format("#  %s, %s, started by %s%n", platform.jvm(), platform.os(), platform.origin()));
        return text.toString().lines().toList();
    }

    private static String buffers(Platform platform, Settings settings) {
        if (!platform.hasGpus()) {
            return settings.registered() ? "shared" : "private";
        }
        return switch (settings.issue().registration()) {
            case NONE -> "not registered";
            case LOCAL -> "registered";
            case SYMMETRIC -> "symmetric windows";
        };
    }

    /**
     * What stands above the rows of one operation.
     *
     * @param copies whether rows have the bandwidth of a plain copy
     */
    public static List<String> columns(Operation operation, boolean copies) {
        List<String> lines = columns(operation);
        // Without the last two columns; the others are as wide in all lines.
        int end = lines.get(3).indexOf("    copy");
        return copies
                ? lines
                : lines.stream()
                        .map(line ->
                                line.substring(0, Math.min(line.length(), end)).stripTrailing())
                        .toList();
    }

    private static List<String> columns(Operation operation) {
        return List.of(
                "#",
                "# " + operation,
                String.format(
                                "#  %10s  %12s  %8s  %6s  %6s  %-30s  %-30s  %-14s",
                                "", "", "", "", "", "         out-of-place", "           in-place", "   plain copy")
                        .stripTrailing(),
                line(
                        "#  %10s",
                        "size", "count", "type", "redop", "root", "time", "algbw", "busbw", "#wrong", "time", "algbw",
                        "busbw", "#wrong", "copy", "ratio"),
                line(
                        "#  %10s",
                        "(B)",
                        "(elements)",
                        "",
                        "",
                        "",
                        "(us)",
                        "(GB/s)",
                        "(GB/s)",
                        "",
                        "(us)",
                        "(GB/s)",
                        "(GB/s)",
                        "",
                        "(GB/s)",
                        ""));
    }

    private static String line(String first, Object... words) {
        return String.format(first + "  %12s  %8s  %6s  %6s  %8s  %6s  %6s %6s  %8s  %6s  %6s %6s  %6s %6s", words)
                .stripTrailing();
    }

    /**
     * One row.
     *
     * @param copies as for {@link #columns(Operation, boolean)}
     */
    public static String row(Row row, boolean copies) {
        ReduceOp reduction = row.reduction();
        Row.Timing inPlace = row.inPlace();
        boolean moves = row.operation().hasSizes();
        return line(
                " %12s",
                row.bytes(),
                row.count(),
                moves ? Names.of(row.type()) : row.operation() == Operation.BARRIER ? "none" : Names.of(row.type()),
                reduction == null ? "none" : Names.of(reduction),
                row.root(),
                micros(row.outOfPlace()),
                bandwidth(row.outOfPlace().algorithmBandwidth()),
                bandwidth(row.outOfPlace().busBandwidth()),
                wrong(row.outOfPlace()),
                inPlace == null ? NOTHING : micros(inPlace),
                inPlace == null ? NOTHING : bandwidth(inPlace.algorithmBandwidth()),
                inPlace == null ? NOTHING : bandwidth(inPlace.busBandwidth()),
                wrong(inPlace),
                !copies ? "" : moves ? bandwidth(row.copyBandwidth()) : NOTHING,
                !copies ? "" : moves && row.bytes() > 0 ? bandwidth(row.ofCopy()) : NOTHING);
    }

    /** What stands below the rows. */
    public static List<String> footer(List<Row> rows) {
        long wrong = outOfBounds(rows);
        return List.of(
                "#",
                "# Out of bounds values : " + wrong + (wrong == 0 ? " OK" : " FAILED"),
                String.format(Locale.ROOT, "# Avg bus bandwidth    : %.6g", averageBusBandwidth(rows)),
                "#");
    }

    /** Wrong elements in all checked results. */
    public static long outOfBounds(List<Row> rows) {
        return rows.stream().mapToLong(Row::wrong).sum();
    }

    /** The mean bus bandwidth of all timings that moved something, out of place and in place, in GB/s; 0 if there are none. */
    public static double averageBusBandwidth(List<Row> rows) {
        return rows.stream()
                .filter(row -> row.operation().hasSizes())
                .flatMap(row -> row.inPlace() == null
                        ? Stream.of(row.outOfPlace())
                        : Stream.of(row.outOfPlace(), row.inPlace()))
                .mapToDouble(Row.Timing::busBandwidth)
                .average()
                .orElse(0);
    }

    private static String wrong(Row.@Nullable Timing timing) {
        return timing == null || timing.wrong() == Row.UNCHECKED ? NOTHING : Long.toString(timing.wrong());
    }

    private static String micros(Row.Timing timing) {
        double micros = timing.micros();
        return String.format(
                Locale.ROOT, micros < 10 ? "%.3f" : micros < 100 ? "%.2f" : micros < 10_000 ? "%.1f" : "%.0f", micros);
    }

    private static String bandwidth(double value) {
        return String.format(Locale.ROOT, "%.2f", value);
    }
}
