// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.bench;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.ToDoubleFunction;
import java.util.stream.DoubleStream;
import org.jspecify.annotations.Nullable;

/** Ours beside theirs in Markdown: a row an operation (and what distinguishes it), a column a size. */
final class RatioTable {
    private RatioTable() {}

    /** One operation at one size; {@code theirs} is null where they did not measure it. */
    record Entry(Results.Key key, Results.Times ours, Results.@Nullable Times theirs) {
        double ratio() {
            return theirs == null ? Double.NaN : theirs.outOfPlace() / ours.outOfPlace();
        }

        double ratioInPlace() {
            return theirs == null ? Double.NaN : theirs.inPlace() / ours.inPlace();
        }
    }

    /** The columns of {@link #halves}. */
    static final String HALVES =
            "mean below 1 MiB | least | below the bar | mean from 1 MiB on | least | below the bar";

    /** What to say of the cells. */
    static String legend(Comparison.Bar bar) {
        return String.format(
                Locale.ROOT,
                "bold where it is below %.3f at less than 1 MiB, or below %.2f from there on.%n",
                bar.small(),
                bar.large());
    }

    /** Of the sizes below 1 MiB, and of the others: the mean ratio, the least one, and how many are below the bar. */
    static String halves(List<Entry> entries, Comparison.Bar bar) {
        return half(entries, false, bar) + " | " + half(entries, true, bar);
    }

    private static String half(List<Entry> entries, boolean large, Comparison.Bar bar) {
        List<Entry> some = sized(entries, large);
        double least = ratios(some, Entry::ratio).min().orElse(Double.NaN);
        long missed = some.stream()
                .filter(each -> bar.isMissed(each.key.size(), each.ratio()))
                .count();
        return mean(entries, large, Entry::ratio) + " | " + ratio(least) + " | " + missed + " of " + some.size();
    }

    private static List<Entry> sized(List<Entry> entries, boolean large) {
        return entries.stream()
                .filter(each -> large == (each.key.size() >= Comparison.LARGE))
                .toList();
    }

    private static DoubleStream ratios(List<Entry> entries, ToDoubleFunction<Entry> of) {
        return entries.stream().mapToDouble(of).filter(Double::isFinite);
    }

    /** The geometric mean. */
    static String mean(List<Entry> entries, boolean large, ToDoubleFunction<Entry> of) {
        return ratio(Math.exp(
                ratios(sized(entries, large), of).map(Math::log).average().orElse(Double.NaN)));
    }

    /**
     * The table.
     *
     * @param usual types that are not said
     */
    static void append(List<Entry> entries, Set<String> usual, Comparison.Bar bar, StringBuilder out) {
        SortedSet<Long> sizes = new TreeSet<>();
        Map<String, Map<Long, Entry>> rows = new LinkedHashMap<>();
        for (Entry entry : entries) {
            sizes.add(entry.key.size());
            rows.computeIfAbsent(name(entry.key, usual), _ -> new LinkedHashMap<>())
                    .put(entry.key.size(), entry);
        }
        out.append('|');
        sizes.forEach(size -> out.append(" | ").append(Sizes.text(size)));
        out.append(" |\n|---|").append("---|".repeat(sizes.size())).append('\n');
        rows.forEach((operation, of) -> {
            out.append("| ").append(operation);
            sizes.forEach(size -> out.append(" | ").append(cell(of.get(size), bar)));
            out.append(" |\n");
        });
    }

    /** What is usual is not said. */
    private static String name(Results.Key key, Set<String> usual) {
        String type = usual.contains(key.type()) ? "" : " " + key.type();
        String reduction = key.reduction() == null || key.reduction().equals("sum") ? "" : " " + key.reduction();
        return key.operation()
                + type
                + reduction
                + (key.root() == null || key.root() == 0 ? "" : " root " + key.root());
    }

    private static String cell(@Nullable Entry entry, Comparison.Bar bar) {
        if (entry == null) {
            return "";
        }
        double micros = entry.ours.outOfPlace();
        String time = String.format(
                Locale.ROOT, micros < 0.1 ? "%.4f" : micros < 10 ? "%.2f" : micros < 100 ? "%.1f" : "%.0f", micros);
        double ratio = entry.ratio();
        if (Double.isNaN(ratio)) {
            return time;
        }
        String text = time + " (" + ratio(ratio) + ")";
        return bar.isMissed(entry.key.size(), ratio) ? "**" + text + "**" : text;
    }

    private static String ratio(double value) {
        return Double.isNaN(value) ? "-" : String.format(Locale.ROOT, "%.3f", value);
    }
}
