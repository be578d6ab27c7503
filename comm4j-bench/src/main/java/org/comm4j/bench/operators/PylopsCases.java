// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.bench.operators;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.comm4j.array.Backend;
import org.comm4j.array.DistributedArray;
import org.comm4j.array.Dots;
import org.comm4j.array.Ghosts;
import org.comm4j.array.Layout;
import org.comm4j.array.StackedArray;
import org.comm4j.array.Vector;
import org.comm4j.core.Communicator;
import org.comm4j.core.DataType;
import org.comm4j.core.World;
import org.comm4j.operator.BlockDiag;
import org.comm4j.operator.Diagonal;
import org.comm4j.operator.FirstDerivative;
import org.comm4j.operator.Gradient;
import org.comm4j.operator.Laplacian;
import org.comm4j.operator.LinearOperator;
import org.comm4j.operator.MatrixMult;
import org.comm4j.operator.SecondDerivative;
import org.comm4j.operator.VStack;
import org.comm4j.operator.seismic.Kirchhoff;
import org.comm4j.operator.seismic.PoststackLinearModelling;
import org.comm4j.operator.seismic.Wavelets;
import org.comm4j.operator.solver.Cgls;
import org.comm4j.operator.solver.Solver;

/**
 * The cases that {@code dev/compare-pylops-mpi} lays beside pylops-mpi and {@code dev/compare-pylops-cupy} beside
 * PyLops on CuPy: one line of case and microseconds each. The global problem is the same for any number of ranks.
 */
public final class PylopsCases {
    private static final DataType TYPE = DataType.FLOAT64;

    private final Backend backend;
    private final CaseTimer timer;

    private PylopsCases(Backend backend) {
        this.backend = backend;
        timer = new CaseTimer(backend);
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
                cgls(64, 200);
                cgls(512, 100);
                derivatives(64, 0.1);
                vectors(1000, 0.1);
            }
            case "matrices" -> {
                cgls(5592, 8);
                matrices(4096);
            }
            case "stencils" -> {
                derivatives(4096, 0.3);
                laplacian(TYPE, 256, 256, 256);
            }
            case "vectors" -> {
                vectors(1 << 24, 0.2);
                diagonals(8 << 20);
            }
            case "poststack" -> {
                poststack(64, 64, 301, false, 50);
                poststack(64, 64, 301, true, 50);
            }
            case "whole-poststack" -> poststack(98L * backend.size(), 98, 301, false, 100);
            case "whole-laplacian" -> poststack(98L * backend.size(), 98, 301, true, 100);
            case "numpy" -> {
                cgls(64, 200);
                cgls(512, 100);
                cgls(5592, 8);
            }
            case "lsm" -> migration();
            case "sparse" -> new TransformCases(backend, timer).sparseOnProcessors();
            case "variation" -> new TransformCases(backend, timer).variation(64, 64, 301);
            case "transforms" -> new TransformCases(backend, timer).onProcessors();
            case "products" -> new TransformCases(backend, timer).products();
            case "gpu-products" -> new TransformCases(backend, timer).largeProducts();
            case "gpu-blocks" -> {
                block(64, 200);
                block(512, 100);
                block(5592, 50);
            }
            case "gpu-halo" -> halo(1 << 17);
            case "gpu-vectors" -> vectors(1 << 28, 0.2);
            case "gpu-derivatives" -> derivatives(4096, 0.1);
            case "gpu-stencils" -> {
                gradient(4096);
                laplacian(DataType.FLOAT32, 16384, 16384);
                laplacian(DataType.FLOAT32, 768, 768, 768);
            }
            case "gpu-poststack" -> {
                poststack(256, 256, 512, false, 50);
                poststack(256, 256, 512, true, 50);
            }
            case "gpu-tv" -> new TransformCases(backend, timer).variation(256, 256, 512);
            case "gpu-transforms" -> {
                for (String part : List.of("gpu-fista", "gpu-fredholm", "gpu-mdc", "gpu-fft", "gpu-matrix")) {
                    run(part);
                }
            }
            case "gpu-fista" -> new TransformCases(backend, timer).sparse();
            case "gpu-fredholm" -> new TransformCases(backend, timer).slices();
            case "gpu-mdc" -> new TransformCases(backend, timer).deconvolution();
            case "gpu-fft" -> new TransformCases(backend, timer).planes();
            case "gpu-fft3" -> new TransformCases(backend, timer).volumes(512);
            case "gpu-matrix" -> new TransformCases(backend, timer).matrix();
            default -> throw new IllegalArgumentException("no group of cases " + group);
        }
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

    private void cgls(long n, int iterations) {
        LinearOperator a = BlockDiag.of(backend, matrices(n, "matrix"));
        Vector y = backend.random(a.range(), TYPE, 5);
        timer.iterations("CGLS step, blocks of " + n + " x " + n, iterations, () -> Cgls.of(a, y));
    }

    /** A block a rank. */
    private void block(long n, int iterations) {
        try (DistributedArray matrix = backend.random(backend.local(n, n), TYPE, backend.rank())) {
            LinearOperator a = BlockDiag.of(backend, MatrixMult.of(matrix));
            try (Vector y = backend.random(a.range(), TYPE, 5)) {
                String name = "CGLS step, a block of " + n + " x " + n + " a rank";
                timer.iterations(name, iterations, () -> Cgls.of(a, y));
            }
        }
    }

    /** Rows of neighbours, beside the messages alone. */
    private void halo(long n) {
        if (backend.size() == 1) {
            return;
        }
        Layout layout = backend.scattered(0, 8L * backend.size(), n);
        try (DistributedArray x = backend.random(layout, TYPE, 1)) {
            Ghosts ghosts = new Ghosts(backend, layout, TYPE, 1);
            timer.measure("halo exchange, " + n * TYPE.bytes() + " bytes a side", () -> ghosts.exchange(x), 0.2);
        }
    }

    private void derivatives(long n, double seconds) {
        Layout layout = backend.scattered(0, n, n);
        String shape = ", " + n + " x " + n;
        try (DistributedArray x = backend.random(layout, TYPE, 1);
                DistributedArray y = backend.random(layout, TYPE, 2)) {
            timer.both(
                    "first derivative" + shape,
                    FirstDerivative.of(backend, layout, 0).build(),
                    x,
                    y,
                    seconds);
            timer.both(
                    "second derivative" + shape,
                    SecondDerivative.of(backend, layout, 0).build(),
                    x,
                    y,
                    seconds);
            timer.both("Laplacian" + shape, Laplacian.of(backend, layout, 0, 1).build(), x, y, seconds);
        }
    }

    /** A volume or plane that is divided along its first axis. */
    private void laplacian(DataType type, long... shape) {
        Layout layout = backend.scattered(0, shape);
        int[] axes = IntStream.range(0, shape.length).toArray();
        String name = Arrays.stream(shape).mapToObj(Long::toString).collect(Collectors.joining(" x "));
        try (DistributedArray x = backend.random(layout, type, 1);
                DistributedArray y = backend.random(layout, type, 2)) {
            LinearOperator laplacian =
                    Laplacian.of(backend, layout, axes).dtype(type).build();
            timer.both("Laplacian, " + name + suffix(type), laplacian, x, y, 0.3);
        }
    }

    private static String suffix(DataType type) {
        return type == TYPE ? "" : ", " + type.name().toLowerCase(Locale.ROOT);
    }

    private void gradient(long n) {
        LinearOperator gradient = Gradient.of(backend, backend.scattered(0, n, n), TYPE);
        try (Vector x = backend.random(gradient.domain(), TYPE, 1);
                Vector y = backend.vector(gradient.range(), TYPE)) {
            timer.both("gradient, " + n + " x " + n, gradient, x, y, 0.3);
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
            timer.both(name, stack, x, y, 0.2);
        }
    }

    private void vectors(long n, double seconds) {
        Layout layout = backend.scattered(0, n);
        try (DistributedArray x = backend.random(layout, TYPE, 1);
                DistributedArray y = backend.random(layout, TYPE, 2)) {
            Dots dot = Dots.of(x, y);
            timer.measure("dot, " + n, () -> dot.reduce().real(0), seconds);
            timer.measure("2-norm, " + n, x::norm, seconds);
            timer.measure("x + y, " + n, () -> x.axpy(1, y), seconds);
        }
    }

    private void poststack(long ny, long nx, long nt, boolean regularised, int iterations) {
        Layout volume = backend.scattered(0, ny, nx, nt);
        double[] wavelet = Wavelets.ricker(0.004, 40, 15);
        LinearOperator a = PoststackLinearModelling.of(backend, volume, wavelet, TYPE);
        Vector d = backend.random(volume, TYPE, 3);
        if (regularised) {
            a = VStack.of(a, Laplacian.of(backend, volume, 0, 1, 2).build().times(0.1));
            d = StackedArray.of(d, backend.zeros(volume, TYPE));
        }
        String name = "post-stack CGLS(%d), %d x %d x %d".formatted(iterations, ny, nx, nt);
        inversion(name + (regularised ? " with Laplacian" : ""), a, d, iterations);
    }

    /** The size of the tutorial of least-squares migration, with ten sources a rank. */
    private void migration() {
        double[][] sources =
                Arrays.copyOfRange(places(10 * backend.size(), 10), 10 * backend.rank(), 10 * backend.rank() + 10);
        LinearOperator a = VStack.of(
                backend,
                Kirchhoff.of(backend, backend.local(81L * 60), coordinates(81), coordinates(60))
                        .sources(sources)
                        .receivers(places(11, 20))
                        .velocity(1000)
                        .time(651, 0.004)
                        .wavelet(Wavelets.ricker(0.004, 40, 20), 40)
                        .build());
        double[] image = new double[81 * 60];
        for (int x = 0; x < 81; x++) {
            image[60 * x + 30] = -1;
            image[60 * x + 50] = 0.5;
        }
        try (DistributedArray model = backend.of(a.domain(), image)) {
            inversion("LSM CGLS(100), 81 x 60, 10 sources a rank", a, a.times(model), 100);
        }
    }

    private static double[] coordinates(int n) {
        return IntStream.range(0, n).mapToDouble(i -> 4 * i).toArray();
    }

    /** Places at one depth, evenly from 40 to 284 m. */
    private static double[][] places(int n, double depth) {
        return IntStream.range(0, n)
                .mapToObj(i -> new double[] {40 + 244.0 * i / (n - 1), depth})
                .toArray(double[][]::new);
    }

    /** Prints the time of a whole inversion with CGLS; the data are closed behind it. */
    private void inversion(String name, LinearOperator a, Vector d, int iterations) {
        try (d) {
            // Kernels and loops are compiled by the first runs, as those of CuPy are.
            timer.warmUp(() -> Cgls.of(a, d).iterations(2).solve().close());
            Solver solver = Cgls.of(a, d).iterations(iterations);
            double nanos = timer.time(() -> solver.solve().close(), 1);
            if (solver.result().iterations() < iterations) {
                throw new IllegalStateException(name + ": " + solver.result().message());
            }
            timer.print(name, nanos);
        }
    }
}
