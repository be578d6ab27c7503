// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.bench.operators;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.cuda.DeviceArray;
import org.comm4j.cuda.Stream;
import org.comm4j.ffi.cublas.CublasHandle;
import org.comm4j.ffi.cublas.LibCublas;

/**
 * Products of groups of rows with a matrix of each group by {@code cublasGemmGroupedBatchedEx}, in which each group has
 * one product. The matrices are stored by rows, those of the groups as n × k.
 */
final class CublasGroups implements AutoCloseable {
    private static final long WORKSPACE = 64L << 20;

    private final Arena arena = Arena.ofShared();
    private final int count;
    private final CublasHandle handle;
    private final DeviceArray workspace;
    private final DeviceArray pointers;
    private final int type;
    private final MemorySegment transposeA;
    private final MemorySegment transposeB;
    private final MemorySegment m;
    private final MemorySegment n;
    private final MemorySegment k;
    private final MemorySegment ones;
    private final MemorySegment zeros;
    private final MemorySegment sizes;

    CublasGroups(HostArray offsets, int n, int k, DeviceArray a, DeviceArray b, DeviceArray c, Stream stream) {
        count = Math.toIntExact(offsets.count() - 1);
        type = CublasLtProduct.code(a.type());
        c.device().makeCurrent();
        MemorySegment cell = arena.allocate(JAVA_LONG);
        LibCublas.cublasCreate(cell);
        handle = new CublasHandle(cell.get(JAVA_LONG, 0));
        LibCublas.cublasSetStream(handle, stream.handle());
        workspace = c.device().allocate(DataType.INT8, WORKSPACE);
        LibCublas.cublasSetWorkspace(handle, workspace.address(), WORKSPACE);
        HostArray places = HostArray.allocate(DataType.INT64, 3L * count);
        long[] rows = new long[count];
        for (int g = 0; g < count; g++) {
            long first = offsets.getInt(g);
            rows[g] = offsets.getInt(g + 1L) - first;
            // It sees everything transposed: its A is our B.
            places.setLong(g, b.address() + (long) g * n * k * b.type().bytes());
            places.setLong(count + (long) g, a.address() + first * k * a.type().bytes());
            places.setLong(2L * count + g, c.address() + first * n * c.type().bytes());
        }
        pointers = c.device().allocate(DataType.INT64, 3L * count);
        pointers.copyFrom(places);
        transposeA = ints(LibCublas.CUBLAS_OP_T);
        transposeB = ints(LibCublas.CUBLAS_OP_N);
        m = longs(n);
        this.n = arena.allocateFrom(JAVA_LONG, rows);
        this.k = longs(k);
        float[] factors = new float[count];
        zeros = arena.allocateFrom(JAVA_FLOAT, factors);
        Arrays.fill(factors, 1);
        ones = arena.allocateFrom(JAVA_FLOAT, factors);
        sizes = longs(1);
    }

    private MemorySegment ints(int value) {
        int[] all = new int[count];
        Arrays.fill(all, value);
        return arena.allocateFrom(JAVA_INT, all);
    }

    private MemorySegment longs(long value) {
        long[] all = new long[count];
        Arrays.fill(all, value);
        return arena.allocateFrom(JAVA_LONG, all);
    }

    private MemorySegment pointers(int which) {
        return MemorySegment.ofAddress(pointers.address() + (long) which * count * Long.BYTES);
    }

    /** Puts the products into the stream. */
    void run() {
        LibCublas.cublasGemmGroupedBatchedEx_64(
                handle,
                transposeA,
                transposeB,
                m,
                n,
                k,
                ones.address(),
                pointers(0),
                type,
                k,
                pointers(1),
                type,
                k,
                zeros.address(),
                pointers(2),
                type,
                m,
                count,
                sizes,
                LibCublas.CUBLAS_COMPUTE_32F);
    }

    @Override
    public void close() {
        LibCublas.cublasDestroy(handle);
        workspace.close();
        pointers.close();
        arena.close();
    }
}
