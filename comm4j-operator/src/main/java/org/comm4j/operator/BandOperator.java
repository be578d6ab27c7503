// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.operator;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.comm4j.array.Backend;
import org.comm4j.array.DistributedArray;
import org.comm4j.array.Ghosts;
import org.comm4j.array.Layout;
import org.comm4j.array.Vector;
import org.comm4j.core.Buffer;
import org.comm4j.core.DataType;
import org.comm4j.math.Band;
import org.comm4j.math.Coefficient;
import org.comm4j.math.Compute;
import org.comm4j.math.Stencil;
import org.jspecify.annotations.Nullable;

/**
 * An operator that is a sum of band matrices along axes: derivatives and convolutions. Its adjoint is the sum of the
 * transposed ones. Along a divided axis each direction exchanges ghost rows with the neighbours once. It is one pass
 * over memory, or where several axes are divided, one for each of them.
 */
class BandOperator extends LinearOperator {
    private final @Nullable Band[] bands;
    private final List<Pass> forward;
    private final List<Pass> adjoint;
    private final Map<Integer, Ghosts> ghosts = new HashMap<>();
    private final Temporary term = new Temporary();

    /**
     * A pass, and the divided axis whose ghost rows it needs, or −1.
     *
     * @param ahead the same in parts, of which one needs no ghost rows; null if it is not worth it
     */
    private record Pass(Stencil stencil, int axis, @Nullable Ahead ahead) {}

    /** A stencil on the inner rows, which are computed while ghost rows travel, and on those at both ends. */
    private record Ahead(SplitRows rows, Stencil top, Stencil middle, Stencil bottom) {
        static @Nullable Ahead of(Stencil stencil, boolean worthIt) {
            SplitRows rows = worthIt ? SplitRows.of(stencil) : null;
            return rows == null ? null : new Ahead(rows, rows.top(stencil), rows.middle(stencil), rows.bottom(stencil));
        }
    }

    BandOperator(Backend backend, Layout layout, DataType type, @Nullable Band[] bands) {
        super(backend, layout, layout, type);
        this.bands = bands;
        @Nullable Band[] transposed = new Band[bands.length];
        for (int a = 0; a < bands.length; a++) {
            Band band = bands[a];
            transposed[a] = band == null ? null : band.transposed();
        }
        forward = passes(bands);
        adjoint = passes(transposed);
    }

    /** Returns a pass for each divided axis with a band; the first one also takes the axes that are not divided. */
    private List<Pass> passes(@Nullable Band[] bands) {
        List<Pass> passes = new ArrayList<>();
        @Nullable Band[] rest = bands.clone();
        for (int a = bands.length - 1; a >= 0; a--) {
            if (bands[a] != null && domain().isDivided(a)) {
                @Nullable Band[] own = new Band[bands.length];
                for (int b = 0; b < bands.length; b++) {
                    own[b] = b == a || passes.isEmpty() && !domain().isDivided(b) ? bands[b] : null;
                }
                passes.add(pass(own, a));
                rest[a] = null;
            }
        }
        return passes.isEmpty() ? List.of(pass(rest, -1)) : passes;
    }

    private Pass pass(@Nullable Band[] bands, int axis) {
        int rank = backend().rank();
        long start = axis < 0 ? 0 : domain().start(rank, axis);
        Stencil stencil = new Stencil(domain().localShape(rank), bands, axis, start);
        return new Pass(stencil, axis, Ahead.of(stencil, isWorthIt(backend(), domain(), type())));
    }

    /**
     * Returns whether inner rows are computed while ghost rows travel: where computing takes longer than starting
     * kernels, or another thread.
     */
    static boolean isWorthIt(Backend backend, Layout layout, DataType type) {
        return backend.overlaps() && layout.localSize(backend.rank()) * type.bytes() >= backend.overlapFrom();
    }

    @Override
    protected void apply(Vector x, Vector y) {
        run(forward, null, x.arrays().getFirst(), y.arrays().getFirst());
    }

    @Override
    protected void applyAdjoint(Vector y, Vector x) {
        run(adjoint, null, y.arrays().getFirst(), x.arrays().getFirst());
    }

    /** Returns this operator times a number. */
    BandOperator scaled(double factor) {
        @Nullable Band[] scaled = new Band[bands.length];
        for (int a = 0; a < bands.length; a++) {
            Band band = bands[a];
            scaled[a] = band == null ? null : band.times(factor);
        }
        return new BandOperator(backend(), domain(), type(), scaled);
    }

    /** Computes y = A x + d x, or with the adjoint Aᴴ x + d x, for real vectors in one pass over memory. */
    void applyWithDiagonal(boolean isAdjoint, DistributedArray d, DistributedArray x, DistributedArray y) {
        run(isAdjoint ? adjoint : forward, d, x, y);
    }

    private void run(List<Pass> passes, @Nullable DistributedArray d, DistributedArray x, DistributedArray y) {
        run(passes.getFirst(), d, x, y);
        for (int i = 1; i < passes.size(); i++) {
            Vector next = term.like(y);
            run(passes.get(i), null, x, next.arrays().getFirst());
            y.axpy(Coefficient.ONE, next);
        }
    }

    private void run(Pass pass, @Nullable DistributedArray d, DistributedArray x, DistributedArray y) {
        Stencil stencil = pass.stencil;
        Buffer diagonal = d == null ? null : d.part();
        if (stencil.ghosts() == 0) {
            stencil(stencil, diagonal, x.part(), null, null, y.part());
            return;
        }
        Ghosts around = ghosts(pass.axis, x.type(), stencil.ghosts());
        Ahead ahead = pass.ahead;
        if (ahead == null) {
            around.exchange(x);
            stencil(stencil, diagonal, x.part(), around.before(), around.after(), y.part());
            return;
        }
        around.begin(x);
        SplitRows.Slices from = ahead.rows.of(x.part());
        SplitRows.Slices to = ahead.rows.of(y.part());
        SplitRows.Slices with = diagonal == null ? null : ahead.rows.of(diagonal);
        Buffer middle = with == null ? null : with.middle();
        stencil(ahead.middle, middle, from.middle(), from.top(), from.bottom(), to.middle());
        around.end();
        Buffer top = with == null ? null : with.top();
        stencil(ahead.top, top, from.top(), around.before(), from.belowTop(), to.top());
        Buffer bottom = with == null ? null : with.bottom();
        stencil(ahead.bottom, bottom, from.bottom(), from.aboveBottom(), around.after(), to.bottom());
    }

    private void stencil(
            Stencil stencil,
            @Nullable Buffer diagonal,
            Buffer x,
            @Nullable Buffer before,
            @Nullable Buffer after,
            Buffer y) {
        Compute compute = backend().compute();
        if (diagonal == null) {
            compute.stencil(stencil, x, before, after, y);
        } else {
            compute.stencil(stencil, diagonal, x, before, after, y);
        }
    }

    private Ghosts ghosts(int axis, DataType type, int width) {
        Ghosts known = ghosts.get(axis);
        if (known == null || known.before().type() != type) {
            known = new Ghosts(backend(), domain(), axis, type, width);
            ghosts.put(axis, known);
        }
        return known;
    }
}
