// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.operator.solver;

import java.util.List;
import org.comm4j.array.Vector;
import org.jspecify.annotations.Nullable;

/** The mathematics of a solver: its vectors and numbers between two iterations. */
interface Algorithm extends AutoCloseable {
    /** Makes an algorithm for a solver's options, with the model that it changes. */
    @FunctionalInterface
    interface Factory {
        Algorithm of(Solver options, Vector x);
    }

    /**
     * The end of an algorithm by its own decision, equal on every rank.
     *
     * @param reason of the end
     * @param words that continue "after 3 iterations"
     */
    record End(StopReason reason, String words) {}

    /** Begins at the model, which holds zeros or the caller's start. */
    void begin();

    /** Makes an iteration; returns false if it cannot, and {@link #end} tells why. */
    boolean step();

    /** Returns the squared norm that the solver's stop rule looks at. */
    double square();

    /** Returns the squared norm that a relative tolerance of 1 stands for; known where the stop rule is relative. */
    double reference();

    /** Returns |y − A x|. */
    double residualNorm();

    /** Returns the norm that the solver makes small. */
    double objective();

    /** Returns the growth of {@link #objective} above its start that no rounding explains. */
    double growth();

    /** Returns why the algorithm itself ends; null if it does not. */
    default @Nullable End end() {
        return null;
    }

    /** Returns the vectors besides the model that the next iteration begins with. */
    List<Vector> vectors();

    /** Returns the numbers that the next iteration begins with. */
    double[] numbers();

    /** Sets what {@link #numbers} returned, after the vectors have been set. */
    void restore(double... numbers);

    /** Frees the vectors, but not the model. */
    @Override
    void close();
}
