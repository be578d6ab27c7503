// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.operator;

import static org.comm4j.core.spi.Arguments.noNulls;

import java.util.List;
import java.util.function.Function;
import org.comm4j.array.Backend;
import org.comm4j.array.DistributedArray;
import org.comm4j.array.Ghosts;
import org.comm4j.array.Layout;
import org.comm4j.array.Partition;
import org.comm4j.array.Vector;
import org.comm4j.core.Buffer;
import org.comm4j.core.DataType;
import org.comm4j.math.Band;
import org.comm4j.math.Coefficient;
import org.comm4j.math.Compute;
import org.comm4j.math.Stencil;
import org.jspecify.annotations.Nullable;

/**
 * The gradient (PyLops {@code Gradient}): first derivatives along all axes, one above the other. On a GPU it is one
 * pass over memory, and so is its adjoint. Along the divided axis each direction exchanges ghost rows with the
 * neighbours once.
 */
public final class Gradient extends LinearOperator {
    private final int axis;
    private final int width;
    private final Rows whole;
    /** Rows in three parts, of which one is computed while ghost rows travel; null if it is not worth it. */
    private final @Nullable SplitRows rows;

    private final Rows top;
    private final Rows middle;
    private final Rows bottom;
    private final Buffer[] parts;
    private final Buffer[] slices;
    private @Nullable Ghosts ghosts;

    /** Both directions on some rows of this rank's part. */
    private static final class Rows {
        private final Stencil forward;
        private final Stencil adjoint;
        private final Stencil[] forwardParts;
        private final Stencil[] adjointParts;
        private final Backend backend;
        private @Nullable Buffer term;

        Rows(Backend backend, Stencil forward, Stencil adjoint) {
            this.backend = backend;
            this.forward = forward;
            this.adjoint = adjoint;
            forwardParts = parts(forward);
            adjointParts = parts(adjoint);
        }

        private static Stencil[] parts(Stencil stencil) {
            Stencil[] parts = new Stencil[stencil.shape().length];
            for (int a = 0; a < parts.length; a++) {
                @Nullable Band[] bands = new Band[parts.length];
                bands[a] = stencil.bands()[a];
                boolean divided = a == stencil.axis();
                // The other bands are as long as their axes here.
                parts[a] = new Stencil(stencil.shape(), bands, divided ? a : -1, divided ? stencil.start() : 0);
            }
            return parts;
        }

        void gradient(Compute compute, Buffer x, @Nullable Buffer before, @Nullable Buffer after, Buffer... y) {
            if (!compute.gradient(forward, x, before, after, y)) {
                for (int a = 0; a < y.length; a++) {
                    boolean divided = a == forward.axis();
                    compute.stencil(forwardParts[a], x, divided ? before : null, divided ? after : null, y[a]);
                }
            }
        }

        void divergence(Compute compute, @Nullable Buffer before, @Nullable Buffer after, Buffer y, Buffer... x) {
            if (compute.divergence(adjoint, before, after, y, x)) {
                return;
            }
            for (int a = 0; a < x.length; a++) {
                boolean divided = a == adjoint.axis();
                Buffer to = a == 0 ? y : term(y);
                compute.stencil(adjointParts[a], x[a], divided ? before : null, divided ? after : null, to);
                if (a > 0) {
                    compute.axpby(Coefficient.ONE, to, Coefficient.ONE, y);
                }
            }
        }

        private Buffer term(Buffer y) {
            Buffer known = term;
            if (known == null || known.type() != y.type()) {
                known = backend.compute().buffer(y.type(), y.count());
                term = known;
            }
            return known;
        }
    }

    private Gradient(Backend backend, Layout layout, Layout range, DataType type, Band... bands) {
        super(backend, layout, range, type);
        axis = layout.partition() == Partition.SCATTERED ? layout.axis() : -1;
        Band[] transposed = new Band[bands.length];
        for (int a = 0; a < bands.length; a++) {
            transposed[a] = bands[a].transposed();
        }
        Stencil forward = stencil(bands);
        Stencil adjoint = stencil(transposed);
        width = forward.ghosts();
        parts = new Buffer[bands.length];
        slices = new Buffer[bands.length];
        whole = new Rows(backend, forward, adjoint);
        // A transposed band is as wide.
        rows = BandOperator.isWorthIt(backend, layout, type) ? SplitRows.of(forward) : null;
        top = rows == null ? whole : new Rows(backend, rows.top(forward), rows.top(adjoint));
        middle = rows == null ? whole : new Rows(backend, rows.middle(forward), rows.middle(adjoint));
        bottom = rows == null ? whole : new Rows(backend, rows.bottom(forward), rows.bottom(adjoint));
    }

    private Stencil stencil(Band... bands) {
        int rank = backend().rank();
        return new Stencil(domain().localShape(rank), bands, axis, axis < 0 ? 0 : domain().start(rank));
    }

    /**
     * Returns the gradient of arrays of a layout, centred.
     *
     * @param sampling distance of grid points, the same along all axes
     * @param edge whether the ends have one-sided differences instead of zero
     */
    public static LinearOperator of(Backend backend, Layout layout, DataType type, double sampling, boolean edge) {
        noNulls("Gradient.of", "backend", backend, "layout", layout, "type", type);
        if (layout.partition() == Partition.BLOCKS) {
            LinearOperator[] derivatives = new LinearOperator[layout.ndim()];
            for (int a = 0; a < derivatives.length; a++) {
                FirstDerivative.Builder derivative = FirstDerivative.of(backend, layout, a)
                        .sampling(sampling)
                        .dtype(type);
                derivatives[a] = (edge ? derivative.edge() : derivative).build();
            }
            return VStack.of(derivatives);
        }
        Layout[] members = new Layout[layout.ndim()];
        Band[] bands = new Band[layout.ndim()];
        for (int a = 0; a < bands.length; a++) {
            members[a] = layout;
            bands[a] = Differences.first(layout.length(a), sampling, DerivativeKind.CENTERED, 3, edge);
        }
        return new Gradient(backend, layout, Layout.stacked(members), type, bands);
    }

    /** Returns the gradient with sampling 1 and zero at the ends. */
    public static LinearOperator of(Backend backend, Layout layout, DataType type) {
        return of(backend, layout, type, 1, false);
    }

    @Override
    protected void apply(Vector x, Vector y) {
        DistributedArray model = x.arrays().getFirst();
        collect(y);
        if (axis < 0) {
            whole.gradient(backend().compute(), model.part(), null, null, parts);
            return;
        }
        Ghosts around = ghosts(model);
        SplitRows split = rows;
        if (split == null) {
            around.exchange(model);
            whole.gradient(backend().compute(), model.part(), around.before(), around.after(), parts);
            return;
        }
        around.begin(model);
        SplitRows.Slices from = split.of(model.part());
        slice(split, SplitRows.Slices::middle);
        middle.gradient(backend().compute(), from.middle(), from.top(), from.bottom(), slices);
        around.end();
        slice(split, SplitRows.Slices::top);
        top.gradient(backend().compute(), from.top(), around.before(), from.belowTop(), slices);
        slice(split, SplitRows.Slices::bottom);
        bottom.gradient(backend().compute(), from.bottom(), from.aboveBottom(), around.after(), slices);
    }

    @Override
    protected void applyAdjoint(Vector y, Vector x) {
        Buffer sum = x.arrays().getFirst().part();
        collect(y);
        if (axis < 0) {
            whole.divergence(backend().compute(), null, null, sum, parts);
            return;
        }
        DistributedArray divided = y.arrays().get(axis);
        Ghosts around = ghosts(divided);
        SplitRows split = rows;
        if (split == null) {
            around.exchange(divided);
            whole.divergence(backend().compute(), around.before(), around.after(), sum, parts);
            return;
        }
        around.begin(divided);
        SplitRows.Slices from = split.of(divided.part());
        SplitRows.Slices to = split.of(sum);
        slice(split, SplitRows.Slices::middle);
        middle.divergence(backend().compute(), from.top(), from.bottom(), to.middle(), slices);
        around.end();
        slice(split, SplitRows.Slices::top);
        top.divergence(backend().compute(), around.before(), from.belowTop(), to.top(), slices);
        slice(split, SplitRows.Slices::bottom);
        bottom.divergence(backend().compute(), from.aboveBottom(), around.after(), to.bottom(), slices);
    }

    /** Takes the same rows of all components. */
    private void slice(SplitRows split, Function<SplitRows.Slices, Buffer> rows) {
        for (int a = 0; a < parts.length; a++) {
            slices[a] = rows.apply(split.of(parts[a]));
        }
    }

    private void collect(Vector stack) {
        List<DistributedArray> arrays = stack.arrays();
        for (int a = 0; a < parts.length; a++) {
            parts[a] = arrays.get(a).part();
        }
    }

    private Ghosts ghosts(DistributedArray x) {
        Ghosts known = ghosts;
        if (known == null || known.before().type() != x.type()) {
            known = new Ghosts(backend(), domain(), x.type(), width);
            ghosts = known;
        }
        return known;
    }
}
