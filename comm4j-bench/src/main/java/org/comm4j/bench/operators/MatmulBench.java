// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.bench.operators;

import java.util.Locale;
import org.comm4j.array.Backend;
import org.comm4j.array.DistributedArray;
import org.comm4j.array.Layout;
import org.comm4j.array.Vector;
import org.comm4j.core.Buffer;
import org.comm4j.core.DataType;
import org.comm4j.math.Compute;
import org.comm4j.math.Memory;
import org.comm4j.math.Transpose;
import org.comm4j.operator.LinearOperator;
import org.comm4j.operator.MatrixMult;

/**
 * The measurement of {@code comm4j bench matmul}: products of square matrices in blocks of a grid, beside the BLAS's
 * own products of as many numbers on each rank. Every rank calls it.
 */
public final class MatmulBench {
    private final Backend backend;
    private final CaseTimer timer;
    private final int[] grid;
    private final boolean stationary;
    private final int rounds;
    private final int millis;

    /**
     * Makes the measurement.
     *
     * @param rows of the grid of ranks; 0 for the grid nearest to a square
     * @param stationary whether the blocks of the matrix stay, else those of the product
     * @param rounds of which the fastest counts
     * @param millis that the calls of a round take together, about
     * @throws IllegalArgumentException if the ranks are no multiple of the rows, or a number is below its least one
     */
    public MatmulBench(Backend backend, int rows, boolean stationary, int rounds, int millis) {
        int ranks = backend.size();
        if (rows < 0 || rows > 0 && ranks % rows != 0) {
            throw new IllegalArgumentException("--grid-rows " + rows + ": " + ranks
                    + " ranks have no grid of so many rows; it must divide their number");
        }
        CaseTimer.check(rounds, millis);
        this.backend = backend;
        this.stationary = stationary;
        this.rounds = rounds;
        this.millis = millis;
        timer = new CaseTimer(backend);
        int height = rows == 0 ? squarest(ranks) : rows;
        grid = new int[] {height, ranks / height};
    }

    private static int squarest(int ranks) {
        int height = (int) Math.sqrt(ranks);
        while (ranks % height != 0) {
            height--;
        }
        return height;
    }

    /** Returns the lines above the results: what computes, the grid, the columns. */
    public String header() {
        return "# " + grid[0] + " x " + grid[1] + " ranks, "
                + backend.communicator().engine() + ", "
                + backend.compute().blas().name()
                + (stationary ? ", stationary matrix" : ", stationary product")
                + (backend.overlaps() ? "" : ", no overlap") + "\n"
                + "#  n type         forward us   GFLOP/s   share   adjoint us   GFLOP/s   share";
    }

    /**
     * Collective: returns the line of a size: microseconds, GFLOP/s of all ranks together, and the share of the rate
     * of the BLAS alone, in both directions.
     *
     * @param n rows and columns of the matrices, at least the longer side of the grid
     */
    public String measure(long n, DataType type) {
        if (n < Math.max(grid[0], grid[1])) {
            throw new IllegalArgumentException("--sizes " + n + ": matrices need a row and a column for each rank of a "
                    + grid[0] + " x " + grid[1] + " grid");
        }
        Layout layout = backend.blocks(grid, n, n);
        long[] own = layout.localShape(backend.rank());
        Compute compute = backend.compute();
        try (DistributedArray matrix = backend.random(layout, type, 1);
                Memory a = compute.allocate(type, own[0] * n);
                Memory b = compute.allocate(type, n * own[1]);
                Memory c = compute.allocate(type, own[0] * own[1])) {
            compute.random(4, 0, a.buffer());
            compute.random(5, 0, b.buffer());
            LinearOperator product =
                    stationary ? MatrixMult.stationary(matrix, layout) : MatrixMult.distributed(matrix, layout);
            try (Vector x = backend.random(product.domain(), type, 2);
                    Vector y = backend.random(product.range(), type, 3)) {
                double[] forward = timer.fastest(
                        rounds,
                        millis,
                        () -> product.matvec(x, y),
                        () -> gemm(Transpose.NONE, n, a.buffer(), b.buffer(), c.buffer()));
                double[] adjoint = timer.fastest(
                        rounds,
                        millis,
                        () -> product.rmatvec(y, x),
                        () -> gemm(Transpose.CONJUGATE, n, a.buffer(), b.buffer(), c.buffer()));
                // A complex product is four real ones.
                double flops = 2.0 * n * n * n * (type.isComplex() ? 4 : 1);
                return String.format(
                        Locale.ROOT,
                        "%4d %-10s %12.1f %9.2f %7.3f %12.1f %9.2f %7.3f",
                        n,
                        type,
                        forward[0] * 1e-3,
                        flops / forward[0],
                        forward[1] / forward[0],
                        adjoint[0] * 1e-3,
                        flops / adjoint[0],
                        adjoint[1] / adjoint[0]);
            }
        }
    }

    /** Computes a product of this rank's share of the operations. */
    private void gemm(Transpose transpose, long inner, Buffer a, Buffer b, Buffer c) {
        long rows = a.count() / inner;
        long columns = b.count() / inner;
        backend.compute().blas().gemm(transpose, rows, columns, inner, 1, a, b, 0, c);
    }
}
