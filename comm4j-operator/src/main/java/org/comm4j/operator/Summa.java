// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.operator;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.comm4j.array.DistributedArray;
import org.comm4j.array.Layout;
import org.comm4j.array.Vector;
import org.comm4j.core.Buffer;
import org.comm4j.math.AxisMatrix;
import org.comm4j.math.Blas;
import org.comm4j.math.Coefficient;
import org.comm4j.math.Compute;
import org.comm4j.math.GroupTransfers;
import org.comm4j.math.Transfer;
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

    /**
     * A panel with its memory.
     *
     * @param a the panel of A, and what brings it; null where this rank is alone in its row or has no rows
     * @param x the panel of X, or of its adjoint product, and what brings it or adds it up
     */
    private record Step(
            Panel panel,
            Buffer a,
            @Nullable Transfer bringsA,
            Buffer x,
            @Nullable Transfer movesX) {}

    /** The panels of one direction between two buffers. */
    private record Steps(List<Step> steps) implements ForBuffers.Prepared {
        @Override
        public List<Transfer> transfers() {
            return steps.stream()
                    .flatMap(step -> Stream.of(step.bringsA, step.movesX))
                    .filter(Objects::nonNull)
                    .toList();
        }
    }

    private final Tiles tiles;
    private final DistributedArray matrix;
    private final int ownRow;
    private final int ownColumn;
    private final long rows;
    private final long columns;
    private final long widest;
    private final List<Panel> panels = new ArrayList<>();
    private final List<Temporary> panelsOfA = List.of(new Temporary(), new Temporary());
    private final List<Temporary> panelsOfX = List.of(new Temporary(), new Temporary());
    private final ForBuffers<Steps> forward = new ForBuffers<>((model, data) -> steps(model, false));
    private final ForBuffers<Steps> adjoint = new ForBuffers<>((data, model) -> steps(model, true));

    private Summa(Tiles tiles, long cap) {
        super(tiles.backend(), tiles.domain(), tiles.range(), tiles.matrix().type());
        this.tiles = tiles;
        matrix = tiles.matrix();
        ownRow = tiles.row();
        ownColumn = tiles.column();
        rows = tiles.rows();
        columns = tiles.columns();
        plan(cap, matrix.layout().sizes(1), tiles.domain().sizes(0));
        widest = panels.stream().mapToLong(Panel::width).max().orElse(0);
    }

    static LinearOperator of(DistributedArray matrix, Layout domain, long cap) {
        if (cap < 1) {
            throw new IllegalArgumentException(
                    "MatrixMult.distributed: panels of at most " + cap + " slices; 1 at least");
        }
        return new Summa(Tiles.of("MatrixMult.distributed", matrix, domain), cap);
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

    private Steps steps(Buffer model, boolean sums) {
        List<Step> steps = new ArrayList<>();
        GroupTransfers kernels = tiles.kernels(widest, model.type());
        boolean beside = panels.size() > 1;
        boolean alone = tiles.height() == 1;
        for (int p = 0; p < panels.size(); p++) {
            Panel panel = panels.get(p);
            Buffer a = panelOfA(p);
            Transfer bringsA =
                    rows > 0 && tiles.width() > 1 ? tiles.broadcast(kernels, true, beside, a, panel.column) : null;
            boolean mine = panel.row == ownRow;
            Buffer own = mine ? model.slice(panel.startInRow * columns, panel.width * columns) : null;
            // The product of the adjoint is another one than the sum.
            Buffer x = own == null || sums && !alone
                    ? tiles.buffer(panelsOfX.get(p % 2), widest * columns, panel.width * columns, model.type())
                    : own;
            Transfer movesX = null;
            if (columns > 0 && !alone) {
                movesX = sums
                        ? tiles.sum(kernels, beside, x, own, panel.row)
                        : tiles.broadcast(kernels, false, beside, x, panel.row);
            }
            steps.add(new Step(panel, a, bringsA, x, movesX));
        }
        return new Steps(steps);
    }

    private Buffer panelOfA(int p) {
        Panel panel = panels.get(p);
        boolean inPlace = panel.column == ownColumn && panel.selection == null;
        return inPlace
                ? matrix.part()
                : tiles.buffer(panelsOfA.get(p % 2), widest * rows, panel.width * rows, matrix.type());
    }

    @Override
    protected void apply(Vector x, Vector y) {
        Buffer data = part(y);
        List<Step> steps = forward.of(part(x), data).steps;
        if (steps.isEmpty()) {
            compute().fill(Coefficient.ZERO, data);
            return;
        }
        beginA(steps.getFirst());
        begin(steps.getFirst().movesX);
        for (int p = 0; p < steps.size(); p++) {
            Step step = steps.get(p);
            end(step.bringsA);
            end(step.movesX);
            if (p + 1 < steps.size()) {
                beginA(steps.get(p + 1));
                begin(steps.get(p + 1).movesX);
            }
            if (rows * columns > 0) {
                blas().gemm(Transpose.NONE, rows, columns, step.panel.width, 1, step.a, step.x, p == 0 ? 0 : 1, data);
            }
        }
    }

    @Override
    protected void applyAdjoint(Vector y, Vector x) {
        Buffer data = part(y);
        List<Step> steps = adjoint.of(data, part(x)).steps;
        if (!steps.isEmpty()) {
            beginA(steps.getFirst());
        }
        for (int p = 0; p < steps.size(); p++) {
            Step step = steps.get(p);
            end(step.bringsA);
            if (p + 1 < steps.size()) {
                beginA(steps.get(p + 1));
            }
            if (p > 1) {
                // The panel before the last one has left the memory of this one.
                end(steps.get(p - 2).movesX);
            }
            if (columns > 0) {
                if (rows > 0) {
                    blas().gemm(Transpose.CONJUGATE, step.panel.width, columns, rows, 1, step.a, data, 0, step.x);
                } else {
                    compute().fill(Coefficient.ZERO, step.x);
                }
                begin(step.movesX);
            }
        }
        for (int p = Math.max(0, steps.size() - 2); p < steps.size(); p++) {
            end(steps.get(p).movesX);
        }
    }

    /** Sends a panel of A along the row of the grid. */
    private void beginA(Step step) {
        AxisMatrix selection = step.panel.selection;
        if (selection != null && rows > 0) {
            compute().multiply(selection, rows, 1, matrix.part(), step.a);
        }
        begin(step.bringsA);
    }

    private static void begin(@Nullable Transfer transfer) {
        if (transfer != null) {
            transfer.begin();
        }
    }

    private static void end(@Nullable Transfer transfer) {
        if (transfer != null) {
            transfer.end();
        }
    }

    private Compute compute() {
        return backend().compute();
    }

    private Blas blas() {
        return compute().blas();
    }

    private static Buffer part(Vector x) {
        return x.arrays().getFirst().part();
    }
}
