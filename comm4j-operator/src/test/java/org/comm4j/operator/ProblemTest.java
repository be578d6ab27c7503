// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.operator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.comm4j.array.Layout;
import org.comm4j.array.Partition;
import org.comm4j.array.Vector;
import org.comm4j.core.DataType;
import org.comm4j.math.Coefficient;
import org.comm4j.operator.Catalogue.Entry;
import org.comm4j.operator.Tree.Kind;
import org.comm4j.operator.Tree.Leaf;
import org.comm4j.operator.Tree.Stack;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Faults that are planted into operators are found, and told by the smallest problem that has them. */
class ProblemTest {
    private static Leaf leaf(String name) {
        return new Leaf(Catalogue.all().stream()
                .filter(entry -> entry.name().equals(name))
                .findFirst()
                .orElseThrow());
    }

    /** Returns twice the model; its adjoint is wrong if rank 1 has three elements or more of a divided array. */
    private static Leaf faulty() {
        return new Leaf(new Entry(
                "Faulty",
                FunctionOperator.class,
                layout -> true,
                true,
                (b, l, t) ->
                        FunctionOperator.of(b, l, l, t, (x, y) -> y.assign(x).scale(Coefficient.of(2)), (y, x) -> {
                            x.assign(y).scale(Coefficient.of(2));
                            if (l.isDivided() && b.rank() == 1 && l.localSize(1) >= 3) {
                                Vector first = x.arrays().getFirst().local(0, Layout.local(1));
                                first.scale(Coefficient.of(-1));
                            }
                        }),
                null));
    }

    private static Problem large(int ranks, int division, DataType type) {
        Division uneven = Division.all(new Random(3), ranks, 5, 3, 8).get(division);
        Tree inner = new Stack(Kind.COLUMN, List.of(leaf("Laplacian "), faulty()));
        return new Problem(
                new Stack(Kind.COLUMN, List.of(leaf("Flip along axis 0"), new Stack(Kind.DIAGONAL, List.of(inner)))),
                uneven,
                type,
                4711);
    }

    /** Replicated and local arrays of four ranks come first, then scattered ones, blocks and groups. */
    @ParameterizedTest
    @ValueSource(ints = {2, 4, 9, 10})
    void theSmallestProblemIsTold(int division) {
        Problem large = large(4, division, DataType.COMPLEX64);
        Throwable thrown = catchThrowable(() -> Problem.check(4, List.of(large)));
        assertThat(thrown)
                .isInstanceOf(AssertionError.class)
                .message()
                .containsPattern("^Faulty on 2 ranks, scattered \\[(3, 1, 1|1, 3, 1|1, 1, 3)] along axis [012] ")
                .contains("[0, ", "FLOAT64, seed 4711 failed: [dot test]", "tried after " + large);
    }

    @Test
    void whatIsRightPasses() {
        Problem.check(3, List.of(large(3, 0, DataType.COMPLEX128)));
    }

    @Test
    void anExceptionIsToldWithItsProblem() {
        Leaf refusing = new Leaf(new Entry(
                "Refusing",
                Identity.class,
                layout -> true,
                true,
                (b, l, t) -> {
                    if (b.size() > 1 && b.rank() == b.size() - 1) {
                        throw new IllegalStateException("refused");
                    }
                    return Identity.of(b, l, t);
                },
                null));
        Division division = Division.all(new Random(1), 3, 2, 3, 4).get(1);
        assertThatThrownBy(() -> Problem.check(3, List.of(new Problem(refusing, division, DataType.FLOAT32, 1))))
                .hasMessageStartingWith("Refusing on 2 ranks, replicated [1, 1, 1]")
                .hasMessageContaining("refused");
    }

    /** Every simpler division is one: with parts that fit its layout, and never the same one again. */
    @Test
    void simplerDivisionsEnd() {
        for (int ranks = 1; ranks <= 6; ranks++) {
            for (Division division : Division.all(new Random(ranks), ranks, 2, 2, 3)) {
                Set<String> seen = new HashSet<>();
                descend(division, seen);
                assertThat(seen).anyMatch(text -> text.contains("replicated [1, 1, 1]"));
            }
        }
    }

    private static void descend(Division division, Set<String> seen) {
        for (Division next : division.simpler()) {
            assertThat(next.layout().shape()).isEqualTo(next.shape());
            assertThat(cost(next)).as("%s after %s", next, division).isLessThan(cost(division));
            if (next.partition() == Partition.SCATTERED) {
                assertThat(next.layout().sizes(next.axis())).isEqualTo(next.sizes()[next.axis()]);
            }
            if (seen.add(next.ranks() + " " + next)) {
                descend(next, seen);
            }
        }
    }

    private static long cost(Division division) {
        long elements = Arrays.stream(division.shape()).reduce(1, (a, b) -> a * b);
        return 1000 * division.ranks() + 10 * elements + (division.partition() == Partition.REPLICATED ? 0 : 1);
    }
}
