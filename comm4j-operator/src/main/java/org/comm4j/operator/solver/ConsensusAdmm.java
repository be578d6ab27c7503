// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.operator.solver;

import static org.comm4j.core.spi.Arguments.noNulls;

import java.util.ArrayList;
import java.util.List;
import org.comm4j.array.Pointwise;
import org.comm4j.array.Vector;
import org.comm4j.math.Coefficient;
import org.comm4j.operator.proximal.Proximal;

/**
 * The alternating direction method of multipliers for a consensus of any number of functions (Boyd et al. 2011, 7.1,
 * PyProximal {@code ConsensusADMM}): the x that minimises Σ fᵢ(x).
 *
 * <p>An iteration is xᵢ = prox_(τ fᵢ)(x − uᵢ) for each function, x = the mean of xᵢ, uᵢ = uᵢ + xᵢ − x. A function with
 * an operator is an {@link org.comm4j.operator.proximal.L2}, for instance.
 */
public final class ConsensusAdmm extends Splitting<ConsensusAdmm> {
    private final List<Proximal> functions;
    private double tau = 1;

    private ConsensusAdmm(Vector start, Proximal... functions) {
        super("ConsensusAdmm", start);
        this.functions = List.of(functions);
        atLeastOne("functions", functions.length);
    }

    /**
     * Returns the solver of a problem.
     *
     * @param start where it begins; it is not changed
     * @param functions one or more
     */
    public static ConsensusAdmm of(Vector start, Proximal... functions) {
        noNulls("ConsensusAdmm.of", "start", start, "functions", functions);
        return new ConsensusAdmm(start, functions);
    }

    @Override
    ConsensusAdmm self() {
        return this;
    }

    /** Sets the step; 1 unless set. It converges for every one. */
    public ConsensusAdmm tau(double step) {
        tau = positive("tau", step);
        return this;
    }

    @Override
    Algorithm algorithm(Solver options, Vector x, State state) {
        return new Steps(options, x, state);
    }

    private final class Steps extends SplittingSteps {
        /** 2 x − the x before. */
        private final Vector ahead;

        private final Runnable[] all;

        Steps(Solver options, Vector x, State state) {
            super(options, x, state);
            Coefficient ofTau = factor(0, tau);
            int count = functions.size();
            Coefficient share = Coefficient.of(1.0 / count);
            Vector sum = scratch(x);
            ahead = keep(scratch(x));
            List<Runnable> steps = new ArrayList<>();
            List<Runnable> means = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                Vector own = scratch(x);
                // uᵢ + xᵢ − x of the iteration before, where x is the old one; ahead − lag = x − uᵢ.
                Vector lag = keep(scratch(x));
                Pointwise aim = active(Pointwise.of(Coefficient.ONE, ahead, Coefficient.MINUS_ONE, lag))
                        .into(own)
                        .second(lag, Coefficient.ONE, Coefficient.ZERO, Coefficient.MINUS_ONE);
                steps.add(keep(functions.get(i).prepare(aim, ofTau)));
                Pointwise mean = i == 0
                        ? Pointwise.of(share, own, Coefficient.ZERO, own)
                        : Pointwise.of(Coefficient.ONE, sum, share, own);
                means.add(
                        i < count - 1
                                ? mean.into(sum)
                                : model(mean)
                                        .second(ahead, Coefficient.of(2), Coefficient.MINUS_ONE, Coefficient.ZERO));
            }
            steps.addAll(means);
            all = steps.toArray(Runnable[]::new);
            ending(END);
        }

        @Override
        void start() {
            ahead.assign(x);
        }

        @Override
        void advance() {
            for (Runnable each : all) {
                each.run();
            }
        }
    }
}
