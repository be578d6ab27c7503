// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.bench.prk;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import org.comm4j.bench.DevicePe;
import org.comm4j.shmem.OpenShmem;
import org.jspecify.annotations.Nullable;

/**
 * a += b + 3 c, each PE on its part, without communication.
 *
 * @param offset elements that nobody uses behind the first two vectors
 */
public record Triad(int iterations, long length, int offset) implements OnGpus {
    static final String NAME = "nstream";
    static final double SCALAR = 3;
    private static final double EPSILON = 1e-8;

    public Triad {
        Checks.atLeast("nstream", "the number of iterations", iterations, 1);
        Checks.atLeast("nstream", "the vector length", length, 1);
        Checks.atLeast("nstream", "the offset", offset, 0);
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public String title() {
        return "stream triad: A = B + scalar*C";
    }

    @Override
    public Map<String, Object> parameters(int pes) {
        Map<String, Object> all = new LinkedHashMap<>();
        all.put("Vector length", length);
        all.put("Offset", offset);
        all.put("Number of iterations", iterations);
        return all;
    }

    @Override
    public void check(int pes) {
        if (length < pes) {
            throw new IllegalArgumentException("nstream: a vector of length " + length + " has no element for each of "
                    + pes + " PEs; use a larger length or fewer PEs");
        }
        Checks.fits(
                "nstream",
                "a vector",
                (double) new Parts(length, pes).largest() + offset,
                "use a smaller length or more PEs");
    }

    @Override
    public int[] marks() {
        return new int[] {1, iterations + 1};
    }

    @Override
    public Rate[] rates(int pes, double[] seconds) {
        return Rate.ofPass("MB/s", 4.0 * Double.BYTES * length, seconds[0], iterations);
    }

    @Override
    public Trial prepare(OpenShmem shmem, Totals totals) {
        return new Run(this, shmem, totals);
    }

    @Override
    public long symmetricBytes(int pes) {
        return 3 * NstreamOnGpu.bytes(this, pes);
    }

    @Override
    public OnGpus.Run prepare(DevicePe pe) {
        return new NstreamOnGpu(this, pe);
    }

    /** What each element is in the end. */
    double expected() {
        return 8 * (iterations + 1.0);
    }

    /** @param difference the largest of an element of any PE */
    @Nullable
    String error(double difference) {
        double error = difference / expected();
        return error <= EPSILON
                ? null
                : "an element differs from " + expected() + " by " + error + " of it, which exceeds threshold "
                        + EPSILON;
    }

    /** Also the private work of another kernel. */
    static void triad(double[] a, double[] b, double[] c, int length) {
        for (int i = 0; i < length; i++) {
            a[i] += b[i] + SCALAR * c[i];
        }
    }

    private static final class Run implements Trial {
        private final Triad kernel;
        private final Totals totals;
        private final int length;
        private final double[] a;
        private final double[] b;
        private final double[] c;

        Run(Triad kernel, OpenShmem shmem, Totals totals) {
            this.kernel = kernel;
            this.totals = totals;
            this.length = (int) new Parts(kernel.length, shmem.nPes()).size(shmem.myPe());
            this.a = new double[length + kernel.offset];
            this.b = new double[length + kernel.offset];
            this.c = new double[length];
            Arrays.fill(b, 2);
            Arrays.fill(c, 2);
        }

        @Override
        public void pass(int number) {
            triad(a, b, c, length);
        }

        @Override
        public @Nullable String error() {
            double expected = kernel.expected();
            double difference = 0;
            for (int i = 0; i < length; i++) {
                difference = Math.max(difference, Math.abs(a[i] - expected));
            }
            return kernel.error(totals.max(difference));
        }

        @Override
        public void close() {}
    }
}
