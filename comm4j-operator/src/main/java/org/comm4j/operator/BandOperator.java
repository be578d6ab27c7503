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
        run(forward, x.arrays().getFirst(), y.arrays().getFirst());
    }

    @Override
    protected void applyAdjoint(Vector y, Vector x) {
        run(adjoint, y.arrays().getFirst(), x.arrays().getFirst());
    }

    private void run(List<Pass> passes, DistributedArray x, DistributedArray y) {
        run(passes.getFirst(), x, y);
        for (int i = 1; i < passes.size(); i++) {
            Vector next = term.like(y);
            run(passes.get(i), x, next.arrays().getFirst());
            y.axpy(Coefficient.ONE, next);
        }
    }

    private void run(Pass pass, DistributedArray x, DistributedArray y) {
        Stencil stencil = pass.stencil;
        if (stencil.ghosts() == 0) {
            backend().compute().stencil(stencil, x.part(), null, null, y.part());
            return;
        }
        Ghosts around = ghosts(pass.axis, x.type(), stencil.ghosts());
        Compute compute = backend().compute();
        Ahead ahead = pass.ahead;
        if (ahead == null) {
            around.exchange(x);
            compute.stencil(stencil, x.part(), around.before(), around.after(), y.part());
            return;
        }
        around.begin(x);
        SplitRows.Slices from = ahead.rows.of(x.part());
        SplitRows.Slices to = ahead.rows.of(y.part());
        compute.stencil(ahead.middle, from.middle(), from.top(), from.bottom(), to.middle());
        around.end();
        compute.stencil(ahead.top, from.top(), around.before(), from.belowTop(), to.top());
        compute.stencil(ahead.bottom, from.bottom(), from.aboveBottom(), around.after(), to.bottom());
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
