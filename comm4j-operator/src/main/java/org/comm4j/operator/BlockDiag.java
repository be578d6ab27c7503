// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.operator;

import static org.comm4j.core.spi.Arguments.noNulls;
import static org.comm4j.core.spi.Arguments.nonNull;

import java.util.ArrayList;
import java.util.List;
import org.comm4j.array.Backend;
import org.comm4j.array.Layout;
import org.comm4j.array.Vector;
import org.comm4j.core.Buffer;
import org.comm4j.core.DataType;
import org.comm4j.math.Transpose;

/**
 * A block-diagonal operator of the ranks' own operators (PyLops {@code BlockDiag}): model and data are scattered, and
 * each rank computes its parts without communication.
 */
public final class BlockDiag extends LinearOperator {
    private final Members members;

    /** The matrices, if all blocks are matrices of one shape and type; none otherwise. */
    private final List<Buffer> matrices;

    private BlockDiag(Backend backend, Members members, Layout domain, Layout range, DataType type) {
        super(backend, domain, range, type);
        this.members = members;
        matrices = matrices(members);
    }

    private static List<Buffer> matrices(Members members) {
        List<Buffer> matrices = new ArrayList<>();
        for (int i = 0; i < members.count(); i++) {
            LinearOperator block = members.get(i);
            LinearOperator first = members.get(0);
            if (!(block instanceof MatrixMult product)
                    || !block.domain().equals(first.domain())
                    || !block.range().equals(first.range())
                    || block.type() != first.type()) {
                return List.of();
            }
            matrices.add(product.matrix());
        }
        return matrices;
    }

    /** Returns whether one product of all matrices costs less than one of each. */
    private boolean isBatched(Vector x) {
        return matrices.size() > 1
                && matrices.getFirst().type() == x.type()
                && backend().compute().blas().isBatched();
    }

    private static Buffer part(Vector x) {
        return x.arrays().getFirst().part();
    }

    /**
     * Collective: returns the operator of which this rank has the given blocks, one behind the other; none, too. The
     * ranks exchange the sizes of their blocks once.
     *
     * @param blocks operators of this rank, with domains and ranges that are local, or stacks of local ones
     */
    public static BlockDiag of(Backend backend, LinearOperator... blocks) {
        noNulls("BlockDiag.of", "backend", backend, "blocks", blocks);
        Members members = new Members("BlockDiag", backend, blocks);
        DataType type = Members.type(backend, members);
        Layout domain = Members.concatenated(backend.exchange(members.domainSize()));
        Layout range = Members.concatenated(backend.exchange(members.rangeSize()));
        return new BlockDiag(backend, members, domain, range, type);
    }

    /**
     * Returns the operator of which this rank has the given blocks, for layouts that all ranks know. Does not
     * communicate.
     *
     * @param domain layout of the model, of which this rank's part has what its blocks take, one behind the other
     * @param range layout of the data, of which this rank's part has what they return
     * @param type that the elements of the blocks of all ranks fit
     * @param blocks operators of this rank, with domains and ranges that are local, or stacks of local ones; none, too
     * @throws IllegalArgumentException if this rank's parts have other sizes, or if a block is of a wider type
     */
    public static BlockDiag of(Backend backend, Layout domain, Layout range, DataType type, LinearOperator... blocks) {
        noNulls("BlockDiag.of", "backend", backend, "domain", domain, "range", range, "type", type, "blocks", blocks);
        Members members = new Members("BlockDiag", backend, blocks);
        members.checkParts("BlockDiag", backend, domain, members.domainSize(), range, type);
        return new BlockDiag(backend, members, domain, range, type);
    }

    /**
     * Returns operators of all ranks together, each on a model of its own: model and data are stacks (pylops-mpi
     * {@code MPIStackedBlockDiag}). Does not communicate.
     *
     * @throws IllegalArgumentException if there are none
     */
    public static LinearOperator of(LinearOperator... operators) {
        nonNull(operators, "BlockDiag.of", "operators");
        if (operators.length == 0) {
            throw new IllegalArgumentException("BlockDiag: no operators");
        }
        return new OperatorDiagonal(operators);
    }

    /**
     * Collective: returns the operator of groups of ranks, each of which has all blocks (pylops-mpi {@code mask}): dots
     * of its vectors reduce within a group, and no group waits for another one.
     *
     * @param groups number of each rank's group; the n-th ranks of all groups have blocks of the same sizes
     * @param blocks operators of this rank, with local domains and ranges
     * @throws IllegalArgumentException on every rank, if the sizes of two groups differ
     */
    public static BlockDiag ofGroups(Backend backend, int[] groups, LinearOperator... blocks) {
        noNulls("BlockDiag.ofGroups", "backend", backend, "groups", groups, "blocks", blocks);
        Members members = new Members("BlockDiag", backend, blocks);
        DataType type = Members.type(backend, members);
        long[] domains = backend.exchange(members.domainSize());
        long[] ranges = backend.exchange(members.rangeSize());
        Layout domain = Members.grouped("BlockDiag", backend, domains, groups);
        Layout range = Members.grouped("BlockDiag", backend, ranges, groups);
        return new BlockDiag(backend, members, domain, range, type);
    }

    @Override
    boolean isComplexLinear() {
        return members.isComplexLinear();
    }

    @Override
    protected void apply(Vector x, Vector y) {
        if (isBatched(x)) {
            long rows = members.get(0).range().size();
            long columns = members.get(0).domain().size();
            backend().compute().blas().gemv(Transpose.NONE, rows, columns, matrices, part(x), part(y));
            return;
        }
        long from = 0;
        long to = 0;
        for (int i = 0; i < members.count(); i++) {
            LinearOperator block = members.get(i);
            block.matvec(Members.part(x, from, block.domain()), Members.part(y, to, block.range()));
            from += block.domain().size();
            to += block.range().size();
        }
    }

    @Override
    protected void applyAdjoint(Vector y, Vector x) {
        if (isBatched(y)) {
            long rows = members.get(0).range().size();
            long columns = members.get(0).domain().size();
            backend().compute().blas().gemv(Transpose.CONJUGATE, columns, rows, matrices, part(y), part(x));
            return;
        }
        long from = 0;
        long to = 0;
        for (int i = 0; i < members.count(); i++) {
            LinearOperator block = members.get(i);
            block.rmatvec(Members.part(y, from, block.range()), Members.part(x, to, block.domain()));
            from += block.range().size();
            to += block.domain().size();
        }
    }
}
