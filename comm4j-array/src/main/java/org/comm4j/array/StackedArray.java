// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.array;

import static org.comm4j.core.spi.Arguments.nonNull;

import java.util.List;
import org.comm4j.core.DataType;

/** Vectors one above the other, stacks among them too: the data of a stacked operator. */
public final class StackedArray implements Vector {
    private final List<Vector> members;
    private final List<DistributedArray> arrays;
    private final Layout layout;

    private StackedArray(List<Vector> members) {
        this.members = List.copyOf(members);
        arrays = members.stream().flatMap(member -> member.arrays().stream()).toList();
        layout = Layout.stacked(members.stream().map(Vector::layout).toArray(Layout[]::new));
    }

    /** Returns the stack of vectors, which it owns from then on. */
    public static StackedArray of(Vector... members) {
        nonNull(members, "of", "members");
        return of(List.of(members));
    }

    static StackedArray of(List<Vector> members) {
        if (members.isEmpty()) {
            throw new IllegalArgumentException("of: a stack needs at least one vector");
        }
        Vector first = members.getFirst();
        for (Vector member : members) {
            if (member.backend() != first.backend() || member.type() != first.type()) {
                throw new IllegalArgumentException("of: " + member + " and " + first
                        + " must have the same backend and element type to be stacked");
            }
        }
        return new StackedArray(members);
    }

    /** Returns the vectors that the stack consists of. */
    public List<Vector> members() {
        return members;
    }

    @Override
    public Backend backend() {
        return members.getFirst().backend();
    }

    @Override
    public Layout layout() {
        return layout;
    }

    @Override
    public DataType type() {
        return members.getFirst().type();
    }

    @Override
    public List<DistributedArray> arrays() {
        return arrays;
    }

    @Override
    public StackedArray like() {
        return like(type());
    }

    @Override
    public StackedArray like(DataType type) {
        nonNull(type, "like", "type");
        return of(members.stream().map(member -> member.like(type)).toList());
    }

    @Override
    public void close() {
        members.forEach(Vector::close);
    }

    @Override
    public String toString() {
        return "StackedArray" + members;
    }
}
