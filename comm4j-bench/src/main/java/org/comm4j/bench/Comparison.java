// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.bench;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * Two files of results side by side: of what both have, the times of both, and how many times faster the second one is.
 * Where a file has several rows about the same, a statistic of them counts.
 */
public final class Comparison {
    /** From this size on the bandwidth counts, below the latency. */
    public static final long LARGE = 1 << 20;

    /**
     * How much faster B has to be than A at least, as ratios A/B of times; 0 for no demand.
     *
     * @param small at sizes below {@link #LARGE}
     * @param large at all others
     */
    public record Bar(double small, double large) {
        public static final Bar NONE = new Bar(0, 0);

        public Bar {
            if (!(small >= 0 && large >= 0 && small < 1e6 && large < 1e6)) {
                throw new IllegalArgumentException(
                        "a threshold is a ratio such as 0.97, not " + small + " or " + large);
            }
        }

        /** Whether a ratio is too small for {@code size}; what is not a number is not. */
        boolean isMissed(long size, double ratio) {
            return ratio < (size < LARGE ? small : large);
        }
    }

    private final List<String> lines = new ArrayList<>();
    private final List<RatioTable.Entry> entries = new ArrayList<>();
    private final Bar bar;
    private final Statistic statistic;
    private int missed;

    private Comparison(Bar bar, Statistic statistic) {
        this.bar = bar;
        this.statistic = statistic;
    }

    /**
     * Reads two files: what {@code comm4j bench --json} wrote, what a program of nccl-tests printed or wrote with its
     * option {@code -J}, or what NVSHMEM's perftests printed.
     *
     * @throws IllegalArgumentException if a file is none of these, or they have no row in common
     * @throws IOException if a file cannot be read
     */
    public static Comparison of(Path first, Path second, Bar bar, Statistic statistic) throws IOException {
        Results a = Results.read(first);
        Results b = Results.read(second);
        Comparison comparison = new Comparison(bar, statistic);
        comparison.add("# A: " + head(a));
        comparison.add("# B: " + head(b));
        if (comparison.compare(Results.times(a.samples(), statistic), Results.times(b.samples(), statistic)) == 0) {
            throw new IllegalArgumentException(first + " and " + second + " have no row in common");
        }
        return comparison;
    }

    private static String head(Results results) {
        return results.description() + (results.wrong() == 0 ? "" : ", out of bounds values: " + results.wrong());
    }

    /** The number of rows that both have. */
    private int compare(Map<Results.Key, Results.Times> before, Map<Results.Key, Results.Times> after) {
        int widest = before.keySet().stream()
                .mapToInt(key -> key.operation().length())
                .max()
                .orElse(0);
        String first = "%-" + Math.max(widest, 14) + "s";
        add("#");
        add(String.format(
                "# " + first + " %12s %11s %6s %6s %12s %12s %8s %12s %12s %8s",
                "operation",
                "size(B)",
                "type",
                "redop",
                "root",
                "A(us)",
                "B(us)",
                "A/B",
                "in place A",
                "B",
                "A/B"));
        double logarithms = 0;
        int common = 0;
        int timed = 0;
        for (Map.Entry<Results.Key, Results.Times> entry : before.entrySet()) {
            Results.Key key = entry.getKey();
            Results.Times a = entry.getValue();
            Results.Times b = after.get(key);
            if (b == null) {
                continue;
            }
            double ratio = a.outOfPlace() / b.outOfPlace();
            double inPlace = a.inPlace() / b.inPlace();
            common++;
            entries.add(new RatioTable.Entry(key, b, a));
            String remark = "";
            if (!(ratio > 0 && ratio < Double.POSITIVE_INFINITY)) {
                // Who demands something of a row wants to hear that it was not measured.
                remark = "  no time to compare";
                missed += bar.equals(Bar.NONE) ? 0 : 1;
            } else {
                timed++;
                logarithms += Math.log(ratio);
                if (bar.isMissed(key.size(), ratio) || bar.isMissed(key.size(), inPlace)) {
                    remark = "  below the threshold";
                    missed++;
                }
            }
            add(String.format(
                    "  " + first + " %12d %11s %6s %6s %12s %12s %8s %12s %12s %8s%s",
                    key.operation(),
                    key.size(),
                    key.type(),
                    key.reduction() == null ? "-" : key.reduction(),
                    key.root() == null ? "-" : key.root(),
                    number(a.outOfPlace()),
                    number(b.outOfPlace()),
                    number(ratio),
                    number(a.inPlace()),
                    number(b.inPlace()),
                    number(inPlace),
                    remark));
        }
        add("#");
        add(String.format(
                Locale.ROOT, "# geometric mean of A/B over %d rows : %.3f", timed, Math.exp(logarithms / timed)));
        if (!bar.equals(Bar.NONE)) {
            add(String.format(
                    Locale.ROOT,
                    "# rows below the threshold (%.3f, from 1 MiB on %.3f) : %d %s",
                    bar.small,
                    bar.large,
                    missed,
                    missed == 0 ? "OK" : "FAILED"));
        }
        return common;
    }

    private void add(String line) {
        lines.add(line);
    }

    private static String number(double value) {
        return Double.isNaN(value) ? "N/A" : String.format(Locale.ROOT, "%.3f", value);
    }

    /** A table of all rows that both files have. */
    public List<String> lines() {
        return List.copyOf(lines);
    }

    /** All rows that both files have, as Markdown: the times of B, and how many times faster than A that is. */
    public List<String> markdown() {
        StringBuilder out = new StringBuilder();
        lines.stream()
                .limit(2)
                .forEach(each -> out.append(each.replaceFirst("^# ", "- ")).append('\n'));
        out.append("\nMicroseconds of a call in B, " + statistic.words()
                + ". In parentheses A's time divided by B's: above 1 B is faster");
        out.append(bar.equals(Bar.NONE) ? ".\n" : ";\n" + RatioTable.legend(bar));
        out.append("\n| ").append(RatioTable.HALVES).append(" |\n|---|---|---|---|---|---|\n| ");
        out.append(RatioTable.halves(entries, bar)).append(" |\n\n");
        // What only moves bytes, and what nccl-tests or NVSHMEM's perftests take unless told otherwise.
        boolean floats = entries.stream().anyMatch(each -> each.key().type().equals("float"));
        RatioTable.append(entries, Set.of("uint8", floats ? "float" : "int32"), bar, out);
        return out.toString().lines().toList();
    }

    /**
     * Writes the ratios over size as a PNG file.
     *
     * @throws IllegalArgumentException if no row has a size and two times
     * @throws IOException if the file cannot be written
     */
    public void draw(Path file) throws IOException {
        RatioPlot.write(file, entries);
    }

    /** Rows at which B is slower than demanded, out of place or in place. */
    public int missed() {
        return missed;
    }
}
