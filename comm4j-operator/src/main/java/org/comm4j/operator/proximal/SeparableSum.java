// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.operator.proximal;

import static org.comm4j.core.spi.Arguments.nonNull;

import java.util.ArrayList;
import java.util.List;
import org.comm4j.array.DistributedArray;
import org.comm4j.array.Pointwise;
import org.comm4j.array.Vector;
import org.comm4j.math.Coefficient;

/**
 * The sum Σ_k f_k(x_k) of a function of each array of a stack (PyProximal {@code VStack}); its map is that of each
 * array by itself.
 */
public final class SeparableSum extends Proximal {
    private final List<Proximal> functions;

    private SeparableSum(Proximal... functions) {
        this.functions = List.of(functions);
    }

    /** Returns the sum, with the functions in the order of the arrays. */
    public static SeparableSum of(Proximal... functions) {
        nonNull(functions, "SeparableSum.of", "functions");
        return new SeparableSum(functions);
    }

    private List<DistributedArray> parts(Vector x) {
        List<DistributedArray> all = x.arrays();
        if (all.size() != functions.size()) {
            throw new IllegalArgumentException("SeparableSum: " + x + " has " + all.size() + " arrays, not one for each"
                    + " of " + functions.size() + " functions");
        }
        return all;
    }

    @Override
    public double value(Vector x) {
        List<DistributedArray> all = parts(x);
        double sum = 0;
        for (int i = 0; i < all.size(); i++) {
            sum += functions.get(i).value(all.get(i));
        }
        return sum;
    }

    @Override
    public Vector grad(Vector x, Vector result) {
        List<DistributedArray> all = parts(x);
        for (int i = 0; i < all.size(); i++) {
            functions.get(i).grad(all.get(i), result.arrays().get(i));
        }
        return result;
    }

    @Override
    public Step prepareGrad(Vector x, Vector result) {
        List<DistributedArray> all = parts(x);
        List<Step> steps = new ArrayList<>();
        for (int i = 0; i < all.size(); i++) {
            steps.add(functions.get(i).prepareGrad(all.get(i), result.arrays().get(i)));
        }
        return together(new Step(running(steps)), steps);
    }

    @Override
    public Step prepare(Pointwise update, Coefficient tau) {
        Vector u = update.vector().like();
        Vector v = u.like();
        List<DistributedArray> from = parts(u);
        List<Step> steps = new ArrayList<>();
        for (int i = 0; i < from.size(); i++) {
            Pointwise own = Pointwise.of(from.get(i)).into(v.arrays().get(i));
            steps.add(functions.get(i).prepare(own, tau));
        }
        return together(new Step(update.around(u, running(steps), v), u, v), steps);
    }

    private static Runnable running(List<Step> steps) {
        Step[] all = steps.toArray(Step[]::new);
        return () -> {
            for (Step step : all) {
                step.run();
            }
        };
    }

    private static Step together(Step whole, List<Step> steps) {
        steps.forEach(whole::with);
        return whole;
    }

    @Override
    public String toString() {
        return "SeparableSum" + functions;
    }
}
