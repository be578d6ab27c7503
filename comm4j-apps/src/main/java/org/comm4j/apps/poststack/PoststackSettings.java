// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.apps.poststack;

import org.comm4j.apps.InversionSettings;
import org.comm4j.apps.VolumeShape;

/**
 * The options of a post-stack inversion.
 *
 * @param shape of the volume: y, x and time, or x and time
 * @param dt sampling interval in seconds
 * @param frequency of the Ricker wavelet in hertz
 * @param regularization what is known of the model
 * @param common options of all inversions
 */
public record PoststackSettings(
        VolumeShape shape, double dt, double frequency, Regularization regularization, InversionSettings common) {
    /** Volumes that an inversion has at a time: models, data, vectors of the solver, and what operators need. */
    private static final int VOLUMES = 14;

    /** Further ones of total variation, for each axis: dual vectors or multipliers, and images. */
    private static final int VARIATION_VOLUMES = 6;

    /** Checks the options. */
    public PoststackSettings {
        InversionSettings.sampling(dt, frequency);
        if (regularization.isVariation() && common.damp() != 0) {
            throw new IllegalArgumentException(
                    "--damp " + common.damp() + ": total variation has none; --tv is its weight");
        }
    }

    /** Returns about how much memory all ranks need together, in bytes. */
    public double bytes() {
        int more = regularization.isVariation() ? VARIATION_VOLUMES * shape.lengths().length : 0;
        return shape.bytes(VOLUMES + more, common.type());
    }
}
