// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.bench.prk;

import org.comm4j.bench.Agreement;
import org.comm4j.bench.DevicePe;
import org.comm4j.core.Buffer;
import org.comm4j.core.Comparison;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.core.ReduceOp;
import org.comm4j.core.SignalOp;
import org.comm4j.cuda.LaunchConfig;
import org.comm4j.device.Shmem;
import org.comm4j.kernel.CompiledKernel;
import org.comm4j.kernel.lang.Block;
import org.comm4j.kernel.lang.BlockIdx;
import org.comm4j.kernel.lang.F64Ptr;
import org.comm4j.kernel.lang.Fence;
import org.comm4j.kernel.lang.Grid;
import org.comm4j.kernel.lang.GridDim;
import org.comm4j.kernel.lang.I64Ptr;
import org.comm4j.kernel.lang.Kernel;
import org.comm4j.kernel.lang.Shared;
import org.comm4j.kernel.lang.ThreadIdx;
import org.jspecify.annotations.Nullable;

/**
 * {@link Transpose} by a kernel: blocks of threads read tiles of A where they are, on this PE or another, and add them
 * transposed to this PE's columns of B.
 */
final class TransposeOnGpu extends OnGpus.Run {
    private static final int TILE = 32;
    /** Columns that the threads of a block walk side by side. */
    private static final int COLUMNS = 8;
    /** One more than a column needs: the elements of a row are then in different banks of the shared memory. */
    private static final int PITCH = TILE + 1;

    private final Transpose kernel;
    private final Parts parts;
    private final int me;
    private final int columns;
    private final Buffer a;
    private final Buffer b;
    private final DevicePe.Repeated passes;

    TransposeOnGpu(Transpose kernel, DevicePe pe) {
        this(kernel, pe, code(pe));
    }

    private TransposeOnGpu(Transpose kernel, DevicePe pe, CompiledKernel transpose) {
        super(pe, transpose);
        this.kernel = kernel;
        this.me = pe.myPe;
        this.parts = new Parts(kernel.order(), pe.nPes);
        this.columns = (int) parts.size(me);
        Buffer all = allocate(bytes(kernel, pe.nPes));
        this.a = pe.view(all, DataType.FLOAT64, (long) kernel.order() * columns);
        this.b = pe.view(allocate(bytes(kernel, pe.nPes)), DataType.FLOAT64, (long) kernel.order() * columns);
        // With room for the columns of the PE that has the most: kernels look up others' memory by it.
        Buffer largest = pe.view(all, DataType.FLOAT64, kernel.order() * parts.largest());
        Buffer arrived = pe.view(allocate((long) pe.nPes * Long.BYTES), DataType.INT64, pe.nPes);
        arrived.copyFrom(HostArray.allocate(DataType.INT64, pe.nPes));
        long tiles = (long) Math.ceilDiv(kernel.order(), TILE) * Math.ceilDiv(columns, TILE);
        int blocks = Math.clamp(tiles, 1, transpose.residentBlocks(TILE * COLUMNS, 0));
        this.passes = pe.repeated(
                transpose, LaunchConfig.grid(blocks).block(TILE, COLUMNS), largest, b, arrived, kernel.order());
    }

    private static CompiledKernel code(DevicePe pe) {
        String outOfReach = pe.outOfReach();
        if (outOfReach != null) {
            throw new UnsupportedOperationException(
                    "transpose: its kernel reads the memory of all PEs, but " + outOfReach);
        }
        return pe.compiler().compile(TransposeOnGpu::transpose);
    }

    /** Of one matrix. */
    static long bytes(Transpose kernel, int pes) {
        return kernel.order() * new Parts(kernel.order(), pes).largest() * Double.BYTES;
    }

    /**
     * B += Aᵀ, then A += 1: what this PE alone reads at once, the rest where all have read it.
     *
     * @param a this PE's columns behind each other, and {@code b} likewise
     * @param arrived for each PE how often it has come where all wait
     */
    @Kernel(maxThreads = TILE * COLUMNS)
    static void transpose(F64Ptr a, F64Ptr b, I64Ptr arrived, int order, int times) {
        double[] tile = Shared.f64(TILE * PITCH);
        int me = Shmem.myPe();
        int pes = Shmem.nPes();
        int mine = order / pes + (me < order % pes ? 1 : 0);
        int first = me * (order / pes) + Math.min(me, order % pes);
        int down = (mine + TILE - 1) / TILE;
        int x = ThreadIdx.x();
        long meetings = Shmem.signalFetch(arrived.plus(me));
        Grid.sync();
        for (int time = 0; time < times; time++) {
            // Each begins with another's columns, so that no PE is read by all at once.
            for (int distance = 1; distance <= pes; distance++) {
                int pe = (me + distance) % pes;
                int theirs = order / pes + (pe < order % pes ? 1 : 0);
                int start = pe * (order / pes) + Math.min(pe, order % pes);
                int tiles = down * ((theirs + TILE - 1) / TILE);
                F64Ptr from = Shmem.ptr(a, pe);
                for (int at = BlockIdx.x(); at < tiles; at += GridDim.x()) {
                    // Rows of A from here are this PE's columns of B.
                    int row = at % down * TILE;
                    int column = at / down * TILE;
                    for (int y = ThreadIdx.y(); y < TILE; y += COLUMNS) {
                        if (row + x < mine && column + y < theirs) {
                            long i = (long) order * (column + y) + first + row + x;
                            double value = from.get(i);
                            tile[y * PITCH + x] = value;
                            if (pe == me) {
                                // Nobody else reads it.
                                a.set(i, value + 1);
                            }
                        }
                    }
                    Block.sync();
                    for (int y = ThreadIdx.y(); y < TILE; y += COLUMNS) {
                        if (row + y < mine && column + x < theirs) {
                            long to = (long) order * (row + y) + start + column + x;
                            b.set(to, b.get(to) + tile[x * PITCH + y]);
                        }
                    }
                    Block.sync();
                }
            }
            meet(arrived, ++meetings);
            for (int column = BlockIdx.x(); column < mine; column += GridDim.x()) {
                for (int i = ThreadIdx.y() * TILE + x; i < order - mine; i += TILE * COLUMNS) {
                    long at = (long) order * column + (i < first ? i : i + mine);
                    a.set(at, a.get(at) + 1);
                }
            }
            meet(arrived, ++meetings);
        }
    }

    /** All blocks of all PEs have come, and see what the others wrote. */
    private static void meet(I64Ptr arrived, long meeting) {
        Fence.system();
        Grid.sync();
        if (BlockIdx.x() == 0 && ThreadIdx.y() == 0) {
            Fence.system();
            for (int pe = ThreadIdx.x(); pe < Shmem.nPes(); pe += TILE) {
                Shmem.signal(arrived.plus(Shmem.myPe()), meeting, SignalOp.SET, pe);
            }
            for (int pe = ThreadIdx.x(); pe < Shmem.nPes(); pe += TILE) {
                Shmem.signalWaitUntil(arrived.plus(pe), Comparison.GE, meeting);
            }
            Fence.system();
        }
        Grid.sync();
    }

    @Override
    void fill() {
        b.fill(0);
        double firstValue = (double) kernel.order() * parts.first(me);
        Pieces.write(a, kernel.order(), (rows, first) -> {
            for (long i = 0; i < rows.count(); i++) {
                rows.setDouble(i, firstValue + first + i);
            }
        });
    }

    @Override
    DevicePe.Repeated passes() {
        return passes;
    }

    @Override
    @Nullable
    String error(Agreement agreement) {
        int order = kernel.order();
        double error = Pieces.measure(b, order, (rows, first) -> {
                    double sum = 0;
                    for (long at = 0; at < rows.count(); at += order) {
                        long column = parts.first(me) + (first + at) / order;
                        for (int i = 0; i < order; i++) {
                            sum += Math.abs(rows.getDouble(at + i) - kernel.expected(i, column));
                        }
                    }
                    return sum;
                })
                .sum();
        return Transpose.error(agreement.of(error, ReduceOp.SUM));
    }
}
