// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.operator;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.comm4j.array.DistributedArray;
import org.comm4j.array.Layout;
import org.comm4j.array.Vector;
import org.comm4j.core.Buffer;
import org.comm4j.core.Operations;
import org.comm4j.core.ReduceOp;
import org.comm4j.math.Blas;
import org.comm4j.math.Coefficient;
import org.comm4j.math.Compute;
import org.comm4j.math.Transfer;
import org.comm4j.math.Transpose;
import org.jspecify.annotations.Nullable;

/**
 * The product of two matrices in blocks of one grid of ranks, in which the parts of A stay: SUMMA's stationary-A form
 * (Schatz, van de Geijn and Poulson, 2016). The blocks of X in one column of the grid go to all ranks, each gets the
 * rows that its block of A takes; products are added along the rows of the grid. The adjoint goes the other way.
 */
final class StationaryProduct extends LinearOperator {
    /**
     * The blocks of X and Y in one column of the grid.
     *
     * @param column of the grid
     * @param width columns of these blocks
     * @param x rows of X that this rank's block of A takes, or of the adjoint product
     * @param y rows of Y that belong to this rank's block of A
     * @param arrival brings x, or of the adjoint y
     * @param sum adds up y, or of the adjoint x
     * @param delivery brings the sums of the adjoint to their ranks
     * @param copies pieces that this rank has itself
     */
    private record Step(
            int column,
            long width,
            Buffer x,
            Buffer y,
            @Nullable Transfer arrival,
            @Nullable Transfer sum,
            @Nullable Transfer delivery,
            List<Copy> copies) {}

    private record Copy(Buffer from, Buffer to) {}

    /** The steps of one direction between two buffers. */
    private record Steps(List<Step> steps) implements ForBuffers.Prepared {
        @Override
        public List<Transfer> transfers() {
            return steps.stream()
                    .flatMap(step -> Stream.of(step.arrival, step.sum, step.delivery))
                    .filter(Objects::nonNull)
                    .toList();
        }
    }

    /** Rows of X that one rank of a column of the grid has and the ranks of another column need. */
    private record Piece(int owner, int column, long inOwner, long inColumn, long rows) {}

    private final Tiles tiles;
    private final DistributedArray matrix;
    /** Rows of this rank's block of A, and columns. */
    private final long rows;

    private final long inner;
    private final long widest;
    private final List<Piece> pieces = new ArrayList<>();
    private final List<Temporary> ofX = List.of(new Temporary(), new Temporary());
    private final List<Temporary> ofY = List.of(new Temporary(), new Temporary());
    private final ForBuffers<Steps> forward = new ForBuffers<>(this::forwardSteps);
    private final ForBuffers<Steps> adjoint = new ForBuffers<>((data, model) -> adjointSteps(model, data));

    private StationaryProduct(Tiles tiles) {
        super(tiles.backend(), tiles.domain(), tiles.range(), tiles.matrix().type());
        this.tiles = tiles;
        matrix = tiles.matrix();
        rows = tiles.rows();
        inner = matrix.layout().sizes(1)[tiles.column()];
        long most = 0;
        for (long width : tiles.domain().sizes(1)) {
            most = Math.max(most, width);
        }
        widest = most;
        cut(matrix.layout().sizes(1), tiles.domain().sizes(0));
    }

    static LinearOperator of(DistributedArray matrix, Layout domain) {
        return new StationaryProduct(Tiles.of("MatrixMult.stationary", matrix, domain));
    }

    /** Cuts the inner dimension where a block of A or of X ends. */
    private void cut(long[] sizesOfA, long... sizesOfX) {
        long startOfX = 0;
        for (int r = 0; r < sizesOfX.length; r++) {
            long startOfA = 0;
            for (int c = 0; c < sizesOfA.length; c++) {
                long first = Math.max(startOfX, startOfA);
                long end = Math.min(startOfX + sizesOfX[r], startOfA + sizesOfA[c]);
                if (first < end) {
                    pieces.add(new Piece(r, c, first - startOfX, first - startOfA, end - first));
                }
                startOfA += sizesOfA[c];
            }
            startOfX += sizesOfX[r];
        }
    }

    private Steps forwardSteps(Buffer model, Buffer data) {
        List<Step> steps = new ArrayList<>();
        long[] widths = tiles.domain().sizes(1);
        for (int c = 0; c < widths.length; c++) {
            long width = widths[c];
            if (width == 0) {
                continue;
            }
            int column = c;
            int place = steps.size() % 2;
            Buffer x = tiles.buffer(ofX.get(place), widest * inner, width * inner, model.type());
            Buffer own = c == tiles.column() ? data : null;
            boolean alone = tiles.width() == 1;
            Buffer y = alone ? data : tiles.buffer(ofY.get(place), widest * rows, width * rows, data.type());
            Transfer arrival = takesPart(true, c)
                    ? tiles.transfer(tiles.domain(), true, g -> exchange(g, true, column, width, model, x))
                    : null;
            Transfer sum = alone || rows == 0
                    ? null
                    : tiles.transfer(tiles.rowGroup(), true, g -> g.reduce(y, own, ReduceOp.SUM, column));
            steps.add(new Step(c, width, x, y, arrival, sum, null, copies(true, c, width, model, x)));
        }
        return new Steps(steps);
    }

    private Steps adjointSteps(Buffer model, Buffer data) {
        List<Step> steps = new ArrayList<>();
        long[] widths = tiles.domain().sizes(1);
        for (int c = 0; c < widths.length; c++) {
            long width = widths[c];
            if (width == 0) {
                continue;
            }
            int column = c;
            int place = steps.size() % 2;
            Buffer x = tiles.buffer(ofX.get(place), widest * inner, width * inner, model.type());
            Buffer y =
                    c == tiles.column() ? data : tiles.buffer(ofY.get(place), widest * rows, width * rows, data.type());
            Transfer arrival = tiles.width() == 1 || rows == 0
                    ? null
                    : tiles.transfer(tiles.rowGroup(), true, g -> g.broadcast(y, column));
            int root = root(c);
            Buffer total = root == tiles.row() ? x : null;
            Transfer sum = tiles.height() == 1 || inner == 0
                    ? null
                    : tiles.transfer(tiles.columnGroup(), true, g -> g.reduce(x, total, ReduceOp.SUM, root));
            Transfer delivery = takesPart(false, c)
                    ? tiles.transfer(tiles.domain(), true, g -> exchange(g, false, column, width, model, x))
                    : null;
            steps.add(new Step(c, width, x, y, arrival, sum, delivery, copies(false, c, width, model, x)));
        }
        return new Steps(steps);
    }

    /** Returns the row of the grid that adds up an adjoint product, another one for each column. */
    private int root(int column) {
        return column % tiles.height();
    }

    /** Sends pieces of X to all ranks that need them, or with the adjoint from those that have their sums. */
    private void exchange(Operations group, boolean outwards, int column, long width, Buffer model, Buffer x) {
        int own = tiles.backend().rank();
        messages(outwards, column, (piece, owner, user) -> {
            if (own == owner) {
                Buffer there = model.slice(piece.inOwner * width, piece.rows * width);
                if (outwards) {
                    group.send(there, user);
                } else {
                    group.recv(there, user);
                }
            } else {
                Buffer here = x.slice(piece.inColumn * width, piece.rows * width);
                if (outwards) {
                    group.recv(here, owner);
                } else {
                    group.send(here, owner);
                }
            }
        });
    }

    /** What is done with a piece that one rank owns and another one uses. */
    @FunctionalInterface
    private interface Message {
        void take(Piece piece, int owner, int user);
    }

    /** Names the messages of this rank for the blocks in a column of the grid. */
    private void messages(boolean outwards, int column, Message message) {
        int own = tiles.backend().rank();
        for (Piece piece : pieces) {
            int owner = tiles.rank(piece.owner, column);
            for (int row = 0; row < tiles.height(); row++) {
                int user = tiles.rank(row, piece.column);
                boolean travels = owner != user && (outwards || row == root(column));
                if (travels && (own == owner || own == user)) {
                    message.take(piece, owner, user);
                }
            }
        }
    }

    private boolean takesPart(boolean outwards, int column) {
        boolean[] any = {false};
        messages(outwards, column, (piece, owner, user) -> any[0] = true);
        return any[0];
    }

    private List<Copy> copies(boolean outwards, int column, long width, Buffer model, Buffer x) {
        List<Copy> copies = new ArrayList<>();
        boolean takesPart = column == tiles.column() && (outwards || tiles.row() == root(column));
        for (Piece piece : pieces) {
            if (takesPart && piece.owner == tiles.row() && piece.column == tiles.column()) {
                Buffer there = model.slice(piece.inOwner * width, piece.rows * width);
                Buffer here = x.slice(piece.inColumn * width, piece.rows * width);
                copies.add(outwards ? new Copy(there, here) : new Copy(here, there));
            }
        }
        return copies;
    }

    @Override
    protected void apply(Vector x, Vector y) {
        List<Step> steps = forward.of(part(x), part(y)).steps;
        for (int p = 0; p < steps.size(); p++) {
            if (p == 0) {
                arrive(steps.getFirst());
            }
            Step step = steps.get(p);
            end(step.arrival);
            if (p + 1 < steps.size()) {
                arrive(steps.get(p + 1));
            }
            if (p > 1) {
                // The sum before the last one has left the memory of this one.
                end(steps.get(p - 2).sum);
            }
            if (rows > 0) {
                if (inner > 0) {
                    blas().gemm(Transpose.NONE, rows, step.width, inner, 1, matrix.part(), step.x, 0, step.y);
                } else {
                    compute().fill(Coefficient.ZERO, step.y);
                }
                begin(step.sum);
            }
        }
        for (int p = Math.max(0, steps.size() - 2); p < steps.size(); p++) {
            end(steps.get(p).sum);
        }
    }

    private void arrive(Step step) {
        copy(step);
        begin(step.arrival);
    }

    @Override
    protected void applyAdjoint(Vector y, Vector x) {
        List<Step> steps = adjoint.of(part(y), part(x)).steps;
        for (int p = 0; p < steps.size(); p++) {
            if (p == 0) {
                begin(steps.getFirst().arrival);
            }
            Step step = steps.get(p);
            end(step.arrival);
            if (p + 1 < steps.size()) {
                begin(steps.get(p + 1).arrival);
            }
            if (p > 1) {
                end(steps.get(p - 2).delivery);
            }
            if (inner > 0) {
                if (rows > 0) {
                    blas().gemm(Transpose.CONJUGATE, inner, step.width, rows, 1, matrix.part(), step.y, 0, step.x);
                } else {
                    compute().fill(Coefficient.ZERO, step.x);
                }
                begin(step.sum);
            }
            if (p > 0) {
                deliver(steps.get(p - 1));
            }
        }
        if (!steps.isEmpty()) {
            deliver(steps.getLast());
        }
        for (int p = Math.max(0, steps.size() - 2); p < steps.size(); p++) {
            end(steps.get(p).delivery);
        }
    }

    private void deliver(Step step) {
        if (inner > 0) {
            end(step.sum);
        }
        copy(step);
        begin(step.delivery);
    }

    private void copy(Step step) {
        for (int i = 0; i < step.copies.size(); i++) {
            compute().copy(step.copies.get(i).from, step.copies.get(i).to);
        }
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
