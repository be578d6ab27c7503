// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.loops;

import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.comm4j.kernel.ir.Position;
import org.comm4j.kernel.ir.Type;
import org.jspecify.annotations.Nullable;

/** Where the regions of a kernel keep what lives from one to the next: an array with an element for each thread. */
final class Layout {
    static final ClassDesc STATE = LoopState.class.describeConstable().orElseThrow();
    static final ClassDesc CHECKS = Checks.class.describeConstable().orElseThrow();
    static final ClassDesc SEGMENT = MemorySegment.class.describeConstable().orElseThrow();

    final Analysis analysis;
    final Uniformity uniformity;
    final Form form;
    final boolean oneDimensional;
    final boolean polls;
    final boolean checked;
    final boolean shuffled;
    /** Null if nothing is checked. */
    private final @Nullable Sharing sharing;
    /** Whether loops are split where a branch depends on the thread's number alone. */
    final boolean splits;

    private final Map<Object, Integer> slots;
    private final List<Kind> kinds;
    private final List<Line> lines;
    private final Map<Line, Integer> numbers;
    private final Map<Integer, Set<Object>> written;
    private final Map<Val.Reg, Integer> uses;
    /** What a {@link StagedLoop} copies to. */
    private final List<Op.Variable> stages;

    Layout(Flat flat, Form form, boolean splits) {
        this.analysis = new Analysis(flat, form.checked());
        this.uniformity = new Uniformity(flat, form);
        this.form = form;
        this.oneDimensional = form.oneDimensional() && !form.shuffled();
        this.polls = form.polls();
        this.checked = form.checked();
        this.sharing = checked ? new Sharing(flat) : null;
        this.shuffled = form.shuffled();
        this.splits = splits;
        this.slots = new HashMap<>();
        this.kinds = new ArrayList<>();
        this.lines = new ArrayList<>(List.of(Line.UNKNOWN));
        this.numbers = new HashMap<>(Map.of(Line.UNKNOWN, 0));
        this.written = new HashMap<>();
        this.uses = new HashMap<>();
        this.stages = new ArrayList<>();
        for (Part part : flat.parts()) {
            for (Op op : part.ops) {
                if (analysis.isNeeded(op)) {
                    Analysis.uses(op, this::count, _ -> {});
                }
            }
            Analysis.ends(part, this::count);
        }
    }

    /** The same, for loops in which only memory is checked of which nothing is known before. */
    private Layout(Layout of) {
        this.analysis = of.analysis;
        this.uniformity = of.uniformity;
        this.form = of.form;
        this.oneDimensional = of.form.oneDimensional();
        this.polls = of.polls;
        this.checked = false;
        this.sharing = of.sharing;
        this.shuffled = false;
        this.splits = true;
        this.slots = of.slots;
        this.kinds = of.kinds;
        this.lines = of.lines;
        this.numbers = of.numbers;
        this.written = of.written;
        this.uses = of.uses;
        this.stages = of.stages;
    }

    /** Returns the layout of the same loops where accesses are known not to meet, so that any order will do. */
    Layout unchecked() {
        return new Layout(this);
    }

    /** Returns whether accesses of memory are looked at one by one. */
    boolean checks(Room room) {
        return checked && room.isVisited()
                || sharing != null && room.where == Room.Where.ARGUMENT && sharing.isAlways(room);
    }

    private void count(Val value) {
        if (value instanceof Val.Reg register) {
            uses.merge(register, 1, Integer::sum);
        }
    }

    /** How often steps that are needed use a register. */
    int uses(Val.Reg register) {
        return uses.getOrDefault(register, 0);
    }

    /** The array of a register or variable. */
    int slot(Object value) {
        return slots.computeIfAbsent(value, v -> {
            kinds.add(kind(v));
            return kinds.size() - 1;
        });
    }

    /** The arrays of what all threads have the same of: as long as they are together, the first element counts. */
    List<Integer> uniform() {
        return slots.entrySet().stream()
                .filter(slot -> uniformity.isUniform(slot.getKey()) && !stages.contains(slot.getKey()))
                .map(Map.Entry::getValue)
                .toList();
    }

    /** Returns what has an array for copies of a kind, of which a loop uses some already. */
    Op.Variable stage(Kind kind, Collection<Op.Variable> used) {
        for (Op.Variable stage : stages) {
            if (stage.kind == kind && !used.contains(stage)) {
                return stage;
            }
        }
        Op.Variable added = new Op.Variable(Integer.MIN_VALUE, kind, null);
        stages.add(added);
        return added;
    }

    /** Returns whether the threads that begin a region together all end it at the same place. */
    boolean isTogether(Region region) {
        return region.parts().stream()
                .filter(part -> part.end() instanceof Part.End.Wait || part.end() instanceof Part.End.Return)
                .allMatch(uniformity::isUniform);
    }

    List<Kind> kinds() {
        return List.copyOf(kinds);
    }

    static Kind kind(Object value) {
        return value instanceof Val.Reg register ? register.kind() : ((Op.Variable) value).kind;
    }

    /** The number of a line of Java. */
    int line(Position position, List<Position> calls) {
        return numbers.computeIfAbsent(new Line(position, calls), line -> {
            lines.add(line);
            return lines.size() - 1;
        });
    }

    List<Line> lines() {
        return List.copyOf(lines);
    }

    /** The registers and variables that a region writes. */
    Set<Object> written(Region region) {
        return written.computeIfAbsent(region.number(), _ -> {
            Set<Object> all = java.util.Collections.newSetFromMap(new IdentityHashMap<>());
            for (Part part : region.parts()) {
                for (Op op : part.ops) {
                    Val.Reg result = Analysis.result(op);
                    if (op instanceof Op.SetVariable set) {
                        all.add(set.variable());
                    } else if (result != null) {
                        all.add(result);
                    }
                }
            }
            return all;
        });
    }

    static ClassDesc array(Type.Scalar element) {
        return element(element).arrayType();
    }

    private static ClassDesc element(Type.Scalar element) {
        return switch (element) {
            case I64 -> ConstantDescs.CD_long;
            case F32 -> ConstantDescs.CD_float;
            case F64 -> ConstantDescs.CD_double;
            case I16 -> ConstantDescs.CD_short;
            case I32 -> ConstantDescs.CD_int;
            default -> ConstantDescs.CD_byte;
        };
    }
}
