// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.bench.prk;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import org.comm4j.core.DataType;
import org.comm4j.core.ReduceOp;
import org.comm4j.shmem.OpenShmem;
import org.comm4j.shmem.SymmetricArray;
import org.jspecify.annotations.Nullable;

/**
 * Each PE's vector += 1, then the first PE's vector becomes the sum of all. OpenSHMEM has no reduction to one PE, so
 * all get the sum and the others do not use it.
 */
public record Reduce(int iterations, int length) implements ResearchKernel {
    /** Elements that are added at a time, in the first-level cache. */
    private static final int TILE = 1024;

    private static final double EPSILON = 1e-8;

    public Reduce {
        Checks.atLeast("reduce", "the number of iterations", iterations, 1);
        Checks.atLeast("reduce", "the vector length", length, 1);
    }

    @Override
    public String name() {
        return "reduce";
    }

    @Override
    public String title() {
        return "vector reduction";
    }

    @Override
    public Map<String, Object> parameters(int pes) {
        Map<String, Object> all = new LinkedHashMap<>();
        all.put("Vector length", length);
        all.put("Number of iterations", iterations);
        return all;
    }

    @Override
    public void check(int pes) {
        Checks.fits("reduce", "a vector", (double) length + TILE, "use a smaller length");
    }

    @Override
    public int[] marks() {
        return new int[] {1, iterations + 1};
    }

    @Override
    public Rate[] rates(int pes, double[] seconds) {
        return Rate.ofPass("MFlops/s", (2.0 * pes - 1) * length, seconds[0], iterations);
    }

    @Override
    public Trial prepare(OpenShmem shmem, Totals totals) {
        return new Run(this, shmem, totals);
    }

    private static final class Run implements Trial {
        private final Reduce kernel;
        private final OpenShmem shmem;
        private final Totals totals;
        private final SymmetricArray vector;
        private final SymmetricArray sum;
        private final double[] ones;
        private final double[] tile = new double[TILE];

        Run(Reduce kernel, OpenShmem shmem, Totals totals) {
            this.kernel = kernel;
            this.shmem = shmem;
            this.totals = totals;
            this.vector = shmem.allocate(DataType.FLOAT64, kernel.length);
            this.sum = shmem.allocate(DataType.FLOAT64, kernel.length);
            this.ones = new double[Math.ceilDiv(kernel.length, TILE) * TILE];
            Arrays.fill(ones, 1);
            vector.fill(1);
            sum.fill(1);
        }

        @Override
        public void pass(int number) {
            // The first PE's vector is where its sum is.
            MemorySegment from = shmem.myPe() == 0 ? sum.segment() : vector.segment();
            MemorySegment to = vector.segment();
            for (int i = 0; i < kernel.length; i += TILE) {
                int count = Math.min(TILE, kernel.length - i);
                MemorySegment.copy(from, ValueLayout.JAVA_DOUBLE, (long) i * Double.BYTES, tile, 0, count);
                add(tile, ones, i);
                MemorySegment.copy(tile, 0, to, ValueLayout.JAVA_DOUBLE, (long) i * Double.BYTES, count);
            }
            shmem.world().reduce(sum, vector, ReduceOp.SUM);
        }

        /** Always a whole tile: loops of one length are compiled best. */
        private static void add(double[] tile, double[] ones, int at) {
            for (int i = 0; i < TILE; i++) {
                tile[i] += ones[at + i];
            }
        }

        @Override
        public @Nullable String error() {
            double t = kernel.iterations;
            double expected = t + 2 + (t * t + 5 * t + 4) * (shmem.nPes() - 1) / 2;
            double error = 0;
            for (int i = 0; i < kernel.length && shmem.myPe() == 0; i++) {
                error = Math.max(error, Math.abs(sum.getDouble(i) - expected));
            }
            error = totals.max(error);
            return error < EPSILON
                    ? null
                    : "an element differs by " + error + " from the verification value " + expected;
        }

        @Override
        public void close() {
            vector.close();
            sum.close();
        }
    }
}
