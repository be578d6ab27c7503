// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.operator;

import org.comm4j.array.Backend;
import org.comm4j.array.DistributedArray;
import org.comm4j.array.Ghosts;
import org.comm4j.array.Layout;
import org.comm4j.array.Partition;
import org.comm4j.array.Vector;
import org.comm4j.core.DataType;
import org.comm4j.math.Band;
import org.comm4j.math.Stencil;
import org.jspecify.annotations.Nullable;

/**
 * An operator that is a sum of band matrices along axes: derivatives and convolutions. Its adjoint is the sum of the
 * transposed ones. Along the divided axis each direction exchanges ghost rows with the neighbours once.
 */
class BandOperator extends LinearOperator {
    private final Stencil forward;
    private final Stencil adjoint;
    private @Nullable Ghosts ghosts;

    BandOperator(Backend backend, Layout layout, DataType type, @Nullable Band[] bands) {
        super(backend, layout, layout, type);
        @Nullable Band[] transposed = new Band[bands.length];
        for (int a = 0; a < bands.length; a++) {
            Band band = bands[a];
            transposed[a] = band == null ? null : band.transposed();
        }
        forward = stencil(bands);
        adjoint = stencil(transposed);
    }

    private Stencil stencil(@Nullable Band[] bands) {
        boolean scattered = domain().partition() == Partition.SCATTERED;
        return new Stencil(
                domain().localShape(backend().rank()),
                bands,
                scattered ? domain().axis() : -1,
                domain().start(backend().rank()));
    }

    @Override
    protected void apply(Vector x, Vector y) {
        run(forward, x.arrays().getFirst(), y.arrays().getFirst());
    }

    @Override
    protected void applyAdjoint(Vector y, Vector x) {
        run(adjoint, y.arrays().getFirst(), x.arrays().getFirst());
    }

    private void run(Stencil stencil, DistributedArray x, DistributedArray y) {
        if (stencil.ghosts() == 0) {
            backend().compute().stencil(stencil, x.part(), null, null, y.part());
            return;
        }
        Ghosts around = ghosts(x.type(), stencil.ghosts());
        around.exchange(x);
        backend().compute().stencil(stencil, x.part(), around.before(), around.after(), y.part());
    }

    private Ghosts ghosts(DataType type, int width) {
        Ghosts known = ghosts;
        if (known == null || known.before().type() != type) {
            known = new Ghosts(backend(), domain(), type, width);
            ghosts = known;
        }
        return known;
    }
}
