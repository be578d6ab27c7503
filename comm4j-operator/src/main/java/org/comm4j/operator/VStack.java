// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.operator;

import static org.comm4j.core.spi.Arguments.noNulls;
import static org.comm4j.core.spi.Arguments.nonNull;

import java.util.Arrays;
import org.comm4j.array.Backend;
import org.comm4j.array.Layout;
import org.comm4j.array.Partition;
import org.comm4j.array.Vector;
import org.comm4j.core.Buffer;
import org.comm4j.core.DataType;
import org.comm4j.core.ReduceOp;
import org.comm4j.math.Coefficient;

/**
 * Operators of all ranks, one above the other (PyLops {@code VStack}): the model is replicated, the data are scattered.
 * The adjoint ends with one allReduce of the model.
 */
public final class VStack extends LinearOperator {
    private final Members members;
    private final Layout model;
    private final Temporary term = new Temporary();

    private VStack(Backend backend, Members members, Layout domain, Layout model, Layout range, DataType type) {
        super(backend, domain, range, type);
        this.members = members;
        this.model = model;
    }

    /**
     * Collective: returns the operator of which this rank has the given ones, one above the other; none, too. The ranks
     * exchange the sizes of their data once.
     *
     * @param operators of this rank, with ranges that are local, or stacks of local ones, and the same local domain
     */
    public static VStack of(Backend backend, LinearOperator... operators) {
        noNulls("VStack.of", "backend", backend, "operators", operators);
        Members members = new Members("VStack", backend, operators);
        DataType type = Members.type(backend, members);
        Layout range = Members.concatenated(backend.exchange(members.rangeSize()));
        long[] models = backend.exchange(modelSize(members));
        long size = Arrays.stream(models).max().orElse(-1);
        for (int r = 0; r < models.length; r++) {
            if (models[r] >= 0 && models[r] != size) {
                throw new IllegalArgumentException("VStack on rank " + backend.rank() + ": the operators of rank " + r
                        + " take " + models[r] + " elements, others take " + size);
            }
        }
        return new VStack(backend, members, Layout.replicated(size), Layout.local(size), range, type);
    }

    /**
     * Returns the operator of which this rank has the given ones, one above the other, for layouts that all ranks know.
     * Does not communicate.
     *
     * @param domain layout of the model, replicated and of one dimension
     * @param range layout of the data, of which this rank's part has what its operators return, one behind the other
     * @param type that the elements of the operators of all ranks fit
     * @param operators of this rank; none, too
     * @throws IllegalArgumentException if this rank's parts have other sizes, or if an operator is of a wider type
     */
    public static VStack of(Backend backend, Layout domain, Layout range, DataType type, LinearOperator... operators) {
        noNulls("VStack.of", "backend", backend, "domain", domain, "range", range);
        noNulls("VStack.of", "type", type, "operators", operators);
        if (domain.partition() != Partition.REPLICATED || domain.ndim() != 1) {
            throw new IllegalArgumentException("VStack on rank " + backend.rank() + ": the model of " + domain
                    + " must be replicated and of one dimension");
        }
        Members members = new Members("VStack", backend, operators);
        long size = operators.length == 0 ? domain.size() : modelSize(members);
        members.checkParts("VStack", backend, domain, size, range, type);
        return new VStack(backend, members, domain, Layout.local(size), range, type);
    }

    /**
     * Returns operators of all ranks together, one above the other: they share a model of any layout, and their data
     * are a stack, as in a regularised inversion. Does not communicate.
     *
     * @throws IllegalArgumentException if their domains differ, or if there are none
     */
    public static LinearOperator of(LinearOperator... operators) {
        nonNull(operators, "VStack.of", "operators");
        if (operators.length == 0) {
            throw new IllegalArgumentException("VStack: no operators");
        }
        return new OperatorColumn(operators);
    }

    private static long modelSize(Members members) {
        long size = -1;
        for (int i = 0; i < members.count(); i++) {
            Layout domain = members.get(i).domain();
            if (!domain.equals(members.get(0).domain()) || domain.ndim() != 1) {
                throw new IllegalArgumentException("VStack: " + members.get(i) + " and " + members.get(0)
                        + " must have the same domain, of one dimension");
            }
            size = domain.size();
        }
        return size;
    }

    @Override
    boolean isComplexLinear() {
        return members.isComplexLinear();
    }

    @Override
    protected void apply(Vector x, Vector y) {
        long to = 0;
        for (int i = 0; i < members.count(); i++) {
            LinearOperator operator = members.get(i);
            operator.matvec(Members.part(x, 0, model), Members.part(y, to, operator.range()));
            to += operator.range().size();
        }
    }

    @Override
    protected void applyAdjoint(Vector y, Vector x) {
        Vector sum = Members.part(x, 0, model);
        long from = 0;
        if (members.count() == 0) {
            sum.fill(Coefficient.ZERO);
        }
        for (int i = 0; i < members.count(); i++) {
            LinearOperator operator = members.get(i);
            Vector data = Members.part(y, from, operator.range());
            if (i == 0) {
                operator.rmatvec(data, sum);
            } else {
                sum.axpy(Coefficient.ONE, operator.rmatvec(data, term.like(sum)));
            }
            from += operator.range().size();
        }
        if (backend().size() > 1) {
            Buffer part = x.arrays().getFirst().part();
            backend().operations().allReduce(part, part, ReduceOp.SUM);
        }
    }
}
