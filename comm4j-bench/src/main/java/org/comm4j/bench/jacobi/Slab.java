// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.bench.jacobi;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.Locale;

/**
 * The rows of one rank and the sweeps over them. A sweep does one or several Jacobi iterations in one pass over memory:
 * iteration t follows iteration t−1 one row behind, while those rows are still in the cache. For d iterations a sweep
 * needs d rows of each neighbour, the halo, of which it computes again what the neighbours compute too.
 *
 * <p>The columns are cut into stripes that are swept one after another, so that the rows in flight fit the cache and
 * the halo of one stripe can travel while the others are computed.
 *
 * <p>Every element and every norm is bit for bit the same for any depth; every element also for any number of ranks.
 * Not thread-safe.
 */
public final class Slab {

    /** The most iterations that one sweep can do. */
    public static final int MAX_DEPTH = Stripe.EDGE;

    /** How many rows one iteration advances before the next one takes its turn. */
    private static final int BLOCK = 8;

    private final JacobiProblem problem;
    private final int firstRow;
    private final int rows;
    private final int depth;
    private final int places;
    private final Stripe[] stripes;

    /**
     * {@link Stripe#relax}. A handle in an instance field is the one call that JIT compilers cannot inline. Inlined
     * into the loops of a sweep, the innermost loop is too deep for C2 to make vector code of it, and runs at a quarter
     * of its speed.
     */
    private final MethodHandle relax = relaxHandle();

    /**
     * For each iteration of a sweep the sums of squares by column, and last those of halo rows, which count for nobody.
     */
    private final double[][] squares;

    /**
     * The slab of a rank with the initial grid: zero but for the fixed columns.
     *
     * @param depth the most iterations that a sweep will do, 1 to {@value #MAX_DEPTH} and at most the rows of the rank
     * with the fewest
     * @throws IllegalArgumentException if the depth is out of range or the slab too large
     */
    public Slab(JacobiProblem problem, int rank, int ranks, int depth) {
        this.problem = problem;
        this.depth = depth;
        firstRow = problem.firstRow(rank, ranks);
        rows = problem.rowsOf(rank, ranks);
        check(problem, ranks, depth);
        checkRows(problem, ranks, depth);
        places = (int) places(rows, depth);
        stripes = new Stripe[Math.ceilDiv(problem.nx(), Stripe.MAX_COLUMNS)];
        double bytes = (double) stripes.length * places * Stripe.PITCH * Float.BYTES;
        if (bytes > Runtime.getRuntime().maxMemory()) {
            throw new IllegalArgumentException(String.format(
                    Locale.ROOT,
                    "jacobi: rank %d of %d would hold %d rows of %d columns, %.1f GiB, but its JVM may take %.1f GiB (-Xmx);"
                            + " use a smaller grid, more memory or more machines",
                    rank,
                    ranks,
                    rows,
                    problem.nx(),
                    bytes / (1 << 30),
                    Runtime.getRuntime().maxMemory() / (double) (1 << 30)));
        }
        for (int s = 0; s < stripes.length; s++) {
            int begin = (int) ((long) problem.nx() * s / stripes.length);
            int end = (int) ((long) problem.nx() * (s + 1) / stripes.length);
            stripes[s] = new Stripe(begin, end - begin, places, stripes.length == 1 ? 0 : rows, depth);
            stripes[s].origin = places - depth - rows;
        }
        squares = new double[depth + 1][Stripe.PITCH];
        fixBoundary();
    }

    /**
     * Whether so many ranks can sweep {@code depth} iterations at once.
     *
     * @throws IllegalArgumentException if not; the message says why
     */
    static void check(JacobiProblem problem, int ranks, int depth) {
        problem.rowsOf(0, ranks);
        int fewest = problem.rows() / ranks;
        if (depth < 1 || depth > MAX_DEPTH) {
            throw new IllegalArgumentException(
                    "jacobi: blocking is " + depth + ", but a sweep does 1 to " + MAX_DEPTH + " iterations");
        }
        if (depth > fewest) {
            throw new IllegalArgumentException("jacobi: blocking of " + depth + " iterations needs " + depth
                    + " rows of each rank, but " + ranks + " ranks share " + problem.rows()
                    + " rows, so one has only " + fewest + "; use fewer ranks, a larger ny or less blocking");
        }
    }

    /**
     * Whether each rank's rows fit into arrays of the host.
     *
     * @throws IllegalArgumentException if not
     */
    static void checkRows(JacobiProblem problem, int ranks, int depth) {
        int most = problem.rowsOf(0, ranks);
        if (places(most, depth) > Integer.MAX_VALUE / Stripe.PITCH - 1) {
            throw new IllegalArgumentException("jacobi: each of " + ranks + " ranks would hold " + most
                    + " rows, more than one array takes (about "
                    + Integer.MAX_VALUE / Stripe.PITCH * 31L / 32 + "); use more ranks or a smaller ny");
        }
    }

    /**
     * Each sweep moves the rows upwards by its depth. With so much room above, moving them back costs nothing to speak
     * of.
     */
    private static long places(int rows, int depth) {
        return rows + 2L * depth + Math.max(64, rows / 32);
    }

    private void fixBoundary() {
        Stripe first = stripes[0];
        Stripe last = stripes[stripes.length - 1];
        for (int row = 0; row < rows; row++) {
            float value = problem.boundary(firstRow + row);
            first.cells[first.index(row)] = value;
            last.cells[last.index(row) + last.columns - 1] = value;
        }
    }

    public JacobiProblem problem() {
        return problem;
    }

    /** The grid row of this slab's row 0. */
    public int firstRow() {
        return firstRow;
    }

    /** The number of rows without halo. */
    public int rows() {
        return rows;
    }

    /** The most iterations of a sweep, and the rows of its halo at either side. */
    public int depth() {
        return depth;
    }

    public int stripes() {
        return stripes.length;
    }

    /** The grid column at which a stripe begins; the same on every rank. */
    public int firstColumn(int stripe) {
        return stripes[stripe].firstColumn;
    }

    /** The number of columns of a stripe; the same on every rank. */
    public int columns(int stripe) {
        return stripes[stripe].columns;
    }

    /**
     * Does {@code iterations} Jacobi iterations in one pass over memory.
     *
     * @param iterations 1 to {@link #depth}; the halo must hold as many rows at either side
     * @param squaredNorms receives for each iteration the sum of the squared changes of this slab's points, not yet
     * summed over ranks
     * @param offset where in {@code squaredNorms} the first goes
     * @param halo told which stripe's halo is needed next (with this sweep's depth)
     * @param nextIterations the iterations of the sweep after this one, for which each finished stripe's border is
     * sent; 0 for none
     */
    public void sweep(int iterations, double[] squaredNorms, int offset, HaloExchange halo, int nextIterations) {
        if (iterations < 1 || iterations > depth || nextIterations < 0 || nextIterations > depth) {
            throw new IllegalArgumentException("jacobi: a sweep of " + iterations + " iterations before one of "
                    + nextIterations + ", but this slab was made for 1 to " + depth);
        }
        for (int t = 0; t < iterations; t++) {
            squaredNorms[offset + t] = 0;
        }
        halo.receive(this, 0, iterations);
        for (int s = 0; s < stripes.length; s++) {
            if (s + 1 < stripes.length) {
                // Before this stripe is swept, for its right edge is a copy of the next one's columns.
                halo.receive(this, s + 1, iterations);
            }
            sweepStripe(s, iterations, squaredNorms, offset);
            Stripe stripe = stripes[s];
            stripe.origin -= iterations;
            if (stripe.origin < depth) {
                stripe.move(rows, places - depth - rows);
            }
            if (nextIterations > 0) {
                halo.send(this, s, nextIterations);
            }
        }
    }

    /** Sends every stripe's border, for the first sweep to find. */
    public void start(HaloExchange halo, int nextIterations) {
        for (int s = 0; s < stripes.length; s++) {
            halo.send(this, s, nextIterations);
        }
    }

    private void sweepStripe(int s, int iterations, double[] squaredNorms, int offset) {
        Stripe stripe = stripes[s];
        boolean first = s == 0;
        boolean last = s == stripes.length - 1;
        // Columns of the neighbouring stripes are computed again: after t iterations all but the outer t of them are
        // right.
        int from = first ? Stripe.EDGE + 1 : Stripe.EDGE - iterations + 1;
        int to = Stripe.EDGE + stripe.columns + (last ? -1 : iterations - 1);
        stripe.turnEdges();
        int edgesDone = -iterations;
        for (int begin = 1 - iterations; begin - (iterations - 1) < rows; begin += BLOCK) {
            int edgesEnd = Math.min(begin + BLOCK + 1, rows + iterations);
            for (int row = edgesDone; row < edgesEnd; row++) {
                if (!first) {
                    stripe.takeLeft(stripes[s - 1], row, iterations);
                }
                if (!last) {
                    stripe.takeRight(stripes[s + 1], row, iterations);
                }
            }
            edgesDone = Math.max(edgesDone, edgesEnd);
            for (int t = 1; t <= iterations; t++) {
                int rowBegin = Math.max(begin - (t - 1), t - iterations);
                int rowEnd = Math.min(begin - (t - 1) + BLOCK, rows + iterations - t);
                relax(stripe, t, rowBegin, Math.min(rowEnd, 0), from, to, squares[depth]);
                relax(stripe, t, Math.max(rowBegin, 0), Math.min(rowEnd, rows), from, to, squares[t - 1]);
                relax(stripe, t, Math.max(rowBegin, rows), rowEnd, from, to, squares[depth]);
            }
            if (stripes.length > 1) {
                int finalBegin = Math.max(begin - (iterations - 1), 0);
                int finalEnd = Math.min(begin - (iterations - 1) + BLOCK, rows);
                for (int row = finalBegin; row < finalEnd; row++) {
                    stripe.keepEdges(row, stripe.index(row - iterations));
                }
            }
        }
        int countedFrom = first ? 0 : iterations - 1;
        int countedTo = countedFrom + stripe.columns - (first ? 1 : 0) - (last ? 1 : 0);
        for (int t = 0; t < iterations; t++) {
            squaredNorms[offset + t] += Stripe.drain(squares[t], countedFrom, countedTo);
        }
    }

    /** Rows {@code begin} to {@code end}−1, if any, of iteration t of the sweep. */
    private void relax(Stripe stripe, int t, int begin, int end, int from, int to, double[] squares) {
        if (begin >= end) {
            return;
        }
        try {
            relax.invokeExact(stripe, stripe.origin + begin - t, stripe.origin + end - t, from, to, squares);
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new AssertionError("Stripe.relax throws no checked exception", e);
        }
    }

    private static MethodHandle relaxHandle() {
        try {
            MethodType type =
                    MethodType.methodType(void.class, int.class, int.class, int.class, int.class, double[].class);
            return MethodHandles.lookup().findVirtual(Stripe.class, "relax", type);
        } catch (ReflectiveOperationException e) {
            throw new LinkageError("Stripe.relax is in this package", e);
        }
    }

    /**
     * Copies the outer {@code count} rows of a stripe on one side, upper row first, {@code columns(stripe)} floats
     * each.
     *
     * @param to receives {@code count * columns(stripe)} floats; may be another rank's memory
     * @param offset where in {@code to} they go, in bytes, a multiple of four
     */
    public void getBorder(Side side, int stripe, int count, MemorySegment to, long offset) {
        Stripe from = stripes[stripe];
        int begin = side == Side.ABOVE ? 0 : rows - count;
        for (int i = 0; i < count; i++) {
            long at = offset + (long) i * from.columns * Float.BYTES;
            MemorySegment.copy(from.cells, from.index(begin + i), to, ValueLayout.JAVA_FLOAT, at, from.columns);
        }
    }

    /**
     * Fills the {@code count} halo rows next to a stripe on one side with what the neighbour's {@link #getBorder} of
     * the opposite side gave.
     *
     * @param from {@code count * columns(stripe)} floats, upper row first
     * @param offset where in {@code from} they begin, in bytes, a multiple of four
     */
    public void putHalo(Side side, int stripe, int count, MemorySegment from, long offset) {
        Stripe to = stripes[stripe];
        int begin = side == Side.ABOVE ? -count : rows;
        for (int i = 0; i < count; i++) {
            long at = offset + (long) i * to.columns * Float.BYTES;
            int index = to.index(begin + i);
            MemorySegment.copy(from, ValueLayout.JAVA_FLOAT, at, to.cells, index, to.columns);
            if (stripes.length > 1) {
                to.keepEdges(begin + i, index);
            }
        }
    }

    /**
     * Copies one row, all {@code nx} columns.
     *
     * @param row 0 to {@link #rows}−1
     * @param to receives nx floats from index 0
     */
    public void getRow(int row, float[] to) {
        if (row < 0 || row >= rows) {
            throw new IndexOutOfBoundsException("jacobi: row " + row + " of a slab of " + rows + " rows");
        }
        for (Stripe stripe : stripes) {
            System.arraycopy(stripe.cells, stripe.index(row), to, stripe.firstColumn, stripe.columns);
        }
    }

    /** Sets a whole row, as {@link #getRow} gives it. */
    void setRow(int row, float[] from) {
        for (Stripe stripe : stripes) {
            System.arraycopy(from, stripe.firstColumn, stripe.cells, stripe.index(row), stripe.columns);
        }
    }
}
