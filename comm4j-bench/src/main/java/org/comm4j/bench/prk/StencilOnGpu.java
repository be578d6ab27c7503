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
import org.comm4j.kernel.BlockIdx;
import org.comm4j.kernel.CompiledKernel;
import org.comm4j.kernel.Constant;
import org.comm4j.kernel.F64Ptr;
import org.comm4j.kernel.Fence;
import org.comm4j.kernel.Grid;
import org.comm4j.kernel.GridDim;
import org.comm4j.kernel.I64Ptr;
import org.comm4j.kernel.Kernel;
import org.comm4j.kernel.ThreadIdx;
import org.jspecify.annotations.Nullable;

/**
 * {@link Stencil} by a kernel: {@code in} is there twice, and a pass writes {@code in + 1} to the other one while it reads the star, so that it goes over memory once: 32 bytes for each point, to and from. What is next
 * to another PE's tile the thread that makes it stores in that PE's halo, too.
 */
final class StencilOnGpu extends OnGpus.Run {
    /** Threads of a block side by side, and above each other. */
    private static final int ACROSS = 64;

    private static final int DOWN = 4;
    /** Rows of a block's tile: the more, the fewer rows two blocks read. */
    private static final int ROWS = 32;
    /** Elements of 128 bytes: rows begin at multiples of it. */
    private static final int LINE = 16;

    private final Stencil kernel;
    private final Tile tile;
    private final Buffer in;
    private final Buffer out;
    private final DevicePe.Repeated passes;

    /** What a PE has of the grid. Rows and halos lie alike on all PEs, as the largest tile needs it. */
    private record Tile(int n, int radius, int pes, int me) {
        int wide() {
            return Parts.side(pes);
        }

        Parts columns() {
            return new Parts(n, wide());
        }

        Parts rows() {
            return new Parts(n, pes / wide());
        }

        int x() {
            return me % wide();
        }

        int y() {
            return me / wide();
        }

        int pitch() {
            return pitch(radius, (int) columns().largest());
        }

        static int margin(int radius) {
            return (radius + LINE - 1) / LINE * LINE;
        }

        static int pitch(int radius, int columns) {
            return (margin(radius) + columns + radius + LINE - 1) / LINE * LINE;
        }

        /** With halos. */
        long height() {
            return rows().largest() + 2L * radius;
        }

        long points() {
            return pitch() * height();
        }

        /** Where the grid's column at the beginning of a row is, and the row of the halo before the tile. */
        long left() {
            return columns().first(x()) - margin(radius);
        }

        long top() {
            return rows().first(y()) - radius;
        }

        /** Of a point of the grid. */
        long place(long x, long y) {
            return (y - top()) * pitch() + x - left();
        }
    }

    StencilOnGpu(Stencil kernel, DevicePe pe) {
        this(kernel, pe, code(kernel, pe));
    }

    private StencilOnGpu(Stencil kernel, DevicePe pe, CompiledKernel star) {
        super(pe, star);
        this.kernel = kernel;
        this.tile = new Tile(kernel.n(), kernel.radius(), pe.nPes, pe.myPe);
        this.in = pe.view(allocate(2 * tile.points() * Double.BYTES), DataType.FLOAT64, 2 * tile.points());
        this.out = pe.view(allocate(tile.points() * Double.BYTES), DataType.FLOAT64, tile.points());
        Buffer arrived = pe.view(allocate((long) pe.nPes * Long.BYTES), DataType.INT64, pe.nPes);
        arrived.copyFrom(HostArray.allocate(DataType.INT64, pe.nPes));
        long tiles = Math.ceilDiv(tile.columns().largest(), ACROSS)
                * Math.ceilDiv(tile.rows().largest(), ROWS);
        int blocks = Math.clamp(tiles, 1, star.residentBlocks(ACROSS * DOWN, 0));
        this.passes = pe.repeated(
                star, LaunchConfig.grid(blocks).block(ACROSS, DOWN), in, out, arrived, kernel.n(), tile.wide());
    }

    private static CompiledKernel code(Stencil kernel, DevicePe pe) {
        String outOfReach = pe.outOfReach();
        if (outOfReach != null) {
            throw new UnsupportedOperationException(
                    "stencil: its kernel stores halos in the memory of neighbours, but " + outOfReach);
        }
        return pe.compiler().compile(StencilOnGpu::star, kernel.radius());
    }

    static long bytes(Stencil kernel, int pes) {
        return 3 * new Tile(kernel.n(), kernel.radius(), pes, 0).points() * Double.BYTES;
    }

    /**
     * out += S(in), in += 1.
     *
     * @param in twice: the one whose turn it is has the halos, too
     * @param arrived for each PE how many passes it has done; neighbours and this one are kept
     * @param wide PEs side by side
     */
    @Kernel(maxThreads = ACROSS * DOWN)
    static void star(@Constant int radius, F64Ptr in, F64Ptr out, I64Ptr arrived, int n, int wide, int times) {
        int me = Shmem.myPe();
        int high = Shmem.nPes() / wide;
        int x = me % wide;
        int y = me / wide;
        int width = part(n, wide, x);
        int height = part(n, high, y);
        int firstX = first(n, wide, x);
        int firstY = first(n, high, y);
        int left = x > 0 ? me - 1 : -1;
        int right = x < wide - 1 ? me + 1 : -1;
        int below = y > 0 ? me - wide : -1;
        int above = y < high - 1 ? me + wide : -1;
        int margin = (radius + LINE - 1) / LINE * LINE;
        int pitch = (margin + part(n, wide, 0) + radius + LINE - 1) / LINE * LINE;
        long points = (long) pitch * (part(n, high, 0) + 2 * radius);
        // From a point at an edge to its place in the halo of the PE beyond it.
        long toLeft = left < 0 ? 0 : part(n, wide, x - 1);
        long toRight = -width;
        long toBelow = below < 0 ? 0 : (long) pitch * part(n, high, y - 1);
        long toAbove = (long) -height * pitch;
        int across = (width + ACROSS - 1) / ACROSS;
        int tiles = across * ((height + ROWS - 1) / ROWS);
        long passes = Shmem.signalFetch(arrived.plus(me));
        Grid.sync();
        for (int time = 0; time < times; time++) {
            long turn = passes % 2 * points;
            F64Ptr from = in.plus(turn);
            F64Ptr to = in.plus(points - turn);
            for (int at = BlockIdx.x(); at < tiles; at += GridDim.x()) {
                int column = at % across * ACROSS + ThreadIdx.x();
                int end = Math.min(at / across * ROWS + ROWS, height);
                for (int row = at / across * ROWS + ThreadIdx.y(); row < end && column < width; row += DOWN) {
                    long i = (long) pitch * (row + radius) + margin + column;
                    double value = from.get(i);
                    int globalX = firstX + column;
                    int globalY = firstY + row;
                    if (globalX >= radius && globalX < n - radius && globalY >= radius && globalY < n - radius) {
                        double sum = out.get(i);
                        for (int k = 1; k <= radius; k++) {
                            double difference = from.get(i + (long) k * pitch) - from.get(i - (long) k * pitch);
                            sum += (difference + from.get(i + k) - from.get(i - k)) * (1.0 / (2.0 * k * radius));
                        }
                        out.set(i, sum);
                    }
                    double next = value + 1;
                    to.set(i, next);
                    if (column < radius && left >= 0) {
                        Shmem.ptr(to, left).set(i + toLeft, next);
                    }
                    if (column >= width - radius && right >= 0) {
                        Shmem.ptr(to, right).set(i + toRight, next);
                    }
                    if (row < radius && below >= 0) {
                        Shmem.ptr(to, below).set(i + toBelow, next);
                    }
                    if (row >= height - radius && above >= 0) {
                        Shmem.ptr(to, above).set(i + toAbove, next);
                    }
                }
            }
            passes++;
            Fence.system();
            Grid.sync();
            if (BlockIdx.x() == 0 && ThreadIdx.y() == 0 && ThreadIdx.x() < 5) {
                int side = ThreadIdx.x();
                int pe = side == 0 ? left : side == 1 ? right : side == 2 ? below : side == 3 ? above : me;
                if (pe >= 0) {
                    Fence.system();
                    Shmem.signal(arrived.plus(me), passes, SignalOp.SET, pe);
                    Shmem.signalWaitUntil(arrived.plus(pe), Comparison.GE, passes);
                    Fence.system();
                }
            }
            Grid.sync();
        }
    }

    /** As {@link Parts}. */
    private static int part(int count, int parts, int part) {
        return count / parts + (part < count % parts ? 1 : 0);
    }

    private static int first(int count, int parts, int part) {
        return part * (count / parts) + Math.min(part, count % parts);
    }

    /** What a point of the grid has before the first pass. */
    interface Initial {
        double at(long x, long y);
    }

    @Override
    void fill() {
        fill((x, y) -> (double) x + y);
    }

    /** Both of {@code in}, with the halos, because it may be either's turn. */
    void fill(Initial initial) {
        HostArray values = HostArray.allocate(DataType.FLOAT64, tile.points());
        out.copyFrom(values);
        for (long y = Math.max(tile.top(), 0); y < Math.min(tile.top() + tile.height(), tile.n); y++) {
            for (long x = Math.max(tile.left(), 0); x < Math.min(tile.left() + tile.pitch(), tile.n); x++) {
                values.setDouble(tile.place(x, y), initial.at(x, y));
            }
        }
        in.slice(0, tile.points()).copyFrom(values);
        in.slice(tile.points(), tile.points()).copyFrom(values);
    }

    @Override
    DevicePe.Repeated passes() {
        return passes;
    }

    /** The greatest difference between this PE's results and those at {@code [y][x]}. */
    double difference(double[][] expected) {
        HostArray result = out.toHost();
        double greatest = 0;
        for (long y = tile.rows().first(tile.y()); y < tile.rows().first(tile.y() + 1); y++) {
            for (long x = tile.columns().first(tile.x()); x < tile.columns().first(tile.x() + 1); x++) {
                double difference = result.getDouble(tile.place(x, y)) - expected[(int) y][(int) x];
                greatest = Math.max(greatest, Math.abs(difference));
            }
        }
        return greatest;
    }

    @Override
    @Nullable
    String error(Agreement agreement) {
        HostArray result = out.toHost();
        double norm = 0;
        for (long i = 0; i < result.count(); i++) {
            norm += Math.abs(result.getDouble(i));
        }
        return kernel.error(agreement.of(norm, ReduceOp.SUM));
    }
}
