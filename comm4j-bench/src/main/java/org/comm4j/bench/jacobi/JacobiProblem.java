// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.bench.jacobi;

/**
 * The Laplace problem of NVIDIA's multi-gpu-programming-models: a grid of {@code ny} rows of {@code nx} floats. The
 * left and right columns hold sin(2π·iy/(ny−1)); rows 0 and ny−1 are periodic images of rows ny−2 and 1. So the rows
 * that are computed, 1 to ny−2, form a ring, and of each the columns 1 to nx−2 change.
 *
 * @param nx columns, the two fixed ones included; at least 3
 * @param ny rows, the two periodic images included; at least 3
 */
public record JacobiProblem(int nx, int ny) {

    public JacobiProblem {
        if (nx < 3) {
            throw new IllegalArgumentException("jacobi: nx is " + nx
                    + ", but a grid needs at least 3 columns: two fixed ones and one between them");
        }
        if (ny < 3) {
            throw new IllegalArgumentException("jacobi: ny is " + ny
                    + ", but a grid needs at least 3 rows: two periodic images and one between them");
        }
    }

    /** The number of computed rows, ny−2. */
    public int rows() {
        return ny - 2;
    }

    /** The number of points that change in an iteration. */
    public long points() {
        return (long) (nx - 2) * rows();
    }

    /** The fixed value at both ends of grid row {@code iy}. */
    public float boundary(int iy) {
        return (float) Math.sin(2.0 * Math.PI * iy / (ny - 1));
    }

    /**
     * The first grid row of a rank. The first {@code rows() % ranks} ranks hold one row more than the others.
     *
     * @throws IllegalArgumentException if there are fewer rows than ranks, or no such rank
     */
    public int firstRow(int rank, int ranks) {
        checkRank(rank, ranks);
        return 1 + rank * (rows() / ranks) + Math.min(rank, rows() % ranks);
    }

    /** The number of rows of a rank; see {@link #firstRow}. */
    public int rowsOf(int rank, int ranks) {
        checkRank(rank, ranks);
        return rows() / ranks + (rank < rows() % ranks ? 1 : 0);
    }

    private void checkRank(int rank, int ranks) {
        if (ranks < 1 || rank < 0 || rank >= ranks) {
            throw new IllegalArgumentException("jacobi: there is no rank " + rank + " of " + ranks);
        }
        if (rows() < ranks) {
            throw new IllegalArgumentException(
                    "jacobi: a grid of " + ny + " rows has " + rows() + (rows() == 1 ? " row" : " rows")
                            + " to compute, too few for " + ranks + " ranks; use fewer ranks or a larger ny");
        }
    }
}
