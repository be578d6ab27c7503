// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The table that a program of nccl-tests prints, or {@code comm4j bench}, read again. Lines that are no part of it,
 * such as those of NCCL_DEBUG, do not matter.
 */
final class NcclTestsTable {
    /** What begins the rows of an operation: nccl-tests' words, or ours. */
    private static final Pattern STARTS = Pattern.compile("# Collective test starting: (\\w+)_perf\\w*|# ([a-z_]+)");

    private static final Pattern VERSION = Pattern.compile("# (nccl-tests version .*)");
    private static final Pattern WRONG = Pattern.compile("# Out of bounds values : (\\d+) .*");
    /** What per-iteration times add to each half of a row. */
    private static final String PER_ITERATION = "i_min";

    private static final int TIMES = 4;

    private NcclTestsTable() {}

    /**
     * Reads the table.
     *
     * @param operation what was measured, where the text does not say so itself
     * @throws IllegalArgumentException if there is no row, or a row cannot be read; the message has it
     */
    static Results read(List<String> lines, String operation, String name) {
        String measured = operation;
        String version = "";
        long wrong = 0;
        int perIteration = 0;
        List<Results.Sample> samples = new ArrayList<>();
        for (String line : lines) {
            Matcher starts = STARTS.matcher(line);
            Matcher says = VERSION.matcher(line);
            Matcher counts = WRONG.matcher(line);
            if (starts.matches()) {
                measured = starts.group(1) != null ? starts.group(1) : starts.group(2);
            } else if (says.matches()) {
                version = says.group(1).strip();
            } else if (counts.matches()) {
                wrong += Long.parseLong(counts.group(1));
            } else if (line.startsWith("#") && line.contains(PER_ITERATION)) {
                perIteration = TIMES;
            } else if (line.matches(" *\\d+ +\\d+ +[a-z]\\w* .*")) {
                samples.add(row(line, measured, perIteration));
            }
        }
        if (samples.isEmpty()) {
            throw new IllegalArgumentException(
                    name + " has no table of nccl-tests" + (lines.isEmpty() ? "" : ": " + lines.getLast()));
        }
        return new Results(name + (version.isEmpty() ? "" : ", " + version), samples, wrong);
    }

    /** {@code size count type redop root}, then twice {@code time algbw busbw #wrong}; a date may follow. */
    private static Results.Sample row(String line, String operation, int perIteration) {
        String[] words = line.strip().split(" +");
        try {
            // hypercube leaves the reduction's column empty.
            int root = words[3].matches("-?\\d+") ? 3 : 4;
            int half = TIMES + perIteration;
            double outOfPlace = Double.parseDouble(words[root + 1]);
            double inPlace = number(words[root + 1 + half]);
            String reduction = root == 3 ? null : words[3];
            return new Results.Sample(
                    Results.Key.of(
                            operation, Long.parseLong(words[0]), words[2], reduction, Integer.parseInt(words[root])),
                    outOfPlace,
                    inPlace);
        } catch (NumberFormatException | ArrayIndexOutOfBoundsException e) {
            throw new IllegalArgumentException("not a row of nccl-tests: " + line, e);
        }
    }

    private static double number(@Nullable String word) {
        return word == null || word.equals("N/A") ? Double.NaN : Double.parseDouble(word);
    }
}
