// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.bench.operators;

import org.comm4j.core.DataType;
import org.comm4j.math.Compute;

/**
 * Sizes of a benchmark of operators.
 *
 * @param rows of square arrays and matrices
 * @param edge of cubes
 * @param rounds of which the median counts
 * @param millis that the calls of a round take together, about
 * @param type of the elements
 * @param all whether operators besides the commonest are measured
 */
public record OperatorSettings(long rows, long edge, int rounds, int millis, DataType type, boolean all) {
    private static final long MOST_ROWS = 32_768;
    private static final long LONGEST_EDGE = 1024;

    /** Checks the sizes. */
    public OperatorSettings {
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
    }
}
