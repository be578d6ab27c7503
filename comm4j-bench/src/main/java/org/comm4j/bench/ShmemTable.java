// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.comm4j.core.DataType;
import org.jspecify.annotations.Nullable;

/**
 * Results in the columns of OSU's micro-benchmarks for OpenSHMEM, and such tables read again: ours and those of {@code
 * shmem-bench.c}. Every table has the latency as its last column, with more digits than OSU's, because some are of a
 * few nanoseconds.
 */
public final class ShmemTable {
    private static final String SAYS = "# OpenSHMEM by ";
    private static final Pattern TITLE = Pattern.compile("# OpenSHMEM (\\w+) test, (\\w+)");

    private ShmemTable() {}

    /** What stands above all. */
    public static List<String> header(Platform platform, ShmemSettings settings) {
        List<String> lines = new ArrayList<>();
        lines.add(String.format(
                Locale.ROOT,
                "%scomm4j, engine %s, %d PEs, iters: %s, blocks: %d, validation: %d%s, %s, %s, started by %s",
                SAYS,
                platform.engine(),
                platform.ranks(),
                settings.iterations() == 0 ? "OSU's" : settings.iterations(),
                settings.blocks(),
                settings.checked() ? 1 : 0,
                settings.withBarriers() ? ", with barriers" : "",
                platform.jvm(),
                platform.os(),
                platform.origin()));
        lines.addAll(PerftestTable.places(platform));
        return lines;
    }

    /** What stands above the rows of one test, of which this is the first. */
    public static List<String> columns(Row row) {
        ShmemTest test = (ShmemTest) row.operation();
        String columns = switch (test.kind()) {
            case LATENCY, COLLECTIVE -> line("# Size", "", "Latency (us)");
            case RATE -> line("# Size", "Messages/s", "Latency (us)");
            case ATOMIC -> line("# Bytes", "Million ops/s", "Latency (us)");
            case BARRIER -> line("#", "", "Latency (us)");
        };
        return List.of("", "# OpenSHMEM " + test + " test, " + Names.of(row.type()), columns);
    }

    /**
     * One row.
     *
     * @param pes that run the test, of which the first half sends messages or makes atomics
     */
    public static String row(Row row, int pes) {
        ShmemTest test = (ShmemTest) row.operation();
        double seconds = row.outOfPlace().seconds();
        long senders = pes / 2;
        double rate = senders / seconds;
        String size = test.kind() == ShmemTest.Kind.BARRIER ? "" : Long.toString(row.bytes());
        String middle = switch (test.kind()) {
            case RATE -> String.format(Locale.ROOT, "%.2f", rate);
            case ATOMIC -> String.format(Locale.ROOT, "%.2f", rate / 1e6);
            default -> "";
        };
        return line(
                size,
                middle,
                String.format(Locale.ROOT, "%.5f", row.outOfPlace().micros()));
    }

    /** @param middle may be nothing, and has no column then */
    private static String line(String size, String middle, String latency) {
        return String.format("%-10s", size)
                + (middle.isEmpty() ? "" : String.format("%18s", middle))
                + String.format("%18s", latency);
    }

    // ---- reading ----

    /** Whether lines look like such tables. */
    static boolean isOne(List<String> lines) {
        return lines.stream().anyMatch(line -> TITLE.matcher(line).matches());
    }

    /**
     * Reads tables.
     *
     * @throws IllegalArgumentException if there is no row, or a row cannot be read; the message has it
     */
    static Results read(List<String> lines, String name) {
        List<Results.Sample> samples = new ArrayList<>();
        @Nullable ShmemTest test = null;
        DataType type = DataType.UINT8;
        String says = "";
        for (String line : lines) {
            Matcher title = TITLE.matcher(line);
            if (title.matches()) {
                test = ShmemTest.named(title.group(1)).getFirst();
                type = Names.types(title.group(2)).getFirst();
            } else if (line.startsWith(SAYS)) {
                says = ", "
                        + line.substring("# ".length())
                                .replaceFirst(", iters: [^,]*, blocks: [^,]*, validation: \\d", "");
            } else if (test != null && line.matches("\\s*\\d.*")) {
                samples.add(sample(test, type, line));
            }
        }
        if (samples.isEmpty()) {
            throw new IllegalArgumentException(name + " has a title of a test of OpenSHMEM, but no row");
        }
        return new Results(name + says, samples, wrong(lines));
    }

    private static Results.Sample sample(ShmemTest test, DataType type, String line) {
        String[] words = line.strip().split("\\s+");
        try {
            long size = test.kind() == ShmemTest.Kind.BARRIER ? 0 : Long.parseLong(words[0]);
            return new Results.Sample(
                    Results.Key.of(test.toString(), size, Names.of(type), "sum", test == ShmemTest.BROADCAST ? 0 : -1),
                    Double.parseDouble(words[words.length - 1]),
                    Double.NaN);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("not a row of a test of OpenSHMEM: " + line, e);
        }
    }

    private static long wrong(List<String> lines) {
        return lines.stream()
                .filter(line -> line.startsWith("# Out of bounds values : "))
                .mapToLong(line -> Long.parseLong(line.replaceFirst("^.* : (\\d+) .*$", "$1")))
                .sum();
    }
}
