// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.math;

import static java.lang.foreign.ValueLayout.JAVA_DOUBLE;
import static java.lang.foreign.ValueLayout.JAVA_FLOAT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.comm4j.core.Buffer;
import org.comm4j.core.DataType;
import org.comm4j.cuda.Device;
import org.comm4j.cuda.DeviceArray;
import org.comm4j.cuda.Stream;
import org.comm4j.ffi.cublas.CublasHandle;
import org.comm4j.ffi.cublas.LibCublas;

/**
 * cuBLAS in the order of a stream. Its matrices are stored by columns, so that it sees ours transposed: it computes the
 * transpose of C as the product of the transposes of B and A.
 */
final class CudaBlas implements Blas, AutoCloseable {
    /** What NVIDIA recommends for the largest GPUs; one's own does not depend on what else the process does. */
    private static final long WORKSPACE = 32L << 20;

    private static final long FACTOR = 16;

    private final Device device;
    private final Stream stream;
    private final DeviceArray workspace;
    private final Arena arena = Arena.ofShared();
    /** α, then β, each as a real or complex number. */
    private final MemorySegment factors = arena.allocate(2 * FACTOR, FACTOR);

    private final CublasHandle handle;

    /** What kernels of cuBLAS depend on, which are loaded when they are first needed. */
    private record Product(int op, DataType type, long batch, long m, long n, long k) {}

    private final Set<Product> loaded = new HashSet<>();
    private final Runnable beforeLoading;

    /** Makes the products; {@code beforeLoading} is run before kernels may be loaded. */
    CudaBlas(Device device, Stream stream, Runnable beforeLoading) {
        this.device = device;
        this.stream = stream;
        this.beforeLoading = beforeLoading;
        workspace = device.allocate(DataType.INT8, WORKSPACE);
        device.makeCurrent();
        MemorySegment cell = arena.allocate(JAVA_LONG);
        LibCublas.cublasCreate(cell);
        handle = new CublasHandle(cell.get(JAVA_LONG, 0));
        LibCublas.cublasSetStream(handle, stream.handle());
        LibCublas.cublasSetWorkspace(handle, workspace.address(), WORKSPACE);
    }

    /** Returns whether the library is there, new enough for 64-bit sizes. */
    static boolean isPresent() {
        return LibCublas.library().isPresent() && LibCublas.has("cublasDgemm_64");
    }

    @Override
    public String name() {
        return "cuBLAS " + LibCublas.library().version();
    }

    @Override
    public void gemm(
            Transpose transpose, long m, long n, long k, double alpha, Buffer a, Buffer b, double beta, Buffer c) {
        gemm(transpose, 1, m, n, k, alpha, a, b, beta, c);
    }

    @Override
    public void gemm(
            Transpose transpose,
            long batch,
            long m,
            long n,
            long k,
            double alpha,
            Buffer a,
            Buffer b,
            double beta,
            Buffer c) {
        Operands.matrices(batch, m, n, k, a, b, c);
        if (c.count() == 0) {
            return;
        }
        boolean real = !a.type().isComplex();
        // The parts of complex numbers are columns of their own where the matrix is real.
        long columns = real && c.type().isComplex() ? 2 * n : n;
        factor(0, a.type(), alpha);
        factor(FACTOR, a.type(), beta);
        int op = operation(transpose, real);
        load(new Product(op, a.type(), batch, m, columns, k));
        stream.acquire();
        try {
            use(a);
            use(b);
            use(c);
            device.makeCurrent();
            if (batch == 1 && columns == 1 && k > 0 && op != LibCublas.CUBLAS_OP_C) {
                gemv(op, m, k, a, b, c);
            } else {
                gemm(op, batch, m, columns, k, a, b, c);
            }
        } finally {
            stream.release();
        }
    }

    private static int operation(Transpose transpose, boolean real) {
        return transpose == Transpose.NONE
                ? LibCublas.CUBLAS_OP_N
                : transpose == Transpose.TRANSPOSE || real ? LibCublas.CUBLAS_OP_T : LibCublas.CUBLAS_OP_C;
    }

    @Override
    public boolean isBatched() {
        return LibCublas.has("cublasDgemvStridedBatched_64");
    }

    /** Matrices that are equally far apart take one kernel: two always are, if the second one comes later in memory. */
    @Override
    public void gemv(Transpose transpose, long m, long k, List<Buffer> matrices, Buffer x, Buffer y) {
        boolean plain =
                m > 0 && k > 0 && (transpose != Transpose.CONJUGATE || !x.type().isComplex());
        if (!plain || !isBatched()) {
            Blas.super.gemv(transpose, m, k, matrices, x, y);
            return;
        }
        int count = matrices.size();
        if (x.count() != count * k || y.count() != count * m) {
            throw new IllegalArgumentException(
                    "gemv: " + x + " and " + y + " are not " + count + " vectors of " + k + " and " + m + " elements");
        }
        for (Buffer matrix : matrices) {
            Operands.matrices(1, m, 1, k, matrix, x.slice(0, k), y.slice(0, m));
            if (matrix.type() != x.type()) {
                throw new IllegalArgumentException("gemv: " + matrix + " does not have the type of " + x);
            }
        }
        factor(0, x.type(), 1);
        factor(FACTOR, x.type(), 0);
        load(new Product(operation(transpose, true), x.type(), matrices.size(), m, 1, k));
        stream.acquire();
        try {
            matrices.forEach(this::use);
            use(x);
            use(y);
            device.makeCurrent();
            int first = 0;
            while (first < count) {
                int next = first + 1;
                long stride = next < count
                        ? matrices.get(next).address() - matrices.get(first).address()
                        : 0;
                while (stride > 0
                        && next < count
                        && matrices.get(next).address() - matrices.get(next - 1).address() == stride) {
                    next++;
                }
                gemv(
                        operation(transpose, true),
                        next - first,
                        m,
                        k,
                        matrices.get(first),
                        next - first == 1 ? 0 : stride / x.type().bytes(),
                        x.slice(first * k, k).address(),
                        y.slice(first * m, m).address());
                first = next;
            }
        } finally {
            stream.release();
        }
    }

    /** Rows of the matrices are columns to cuBLAS. */
    private void gemv(int op, int batch, long m, long k, Buffer matrix, long apart, long x, long y) {
        boolean plain = op == LibCublas.CUBLAS_OP_N;
        int seen = plain ? LibCublas.CUBLAS_OP_T : LibCublas.CUBLAS_OP_N;
        long rows = plain ? k : m;
        long columns = plain ? m : k;
        long alpha = factors.address();
        long beta = alpha + FACTOR;
        long a = matrix.address();
        switch (matrix.type()) {
            case FLOAT32 ->
                LibCublas.cublasSgemvStridedBatched_64(
                        handle, seen, rows, columns, alpha, a, rows, apart, x, 1, k, beta, y, 1, m, batch);
            case FLOAT64 ->
                LibCublas.cublasDgemvStridedBatched_64(
                        handle, seen, rows, columns, alpha, a, rows, apart, x, 1, k, beta, y, 1, m, batch);
            case COMPLEX64 ->
                LibCublas.cublasCgemvStridedBatched_64(
                        handle, seen, rows, columns, alpha, a, rows, apart, x, 1, k, beta, y, 1, m, batch);
            default ->
                LibCublas.cublasZgemvStridedBatched_64(
                        handle, seen, rows, columns, alpha, a, rows, apart, x, 1, k, beta, y, 1, m, batch);
        }
    }

    private void load(Product product) {
        if (loaded.add(product)) {
            beforeLoading.run();
        }
    }

    private void use(Buffer buffer) {
        if (!(buffer instanceof DeviceArray array) || array.device().ordinal() != device.ordinal()) {
            throw new IllegalArgumentException(
                    "gemm: " + buffer + " is not in the memory of " + device + ", which computes");
        }
        array.usedIn(stream);
    }

    private void factor(long at, DataType type, double value) {
        switch (type) {
            case FLOAT32, COMPLEX64 -> {
                factors.set(JAVA_FLOAT, at, (float) value);
                factors.set(JAVA_FLOAT, at + Float.BYTES, 0);
            }
            default -> {
                factors.set(JAVA_DOUBLE, at, value);
                factors.set(JAVA_DOUBLE, at + Double.BYTES, 0);
            }
        }
    }

    /** Rows of the matrix are columns to cuBLAS: what is not transposed to us is to it. */
    private void gemv(int op, long m, long k, Buffer a, Buffer x, Buffer y) {
        boolean plain = op == LibCublas.CUBLAS_OP_N;
        int seen = plain ? LibCublas.CUBLAS_OP_T : LibCublas.CUBLAS_OP_N;
        long rows = plain ? k : m;
        long columns = plain ? m : k;
        long alpha = factors.address();
        long beta = alpha + FACTOR;
        long from = x.address();
        long to = y.address();
        switch (a.type()) {
            case FLOAT32 ->
                LibCublas.cublasSgemv_64(handle, seen, rows, columns, alpha, a.address(), rows, from, 1, beta, to, 1);
            case FLOAT64 ->
                LibCublas.cublasDgemv_64(handle, seen, rows, columns, alpha, a.address(), rows, from, 1, beta, to, 1);
            case COMPLEX64 ->
                LibCublas.cublasCgemv_64(handle, seen, rows, columns, alpha, a.address(), rows, from, 1, beta, to, 1);
            default ->
                LibCublas.cublasZgemv_64(handle, seen, rows, columns, alpha, a.address(), rows, from, 1, beta, to, 1);
        }
    }

    private void gemm(int op, long batch, long m, long n, long k, Buffer a, Buffer b, Buffer c) {
        int none = LibCublas.CUBLAS_OP_N;
        long alpha = factors.address();
        long beta = alpha + FACTOR;
        long left = Math.max(1, op == none ? k : m);
        // An empty matrix has no address, and is not read.
        long ap = k == 0 ? workspace.address() : a.address();
        long bp = k == 0 ? workspace.address() : b.address();
        long cp = c.address();
        switch (a.type()) {
            case FLOAT32 ->
                LibCublas.cublasSgemmStridedBatched_64(
                        handle, none, op, n, m, k, alpha, bp, n, k * n, ap, left, m * k, beta, cp, n, m * n, batch);
            case FLOAT64 ->
                LibCublas.cublasDgemmStridedBatched_64(
                        handle, none, op, n, m, k, alpha, bp, n, k * n, ap, left, m * k, beta, cp, n, m * n, batch);
            case COMPLEX64 ->
                LibCublas.cublasCgemmStridedBatched_64(
                        handle, none, op, n, m, k, alpha, bp, n, k * n, ap, left, m * k, beta, cp, n, m * n, batch);
            default ->
                LibCublas.cublasZgemmStridedBatched_64(
                        handle, none, op, n, m, k, alpha, bp, n, k * n, ap, left, m * k, beta, cp, n, m * n, batch);
        }
    }

    @Override
    public void close() {
        device.makeCurrent();
        LibCublas.cublasDestroy(handle);
        workspace.close();
        arena.close();
    }
}
