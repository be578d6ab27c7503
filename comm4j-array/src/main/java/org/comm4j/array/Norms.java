// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.array;

import org.comm4j.core.ReduceOp;
import org.comm4j.math.Compute;
import org.comm4j.math.Scalar;
import org.comm4j.math.Scalars;

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

    private static double reduce(Vector x, ReduceOp op, double neutral, Contribution contribution) {
        Backend backend = x.backend();
        Scalars scalars = backend.compute().scalars(1);
        Scalar one = scalars.get(0);
        double scattered = neutral;
        double whole = neutral;
        boolean isScattered = false;
        for (DistributedArray array : x.arrays()) {
            contribution.compute(array, one);
            if (array.layout().partition() == Partition.SCATTERED) {
                isScattered = true;
                scattered = combine(op, scattered, one.real());
            } else {
                whole = combine(op, whole, one.real());
            }
        }
        if (isScattered && backend.size() > 1) {
            one.set(scattered);
            backend.operations().allReduce(one.buffer(), one.buffer(), op);
            scattered = one.real();
        }
        return combine(op, scattered, whole);
    }

    private static double combine(ReduceOp op, double a, double b) {
        return switch (op) {
            case MAX -> Math.max(a, b);
            case MIN -> Math.min(a, b);
            default -> a + b;
        };
    }
}
