// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.operator.solver;

import org.comm4j.array.Vector;
import org.comm4j.kernel.lang.F64Ptr;
import org.comm4j.math.Coefficient;

/** Replacement of vectors by new values, which a solver that has stopped leaves as they are. */
final class Renewal {
    // Factors behind those of the direction

    private static final int FRESH = 4;
    private static final int KEEP = 5;
    private static final int MINUS = 6;

    private final Coefficient fresh;
    private final Coefficient keep;
    private final Coefficient minus;

    Renewal(State state) {
        fresh = state.factor(FRESH);
        keep = state.factor(KEEP);
        minus = state.factor(MINUS);
    }

    /** Sets v to a value. */
    void of(Vector value, Vector v) {
        v.axpby(fresh, value, keep);
    }

    /** Sets v to a − b. */
    void of(Vector a, Vector b, Vector v) {
        of(a, v);
        v.axpby(minus, b, Coefficient.ONE);
    }

    // Parts of calculations

    static void go(F64Ptr state) {
        state.set(State.factorAt(FRESH), 1);
        state.set(State.factorAt(KEEP), 0);
        state.set(State.factorAt(MINUS), -1);
    }

    static void stay(F64Ptr state) {
        state.set(State.factorAt(FRESH), 0);
        state.set(State.factorAt(KEEP), 1);
        state.set(State.factorAt(MINUS), 0);
    }
}
