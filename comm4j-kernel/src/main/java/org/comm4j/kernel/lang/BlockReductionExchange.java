// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.lang;

import org.comm4j.kernel.lang.BlockReduction.Operation;

/**
 * {@link BlockReduction} where threads are loops: they wait in {@code add}, {@code min} and {@code max}, which only the
 * compiler of these loops knows, and all get what comes of their values, in the same order.
 */
@KernelLibrary
final class BlockReductionExchange {
    private BlockReductionExchange() {}

    static void store(
            @Constant Operation operation,
            @Constant int count,
            double a,
            double b,
            double c,
            double d,
            F64Ptr to,
            long place,
            long stride) {
        double ofA = reduce(operation, a);
        double ofB = count > 1 ? reduce(operation, b) : 0;
        double ofC = count > 2 ? reduce(operation, c) : 0;
        double ofD = count > 3 ? reduce(operation, d) : 0;
        if ((ThreadIdx.x() | ThreadIdx.y() | ThreadIdx.z()) == 0) {
            to.set(place, ofA);
            if (count > 1) {
                to.set(place + stride, ofB);
            }
            if (count > 2) {
                to.set(place + 2 * stride, ofC);
            }
            if (count > 3) {
                to.set(place + 3 * stride, ofD);
            }
        }
    }

    private static double reduce(@Constant Operation operation, double value) {
        if (operation == Operation.ADD) {
            return add(value);
        }
        return operation == Operation.MIN ? min(value) : max(value);
    }

    private static double add(double value) {
        throw onlyInLoops();
    }

    private static double min(double value) {
        throw onlyInLoops();
    }

    private static double max(double value) {
        throw onlyInLoops();
    }

    static void store(
            @Constant Operation operation,
            @Constant int count,
            long a,
            long b,
            long c,
            long d,
            I64Ptr to,
            long place,
            long stride) {
        long ofA = reduce(operation, a);
        long ofB = count > 1 ? reduce(operation, b) : 0;
        long ofC = count > 2 ? reduce(operation, c) : 0;
        long ofD = count > 3 ? reduce(operation, d) : 0;
        if ((ThreadIdx.x() | ThreadIdx.y() | ThreadIdx.z()) == 0) {
            to.set(place, ofA);
            if (count > 1) {
                to.set(place + stride, ofB);
            }
            if (count > 2) {
                to.set(place + 2 * stride, ofC);
            }
            if (count > 3) {
                to.set(place + 3 * stride, ofD);
            }
        }
    }

    private static long reduce(@Constant Operation operation, long value) {
        if (operation == Operation.ADD) {
            return add(value);
        }
        return operation == Operation.MIN ? min(value) : max(value);
    }

    private static long add(long value) {
        throw onlyInLoops();
    }

    private static long min(long value) {
        throw onlyInLoops();
    }

    private static long max(long value) {
        throw onlyInLoops();
    }

    private static IllegalStateException onlyInLoops() {
        return new IllegalStateException("threads wait here in loops only");
    }
}
