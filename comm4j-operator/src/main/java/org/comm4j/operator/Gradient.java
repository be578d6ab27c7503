// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.operator;

import java.util.List;
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
    private final Stencil forward;
    private final Stencil adjoint;
    private final Stencil[] forwardParts;
    private final Stencil[] adjointParts;
    private final Buffer[] parts;
    private final Temporary term = new Temporary();
    private @Nullable Ghosts ghosts;

    private Gradient(Backend backend, Layout layout, Layout range, DataType type, Band... bands) {
        super(backend, layout, range, type);
        axis = layout.partition() == Partition.SCATTERED ? layout.axis() : -1;
        Band[] transposed = new Band[bands.length];
        forwardParts = new Stencil[bands.length];
        adjointParts = new Stencil[bands.length];
        parts = new Buffer[bands.length];
        for (int a = 0; a < bands.length; a++) {
            transposed[a] = bands[a].transposed();
            forwardParts[a] = single(a, bands[a]);
            adjointParts[a] = single(a, transposed[a]);
        }
        forward = stencil(axis, bands);
        adjoint = stencil(axis, transposed);
    }

    private Stencil single(int a, Band band) {
        @Nullable Band[] bands = new Band[forwardParts.length];
        bands[a] = band;
        return stencil(a == axis ? axis : -1, bands);
    }

    private Stencil stencil(int divided, @Nullable Band... bands) {
        int rank = backend().rank();
        return new Stencil(domain().localShape(rank), bands, divided, divided < 0 ? 0 : domain().start(rank));
    }

    /**
     * Returns the gradient of arrays of a layout, centred.
     *
     * @param sampling distance of grid points, the same along all axes
     * @param edge whether the ends have one-sided differences instead of zero
     */
    public static LinearOperator of(Backend backend, Layout layout, DataType type, double sampling, boolean edge) {
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
        Ghosts around = exchanged(model);
        Compute compute = backend().compute();
        Buffer before = around == null ? null : around.before();
        Buffer after = around == null ? null : around.after();
        collect(y);
        if (!compute.gradient(forward, model.part(), before, after, parts)) {
            for (int a = 0; a < parts.length; a++) {
                boolean divided = a == axis;
                compute.stencil(
                        forwardParts[a], model.part(), divided ? before : null, divided ? after : null, parts[a]);
            }
        }
    }

    @Override
    protected void applyAdjoint(Vector y, Vector x) {
        Ghosts around = axis < 0 ? null : exchanged(y.arrays().get(axis));
        Compute compute = backend().compute();
        Buffer before = around == null ? null : around.before();
        Buffer after = around == null ? null : around.after();
        Buffer sum = x.arrays().getFirst().part();
        collect(y);
        if (!compute.divergence(adjoint, before, after, sum, parts)) {
            for (int a = 0; a < parts.length; a++) {
                boolean divided = a == axis;
                Buffer to = a == 0 ? sum : term.like(x).arrays().getFirst().part();
                compute.stencil(adjointParts[a], parts[a], divided ? before : null, divided ? after : null, to);
                if (a > 0) {
                    compute.axpby(Coefficient.ONE, to, Coefficient.ONE, sum);
                }
            }
        }
    }

    private void collect(Vector stack) {
        List<DistributedArray> arrays = stack.arrays();
        for (int a = 0; a < parts.length; a++) {
            parts[a] = arrays.get(a).part();
        }
    }

    private @Nullable Ghosts exchanged(DistributedArray x) {
        if (axis < 0) {
            return null;
        }
        Ghosts known = ghosts;
        if (known == null || known.before().type() != x.type()) {
            known = new Ghosts(backend(), domain(), x.type(), forward.ghosts());
            ghosts = known;
        }
        known.exchange(x);
        return known;
    }
}
