// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.bench;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.comm4j.core.DataType;
import org.jspecify.annotations.Nullable;

/**
 * Results in the tables of NVSHMEM's device perftests, and such tables read again. Some programs have the same titles,
 * so a line "# program: " with a program's name has to be above what it printed; ours have it.
 */
public final class DeviceTable {
    private static final String PROGRAM = "# program: ";
    private static final String COLUMNS = "size(B)";
    private static final Pattern TITLE = Pattern.compile("#\\s*(\\w[\\w ]*)");
    /** What the programs say of their options, and ours of theirs. */
    private static final Pattern SCOPE = Pattern.compile("threadgroup_scope: (\\w+)");

    private static final Pattern ATOMIC = Pattern.compile("atomic_op: (\\w+)");
    /** The type and operation in the title of a single atomic operation. */
    private static final Pattern ATOMIC_TITLE = Pattern.compile("shmem_at_([\\w ]+?)_(?:ping_)?lat");

    private DeviceTable() {}

    // ---- printing ----

    /** What stands above all. */
    public static List<String> header(Platform platform, DeviceSettings settings) {
        List<String> lines = new ArrayList<>();
        lines.add(String.format(
                Locale.ROOT,
                "# %s, %d PEs, iters: %d, warmup iters: %d, ctas: %d, threads: %d, validation: %d, %s, %s, started by %s",
                platform.hasGpus() ? platform.libraries() : "the embedded engine",
                platform.ranks(),
                settings.iterations(),
                settings.warmup(),
                settings.blocks(),
                settings.threads(),
                settings.checked() ? 1 : 0,
                platform.jvm(),
                platform.os(),
                platform.origin()));
        lines.addAll(PerftestTable.places(platform));
        return lines;
    }

    /** What stands above the rows of one case and type, of which this is the first. */
    public static List<String> columns(Row row) {
        DeviceCase test = (DeviceCase) row.operation();
        String options = test.test().program()
                + (test.group() == null ? "" : ", threadgroup_scope: " + test.group())
                + (test.atomic() == null ? "" : ", atomic_op: " + test.atomic());
        String columns;
        if (test.test().kind() != DevicePerftest.Kind.COLLECTIVE) {
            columns = String.format("%-10s  %-8s  %-16s", COLUMNS, "scope", metric(test));
        } else {
            columns = String.format("%-10s  %-8s  %-8s  ", COLUMNS, "count", "type")
                    + (test.test().reduces() ? String.format("%-8s  ", "redop") : "")
                    + String.format("%-8s  %-16s  %-12s  %-12s", "scope", "latency(us)", "algbw(GB/s)", "busbw(GB/s)");
        }
        return List.of(PROGRAM + options, String.format("#%10s", title(test, row.type())), columns);
    }

    private static String metric(DeviceCase test) {
        return test.test().isBandwidth()
                ? "BW (GB/sec)"
                : test.test().kind() == DevicePerftest.Kind.HOST ? "time (us)" : "latency (us)";
    }

    private static String title(DeviceCase test, DataType type) {
        return switch (test.test()) {
            case PUT_BW, GET_BW -> test.test().title() + (test.both() ? "_bidi" : "_uni");
            case ATOMIC_BW -> "shmem_atomic_" + test.atomic();
            case ATOMIC_LATENCY -> "shmem_at_" + Names.of(type) + "_t_" + test.atomic() + "_ping_lat";
            case ATOMIC_PING_PONG -> "shmem_at_" + Names.of(type) + "_t_" + test.atomic() + "_lat";
            default -> test.test().title();
        };
    }

    /** One row. */
    public static String row(Row row) {
        DeviceCase test = (DeviceCase) row.operation();
        Row.Timing timing = row.outOfPlace();
        Group group = test.group();
        if (test.test().kind() != DevicePerftest.Kind.COLLECTIVE) {
            String scope = group == null || test.test() == DevicePerftest.PUT_BW
                    ? "None"
                    : test.test().kind() == DevicePerftest.Kind.SYNCHRONIZATION
                            ? group.toString()
                            : group.letter().toUpperCase(Locale.ROOT)
                                    + group.toString().substring(1);
            return String.format(
                    Locale.ROOT,
                    "%-10d  %-8s  %-16.6f",
                    row.bytes(),
                    scope,
                    test.test().isBandwidth() ? timing.algorithmBandwidth() : timing.micros());
        }
        String type =
                test.test().reduces() ? Names.of(row.type()) : 8 * row.type().bytes() + "-bit";
        return String.format(Locale.ROOT, "%-10d  %-8d  %-8s  ", row.bytes(), row.count(), type)
                + (row.reduction() == null ? "" : String.format("%-8s  ", PerftestTable.name(row.reduction())))
                + String.format(
                        Locale.ROOT,
                        "%-8s  %-16.6f  %-12.3f  %-12.3f",
                        group == null ? "" : test.test().reduces() ? group.letter() : group.toString(),
                        timing.micros(),
                        timing.algorithmBandwidth(),
                        timing.busBandwidth());
    }

    // ---- reading ----

    /** Whether lines look like such tables. */
    static boolean isOne(List<String> lines) {
        return lines.stream().anyMatch(line -> line.startsWith(PROGRAM));
    }

    /**
     * Reads tables, of one program or of several one after the other.
     *
     * @throws IllegalArgumentException if there is no row, or a row cannot be read; the message has it
     */
    static Results read(List<String> lines, String name) {
        List<Results.Sample> samples = new ArrayList<>();
        List<DevicePerftest> tests = List.of();
        @Nullable DevicePerftest test = null;
        Group group = Group.BLOCK;
        Atomic atomic = Atomic.INC;
        String title = "";
        List<String> columns = List.of();
        long wrong = 0;
        for (String line : lines) {
            if (line.startsWith(PROGRAM)) {
                tests = DevicePerftest.named(line.substring(PROGRAM.length()).split("[ ,]")[0]);
                test = null;
                group = Group.BLOCK;
            }
            Matcher scope = SCOPE.matcher(line);
            if (scope.find() && !scope.group(1).startsWith("all")) {
                group = Group.named(scope.group(1));
            }
            Matcher operation = ATOMIC.matcher(line);
            if (operation.find()) {
                atomic = Atomic.named(operation.group(1));
            }
            Matcher heading = TITLE.matcher(line);
            if (line.startsWith("# Out of bounds values : ")) {
                wrong += Long.parseLong(line.replaceFirst("^.* : (\\d+) .*$", "$1"));
            } else if (heading.matches()) {
                title = heading.group(1);
                test = titled(tests, title);
            } else if (line.startsWith(COLUMNS)) {
                columns = words(line);
            } else if (test != null && line.matches("\\d+ .*\\d\\s*")) {
                samples.add(sample(test, group, atomic, title, columns, line));
            }
        }
        if (samples.isEmpty()) {
            throw new IllegalArgumentException(name + " has no table of NVSHMEM's device perftests"
                    + (lines.isEmpty() ? "" : ": " + lines.getLast()));
        }
        return new Results(name + describe(lines), samples, wrong);
    }

    /** Of those of a program. */
    private static @Nullable DevicePerftest titled(List<DevicePerftest> tests, String title) {
        return tests.size() == 1
                ? tests.getFirst()
                : tests.stream()
                        .filter(each -> each.title().equals(title))
                        .findFirst()
                        .orElse(null);
    }

    /** Ours say where they ran, theirs do not. */
    private static String describe(List<String> lines) {
        return lines.stream()
                .filter(line -> line.matches("# .* PEs, iters: .*"))
                .findFirst()
                .map(line -> line.replaceFirst("^# ", ", ").replaceFirst(" PEs, .*validation: \\d, ", " PEs, "))
                .orElse(", NVSHMEM's device perftests");
    }

    private static List<String> words(String line) {
        return Arrays.asList(line.strip().split("\\s+"));
    }

    private static Results.Sample sample(
            DevicePerftest test, Group usual, Atomic atomic, String title, List<String> columns, String line) {
        List<String> words = words(line);
        // The programs leave out the scope where there is none.
        boolean full = columns.contains("busbw(GB/s)");
        int last = words.size() - (full ? 3 : 1);
        if (columns.isEmpty() || last < 1) {
            throw new IllegalArgumentException("not a row of NVSHMEM's device perftests: " + line);
        }
        double value = Double.parseDouble(words.get(last));
        long size = Long.parseLong(words.getFirst());
        Group group = usual;
        if (test.hasGroups()) {
            String scope = words.get(last - 1).toLowerCase(Locale.ROOT);
            group = Arrays.stream(Group.values())
                    .filter(each ->
                            each.toString().equals(scope) || each.letter().equals(scope))
                    .findFirst()
                    .orElseThrow(
                            () -> new IllegalArgumentException("not a row of NVSHMEM's device perftests: " + line));
        }
        DeviceCase of = DeviceCase.of(test, group, title.endsWith("_bidi"), atomic);
        return new Results.Sample(
                new Results.Key(
                        of.toString(),
                        size,
                        Names.of(type(test, title, words)),
                        test.reduces() ? Names.of(PerftestTable.reduction(words.get(3))) : null,
                        null),
                // Gigabytes a second are bytes a nanosecond.
                test.isBandwidth() ? size / value / 1e3 : value,
                Double.NaN);
    }

    private static DataType type(DevicePerftest test, String title, List<String> words) {
        if (test == DevicePerftest.ATOMIC_LATENCY || test == DevicePerftest.ATOMIC_PING_PONG) {
            Matcher of = ATOMIC_TITLE.matcher(title);
            boolean narrow = of.matches() && of.group(1).matches("(unsigned )?int(32_t)?_.*|uint32_t_.*");
            return narrow ? DataType.INT32 : DataType.INT64;
        }
        if (test.kind() != DevicePerftest.Kind.COLLECTIVE) {
            return DataType.UINT8;
        }
        return switch (words.get(2)) {
            case "32-bit" -> DataType.INT32;
            case "64-bit" -> DataType.INT64;
            default -> PerftestTable.type(words.get(2));
        };
    }
}
