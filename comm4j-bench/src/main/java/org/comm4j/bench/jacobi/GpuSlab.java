// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.bench.jacobi;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.cuda.CudaModule;
import org.comm4j.cuda.Device;
import org.comm4j.cuda.DeviceArray;
import org.comm4j.cuda.Kernel;
import org.comm4j.cuda.LaunchConfig;
import org.comm4j.cuda.Nvrtc;
import org.comm4j.cuda.PreparedLaunch;
import org.comm4j.cuda.Stream;

/**
 * The rows of one rank in the memory of its GPU, twice: an iteration reads one grid and writes the other. Row 0 and the last one hold
 * what the neighbours compute, the rows between them are the rank's own.
 */
public final class GpuSlab implements AutoCloseable {
    /** Threads of a block, at most; the kernel relies on it. */
    private static final int THREADS = 128;

    /** Floats that a thread computes at once. */
    private static final int WIDTH = 4;

    /** Rows begin where a warp's accesses are aligned. */
    private static final int ALIGNMENT = 32;

    /** Rows of a block at most: the two that it reads without owning them weigh little then. */
    private static final int MOST_ROWS = 32;

    /** Blocks that keep a multiprocessor busy. */
    private static final int BUSY = 8;

    private final JacobiProblem problem;
    private final int firstRow;
    private final int rows;
    private final int pitch;
    private final Device device;
    private final CudaModule module;
    private final DeviceArray[] grids = new DeviceArray[2];
    private final Kernel relax;
    private final Kernel collect;
    private final int blockThreads;
    private final int blockColumns;

    /** This rank's rows at the start, with the fixed values in their places. */
    GpuSlab(JacobiProblem problem, int rank, int ranks, Device device) {
        this.problem = problem;
        this.firstRow = problem.firstRow(rank, ranks);
        this.rows = problem.rowsOf(rank, ranks);
        this.pitch = Math.ceilDiv(problem.nx(), ALIGNMENT) * ALIGNMENT;
        this.device = device;
        this.module = CudaModule.load(device, Nvrtc.compile(source(), "jacobi.cu", device));
        this.relax = module.kernel("relax");
        this.collect = module.kernel("collect");
        int warps = Math.ceilDiv(pitch, WIDTH * ALIGNMENT);
        this.blockThreads = Math.min(THREADS, warps * ALIGNMENT);
        this.blockColumns = Math.ceilDiv(pitch, WIDTH * blockThreads);
        HostArray fixed = HostArray.allocate(DataType.FLOAT32, rows + 2L);
        for (int row = 0; row < rows + 2; row++) {
            fixed.setFloat(row, problem.boundary(firstRow - 1 + row));
        }
        try (DeviceArray values = device.allocate(DataType.FLOAT32, fixed.count())) {
            values.copyFrom(fixed);
            for (int i = 0; i < grids.length; i++) {
                grids[i] = device.allocate(DataType.FLOAT32, (rows + 2L) * pitch);
                module.kernel("start")
                        .launch(
                                LaunchConfig.forElements(rows + 2L),
                                device.defaultStream(),
                                grids[i],
                                values,
                                problem.nx(),
                                (long) pitch,
                                rows + 2);
            }
            device.synchronize();
        }
    }

    static String source() {
        try (InputStream in = Objects.requireNonNull(GpuSlab.class.getResourceAsStream("jacobi.cu"))) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    JacobiProblem problem() {
        return problem;
    }

    Device device() {
        return device;
    }

    /** The grid row that is this rank's first. */
    int firstRow() {
        return firstRow;
    }

    /** The number of rows that are this rank's own. */
    int rows() {
        return rows;
    }

    /** Floats from one row to the next. */
    int pitch() {
        return pitch;
    }

    /** Rows of one of the two grids, from 0, the upper neighbour's, to {@code rows + 1}, the lower one's. */
    DeviceArray rows(int grid, int from, int count) {
        return grids[grid].slice((long) from * pitch, (long) count * pitch);
    }

    /** A row as it is sent: without what fills it up to the pitch. */
    DeviceArray row(int grid, int row) {
        return grids[grid].slice((long) row * pitch, problem.nx());
    }

    /** An iteration for all own rows. */
    PreparedLaunch whole(int from, DeviceArray squares) {
        return relax(from, squares, 1, rows + 1);
    }

    /** An iteration for the own rows that no neighbour needs; there must be some. */
    PreparedLaunch inner(int from, DeviceArray squares) {
        return relax(from, squares, 2, rows);
    }

    /** An iteration for the first and the last own row. */
    PreparedLaunch edges(int from, DeviceArray squares) {
        int step = Math.max(rows - 1, 1);
        return prepared(from, squares, 1, step, 1, rows + 1, Math.min(rows, 2));
    }

    private PreparedLaunch relax(int from, DeviceArray squares, int first, int last) {
        int enough = BUSY * device.properties().multiprocessors();
        int each = MOST_ROWS;
        while (each > 1 && (long) blockColumns * Math.ceilDiv(last - first, each) < enough) {
            each /= 2;
        }
        // More blocks than a grid can have below each other.
        each = Math.max(each, Math.ceilDiv(last - first, 65535));
        return prepared(from, squares, first, each, each, last, Math.ceilDiv(last - first, each));
    }

    private PreparedLaunch prepared(
            int from, DeviceArray squares, int first, int step, int each, int last, int blocks) {
        return relax.prepare(
                LaunchConfig.grid(blockColumns, blocks).block(blockThreads),
                grids[from],
                grids[1 - from],
                squares,
                problem.nx(),
                (long) pitch,
                first,
                step,
                each,
                last);
    }

    /** Moves sums to their places; see the kernel. */
    void collect(DeviceArray sums, DeviceArray history, DeviceArray position, Stream stream) {
        collect.launch(
                LaunchConfig.grid(1).block(ALIGNMENT), stream, sums, history, position, Math.toIntExact(sums.count()));
    }

    @Override
    public void close() {
        for (DeviceArray grid : grids) {
            grid.close();
        }
        module.close();
    }
}
