// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.bench.operators;

import java.util.Arrays;
import java.util.function.Supplier;
import java.util.stream.LongStream;
import org.comm4j.array.Backend;
import org.comm4j.array.DistributedArray;
import org.comm4j.array.Layout;
import org.comm4j.array.Vector;
import org.comm4j.core.DataType;
import org.comm4j.operator.BlockDiag;
import org.comm4j.operator.Diagonal;
import org.comm4j.operator.Laplacian;
import org.comm4j.operator.LinearOperator;
import org.comm4j.operator.MatrixMult;
import org.comm4j.operator.solver.Cg;
import org.comm4j.operator.solver.Cgls;
import org.comm4j.operator.solver.Solver;

/**
 * Measures iterations of solvers: the difference of two runs of which one makes more of them, so that the start is left
 * out. Every rank calls it.
 */
final class SolverBench {
    private static final String BLOCKS = "CGLS iteration, blocks";
    private static final String STENCIL = "CG iteration, diagonal - Laplacian";

    private static final int FEWEST = 8;
    private static final int MOST = 400;

    /** Of a problem that is solved soon: the residual must not become 0. */
    private static final int MOST_CONDITIONED = 100;

    /** Largest block of the tables that PyLops was measured with. */
    private static final long LARGEST_BLOCK = 5592;

    /** Takes what was measured. */
    @FunctionalInterface
    interface Sink {
        void take(String name, String shape, double nanos, long bytes);
    }

    private final Backend backend;
    private final OperatorSettings settings;
    private final Sink sink;

    SolverBench(Backend backend, OperatorSettings settings, Sink sink) {
        this.backend = backend;
        this.settings = settings;
        this.sink = sink;
    }

    /** Collective: measures those that are wanted. */
    void run() {
        long largest = settings.rows() >= LARGEST_BLOCK / 2 ? LARGEST_BLOCK : settings.rows();
        if (settings.wants(BLOCKS)) {
            LongStream.of(64, 512, largest).filter(n -> n <= largest).distinct().forEach(this::blocks);
        }
        if (settings.wants(STENCIL)) {
            stencil(settings.rows());
        }
    }

    /** Two blocks of a rank: two passes over the matrices. */
    private void blocks(long n) {
        DataType type = settings.type();
        long seed = 10 + 2L * backend.rank();
        try (DistributedArray first = backend.random(backend.local(n, n), type, seed);
                DistributedArray second = backend.random(backend.local(n, n), type, seed + 1)) {
            LinearOperator a = BlockDiag.of(backend, MatrixMult.of(first), MatrixMult.of(second));
            try (Vector y = a.times(backend.random(a.domain(), type, 4))) {
                long bytes = 4 * n * n * type.bytes() * backend.size();
                measure(BLOCKS, "2 x " + n + " x " + n, bytes, MOST, () -> Cgls.of(a, y));
            }
        }
    }

    /** A Laplacian and a diagonal: 14 passes over vectors with CG. */
    private void stencil(long n) {
        DataType type = settings.type();
        Layout layout = backend.scattered(0, n, n);
        try (DistributedArray diagonal = backend.random(layout, type, 5);
                DistributedArray y = backend.random(layout, type, 6)) {
            LinearOperator a = Diagonal.of(diagonal)
                    .minus(Laplacian.of(backend, layout, 0, 1).dtype(type).build());
            long bytes = 14 * n * n * type.bytes();
            measure(STENCIL, n + " x " + n, bytes, MOST_CONDITIONED, () -> Cg.of(a, y));
        }
    }

    private void measure(String name, String shape, long bytes, int most, Supplier<Solver> make) {
        // Kernels are compiled by the first run.
        double once = time(make, FEWEST);
        double spent = 0;
        do {
            once = Math.min(once, time(make, FEWEST));
            spent += once;
            // As often on all ranks.
        } while (backend.exchange(spent < settings.warmup() * 1e6 ? 1 : 0)[0] != 0);
        double each = once / FEWEST;
        int count = (int) backend.exchange((long) Math.clamp(settings.millis() * 1e6 / each, FEWEST, most))[0];
        double[] nanos = new double[settings.rounds()];
        for (int r = 0; r < nanos.length; r++) {
            backend.communicator().barrier();
            double few = time(make, count);
            nanos[r] = (time(make, 2 * count) - few) / count;
        }
        Arrays.sort(nanos);
        sink.take(name, shape, Math.max(1, nanos[nanos.length / 2]), bytes);
    }

    /** Returns nanoseconds of a run with so many iterations. */
    private double time(Supplier<Solver> make, int iterations) {
        Solver solver = make.get().iterations(iterations);
        backend.compute().synchronize();
        long begin = System.nanoTime();
        Vector x = solver.solve();
        backend.compute().synchronize();
        long nanos = System.nanoTime() - begin;
        x.close();
        int made = solver.result().iterations();
        if (made < iterations) {
            throw new IllegalStateException(solver.result().message());
        }
        return nanos;
    }
}
