// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.apps.poststack;

import java.util.Arrays;
import java.util.stream.Collectors;
import org.comm4j.apps.InversionSettings;

/**
 * The options of a post-stack inversion.
 *
 * @param shape of the volume: y, x and time, or x and time
 * @param dt sampling interval in seconds
 * @param frequency of the Ricker wavelet in hertz
 * @param laplacian weight of the model's Laplacian, 0 for none
 * @param common options of all inversions
 */
public record PoststackSettings(long[] shape, double dt, double frequency, double laplacian, InversionSettings common) {
    private static final int LEAST_SAMPLES = 8;

    /** Volumes that an inversion has at a time: models, data, vectors of the solver, and what operators need. */
    private static final int VOLUMES = 14;

    /** Checks the options. */
    public PoststackSettings {
        if (shape.length < 2 || shape.length > 3) {
            throw new IllegalArgumentException(
                    "the model has " + shape.length + " dimensions; x and time, or y, x and time are needed");
        }
        long traces = Arrays.stream(shape, 0, shape.length - 1).min().orElse(0);
        if (traces < 1 || shape[shape.length - 1] < LEAST_SAMPLES) {
            throw new IllegalArgumentException(size(shape) + " samples: at least 1 trace along each axis and "
                    + LEAST_SAMPLES + " samples in time are needed");
        }
        InversionSettings.sampling(dt, frequency);
        InversionSettings.atLeastZero("--laplacian", laplacian);
    }

    /** Returns about how much memory all ranks need together, in bytes. */
    public double bytes() {
        double bytes = (double) VOLUMES * common.type().bytes();
        for (long length : shape) {
            bytes *= length;
        }
        return bytes;
    }

    /** Returns the shape as text. */
    public String size() {
        return size(shape);
    }

    private static String size(long... shape) {
        return Arrays.stream(shape).mapToObj(Long::toString).collect(Collectors.joining(" x "));
    }
}
