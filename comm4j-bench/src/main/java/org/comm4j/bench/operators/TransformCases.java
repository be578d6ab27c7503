// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.bench.operators;

import java.util.Locale;
import java.util.function.BiFunction;
import org.comm4j.array.Backend;
import org.comm4j.array.DistributedArray;
import org.comm4j.array.Layout;
import org.comm4j.array.Vector;
import org.comm4j.core.DataType;
import org.comm4j.operator.Convolve1D;
import org.comm4j.operator.DerivativeKind;
import org.comm4j.operator.FirstDerivative;
import org.comm4j.operator.LinearOperator;
import org.comm4j.operator.MatrixMult;
import org.comm4j.operator.VStack;
import org.comm4j.operator.proximal.L2;
import org.comm4j.operator.proximal.L21;
import org.comm4j.operator.seismic.PoststackLinearModelling;
import org.comm4j.operator.seismic.Wavelets;
import org.comm4j.operator.signal.FFT2D;
import org.comm4j.operator.signal.FFTND;
import org.comm4j.operator.signal.FourierNorm;
import org.comm4j.operator.signal.Fredholm1;
import org.comm4j.operator.signal.MDC;
import org.comm4j.operator.solver.AdmmL2;
import org.comm4j.operator.solver.Cgls;
import org.comm4j.operator.solver.Fista;
import org.comm4j.operator.solver.Ista;
import org.comm4j.operator.solver.PrimalDual;
import org.comm4j.operator.solver.Sparse;

/** Cases of {@link PylopsCases} with transforms, matrices for slices, and sparse solvers. Every rank calls them. */
final class TransformCases {
    private static final double SECONDS = 0.2;

    private final Backend backend;
    private final CaseTimer timer;

    TransformCases(Backend backend, CaseTimer timer) {
        this.backend = backend;
        this.timer = timer;
    }

    /** Steps of a sparse solver. */
    void sparse() {
        fista(2, 500);
        fista(128, 512);
        fista(4096, 2048);
    }

    /** The same on processors, and plain ones. */
    void sparseOnProcessors() {
        ista(2, 500);
        fista(2, 500);
        ista(128, 512);
        fista(128, 512);
    }

    /** Steps of post-stack inversions with total variation, each with eight inner ones. */
    void variation(long ny, long nx, long nt) {
        int inner = 8;
        DataType type = DataType.FLOAT64;
        Layout volume = backend.scattered(0, ny, nx, nt);
        LinearOperator modelling = PoststackLinearModelling.of(backend, volume, Wavelets.ricker(0.004, 40, 15), type);
        LinearOperator[] differences = new LinearOperator[volume.ndim()];
        for (int axis = 0; axis < differences.length; axis++) {
            differences[axis] = FirstDerivative.of(backend, volume, axis)
                    .kind(DerivativeKind.FORWARD)
                    .dtype(type)
                    .build();
        }
        LinearOperator gradient = VStack.of(differences);
        L21 variation = L21.of(gradient.range(), 0.1);
        String shape = " step, " + ny + " x " + nx + " x " + nt;
        try (Vector data = backend.random(volume, type, 1)) {
            timer.iterations(
                    "post-stack TV, ADMM" + shape,
                    2,
                    () -> AdmmL2.of(variation, modelling, data, gradient)
                            .inner(inner)
                            .solver());
            timer.iterations(
                    "post-stack TV, primal-dual" + shape,
                    2,
                    () -> PrimalDual.of(L2.of(modelling, data).iterations(inner).warm(), variation, gradient)
                            .tau(1)
                            .mu(1.0 / 12)
                            .solver());
        }
    }

    /** Matrices for slices. */
    void slices() {
        for (DataType type : new DataType[] {DataType.FLOAT64, DataType.COMPLEX64}) {
            fredholm(type, 1);
            fredholm(type, 64);
        }
    }

    /** Transforms of planes. */
    void planes() {
        for (DataType type : new DataType[] {DataType.COMPLEX64, DataType.COMPLEX128}) {
            fft(type, FourierNorm.ORTHO, "");
            fft(type, FourierNorm.NONE, ", not scaled");
        }
    }

    /** A matrix of one rank times another. */
    void matrix() {
        product(DataType.FLOAT64);
        product(DataType.COMPLEX64);
    }

    /** Cases that pylops-mpi has on processors, too. */
    void onProcessors() {
        fredholm(DataType.FLOAT64, 1);
        fredholm(DataType.FLOAT64, 64);
        deconvolution();
        volume(DataType.COMPLEX128, 256);
    }

    /** Transforms of volumes, in both precisions. */
    void volumes(long n) {
        volume(DataType.COMPLEX64, n);
        volume(DataType.COMPLEX128, n);
    }

    private void volume(DataType type, long n) {
        Layout layout = backend.scattered(0, n, n, n);
        LinearOperator operator = FFTND.of(backend, layout, 0, 1, 2).dtype(type).build();
        try (Vector x = backend.random(operator.domain(), type, 1);
                Vector y = backend.random(operator.range(), type, 2)) {
            timer.both("FFTND %d x %d x %d, %s".formatted(n, n, n, lower(type)), operator, x, y, SECONDS);
        }
    }

    /** Products of matrices in blocks of the squarest grid of ranks; pylops-mpi takes square ones only. */
    void products() {
        product(DataType.FLOAT64, 2048);
        product(DataType.COMPLEX64, 2048);
        product(DataType.COMPLEX128, 512);
    }

    /** The same on GPUs. */
    void largeProducts() {
        product(DataType.FLOAT64, 8192);
        product(DataType.COMPLEX64, 8192);
    }

    private void product(DataType type, long n) {
        int rows = (int) Math.sqrt(backend.size());
        while (backend.size() % rows != 0) {
            rows--;
        }
        int[] grid = {rows, backend.size() / rows};
        Layout layout = backend.size() == 1 ? backend.scattered(0, n, n) : backend.blocks(grid, n, n);
        try (DistributedArray matrix = backend.random(layout, type, 1)) {
            LinearOperator operator = MatrixMult.distributed(matrix, layout);
            try (Vector x = backend.random(operator.domain(), type, 2);
                    Vector y = backend.random(operator.range(), type, 3)) {
                timer.both("SUMMA " + n + ", " + lower(type), operator, x, y, SECONDS);
            }
        }
    }

    private static String lower(DataType type) {
        return type.name().toLowerCase(Locale.ROOT);
    }

    /** Steps of sparse deconvolution of traces. */
    private void fista(long traces, long samples) {
        sparse("FISTA", traces, samples, Fista::of);
    }

    private void ista(long traces, long samples) {
        sparse("ISTA", traces, samples, Ista::of);
    }

    private void sparse(String name, long traces, long samples, BiFunction<LinearOperator, Vector, Sparse> make) {
        DataType type = DataType.FLOAT64;
        Layout layout = backend.scattered(0, traces, samples);
        LinearOperator convolution = Convolve1D.of(backend, layout, type, 1, Wavelets.ricker(0.004, 20, 15), 20);
        try (Vector data = backend.random(layout, type, 1)) {
            timer.iterations(
                    name + " step, " + traces + " x " + samples,
                    100,
                    () -> make.apply(convolution, data).eps(0.05).alpha(0.02).solver());
        }
    }

    private void fredholm(DataType type, long columns) {
        try (DistributedArray matrices = backend.random(backend.scattered(0, 64, 512, 512), type, 1)) {
            LinearOperator operator = Fredholm1.of(matrices, columns);
            try (Vector x = backend.random(operator.domain(), type, 2);
                    Vector y = backend.random(operator.range(), type, 3)) {
                String name = "Fredholm1 64 x 512 x 512, " + lower(type) + ", nz " + columns;
                timer.both(name, operator, x, y, SECONDS);
            }
        }
    }

    /** The size of the tutorial of multi-dimensional deconvolution. */
    void deconvolution() {
        int samples = 1599;
        try (DistributedArray kernel = backend.random(backend.scattered(0, 400, 201, 121), DataType.COMPLEX64, 1)) {
            LinearOperator operator =
                    MDC.of(kernel, samples, 1).dt(0.004).dr(3).twoSided().build();
            try (Vector x = backend.random(operator.domain(), DataType.FLOAT32, 2);
                    Vector y = backend.random(operator.range(), DataType.FLOAT32, 3)) {
                timer.both("MDC 400 x 201 x 121, nt 1599", operator, x, y, SECONDS);
                timer.iterations("CGLS step, MDC", 20, () -> Cgls.of(operator, y));
            }
        }
    }

    private void fft(DataType type, FourierNorm norm, String how) {
        Layout layout = backend.scattered(0, 4096, 4096);
        LinearOperator operator =
                FFT2D.of(backend, layout, 0, 1).dtype(type).norm(norm).build();
        try (Vector x = backend.random(operator.domain(), type, 1);
                Vector y = backend.vector(operator.range(), type)) {
            timer.measure("FFT2D 4096 x 4096, " + lower(type) + how, () -> operator.matvec(x, y), SECONDS);
        }
    }

    /** A matrix of one rank times another. */
    private void product(DataType type) {
        if (backend.size() > 1) {
            return;
        }
        long n = 8192;
        try (DistributedArray matrix = backend.random(backend.replicated(n, n), type, 1)) {
            LinearOperator operator = MatrixMult.of(matrix, backend.replicated(n, n), 0);
            try (Vector x = backend.random(operator.domain(), type, 2);
                    Vector y = backend.vector(operator.range(), type)) {
                timer.measure("matrix product 8192, " + lower(type), () -> operator.matvec(x, y), SECONDS);
            }
        }
    }
}
