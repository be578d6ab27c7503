// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.bench.operators;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.LongStream;
import org.comm4j.array.Backend;
import org.comm4j.array.Layout;
import org.comm4j.core.DataType;
import org.comm4j.math.Compute;
import org.comm4j.operator.CausalIntegration;
import org.comm4j.operator.Convolve1D;
import org.comm4j.operator.DirectionalDerivative;
import org.comm4j.operator.FirstDerivative;
import org.comm4j.operator.Halo;
import org.comm4j.operator.Identity;
import org.comm4j.operator.Interp;
import org.comm4j.operator.LinearOperator;
import org.comm4j.operator.NonStationaryConvolve1D;
import org.comm4j.operator.Pad;
import org.comm4j.operator.Redistribute;
import org.comm4j.operator.Restriction;
import org.comm4j.operator.SecondDerivative;
import org.comm4j.operator.Sliding2D;
import org.comm4j.operator.Smoothing;
import org.comm4j.operator.Spread;
import org.comm4j.operator.Sum;
import org.comm4j.operator.Symmetrize;
import org.comm4j.operator.Taper;
import org.comm4j.operator.Transpose;
import org.comm4j.operator.VStack;
import org.comm4j.operator.seismic.PoststackLinearModelling;
import org.comm4j.operator.seismic.Wavelets;
import org.comm4j.operator.signal.ConvolveND;
import org.comm4j.operator.signal.DCT;
import org.comm4j.operator.signal.FFT2D;
import org.comm4j.operator.signal.Shift;

/** The operators on a plane that {@link OperatorBench} measures only when asked for all of them. */
final class OtherOperators {
    private static final int FILTER = 41;
    private static final int WINDOW = 64;

    /** An operator that is made when its turn comes: it may need much memory. */
    record Named(String name, Supplier<LinearOperator> operator) {}

    private final Backend backend;
    private final Layout plane;
    private final long n;
    private final DataType type;
    private final List<Named> all = new ArrayList<>();

    private OtherOperators(Backend backend, long n, DataType type) {
        this.backend = backend;
        this.n = n;
        this.type = type;
        plane = backend.scattered(0, n, n);
    }

    /** Returns the operators on n × n elements whose first axis is divided. */
    static List<Named> of(Backend backend, long n, DataType type) {
        OtherOperators made = new OtherOperators(backend, n, type);
        made.moves();
        made.sums();
        made.filters();
        made.transforms();
        return made.all;
    }

    private void add(String name, Supplier<LinearOperator> operator) {
        all.add(new Named(name, operator));
    }

    private void moves() {
        add("identity", () -> Identity.of(backend, plane, type));
        add("transpose", () -> Transpose.of(backend, plane, type, 1, 0));
        add("redistribute, to axis 1", () -> Redistribute.of(backend, plane, backend.scattered(1, n, n), type));
        add("stack of two", () -> VStack.of(Identity.of(backend, plane, type), Identity.of(backend, plane, type)));
        for (int axis = 0; axis < 2; axis++) {
            int along = axis;
            long[] second = LongStream.range(0, (n + 1) / 2).map(i -> 2 * i).toArray();
            add("pad, axis " + axis, () -> Pad.of(backend, plane, type, along, 3, 5));
            add("restriction, axis " + axis, () -> Restriction.of(backend, plane, type, along, second));
            add("symmetrize, axis " + axis, () -> Symmetrize.of(backend, plane, type, along));
        }
        add("halo of 1", () -> Halo.of(backend, plane, type, 1, 1));
        if (n >= 2 * WINDOW) {
            Layout window = backend.local(WINDOW, n);
            add(
                    "sliding windows, axis 0",
                    () -> Sliding2D.of(Identity.of(backend, window, type), plane, WINDOW, WINDOW / 2, Taper.HANNING));
        }
    }

    private void sums() {
        for (int axis = 0; axis < 2; axis++) {
            int along = axis;
            add("sum, axis " + axis, () -> Sum.of(backend, plane, type, along));
            add("spread, axis " + axis, () -> Spread.of(backend, plane.resized(along, 1), type, along, n));
            add(
                    "causal integration, axis " + axis,
                    () -> CausalIntegration.of(backend, plane, type, along, 1, CausalIntegration.Kind.FULL));
        }
    }

    private void filters() {
        double[] wavelet = Wavelets.ricker(0.004, FILTER / 2, 15);
        add(
                "second derivative, axis 1",
                () -> SecondDerivative.of(backend, plane, 1).dtype(type).build());
        add(
                "five-point derivative, axis 1",
                () -> FirstDerivative.of(backend, plane, 1).order(5).dtype(type).build());
        add("directional derivative", () -> DirectionalDerivative.first(backend, plane, type, 1, false, 0.6, 0.8));
        for (int axis = 0; axis < 2; axis++) {
            int along = axis;
            add("smoothing of 11, axis " + axis, () -> Smoothing.along(backend, plane, type, along, 11));
            add(
                    "convolution of 41, axis " + axis,
                    () -> Convolve1D.of(backend, plane, type, along, wavelet, FILTER / 2));
            double[] between =
                    LongStream.range(0, n - 1).mapToDouble(i -> i + 0.5).toArray();
            add(
                    "interpolation, axis " + axis,
                    () -> Interp.of(backend, plane, type, along, Interp.Kind.LINEAR, between));
        }
        add(
                "varying filter, axis 1",
                () -> NonStationaryConvolve1D.of(
                        backend, plane, type, 1, new double[][] {wavelet, wavelet}, n / 4, 3 * n / 4));
        add("post-stack modelling", () -> PoststackLinearModelling.of(backend, plane, wavelet, type));
    }

    private void transforms() {
        DataType complex = Compute.real(type) == DataType.FLOAT64 ? DataType.COMPLEX128 : DataType.COMPLEX64;
        add("FFT2D", () -> FFT2D.of(backend, plane, 0, 1).dtype(complex).build());
        add("DCT, axis 1", () -> DCT.of(backend, plane, type, 2, 1));
        if (!type.isComplex()) {
            add("shift, axis 1", () -> Shift.of(backend, plane, type, 1, 1.5, 1, n));
        }
        double[] filter = new double[11 * 11];
        Arrays.fill(filter, 1);
        add(
                "convolution of 11 x 11",
                () -> ConvolveND.of(backend, plane, type, filter, new int[] {11, 11}, new int[] {5, 5}, 0, 1));
    }
}
