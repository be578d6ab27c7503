// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.bench.prk;

import java.util.Locale;

/**
 * What a kernel achieved.
 *
 * @param unit what is counted in a second, such as {@code MB/s}
 * @param value how much of it
 * @param seconds of a pass or of all of them, as the reference prints it
 * @param line the reference's line, with places for {@code value} and {@code seconds}
 */
public record Rate(String unit, double value, double seconds, String line) {
    /** The usual line: a rate and the mean time of a pass. */
    static Rate[] ofPass(String unit, double countOfPass, double seconds, int passes) {
        double average = seconds / passes;
        return new Rate[] {
            new Rate(unit, 1e-6 * countOfPass / average, average, "Rate (" + unit + "): %f Avg time (s): %f")
        };
    }

    Rate withLine(String line) {
        return new Rate(unit, value, seconds, line);
    }

    @Override
    public String toString() {
        return String.format(Locale.ROOT, line, value, seconds);
    }
}
