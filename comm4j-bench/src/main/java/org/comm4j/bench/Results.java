// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.bench;

import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What a file of results says: our own ({@code comm4j bench --json}), one of nccl-tests, the JSON of its option {@code
 * -J} or the text that it prints, or what NVSHMEM's perftests or tests of OpenSHMEM print.
 *
 * @param description which file, and what it says of itself
 * @param samples its rows
 * @param wrong elements that were not what they had to be
 */
record Results(String description, List<Sample> samples, long wrong) {

    /** What was measured; {@code reduction} and {@code root} are null where there is none. */
    record Key(
            String operation,
            long size,
            String type,
            @Nullable String reduction,
            @Nullable Integer root) {
        /** The first words of names. */
        private static final Set<String> REDUCE = Stream.of(
                        Arrays.stream(Operation.values())
                                .filter(Operation::reduces)
                                .map(Operation::toString),
                        Arrays.stream(Perftest.values())
                                .filter(Perftest::reduces)
                                .map(Perftest::toString),
                        Arrays.stream(DevicePerftest.values())
                                .filter(DevicePerftest::reduces)
                                .map(DevicePerftest::toString),
                        Arrays.stream(ShmemTest.values())
                                .filter(ShmemTest::reduces)
                                .map(ShmemTest::toString))
                .flatMap(names -> names)
                .collect(Collectors.toSet());

        /**
         * As programs print it: nccl-tests prints a reduction also where nothing is reduced, and −1 where there is no
         * root.
         */
        static Key of(String operation, long size, String type, @Nullable String reduction, long root) {
            return new Key(
                    operation,
                    size,
                    type,
                    REDUCE.contains(operation.split(" ")[0]) ? reduction : null,
                    root < 0 ? null : Math.toIntExact(root));
        }

        @Override
        public String toString() {
            return operation + " of " + size + " bytes, " + type + (reduction == null ? "" : ", " + reduction)
                    + (root == null ? "" : ", root " + root);
        }
    }

    /** Times of a call in microseconds; NaN where there is none. */
    record Sample(Key key, double outOfPlace, double inPlace) {}

    /** What stands for several rows about the same. */
    record Times(double outOfPlace, double inPlace, int samples) {
        static Times of(Collection<Sample> samples, Statistic statistic) {
            return new Times(
                    statistic.of(samples.stream().mapToDouble(Sample::outOfPlace)),
                    statistic.of(samples.stream().mapToDouble(Sample::inPlace)),
                    samples.size());
        }
    }

    Results {
        samples = List.copyOf(samples);
    }

    /** One entry for everything that was measured, in the order in which it was. */
    static Map<Key, Times> times(Collection<Sample> samples, Statistic statistic) {
        Map<Key, List<Sample>> groups = new LinkedHashMap<>();
        samples.forEach(sample ->
                groups.computeIfAbsent(sample.key, _ -> new ArrayList<>()).add(sample));
        Map<Key, Times> times = new LinkedHashMap<>();
        groups.forEach((key, group) -> times.put(key, Times.of(group, statistic)));
        return times;
    }

    /**
     * Reads a file.
     *
     * @throws IllegalArgumentException if it is none of these
     */
    static Results read(Path file) throws IOException {
        String text;
        try {
            text = Files.readString(file);
        } catch (CharacterCodingException e) {
            throw new IllegalArgumentException(file + " is no text, so it has no results", e);
        }
        if (!text.stripLeading().startsWith("{")) {
            List<String> lines = text.lines().toList();
            if (ShmemTable.isOne(lines)) {
                return ShmemTable.read(lines, file.toString());
            }
            if (DeviceTable.isOne(lines)) {
                return DeviceTable.read(lines, file.toString());
            }
            if (PerftestTable.isOne(lines)) {
                return PerftestTable.read(lines, file.toString());
            }
            // "all_reduce_perf.txt" says what was measured where an old version does not.
            Path name = file.getFileName();
            String operation = String.valueOf(name).replaceFirst("(_perf.*|\\..*)$", "");
            try {
                return NcclTestsTable.read(lines, operation, file.toString());
            } catch (IllegalArgumentException e) {
                throw unknown(file, e);
            }
        }
        Object json;
        try {
            json = Json.read(text);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(file + ": " + e.getMessage(), e);
        }
        if (json instanceof Map<?, ?> map && map.get("rows") instanceof List<?> rows) {
            return Report.results(map, rows, file);
        }
        if (json instanceof Map<?, ?> map
                && map.get("results") instanceof List<?> rows
                && map.get("args") instanceof List<?> args) {
            return ofNcclTests(map, rows, args, file);
        }
        throw unknown(file, null);
    }

    /** What the option {@code -J} of nccl-tests writes. */
    private static Results ofNcclTests(Map<?, ?> report, List<?> rows, List<?> args, Path file) {
        String program = args.isEmpty() ? "" : String.valueOf(args.getFirst());
        String operation = program.substring(program.lastIndexOf('/') + 1).replaceFirst("_perf.*$", "");
        List<Sample> samples = new ArrayList<>();
        for (Object each : rows) {
            if (each instanceof Map<?, ?> row
                    && row.get("size") instanceof Long size
                    && row.get("type") instanceof String type
                    && row.get("redop") instanceof String reduction
                    && row.get("root") instanceof String root
                    && row.get("out_of_place") instanceof Map<?, ?> timing) {
                samples.add(new Sample(
                        Key.of(operation, size, type, reduction, Long.parseLong(root.strip())),
                        time(timing),
                        time(row.get("in_place"))));
            } else {
                throw unknown(file, null);
            }
        }
        boolean right = !(report.get("out_of_bounds") instanceof Map<?, ?> bounds)
                || !(bounds.get("count") instanceof Number count)
                || count.longValue() == 0;
        return new Results(file + ", nccl-tests", samples, right ? 0 : 1);
    }

    static double time(@Nullable Object timing) {
        // nccl-tests calls it so with -C.
        return timing instanceof Map<?, ?> map
                        && (map.containsKey("cpu_time") ? map.get("cpu_time") : map.get("time")) instanceof Number time
                ? time.doubleValue()
                : Double.NaN;
    }

    static IllegalArgumentException unknown(Path file, @Nullable Exception cause) {
        return new IllegalArgumentException(
                file + " is neither what 'comm4j bench --json' writes nor what nccl-tests or NVSHMEM's perftests do"
                        + (cause == null ? "" : ": " + cause.getMessage()),
                cause);
    }
}
