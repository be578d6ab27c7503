// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.operator;

import static org.comm4j.core.DataType.FLOAT64;

import java.util.List;
import java.util.Map;
import org.comm4j.array.Backend;
import org.comm4j.array.Layout;
import org.comm4j.array.Partition;
import org.comm4j.core.HostArray;
import org.comm4j.operator.seismic.AvoLinearModelling.Linearization;
import org.comm4j.operator.seismic.Kirchhoff;
import org.comm4j.operator.seismic.PoststackLinearModelling;
import org.comm4j.operator.seismic.PrestackLinearModelling;
import org.comm4j.operator.seismic.Wavelets;

/** Seismic operators and wavelets beside PyLops', whose time axis is the first one. */
final class PylopsSeismic {
    private PylopsSeismic() {}

    static void add(Pylops pylops) {
        double[] wavelet = Wavelets.ricker(0.004, 2, 20);
        pylops.operator(
                "(t := Transpose((4, 3, 6), (2, 0, 1))).H"
                        + " * PoststackLinearModelling(ricker(np.arange(3) * 0.004, f0=20)[0], nt0=6, spatdims=(4, 3)) * t",
                FLOAT64,
                new long[] {4, 3, 6},
                (b, layout) -> PoststackLinearModelling.of(b, layout, wavelet, FLOAT64));
        double[][] wavelets = new double[6][];
        for (int i = 0; i < 6; i++) {
            wavelets[i] = Wavelets.ricker(0.004, 2, 20 + 5 * i);
        }
        pylops.operator(
                "(t := Transpose((4, 3, 6), (2, 0, 1))).H * PoststackLinearModelling(np.stack("
                        + "[ricker(np.arange(3) * 0.004, f0=20 + 5 * i)[0] for i in range(6)]), nt0=6, spatdims=(4, 3)) * t",
                FLOAT64,
                new long[] {4, 3, 6},
                (b, layout) -> PoststackLinearModelling.of(b, layout, wavelets, FLOAT64));
        double[] degrees = {0, 10, 20, 35};
        double[] ratio = {0.4, 0.45, 0.5, 0.55, 0.5, 0.6, 0.5};
        Map.of("akirich", Linearization.AKI_RICHARDS, "fatti", Linearization.FATTI, "ps", Linearization.PS)
                .forEach((name, linearization) -> pylops.operator(
                        "Transpose((5, 4, 7), (2, 1, 0)).H"
                                + " * PrestackLinearModelling(ricker(np.arange(3) * 0.004, f0=20)[0],"
                                + " np.array([0.0, 10, 20, 35]), vsvp=np.array([0.4, 0.45, 0.5, 0.55, 0.5, 0.6, 0.5]),"
                                + " nt0=7, spatdims=5, linearization='" + name + "')"
                                + " * Transpose((5, 3, 7), (2, 1, 0))",
                        FLOAT64,
                        new long[] {5, 3, 7},
                        (b, layout) -> PrestackLinearModelling.of(
                                b, whole(b, layout), FLOAT64, wavelet, linearization, degrees, ratio)));
        migration(pylops);
        pylops.value("[ricker(np.arange(8) * 0.004, 20)[0]]", 1e-13, b -> wavelet(Wavelets.ricker(0.004, 6, 20)));
        pylops.value("[gaussian(np.arange(9) * 0.004, 2)[0]]", 1e-13, b -> wavelet(Wavelets.gaussian(0.004, 8, 0.008)));
        pylops.value(
                "[ormsby(np.arange(9) * 0.004, (5, 10, 45, 50))[0]]",
                1e-12,
                b -> wavelet(Wavelets.ormsby(0.004, 8, 5, 10, 45, 50)));
        pylops.value(
                "[klauder(np.arange(9) * 0.004, (10, 40))[0]]",
                1e-12,
                b -> wavelet(Wavelets.klauder(0.004, 8, 10, 40)));
    }

    /** Straight rays in two and three dimensions, by the velocity and by tables. */
    private static void migration(Pylops pylops) {
        double[] wavelet = Wavelets.ricker(0.004, 4, 30);
        double[] x = {0, 10, 20, 30, 40};
        double[] y = {0, 15, 30};
        double[] z = {5, 12, 19, 26};
        double[][] sources = {{3, 0}, {31, 1}, {18, 0}};
        double[][] receivers = {{-4, 0}, {22, 2}};
        String axes = "np.arange(4) * 7.0 + 5, np.arange(5) * 10.0, np.arange(30) * 0.004";
        String wave = "ricker(np.arange(5) * 0.004, f0=30)[0], 4";
        pylops.operator(
                "Kirchhoff(%s, np.array([[3.0, 31, 18], [0, 1, 0]]), np.array([[-4.0, 22], [0, 2]]), 1000.0, %s, mode='analytic')"
                        .formatted(axes, wave),
                FLOAT64,
                new long[0],
                (b, layout) -> Kirchhoff.of(b, b.replicated(5, 4), x, z)
                        .sources(sources)
                        .receivers(receivers)
                        .velocity(1000)
                        .time(30, 0.004)
                        .wavelet(wavelet, 4)
                        .build());
        double[][] deep = {{3, 2, 0}, {31, 20, 1}};
        double[][] wide = {{-4, 7, 0}, {22, 9, 2}};
        pylops.operator(
                "Kirchhoff(%s, np.array([[2.0, 20], [3, 31], [0, 1]]), np.array([[7.0, 9], [-4, 22], [0, 2]]), 1000.0, %s,"
                                .formatted(axes, wave)
                        + " y=np.arange(3) * 15.0, mode='analytic')",
                FLOAT64,
                new long[0],
                (b, layout) -> Kirchhoff.of(b, b.replicated(3, 5, 4), y, x, z)
                        .sources(swapped(deep))
                        .receivers(swapped(wide))
                        .velocity(1000)
                        .time(30, 0.004)
                        .wavelet(wavelet, 4)
                        .build());
    }

    /** Coordinates y, x, z of points given as x, y, z. */
    private static double[][] swapped(double[]... points) {
        double[][] swapped = new double[points.length][];
        for (int i = 0; i < points.length; i++) {
            swapped[i] = new double[] {points[i][1], points[i][0], points[i][2]};
        }
        return swapped;
    }

    private static List<HostArray> wavelet(double... samples) {
        return List.of(HostArray.of(samples));
    }

    /** The layout, or one divided along the first axis where the operator needs the others whole. */
    private static Layout whole(Backend backend, Layout layout) {
        return layout.partition() == Partition.SCATTERED && layout.axis() > 0
                ? backend.scattered(0, layout.shape())
                : layout;
    }
}
