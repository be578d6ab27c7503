// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.operator.signal;

import static org.comm4j.core.spi.Arguments.nonNull;

import org.comm4j.array.DistributedArray;
import org.comm4j.array.Layout;
import org.comm4j.array.Partition;
import org.comm4j.array.Vector;
import org.comm4j.core.Buffer;
import org.comm4j.math.Compute;
import org.comm4j.math.Transpose;
import org.comm4j.operator.LinearOperator;
import org.jspecify.annotations.Nullable;

/**
 * A matrix for each slice: the Fredholm integral of the first kind (PyLops {@code Fredholm1}). Slices are divided among
 * the ranks as those of the matrices are, any number a rank, none too. It does not communicate.
 */
public final class Fredholm1 extends LinearOperator {
    private final DistributedArray matrices;
    private final long columns;
    /** The vectors that the adjoint is given, conjugated; made when it is first needed. */
    private @Nullable Buffer conjugated;

    private Fredholm1(DistributedArray matrices, Layout domain, Layout range, long columns) {
        super(matrices.backend(), domain, range, matrices.type());
        this.matrices = matrices;
        this.columns = columns;
    }

    /**
     * Returns the operator from arrays of slices × ny × nz to arrays of slices × nx × nz.
     *
     * @param matrices slices × nx × ny elements, scattered along the first axis, replicated or local; not copied
     * @param nz number of columns of a slice of the model
     * @throws IllegalArgumentException if {@code matrices} has not three axes, or is divided along another one
     */
    public static Fredholm1 of(DistributedArray matrices, long nz) {
        nonNull(matrices, "Fredholm1.of", "matrices");
        Layout layout = matrices.layout();
        boolean scattered = layout.partition() == Partition.SCATTERED;
        if (layout.ndim() != 3 || nz < 0 || layout.isDivided() && !(scattered && layout.axis() == 0)) {
            throw new IllegalArgumentException("Fredholm1: " + matrices + " and " + nz
                    + " columns; slices x rows x columns are needed, divided along axis 0 or not at all");
        }
        // Only axes that are whole change, so that the slices stay where they are.
        Layout range = layout.resized(2, nz);
        Layout domain = layout.resized(1, layout.length(2)).resized(2, nz);
        return new Fredholm1(matrices, domain, range, nz);
    }

    @Override
    protected void apply(Vector x, Vector y) {
        long[] shape = matrices.layout().localShape(backend().rank());
        multiply(Transpose.NONE, shape[0], shape[1], shape[2], part(x), part(y));
    }

    @Override
    protected void applyAdjoint(Vector y, Vector x) {
        long[] shape = matrices.layout().localShape(backend().rank());
        if (columns != 1 || !matrices.type().isComplex()) {
            multiply(Transpose.CONJUGATE, shape[0], shape[2], shape[1], part(y), part(x));
            return;
        }
        // The conjugate of G^T conj(y): cuBLAS has no fast product of a conjugated matrix with a vector.
        Compute compute = backend().compute();
        Buffer given = part(y);
        Buffer vectors = conjugated;
        if (vectors == null || vectors.type() != given.type()) {
            vectors = compute.buffer(given.type(), given.count());
            conjugated = vectors;
        }
        compute.conjugate(given, vectors);
        multiply(Transpose.TRANSPOSE, shape[0], shape[2], shape[1], vectors, part(x));
        compute.conjugate(part(x), part(x));
    }

    private static Buffer part(Vector vector) {
        return ((DistributedArray) vector).part();
    }

    private void multiply(Transpose transpose, long slices, long rows, long inner, Buffer from, Buffer to) {
        backend().compute().blas().gemm(transpose, slices, rows, columns, inner, 1, matrices.part(), from, 0, to);
    }
}
