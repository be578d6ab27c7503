// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.math;

import static org.comm4j.core.spi.Arguments.noNulls;

import org.jspecify.annotations.Nullable;

/**
 * A sum of band matrices along axes of an array of which this rank has a part.
 *
 * @param shape of the part
 * @param bands for each axis a band matrix, or null for none
 * @param axis that is divided among the ranks, or −1
 * @param start first row of this part along that axis
 */
public record Stencil(long[] shape, @Nullable Band[] bands, int axis, long start) {
    /** Checks that bands and shape fit. */
    public Stencil {
        noNulls("Stencil", "shape", shape, "bands", bands);
        if (bands.length != shape.length) {
            throw new IllegalArgumentException(
                    "Stencil: " + bands.length + " bands for an array of " + shape.length + " dimensions");
        }
        for (int a = 0; a < shape.length; a++) {
            Band band = bands[a];
            if (band != null && a != axis && band.length() != shape[a]) {
                throw new IllegalArgumentException("Stencil: the band of axis " + a + " has " + band.length()
                        + " rows, and the array has " + shape[a]);
            }
        }
    }

    /** Returns the number of rows of the neighbours that the divided axis needs on each side. */
    public int ghosts() {
        Band band = axis < 0 ? null : bands[axis];
        return band == null ? 0 : band.width();
    }
}
