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

/** Changes the signs of a vector's elements, in loops with a branch and then in the same without; each PE on a vector of its own, without communication. */
public record Branch(int iterations, int length, Kind kind) implements ResearchKernel {
    /** What stands between the loop and vector instructions. */
    public enum Kind {
        /** Nothing: the condition does not depend on memory. */
        VECTOR_GO,
        /** The condition depends on an element that is found by an index from memory. */
        VECTOR_STOP,
        /** Elements are found by an index from memory. */
        NO_VECTOR;

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
            if (name.equals("ins_heavy")) {
                throw new IllegalArgumentException(
                        "branch: ins_heavy is not here: it measures how C functions fit into the instruction cache; there are "
                                + names());
            }
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
        double operations = 4.0 * length * iterations * pes;
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

        Run(Branch kernel, OpenShmem shmem, Totals totals) {
            this.kernel = kernel;
            this.shmem = shmem;
            this.totals = totals;
            this.vector = new int[kernel.length];
            this.index = new int[kernel.length];
            for (int i = 0; i < vector.length; i++) {
                vector[i] = 3 - (i & 7);
                index[i] = i;
            }
        }

        @Override
        public void pass(int number) {
            boolean branches = number % (2 * kernel.iterations) < kernel.iterations;
            int sign = number % 2 == 0 ? -1 : 1;
            switch (kernel.kind) {
                case VECTOR_GO -> {
                    if (branches) {
                        go(vector, sign);
                    } else {
                        plain(vector, sign);
                    }
                }
                case VECTOR_STOP -> {
                    if (branches) {
                        stop(vector, index, sign);
                    } else {
                        plain(vector, sign);
                    }
                }
                case NO_VECTOR -> {
                    if (branches) {
                        indexed(vector, index, sign);
                    } else {
                        plainIndexed(vector, index, sign);
                    }
                }
            }
        }

        private static void go(int[] vector, int sign) {
            for (int i = 0; i < vector.length; i++) {
                int other = sign * (3 - (i & 7));
                if (other > 0) {
                    vector[i] -= 2 * vector[i];
                } else {
                    vector[i] -= 2 * other;
                }
            }
        }

        private static void stop(int[] vector, int[] index, int sign) {
            for (int i = 0; i < vector.length; i++) {
                int other = sign * (3 - (i & 7));
                if (vector[index[i]] > 0) {
                    vector[i] -= 2 * vector[i];
                } else {
                    vector[i] -= 2 * other;
                }
            }
        }

        private static void indexed(int[] vector, int[] index, int sign) {
            for (int i = 0; i < vector.length; i++) {
                int other = sign * (3 - (i & 7));
                if (other > 0) {
                    vector[i] -= 2 * vector[index[i]];
                } else {
                    vector[i] -= 2 * other;
                }
            }
        }

        private static void plain(int[] vector, int sign) {
            for (int i = 0; i < vector.length; i++) {
                vector[i] -= vector[i] + sign * (3 - (i & 7));
            }
        }

        private static void plainIndexed(int[] vector, int[] index, int sign) {
            for (int i = 0; i < vector.length; i++) {
                vector[i] -= vector[index[i]] + sign * (3 - (i & 7));
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
