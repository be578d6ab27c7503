// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.bench;

import java.util.Locale;
import java.util.stream.DoubleStream;

/** What stands for several rounds of the same measurement. */
public enum Statistic {
    /** What usually happens. */
    MEDIAN("medians"),
    /**
     * What the program can do. On a machine whose processors are shared with others, disturbances only add time, and
     * for half of the rounds they may add half of it: the medians of a few rounds then compare luck.
     */
    LEAST("the least of all rounds");

    private final String words;

    Statistic(String words) {
        this.words = words;
    }

    /** The one that users call so. */
    public static Statistic named(String name) {
        for (Statistic statistic : values()) {
            if (statistic.toString().equalsIgnoreCase(name)) {
                return statistic;
            }
        }
        throw new IllegalArgumentException("there is no statistic '" + name + "'; there are median and least");
    }

    /** For sentences. */
    String words() {
        return words;
    }

    /** Of the finite ones; NaN if there is none. */
    double of(DoubleStream values) {
        double[] sorted = values.filter(Double::isFinite).sorted().toArray();
        int half = sorted.length / 2;
        if (sorted.length == 0) {
            return Double.NaN;
        }
        return switch (this) {
            case LEAST -> sorted[0];
            case MEDIAN -> sorted.length % 2 == 1 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
        };
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
