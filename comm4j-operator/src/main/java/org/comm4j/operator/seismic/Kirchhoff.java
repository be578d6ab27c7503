// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.operator.seismic;

import static org.comm4j.core.spi.Arguments.noNulls;
import static org.comm4j.core.spi.Arguments.nonNull;

import org.comm4j.array.Backend;
import org.comm4j.array.Layout;
import org.comm4j.array.Partition;
import org.comm4j.array.Vector;
import org.comm4j.core.DataType;
import org.comm4j.math.Arrivals;
import org.comm4j.operator.Convolve1D;
import org.comm4j.operator.LinearOperator;
import org.jspecify.annotations.Nullable;

/**
 * The seismic data of an image of reflectors by travel times (PyLops {@code Kirchhoff} with {@code dynamic=False}):
 * each point sends the wavelet to each pair of a source and a receiver, at the sum of both times, interpolated between
 * samples. The model has nx × nz or ny × nx × nz elements, the data sources × receivers × nt.
 *
 * <p>A rank has the whole model and its own sources: {@link org.comm4j.operator.VStack} makes one operator of them. It
 * keeps the times: 8 bytes for each source or receiver and point, and on a GPU 64 bytes for each pair and point within
 * the aperture. It does not communicate.
 */
public final class Kirchhoff extends LinearOperator {
    private final Arrivals arrivals;

    private Kirchhoff(Backend backend, Layout model, Layout data, DataType type, Arrivals arrivals) {
        super(backend, model, data, type);
        this.arrivals = arrivals;
    }

    /**
     * Returns a builder of the operator.
     *
     * @param model a local or replicated layout, with as many elements as there are points
     * @param axes coordinates of the points in metres, x and z or y, x and z, z downwards
     */
    public static Builder of(Backend backend, Layout model, double[]... axes) {
        noNulls("Kirchhoff.of", "backend", backend, "model", model, "axes", axes);
        return new Builder(backend, model, axes);
    }

    /** The geometry, the sampling and the options of the operator. */
    public static final class Builder {
        /** Part of a limit from which on contributions fade, if only the limit is given. */
        private static final double TAPER = 0.8;

        private final Backend backend;
        private final Layout model;
        private final double[][] axes;
        private double[][] sources = {};
        private double[][] receivers = {};
        private double @Nullable [][] sourceTimes;
        private double @Nullable [][] receiverTimes;
        private double velocity;
        private int nt;
        private double dt;
        private double[] wavelet = {1};
        private int center;
        private Fading.@Nullable Taper aperture;
        private Fading.@Nullable Taper angle;
        private DataType type = DataType.FLOAT64;

        private Builder(Backend backend, Layout model, double[]... axes) {
            if (model.partition() != Partition.LOCAL && model.partition() != Partition.REPLICATED) {
                throw new IllegalArgumentException("Kirchhoff: the model is " + model
                        + " and must be local or replicated; VStack combines the ranks' own sources");
            }
            long points = 1;
            for (double[] axis : axes) {
                points = Math.multiplyExact(points, axis.length);
            }
            if (axes.length < 2 || axes.length > 3 || points != model.size() || points > Integer.MAX_VALUE) {
                throw new IllegalArgumentException("Kirchhoff: " + axes.length + " axes with " + points
                        + " points for " + model + ", which has " + model.size()
                        + " elements; pass the coordinates along x and z, or y, x and z");
            }
            this.backend = backend;
            this.model = model;
            this.axes = axes.clone();
        }

        /**
         * Sets the places of sources, of which a rank may have none.
         *
         * @param places for each one its coordinates, in the order of the axes
         */
        public Builder sources(double[]... places) {
            nonNull(places, "Kirchhoff.sources", "places");
            sources = checked("source", places);
            return this;
        }

        /** Sets the places of receivers, which are the same for all sources. */
        public Builder receivers(double[]... places) {
            nonNull(places, "Kirchhoff.receivers", "places");
            receivers = checked("receiver", places);
            return this;
        }

        private double[][] checked(String what, double[]... places) {
            for (double[] place : places) {
                if (place.length != axes.length) {
                    throw new IllegalArgumentException("Kirchhoff: a " + what + " with " + place.length
                            + " coordinates in " + axes.length + " dimensions");
                }
            }
            return places.clone();
        }

        /** Sets the velocity in metres per second: rays are straight (PyLops {@code mode="analytic"}). */
        public Builder velocity(double velocity) {
            if (!(velocity > 0)) {
                throw new IllegalArgumentException("Kirchhoff: the velocity " + velocity + " is not positive");
            }
            this.velocity = velocity;
            return this;
        }

        /**
         * Sets travel times instead of a velocity (PyLops {@code mode="byot"}), from an eikonal solver for instance.
         *
         * @param fromSources for each source the time in seconds to each point, in row-major order
         * @param toReceivers for each receiver the time in seconds from each point
         */
        public Builder times(double[][] fromSources, double[][] toReceivers) {
            noNulls("Kirchhoff.times", "fromSources", fromSources, "toReceivers", toReceivers);
            for (double[][] table : new double[][][] {fromSources, toReceivers}) {
                for (double[] times : table) {
                    if (times.length != model.size()) {
                        throw new IllegalArgumentException("Kirchhoff: a table of " + times.length + " times for "
                                + model + ", which has " + model.size() + " points");
                    }
                }
            }
            sourceTimes = fromSources.clone();
            receiverTimes = toReceivers.clone();
            return this;
        }

        /**
         * Sets the samples of the data.
         *
         * @param nt number of samples
         * @param dt sampling interval in seconds
         */
        public Builder time(int nt, double dt) {
            if (nt < 1 || !(dt > 0)) {
                throw new IllegalArgumentException("Kirchhoff: " + nt + " samples every " + dt + " s are no sampling");
            }
            this.nt = nt;
            this.dt = dt;
            return this;
        }

        /**
         * Sets the wavelet; a spike unless set.
         *
         * @param samples of the wavelet, at the data's interval
         * @param center sample that is its origin
         */
        public Builder wavelet(double[] samples, int center) {
            nonNull(samples, "Kirchhoff.wavelet", "samples");
            wavelet = samples.clone();
            this.center = center;
            return this;
        }

        /** Sets the {@link #aperture(double, double)} that fades from four fifths of the limit on. */
        public Builder aperture(double limit) {
            return aperture(TAPER * limit, limit);
        }

        /**
         * Leaves out points that are shallow for the distance of source and receiver.
         *
         * @param full ratio of that distance to the depth below them up to which a point contributes fully
         * @param limit ratio from which on it does not contribute
         */
        public Builder aperture(double full, double limit) {
            aperture = new Fading.Taper("aperture", full, limit);
            return this;
        }

        /** Sets the {@link #angle(double, double)} that fades from four fifths of the limit on. */
        public Builder angle(double limit) {
            return angle(TAPER * limit, limit);
        }

        /**
         * Leaves out points that lie at a large angle from the vertical below the source or the receiver.
         *
         * @param full angle in degrees up to which a point contributes fully
         * @param limit angle in degrees from which on it does not contribute
         */
        public Builder angle(double full, double limit) {
            angle = new Fading.Taper("angle", full, limit);
            return this;
        }

        /** Sets the type of the operator's elements; {@code FLOAT64} unless set. */
        public Builder dtype(DataType type) {
            nonNull(type, "Kirchhoff.dtype", "type");
            this.type = type;
            return this;
        }

        /**
         * Returns the operator.
         *
         * @throws IllegalStateException if the sampling is missing, or both velocity and times
         * @throws IllegalArgumentException if there are not as many tables of times as sources and receivers
         */
        public LinearOperator build() {
            if (nt == 0) {
                throw new IllegalStateException("Kirchhoff: the data have no samples; time(nt, dt) sets them");
            }
            double[][] down = times("sources", sources, sourceTimes);
            double[][] up = times("receivers", receivers, receiverTimes);
            boolean local = model.partition() == Partition.LOCAL;
            long[] shape = {sources.length, receivers.length, nt};
            Layout data = local ? Layout.local(shape) : Layout.replicated(shape);
            Arrivals arrivals = new Arrivals(
                    down, up, (int) model.size(), nt, 1 / dt, Fading.of(sources, receivers, axes, aperture, angle));
            LinearOperator spikes = new Kirchhoff(backend, model, data, type, arrivals);
            return Convolve1D.of(backend, data, type, -1, wavelet, center).times(spikes);
        }

        private double[][] times(String what, double[][] places, double @Nullable [][] tables) {
            if (tables != null) {
                if (tables.length != places.length) {
                    throw new IllegalArgumentException(
                            "Kirchhoff: " + tables.length + " tables of times for " + places.length + " " + what);
                }
                return tables;
            }
            if (velocity == 0) {
                throw new IllegalStateException("Kirchhoff: neither velocity(…) nor times(…) is set");
            }
            return straight(velocity, places, axes);
        }
    }

    /** Sets the coordinates of a point, which has its number in row-major order. */
    static void place(double[][] axes, int point, double[] place) {
        int rest = point;
        for (int a = axes.length - 1; a >= 0; a--) {
            place[a] = axes[a][rest % axes[a].length];
            rest /= axes[a].length;
        }
    }

    private static double[][] straight(double velocity, double[][] ends, double[][] axes) {
        int points = 1;
        for (double[] axis : axes) {
            points = Math.multiplyExact(points, axis.length);
        }
        double[][] times = new double[ends.length][points];
        double[] place = new double[axes.length];
        for (int point = 0; point < points; point++) {
            place(axes, point, place);
            for (int e = 0; e < ends.length; e++) {
                double square = 0;
                for (int a = 0; a < place.length; a++) {
                    square += (place[a] - ends[e][a]) * (place[a] - ends[e][a]);
                }
                times[e][point] = Math.sqrt(square) / velocity;
            }
        }
        return times;
    }

    @Override
    protected void apply(Vector x, Vector y) {
        backend()
                .compute()
                .arrivals(
                        arrivals,
                        false,
                        x.arrays().getFirst().part(),
                        y.arrays().getFirst().part());
    }

    @Override
    protected void applyAdjoint(Vector y, Vector x) {
        backend()
                .compute()
                .arrivals(
                        arrivals,
                        true,
                        y.arrays().getFirst().part(),
                        x.arrays().getFirst().part());
    }
}
