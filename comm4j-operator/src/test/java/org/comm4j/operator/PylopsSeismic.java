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
