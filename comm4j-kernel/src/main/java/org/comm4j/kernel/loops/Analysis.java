// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.loops;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import org.comm4j.kernel.ir.Instruction;
import org.comm4j.kernel.ir.Instruction.BinaryOp;

/**
 * What of a flat program is needed, and which values are needed where. Values that are quick to compute of what a
 * thread always knows (its place, the arguments) are computed again where they are needed, and live nowhere.
 */
final class Analysis {
    /** Steps that are done again in another region instead of keeping their result. */
    private static final int MOST_REPEATED = 12;

    private final Flat flat;
    private final boolean checked;
    /** Registers and variables by number. */
    private final Map<Object, Integer> numbers = new HashMap<>();

    private final List<Object> values = new ArrayList<>();
    private final Map<Val.Reg, Integer> costs = new HashMap<>();
    private final Set<Op> needed = java.util.Collections.newSetFromMap(new IdentityHashMap<>());
    private final Map<Part, BitSet> before = new HashMap<>();

    /** @param checked whether reads count that nobody needs the value of */
    Analysis(Flat flat, boolean checked) {
        this.flat = flat;
        this.checked = checked;
        findNeeded();
        live();
    }

    /** Returns whether somebody needs what the step does. */
    boolean isNeeded(Op op) {
        return needed.contains(op);
    }

    /** Returns the registers and variables that are needed at the beginning of a part. */
    List<Object> liveAt(Part part) {
        List<Object> all = new ArrayList<>();
        BitSet live = Objects.requireNonNull(before.get(part));
        live.stream().forEach(i -> all.add(values.get(i)));
        return all;
    }

    // ---- what is repeated ----

    /** Returns whether the value is computed anew in each region. */
    boolean isRepeated(Val.Reg value) {
        return cost(value) <= MOST_REPEATED;
    }

    private int cost(Val value) {
        if (!(value instanceof Val.Reg register)) {
            return 0;
        }
        Integer known = costs.get(register);
        if (known == null) {
            known = compute(register);
            costs.put(register, known);
        }
        return known;
    }

    private int compute(Val.Reg register) {
        int tooMany = MOST_REPEATED + 1;
        if (!(register.by instanceof Op.Compute op) || mayFail(op)) {
            return tooMany;
        }
        int sum = 1;
        for (Val argument : op.arguments()) {
            sum += cost(argument);
        }
        return Math.min(sum, tooMany);
    }

    /** Integer division, unless by a constant. */
    static boolean mayFail(Op.Compute op) {
        return op.from() instanceof Instruction.Binary binary
                && (binary.op() == BinaryOp.DIV || binary.op() == BinaryOp.REM)
                && op.type().isInteger()
                && !(op.arguments().get(1) instanceof Val.Num number && number.bits() != 0);
    }

    // ---- what is needed ----

    private void findNeeded() {
        Map<Op.Variable, List<Op.SetVariable>> writes = new HashMap<>();
        Set<Op.Variable> read = new HashSet<>();
        Deque<Val> work = new ArrayDeque<>();
        for (Part part : flat.parts()) {
            for (Op op : part.ops) {
                if (op instanceof Op.SetVariable set) {
                    writes.computeIfAbsent(set.variable(), _ -> new ArrayList<>())
                            .add(set);
                } else if (isEffect(op)) {
                    needed.add(op);
                    uses(op, work::add, _ -> {});
                }
            }
            ends(part, work::add);
        }
        while (!work.isEmpty()) {
            if (work.removeFirst() instanceof Val.Reg register && register.by != null && needed.add(register.by)) {
                uses(register.by, work::add, variable -> {
                    if (read.add(variable)) {
                        writes.getOrDefault(variable, List.of()).forEach(set -> {
                            needed.add(set);
                            work.add(set.value());
                        });
                    }
                });
            }
        }
    }

    private boolean isEffect(Op op) {
        return op instanceof Op.Store
                || op instanceof Op.Load load && (checked || load.isVolatile())
                || op instanceof Op.Aligned
                || op instanceof Op.Invoke invoke && invoke.callee().changesMemory();
    }

    /** Says the registers and variables that a step reads. */
    static void uses(Op op, Consumer<Val> value, Consumer<Op.Variable> variable) {
        switch (op) {
            case Op.Compute compute -> compute.arguments().forEach(value);
            case Op.GetVariable get -> variable.accept(get.variable());
            case Op.SetVariable set -> value.accept(set.value());
            case Op.Load load -> pointer(load.pointer(), value);
            case Op.Store store -> {
                pointer(store.pointer(), value);
                value.accept(store.value());
            }
            case Op.Scale scale -> value.accept(scale.index());
            case Op.Aligned aligned -> pointer(aligned.pointer(), value);
            case Op.Take _ -> {}
            case Op.Invoke invoke ->
                invoke.arguments().forEach(each -> {
                    switch (each) {
                        case Leaf.Plain number -> value.accept(number.value());
                        case Leaf.Pointer pointer -> {
                            value.accept(pointer.bytes());
                            if (pointer.which() != null) {
                                value.accept(pointer.which());
                            }
                        }
                    }
                });
        }
    }

    /** An array's index, or memory's bytes. */
    private static void pointer(Leaf.Pointer pointer, Consumer<Val> value) {
        value.accept(address(pointer));
        if (pointer.which() != null) {
            value.accept(pointer.which());
        }
    }

    static Val address(Leaf.Pointer pointer) {
        return pointer.room().isArray() ? Objects.requireNonNull(pointer.index()) : pointer.bytes();
    }

    static void ends(Part part, Consumer<Val> value) {
        switch (part.end()) {
            case Part.End.Branch branch -> value.accept(branch.condition());
            case Part.End.Choice choice -> value.accept(choice.value());
            case Part.End.Wait wait -> wait.stop().arguments().forEach(value);
            case Part.End.Fail fail -> fail.values().forEach(value);
            default -> {}
        }
    }

    static Val.@org.jspecify.annotations.Nullable Reg result(Op op) {
        return switch (op) {
            case Op.Compute compute -> compute.result();
            case Op.GetVariable get -> get.result();
            case Op.Load load -> load.result();
            case Op.Scale scale -> scale.result();
            case Op.Invoke invoke -> invoke.result();
            case Op.Take take -> take.result();
            case Op.SetVariable _, Op.Store _, Op.Aligned _ -> null;
        };
    }

    // ---- where it is needed ----

    private int number(Object value) {
        return numbers.computeIfAbsent(value, v -> {
            values.add(v);
            return values.size() - 1;
        });
    }

    /** Says a value's registers that live somewhere: those that are repeated are not, nor what they are made of. */
    private void alive(Val value, BitSet live) {
        if (value instanceof Val.Reg register && !isRepeated(register)) {
            live.set(number(register));
        }
    }

    private void live() {
        List<Part> order = reversed();
        BitSet[] read = new BitSet[order.size()];
        BitSet[] written = new BitSet[order.size()];
        int[][] next = new int[order.size()][];
        Map<Part, Integer> places = new HashMap<>();
        order.forEach(part -> places.put(part, places.size()));
        for (int i = 0; i < order.size(); i++) {
            Part part = order.get(i);
            next[i] = part.successors().stream()
                    .mapToInt(each -> Objects.requireNonNull(places.get(each)))
                    .toArray();
            read[i] = new BitSet();
            written[i] = new BitSet();
            if (part.end() instanceof Part.End.Wait wait && wait.stop().result() != null) {
                written[i].set(number(wait.stop().result()));
            }
            BitSet live = read[i];
            ends(part, value -> alive(value, live));
            for (int k = part.ops.size() - 1; k >= 0; k--) {
                Op op = part.ops.get(k);
                if (isNeeded(op)) {
                    step(op, live, written[i]);
                }
            }
        }
        BitSet[] live = new BitSet[order.size()];
        Arrays.setAll(live, _ -> new BitSet());
        for (boolean changed = true; changed; ) {
            changed = false;
            for (int i = 0; i < live.length; i++) {
                BitSet now = new BitSet();
                for (int each : next[i]) {
                    now.or(live[each]);
                }
                now.andNot(written[i]);
                now.or(read[i]);
                if (!now.equals(live[i])) {
                    live[i] = now;
                    changed = true;
                }
            }
        }
        for (int i = 0; i < live.length; i++) {
            before.put(order.get(i), live[i]);
        }
    }

    private void step(Op op, BitSet live, BitSet written) {
        Val.Reg result = result(op);
        if (result != null && isRepeated(result)) {
            return;
        }
        if (result != null) {
            live.clear(number(result));
            written.set(number(result));
        } else if (op instanceof Op.SetVariable set) {
            live.clear(number(set.variable()));
            written.set(number(set.variable()));
        }
        uses(op, value -> alive(value, live), variable -> live.set(number(variable)));
    }

    /** Parts that can be reached, those behind first. */
    private List<Part> reversed() {
        List<Part> done = new ArrayList<>();
        postOrder(flat.parts().getFirst(), new HashSet<>(), done, true);
        return done;
    }

    static void postOrder(Part first, Set<Part> seen, List<Part> done, boolean throughStops) {
        Part.postOrder(
                first,
                part -> throughStops || !(part.end() instanceof Part.End.Wait)
                        ? part.successors().reversed()
                        : List.of(),
                seen,
                done);
    }
}
