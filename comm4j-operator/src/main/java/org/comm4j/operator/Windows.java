// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.operator;

import java.util.Arrays;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.comm4j.array.Backend;
import org.comm4j.array.Layout;
import org.comm4j.array.Partition;
import org.comm4j.core.DataType;
import org.comm4j.math.AxisMatrix;

/**
 * An operator that is applied to windows, whose results overlap and are added with weights: what sliding windows and
 * patches of any number of axes have in common. Windows of divided data are divided among the ranks along the first
 * axis; the ranks exchange the rows of results that others need, once in each direction.
 */
final class Windows {
    private final String name;
    private final LinearOperator each;
    private final Backend backend;
    private final DataType type;
    private final Layout data;
    private final Taper taper;
    private final int[] window;
    private final int[] overlap;
    private final long[] counts;

    private Windows(String name, LinearOperator each, Layout data, Taper taper, int[] window, int[] overlap) {
        this.name = name;
        this.each = each;
        backend = each.backend();
        type = each.type();
        this.data = data;
        this.taper = taper;
        this.window = window.clone();
        this.overlap = overlap.clone();
        check();
        counts = new long[window.length];
        Arrays.setAll(counts, i -> (data.length(i) - window[i]) / (window[i] - overlap[i]) + 1);
    }

    /**
     * Returns the operator from windows to data.
     *
     * @param each operator of a window, with replicated or local vectors
     * @param data layout of the range
     * @param window lengths along the first axes
     * @param overlap of neighbouring windows along these axes
     */
    static LinearOperator of(
            String name, LinearOperator each, Layout data, Taper taper, int ndim, int[] window, int[] overlap) {
        if (data.ndim() != ndim) {
            throw new IllegalArgumentException(name + ": " + data + " has not " + ndim + " axes");
        }
        return new Windows(name, each, data, taper, window, overlap).build();
    }

    private void check() {
        if (data.groups().length > 0 || data.partition() == Partition.STACKED) {
            throw new IllegalArgumentException(name + ": " + data + " must not be a stack or divided in groups");
        }
        if (isDivided(each.domain()) || isDivided(each.range()) || each.changesType()) {
            throw new IllegalArgumentException(name + ": the operator " + each
                    + " of a window must have replicated or local vectors, of one type");
        }
        long elements = 1;
        for (int i = 0; i < data.ndim(); i++) {
            elements *= i < window.length ? window[i] : data.length(i);
        }
        if (overlap.length != window.length) {
            throw new IllegalArgumentException(
                    name + ": " + overlap.length + " overlaps for " + window.length + " axes of windows");
        }
        for (int i = 0; i < window.length; i++) {
            boolean fits = window[i] >= 1 && window[i] <= data.length(i) && overlap[i] >= 0 && overlap[i] < window[i];
            if (!fits || taper != Taper.NONE && overlap[i] > window[i] / 2) {
                throw new IllegalArgumentException(name + ": windows of " + window[i] + " elements with an overlap of "
                        + overlap[i] + " along axis " + i + " of " + data
                        + ": an axis must have a window at least, and an overlap be shorter than a window"
                        + (taper == Taper.NONE ? "" : ", half of it at most with a taper"));
            }
        }
        if (each.range().size() != elements) {
            throw new IllegalArgumentException(name + ": the operator " + each + " of a window makes "
                    + each.range().size() + " elements, and windows have " + elements);
        }
    }

    private static boolean isDivided(Layout layout) {
        return layout.isDivided() || layout.partition() == Partition.STACKED;
    }

    private LinearOperator build() {
        int axes = window.length;
        long[] own = each.domain().shape();
        long[] tail = Arrays.copyOfRange(data.shape(), axes, data.ndim());
        Layout model = layout(1, joined(counts, own));
        long windows = product(counts);
        long inner = windows / counts[0];
        Layout lines = layout(inner, windows, product(own));
        LinearOperator chain = new Reshape(backend, model, lines, type);
        chain = then(chain, new Lines(each, lines));
        long[] sizes = IntStream.of(window).asLongStream().toArray();
        Layout apart = layout(1, joined(counts, joined(sizes, tail)));
        chain = then(chain, new Reshape(backend, chain.range(), apart, type));
        chain = then(chain, Transpose.of(backend, apart, type, pairs(axes, data.ndim())));
        long[] rows = new long[axes];
        Arrays.setAll(rows, i -> counts[i] * window[i]);
        chain = then(chain, new Reshape(backend, chain.range(), layout(window[0], joined(rows, tail)), type));
        for (int axis = axes - 1; axis > 0; axis--) {
            int along = axis;
            chain = then(
                    chain,
                    new AxisOperator(
                            backend, chain.range(), type, axis, data.length(axis), matrix -> sum(along, matrix)));
        }
        boolean rowwise = !data.isDivided() || data.partition() == Partition.SCATTERED && data.axis() == 0;
        Layout result = rowwise ? data : backend.scattered(0, data.shape());
        chain = then(chain, new AxisOperator(backend, chain.range(), result, type, 0, matrix -> sum(0, matrix)));
        return rowwise ? chain : then(chain, Redistribute.of(backend, result, data, type));
    }

    private static LinearOperator then(LinearOperator first, LinearOperator second) {
        return second.times(first);
    }

    /** Returns a layout whose first axis has so many rows for each window of it. */
    private Layout layout(long rows, long... shape) {
        if (!data.isDivided()) {
            return data.partition() == Partition.LOCAL ? backend.local(shape) : backend.replicated(shape);
        }
        Layout of = backend.scattered(0, counts[0]);
        long[] sizes = new long[backend.size()];
        Arrays.setAll(sizes, rank -> of.localShape(rank)[0] * rows);
        return Layout.scattered(sizes, 0, shape);
    }

    /** Puts the index of a window before that of its elements, axis by axis. */
    private static int[] pairs(int axes, int ndim) {
        int[] order = new int[axes + ndim];
        Arrays.setAll(order, i -> i < 2 * axes ? i / 2 + i % 2 * axes : i);
        return order;
    }

    /** Describes the matrix that adds windows along an axis; the ends of the axis have full weights. */
    private void sum(int axis, AxisMatrix.Builder matrix) {
        double[] weights = taper.weights(window[axis], overlap[axis]);
        int step = window[axis] - overlap[axis];
        for (long i = 0; i < data.length(axis); i++) {
            long first = Math.max(0, Math.ceilDiv(i - window[axis] + 1, step));
            for (long w = first; w < counts[axis] && w * step <= i; w++) {
                int at = (int) (i - w * step);
                boolean end =
                        w == 0 && at < overlap[axis] || w == counts[axis] - 1 && at >= window[axis] - overlap[axis];
                matrix.element(w * window[axis] + at, end ? 1 : weights[at]);
            }
            matrix.endRow();
        }
    }

    private static long[] joined(long[] a, long[] b) {
        return LongStream.concat(LongStream.of(a), LongStream.of(b)).toArray();
    }

    private static long product(long... lengths) {
        return LongStream.of(lengths).reduce(1, Math::multiplyExact);
    }
}
