// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.comm4j.bench.Settings.Registration;
import org.jspecify.annotations.Nullable;

/** What a suite has measured so far: a statistic of all rounds, as Markdown for people and as JSON for programs. */
final class SuiteTable {
    /** At most 1.03 times nccl-tests' time at small sizes, at least 0.99 times its bandwidth at large ones. */
    static final Comparison.Bar BAR = new Comparison.Bar(1 / 1.03, 0.99);

    /** One operation at one size in one mode. */
    private record Entry(Suite.Mode mode, Registration registration, RatioTable.Entry of) {}

    private final List<Entry> entries = new ArrayList<>();
    /** nccl-tests' second measurement beside its first. */
    private final List<Entry> itself = new ArrayList<>();

    private final SortedSet<String> descriptions = new TreeSet<>();
    private final List<String> options;
    private final Statistic statistic;
    private long wrong;

    private SuiteTable(List<String> options, Statistic statistic) {
        this.options = options;
        this.statistic = statistic;
    }

    /** Everything that lies in the folder of a suite, in the modes of {@code plan}. */
    static SuiteTable read(Suite.Plan plan) throws IOException {
        SuiteTable table = new SuiteTable(plan.options(), plan.statistic());
        for (Suite.Mode mode : plan.modes()) {
            for (Registration registration : plan.registrations()) {
                List<Results.Sample> ours = new ArrayList<>();
                List<Results.Sample> theirs = new ArrayList<>();
                List<Results.Sample> again = new ArrayList<>();
                for (int round = 1; ; round++) {
                    Path folder = Suite.folder(plan, mode, registration, round);
                    if (!Files.isDirectory(folder)) {
                        break;
                    }
                    try (Stream<Path> files = Files.list(folder)) {
                        for (Path file : files.sorted().toList()) {
                            String name = String.valueOf(file.getFileName());
                            if (name.endsWith(Suite.OURS)) {
                                table.add(file, ours);
                            } else if (name.endsWith(Suite.THEIRS)) {
                                table.add(file, theirs);
                            } else if (name.endsWith(Suite.AGAIN)) {
                                table.add(file, again);
                            }
                        }
                    }
                }
                Map<Results.Key, Results.Times> others = Results.times(theirs, plan.statistic());
                beside(mode, registration, Results.times(ours, plan.statistic()), others, table.entries);
                beside(mode, registration, Results.times(again, plan.statistic()), others, table.itself);
            }
        }
        return table;
    }

    private static void beside(
            Suite.Mode mode,
            Registration registration,
            Map<Results.Key, Results.Times> some,
            Map<Results.Key, Results.Times> others,
            List<Entry> entries) {
        some.forEach((key, times) -> {
            // Where parts are rounded down, nothing is left of the smallest sizes.
            if (key.size() > 0) {
                entries.add(new Entry(mode, registration, new RatioTable.Entry(key, times, others.get(key))));
            }
        });
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
            Results.Key key = entry.of.key();
            Results.Times ours = entry.of.ours();
            Results.Times theirs = entry.of.theirs();
            Map<String, @Nullable Object> row = new LinkedHashMap<>();
            row.put("mode", entry.mode.toString());
            row.put("registration", entry.registration.ordinal());
            row.put("operation", key.operation());
            row.put("size", key.size());
            row.put("type", key.type());
            row.put("redop", key.reduction());
            row.put("root", key.root());
            row.put("comm4j", ours.outOfPlace());
            row.put("nccl_tests", theirs == null ? null : theirs.outOfPlace());
            row.put("ratio", entry.of.ratio());
            row.put("comm4j_in_place", ours.inPlace());
            row.put("nccl_tests_in_place", theirs == null ? null : theirs.inPlace());
            row.put("ratio_in_place", entry.of.ratioInPlace());
            row.put("samples", ours.samples());
            row.put("nccl_tests_samples", theirs == null ? 0 : theirs.samples());
            rows.add(row);
        }
        Map<String, @Nullable Object> report = new LinkedHashMap<>();
        report.put("measured", List.copyOf(descriptions));
        report.put("options", String.join(" ", options));
        report.put("statistic", statistic.toString());
        report.put("rows", rows);
        return Json.write(report);
    }

    String markdown() {
        StringBuilder out = new StringBuilder();
        descriptions.forEach(each -> out.append("- ").append(each).append('\n'));
        out.append("- options of both: `").append(String.join(" ", options)).append("`\n\n");
        out.append("Microseconds of a call out of place, " + statistic.words() + ". ");
        out.append("In parentheses nccl-tests' time divided by comm4j's: above 1 comm4j is faster;\n");
        out.append(RatioTable.legend(BAR));
        summary(entries, out);
        if (!itself.isEmpty()) {
            out.append(
                    "\nnccl-tests beside itself: a second run of each program in each round, against the first one.\n");
            summary(itself, out);
        }
        for (Suite.Mode mode : Suite.Mode.values()) {
            for (Registration registration : Registration.values()) {
                List<RatioTable.Entry> some = some(entries, mode, registration);
                if (!some.isEmpty()) {
                    out.append("\n## ").append(title(mode, registration)).append("\n\n");
                    RatioTable.append(some, Set.of("float"), BAR, out);
                }
            }
        }
        return out.toString();
    }

    private static List<RatioTable.Entry> some(List<Entry> all, Suite.Mode mode, Registration registration) {
        return all.stream()
                .filter(each -> each.mode == mode && each.registration == registration)
                .map(Entry::of)
                .toList();
    }

    private static void summary(List<Entry> all, StringBuilder out) {
        out.append("\n| | ").append(RatioTable.HALVES);
        out.append(" | in place, below 1 MiB | in place, from 1 MiB on |\n|---|---|---|---|---|---|---|---|---|\n");
        for (Suite.Mode mode : Suite.Mode.values()) {
            for (Registration registration : Registration.values()) {
                List<RatioTable.Entry> some = some(all, mode, registration).stream()
                        .filter(each -> each.theirs() != null)
                        .toList();
                if (!some.isEmpty()) {
                    out.append("| ").append(title(mode, registration)).append(" | ");
                    out.append(RatioTable.halves(some, BAR)).append(" | ");
                    out.append(RatioTable.mean(some, false, RatioTable.Entry::ratioInPlace))
                            .append(" | ");
                    out.append(RatioTable.mean(some, true, RatioTable.Entry::ratioInPlace))
                            .append(" |\n");
                }
            }
        }
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
}
