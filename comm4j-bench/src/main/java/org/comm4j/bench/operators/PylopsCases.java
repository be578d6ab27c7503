// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.bench.operators;

import java.util.Arrays;
import java.util.Locale;
import org.comm4j.array.Backend;
import org.comm4j.array.DistributedArray;
import org.comm4j.array.Dots;
import org.comm4j.array.Layout;
import org.comm4j.array.StackedArray;
import org.comm4j.array.Vector;
import org.comm4j.core.Communicator;
import org.comm4j.core.DataType;
import org.comm4j.core.World;
import org.comm4j.operator.BlockDiag;
import org.comm4j.operator.Diagonal;
import org.comm4j.operator.FirstDerivative;
import org.comm4j.operator.Laplacian;
import org.comm4j.operator.LinearOperator;
import org.comm4j.operator.MatrixMult;
import org.comm4j.operator.SecondDerivative;
import org.comm4j.operator.VStack;
import org.comm4j.operator.seismic.PoststackLinearModelling;
import org.comm4j.operator.seismic.Wavelets;
import org.comm4j.operator.solver.Cgls;
import org.comm4j.operator.solver.Iteration;
import org.comm4j.operator.solver.Solver;

/**
 * The cases that {@code dev/compare-pylops-mpi} lays beside pylops-mpi: one line of case and microseconds each. The
 * global problem is the same for any number of ranks.
 */
public final class PylopsCases {
    private static final DataType TYPE = DataType.FLOAT64;
    private static final int ROUNDS = 5;
    private static final double NANOS = 1e9;

    private final Backend backend;

    private PylopsCases(Backend backend) {
        this.backend = backend;
    }

    /** Measures the groups of cases that are named, on each rank of the job. */
    public static void main(String[] groups) {
        try (World world = World.join();
                Communicator communicator = world.communicator();
                Backend backend = Backend.of(communicator)) {
            for (String group : groups) {
                new PylopsCases(backend).run(group);
            }
        }
    }

    private void run(String group) {
        switch (group) {
            case "small" -> {
                cgls(64, 0.2);
                cgls(512, 0.2);
                derivatives(64, 0.1);
                vectors(1000, 0.1);
            }
            case "matrices" -> {
                cgls(5592, 0.3);
                matrices(4096);
            }
            case "stencils" -> {
                derivatives(4096, 0.3);
                cube(256);
            }
            case "vectors" -> {
                vectors(1 << 24, 0.2);
                diagonals(8 << 20);
            }
            case "poststack" -> {
                poststack(false);
                poststack(true);
            }
            default -> throw new IllegalArgumentException("no group of cases " + group);
        }
    }

    /** Prints the fastest of rounds, each as long as the last rank's. */
    private void measure(String name, Runnable call, double seconds) {
        int calls = 1;
        double nanos;
        double spent = 0;
        do {
            nanos = time(call, calls);
            spent += nanos * calls;
            calls = (int) Math.clamp(seconds * NANOS / nanos, 1, 1000);
            // Until loops are compiled.
        } while (spent < 5 * seconds * NANOS);
        double[] rounds = new double[ROUNDS];
        for (int r = 0; r < ROUNDS; r++) {
            rounds[r] = time(call, calls);
        }
        Arrays.sort(rounds);
        print(name, rounds[0]);
    }

    /** Returns nanoseconds of a call on the slowest rank. */
    private double time(Runnable call, int calls) {
        backend.communicator().barrier();
        long begin = System.nanoTime();
        for (int i = 0; i < calls; i++) {
            call.run();
        }
        backend.compute().synchronize();
        long mine = System.nanoTime() - begin;
        return Arrays.stream(backend.exchange(mine)).max().orElse(mine) / (double) calls;
    }

    private void print(String name, double nanos) {
        if (backend.rank() == 0) {
            System.out.printf(Locale.ROOT, "%s %.2f%n", name, nanos * 1e-3);
        }
    }

    private void both(String name, LinearOperator operator, Vector x, Vector y, double seconds) {
        measure(name + ", forward", () -> operator.matvec(x, y), seconds);
        measure(name + ", adjoint", () -> operator.rmatvec(y, x), seconds);
    }

    /** The matrices of this rank, of two in all. */
    private LinearOperator[] matrices(long n, String what) {
        int count = backend.rank() < 2 ? (2 - backend.rank() + backend.size() - 1) / backend.size() : 0;
        LinearOperator[] own = new LinearOperator[count];
        for (int i = 0; i < count; i++) {
            long seed = backend.rank() + (long) i * backend.size();
            own[i] = what.equals("matrix")
                    ? MatrixMult.of(backend.random(backend.local(n, n), TYPE, seed))
                    : Diagonal.of(backend.random(backend.local(n), TYPE, seed));
        }
        return own;
    }

    private void cgls(long n, double seconds) {
        LinearOperator a = BlockDiag.of(backend, matrices(n, "matrix"));
        Vector y = backend.random(a.range(), TYPE, 5);
        Solver solver = Cgls.of(a, y).iterations(1_000_000);
        Iteration[] run = {solver.setup()};
        measure(
                "CGLS step, blocks of " + n + " x " + n,
                () -> {
                    if (!run[0].step()) {
                        run[0] = solver.setup();
                    }
                },
                seconds);
    }

    private void derivatives(long n, double seconds) {
        Layout layout = backend.scattered(0, n, n);
        String shape = ", " + n + " x " + n;
        try (DistributedArray x = backend.random(layout, TYPE, 1);
                DistributedArray y = backend.random(layout, TYPE, 2)) {
            both(
                    "first derivative" + shape,
                    FirstDerivative.of(backend, layout, 0).build(),
                    x,
                    y,
                    seconds);
            both(
                    "second derivative" + shape,
                    SecondDerivative.of(backend, layout, 0).build(),
                    x,
                    y,
                    seconds);
            both("Laplacian" + shape, Laplacian.of(backend, layout, 0, 1).build(), x, y, seconds);
        }
    }

    private void cube(long n) {
        Layout layout = backend.scattered(0, n, n, n);
        try (DistributedArray x = backend.random(layout, TYPE, 1);
                DistributedArray y = backend.random(layout, TYPE, 2)) {
            both(
                    "Laplacian, %d x %d x %d".formatted(n, n, n),
                    Laplacian.of(backend, layout, 0, 1, 2).build(),
                    x,
                    y,
                    0.3);
        }
    }

    private void matrices(long n) {
        LinearOperator stack = VStack.of(backend, matrices(n, "matrix"));
        stack("stack of matrices, " + n + " x " + n, stack);
    }

    private void diagonals(long n) {
        stack("stack of diagonals, " + n, VStack.of(backend, matrices(n, "diagonal")));
    }

    private void stack(String name, LinearOperator stack) {
        try (Vector x = backend.random(stack.domain(), TYPE, 1);
                Vector y = backend.random(stack.range(), TYPE, 2)) {
            both(name, stack, x, y, 0.2);
        }
    }

    private void vectors(long n, double seconds) {
        Layout layout = backend.scattered(0, n);
        try (DistributedArray x = backend.random(layout, TYPE, 1);
                DistributedArray y = backend.random(layout, TYPE, 2)) {
            Dots dot = Dots.of(x, y);
            measure("dot, " + n, () -> dot.reduce().real(0), seconds);
            measure("2-norm, " + n, x::norm, seconds);
            measure("x + y, " + n, () -> x.axpy(1, y), seconds);
        }
    }

    private void poststack(boolean regularised) {
        Layout volume = backend.scattered(0, 64, 64, 301);
        double[] wavelet = Wavelets.ricker(0.004, 40, 15);
        LinearOperator a = PoststackLinearModelling.of(backend, volume, wavelet, TYPE);
        Vector d = backend.random(volume, TYPE, 3);
        if (regularised) {
            a = VStack.of(a, Laplacian.of(backend, volume, 0, 1, 2).build().times(0.1));
            d = StackedArray.of(d, backend.zeros(volume, TYPE));
        }
        Solver solver = Cgls.of(a, d).iterations(50);
        // Whole and once, as a program would; loops are compiled meanwhile.
        double nanos = time(() -> solver.solve().close(), 1);
        print("post-stack CGLS(50), 64 x 64 x 301" + (regularised ? " with Laplacian" : ""), nanos);
    }
}
