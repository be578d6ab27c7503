// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.apps;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import org.comm4j.array.Vector;
import org.comm4j.operator.solver.Solver;
import org.comm4j.operator.solver.SolverResult;

/**
 * The outcome of an inversion, equal on every rank but for the time.
 *
 * @param how it ended, as the solver says it
 * @param iterations that were made
 * @param seconds that they took
 * @param misfit |d − A m| by |d|
 * @param startError error of the model that the iterations began with
 * @param error error of the model that they found
 * @param measure what the costs are
 * @param costs at the start and after each iteration
 * @param sections for a picture; none if there is to be none
 */
public record Outcome(
        String how,
        int iterations,
        double seconds,
        double misfit,
        double startError,
        double error,
        String measure,
        double[] costs,
        List<Section> sections) {
    /**
     * Collective: solves, and looks at the model that was found.
     *
     * @param history what the solver's costs are
     * @param startError error of the model that the iterations begin with
     */
    public static Outcome of(
            Solver solver,
            Watch watch,
            History history,
            double startError,
            ToDoubleFunction<Vector> misfit,
            ToDoubleFunction<Vector> error,
            Function<Vector, List<Section>> sections) {
        if (watch.progress()) {
            solver.progress();
        }
        if (watch.every() > 0) {
            solver.callback(
                    watch.every(),
                    run -> watch.frames()
                            .frame(
                                    run.number(),
                                    sections.apply(run.x()),
                                    history.measure(),
                                    relative(run.result(), history)));
        }
        long begin = System.nanoTime();
        try (Vector model = solver.solve()) {
            model.backend().compute().synchronize();
            double seconds = (System.nanoTime() - begin) * 1e-9;
            SolverResult result = solver.result();
            return new Outcome(
                    result.message(),
                    result.iterations(),
                    seconds,
                    misfit.applyAsDouble(model),
                    startError,
                    error.applyAsDouble(model),
                    history.measure(),
                    relative(result, history),
                    watch.drawn() ? sections.apply(model) : List.of());
        }
    }

    private static double[] relative(SolverResult result, History history) {
        return Arrays.stream(result.costs())
                .map(cost -> cost / history.divisor())
                .toArray();
    }

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
                        iterations / seconds));
    }
}
