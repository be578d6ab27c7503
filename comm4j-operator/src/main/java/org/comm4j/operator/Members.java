// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.operator;

import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.comm4j.array.Backend;
import org.comm4j.array.Layout;
import org.comm4j.array.Partition;
import org.comm4j.array.Vector;
import org.comm4j.core.DataType;
import org.comm4j.math.Compute;

/** The operators of this rank among operators of all ranks: what {@link BlockDiag} and {@link VStack} share. */
final class Members {
    private final List<LinearOperator> operators;

    Members(String name, Backend backend, LinearOperator... operators) {
        this.operators = List.of(operators);
        for (LinearOperator operator : operators) {
            if (operator.backend() != backend || !isLocal(operator.domain()) || !isLocal(operator.range())) {
                throw new IllegalArgumentException(name + " on rank " + backend.rank() + ": " + operator
                        + " must be this rank's own, with a local domain and range, of the same backend");
            }
        }
    }

    /** Returns whether a layout is local, or a stack of local ones. */
    private static boolean isLocal(Layout layout) {
        return layout.partition() == Partition.STACKED
                ? layout.members().stream().allMatch(Members::isLocal)
                : layout.partition() == Partition.LOCAL;
    }

    /** Checks layouts that were given against this rank's operators. */
    void checkParts(String name, Backend backend, Layout domain, long domainSize, Layout range, DataType type) {
        int rank = backend.rank();
        for (LinearOperator operator : operators) {
            if (Compute.promote(type, operator.type()) != type) {
                throw new IllegalArgumentException(
                        name + " of " + type + " on rank " + rank + ": elements of " + operator + " do not fit");
            }
        }
        boolean stacks = domain.partition() == Partition.STACKED || range.partition() == Partition.STACKED;
        if (stacks || domain.localSize(rank) != domainSize || range.localSize(rank) != rangeSize()) {
            throw new IllegalArgumentException(name + " on rank " + rank + ": its operators take " + domainSize
                    + " elements and return " + rangeSize() + "; this rank's parts of " + domain + " and " + range
                    + " must have as many, and be no stacks");
        }
    }

    int count() {
        return operators.size();
    }

    LinearOperator get(int i) {
        return operators.get(i);
    }

    boolean isComplexLinear() {
        return operators.stream().allMatch(LinearOperator::isComplexLinear);
    }

    /** The type that all operators' elements fit; that of the other ranks where this one has none. */
    static DataType type(Backend backend, Members members) {
        long mine = -1;
        for (LinearOperator operator : members.operators) {
            DataType own = operator.type();
            mine = (mine < 0 ? own : Compute.promote(DataType.values()[(int) mine], own)).ordinal();
        }
        long type = -1;
        for (long other : backend.exchange(mine)) {
            if (other >= 0) {
                DataType next = DataType.values()[(int) other];
                type = (type < 0 ? next : Compute.promote(DataType.values()[(int) type], next)).ordinal();
            }
        }
        if (type < 0) {
            throw new IllegalArgumentException("no rank has an operator");
        }
        return DataType.values()[(int) type];
    }

    long domainSize() {
        return operators.stream()
                .mapToLong(operator -> operator.domain().size())
                .sum();
    }

    long rangeSize() {
        return operators.stream().mapToLong(operator -> operator.range().size()).sum();
    }

    static Layout concatenated(long[] sizes) {
        long total = 0;
        for (long size : sizes) {
            total = Math.addExact(total, size);
        }
        return Layout.scattered(sizes, 0, total);
    }

    /** The layout of groups, each of which has parts of the same sizes. */
    static Layout grouped(String name, Backend backend, long[] sizes, int... groups) {
        if (groups.length != sizes.length) {
            throw new IllegalArgumentException(
                    name + ": groups of " + groups.length + " ranks, of which there are " + sizes.length);
        }
        long[] first = of(0, sizes, groups);
        for (int r = 0; r < groups.length; r++) {
            long[] own = of(r, sizes, groups);
            if (!Arrays.equals(own, first)) {
                throw new IllegalArgumentException(name + ": the ranks of group " + groups[r] + " have "
                        + Arrays.toString(own) + " elements, those of group " + groups[0] + " "
                        + Arrays.toString(first));
            }
        }
        return backend.grouped(concatenated(first), groups);
    }

    private static long[] of(int rank, long[] sizes, int... groups) {
        return IntStream.range(0, groups.length)
                .filter(r -> groups[r] == groups[rank])
                .mapToLong(r -> sizes[r])
                .toArray();
    }

    /** The elements of a vector's part that one operator takes or returns. */
    static Vector part(Vector vector, long offset, Layout layout) {
        return vector.arrays().getFirst().view(offset, layout);
    }
}
