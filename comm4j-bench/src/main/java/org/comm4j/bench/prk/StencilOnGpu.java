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
import org.comm4j.kernel.lang.BlockIdx;
import org.comm4j.kernel.lang.Constant;
import org.comm4j.kernel.lang.Double2;
import org.comm4j.kernel.lang.F64Ptr;
import org.comm4j.kernel.lang.Fence;
import org.comm4j.kernel.lang.Grid;
import org.comm4j.kernel.lang.GridDim;
import org.comm4j.kernel.lang.I64Ptr;
import org.comm4j.kernel.lang.Kernel;
import org.comm4j.kernel.lang.ThreadIdx;
import org.comm4j.kernel.lang.Unroll;
import org.jspecify.annotations.Nullable;

/**
 * {@link Stencil} by a kernel: {@code in} is there twice, and a pass writes {@code in + 1} to the other one while it
 * reads the star, so that it goes over memory once: 32 bytes for each point, to and from. What is next to another PE's
 * tile is stored in that PE's halo first.
 */
final class StencilOnGpu extends OnGpus.Run {
    /** Threads of a block side by side, and above each other. */
    private static final int ACROSS = 64;

    private static final int DOWN = 2;
    /**
     * Rows of two columns that a thread makes at once: it loads each of their values once, 16 bytes at a time, and all
     * of them before it stores. Memory is waited for, not instructions: single points take the same time with a quarter
     * of the instructions.
     */
    private static final int EACH = 4;
    /** The largest radius for that; the values around must stay in registers. */
    private static final int MOST_RADIUS = 8;
    /** Of a block's tile: the more rows, the fewer two blocks read. */
    private static final int COLUMNS = 2 * ACROSS;

    private static final int ROWS = 2 * DOWN * EACH;
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

        boolean inGrid(long coordinate) {
            return coordinate >= 0 && coordinate < n;
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
        long tiles = Math.ceilDiv(tile.columns().largest(), COLUMNS)
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
        return pe.compiler().compile(StencilOnGpu::pass, kernel.radius());
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
    static void pass(@Constant int radius, F64Ptr in, F64Ptr out, I64Ptr arrived, int n, int wide, int times) {
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
        int across = (width + COLUMNS - 1) / COLUMNS;
        int tiles = across * ((height + ROWS - 1) / ROWS);
        long passes = Shmem.signalFetch(arrived.plus(me));
        Grid.sync();
        for (int time = 0; time < times; time++) {
            long turn = passes % 2 * points;
            F64Ptr from = in.plus(turn);
            F64Ptr to = in.plus(points - turn);
            long corner = (long) pitch * radius + margin;
            if (left >= 0) {
                send(from, Shmem.ptr(to, left), corner, toLeft, radius, height, pitch);
            }
            if (right >= 0) {
                send(from, Shmem.ptr(to, right), corner + width - radius, toRight, radius, height, pitch);
            }
            if (below >= 0) {
                send(from, Shmem.ptr(to, below), corner, toBelow, width, radius, pitch);
            }
            if (above >= 0) {
                send(
                        from,
                        Shmem.ptr(to, above),
                        corner + (long) (height - radius) * pitch,
                        toAbove,
                        width,
                        radius,
                        pitch);
            }
            for (int at = BlockIdx.x(); at < tiles; at += GridDim.x()) {
                int column = at % across * COLUMNS + 2 * ThreadIdx.x();
                int end = Math.min(at / across * ROWS + ROWS, height);
                for (int row = at / across * ROWS + ThreadIdx.y() * EACH; row < end; row += DOWN * EACH) {
                    long i = corner + (long) pitch * row + column;
                    if (radius <= MOST_RADIUS
                            && column + 2 <= width
                            && row + EACH <= end
                            && inside(firstX + column, 2, radius, n)
                            && inside(firstY + row, EACH, radius, n)) {
                        stars(radius, (radius + 1) / 2 * 2, from, to, out, i, pitch);
                    } else {
                        for (int k = 0; k < 2 * EACH; k++) {
                            int x1 = column + k % 2;
                            int y1 = row + k / 2;
                            if (x1 < width && y1 < end) {
                                boolean inside = inside(firstX + x1, 1, radius, n) && inside(firstY + y1, 1, radius, n);
                                point(radius, inside, from, to, out, corner + (long) pitch * y1 + x1, pitch);
                            }
                        }
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

    /** Whether points of a row or column of the grid have all their neighbours. */
    private static boolean inside(int first, int count, int radius, int n) {
        return first >= radius && first + count <= n - radius;
    }

    /** What is next to another PE's tile becomes its halo, as it is after this pass. */
    private static void send(F64Ptr from, F64Ptr there, long first, long shift, int columns, int rows, int pitch) {
        int threads = GridDim.x() * ACROSS * DOWN;
        int me = (BlockIdx.x() * DOWN + ThreadIdx.y()) * ACROSS + ThreadIdx.x();
        for (int at = me; at < columns * rows; at += threads) {
            long i = first + (long) (at / columns) * pitch + at % columns;
            there.set(i + shift, from.get(i) + 1);
        }
    }

    /**
     * {@link #EACH} pairs of points above each other, inside of the grid.
     *
     * @param beside points that are loaded on each side: the radius, or one more, so that they are pairs
     */
    private static void stars(
            @Constant int radius, @Constant int beside, F64Ptr from, F64Ptr to, F64Ptr out, long i, int pitch) {
        double[] sums = new double[2 * EACH];
        for (int v = 0; v < EACH; v++) {
            Unroll.all();
            long j = i + (long) v * pitch;
            double[] row = new double[2 * beside + 2];
            for (int h = 0; h < beside + 1; h++) {
                Unroll.all();
                Double2 pair = from.get2(j - beside + 2L * h);
                row[2 * h] = pair.x();
                row[2 * h + 1] = pair.y();
            }
            Double2 before = out.get2(j);
            double x = before.x();
            double y = before.y();
            for (int k = 1; k <= radius; k++) {
                Unroll.all();
                Double2 up = from.get2(j + (long) k * pitch);
                Double2 down = from.get2(j - (long) k * pitch);
                double weight = 1.0 / (2.0 * k * radius);
                x += (up.x() - down.x() + row[beside + k] - row[beside - k]) * weight;
                y += (up.y() - down.y() + row[beside + 1 + k] - row[beside + 1 - k]) * weight;
            }
            sums[2 * v] = x;
            sums[2 * v + 1] = y;
        }
        double[] next = new double[2 * EACH];
        for (int v = 0; v < EACH; v++) {
            Unroll.all();
            Double2 value = from.get2(i + (long) v * pitch);
            next[2 * v] = value.x() + 1;
            next[2 * v + 1] = value.y() + 1;
        }
        for (int v = 0; v < EACH; v++) {
            Unroll.all();
            long j = i + (long) v * pitch;
            out.set2(j, new Double2(sums[2 * v], sums[2 * v + 1]));
            to.set2(j, new Double2(next[2 * v], next[2 * v + 1]));
        }
    }

    private static void point(
            @Constant int radius, boolean inside, F64Ptr from, F64Ptr to, F64Ptr out, long i, int pitch) {
        if (inside) {
            double sum = out.get(i);
            for (int k = 1; k <= radius; k++) {
                double difference = from.get(i + (long) k * pitch) - from.get(i - (long) k * pitch);
                sum += (difference + from.get(i + k) - from.get(i - k)) * (1.0 / (2.0 * k * radius));
            }
            out.set(i, sum);
        }
        to.set(i, from.get(i) + 1);
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
        out.fill(0);
        int pitch = tile.pitch();
        Pieces.write(in.slice(0, tile.points()), pitch, (rows, first) -> {
            for (long i = 0; i < rows.count(); i += pitch) {
                long y = tile.top() + (first + i) / pitch;
                for (int column = 0; column < pitch; column++) {
                    long x = tile.left() + column;
                    rows.setDouble(i + column, tile.inGrid(x) && tile.inGrid(y) ? initial.at(x, y) : 0);
                }
            }
            in.slice(tile.points() + first, rows.count()).copyFrom(rows);
        });
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
        double norm = Pieces.measure(out, tile.pitch(), (rows, first) -> {
                    double sum = 0;
                    for (long i = 0; i < rows.count(); i++) {
                        sum += Math.abs(rows.getDouble(i));
                    }
                    return sum;
                })
                .sum();
        return kernel.error(agreement.of(norm, ReduceOp.SUM));
    }
}
