// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.bench;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.comm4j.core.DataType;
import org.comm4j.core.ReduceOp;
import org.jspecify.annotations.Nullable;

/**
 * Results in the tables of NVSHMEM's perftests, line by line, and such tables read again. What those do not print
 * begins with {@code # }: where it ran, and in which variant.
 */
public final class PerftestTable {
    /** Set to 1, programs print a line for each number that is easy to read for other programs. */
    private static final String MACHINE_READABLE = "NVSHMEM_MACHINE_READABLE_OUTPUT";

    private static final Pattern TITLE = Pattern.compile("#\\s*(\\w+)");
    /** Ours, or among what a program says of its options. */
    private static final Pattern VARIANT =
            Pattern.compile("dir: (\\w+),.* (?:putget_)?issue ?: ?(\\w+), (?:use_graph|cudagraph): (\\d)");

    private static final Pattern BASIC = Pattern.compile("(\\d+) .*[^.\\d](\\d+\\.\\d+)\\s*");
    private static final Pattern MACHINE =
            Pattern.compile("&&&& PERF (\\w+?)___(.+?)___size__(\\d+)___(.+?) (\\S+) .*");
    private static final String COLUMNS = "size(B)";

    /** The names of types; ours stand for those that C has several of. */
    private static final Map<String, DataType> TYPES = Map.ofEntries(
            Map.entry("int", DataType.INT32),
            Map.entry("int32", DataType.INT32),
            Map.entry("int32_t", DataType.INT32),
            Map.entry("uint", DataType.UINT32),
            Map.entry("uint32", DataType.UINT32),
            Map.entry("uint32_t", DataType.UINT32),
            Map.entry("long", DataType.INT64),
            Map.entry("longlong", DataType.INT64),
            Map.entry("ptrdiff", DataType.INT64),
            Map.entry("int64", DataType.INT64),
            Map.entry("int64_t", DataType.INT64),
            Map.entry("ulonglong", DataType.UINT64),
            Map.entry("size", DataType.UINT64),
            Map.entry("uint64", DataType.UINT64),
            Map.entry("uint64_t", DataType.UINT64),
            Map.entry("float", DataType.FLOAT32),
            Map.entry("double", DataType.FLOAT64),
            Map.entry("fp16", DataType.FLOAT16),
            Map.entry("bf16", DataType.BFLOAT16));

    private static final Map<String, ReduceOp> REDUCTIONS = Map.of(
            "min", ReduceOp.MIN,
            "max", ReduceOp.MAX,
            "sum", ReduceOp.SUM,
            "prod", ReduceOp.PROD,
            "and", ReduceOp.BAND,
            "or", ReduceOp.BOR,
            "xor", ReduceOp.BXOR);

    private PerftestTable() {}

    // ---- names ----

    /**
     * The type that the perftests' option {@code -d} means.
     *
     * @throws IllegalArgumentException if it is none of theirs
     */
    public static DataType type(String name) {
        return known(TYPES, name, "data type");
    }

    /**
     * The reduction that their option {@code -o} means.
     *
     * @throws IllegalArgumentException if it is none of theirs
     */
    public static ReduceOp reduction(String name) {
        return known(REDUCTIONS, name, "reduction");
    }

    private static <T> T known(Map<String, T> names, String name, String what) {
        T value = names.get(name);
        if (value == null) {
            throw new IllegalArgumentException("there is no " + what + " '" + name + "'; there are "
                    + String.join(", ", names.keySet().stream().sorted().toList()));
        }
        return value;
    }

    private static String name(DataType type) {
        return switch (type) {
            case INT32 -> "int";
            case FLOAT16 -> "fp16";
            case BFLOAT16 -> "bf16";
            default -> Names.of(type);
        };
    }

    static String name(ReduceOp op) {
        return Names.of(op).replaceFirst("^b(and|or|xor)$", "$1");
    }

    // ---- printing ----

    /** What stands above all. */
    public static List<String> header(Platform platform, PerftestSettings settings) {
        List<String> lines = new ArrayList<>();
        lines.add(String.format(
                Locale.ROOT,
                "# %s, %d PEs, iters: %d, warmup iters: %d, validation: %d, %s, %s, started by %s",
                platform.libraries(),
                platform.ranks(),
                settings.iterations(),
                settings.warmup(),
                settings.checked() ? 1 : 0,
                platform.jvm(),
                platform.os(),
                platform.origin()));
        lines.addAll(places(platform));
        return lines;
    }

    /** Which PE is where. */
    static List<String> places(Platform platform) {
        List<String> lines = new ArrayList<>();
        for (int pe = 0; pe < platform.ranks(); pe++) {
            lines.add(String.format(
                    Locale.ROOT,
                    "#  PE %2d Pid %6d on %s %s",
                    pe,
                    platform.pids().get(pe),
                    platform.host(),
                    platform.places().get(pe)));
        }
        return lines;
    }

    /** What stands above the rows of one case, of which this is the first. */
    public static List<String> columns(Row row) {
        PerftestCase test = (PerftestCase) row.operation();
        String title = String.format("#%10s", test.test().title());
        if (isMachineReadable()) {
            return List.of(variant(test), title.substring(1).strip());
        }
        String columns;
        if (test.test().kind() != Perftest.Kind.COLLECTIVE) {
            columns = String.format("%-10s  %-8s  %-16s", COLUMNS, "scope", metric(test) + " (" + unit(test) + ")");
        } else {
            columns = String.format("%-10s  %-8s  %-8s  ", COLUMNS, "count", "type")
                    + (test.test().reduces() ? String.format("%-8s  ", "redop") : "")
                    + String.format(
                            "%-16s  %-16s  %-16s  %-12s  %-12s",
                            "latency(us)", "min_lat(us)", "max_lat(us)", "algbw(GB/s)", "busbw(GB/s)");
        }
        return List.of(variant(test), title, columns);
    }

    private static String variant(PerftestCase test) {
        return "# dir: " + (test.reads() ? "read" : "write") + ", issue: " + (test.fromHost() ? "host" : "on_stream")
                + ", cudagraph: " + (test.graph() ? 1 : 0);
    }

    private static String metric(PerftestCase test) {
        return switch (test.test()) {
            case BW -> "Bandwidth";
            case MALLOC, INIT -> "time";
            default -> "latency";
        };
    }

    private static String unit(PerftestCase test) {
        return test.test() == Perftest.BW ? "GB" : "us";
    }

    /** One row. */
    public static String row(Row row) {
        PerftestCase test = (PerftestCase) row.operation();
        Row.Timing timing = row.outOfPlace();
        double value = test.test() == Perftest.BW ? timing.algorithmBandwidth() : timing.micros();
        Iterations iterations = timing.iterations();
        ReduceOp reduction = row.reduction();
        if (isMachineReadable()) {
            String of = iterations == null
                    ? test.scope()
                    : name(row.type()) + (reduction == null ? "" : "-" + name(reduction));
            return String.format(
                    Locale.ROOT,
                    "&&&& PERF %s___%s___size__%d___%s %f %s%s",
                    test.test().title(),
                    of,
                    row.bytes(),
                    metric(test),
                    value,
                    test.test() == Perftest.BW ? "+" : "-",
                    unit(test));
        }
        if (iterations == null) {
            return String.format(Locale.ROOT, "%-10d  %-8s  %-16.6f", row.bytes(), test.scope(), value);
        }
        return String.format(Locale.ROOT, "%-10d  %-8d  %-8s  ", row.bytes(), row.count(), name(row.type()))
                + (reduction == null ? "" : String.format("%-8s  ", name(reduction)))
                + String.format(
                        Locale.ROOT,
                        "%-16.6f  %-16.3f  %-16.3f  %-12.3f  %-12.3f",
                        value,
                        iterations.min(),
                        iterations.max(),
                        timing.algorithmBandwidth(),
                        timing.busBandwidth());
    }

    /** What stands below the rows. */
    public static List<String> footer(List<Row> rows) {
        long wrong = Table.outOfBounds(rows);
        return List.of("# Out of bounds values : " + wrong + (wrong == 0 ? " OK" : " FAILED"));
    }

    private static boolean isMachineReadable() {
        return "1".equals(System.getenv(MACHINE_READABLE));
    }

    // ---- reading ----

    /** Whether lines look like such tables. */
    static boolean isOne(List<String> lines) {
        return lines.stream().anyMatch(line -> line.startsWith(COLUMNS) || line.startsWith("&&&& PERF "));
    }

    /**
     * Reads tables, of one program or of several one after the other.
     *
     * @throws IllegalArgumentException if there is no row, or a row cannot be read; the message has it
     */
    static Results read(List<String> lines, String name) {
        List<Results.Sample> samples = new ArrayList<>();
        boolean reads = false;
        boolean fromHost = false;
        boolean graph = false;
        // Whether these are of the table that comes next.
        boolean said = false;
        long wrong = 0;
        @Nullable Perftest test = null;
        List<String> columns = List.of();
        for (String line : lines) {
            Matcher title = TITLE.matcher(line);
            Matcher variant = VARIANT.matcher(line);
            Matcher machine = MACHINE.matcher(line);
            if (variant.find()) {
                reads = variant.group(1).equals("read");
                fromHost = variant.group(2).equals("host");
                graph = variant.group(3).equals("1");
                said = true;
            } else if (line.startsWith("mype: ") && !said) {
                // A program that says nothing of its options.
                reads = false;
                fromHost = false;
                graph = false;
            } else if (title.matches()) {
                test = Perftest.titled(title.group(1));
                said = false;
            } else if (line.startsWith("# Out of bounds values : ")) {
                wrong += Long.parseLong(line.replaceFirst("^.* : (\\d+) .*$", "$1"));
            } else if (line.startsWith(COLUMNS)) {
                columns = words(line);
            } else if (machine.matches()) {
                Perftest of = Perftest.titled(machine.group(1));
                if (of != null) {
                    samples.add(sample(PerftestCase.of(of, reads, fromHost, graph), machine));
                }
            } else if (test != null && line.matches("\\d+ .*\\d\\s*")) {
                samples.add(sample(PerftestCase.of(test, reads, fromHost, graph), columns, line));
            }
        }
        if (samples.isEmpty()) {
            throw new IllegalArgumentException(
                    name + " has no table of NVSHMEM's perftests" + (lines.isEmpty() ? "" : ": " + lines.getLast()));
        }
        return new Results(name + describe(lines), samples, wrong);
    }

    /** Ours say where they ran, theirs do not. */
    private static String describe(List<String> lines) {
        return lines.stream()
                .filter(line -> line.startsWith("# NVSHMEM "))
                .findFirst()
                .map(line -> line.replaceFirst("^# ", ", ").replaceFirst(" PEs, .*validation: \\d, ", " PEs, "))
                .orElse(", NVSHMEM's perftests");
    }

    private static List<String> words(String line) {
        return Arrays.asList(line.strip().split("\\s+"));
    }

    private static Results.Sample sample(PerftestCase test, List<String> columns, String line) {
        if (test.test().kind() != Perftest.Kind.COLLECTIVE) {
            Matcher row = BASIC.matcher(line);
            if (!row.matches()) {
                throw new IllegalArgumentException("not a row of NVSHMEM's perftests: " + line);
            }
            // The scope may be several words.
            return sample(test, line, Long.parseLong(row.group(1)), Double.parseDouble(row.group(2)), null, null);
        }
        List<String> words = words(line);
        int time = columns.indexOf("latency(us)");
        int type = columns.indexOf("type");
        int reduction = columns.indexOf("redop");
        if (words.size() != columns.size() || time < 0 || type < 0) {
            throw new IllegalArgumentException("not a row of NVSHMEM's perftests: " + line);
        }
        return sample(
                test,
                line,
                Long.parseLong(words.getFirst()),
                Double.parseDouble(words.get(time)),
                words.get(type),
                reduction < 0 ? null : words.get(reduction));
    }

    private static Results.Sample sample(PerftestCase test, Matcher machine) {
        String[] of = machine.group(2).split("-");
        boolean collective = test.test().kind() == Perftest.Kind.COLLECTIVE;
        return sample(
                test,
                machine.group(2),
                Long.parseLong(machine.group(3)),
                Double.parseDouble(machine.group(5)),
                collective ? of[0] : null,
                collective && of.length > 1 ? of[1] : null);
    }

    /**
     * @param text in which the scope is
     * @param value as printed
     */
    private static Results.Sample sample(
            PerftestCase test,
            String text,
            long size,
            double value,
            @Nullable String type,
            @Nullable String reduction) {
        PerftestCase of = test.test() == Perftest.STREAM_LATENCY
                ? PerftestCase.of(test.test(), test.reads(), text.contains("without"), false)
                : test;
        // Gigabytes a second are bytes a nanosecond.
        double micros = of.test() == Perftest.BW ? size / value / 1e3 : value;
        return new Results.Sample(
                new Results.Key(
                        of.toString(),
                        size,
                        Names.of(type == null ? DataType.UINT8 : type(type)),
                        reduction == null ? null : Names.of(reduction(reduction)),
                        null),
                micros,
                Double.NaN);
    }
}
