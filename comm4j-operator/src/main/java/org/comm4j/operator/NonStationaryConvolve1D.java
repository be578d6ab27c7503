// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.operator;

import static org.comm4j.core.spi.Arguments.noNulls;

import java.util.Arrays;
import org.comm4j.array.Backend;
import org.comm4j.array.Layout;
import org.comm4j.core.DataType;
import org.comm4j.math.AxisMatrix;

/**
 * The convolution along an axis with filters that change on the way (PyLops {@code NonStationaryConvolve1D}): given at
 * places of equal distances, linear between them, constant outside. Along the divided axis each direction is one
 * allToAllV of the rows beside a rank's own.
 */
public final class NonStationaryConvolve1D extends AxisOperator {
    private NonStationaryConvolve1D(
            Backend backend, Layout layout, DataType type, int axis, double[][] filters, long first, long distance) {
        super(
                backend,
                layout,
                type,
                axis,
                layout.length(axis),
                matrix -> rows(matrix, layout.length(axis), filters, first, distance));
    }

    private static void rows(AxisMatrix.Builder matrix, long n, double[][] filters, long first, long distance) {
        int half = filters[0].length / 2;
        for (long row = 0; row < n; row++) {
            for (long from = Math.max(0, row - half); from <= Math.min(n - 1, row + half); from++) {
                int sample = Math.toIntExact(row - from + half);
                double place = Math.clamp((double) (from - first) / distance, 0, filters.length - 1);
                int left = (int) place;
                double weight = place - left;
                double value = filters[left][sample];
                if (weight > 0) {
                    value = (1 - weight) * value + weight * filters[left + 1][sample];
                }
                matrix.element(from, value);
            }
            matrix.endRow();
        }
    }

    /**
     * Returns the operator.
     *
     * @param axis any axis, divided among the ranks or not; negative ones count from the end
     * @param filters of one odd length, whose middle sample is the origin
     * @param places of the filters along the axis, in ascending order at equal distances
     * @throws IllegalArgumentException if the filters or places are others
     */
    public static NonStationaryConvolve1D of(
            Backend backend, Layout layout, DataType type, int axis, double[][] filters, long... places) {
        noNulls("NonStationaryConvolve1D.of", "backend", backend, "layout", layout, "type", type);
        noNulls("NonStationaryConvolve1D.of", "filters", filters, "places", places);
        if (filters.length == 0 || filters.length != places.length) {
            throw new IllegalArgumentException(
                    "NonStationaryConvolve1D: " + filters.length + " filters for " + places.length + " places");
        }
        for (double[] filter : filters) {
            if (filter.length % 2 == 0 || filter.length != filters[0].length) {
                throw new IllegalArgumentException("NonStationaryConvolve1D: filters of " + filters[0].length + " and "
                        + filter.length + " samples; all have the same odd number");
            }
        }
        long distance = places.length > 1 ? places[1] - places[0] : 1;
        for (int i = 0; i < places.length; i++) {
            if (places[i] < 0
                    || places[i] >= layout.length(axis)
                    || distance < 1
                    || places[i] != places[0] + i * distance) {
                throw new IllegalArgumentException("NonStationaryConvolve1D: the places " + Arrays.toString(places)
                        + " are not at equal distances from 0 to " + (layout.length(axis) - 1));
            }
        }
        double[][] copies = Arrays.stream(filters).map(double[]::clone).toArray(double[][]::new);
        return new NonStationaryConvolve1D(backend, layout, type, axis, copies, places[0], distance);
    }
}
