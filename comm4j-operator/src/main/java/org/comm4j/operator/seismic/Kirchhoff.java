// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.operator.seismic;

import org.comm4j.array.Backend;
import org.comm4j.array.Layout;
import org.comm4j.array.Partition;
import org.comm4j.array.Vector;
import org.comm4j.core.DataType;
import org.comm4j.math.AxisMatrix;
import org.comm4j.operator.Convolve1D;
import org.comm4j.operator.LinearOperator;

/**
 * The seismic data of an image of reflectors by travel times (PyLops {@code Kirchhoff} with {@code dynamic=False}):
 * each point sends the wavelet to each pair of a source and a receiver, at the sum of both times, interpolated between
 * samples. The model has nx × nz or ny × nx × nz elements, the data sources × receivers × nt.
 *
 * <p>A rank has the whole model and its own sources: {@link org.comm4j.operator.VStack} makes one operator of them. It
 * keeps 64 bytes for each pair and point. It does not communicate.
 */
public final class Kirchhoff extends LinearOperator {
    private final AxisMatrix matrix;
    private final AxisMatrix transposed;

    private Kirchhoff(Backend backend, Layout model, Layout data, DataType type, AxisMatrix matrix) {
        super(backend, model, data, type);
        this.matrix = matrix;
        transposed = matrix.transposed();
    }

    /**
     * Returns the operator for tables of travel times.
     *
     * @param model a local or replicated layout, of any number of axes
     * @param sourceTimes for each source the time in seconds to each point of the model, in row-major order
     * @param receiverTimes for each receiver the time in seconds from each point
     * @param nt number of samples in time
     * @param dt sampling interval in seconds
     * @param wavelet samples of the wavelet
     * @param center sample of the wavelet that is its origin
     */
    public static LinearOperator of(
            Backend backend,
            Layout model,
            DataType type,
            double[][] sourceTimes,
            double[][] receiverTimes,
            int nt,
            double dt,
            double[] wavelet,
            int center) {
        if (model.partition() != Partition.LOCAL && model.partition() != Partition.REPLICATED) {
            throw new IllegalArgumentException("Kirchhoff: the model is " + model
                    + " and must be local or replicated; VStack combines the ranks' own sources");
        }
        if (nt < 0 || !(dt > 0)) {
            throw new IllegalArgumentException("Kirchhoff: " + nt + " samples every " + dt + " s are no sampling");
        }
        check("source", sourceTimes, model);
        check("receiver", receiverTimes, model);
        int points = Math.toIntExact(model.size());
        long ends = Math.multiplyExact((long) sourceTimes.length, receiverTimes.length) * nt;
        // A point has few samples, so that its row of the adjoint is what is described.
        AxisMatrix.Builder rows = AxisMatrix.of(ends);
        for (int point = 0; point < points; point++) {
            for (int s = 0; s < sourceTimes.length; s++) {
                for (int r = 0; r < receiverTimes.length; r++) {
                    double at = (sourceTimes[s][point] + receiverTimes[r][point]) / dt;
                    int sample = (int) at;
                    if (at >= 0 && sample < nt - 1) {
                        long column = ((long) s * receiverTimes.length + r) * nt + sample;
                        rows.element(column, 1 - (at - sample)).element(column + 1, at - sample);
                    }
                }
            }
            rows.endRow();
        }
        boolean local = model.partition() == Partition.LOCAL;
        long[] shape = {sourceTimes.length, receiverTimes.length, nt};
        Layout data = local ? Layout.local(shape) : Layout.replicated(shape);
        LinearOperator spikes =
                new Kirchhoff(backend, model, data, type, rows.build().transposed());
        return Convolve1D.of(backend, data, type, -1, wavelet, center).times(spikes);
    }

    private static void check(String what, double[][] times, Layout model) {
        for (double[] row : times) {
            if (row.length != model.size()) {
                throw new IllegalArgumentException("Kirchhoff: " + row.length + " times of a " + what + " for " + model
                        + ", which has " + model.size() + " points");
            }
        }
    }

    /**
     * Returns the travel times of straight rays in a medium of one velocity (PyLops {@code mode="analytic"}).
     *
     * @param velocity in metres per second
     * @param ends coordinates of the sources or receivers, each with as many as there are axes
     * @param axes coordinates of the model's points along its axes, x and z or y, x and z
     * @return for each end the time in seconds to each point, in row-major order
     */
    public static double[][] times(double velocity, double[][] ends, double[]... axes) {
        if (!(velocity > 0)) {
            throw new IllegalArgumentException("Kirchhoff: the velocity " + velocity + " is not positive");
        }
        int points = 1;
        for (double[] axis : axes) {
            points = Math.multiplyExact(points, axis.length);
        }
        double[][] times = new double[ends.length][points];
        for (int e = 0; e < ends.length; e++) {
            if (ends[e].length != axes.length) {
                throw new IllegalArgumentException(
                        "Kirchhoff: " + ends[e].length + " coordinates of a point in " + axes.length + " dimensions");
            }
            for (int point = 0; point < points; point++) {
                double square = 0;
                int rest = point;
                for (int a = axes.length - 1; a >= 0; a--) {
                    double distance = axes[a][rest % axes[a].length] - ends[e][a];
                    rest /= axes[a].length;
                    square += distance * distance;
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
                .multiply(
                        matrix,
                        1,
                        1,
                        x.arrays().getFirst().part(),
                        y.arrays().getFirst().part());
    }

    @Override
    protected void applyAdjoint(Vector y, Vector x) {
        backend()
                .compute()
                .multiply(
                        transposed,
                        1,
                        1,
                        y.arrays().getFirst().part(),
                        x.arrays().getFirst().part());
    }
}
