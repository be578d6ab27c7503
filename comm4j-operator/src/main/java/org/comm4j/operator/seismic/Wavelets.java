// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.operator.seismic;

import java.util.function.DoubleUnaryOperator;

/** Zero-phase wavelets (PyLops {@code utils.wavelets}), centred in an odd number of samples. */
public final class Wavelets {
    private Wavelets() {}

    /**
     * Returns a Ricker wavelet.
     *
     * @param dt sampling interval in seconds
     * @param half number of samples on each side of the centre
     * @param f0 central frequency in hertz
     */
    public static double[] ricker(double dt, int half, double f0) {
        return sampled("ricker", dt, half, t -> {
            double a = Math.pow(Math.PI * f0 * t, 2);
            return (1 - 2 * a) * Math.exp(-a);
        });
    }

    /**
     * Returns a Gaussian wavelet.
     *
     * @param dt sampling interval in seconds
     * @param half number of samples on each side of the centre
     * @param deviation standard deviation in seconds
     */
    public static double[] gaussian(double dt, int half, double deviation) {
        return sampled("gaussian", dt, half, t -> Math.exp(-t * t / (2 * deviation * deviation)));
    }

    private static double[] sampled(String name, double dt, int half, DoubleUnaryOperator wavelet) {
        if (!(dt > 0) || half < 0) {
            throw new IllegalArgumentException(
                    name + ": an interval of " + dt + " s and " + half + " samples on each side are no sampling");
        }
        double[] samples = new double[2 * half + 1];
        for (int i = 0; i < samples.length; i++) {
            samples[i] = wavelet.applyAsDouble((i - half) * dt);
        }
        return samples;
    }
}
