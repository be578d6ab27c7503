// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.apps.poststack;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Collectors;
import org.comm4j.core.DataType;
import org.jspecify.annotations.Nullable;

/**
 * The options of a post-stack inversion.
 *
 * @param shape of the volume: y, x and time, or x and time
 * @param dt sampling interval in seconds
 * @param frequency of the Ricker wavelet in hertz
 * @param iterations of the solver
 * @param damp of the solver
 * @param laplacian weight of the model's Laplacian, 0 for none
 * @param noise its standard deviation by that of the data
 * @param seed of the model and the noise
 * @param type of the elements
 * @param model file of the impedance; null for the synthetic earth
 */
public record PoststackSettings(
        long[] shape,
        double dt,
        double frequency,
        int iterations,
        double damp,
        double laplacian,
        double noise,
        long seed,
        DataType type,
        @Nullable Path model) {
    private static final int LEAST_SAMPLES = 8;

    /** Checks the options. */
    public PoststackSettings {
        if (shape.length < 2 || shape.length > 3) {
            throw new IllegalArgumentException(
                    "a model of " + shape.length + " dimensions: x and time, or y, x and time are needed");
        }
        long traces = Arrays.stream(shape, 0, shape.length - 1).min().orElse(0);
        if (traces < 1 || shape[shape.length - 1] < LEAST_SAMPLES) {
            throw new IllegalArgumentException(
                    Arrays.stream(shape).mapToObj(Long::toString).collect(Collectors.joining(" x "))
                            + " samples: at least 1 trace along each axis and " + LEAST_SAMPLES
                            + " samples in time are needed");
        }
        if (!(dt > 0) || dt > 1) {
            throw new IllegalArgumentException("--dt " + dt + ": a positive number of seconds, at most 1");
        }
        if (!(frequency > 0) || frequency >= 0.5 / dt) {
            throw new IllegalArgumentException("--frequency " + frequency + ": more than 0 and less than " + 0.5 / dt
                    + " Hz, half the sampling rate");
        }
        if (iterations < 1) {
            throw new IllegalArgumentException("--iterations " + iterations + ": at least 1");
        }
        if (!(damp >= 0) || Double.isInfinite(damp)) {
            throw new IllegalArgumentException("--damp " + damp + ": at least 0");
        }
        if (!(laplacian >= 0) || Double.isInfinite(laplacian)) {
            throw new IllegalArgumentException("--laplacian " + laplacian + ": at least 0");
        }
        if (!(noise >= 0) || Double.isInfinite(noise)) {
            throw new IllegalArgumentException("--noise " + noise + ": at least 0");
        }
        if (type != DataType.FLOAT32 && type != DataType.FLOAT64) {
            throw new IllegalArgumentException("--type " + type + ": FLOAT32 or FLOAT64");
        }
    }

    /** Returns the shape as text. */
    public String size() {
        return Arrays.stream(shape).mapToObj(Long::toString).collect(Collectors.joining(" x "));
    }
}
