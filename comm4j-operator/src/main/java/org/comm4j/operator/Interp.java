// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.operator;

import static org.comm4j.core.spi.Arguments.noNulls;

import org.comm4j.array.Backend;
import org.comm4j.array.Layout;
import org.comm4j.core.DataType;
import org.comm4j.math.AxisMatrix;

/**
 * The interpolation of elements at places between the samples of an axis (PyLops {@code Interp}). Along the divided
 * axis each direction is one allToAllV of the samples that other ranks need.
 */
public final class Interp extends AxisOperator {
    /** How elements between samples come about. */
    public enum Kind {
        /** The nearest sample; of two the one with the even index. */
        NEAREST,
        /** The two samples beside it, by their distances. */
        LINEAR,
        /** All samples, by sin(π d) / (π d) of their distances d: exact for band-limited signals. */
        SINC
    }

    private Interp(Backend backend, Layout domain, DataType type, int axis, Kind kind, double... places) {
        super(backend, domain, type, axis, places.length, matrix -> {
            long n = domain.length(axis);
            for (double place : places) {
                row(matrix, kind, n, place);
                matrix.endRow();
            }
        });
    }

    private static void row(AxisMatrix.Builder matrix, Kind kind, long n, double place) {
        switch (kind) {
            case NEAREST -> matrix.element(Math.clamp((long) Math.rint(place), 0, n - 1), 1);
            case LINEAR -> {
                long left = Math.clamp((long) place, 0, Math.max(0, n - 2));
                double weight = place - left;
                matrix.element(left, 1 - weight);
                if (weight != 0) {
                    matrix.element(left + 1, weight);
                }
            }
            case SINC -> {
                for (long i = 0; i < n; i++) {
                    double d = Math.PI * (place - i);
                    matrix.element(i, d == 0 ? 1 : Math.sin(d) / d);
                }
            }
        }
    }

    /**
     * Returns the operator.
     *
     * @param domain layout of what it takes
     * @param axis any axis, divided among the ranks or not; negative ones count from the end
     * @param places of the elements, from 0 to the index of the last sample, in any order
     * @throws IllegalArgumentException if a place is outside of the axis or not a number
     */
    public static Interp of(Backend backend, Layout domain, DataType type, int axis, Kind kind, double... places) {
        noNulls("Interp.of", "backend", backend, "domain", domain, "type", type, "kind", kind, "places", places);
        for (double place : places) {
            if (!(place >= 0 && place <= domain.length(axis) - 1)) {
                throw new IllegalArgumentException("Interp: the place " + place + " is not from 0 to "
                        + (domain.length(axis) - 1) + " along axis " + axis + " of " + domain);
            }
        }
        return new Interp(backend, domain, type, axis, kind, places.clone());
    }
}
