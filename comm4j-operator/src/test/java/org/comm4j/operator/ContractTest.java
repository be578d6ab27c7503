// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.operator;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.comm4j.core.DataType;
import org.comm4j.core.contract.PublicTypes;
import org.comm4j.operator.Catalogue.Entry;
import org.comm4j.test.Nightly;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What holds for every operator, on generated shapes and layouts: balanced, uneven and empty parts, blocks, groups. The
 * dot test in four types; linearity; and the same matrix for all layouts and rank counts, which is that of plain Java.
 */
class ContractTest {
    private static final long SEED = Long.getLong("comm4j.seed", System.nanoTime());

    private static final List<DataType> TYPES =
            List.of(DataType.FLOAT64, DataType.FLOAT32, DataType.COMPLEX128, DataType.COMPLEX64);

    /** Operators with a domain of the layout that they are made for, which can be above each other. */
    private static final List<Entry> LEAVES = Catalogue.all().stream()
            .filter(entry -> entry.whole() && entry.covers() != Kronecker.class)
            .toList();

    @ParameterizedTest
    @MethodSource("org.comm4j.operator.Ranks#counts")
    void everyOperatorInEveryLayout(int ranks) {
        System.out.println("operators on " + ranks + " ranks: seed " + SEED);
        Random random = new Random(SEED + ranks);
        List<Problem> problems = new ArrayList<>();
        for (int time = 0; time < (Ranks.areMany() ? 2 : 1); time++) {
            List<Division> divisions = divisions(random, ranks, time);
            for (Entry entry : Catalogue.all()) {
                // One of them, another one for each axis and number of ranks; all by night.
                int first = random.nextInt(divisions.size());
                for (int i = 0; i < (Ranks.areMany() ? divisions.size() : 1); i++) {
                    add(problems, random, new Tree.Leaf(entry), divisions.get((first + i) % divisions.size()));
                }
            }
        }
        Problem.check(ranks, problems);
    }

    @ParameterizedTest
    @MethodSource("org.comm4j.operator.Ranks#counts")
    void stacksOfStacks(int ranks) {
        System.out.println("stacks on " + ranks + " ranks: seed " + SEED);
        Random random = new Random(SEED + ranks);
        List<Problem> problems = new ArrayList<>();
        for (int time = 0; time < (Ranks.areMany() ? 100 : Nightly.times(4, 8)); time++) {
            List<Division> divisions = divisions(random, ranks, time);
            add(problems, random, Tree.random(random, LEAVES, 3), divisions.get(random.nextInt(divisions.size())));
        }
        Problem.check(ranks, problems);
    }

    private static List<Division> divisions(Random random, int ranks, int time) {
        long[] shape = {random.nextInt(2, 6), random.nextInt(1, 4), random.nextInt(2, 9)};
        if (time % 2 == 0) {
            shape[1] = 3; // what the parameters of an elastic model are
        }
        return Division.all(random, ranks, shape);
    }

    /** Adds the problems of an operator in some types, if it takes the layout. */
    private static void add(List<Problem> problems, Random random, Tree tree, Division division) {
        long seed = random.nextLong();
        DataType other = TYPES.get(random.nextInt(1, TYPES.size()));
        if (tree.takes(division.layout())) {
            for (DataType type :
                    Ranks.areMany() ? TYPES : Nightly.variants((int) seed, List.of(DataType.FLOAT64, other))) {
                problems.add(new Problem(tree, division, type, seed));
            }
        }
    }

    /** Compares with the classes of the packages: a new operator has no test until it is in the catalogue. */
    @Test
    void noOperatorIsForgotten() {
        Set<String> found = new TreeSet<>();
        for (Class<?> type : PublicTypes.beside(LinearOperator.class)) {
            boolean makes = Stream.of(type.getDeclaredMethods())
                    .anyMatch(method -> Modifier.isStatic(method.getModifiers())
                            && Modifier.isPublic(method.getModifiers())
                            && (LinearOperator.class.isAssignableFrom(method.getReturnType())
                                    || method.getReturnType().getSimpleName().equals("Builder")));
            if (makes && !type.isMemberClass() && !type.getPackageName().endsWith(".solver")) {
                found.add(type.getSimpleName());
            }
        }
        Set<String> covered = new TreeSet<>();
        Catalogue.all().forEach(entry -> covered.add(entry.covers().getSimpleName()));
        assertThat(covered).isEqualTo(found);
    }
}
