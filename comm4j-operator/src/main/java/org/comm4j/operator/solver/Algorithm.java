// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.operator.solver;

import java.util.List;
import org.comm4j.array.Vector;

/**
 * The mathematics of a solver. Its numbers are a {@link State}, which stays where the vectors are: an iteration is
 * operations of vectors and calculations with numbers, none of which the host waits for.
 */
interface Algorithm extends AutoCloseable {
    /** Makes an algorithm for a solver's options, with the model that it changes and the memory of its numbers. */
    @FunctionalInterface
    interface Factory {
        Algorithm of(Solver options, Vector x, State state);

        /** Returns an empty text, or says what to do instead of setting a preconditioner. */
        default String insteadOfPreconditioner() {
            return "";
        }
    }

    /** Begins at the model, which holds zeros or the caller's start: computes vectors, and sets numbers on the host. */
    void begin();

    /** Sets the numbers on the host that are options of this run, and not what a run before it has reached. */
    default void setOptions() {}

    /**
     * Makes an iteration, or none once the state says that the solver has stopped: vectors and numbers then stay as
     * they are. It reads nothing on the host, so that it can be recorded, unless {@link #isRecordable} says else.
     */
    void iterate();

    /** Returns after how many iterations the next one is one of {@link #renew}; 0 for never. */
    default int renewal() {
        return 0;
    }

    /** Makes an iteration as {@link #iterate} does, and computes anew what rounding has moved away from the model. */
    default void renew() {
        iterate();
    }

    /** Returns whether {@link #iterate} reads nothing on the host. */
    default boolean isRecordable() {
        return true;
    }

    /** Returns where the number is whose history is kept. */
    default int history() {
        return State.COST;
    }

    /** Returns a word for {@link State#COST} in messages. */
    default String measure() {
        return "|r|";
    }

    /** Returns the growth of {@link State#OBJECTIVE} above its start that no rounding explains. */
    double growth();

    /** Returns the vectors besides the model that the next iteration begins with. */
    List<Vector> vectors();

    /** Frees the vectors, but not the model. */
    @Override
    void close();
}
