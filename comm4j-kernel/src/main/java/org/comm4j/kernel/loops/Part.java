// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.loops;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import org.comm4j.kernel.ir.Position;
import org.jspecify.annotations.Nullable;

/** Steps of a flat program that are executed one after the other: a basic block. */
final class Part {
    /** How a part ends. */
    sealed interface End {
        record Jump(Part target) implements End {}

        record Branch(Val condition, Part ifTrue, Part ifFalse) implements End {}

        record Choice(Val value, Map<Integer, Part> cases, Part otherwise) implements End {}

        record Return() implements End {}

        /**
         * The thread throws something.
         *
         * @param values of an index that is outside, it and the length; of others none
         */
        record Fail(Position at, String message, List<Val> values) implements End {}

        /** The thread waits for others, and goes on at {@code next}. */
        record Wait(Stop stop, Part next) implements End {}
    }

    final int id;
    /** The calls that it is in, the innermost first. */
    final List<Position> calls;

    final List<Op> ops = new ArrayList<>();
    private @Nullable End end;

    Part(int id, List<Position> calls) {
        this.id = id;
        this.calls = calls;
    }

    End end() {
        return Objects.requireNonNull(end);
    }

    void end(End how) {
        end = how;
    }

    List<Part> successors() {
        return switch (end()) {
            case End.Jump jump -> List.of(jump.target());
            case End.Branch branch -> List.of(branch.ifTrue(), branch.ifFalse());
            case End.Choice choice -> {
                List<Part> all = new ArrayList<>(choice.cases().values());
                all.add(choice.otherwise());
                yield all;
            }
            case End.Wait wait -> List.of(wait.next());
            case End.Return _, End.Fail _ -> List.of();
        };
    }

    /** Adds the parts that can be reached, those behind first. Without recursion: there may be thousands in a row. */
    static void postOrder(Part first, Function<Part, List<Part>> next, Set<Part> seen, List<Part> done) {
        record Visit(Part part, Iterator<Part> rest) {}

        Deque<Visit> path = new ArrayDeque<>();
        if (seen.add(first)) {
            path.push(new Visit(first, next.apply(first).iterator()));
        }
        while (!path.isEmpty()) {
            Visit visit = path.getFirst();
            if (visit.rest().hasNext()) {
                Part part = visit.rest().next();
                if (seen.add(part)) {
                    path.push(new Visit(part, next.apply(part).iterator()));
                }
            } else {
                done.add(visit.part());
                path.pop();
            }
        }
    }
}
