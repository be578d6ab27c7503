// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.math;

import static java.util.Objects.requireNonNull;

import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;

/** The terms of sweeps in host memory: an update and its squared norm are one loop. */
final class SweepLoops {
    private final CpuCompute compute;
    private final ExactLoops exact = new ExactLoops();

    SweepLoops(CpuCompute compute) {
        this.compute = compute;
    }

    void run(Sweep.Term term) {
        Scalar result = term.result();
        double re = 0;
        double im = 0;
        if (result != null && term.add()) {
            re = result.real();
            im = result.imaginary();
        }
        switch (term.kind()) {
            case DOT -> compute.dot(term.x(), term.y(), requireNonNull(result));
            case VDOT, NORM -> compute.vdot(term.x(), term.y(), requireNonNull(result));
            case UPDATE -> compute.axpby(term.a(), term.x(), term.b(), term.y());
            case SQUARES -> requireNonNull(result).set(updateWithSquares(term));
            case EXACT_DOT, EXACT_VDOT, EXACT_SQUARES, EXACT_MODULI -> exact.accumulate(term);
            case ROUND -> exact.round(term);
            case NONE -> {}
        }
        if (result != null && term.add()) {
            result.set(re + result.real(), im + result.imaginary());
        }
    }

    private double updateWithSquares(Sweep.Term term) {
        HostArray x = (HostArray) term.x();
        HostArray y = (HostArray) term.y();
        double ar = term.a().real();
        double br = term.b().real();
        boolean wide = Compute.real(y.type()) == DataType.FLOAT64;
        long n = Operands.parts(y);
        boolean loop =
                ar != 0 && br == 1 && term.a().imaginary() == 0 && term.b().imaginary() == 0;
        if (!loop) {
            compute.axpby(term.a(), x, term.b(), y);
        }
        if (wide) {
            return loop
                    ? VectorLoops.axpySquares64(ar, x.segment(), y.segment(), n)
                    : VectorLoops.dot64(y.segment(), y.segment(), n);
        }
        return loop
                ? VectorLoops.axpySquares32((float) ar, x.segment(), y.segment(), n)
                : VectorLoops.dot32(y.segment(), y.segment(), n);
    }
}
