// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.bench.operators;

import java.util.List;
import java.util.Locale;
import org.comm4j.core.DataType;
import org.comm4j.math.Compute;

/**
 * Sizes of a benchmark of operators.
 *
 * @param rows of square arrays and matrices
 * @param edge of cubes
 * @param rounds of which the median counts
 * @param millis that the calls of a round take together, about
 * @param warmup milliseconds of the calls before those that are measured, at least
 * @param type of the elements
 * @param all whether operators besides the commonest are measured
 * @param only parts of names of the operations to measure, in any case; all of them if it is empty
 */
public record OperatorSettings(
        long rows, long edge, int rounds, int millis, int warmup, DataType type, boolean all, List<String> only) {
    private static final long MOST_ROWS = 32_768;
    private static final long LONGEST_EDGE = 1024;
    private static final int LONGEST_WARMUP = 60_000;

    /** Checks the sizes. */
    public OperatorSettings {
        only = List.copyOf(only);
        Compute.check("--type", type);
        if (rows < 1 || rows > MOST_ROWS) {
            throw new IllegalArgumentException("--rows " + rows + ": 1 to " + MOST_ROWS);
        }
        if (edge < 1 || edge > LONGEST_EDGE) {
            throw new IllegalArgumentException("--edge " + edge + ": 1 to " + LONGEST_EDGE);
        }
        if (rounds < 1) {
            throw new IllegalArgumentException("--rounds " + rounds + ": at least 1");
        }
        if (millis < 1) {
            throw new IllegalArgumentException("--millis " + millis + ": at least 1");
        }
        if (warmup < 0 || warmup > LONGEST_WARMUP) {
            throw new IllegalArgumentException("--warmup-time " + warmup + ": 0 to " + LONGEST_WARMUP);
        }
    }

    /** Returns whether an operation of this name is measured. Copies always are, as others are laid beside them. */
    boolean wants(String name) {
        return only.isEmpty() || name.equals("copy") || only.stream().anyMatch(part -> has(name, part));
    }

    /** Returns whether a name has a part, in any case. */
    static boolean has(String name, String part) {
        return name.toLowerCase(Locale.ROOT).contains(part.toLowerCase(Locale.ROOT));
    }
}
