// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.math;

import static org.comm4j.core.spi.Arguments.noNulls;

import org.comm4j.core.Buffer;
import org.jspecify.annotations.Nullable;

/**
 * The samples at which points arrive in traces, as in Kirchhoff migration: each pair of a source and a receiver has a
 * trace, and a point arrives there at the sum of two times, shared between the samples before and after it.
 */
public final class Arrivals {
    /** A matrix has two elements for each contribution, in arrays that double. */
    private static final double MOST = 1L << 29;

    /** The weight of a point in a trace. */
    @FunctionalInterface
    public interface Weight {
        /** Returns the weight; a point of weight 0 does not arrive. */
        double of(int source, int receiver, int point);
    }

    private final double[][] down;
    private final double[][] up;
    private final int points;
    private final int samples;
    private final double rate;
    private final @Nullable Weight weight;
    private @Nullable AxisMatrix collecting;
    private @Nullable AxisMatrix spreading;

    /**
     * Describes arrivals; the tables are not copied.
     *
     * @param down for each source the time to each point
     * @param up for each receiver the time from each point
     * @param points number of points
     * @param samples of a trace
     * @param rate samples a unit of time
     * @param weight of points in traces; null if all are 1
     */
    public Arrivals(double[][] down, double[][] up, int points, int samples, double rate, @Nullable Weight weight) {
        noNulls("Arrivals.Arrivals", "down", down, "up", up);
        for (double[][] tables : new double[][][] {down, up}) {
            for (double[] times : tables) {
                if (times.length != points) {
                    throw new IllegalArgumentException(
                            "Arrivals: a table of " + times.length + " times for " + points + " points");
                }
            }
        }
        this.down = down;
        this.up = up;
        this.points = points;
        this.samples = samples;
        this.rate = rate;
        this.weight = weight;
    }

    /** Returns the number of points. */
    public int points() {
        return points;
    }

    /** Returns the number of samples of all traces, which lie source by source and receiver by receiver. */
    public long sampleCount() {
        return Math.multiplyExact((long) down.length * up.length, samples);
    }

    int sources() {
        return down.length;
    }

    int receivers() {
        return up.length;
    }

    int samples() {
        return samples;
    }

    double rate() {
        return rate;
    }

    double[] down(int source) {
        return down[source];
    }

    double[] up(int receiver) {
        return up[receiver];
    }

    @Nullable
    Weight weight() {
        return weight;
    }

    /** Checks the vectors of an image and its traces. */
    void check(boolean adjoint, Buffer x, Buffer y) {
        Buffer image = adjoint ? y : x;
        Buffer traces = adjoint ? x : y;
        if (x.type() != y.type() || image.count() != points || traces.count() != sampleCount()) {
            throw new IllegalArgumentException("arrivals: " + image + " and " + traces + " are not " + points
                    + " points and " + sampleCount() + " samples of the same type");
        }
        Operands.apart("arrivals", x, y);
    }

    /**
     * Returns the matrix, from points to samples or, transposed, back.
     *
     * @throws IllegalArgumentException if it has too many elements for one
     */
    synchronized AxisMatrix matrix(boolean transposed) {
        AxisMatrix back = collecting;
        AxisMatrix there = spreading;
        if (back == null || there == null) {
            back = collect();
            there = back.transposed();
            collecting = back;
            spreading = there;
        }
        return transposed ? back : there;
    }

    /** A point has few samples, so that its row of the transposed matrix is what is described. */
    private AxisMatrix collect() {
        if ((double) down.length * up.length * points > MOST) {
            throw new IllegalArgumentException("Arrivals: " + down.length + " sources, " + up.length
                    + " receivers and " + points + " points: their product is more than " + (long) MOST
                    + "; divide the sources among more operators or ranks");
        }
        AxisMatrix.Builder rows = AxisMatrix.of(sampleCount());
        for (int p = 0; p < points; p++) {
            for (int s = 0; s < down.length; s++) {
                for (int r = 0; r < up.length; r++) {
                    double at = (down[s][p] + up[r][p]) * rate;
                    int sample = (int) at;
                    double factor = at < 0 || sample >= samples - 1 || Double.isNaN(at)
                            ? 0
                            : weight == null ? 1 : weight.of(s, r, p);
                    if (factor != 0) {
                        long column = ((long) s * up.length + r) * samples + sample;
                        rows.element(column, factor * (1 - (at - sample))).element(column + 1, factor * (at - sample));
                    }
                }
            }
            rows.endRow();
        }
        return rows.build();
    }
}
