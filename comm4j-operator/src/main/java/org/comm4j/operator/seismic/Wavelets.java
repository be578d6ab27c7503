// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.operator.seismic;

import java.util.Arrays;
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

    /**
     * Returns an Ormsby wavelet, whose spectrum is a trapezium; its largest sample is 1.
     *
     * @param dt sampling interval in seconds
     * @param half number of samples on each side of the centre
     * @param f1 frequency in hertz at which the spectrum begins to rise
     * @param f2 frequency at which it has risen
     * @param f3 frequency at which it begins to fall
     * @param f4 frequency at which it has fallen
     */
    public static double[] ormsby(double dt, int half, double f1, double f2, double f3, double f4) {
        if (!(f1 < f2) || !(f2 <= f3) || !(f3 < f4)) {
            throw new IllegalArgumentException(
                    "ormsby: the frequencies " + f1 + ", " + f2 + ", " + f3 + " and " + f4 + " do not ascend");
        }
        return normalized(sampled(
                "ormsby",
                dt,
                half,
                t -> (ramp(f4, t) - ramp(f3, t)) / (Math.PI * (f4 - f3))
                        - (ramp(f2, t) - ramp(f1, t)) / (Math.PI * (f2 - f1))));
    }

    /** (π f)² sinc²(f t). */
    private static double ramp(double f, double t) {
        double a = Math.PI * f * t;
        double sinc = a == 0 ? 1 : Math.sin(a) / a;
        return Math.pow(Math.PI * f * sinc, 2);
    }

    /**
     * Returns a Klauder wavelet, the autocorrelation of a linear sweep; its largest sample is 1.
     *
     * @param dt sampling interval in seconds
     * @param half number of samples on each side of the centre
     * @param f1 lowest frequency of the sweep in hertz
     * @param f2 highest frequency of the sweep in hertz
     */
    public static double[] klauder(double dt, int half, double f1, double f2) {
        double middle = (f1 + f2) / 2;
        double rate = (f2 - middle) / (half * dt);
        double[] sweep = sampled(
                "klauder", dt, half, t -> Math.cos(2 * Math.PI * (middle * t + (half == 0 ? 0 : rate * t * t / 2))));
        double[] correlation = new double[sweep.length];
        for (int lag = -half; lag <= half; lag++) {
            double sum = 0;
            for (int i = Math.max(0, -lag); i < sweep.length - Math.max(0, lag); i++) {
                sum += sweep[i] * sweep[i + lag];
            }
            correlation[lag + half] = sum;
        }
        return normalized(correlation);
    }

    private static double[] normalized(double... samples) {
        double largest = Arrays.stream(samples).max().orElse(1);
        return Arrays.stream(samples).map(sample -> sample / largest).toArray();
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
