// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.bench.prk;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.comm4j.shmem.OpenShmem;
import org.jspecify.annotations.Nullable;

/**
 * Changes the signs of a vector's elements, in loops with a branch and then in the same without; each PE on a vector of
 * its own, without communication.
 */
public record Branch(int iterations, int length, Kind kind) implements ResearchKernel {
    /** What stands between the loop and vector instructions. */
    public enum Kind {
        /** Nothing: the condition does not depend on memory. */
        VECTOR_GO,
        /** The condition depends on an element that is found by an index from memory. */
        VECTOR_STOP,
        /** Elements are found by an index from memory. */
        NO_VECTOR,
        /**
         * Nothing does; but each element takes a function of its own out of many, whose code exceeds the cache of
         * instructions.
         */
        INS_HEAVY;

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }

        /**
         * With this name.
         *
         * @throws IllegalArgumentException if there is none
         */
        public static Kind named(String name) {
            return List.of(values()).stream()
                    .filter(kind -> kind.toString().equals(name))
                    .findFirst()
                    .orElseThrow(() -> new IllegalArgumentException(
                            "branch: there is no branching type '" + name + "'; there are " + names()));
        }

        private static String names() {
            return Arrays.stream(values()).map(Kind::toString).collect(Collectors.joining(", "));
        }
    }

    public Branch {
        if (iterations < 2 || iterations % 2 != 0) {
            throw new IllegalArgumentException(
                    "branch: the number of iterations is " + iterations + ", but must be even and at least 2");
        }
        Checks.atLeast("branch", "the loop length", length, 1);
        if (kind == Kind.INS_HEAVY && length > MatrixFunctions.MOST) {
            throw new IllegalArgumentException("branch: the loop length is " + length + ", but " + kind
                    + " has functions for at most " + MatrixFunctions.MOST + " elements");
        }
    }

    @Override
    public String name() {
        return "branch";
    }

    @Override
    public String title() {
        return "Branching Bonanza";
    }

    @Override
    public Map<String, Object> parameters(int pes) {
        Map<String, Object> all = new LinkedHashMap<>();
        all.put("Vector length", length);
        all.put("Number of iterations", iterations);
        all.put("Branching type", kind);
        if (kind == Kind.INS_HEAVY) {
            all.put("Number of matrix functions", MatrixFunctions.COUNT);
            all.put("Matrix order", MatrixFunctions.ORDER);
        }
        return all;
    }

    @Override
    public void check(int pes) {}

    /** A pass is one iteration. */
    @Override
    public int[] marks() {
        return new int[] {0, iterations, 2 * iterations};
    }

    @Override
    public Rate[] rates(int pes, double[] seconds) {
        int order = MatrixFunctions.ORDER;
        double ofElement = kind == Kind.INS_HEAVY ? order * (19.0 * order + 6) : 4;
        double operations = ofElement * length * iterations * pes;
        return new Rate[] {
            new Rate(
                    "Mops/s with branches",
                    1e-6 * operations / seconds[0],
                    seconds[0],
                    "Rate (Mops/s) with branches:    %f time (s): %f"),
            new Rate(
                    "Mops/s without branches",
                    1e-6 * operations / seconds[1],
                    seconds[1],
                    "Rate (Mops/s) without branches: %f time (s): %f")
        };
    }

    @Override
    public Trial prepare(OpenShmem shmem, Totals totals) {
        return new Run(this, shmem, totals);
    }

    private static final class Run implements Trial {
        private final Branch kernel;
        private final OpenShmem shmem;
        private final Totals totals;
        private final int[] vector;
        private final int[] index;
        private final MatrixFunctions functions = MatrixFunctions.create();
        /**
         * The elements' pattern has a period of 8. As a constant the compiler would merge what every eighth element has
         * in common, and then could not make vector code of the loop.
         */
        private final int period;

        Run(Branch kernel, OpenShmem shmem, Totals totals) {
            this.kernel = kernel;
            this.shmem = shmem;
            this.totals = totals;
            this.vector = new int[kernel.length];
            this.index = new int[kernel.length];
            this.period = 7;
            for (int i = 0; i < vector.length; i++) {
                vector[i] = 3 - (i & 7);
                index[i] = i;
            }
        }

        @Override
        public void pass(int number) {
            boolean branches = number % (2 * kernel.iterations) < kernel.iterations;
            boolean even = number % 2 == 0;
            switch (kernel.kind) {
                case VECTOR_GO -> {
                    if (branches) {
                        go(vector, even ? -1 : 1, period);
                    } else {
                        plain(vector, even ? -1 : 1, period);
                    }
                }
                case VECTOR_STOP -> {
                    if (!branches) {
                        plain(vector, even ? -1 : 1, period);
                    } else if (even) {
                        stopEven(vector, index);
                    } else {
                        stopOdd(vector, index);
                    }
                }
                case NO_VECTOR -> {
                    if (branches && even) {
                        indexedEven(vector, index);
                    } else if (branches) {
                        indexedOdd(vector, index);
                    } else if (even) {
                        plainIndexedEven(vector, index);
                    } else {
                        plainIndexedOdd(vector, index);
                    }
                }
                case INS_HEAVY -> heavy(branches, even ? -1 : 1);
            }
        }

        /**
         * The branch as a choice by a mask: the compiler makes vector code of it, but not of one with {@code if}; of
         * other choices by masks only where the loop is inlined, or only where it is not.
         */
        private static void go(int[] vector, int sign, int period) {
            for (int i = 0; i < vector.length; i++) {
                int value = vector[i];
                int other = sign * (3 - (i & period));
                int isPositive = -other >> 31;
                vector[i] = value - 2 * (other + (value - other & isPositive));
            }
        }

        private static void stopEven(int[] vector, int[] index) {
            for (int i = 0; i < vector.length; i++) {
                int other = (i & 7) - 3;
                if (vector[index[i]] > 0) {
                    vector[i] -= 2 * vector[i];
                } else {
                    vector[i] -= 2 * other;
                }
            }
        }

        private static void stopOdd(int[] vector, int[] index) {
            for (int i = 0; i < vector.length; i++) {
                int other = 3 - (i & 7);
                if (vector[index[i]] > 0) {
                    vector[i] -= 2 * vector[i];
                } else {
                    vector[i] -= 2 * other;
                }
            }
        }

        /**
         * One subtraction behind the branch: with one in each arm, as the reference has it, the compiled loop takes a
         * sixth longer.
         */
        private static void indexedEven(int[] vector, int[] index) {
            for (int i = 0; i < vector.length; i++) {
                int other = (i & 7) - 3;
                if (other > 0) {
                    other = vector[index[i]];
                }
                vector[i] -= 2 * other;
            }
        }

        private static void indexedOdd(int[] vector, int[] index) {
            for (int i = 0; i < vector.length; i++) {
                int other = 3 - (i & 7);
                if (other > 0) {
                    other = vector[index[i]];
                }
                vector[i] -= 2 * other;
            }
        }

        private static void plain(int[] vector, int sign, int period) {
            for (int i = 0; i < vector.length; i++) {
                vector[i] -= vector[i] + sign * (3 - (i & period));
            }
        }

        private static void plainIndexedEven(int[] vector, int[] index) {
            for (int i = 0; i < vector.length; i++) {
                vector[i] -= vector[index[i]] + ((i & 7) - 3);
            }
        }

        private static void plainIndexedOdd(int[] vector, int[] index) {
            for (int i = 0; i < vector.length; i++) {
                vector[i] -= vector[index[i]] + (3 - (i & 7));
            }
        }

        private void heavy(boolean branches, int sign) {
            for (int i = 0; i < vector.length; i++) {
                int function = branches ? i % MatrixFunctions.COUNT : 0;
                vector[i] -= vector[i] + sign * (3 - (functions.run(function, i) & 7));
            }
        }

        @Override
        public @Nullable String error() {
            int rest = kernel.length % 8;
            long expected = (rest * (rest - 8L) + kernel.length) / 2 * shmem.nPes();
            long sum = 0;
            for (int value : vector) {
                sum += value;
            }
            long all = (long) totals.sum((double) sum);
            return all == expected ? null : "array sum = " + all + ", reference value = " + expected;
        }

        @Override
        public void close() {}
    }
}
