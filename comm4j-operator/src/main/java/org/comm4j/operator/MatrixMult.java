// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.operator;

import static org.comm4j.core.spi.Arguments.noNulls;
import static org.comm4j.core.spi.Arguments.nonNull;

import org.comm4j.array.DistributedArray;
import org.comm4j.array.Layout;
import org.comm4j.array.Partition;
import org.comm4j.array.Vector;
import org.comm4j.core.Buffer;
import org.comm4j.math.Blas;
import org.comm4j.math.Scalar;
import org.comm4j.math.Transpose;

/**
 * The product with a dense matrix that every rank has whole, or that is a rank's own (PyLops {@code MatrixMult}). Its
 * vectors are replicated or local as the matrix is. It does not communicate.
 */
public final class MatrixMult extends LinearOperator {
    private static final long WIDEST = 1024;

    private final DistributedArray matrix;
    private final long rows;
    private final long columns;

    private MatrixMult(DistributedArray matrix, Layout domain, Layout range) {
        super(matrix.backend(), domain, range, matrix.type());
        this.matrix = matrix;
        rows = range.size();
        columns = domain.size();
    }

    /**
     * Returns the product with a matrix, which stays the caller's and may change.
     *
     * @throws IllegalArgumentException if the array has not two dimensions, or is scattered
     */
    public static MatrixMult of(DistributedArray matrix) {
        nonNull(matrix, "MatrixMult.of", "matrix");
        Layout layout = matrix.layout();
        if (layout.ndim() != 2 || layout.isDivided()) {
            throw new IllegalArgumentException("MatrixMult: " + matrix
                    + " must have two dimensions and be replicated or local; BlockDiag and VStack combine the ranks'");
        }
        boolean local = layout.partition() == Partition.LOCAL;
        long rows = layout.length(0);
        long columns = layout.length(1);
        return new MatrixMult(
                matrix,
                local ? Layout.local(columns) : Layout.replicated(columns),
                local ? Layout.local(rows) : Layout.replicated(rows));
    }

    /**
     * Returns the product with a matrix along one axis of arrays, for all others alike (PyLops {@code MatrixMult} with
     * {@code otherdims}, where the axis is the first one). Along the divided axis it communicates.
     *
     * @param matrix replicated or local, with as many columns as the axis has elements; it must not change
     * @param domain layout of what the operator takes
     * @param axis any axis, divided among the ranks or not; negative ones count from the end
     */
    public static LinearOperator of(DistributedArray matrix, Layout domain, int axis) {
        noNulls("MatrixMult.of", "matrix", matrix, "domain", domain);
        MatrixMult whole = of(matrix);
        if (domain.length(axis) != whole.columns) {
            throw new IllegalArgumentException("MatrixMult: " + matrix + " has " + whole.columns + " columns, and axis "
                    + axis + " of " + domain + " has " + domain.length(axis) + " elements");
        }
        return new SliceMult(matrix, domain, domain.axis(axis));
    }

    /**
     * Collective: returns the product of a matrix in blocks and one in blocks of the same grid of ranks, by SUMMA
     * (pylops-mpi {@code MPIMatrixMult}). Grids have any shape, and blocks any lengths, 0 too. Grids of one row or
     * column make it the product of one-dimensional blocks.
     *
     * <p>The blocks of the product stay, those of the matrix and of the model travel. A rank holds two panels of each
     * besides its blocks, of at most {@value #WIDEST} slices of the inner dimension. The next panels travel while these
     * are multiplied, unless {@link org.comm4j.array.Backend#overlap} says otherwise.
     *
     * @param matrix N × K elements in the layout of {@link org.comm4j.array.Backend#blocks}; not copied
     * @param domain layout of the K × M elements of the model; its blocks' lengths may differ from the matrix's
     * @return the operator, whose range has N × M elements, with the matrix's blocks of rows and the model's of columns
     * @throws IllegalArgumentException if the shapes do not fit or the grids differ
     */
    public static LinearOperator distributed(DistributedArray matrix, Layout domain) {
        return distributed(matrix, domain, WIDEST);
    }

    /**
     * Collective: returns the product by SUMMA with panels of another width: narrow ones take less memory, wide ones
     * fewer messages.
     *
     * @param matrix N × K elements in the layout of {@link org.comm4j.array.Backend#blocks}; not copied
     * @param domain layout of the K × M elements of the model
     * @param widest slices of the inner dimension that a panel has at most, at least 1
     * @throws IllegalArgumentException if the shapes do not fit or the grids differ
     */
    public static LinearOperator distributed(DistributedArray matrix, Layout domain, long widest) {
        noNulls("MatrixMult.distributed", "matrix", matrix, "domain", domain);
        return Summa.of(matrix, domain, widest);
    }

    /**
     * Collective: returns the same product, for which the blocks of the matrix stay and those of the model and of the
     * product travel. It moves less than {@link #distributed} where the model has fewer columns than the matrix.
     *
     * <p>A rank holds twice the rows of the model that its block takes and of the product that it gives, for the
     * columns of one block. The next ones travel while these are multiplied.
     *
     * @param matrix N × K elements in the layout of {@link org.comm4j.array.Backend#blocks}; not copied
     * @param domain layout of the K × M elements of the model; its blocks' lengths may differ from the matrix's
     * @return the operator, whose range has N × M elements, with the matrix's blocks of rows and the model's of columns
     * @throws IllegalArgumentException if the shapes do not fit or the grids differ
     */
    public static LinearOperator stationary(DistributedArray matrix, Layout domain) {
        noNulls("MatrixMult.stationary", "matrix", matrix, "domain", domain);
        return StationaryProduct.of(matrix, domain);
    }

    /** Returns the matrix. */
    Buffer matrix() {
        return matrix.part();
    }

    /**
     * Collective: checks that the matrices of all ranks have neither NaN nor infinite elements.
     *
     * @return this operator
     * @throws IllegalArgumentException on every rank, if one of them has such a matrix
     */
    public MatrixMult check() {
        Scalar largest = backend().compute().scalars(1).get(0);
        backend().compute().largestModulus(matrix.part(), largest);
        double modulus = largest.real();
        boolean finite = modulus <= Double.MAX_VALUE;
        String problem = backend()
                .firstProblem(finite ? "" : "the largest modulus of the elements of " + matrix + " is " + modulus);
        if (!problem.isEmpty()) {
            throw new IllegalArgumentException("check of MatrixMult: " + problem);
        }
        return this;
    }

    @Override
    protected void apply(Vector x, Vector y) {
        blas().gemm(Transpose.NONE, rows, 1, columns, 1, matrix.part(), part(x), 0, part(y));
    }

    @Override
    protected void applyAdjoint(Vector y, Vector x) {
        blas().gemm(Transpose.CONJUGATE, columns, 1, rows, 1, matrix.part(), part(y), 0, part(x));
    }

    private Blas blas() {
        return backend().compute().blas();
    }

    private static Buffer part(Vector x) {
        return x.arrays().getFirst().part();
    }
}
