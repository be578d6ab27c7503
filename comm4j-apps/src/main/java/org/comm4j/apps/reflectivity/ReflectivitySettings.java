// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.apps.reflectivity;

import org.comm4j.apps.InversionSettings;
import org.comm4j.apps.VolumeShape;

/**
 * The options of an inversion for sparse spikes.
 *
 * @param shape of the volume: y, x and time, or x and time
 * @param dt sampling interval in seconds
 * @param frequency of the Ricker wavelet in hertz
 * @param sparsity weight of the 1-norm, by the smallest one of which zeros are the solution
 * @param common options of all inversions
 */
public record ReflectivitySettings(
        VolumeShape shape, double dt, double frequency, double sparsity, InversionSettings common) {
    /** Volumes that an inversion has at a time: models, data, vectors of the solver, and what operators need. */
    private static final int VOLUMES = 12;

    /** Checks the options. */
    public ReflectivitySettings {
        InversionSettings.sampling(dt, frequency);
        if (!(sparsity >= 0 && sparsity < 1)) {
            throw new IllegalArgumentException("--sparsity " + sparsity + ": at least 0 and less than 1");
        }
        if (common.damp() != 0) {
            throw new IllegalArgumentException(
                    "--damp " + common.damp() + ": FISTA has none; --sparsity is its weight");
        }
    }

    /** Returns about how much memory all ranks need together, in bytes. */
    public double bytes() {
        return shape.bytes(VOLUMES, common.type());
    }
}
