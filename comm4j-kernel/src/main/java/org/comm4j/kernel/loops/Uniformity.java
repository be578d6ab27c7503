// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.loops;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Which values are the same for all threads of a block that are at the same place, and which parts all of them come to
 * or none. A branch on a value that may differ makes all parts up to where its ways join again such that not all come
 * to them; a variable that is written there may differ.
 */
final class Uniformity {
    private final List<Part> order = new ArrayList<>();
    private final Set<Part> divergent = new HashSet<>();
    private final Set<Object> varying = new HashSet<>();
    /** None for parts whose ways do not meet again before the end. */
    private final Map<Part, Part> joins = new HashMap<>();

    /** Parts whose threads part. */
    private final Set<Part> parting = new HashSet<>();

    private final Form form;

    Uniformity(Flat flat, Form form) {
        this.form = form;
        Analysis.postOrder(flat.parts().getFirst(), new HashSet<>(), order, true);
        joins();
        for (Stop stop : flat.stops()) {
            if (stop.result() != null && !stop.what().isOfBlock()) {
                varying.add(stop.result());
            }
        }
        for (boolean changed = true; changed; ) {
            int before = varying.size() + divergent.size();
            for (Part part : order.reversed()) {
                part.ops.forEach(op -> look(part, op));
            }
            for (Part part : order) {
                branch(part);
                // Threads that come to a barrier in different turns of a loop get different answers.
                if (part.end() instanceof Part.End.Wait wait
                        && wait.stop().result() != null
                        && divergent.contains(part)) {
                    varying.add(wait.stop().result());
                }
            }
            changed = varying.size() + divergent.size() != before;
        }
    }

    /** Returns whether all threads have the same value, a register, a variable or what is always known. */
    boolean isUniform(Object value) {
        return switch (value) {
            case Val.Place place -> form.isUniform(place);
            case Val.Num _, Val.Arg _ -> true;
            default -> !varying.contains(value);
        };
    }

    /** Returns whether all threads come to a part, if one does. */
    boolean isUniform(Part part) {
        return !divergent.contains(part);
    }

    private void look(Part part, Op op) {
        switch (op) {
            case Op.SetVariable set -> {
                if (divergent.contains(part) || !isUniform(set.value())) {
                    varying.add(set.variable());
                }
            }
            case Op.GetVariable get -> {
                if (!isUniform(get.variable())) {
                    varying.add(get.result());
                }
            }
            case Op.Load load -> {
                if (load.pointer().room().where != Room.Where.CONSTANT
                        || !isUniform(Analysis.address(load.pointer()))) {
                    varying.add(load.result());
                }
            }
            case Op.Take take -> varying.add(take.result());
            case Op.Invoke invoke
            when invoke.callee().changesMemory() -> {
                if (invoke.result() != null) {
                    varying.add(invoke.result());
                }
            }
            default -> {
                Val.Reg result = Analysis.result(op);
                if (result != null) {
                    Analysis.uses(
                            op,
                            value -> {
                                if (!isUniform(value)) {
                                    varying.add(result);
                                }
                            },
                            _ -> {});
                }
            }
        }
    }

    private void branch(Part part) {
        boolean isUniform = switch (part.end()) {
            case Part.End.Branch branch -> isUniform(branch.condition());
            case Part.End.Choice choice -> isUniform(choice.value());
            default -> true;
        };
        if (isUniform || !parting.add(part)) {
            return;
        }
        Part join = joins.get(part);
        Deque<Part> work = new ArrayDeque<>(part.successors());
        Set<Part> seen = new HashSet<>();
        while (!work.isEmpty()) {
            Part next = work.removeFirst();
            if (next != join && seen.add(next)) {
                divergent.add(next);
                work.addAll(next.successors());
            }
        }
    }

    /**
     * Finds the first part that all ways from each part to the end come to. Ways to an error do not count. These are
     * immediate dominators in the graph backwards, by Cooper, Harvey and Kennedy.
     */
    private void joins() {
        Map<Part, List<Part>> predecessors = new HashMap<>();
        for (Part part : order) {
            for (Part next : part.successors()) {
                predecessors.computeIfAbsent(next, _ -> new ArrayList<>()).add(part);
            }
        }
        List<Part> backwards = new ArrayList<>();
        Set<Part> seen = new HashSet<>();
        for (Part part : order) {
            if (part.end() instanceof Part.End.Return) {
                Part.postOrder(part, each -> predecessors.getOrDefault(each, List.of()), seen, backwards);
            }
        }
        int end = backwards.size();
        Map<Part, Integer> numbers = new HashMap<>();
        backwards.forEach(part -> numbers.put(part, numbers.size()));
        int[] join = new int[end + 1];
        Arrays.fill(join, -1);
        join[end] = end;
        for (boolean changed = true; changed; ) {
            changed = false;
            for (int i = end - 1; i >= 0; i--) {
                Part part = backwards.get(i);
                int common = part.end() instanceof Part.End.Return ? end : -1;
                for (Part next : part.successors()) {
                    int other = numbers.getOrDefault(next, -1);
                    if (other >= 0 && join[other] >= 0) {
                        common = common < 0 ? other : common(join, common, other);
                    }
                }
                changed |= join[i] != common;
                join[i] = common;
            }
        }
        for (int i = 0; i < end; i++) {
            if (join[i] < end) {
                joins.put(backwards.get(i), backwards.get(join[i]));
            }
        }
    }

    private static int common(int[] join, int one, int other) {
        int a = one;
        int b = other;
        while (a != b) {
            if (a < b) {
                a = join[a];
            } else {
                b = join[b];
            }
        }
        return a;
    }
}
