// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.loops;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What a region needs of what all threads know: arguments, places, memory, and what is computed of these again. */
final class Needs {
    private final Analysis analysis;
    private final Form form;
    private final Set<Val.Arg> arguments = new LinkedHashSet<>();
    private final EnumSet<Val.Place> places = EnumSet.noneOf(Val.Place.class);
    private final Set<Room> rooms = new LinkedHashSet<>();
    private final Map<Val.Reg, Boolean> uniform = new HashMap<>();

    Needs(Analysis analysis, Form form, Region region) {
        this.analysis = analysis;
        this.form = form;
        for (Part part : region.parts()) {
            for (Op op : part.ops) {
                Val.Reg result = Analysis.result(op);
                if (analysis.isNeeded(op) && (result == null || !analysis.isRepeated(result))) {
                    rooms(op);
                    Analysis.uses(op, this::use, _ -> {});
                }
            }
            Analysis.ends(part, this::use);
        }
    }

    private void room(Leaf.Pointer pointer) {
        if (pointer.which() == null) {
            rooms.add(pointer.room());
        }
    }

    private void rooms(Op op) {
        switch (op) {
            case Op.Load load -> room(load.pointer());
            case Op.Store store -> room(store.pointer());
            case Op.Aligned aligned -> room(aligned.pointer());
            case Op.Invoke invoke ->
                invoke.arguments().forEach(each -> {
                    if (each instanceof Leaf.Pointer pointer) {
                        room(pointer);
                    }
                });
            default -> {}
        }
    }

    /** Returns whether all threads of a block have the same value. */
    private boolean use(Val value) {
        return switch (value) {
            case Val.Num _ -> true;
            case Val.Arg argument -> {
                arguments.add(argument);
                yield true;
            }
            case Val.Place place -> {
                places.add(place);
                yield form.isUniform(place);
            }
            case Val.Reg register -> {
                if (!analysis.isRepeated(register)) {
                    yield false;
                }
                Boolean known = uniform.get(register);
                if (known == null) {
                    boolean[] all = {true};
                    Analysis.uses(java.util.Objects.requireNonNull(register.by), each -> all[0] &= use(each), _ -> {});
                    known = all[0];
                    uniform.put(register, known);
                }
                yield known;
            }
        };
    }

    Set<Val.Arg> arguments() {
        return arguments;
    }

    Set<Val.Place> places() {
        return places;
    }

    Set<Room> rooms() {
        return rooms;
    }

    /** Those that are computed of others come behind them. */
    List<Val.Reg> repeated() {
        List<Val.Reg> all = new ArrayList<>(uniform.keySet());
        all.sort(Comparator.comparingInt(register -> register.id));
        return all;
    }

    boolean isUniform(Val.Reg register) {
        return Boolean.TRUE.equals(uniform.get(register));
    }
}
