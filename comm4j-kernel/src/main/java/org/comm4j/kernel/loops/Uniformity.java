// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.loops;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Which values are the same for all threads of a block that are at the same place, and which parts all of them come to
 * or none. A branch on a value that may differ makes all parts up to where its ways join again such that not all come
 * to them; a variable that is written there may differ.
 */
final class Uniformity {
    private final List<Part> order = new ArrayList<>();
    private final Map<Part, Integer> numbers = new HashMap<>();
    private final Set<Part> divergent = new HashSet<>();
    private final Set<Object> varying = new HashSet<>();
    private final Map<Part, @Nullable Part> joins = new HashMap<>();

    private final Form form;

    Uniformity(Flat flat, Form form) {
        this.form = form;
        Analysis.postOrder(flat.parts().getFirst(), new HashSet<>(), order, true);
        for (int i = 0; i < order.size(); i++) {
            numbers.put(order.get(i), i);
        }
        joins();
        for (Stop stop : flat.stops()) {
            if (stop.result() != null && stop.what() != Stop.What.SYNC_COUNT) {
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
        if (isUniform) {
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

    /** Finds the first part that all ways from each part to the end come to. Ways to an error do not count. */
    private void joins() {
        int count = order.size();
        List<@Nullable BitSet> behind = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            behind.add(null);
        }
        for (boolean changed = true; changed; ) {
            changed = false;
            for (int i = 0; i < count; i++) {
                Part part = order.get(i);
                BitSet all = null;
                if (part.end() instanceof Part.End.Return) {
                    all = new BitSet();
                }
                for (Part next : part.successors()) {
                    BitSet there = behind.get(numbers.getOrDefault(next, 0));
                    if (there != null) {
                        if (all == null) {
                            all = (BitSet) there.clone();
                        } else {
                            all.and(there);
                        }
                    }
                }
                if (all != null) {
                    all.set(i);
                    if (!all.equals(behind.get(i))) {
                        behind.set(i, all);
                        changed = true;
                    }
                }
            }
        }
        int[] sizes = new int[count];
        for (int i = 0; i < count; i++) {
            BitSet all = behind.get(i);
            sizes[i] = all == null ? -1 : all.cardinality();
        }
        for (int i = 0; i < count; i++) {
            BitSet all = behind.get(i);
            Part join = null;
            if (all != null) {
                // Of those behind it, the nearest has all the others behind itself.
                int most = -1;
                for (int other = all.nextSetBit(0); other >= 0; other = all.nextSetBit(other + 1)) {
                    if (other != i && sizes[other] > most) {
                        most = sizes[other];
                        join = order.get(other);
                    }
                }
            }
            joins.put(order.get(i), join);
        }
    }
}
