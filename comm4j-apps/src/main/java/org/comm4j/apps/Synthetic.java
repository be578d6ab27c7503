// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.apps;

import java.util.function.DoubleUnaryOperator;
import org.comm4j.array.Backend;
import org.comm4j.array.DistributedArray;
import org.comm4j.array.Layout;
import org.comm4j.array.Npy;
import org.comm4j.array.Vector;
import org.comm4j.core.HostArray;
import org.comm4j.operator.seismic.Wavelets;

/** Models and data whose inversions are compared with what they were made of. */
public final class Synthetic {
    private Synthetic() {}

    /**
     * Collective: returns the logarithm of an impedance, that of the settings' file or of the synthetic earth.
     *
     * @throws IllegalArgumentException on every rank, if the file cannot be read or an impedance is not positive
     */
    public static DistributedArray logarithm(Backend backend, Layout layout, InversionSettings settings) {
        DistributedArray impedance = backend.zeros(layout, settings.type());
        if (settings.model() == null) {
            try (DistributedArray earth = EarthModel.of(settings.seed()).sample(backend, layout, settings.type())) {
                impedance.assign(earth);
            }
        } else {
            try (DistributedArray given = Npy.read(backend, layout, settings.model())) {
                if (given.type().isComplex()) {
                    throw new IllegalArgumentException(
                            "--model " + settings.model() + ": its elements are complex; an impedance is real");
                }
                impedance.assign(given);
            }
            String problem = backend.firstProblem(problem(impedance));
            if (!problem.isEmpty()) {
                throw new IllegalArgumentException("--model " + settings.model() + ": " + problem);
            }
        }
        map(impedance, Math::log);
        return impedance;
    }

    /** Returns the fault of this rank's part; empty if it has none. */
    private static String problem(DistributedArray impedance) {
        HostArray part = part(impedance);
        for (long i = 0; i < part.count(); i++) {
            double value = part.getDouble(i);
            if (!(value > 0) || Double.isInfinite(value)) {
                return "the impedance " + value + " is not a finite positive number";
            }
        }
        return "";
    }

    /** A copy of this rank's part, when what computes it has ended. */
    private static HostArray part(DistributedArray array) {
        array.backend().compute().synchronize();
        return array.part().toHost();
    }

    /** Replaces each element by a function of it, on the host. */
    public static void map(DistributedArray array, DoubleUnaryOperator function) {
        HostArray part = part(array);
        for (long i = 0; i < part.count(); i++) {
            part.setDouble(i, function.applyAsDouble(part.getDouble(i)));
        }
        array.part().copyFrom(part);
    }

    /** Collective: adds uniform noise, the same for any number of ranks, of which the settings tell the deviation. */
    public static void addNoise(Vector data, InversionSettings settings) {
        if (settings.noise() == 0) {
            return;
        }
        long size = data.layout().size();
        double deviation = settings.noise() * data.norm() / Math.sqrt((double) size);
        // Uniform numbers in [0, 1) have a mean of a half and a variance of a twelfth.
        try (DistributedArray noise = data.backend().random(data.layout(), data.type(), settings.seed());
                DistributedArray mean = data.backend().full(data.layout(), data.type(), 0.5)) {
            data.axpy(Math.sqrt(12) * deviation, noise.axpy(-1, mean));
        }
    }

    /** Returns the number of samples on each side of a Ricker wavelet's centre: to where it is a ten-thousandth. */
    public static int half(double dt, double frequency) {
        return (int) Math.ceil(1.2 / (frequency * dt));
    }

    /** Returns a Ricker wavelet with {@link #half} samples on each side, times a factor. */
    public static double[] wavelet(double dt, double frequency, double factor) {
        double[] wavelet = Wavelets.ricker(dt, half(dt, frequency), frequency);
        for (int i = 0; i < wavelet.length; i++) {
            wavelet[i] *= factor;
        }
        return wavelet;
    }

    /** Returns numbers as a section takes them. */
    public static double[] numbers(HostArray values, DoubleUnaryOperator function) {
        double[] numbers = new double[Math.toIntExact(values.count())];
        for (int i = 0; i < numbers.length; i++) {
            numbers[i] = function.applyAsDouble(values.getDouble(i));
        }
        return numbers;
    }

    /**
     * Collective: returns a function of the section in the middle of the first of three axes, or of all of two, as a
     * {@link Section} takes it.
     */
    public static double[] section(DistributedArray array, DoubleUnaryOperator function) {
        Layout layout = array.layout();
        if (layout.ndim() == 2) {
            return numbers(array.toHost(), function);
        }
        long middle = layout.length(0) / 2;
        try (DistributedArray slice = array.slice(0, middle, middle + 1)) {
            return numbers(slice.toHost(), function);
        }
    }
}
