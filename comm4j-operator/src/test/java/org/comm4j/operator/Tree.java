// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.operator;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.UnaryOperator;
import org.comm4j.array.Backend;
import org.comm4j.array.Layout;
import org.comm4j.core.DataType;
import org.comm4j.operator.Catalogue.Entry;
import org.comm4j.operator.Catalogue.Oracle;
import org.jspecify.annotations.Nullable;

/** The operator of a generated problem: one of the catalogue, or several of them above and beside each other. */
sealed interface Tree {
    /** Returns whether there is such an operator for a layout. */
    boolean takes(Layout layout);

    /** Returns whether the matrix is the same for every layout of a shape. */
    boolean whole();

    /** Returns what it does to whole arrays; null where that is not known. */
    @Nullable
    Oracle oracle();

    LinearOperator make(Backend backend, Layout layout, DataType type);

    /** Returns what is a little simpler: a member alone, fewer members, simpler members. */
    List<Tree> simpler();

    /** One operator. */
    record Leaf(Entry entry) implements Tree {
        @Override
        public boolean takes(Layout layout) {
            return entry.takes().test(layout);
        }

        @Override
        public boolean whole() {
            return entry.whole();
        }

        @Override
        public @Nullable Oracle oracle() {
            return entry.oracle();
        }

        @Override
        public LinearOperator make(Backend backend, Layout layout, DataType type) {
            return entry.maker().make(backend, layout, type);
        }

        @Override
        public List<Tree> simpler() {
            return List.of();
        }

        @Override
        public String toString() {
            return entry.name();
        }
    }

    /** Ways to make one operator of several that have the same domain. */
    enum Kind {
        /** One above the other. */
        COLUMN,
        /** Each on a block of its own of a model that is repeated. */
        DIAGONAL,
        /** The sum of the members' normal operators: adjoints beside each other, times the members in a column. */
        NORMAL
    }

    /** Several operators. */
    record Stack(Kind kind, List<Tree> members) implements Tree {
        @Override
        public boolean takes(Layout layout) {
            return members.stream().allMatch(member -> member.takes(layout));
        }

        @Override
        public boolean whole() {
            return members.stream().allMatch(Tree::whole);
        }

        @Override
        public @Nullable Oracle oracle() {
            if (kind == Kind.NORMAL || members.stream().anyMatch(member -> member.oracle() == null)) {
                return null;
            }
            return (shape, x) -> {
                double[] y = {};
                for (Tree member : members) {
                    y = Catalogue.behind(y, member.oracle().apply(shape, x));
                }
                return y;
            };
        }

        private LinearOperator[] each(UnaryOperator<LinearOperator> change, LinearOperator... operators) {
            LinearOperator[] all = operators.clone();
            for (int i = 0; i < all.length; i++) {
                all[i] = change.apply(all[i]);
            }
            return all;
        }

        @Override
        public LinearOperator make(Backend backend, Layout layout, DataType type) {
            LinearOperator[] all = members.stream()
                    .map(member -> member.make(backend, layout, type))
                    .toArray(LinearOperator[]::new);
            LinearOperator column = VStack.of(all);
            LinearOperator one = Identity.of(backend, layout, type);
            return switch (kind) {
                case COLUMN -> column;
                case DIAGONAL -> BlockDiag.of(all).times(VStack.of(each(member -> one, all)));
                case NORMAL -> HStack.of(each(LinearOperator::H, all)).times(column);
            };
        }

        @Override
        public List<Tree> simpler() {
            List<Tree> all = new ArrayList<>(members);
            for (int i = 0; i < members.size(); i++) {
                if (members.size() > 1) {
                    List<Tree> fewer = new ArrayList<>(members);
                    fewer.remove(i);
                    all.add(new Stack(kind, fewer));
                }
                for (Tree simple : members.get(i).simpler()) {
                    List<Tree> other = new ArrayList<>(members);
                    other.set(i, simple);
                    all.add(new Stack(kind, other));
                }
            }
            return all;
        }

        @Override
        public String toString() {
            return kind + members.toString();
        }
    }

    /**
     * Returns stacks of stacks of operators.
     *
     * @param leaves operators with the same domain
     * @param depth greatest number of stacks in one another
     */
    static Tree random(Random random, List<Entry> leaves, int depth) {
        if (depth == 0) {
            return new Leaf(leaves.get(random.nextInt(leaves.size())));
        }
        List<Tree> members = new ArrayList<>();
        for (int i = random.nextInt(1, 4); i > 0; i--) {
            members.add(random(random, leaves, random.nextInt(depth)));
        }
        return new Stack(Kind.values()[random.nextInt(Kind.values().length)], members);
    }
}
