// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.apps;

import java.nio.file.Path;
import org.comm4j.core.DataType;
import org.jspecify.annotations.Nullable;

/**
 * The options that all inversions have.
 *
 * @param iterations of the solver
 * @param damp of the solver
 * @param noise its standard deviation by that of the data
 * @param seed of the synthetic earth and the noise
 * @param type of the elements
 * @param model file of the impedance; null for the synthetic earth
 */
public record InversionSettings(
        int iterations,
        double damp,
        double noise,
        long seed,
        DataType type,
        @Nullable Path model) {
    /** The lowest frequency of the wavelet, in periods a sample. */
    private static final double SLOWEST = 1e-3;

    /** Checks the options. */
    public InversionSettings {
        if (iterations < 1) {
            throw new IllegalArgumentException("--iterations " + iterations + ": at least 1");
        }
        atLeastZero("--damp", damp);
        atLeastZero("--noise", noise);
        if (type != DataType.FLOAT32 && type != DataType.FLOAT64) {
            throw new IllegalArgumentException("--type " + type + ": FLOAT32 or FLOAT64");
        }
    }

    /** Checks that an option is a finite number that is not negative. */
    public static void atLeastZero(String option, double value) {
        if (!(value >= 0) || Double.isInfinite(value)) {
            throw new IllegalArgumentException(option + " " + value + ": a finite number, at least 0");
        }
    }

    /** Checks that an option is a finite positive number. */
    public static void positive(String option, double value) {
        if (!(value > 0) || Double.isInfinite(value)) {
            throw new IllegalArgumentException(option + " " + value + ": a finite number, more than 0");
        }
    }

    /** Checks the sampling interval and the frequency of the wavelet. */
    public static void sampling(double dt, double frequency) {
        positive("--dt", dt);
        double most = 0.5 / dt;
        double least = SLOWEST / dt;
        if (!(frequency >= least) || frequency >= most) {
            throw new IllegalArgumentException("--frequency " + frequency + ": at least " + least + " and less than "
                    + most + " Hz with this --dt");
        }
    }
}
