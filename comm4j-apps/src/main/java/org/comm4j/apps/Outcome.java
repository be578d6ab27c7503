// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.apps;

import java.util.List;
import java.util.Locale;

/**
 * The outcome of an inversion, equal on every rank but for the time.
 *
 * @param how it ended, as the solver says it
 * @param iterations that were made
 * @param seconds that they took
 * @param misfit |d − A m| by |d|
 * @param startError error of the model that the iterations began with
 * @param error error of the model that they found
 * @param costs norm of the residual by that of the data, at the start and after each iteration; with a regularisation,
 *     of both
 * @param sections for a picture; none if there is to be none
 */
public record Outcome(
        String how,
        int iterations,
        double seconds,
        double misfit,
        double startError,
        double error,
        double[] costs,
        List<Section> sections) {
    /** Returns the lines that programs print. */
    public List<String> lines() {
        return List.of(
                how,
                String.format(
                        Locale.ROOT,
                        "misfit %.3g, model error %.3g (at the start %.3g); %d iterations in %.3f s, %.1f a second",
                        misfit,
                        error,
                        startError,
                        iterations,
                        seconds,
                        seconds > 0 ? iterations / seconds : 0));
    }
}
