// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.ToDoubleFunction;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;
import org.comm4j.bench.Settings.Registration;
import org.jspecify.annotations.Nullable;

/** What a suite has measured so far: medians of all rounds, as Markdown for people and as JSON for programs. */
final class SuiteTable {
    /** At most 1.03 times nccl-tests' time at small sizes, at least 0.99 times its bandwidth at large ones. */
    static final Comparison.Bar BAR = new Comparison.Bar(1 / 1.03, 0.99);

    /** One operation at one size in one mode; {@code theirs} is null where nccl-tests did not measure it. */
    private record Entry(
            Suite.Mode mode,
            Registration registration,
            Results.Key key,
            Results.Medians ours,
            Results.@Nullable Medians theirs) {

        double ratio() {
            return theirs == null ? Double.NaN : theirs.outOfPlace() / ours.outOfPlace();
        }

        double ratioInPlace() {
            return theirs == null ? Double.NaN : theirs.inPlace() / ours.inPlace();
        }
    }

    private final List<Entry> entries = new ArrayList<>();
    private final SortedSet<String> descriptions = new TreeSet<>();
    private final List<String> options;
    private long wrong;

    private SuiteTable(List<String> options) {
        this.options = options;
    }

    /** Everything that lies in the folder of a suite, in the modes of {@code plan}. */
    static SuiteTable read(Suite.Plan plan) throws IOException {
        SuiteTable table = new SuiteTable(plan.options());
        for (Suite.Mode mode : plan.modes()) {
            for (Registration registration : plan.registrations()) {
                List<Results.Sample> ours = new ArrayList<>();
                List<Results.Sample> theirs = new ArrayList<>();
                for (int round = 1; ; round++) {
                    Path folder = Suite.folder(plan, mode, registration, round);
                    if (!Files.isDirectory(folder)) {
                        break;
                    }
                    try (Stream<Path> files = Files.list(folder)) {
                        for (Path file : files.sorted().toList()) {
                            String name = String.valueOf(file.getFileName());
                            if (name.equals("comm4j.json")) {
                                table.add(file, ours);
                            } else if (name.endsWith("_perf.txt")) {
                                table.add(file, theirs);
                            }
                        }
                    }
                }
                Map<Results.Key, Results.Medians> others = Results.medians(theirs);
                Results.medians(ours).forEach((key, medians) -> {
                    // Where parts are rounded down, nothing is left of the smallest sizes.
                    if (key.size() > 0) {
                        table.entries.add(new Entry(mode, registration, key, medians, others.get(key)));
                    }
                });
            }
        }
        return table;
    }

    private void add(Path file, List<Results.Sample> samples) throws IOException {
        Results results = Results.read(file);
        samples.addAll(results.samples());
        wrong += results.wrong();
        // Without the file's name, and the date of ours.
        descriptions.add(results.description()
                .substring(file.toString().length())
                .replaceFirst("^, (\\d{4}-\\d\\d-\\d\\d)T[^,]*", ", $1")
                .replaceFirst("^, ", ""));
    }

    /** Elements that were not what they had to be. */
    long wrong() {
        return wrong;
    }

    String json() {
        List<Map<String, @Nullable Object>> rows = new ArrayList<>();
        for (Entry entry : entries) {
            Results.Medians theirs = entry.theirs;
            Map<String, @Nullable Object> row = new LinkedHashMap<>();
            row.put("mode", entry.mode.toString());
            row.put("registration", entry.registration.ordinal());
            row.put("operation", entry.key.operation());
            row.put("size", entry.key.size());
            row.put("type", entry.key.type());
            row.put("redop", entry.key.reduction());
            row.put("root", entry.key.root());
            row.put("comm4j", entry.ours.outOfPlace());
            row.put("nccl_tests", theirs == null ? null : theirs.outOfPlace());
            row.put("ratio", entry.ratio());
            row.put("comm4j_in_place", entry.ours.inPlace());
            row.put("nccl_tests_in_place", theirs == null ? null : theirs.inPlace());
            row.put("ratio_in_place", entry.ratioInPlace());
            row.put("samples", entry.ours.samples());
            row.put("nccl_tests_samples", theirs == null ? 0 : theirs.samples());
            rows.add(row);
        }
        Map<String, @Nullable Object> report = new LinkedHashMap<>();
        report.put("measured", List.copyOf(descriptions));
        report.put("options", String.join(" ", options));
        report.put("rows", rows);
        return Json.write(report);
    }

    String markdown() {
        StringBuilder out = new StringBuilder();
        descriptions.forEach(each -> out.append("- ").append(each).append('\n'));
        out.append("- options of both: `").append(String.join(" ", options)).append("`\n\n");
        out.append("Microseconds of a call out of place, medians. ");
        out.append("In parentheses nccl-tests' time divided by comm4j's: above 1 comm4j is faster;\n");
        out.append(String.format(
                Locale.ROOT,
                "bold where it is below %.3f at less than 1 MiB, or below %.2f from there on.%n",
                BAR.small(),
                BAR.large()));
        summary(out);
        for (Suite.Mode mode : Suite.Mode.values()) {
            for (Registration registration : Registration.values()) {
                List<Entry> some = entries.stream()
                        .filter(each -> each.mode == mode && each.registration == registration)
                        .toList();
                if (!some.isEmpty()) {
                    section(mode, registration, some, out);
                }
            }
        }
        return out.toString();
    }

    private void summary(StringBuilder out) {
        out.append("\n| | mean below 1 MiB | least | below the bar | mean from 1 MiB on | least | below the bar |")
                .append(" in place, below 1 MiB | in place, from 1 MiB on |\n|---|---|---|---|---|---|---|---|---|\n");
        for (Suite.Mode mode : Suite.Mode.values()) {
            for (Registration registration : Registration.values()) {
                List<Entry> some = entries.stream()
                        .filter(each -> each.mode == mode && each.registration == registration && each.theirs != null)
                        .toList();
                if (!some.isEmpty()) {
                    out.append("| ").append(title(mode, registration)).append(" | ");
                    out.append(halves(some, false))
                            .append(" | ")
                            .append(halves(some, true))
                            .append(" | ");
                    out.append(mean(some, false, Entry::ratioInPlace)).append(" | ");
                    out.append(mean(some, true, Entry::ratioInPlace)).append(" |\n");
                }
            }
        }
    }

    private static String halves(List<Entry> entries, boolean large) {
        List<Entry> some = sized(entries, large);
        double least = ratios(some, Entry::ratio).min().orElse(Double.NaN);
        long missed = some.stream()
                .filter(each -> BAR.isMissed(each.key.size(), each.ratio()))
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
    private static String mean(List<Entry> entries, boolean large, ToDoubleFunction<Entry> of) {
        return ratio(Math.exp(
                ratios(sized(entries, large), of).map(Math::log).average().orElse(Double.NaN)));
    }

    private static String title(Suite.Mode mode, Registration registration) {
        return switch (mode) {
                    case GROUP -> "one thread, a group";
                    case THREADS -> "a thread each";
                    case PROCESSES -> "a process each";
                }
                + switch (registration) {
                    case NONE -> "";
                    case LOCAL -> ", registered";
                    case SYMMETRIC -> ", symmetric windows";
                };
    }

    /** A row an operation (and what distinguishes it), a column a size. */
    private static void section(Suite.Mode mode, Registration registration, List<Entry> some, StringBuilder out) {
        SortedSet<Long> sizes = new TreeSet<>();
        Map<String, Map<Long, Entry>> rows = new LinkedHashMap<>();
        for (Entry entry : some) {
            Results.Key key = entry.key;
            sizes.add(key.size());
            rows.computeIfAbsent(name(key), _ -> new LinkedHashMap<>()).put(key.size(), entry);
        }
        out.append("\n## ").append(title(mode, registration)).append("\n\n|");
        sizes.forEach(size -> out.append(" | ").append(Sizes.text(size)));
        out.append(" |\n|---|").append("---|".repeat(sizes.size())).append('\n');
        rows.forEach((operation, of) -> {
            out.append("| ").append(operation);
            sizes.forEach(size -> out.append(" | ").append(cell(of.get(size))));
            out.append(" |\n");
        });
    }

    /** What is usual is not said. */
    private static String name(Results.Key key) {
        String type = key.type().equals("float") ? "" : " " + key.type();
        String reduction = key.reduction() == null || key.reduction().equals("sum") ? "" : " " + key.reduction();
        return key.operation()
                + type
                + reduction
                + (key.root() == null || key.root() == 0 ? "" : " root " + key.root());
    }

    private static String cell(@Nullable Entry entry) {
        if (entry == null) {
            return "";
        }
        double micros = entry.ours.outOfPlace();
        String time = String.format(Locale.ROOT, micros < 10 ? "%.2f" : micros < 100 ? "%.1f" : "%.0f", micros);
        double ratio = entry.ratio();
        if (Double.isNaN(ratio)) {
            return time;
        }
        String text = time + " (" + ratio(ratio) + ")";
        return BAR.isMissed(entry.key.size(), ratio) ? "**" + text + "**" : text;
    }

    private static String ratio(double value) {
        return Double.isNaN(value) ? "-" : String.format(Locale.ROOT, "%.3f", value);
    }
}
