// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.operator.solver;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.function.Function;
import org.comm4j.array.Backend;
import org.comm4j.array.Dots;
import org.comm4j.array.Layout;
import org.comm4j.array.Vector;
import org.comm4j.core.DataType;
import org.comm4j.math.Coefficient;
import org.comm4j.operator.Diagonal;
import org.comm4j.operator.LinearOperator;
import org.comm4j.operator.PeerJob;
import org.comm4j.operator.Ranks;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Dot products and solvers on ranks that reach each other's memory: the sums over ranks are no reductions then. */
class PeerDotsTest {
    /** Runs a program without such memory and with it, and compares every bit; returns the reductions with it. */
    private static int compare(int ranks, Function<Backend, double[]> program) {
        double[][] expected = new double[ranks][];
        Ranks.run(ranks, backend -> expected[backend.rank()] = program.apply(backend));
        PeerJob job = new PeerJob(ranks);
        Ranks.run(ranks, backend -> {
            try (Backend own = Backend.of(job.peers(backend.communicator()))) {
                assertThat(program.apply(own)).isEqualTo(expected[own.rank()]);
            }
        });
        return job.calls("allReduce");
    }

    /** Several dots at once, of divided and replicated arrays, again and again: no reduction is left. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void dotsHaveTheBitsOfReductions(int ranks) {
        int reductions = compare(ranks, backend -> {
            Vector x = backend.random(backend.scattered(0, 57), DataType.COMPLEX128, 5);
            Vector y = backend.random(backend.scattered(0, 57), DataType.COMPLEX128, 6);
            Vector z = backend.random(backend.replicated(9), DataType.COMPLEX128, 7);
            Dots dots = Dots.of(x, x).and(x, y).andUnconjugated(y, y).and(z, z);
            double[] seen = new double[40];
            for (int turn = 0; turn < 5; turn++) {
                dots.reduce();
                for (int dot = 0; dot < 4; dot++) {
                    seen[8 * turn + 2 * dot] = dots.real(dot);
                    seen[8 * turn + 2 * dot + 1] = dots.imaginary(dot);
                }
                x.scale(Coefficient.of(1.25));
            }
            return seen;
        });
        assertThat(reductions).isZero();
    }

    /** More dots than a kernel sums are reduced, and so are reproducible ones. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void otherDotsAreReduced(boolean reproducible) {
        int reductions = compare(2, backend -> {
            Vector x = backend.random(backend.scattered(0, 7), DataType.FLOAT64, 5);
            Dots dots = reproducible ? Dots.of(x, x).reproducible() : Dots.of(x, x);
            for (int i = 0; i < 32 && !reproducible; i++) {
                dots.and(x, x);
            }
            return new double[] {dots.reduce().real(0)};
        });
        assertThat(reductions).isEqualTo(2);
    }

    /** An iteration has no reductions left, and the same bits. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void solversIterateWithoutReductions(boolean squares) {
        int[] reductions = new int[2];
        for (int k = 0; k < 2; k++) {
            int iterations = 3 + 5 * k;
            reductions[k] = compare(3, backend -> {
                Layout layout = backend.scattered(0, 41);
                LinearOperator a = Diagonal.of(backend.random(layout, DataType.FLOAT64, 8));
                Vector y = backend.random(layout, DataType.FLOAT64, 9);
                Solver solver = squares ? Cgls.of(a, y) : Cg.of(a, y);
                Vector x = solver.iterations(iterations).tolerance(0).solve();
                return x.arrays().getFirst().toHost().toDoubleArray();
            });
        }
        assertThat(reductions[1]).isEqualTo(reductions[0]);
    }
}
