// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.operator;

import org.comm4j.math.Band;

/** Finite differences of a regular grid, as PyLops defines them: rows that a stencil does not reach are zero. */
final class Differences {
    private Differences() {}

    /**
     * Returns the first derivative.
     *
     * @param order 3 or 5 points, for the centred kind
     * @param edge whether the ends have one-sided differences (and those next to them, of order 5, centred ones of
     *     order 3)
     */
    static Band first(long n, double sampling, DerivativeKind kind, int order, boolean edge) {
        double d = sampling;
        return switch (kind) {
            case FORWARD -> Band.of(n, 1, 1, i -> i < n - 1 ? new double[] {0, -1 / d, 1 / d} : new double[3]);
            case BACKWARD -> Band.of(n, 1, 1, i -> i > 0 ? new double[] {-1 / d, 1 / d, 0} : new double[3]);
            case CENTERED -> order == 5 ? five(n, d, edge) : Band.of(n, 1, 1, i -> three(n, i, d, edge));
        };
    }

    private static double[] three(long n, long i, double d, boolean edge) {
        if (i > 0 && i < n - 1) {
            return new double[] {-0.5 / d, 0, 0.5 / d};
        }
        if (!edge || n < 2) {
            return new double[3];
        }
        return i == 0 ? new double[] {0, -1 / d, 1 / d} : new double[] {-1 / d, 1 / d, 0};
    }

    private static Band five(long n, double d, boolean edge) {
        return Band.of(n, 2, 2, i -> {
            if (i > 1 && i < n - 2) {
                return new double[] {1 / (12 * d), -8 / (12 * d), 0, 8 / (12 * d), -1 / (12 * d)};
            }
            double[] narrow = edge ? three(n, i, d, true) : new double[3];
            return new double[] {0, narrow[0], narrow[1], narrow[2], 0};
        });
    }

    /**
     * Returns the second derivative.
     *
     * @param edge whether the ends have one-sided differences of three points, for the centred kind
     */
    static Band second(long n, double sampling, DerivativeKind kind, boolean edge) {
        double d = sampling * sampling;
        return switch (kind) {
            case FORWARD ->
                Band.of(n, 2, 2, i -> i < n - 2 ? new double[] {0, 0, 1 / d, -2 / d, 1 / d} : new double[5]);
            case BACKWARD -> Band.of(n, 2, 2, i -> i > 1 ? new double[] {1 / d, -2 / d, 1 / d, 0, 0} : new double[5]);
            case CENTERED ->
                edge
                        ? Band.of(n, 2, 1, i -> {
                            if (i > 0 && i < n - 1) {
                                return new double[] {0, 1 / d, -2 / d, 1 / d, 0};
                            }
                            if (n < 3) {
                                return new double[5];
                            }
                            return i == 0
                                    ? new double[] {0, 0, 1 / d, -2 / d, 1 / d}
                                    : new double[] {1 / d, -2 / d, 1 / d, 0, 0};
                        })
                        : Band.of(
                                n, 1, 1, i -> i > 0 && i < n - 1 ? new double[] {1 / d, -2 / d, 1 / d} : new double[3]);
        };
    }
}
