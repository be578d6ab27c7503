// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.apps.deconvolution;

import org.comm4j.apps.InversionSettings;

/**
 * The options of a multi-dimensional deconvolution. Sources, receivers and virtual sources lie along one line, at equal
 * distances.
 *
 * @param sources number of sources, above the level of the receivers
 * @param receivers number of receivers
 * @param virtual number of virtual sources, at places of receivers
 * @param nt samples in time, an odd number: the middle one is time 0
 * @param dt sampling interval in seconds
 * @param dr distance of receivers in metres
 * @param velocity in metres per second
 * @param frequency of the Ricker wavelet in hertz
 * @param common options of all inversions
 */
public record DeconvolutionSettings(
        int sources,
        int receivers,
        int virtual,
        int nt,
        double dt,
        double dr,
        double velocity,
        double frequency,
        InversionSettings common) {
    private static final int LEAST_SAMPLES = 9;

    /** Frequencies beyond this multiple of the wavelet's have nothing of it. */
    private static final double HIGHEST = 3.5;

    /** Vectors of the model's and the data's size that an inversion has at a time, their spectra included. */
    private static final int VECTORS = 8;

    /** Checks the options. */
    public DeconvolutionSettings {
        if (sources < 1 || receivers < 1) {
            throw new IllegalArgumentException(
                    "--sources " + sources + ", --receivers " + receivers + ": at least 1 of each");
        }
        if (virtual < 1 || virtual > receivers) {
            throw new IllegalArgumentException(
                    "--virtual " + virtual + ": from 1 to the number of receivers, " + receivers);
        }
        if (nt < LEAST_SAMPLES || nt % 2 == 0) {
            throw new IllegalArgumentException("--nt " + nt + ": an odd number of samples, at least " + LEAST_SAMPLES);
        }
        InversionSettings.positive("--dr", dr);
        InversionSettings.positive("--velocity", velocity);
        InversionSettings.sampling(dt, frequency);
    }

    /** Returns the number of frequencies that the kernel has. */
    int frequencies() {
        int all = nt / 2 + 1;
        return (int) Math.clamp(Math.ceil(HIGHEST * frequency * nt * dt), 1, all);
    }

    /** Returns about how much memory all ranks need together for kernel, models and data, in bytes. */
    public double bytes() {
        double kernel = 2.0 * frequencies() * sources * receivers;
        double vectors = (double) nt * virtual * (sources + receivers);
        return (kernel + VECTORS * vectors) * common.type().bytes();
    }
}
