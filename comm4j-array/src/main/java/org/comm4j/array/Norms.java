// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.array;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongToDoubleFunction;
import org.comm4j.core.Buffer;
import org.comm4j.core.DataType;
import org.comm4j.core.GroupedOperations;
import org.comm4j.core.HostArray;
import org.comm4j.core.ReduceOp;
import org.comm4j.math.AxisShape;
import org.comm4j.math.Complex;
import org.comm4j.math.Compute;
import org.comm4j.math.ExactSums;
import org.comm4j.math.Scalar;
import org.comm4j.math.Sweep;

/** Norms of vectors: sums, largest or smallest numbers over the arrays of this rank, then over the ranks. */
final class Norms {
    /** Sums of squares outside of this range may have lost digits by overflow or underflow. */
    private static final double SMALL = 0x1p-960;

    private static final double LARGE = 0x1p1000;

    /** Contribution of one array. */
    @FunctionalInterface
    private interface Contribution {
        void compute(DistributedArray array, Scalar result);
    }

    private Norms() {}

    static double norm(Vector x, double order) {
        if (Double.isNaN(order)) {
            throw new IllegalArgumentException("norm of " + x + ": the order is NaN");
        }
        Compute compute = x.backend().compute();
        if (order == Double.POSITIVE_INFINITY) {
            return reduce(x, ReduceOp.MAX, 0, (array, result) -> compute.largestModulus(array.part(), result));
        }
        if (order == Double.NEGATIVE_INFINITY) {
            return reduce(
                    x,
                    ReduceOp.MIN,
                    Double.POSITIVE_INFINITY,
                    (array, result) -> compute.smallestModulus(array.part(), result));
        }
        boolean exact = x.backend().isReproducible();
        if (exact && order == 2) {
            return exactNorm(x);
        }
        if (exact && order == 1) {
            return exactSum(x, (sweep, part, sums, index, add) -> sweep.moduli(part, sums, index, add));
        }
        if (exact && order != 0) {
            throw new IllegalArgumentException("norm of " + x + ": order " + order
                    + " has no reproducible sum; orders 0, 1, 2 and ±∞ have, or a Backend without reproducible()");
        }
        if (order != 2) {
            double sum =
                    reduce(x, ReduceOp.SUM, 0, (array, result) -> compute.sumOfPowers(array.part(), order, result));
            return order == 0 ? sum : Math.pow(sum, 1 / order);
        }
        double squares = reduce(x, ReduceOp.SUM, 0, (array, result) -> compute.sumOfSquares(array.part(), 1, result));
        if (squares > SMALL && squares < LARGE || Double.isNaN(squares)) {
            return Math.sqrt(squares);
        }
        // Every rank has the same sum, so that all come here or none.
        double largest = norm(x, Double.POSITIVE_INFINITY);
        if (largest == 0 || Double.isInfinite(largest)) {
            return largest;
        }
        double scaled =
                reduce(x, ReduceOp.SUM, 0, (array, result) -> compute.sumOfSquares(array.part(), largest, result));
        return largest * Math.sqrt(scaled);
    }

    /** A term of a sweep for one array. */
    @FunctionalInterface
    private interface ExactTerm {
        void add(Sweep sweep, Buffer part, ExactSums sums, int index, boolean add);
    }

    private static double exactNorm(Vector x) {
        double squares = exactSquares(x, 1);
        if (squares > SMALL && squares < LARGE || Double.isNaN(squares)) {
            return Math.sqrt(squares);
        }
        // Powers of two, by which nothing is rounded that counts.
        double factor = squares >= LARGE ? 0x1p-600 : 0x1p600;
        return Math.sqrt(exactSquares(x, factor)) / factor;
    }

    private static double exactSquares(Vector x, double factor) {
        return exactSum(x, (sweep, part, sums, index, add) -> sweep.squares(factor, part, sums, index, add));
    }

    /** Adds up over the arrays of this rank and the ranks, and rounds once. */
    private static double exactSum(Vector x, ExactTerm term) {
        Backend backend = x.backend();
        List<GroupedOperations> levels = new ArrayList<>();
        for (DistributedArray array : x.arrays()) {
            if (array.layout().isDivided() && !levels.contains(backend.operations(array.layout()))) {
                levels.add(backend.operations(array.layout()));
            }
        }
        Compute compute = backend.compute();
        ExactSums sums = levels.size() < 2 ? backend.exactScratch() : compute.exactSums(levels.size() + 1);
        Sweep sweep = new Sweep();
        Buffer nothing = x.arrays().getFirst().part().slice(0, 0);
        for (int i = 0; i < sums.count(); i++) {
            sweep.squares(1, nothing, sums, i, false);
        }
        for (DistributedArray array : x.arrays()) {
            boolean divided = array.layout().isDivided();
            int index = divided ? 1 + levels.indexOf(backend.operations(array.layout())) : 0;
            term.add(sweep, array.part(), sums, index, true);
        }
        compute.prepare(sweep).run();
        for (int i = 0; i < levels.size() && backend.size() > 1; i++) {
            Buffer level = sums.buffer().slice(2L * ExactSums.LENGTH * (i + 1), 2L * ExactSums.LENGTH);
            levels.get(i).allReduce(level, level, ReduceOp.SUM);
        }
        Scalar result = backend.scratch();
        compute.prepare(new Sweep().round(sums, sums.count(), result.buffer())).run();
        return result.real();
    }

    /**
     * Computes norms along an axis: of the rows of each rank's part, then of what the ranks have along the axis.
     *
     * @return the norms, replicated, or local of a local array
     */
    static DistributedArray along(DistributedArray x, double order, int axis) {
        if (Double.isNaN(order)) {
            throw new IllegalArgumentException("norm of " + x + ": the order is NaN");
        }
        Backend backend = x.backend();
        Layout layout = x.layout();
        boolean adds = order != 0 && !Double.isInfinite(order);
        if (backend.isReproducible() && adds && layout.sizes(axis).length > 1) {
            throw new IllegalArgumentException("norm of " + x + " along axis " + axis
                    + ": the axis is divided, and sums along it are not reproducible; redistribute it first");
        }
        DataType type = Compute.real(x.type());
        long[] ones = layout.sizes(axis);
        Arrays.fill(ones, 1);
        Layout each = layout.withSizes(axis, ones);
        backend.compute().synchronize();
        HostArray own = x.part().toHost();
        long[] local = layout.localShape(backend.rank());
        boolean complex = x.type().isComplex();
        HostArray partial = lines(
                local,
                axis,
                order,
                at -> complex ? Complex.modulus(own.getReal(at), own.getImaginary(at)) : Math.abs(own.getDouble(at)));
        HostArray all = partial;
        if (layout.isDivided()) {
            try (DistributedArray parts = backend.zeros(each, DataType.FLOAT64)) {
                parts.part().copyFrom(partial);
                all = parts.toHost();
            }
        }
        HostArray sums = all;
        HostArray norms = lines(each.shape(), axis, order == 0 ? 1 : order, sums::getDouble);
        long[] shape = layout.shape();
        long[] rest = new long[shape.length - 1];
        for (int a = 0; a < rest.length; a++) {
            rest[a] = shape[a < axis ? a : a + 1];
        }
        Layout result = layout.partition() == Partition.LOCAL ? Layout.local(rest) : Layout.replicated(rest);
        DistributedArray array = backend.zeros(result, type);
        HostArray rounded = HostArray.allocate(type, norms.count());
        for (long i = 0; i < norms.count(); i++) {
            rounded.setDouble(i, norms.getDouble(i));
        }
        array.part().copyFrom(rounded);
        return array;
    }

    /** Computes the norm of each line of an array along an axis, with numbers scaled by the largest one. */
    private static HostArray lines(long[] shape, int axis, double order, LongToDoubleFunction modulus) {
        AxisShape seen = AxisShape.of(axis, shape);
        long length = seen.length();
        long inner = seen.inner();
        HostArray norms = HostArray.allocate(DataType.FLOAT64, seen.outer() * inner);
        for (long line = 0; line < seen.outer() * inner; line++) {
            long first = line / inner * length * inner + line % inner;
            norms.setDouble(line, line(first, inner, length, order, modulus));
        }
        return norms;
    }

    private static double line(long first, long stride, long length, double order, LongToDoubleFunction modulus) {
        double largest = 0;
        double smallest = Double.POSITIVE_INFINITY;
        for (long i = 0; i < length; i++) {
            double value = modulus.applyAsDouble(first + i * stride);
            largest = Math.max(largest, value);
            smallest = Math.min(smallest, value);
        }
        if (order == Double.NEGATIVE_INFINITY) {
            return smallest;
        }
        boolean scales = order > 0 && largest > 0 && largest < Double.POSITIVE_INFINITY;
        if (order == Double.POSITIVE_INFINITY || order > 0 && !scales) {
            return largest;
        }
        double sum = 0;
        for (long i = 0; i < length; i++) {
            double value = modulus.applyAsDouble(first + i * stride);
            sum += order == 0 ? value == 0 ? 0 : 1 : Math.pow(scales ? value / largest : value, order);
        }
        return order == 0 ? sum : (scales ? largest : 1) * Math.pow(sum, 1 / order);
    }

    private static double reduce(Vector x, ReduceOp op, double neutral, Contribution contribution) {
        Backend backend = x.backend();
        Scalar one = backend.scratch();
        if (x.arrays().size() == 1) {
            // Nothing is read by the host before the ranks have added up.
            DistributedArray array = x.arrays().getFirst();
            contribution.compute(array, one);
            if (array.layout().isDivided() && backend.size() > 1) {
                backend.operations(array.layout()).allReduce(one.buffer(), one.buffer(), op);
            }
            return one.real();
        }
        double result = neutral;
        Map<GroupedOperations, Double> divided = new LinkedHashMap<>(2);
        for (DistributedArray array : x.arrays()) {
            contribution.compute(array, one);
            double own = one.real();
            if (array.layout().isDivided()) {
                divided.merge(backend.operations(array.layout()), own, (a, b) -> combine(op, a, b));
            } else {
                result = combine(op, result, own);
            }
        }
        for (Map.Entry<GroupedOperations, Double> part : divided.entrySet()) {
            double sum = part.getValue();
            if (backend.size() > 1) {
                one.set(sum);
                part.getKey().allReduce(one.buffer(), one.buffer(), op);
                sum = one.real();
            }
            result = combine(op, result, sum);
        }
        return result;
    }

    private static double combine(ReduceOp op, double a, double b) {
        return switch (op) {
            case MAX -> Math.max(a, b);
            case MIN -> Math.min(a, b);
            default -> a + b;
        };
    }
}
