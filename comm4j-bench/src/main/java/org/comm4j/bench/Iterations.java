// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.bench;

import java.util.Arrays;
import java.util.List;

/**
 * Times of the single iterations of a timed block, by events in the streams: of each iteration the longest one of all
 * ranks.
 *
 * @param micros of each one, in microseconds
 * @param skipped how many of them, from the first one on, the statistics leave out
 */
public record Iterations(List<Double> micros, int skipped) {

    public Iterations {
        micros = List.copyOf(micros);
        if (skipped < 0 || skipped >= micros.size()) {
            throw new IllegalArgumentException(
                    "of " + micros.size() + " iterations, " + skipped + " cannot be left out");
        }
    }

    private double[] sorted() {
        return micros.stream()
                .skip(skipped)
                .mapToDouble(Double::doubleValue)
                .sorted()
                .toArray();
    }

    public double min() {
        return sorted()[0];
    }

    public double max() {
        return percentile(100);
    }

    public double mean() {
        return Arrays.stream(sorted()).average().orElseThrow();
    }

    /** By nearest rank: of less than 100 iterations the 99th is the last. */
    public double percentile(int percent) {
        double[] sorted = sorted();
        return sorted[Math.clamp((sorted.length * (long) percent + 99) / 100 - 1, 0, sorted.length - 1)];
    }

    /** The standard deviation as a percentage of the mean. */
    public double variation() {
        double mean = mean();
        double square = Arrays.stream(sorted())
                .map(each -> (each - mean) * (each - mean))
                .average()
                .orElseThrow();
        return mean == 0 ? 0 : 100 * Math.sqrt(square) / mean;
    }
}
