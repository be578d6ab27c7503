// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.operator;

import java.util.Arrays;
import java.util.function.Consumer;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;
import org.comm4j.array.Backend;
import org.comm4j.array.DistributedArray;
import org.comm4j.array.Layout;
import org.comm4j.core.Buffer;
import org.comm4j.core.DataType;
import org.comm4j.core.Operations;
import org.comm4j.core.ReduceOp;
import org.comm4j.math.GroupTransfers;
import org.comm4j.math.Transfer;
import org.jspecify.annotations.Nullable;

/**
 * The blocks of a matrix, of a model and of their product, in one grid of ranks.
 *
 * @param height rows of the grid
 * @param width columns of the grid
 * @param rowGroup the ranks of this one's row of the grid
 * @param columnGroup the ranks of this one's column of the grid
 */
record Tiles(
        DistributedArray matrix,
        Layout domain,
        Layout range,
        int height,
        int width,
        Layout rowGroup,
        Layout columnGroup) {

    /** Collective: checks that matrix and model fit, and makes the groups. */
    static Tiles of(String operation, DistributedArray matrix, Layout domain) {
        Layout layout = matrix.layout();
        if (layout.ndim() != 2 || !isTiled(layout)) {
            throw new IllegalArgumentException(operation + ": " + matrix
                    + " must have two dimensions and be in blocks of a grid of all ranks; Backend.blocks makes such"
                    + " layouts, and MatrixMult.of takes matrices that every rank has");
        }
        if (domain.ndim() != 2 || !isTiled(domain) || domain.length(0) != layout.length(1)) {
            throw new IllegalArgumentException(operation + ": the model is " + domain + ", and " + matrix + " takes "
                    + layout.length(1) + " rows in blocks of the same grid");
        }
        int[] grid = grid(layout);
        if (!Arrays.equals(grid, grid(domain))) {
            throw new IllegalArgumentException(operation + ": the grid of the model, " + Arrays.toString(grid(domain))
                    + ", is not that of " + matrix + ", " + Arrays.toString(grid) + "; Redistribute changes layouts");
        }
        Layout range =
                Layout.blocks(new long[][] {layout.sizes(0), domain.sizes(1)}, layout.length(0), domain.length(1));
        Backend backend = matrix.backend();
        int width = grid[1];
        return new Tiles(
                matrix,
                domain,
                range,
                grid[0],
                width,
                group(backend, width, rank -> rank / width),
                group(backend, grid[0], rank -> rank % width));
    }

    private static boolean isTiled(Layout layout) {
        return layout.groups().length == 0 && layout.isDivided();
    }

    private static int[] grid(Layout layout) {
        return new int[] {layout.sizes(0).length, layout.sizes(1).length};
    }

    private static Layout group(Backend backend, int size, IntUnaryOperator number) {
        Layout layout = Layout.scattered(size, 0, size);
        if (size == 1 || size == backend.size()) {
            return layout;
        }
        return backend.grouped(
                layout, IntStream.range(0, backend.size()).map(number).toArray());
    }

    Backend backend() {
        return matrix.backend();
    }

    int row() {
        return backend().rank() / width;
    }

    int column() {
        return backend().rank() % width;
    }

    int rank(int row, int column) {
        return row * width + column;
    }

    /** Returns the rows of this rank's block of the matrix. */
    long rows() {
        return matrix.layout().sizes(0)[row()];
    }

    /** Returns the columns of this rank's block of the model. */
    long columns() {
        return domain.sizes(1)[column()];
    }

    /**
     * Collective: returns broadcasts and sums in rows and columns of the grid by which ranks write into each other's
     * memory; null where they are the communicators'.
     *
     * @param slices of the inner dimension that a message has at most
     * @param type of the model
     */
    @Nullable
    GroupTransfers kernels(long slices, DataType type) {
        if (!backend().overlaps()) {
            return null;
        }
        long ofMatrix = messageBytes(matrix.layout().sizes(0), slices, matrix.type());
        long ofModel = Math.max(1, height - 1) * messageBytes(domain.sizes(1), slices, type);
        return backend().compute().groupTransfers(backend().communicator(), Math.max(ofMatrix, ofModel));
    }

    /** Returns the bytes of a message of the largest of some blocks, a multiple of 16. */
    private static long messageBytes(long[] sizes, long slices, DataType type) {
        long bytes = Arrays.stream(sizes).max().orElse(0) * slices * type.bytes();
        return Math.ceilDiv(bytes, 16L) * 16;
    }

    /** Returns a broadcast along this rank's row or column of the grid, from the rank at a place there. */
    Transfer broadcast(@Nullable GroupTransfers kernels, boolean row, boolean beside, Buffer buffer, int root) {
        return kernels != null
                ? kernels.broadcast(ranks(row), buffer, root)
                : transfer(row ? rowGroup : columnGroup, beside, g -> g.broadcast(buffer, root));
    }

    /** Returns a sum along this rank's column of the grid, for the rank at a place there. */
    Transfer sum(@Nullable GroupTransfers kernels, boolean beside, Buffer send, @Nullable Buffer recv, int root) {
        return kernels != null
                ? kernels.sum(ranks(false), send, recv, root)
                : transfer(columnGroup, beside, g -> g.reduce(send, recv, ReduceOp.SUM, root));
    }

    private int[] ranks(boolean row) {
        return row
                ? IntStream.range(0, width).map(column -> rank(row(), column)).toArray()
                : IntStream.range(0, height).map(each -> rank(each, column())).toArray();
    }

    /** Returns operations of a group, which travel beside the products if {@code beside}. */
    Transfer transfer(Layout group, boolean beside, Consumer<Operations> body) {
        return beside
                ? backend().transfer(group, body)
                : backend().compute().transfer(backend().communicator(group), false, body);
    }

    /** Returns memory of the first elements of a temporary vector. */
    Buffer buffer(Temporary memory, long most, long count, DataType type) {
        return memory.of(backend(), Layout.local(most), type)
                .arrays()
                .getFirst()
                .part()
                .slice(0, count);
    }
}
