// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.bench;

import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Stream;
import org.comm4j.core.ReduceOp;
import org.jspecify.annotations.Nullable;

/**
 * Results as text, line by line, in the columns of nccl-tests. In host memory two columns follow that it does not have:
 * the bandwidth of a plain copy of as many bytes by each rank that takes part at once, and the out-of-place algorithm
 * bandwidth as a multiple of it.
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
                settings.checks(),
                buffers(platform, settings)));
        if (platform.hasGpus()) {
            Settings.Issue issue = settings.issue();
            text.append(String.format(
                    Locale.ROOT,
                    "# %s nThreads %d nGpus %d agg iters: %d blocking: %d graph: %d unalign: %d times: %s%n",
                    platform.libraries(),
                    issue.threads(),
                    issue.gpus(),
                    issue.aggregated(),
                    issue.waiting().ordinal(),
                    issue.graphLaunches(),
                    issue.details().unaligned(),
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

    /** Which columns there are beside those that nccl-tests has without options. */
    public enum Columns {
        /** The bandwidth of a plain copy. */
        COPIES,
        /** Times of single iterations. */
        ITERATIONS,
        /** No column of its own: times are those of issuing. */
        CPU_TIME
    }

    /**
     * The columns for results of a platform.
     */
    public static Set<Columns> columns(Platform platform, Settings settings) {
        Set<Columns> columns = EnumSet.noneOf(Columns.class);
        if (!platform.hasGpus()) {
            columns.add(Columns.COPIES);
        }
        if (settings.issue().details().perIteration()) {
            columns.add(Columns.ITERATIONS);
        }
        if (settings.issue().cpuTime()) {
            columns.add(Columns.CPU_TIME);
        }
        return columns;
    }

    /** What stands above the rows of one operation. */
    public static List<String> columns(Measured operation, Set<Columns> columns) {
        boolean each = columns.contains(Columns.ITERATIONS);
        boolean copies = columns.contains(Columns.COPIES);
        String gap = each ? " (+ per-iteration)".concat(" ".repeat(14)) : "";
        return Stream.of(
                        "#",
                        "# " + operation,
                        String.format(
                                "#  %10s  %12s  %8s  %6s  %6s  %-30s%s  %-30s%s  %-14s",
                                "",
                                "",
                                "",
                                "",
                                "",
                                "         out-of-place",
                                gap,
                                "           in-place",
                                gap,
                                copies ? "   plain copy" : ""),
                        line(
                                "#  %10s",
                                columns,
                                "size count type redop root",
                                (columns.contains(Columns.CPU_TIME) ? "cputime" : "time") + " algbw busbw #wrong",
                                "i_min i_max i_p99 i_cv%",
                                "copy ratio"),
                        line(
                                "#  %10s",
                                columns,
                                "(B) (elements) - - -",
                                "(us) (GB/s) (GB/s) -",
                                "(us) (us) (us) (%)",
                                "(GB/s) -"))
                .map(String::stripTrailing)
                .toList();
    }

    /** One line, of words with spaces between them; {@code -} is nothing. The second and third part come twice. */
    private static String line(
            String first, Set<Columns> columns, String what, String timing, String iterations, String copies) {
        String of = timing + (columns.contains(Columns.ITERATIONS) ? " " + iterations : "");
        String all = what + " " + of + " " + of + (columns.contains(Columns.COPIES) ? " " + copies : "");
        List<String> words = Stream.of(all.split(" "))
                .map(word -> word.equals("-") ? "" : word)
                .toList();
        return line(first, columns, words);
    }

    private static String line(String first, Set<Columns> columns, List<String> words) {
        String half = "  %8s  %6s  %6s %6s" + (columns.contains(Columns.ITERATIONS) ? "  %8s  %8s  %8s  %6s" : "");
        String format =
                first + "  %12s  %8s  %6s  %6s" + half + half + (columns.contains(Columns.COPIES) ? "  %6s %6s" : "");
        return String.format(format, words.toArray()).stripTrailing();
    }

    /** One row. */
    public static String row(Row row, Set<Columns> columns) {
        ReduceOp reduction = row.reduction();
        boolean moves = row.operation().hasSizes();
        List<String> words = new ArrayList<>(List.of(
                "" + row.bytes(),
                "" + row.count(),
                row.operation() == Operation.BARRIER ? "none" : Names.of(row.type()),
                reduction == null ? "none" : Names.of(reduction),
                "" + row.root()));
        addTiming(words, row.outOfPlace(), columns);
        addTiming(words, row.inPlace(), columns);
        if (columns.contains(Columns.COPIES)) {
            words.add(moves ? bandwidth(row.copyBandwidth()) : NOTHING);
            words.add(moves && row.bytes() > 0 ? bandwidth(row.ofCopy()) : NOTHING);
        }
        return line(" %12s", columns, words);
    }

    private static void addTiming(List<String> words, Row.@Nullable Timing timing, Set<Columns> columns) {
        boolean each = columns.contains(Columns.ITERATIONS);
        if (timing == null) {
            words.addAll(Collections.nCopies(each ? 8 : 4, NOTHING));
            return;
        }
        words.add(micros(timing.micros()));
        words.add(bandwidth(timing.algorithmBandwidth()));
        words.add(bandwidth(timing.busBandwidth()));
        words.add(wrong(timing));
        Iterations iterations = timing.iterations();
        if (each && iterations != null) {
            words.add(micros(iterations.min()));
            words.add(micros(iterations.max()));
            words.add(micros(iterations.percentile(99)));
            words.add(bandwidth(iterations.variation()));
        } else if (each) {
            words.addAll(Collections.nCopies(4, NOTHING));
        }
    }

    /** What {@link Station#memory} says, as nccl-tests does. */
    public static String memory(long[] bytes) {
        long all = 0;
        StringBuilder text = new StringBuilder("# GPU memory usage     : ");
        for (int i = 0; i < bytes.length; i++) {
            text.append(List.of("Initialization", "User-Allocated", "Collective")
                            .get(i))
                    .append(' ')
                    .append(Sizes.text((double) bytes[i]))
                    .append(" | ");
            all += bytes[i];
        }
        return text.append("Total ").append(Sizes.text((double) all)).toString();
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

    /**
     * The mean bus bandwidth of all timings that moved something, out of place and in place, in GB/s; 0 if there are
     * none.
     */
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

    private static String micros(double micros) {
        return String.format(
                Locale.ROOT, micros < 10 ? "%.3f" : micros < 100 ? "%.2f" : micros < 10_000 ? "%.1f" : "%.0f", micros);
    }

    private static String bandwidth(double value) {
        return String.format(Locale.ROOT, "%.2f", value);
    }
}
