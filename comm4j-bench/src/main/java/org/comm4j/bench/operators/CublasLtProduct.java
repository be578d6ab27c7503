// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.bench.operators;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_FLOAT;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.comm4j.core.DataType;
import org.comm4j.cuda.DeviceArray;
import org.comm4j.cuda.Stream;
import org.comm4j.ffi.cublas.CublasLtHandle;
import org.comm4j.ffi.cublas.CublasLtMatmulDesc;
import org.comm4j.ffi.cublas.CublasLtMatmulHeuristicResult;
import org.comm4j.ffi.cublas.CublasLtMatmulPreference;
import org.comm4j.ffi.cublas.CublasLtMatrixLayout;
import org.comm4j.ffi.cublas.LibCublas;
import org.comm4j.math.Transpose;

/**
 * A product C = op(A) op(B) of matrices stored by rows, by the algorithm that cuBLASLt's heuristic says is the fastest
 * ({@code cublasLtMatmul}). Its matrices are stored by columns: it computes the transpose of C of those of B and A.
 */
final class CublasLtProduct implements AutoCloseable {
    private static final long WORKSPACE = 64L << 20;

    private final Arena arena = Arena.ofShared();
    private final MemorySegment cell = arena.allocate(JAVA_LONG);
    /** 1, then 0. */
    private final MemorySegment factors = arena.allocateFrom(JAVA_FLOAT, 1, 0);

    private final MemorySegment best = arena.allocate(CublasLtMatmulHeuristicResult.BYTES, Long.BYTES);
    private final CublasLtHandle handle;
    private final CublasLtMatmulDesc operation;
    private final CublasLtMatrixLayout layoutA;
    private final CublasLtMatrixLayout layoutB;
    private final CublasLtMatrixLayout layoutC;
    private final DeviceArray a;
    private final DeviceArray b;
    private final DeviceArray c;
    private final DeviceArray workspace;

    /** Makes the product of an m × k and a k × n matrix. */
    CublasLtProduct(
            int m,
            int n,
            int k,
            Transpose transposeA,
            Transpose transposeB,
            DeviceArray a,
            DeviceArray b,
            DeviceArray c) {
        this.a = a;
        this.b = b;
        this.c = c;
        c.device().makeCurrent();
        workspace = c.device().allocate(DataType.INT8, WORKSPACE);
        LibCublas.cublasLtCreate(cell);
        handle = new CublasLtHandle(made());
        LibCublas.cublasLtMatmulDescCreate(cell, LibCublas.CUBLAS_COMPUTE_32F, LibCublas.CUDA_R_32F);
        operation = new CublasLtMatmulDesc(made());
        set(LibCublas.CUBLASLT_MATMUL_DESC_TRANSA, code(transposeB));
        set(LibCublas.CUBLASLT_MATMUL_DESC_TRANSB, code(transposeA));
        if (a.type().bytes() == 1) {
            // Sums stay in the tensor core, as ours do.
            MemorySegment yes = arena.allocateFrom(JAVA_BYTE, (byte) 1);
            LibCublas.cublasLtMatmulDescSetAttribute(
                    operation, LibCublas.CUBLASLT_MATMUL_DESC_FAST_ACCUM, yes.address(), 1);
        }
        boolean isA = transposeA != Transpose.NONE;
        boolean isB = transposeB != Transpose.NONE;
        layoutA = layout(a.type(), isA ? m : k, isA ? k : m);
        layoutB = layout(b.type(), isB ? k : n, isB ? n : k);
        layoutC = layout(c.type(), n, m);
        choose(m, n, k);
    }

    private long made() {
        return cell.get(JAVA_LONG, 0);
    }

    private void set(int attribute, int value) {
        LibCublas.cublasLtMatmulDescSetAttribute(
                operation, attribute, arena.allocateFrom(JAVA_INT, value).address(), Integer.BYTES);
    }

    private static int code(Transpose transpose) {
        return transpose == Transpose.NONE ? LibCublas.CUBLAS_OP_N : LibCublas.CUBLAS_OP_T;
    }

    private CublasLtMatrixLayout layout(DataType type, int rows, int columns) {
        LibCublas.cublasLtMatrixLayoutCreate(cell, code(type), rows, columns, rows);
        return new CublasLtMatrixLayout(made());
    }

    static int code(DataType type) {
        return switch (type) {
            case FLOAT16 -> LibCublas.CUDA_R_16F;
            case BFLOAT16 -> LibCublas.CUDA_R_16BF;
            case FLOAT8_E4M3 -> LibCublas.CUDA_R_8F_E4M3;
            case FLOAT8_E5M2 -> LibCublas.CUDA_R_8F_E5M2;
            case FLOAT32 -> LibCublas.CUDA_R_32F;
            default -> throw new IllegalArgumentException("no products of " + type + " are measured");
        };
    }

    private void choose(int m, int n, int k) {
        LibCublas.cublasLtMatmulPreferenceCreate(cell);
        CublasLtMatmulPreference preference = new CublasLtMatmulPreference(made());
        MemorySegment bytes = arena.allocateFrom(JAVA_LONG, WORKSPACE);
        LibCublas.cublasLtMatmulPreferenceSetAttribute(
                preference, LibCublas.CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES, bytes.address(), Long.BYTES);
        MemorySegment found = arena.allocate(JAVA_INT);
        LibCublas.cublasLtMatmulAlgoGetHeuristic(
                handle, operation, layoutB, layoutA, layoutC, layoutC, preference, 1, best, found);
        LibCublas.cublasLtMatmulPreferenceDestroy(preference);
        if (found.get(JAVA_INT, 0) == 0) {
            throw new IllegalStateException(
                    "cuBLASLt has no product of m = " + m + ", n = " + n + ", k = " + k + " of " + a.type());
        }
    }

    /** Puts it into a stream. */
    void run(Stream stream) {
        LibCublas.cublasLtMatmul(
                handle,
                operation,
                factors.address(),
                b.address(),
                layoutB,
                a.address(),
                layoutA,
                factors.address() + Float.BYTES,
                c.address(),
                layoutC,
                c.address(),
                layoutC,
                best,
                workspace.address(),
                WORKSPACE,
                stream.handle());
    }

    @Override
    public void close() {
        LibCublas.cublasLtMatrixLayoutDestroy(layoutA);
        LibCublas.cublasLtMatrixLayoutDestroy(layoutB);
        LibCublas.cublasLtMatrixLayoutDestroy(layoutC);
        LibCublas.cublasLtMatmulDescDestroy(operation);
        LibCublas.cublasLtDestroy(handle);
        workspace.close();
        arena.close();
    }
}
