// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.operator;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.comm4j.array.Backend;
import org.comm4j.array.DistributedArray;
import org.comm4j.array.Layout;
import org.comm4j.array.Vector;
import org.comm4j.core.Buffer;
import org.comm4j.core.DataType;
import org.comm4j.core.ReduceOp;
import org.comm4j.core.Request;
import org.comm4j.math.AxisMatrix;
import org.comm4j.math.Coefficient;
import org.comm4j.math.Transpose;
import org.jspecify.annotations.Nullable;

/**
 * The product of two matrices in blocks of one grid of ranks: SUMMA (van de Geijn and Watts, 1997). Panels of A go
 * along the rows of the grid, panels of X down its columns, and the parts of Y stay. The adjoint adds its panels up the
 * columns.
 */
final class Summa extends LinearOperator {
    /**
     * Slices of the inner dimension that one rank of each row of the grid and one of each column have.
     *
     * @param selection of the slices in the owner's block of A; null where it is the whole block, or another rank's
     */
    private record Panel(
            long width,
            int column,
            int row,
            long startInRow,
            @Nullable AxisMatrix selection) {}

    private final DistributedArray matrix;
    /** The ranks of this one's row of the grid, and of its column. */
    private final Layout rowGroup;

    private final Layout columnGroup;
    private final int ownRow;
    private final int ownColumn;
    private final long rows;
    private final long columns;
    private final long widest;
    private final List<Panel> panels = new ArrayList<>();
    private final List<Temporary> panelsOfA = List.of(new Temporary(), new Temporary());
    private final List<Temporary> panelsOfX = List.of(new Temporary(), new Temporary());
    private final @Nullable Request[] requests = new Request[4];

    private Summa(DistributedArray matrix, Layout domain, Layout range, long cap) {
        super(matrix.backend(), domain, range, matrix.type());
        this.matrix = matrix;
        Backend backend = backend();
        int height = matrix.layout().sizes(0).length;
        int width = matrix.layout().sizes(1).length;
        ownRow = backend.rank() / width;
        ownColumn = backend.rank() % width;
        rowGroup = group(backend, width, rank -> rank / width);
        columnGroup = group(backend, height, rank -> rank % width);
        rows = range.localShape(backend.rank())[0];
        columns = range.localShape(backend.rank())[1];
        plan(cap, matrix.layout().sizes(1), domain.sizes(0));
        widest = panels.stream().mapToLong(Panel::width).max().orElse(0);
    }

    private static Layout group(Backend backend, int size, IntUnaryOperator number) {
        Layout layout = Layout.scattered(size, 0, size);
        if (size == 1 || size == backend.size()) {
            return layout;
        }
        return backend.grouped(
                layout, IntStream.range(0, backend.size()).map(number).toArray());
    }

    static LinearOperator of(DistributedArray matrix, Layout domain, long cap) {
        if (cap < 1) {
            throw new IllegalArgumentException(
                    "MatrixMult.distributed: panels of at most " + cap + " slices; 1 at least");
        }
        Layout layout = matrix.layout();
        if (layout.ndim() != 2 || !isTiled(layout)) {
            throw new IllegalArgumentException("MatrixMult.distributed: " + matrix
                    + " must have two dimensions and be in blocks of a grid of all ranks; Backend.blocks makes such"
                    + " layouts, and MatrixMult.of takes matrices that every rank has");
        }
        if (domain.ndim() != 2 || !isTiled(domain) || domain.length(0) != layout.length(1)) {
            throw new IllegalArgumentException("MatrixMult.distributed: the model is " + domain + ", and " + matrix
                    + " takes " + layout.length(1) + " rows in blocks of the same grid");
        }
        int[] grid = grid(layout);
        if (!Arrays.equals(grid, grid(domain))) {
            throw new IllegalArgumentException("MatrixMult.distributed: the grid of the model, "
                    + Arrays.toString(grid(domain)) + ", is not that of " + matrix + ", " + Arrays.toString(grid)
                    + "; Redistribute changes layouts");
        }
        Layout range =
                Layout.blocks(new long[][] {layout.sizes(0), domain.sizes(1)}, layout.length(0), domain.length(1));
        return new Summa(matrix, domain, range, cap);
    }

    private static boolean isTiled(Layout layout) {
        return layout.groups().length == 0 && layout.isDivided();
    }

    private static int[] grid(Layout layout) {
        return new int[] {layout.sizes(0).length, layout.sizes(1).length};
    }

    /** Cuts the inner dimension where a block of A or of X ends, and panels that are too wide. */
    private void plan(long cap, long[] sizesOfA, long... sizesOfX) {
        int column = 0;
        int row = 0;
        long inA = 0;
        long inX = 0;
        while (column < sizesOfA.length && row < sizesOfX.length) {
            long width = Math.min(cap, Math.min(sizesOfA[column] - inA, sizesOfX[row] - inX));
            if (width > 0) {
                boolean mine = column == ownColumn && width < sizesOfA[column];
                panels.add(new Panel(width, column, row, inX, mine ? selection(sizesOfA[column], inA, width) : null));
            }
            inA += width;
            inX += width;
            if (inA == sizesOfA[column]) {
                column++;
                inA = 0;
            }
            if (inX == sizesOfX[row]) {
                row++;
                inX = 0;
            }
        }
    }

    private static AxisMatrix selection(long length, long first, long count) {
        AxisMatrix.Builder builder = AxisMatrix.of(length);
        LongStream.range(first, first + count)
                .forEach(slice -> builder.element(slice, 1).endRow());
        return builder.build();
    }

    @Override
    protected void apply(Vector x, Vector y) {
        Buffer model = part(x);
        Buffer data = part(y);
        if (panels.isEmpty()) {
            backend().compute().fill(Coefficient.of(0), data);
            return;
        }
        startA(0);
        startX(0, model, x.type());
        for (int p = 0; p < panels.size(); p++) {
            finish(p % 2);
            finish(2 + p % 2);
            if (p + 1 < panels.size()) {
                startA(p + 1);
                startX(p + 1, model, x.type());
            }
            if (rows * columns > 0) {
                long width = panels.get(p).width;
                Buffer b = panelOfX(p, model, x.type());
                backend()
                        .compute()
                        .blas()
                        .gemm(Transpose.NONE, rows, columns, width, 1, panelOfA(p), b, p == 0 ? 0 : 1, data);
            }
        }
    }

    @Override
    protected void applyAdjoint(Vector y, Vector x) {
        Buffer data = part(y);
        Buffer model = part(x);
        if (!panels.isEmpty()) {
            startA(0);
        }
        for (int p = 0; p < panels.size(); p++) {
            finish(p % 2);
            if (p + 1 < panels.size()) {
                startA(p + 1);
            }
            finish(2 + p % 2);
            if (columns > 0) {
                Panel panel = panels.get(p);
                boolean alone = sizes(columnGroup) == 1;
                Buffer product = alone ? ownRows(panel, model) : buffer(panelsOfX.get(p % 2), panel, columns, x.type());
                if (rows > 0) {
                    backend()
                            .compute()
                            .blas()
                            .gemm(Transpose.CONJUGATE, panel.width, columns, rows, 1, panelOfA(p), data, 0, product);
                } else {
                    backend().compute().fill(Coefficient.of(0), product);
                }
                if (!alone) {
                    add(p, product, panel.row == ownRow ? ownRows(panel, model) : null);
                }
            }
        }
        finish(2);
        finish(3);
    }

    /** Sends a panel of A along the row of the grid. */
    private void startA(int p) {
        Panel panel = panels.get(p);
        if (rows == 0) {
            return;
        }
        AxisMatrix selection = panel.selection;
        if (selection != null) {
            backend().compute().multiply(selection, rows, 1, matrix.part(), panelOfA(p));
        }
        if (sizes(rowGroup) > 1) {
            broadcast(rowGroup, p % 2, panelOfA(p), panel.column);
        }
    }

    /** Sends a panel of X down the column of the grid. */
    private void startX(int p, Buffer model, DataType type) {
        if (columns > 0 && sizes(columnGroup) > 1) {
            broadcast(columnGroup, 2 + p % 2, panelOfX(p, model, type), panels.get(p).row);
        }
    }

    private void broadcast(Layout group, int place, Buffer buffer, int root) {
        if (isAhead()) {
            requests[place] = backend().communicator(group).broadcastAsync(buffer, root);
        } else {
            backend().operations(group).broadcast(buffer, root);
        }
    }

    private void add(int p, Buffer product, @Nullable Buffer sum) {
        int root = panels.get(p).row;
        if (isAhead()) {
            requests[2 + p % 2] = backend().communicator(columnGroup).reduceAsync(product, sum, ReduceOp.SUM, root);
        } else {
            backend().operations(columnGroup).reduce(product, sum, ReduceOp.SUM, root);
        }
    }

    /** Returns whether panels travel by another thread: a GPU has its own order of operations. */
    private boolean isAhead() {
        return panels.size() > 1 && !backend().compute().isAsynchronous();
    }

    private void finish(int place) {
        Request request = requests[place];
        if (request != null) {
            requests[place] = null;
            request.await();
        }
    }

    private Buffer panelOfA(int p) {
        Panel panel = panels.get(p);
        boolean inPlace = panel.column == ownColumn && panel.selection == null;
        return inPlace ? matrix.part() : buffer(panelsOfA.get(p % 2), panel, rows, matrix.type());
    }

    private Buffer panelOfX(int p, Buffer model, DataType type) {
        Panel panel = panels.get(p);
        return panel.row == ownRow ? ownRows(panel, model) : buffer(panelsOfX.get(p % 2), panel, columns, type);
    }

    private Buffer ownRows(Panel panel, Buffer model) {
        return model.slice(panel.startInRow * columns, panel.width * columns);
    }

    private Buffer buffer(Temporary memory, Panel panel, long others, DataType type) {
        Layout layout = Layout.local(widest * others);
        return part(memory.of(backend(), layout, type)).slice(0, panel.width * others);
    }

    private static int sizes(Layout group) {
        return (int) group.length(0);
    }

    private static Buffer part(Vector x) {
        return x.arrays().getFirst().part();
    }
}
