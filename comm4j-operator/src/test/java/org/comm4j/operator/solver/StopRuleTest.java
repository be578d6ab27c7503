// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.operator.solver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.comm4j.array.Backend;
import org.comm4j.array.DistributedArray;
import org.comm4j.array.Vector;
import org.comm4j.operator.LinearOperator;
import org.comm4j.operator.MatrixMult;
import org.comm4j.operator.Ranks;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The iteration at which rules stop, and the history until then, beside the algorithms in sequential Java. */
class StopRuleTest {
    private static final int ROWS = 11;
    private static final int COLUMNS = 7;
    private static final int ITERATIONS = 6;

    /**
     * What the algorithm in Java has computed.
     *
     * @param squares of what the rule looks at, at the start and after each iteration
     * @param costs |y − A x| likewise
     */
    private record History(List<Double> squares, List<Double> costs, double[] x) {}

    private static double[] times(double[][] a, boolean transposed, double... x) {
        double[] y = new double[transposed ? a[0].length : a.length];
        for (int i = 0; i < a.length; i++) {
            for (int j = 0; j < a[0].length; j++) {
                y[transposed ? j : i] += a[i][j] * x[transposed ? i : j];
            }
        }
        return y;
    }

    private static double square(double... x) {
        double sum = 0;
        for (double each : x) {
            sum += each * each;
        }
        return sum;
    }

    /** Adds a multiple of a vector to another one. */
    private static void add(double[] to, double factor, double... x) {
        for (int i = 0; i < to.length; i++) {
            to[i] += factor * x[i];
        }
    }

    private static History leastSquares(double[][] a, double[] y, double damp) {
        double[] x = new double[a[0].length];
        double[] s = y.clone();
        double[] p = times(a, true, s);
        double gamma = square(p);
        History made = new History(new ArrayList<>(List.of(gamma)), new ArrayList<>(List.of(Math.sqrt(square(s)))), x);
        for (int k = 0; k < ITERATIONS; k++) {
            double[] q = times(a, false, p);
            double step = gamma / (square(q) + damp * damp * square(p));
            add(x, step, p);
            add(s, -step, q);
            double[] r = times(a, true, s);
            add(r, -damp * damp, x);
            double next = square(r);
            add(r, next / gamma, p);
            p = r;
            gamma = next;
            made.squares.add(gamma);
            made.costs.add(Math.sqrt(square(s)));
        }
        return made;
    }

    /** Solves (A + damp I) x = y for a symmetric A. */
    private static History conjugateGradients(double[][] a, double[] y, double damp) {
        double[] x = new double[y.length];
        double[] r = y.clone();
        double[] p = r.clone();
        double gamma = square(r);
        History made = new History(new ArrayList<>(List.of(gamma)), new ArrayList<>(List.of(Math.sqrt(gamma))), x);
        for (int k = 0; k < ITERATIONS; k++) {
            double[] q = times(a, false, p);
            add(q, damp, p);
            double product = 0;
            for (int i = 0; i < p.length; i++) {
                product += p[i] * q[i];
            }
            double step = gamma / product;
            add(x, step, p);
            add(r, -step, q);
            double next = square(r);
            double[] turned = r.clone();
            add(turned, next / gamma, p);
            p = turned;
            gamma = next;
            made.squares.add(gamma);
            made.costs.add(Math.sqrt(gamma));
        }
        return made;
    }

    private interface Make {
        Solver of(LinearOperator a, Vector y);
    }

    private static void compare(
            Backend backend, double[][] matrix, double[] y, double damp, Make make, History expected) {
        int rows = matrix.length;
        int columns = matrix[0].length;
        double[] elements = new double[rows * columns];
        for (int i = 0; i < rows; i++) {
            System.arraycopy(matrix[i], 0, elements, i * columns, columns);
        }
        DistributedArray whole = backend.of(backend.replicated(rows, columns), elements);
        // One column of vectors, divided among the ranks.
        LinearOperator a = MatrixMult.of(whole, backend.scattered(0, columns, 1), 0);
        DistributedArray data = backend.of(a.range(), y);
        double start = expected.squares.getFirst();
        double least = start;
        for (int k = 1; k <= ITERATIONS; k++) {
            double square = expected.squares.get(k);
            if (square >= 0.9 * least) {
                continue;
            }
            double limit = Math.sqrt(square * least);
            least = square;
            Solver relative = make.of(a, data).damp(damp).iterations(50).tolerance(Math.sqrt(limit / start));
            Solver absolute = make.of(a, data).damp(damp).iterations(50).stopBelow(limit);
            Solver counted = make.of(a, data).damp(damp).iterations(k);
            for (Solver solver : List.of(relative, absolute, counted)) {
                solver.solve().close();
                SolverResult result = solver.result();
                assertThat(result.iterations()).as("%s", result).isEqualTo(k);
                assertThat(result.reason()).isEqualTo(solver == counted ? StopReason.ITERATIONS : StopReason.CONVERGED);
                for (int i = 0; i <= k; i++) {
                    assertThat(result.costs()[i]).isEqualTo(expected.costs.get(i), within(1e-11 * start));
                }
            }
        }
        assertThat(least).as("rules were tried").isLessThan(start);
        Vector x = make.of(a, data).damp(damp).iterations(ITERATIONS).solve();
        assertThat(x.minus(backend.of(a.domain(), expected.x)).norm()).isLessThan(1e-10);
    }

    @ParameterizedTest
    @CsvSource({"1, 0", "1, 0.7", "2, 0.7", "3, 0", "3, 1.5"})
    void solversStopAtTheirIteration(int ranks, double damp) {
        Random random = new Random(3);
        double[][] tall = new double[ROWS][];
        for (int i = 0; i < ROWS; i++) {
            tall[i] = random.doubles(COLUMNS, -1, 1).toArray();
        }
        double[][] definite = new double[COLUMNS][];
        for (int j = 0; j < COLUMNS; j++) {
            double[] unit = new double[COLUMNS];
            unit[j] = 1;
            definite[j] = times(tall, true, times(tall, false, unit));
        }
        double[] data = random.doubles(ROWS, -1, 1).toArray();
        double[] right = times(tall, true, data);
        Ranks.run(ranks, backend -> {
            compare(backend, tall, data, damp, Cgls::of, leastSquares(tall, data, damp));
            compare(backend, definite, right, damp, Cg::of, conjugateGradients(definite, right, damp));
        });
    }
}
