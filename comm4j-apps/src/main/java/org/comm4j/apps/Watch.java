// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.apps;

import java.util.List;

/**
 * The progress and pictures of an inversion, equal on every rank.
 *
 * @param progress whether rank 0 shows how far the solver is
 * @param drawn whether sections for a picture are wanted
 * @param every number of iterations between two frames; 0 for no frames
 * @param frames take the frames, on every rank
 */
public record Watch(boolean progress, boolean drawn, int every, Frames frames) {
    /** A watch that sees nothing but the outcome. */
    public static final Watch NOTHING = new Watch(false, false, 0, (_, _, _, _) -> {});

    /** Checks the options. */
    public Watch {
        if (every < 0) {
            throw new IllegalArgumentException("--every " + every + ": at least 1");
        }
    }

    /** A taker of sections and residuals in the middle of a solver's run. */
    @FunctionalInterface
    public interface Frames {
        /**
         * Takes a frame.
         *
         * @param iteration number of iterations that were made
         * @param sections as an outcome has them
         * @param measure as an outcome has it
         * @param costs as an outcome has them
         */
        void frame(int iteration, List<Section> sections, String measure, double... costs);
    }
}
