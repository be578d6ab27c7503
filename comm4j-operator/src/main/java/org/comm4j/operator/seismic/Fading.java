// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.operator.seismic;

import org.comm4j.math.Arrivals.Weight;
import org.jspecify.annotations.Nullable;

/** The weights of points by an aperture and by an angle: 1 within, 0 beyond, and between the limits in between. */
final class Fading implements Weight {
    /**
     * The fading between two limits, by half a period of a cosine.
     *
     * @param what is limited
     * @param full where it begins
     * @param limit where nothing is left
     */
    record Taper(String what, double full, double limit) {
        Taper {
            if (!(full >= 0) || !(limit > 0) || full > limit) {
                throw new IllegalArgumentException(
                        "Kirchhoff: the " + what + " from " + full + " to " + limit + " does not ascend from 0");
            }
        }

        double at(double value) {
            if (value >= limit) {
                return 0;
            }
            return value <= full ? 1 : 0.5 + 0.5 * Math.cos(Math.PI * (value - full) / (limit - full));
        }
    }

    private final double[][] offsets;
    /** Depth of the deeper end of each pair. */
    private final double[][] depths;

    private final double[] below;
    private final @Nullable Taper aperture;
    /** Weights of points by the angle, for each end; none where there is no limit. */
    private final double[][] ofSources;

    private final double[][] ofReceivers;

    private Fading(
            double[][] sources,
            double[][] receivers,
            double[][] axes,
            @Nullable Taper aperture,
            @Nullable Taper angle) {
        this.aperture = aperture;
        below = axes[axes.length - 1];
        offsets = new double[sources.length][receivers.length];
        depths = new double[sources.length][receivers.length];
        for (int s = 0; s < sources.length; s++) {
            for (int r = 0; r < receivers.length; r++) {
                offsets[s][r] = lateral(sources[s], receivers[r]);
                depths[s][r] = Math.max(sources[s][axes.length - 1], receivers[r][axes.length - 1]);
            }
        }
        ofSources = angle == null ? new double[0][] : angles(angle, sources, axes);
        ofReceivers = angle == null ? new double[0][] : angles(angle, receivers, axes);
    }

    /** Returns the weights; null if there are no limits. */
    static @Nullable Weight of(
            double[][] sources,
            double[][] receivers,
            double[][] axes,
            @Nullable Taper aperture,
            @Nullable Taper angle) {
        return aperture == null && angle == null ? null : new Fading(sources, receivers, axes, aperture, angle);
    }

    private static double[][] angles(Taper angle, double[][] ends, double[][] axes) {
        int points = 1;
        for (double[] axis : axes) {
            points *= axis.length;
        }
        double[][] weights = new double[ends.length][points];
        double[] place = new double[axes.length];
        for (int point = 0; point < points; point++) {
            Kirchhoff.place(axes, point, place);
            for (int e = 0; e < ends.length; e++) {
                double depth = place[axes.length - 1] - ends[e][axes.length - 1];
                weights[e][point] = angle.at(Math.toDegrees(Math.atan2(lateral(ends[e], place), depth)));
            }
        }
        return weights;
    }

    private static double lateral(double[] one, double[] other) {
        double square = 0;
        for (int a = 0; a < one.length - 1; a++) {
            square += (one[a] - other[a]) * (one[a] - other[a]);
        }
        return Math.sqrt(square);
    }

    @Override
    public double of(int source, int receiver, int point) {
        double weight = ofSources.length == 0 ? 1 : ofSources[source][point] * ofReceivers[receiver][point];
        if (aperture == null || weight == 0) {
            return weight;
        }
        double offset = offsets[source][receiver];
        double depth = below[point % below.length] - depths[source][receiver];
        return weight * aperture.at(depth > 0 ? offset / depth : offset > 0 ? Double.POSITIVE_INFINITY : 0);
    }
}
