// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.loops;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.comm4j.kernel.ir.Block;
import org.comm4j.kernel.ir.Function;
import org.comm4j.kernel.ir.Instruction;
import org.comm4j.kernel.ir.Type;
import org.comm4j.kernel.ir.Value;
import org.jspecify.annotations.Nullable;

/**
 * A local variable of a function: if it is written once, that value; if not, variables for its fields; of an array,
 * memory.
 */
final class Local {
    private final List<Flattener.Field> fields;
    private final boolean isWrittenOnce;
    private final List<Op.@Nullable Variable> variables = new ArrayList<>();
    private final @Nullable Room room;
    private @Nullable List<Leaf> value;

    private final Flattener flat;

    private Local(Flattener flat, List<Flattener.Field> fields, boolean isWrittenOnce, @Nullable Room room) {
        this.flat = flat;
        this.fields = fields;
        this.isWrittenOnce = isWrittenOnce;
        this.room = room;
        fields.forEach(_ -> variables.add(null));
    }

    /** By the numbers of their instructions. */
    static Map<Integer, Local> of(Flattener flat, Function function) {
        Map<Integer, Integer> writes = new HashMap<>();
        for (Block block : function.blocks()) {
            for (Instruction instruction : block.instructions()) {
                if (instruction instanceof Instruction.Store store
                        && store.pointer() instanceof Instruction.Alloca alloca) {
                    writes.merge(alloca.id(), 1, Integer::sum);
                } else if (instruction instanceof Instruction.Store store
                        && store.pointer() instanceof Instruction.Offset(_, _, Instruction.Alloca alloca, _)) {
                    writes.merge(alloca.id(), 2, Integer::sum);
                }
            }
        }
        Map<Integer, Local> locals = new HashMap<>();
        for (Instruction instruction : function.blocks().getFirst().instructions()) {
            if (instruction instanceof Instruction.Alloca alloca) {
                locals.put(alloca.id(), of(flat, alloca.allocated(), writes.getOrDefault(alloca.id(), 0)));
            }
        }
        return locals;
    }

    private static Local of(Flattener flat, Type type, int writes) {
        if (type instanceof Type.Array array) {
            if (!(array.element() instanceof Type.Scalar element)) {
                throw new Unsupported("local array of " + array.element());
            }
            return new Local(
                    flat, List.of(), false, flat.room(Room.Where.LOCAL, element, array.count(), new byte[0]));
        }
        return new Local(flat, Flattener.fields(type), writes == 1, null);
    }

    /** Of an array. */
    @Nullable
    Room room() {
        return room;
    }

    private int first(Value pointer) {
        if (pointer instanceof Instruction.Offset offset) {
            if (!(offset.bytes() instanceof Value.Int number)) {
                throw new Unsupported("variable that is indexed");
            }
            for (int i = 0; i < fields.size(); i++) {
                if (fields.get(i).offset() == number.value()) {
                    return i;
                }
            }
            throw new Unsupported("part of a field");
        }
        return 0;
    }

    List<Leaf> read(Inliner at, Value pointer, Type type) {
        int count = Flattener.leaves(type);
        int first = first(pointer);
        check(first, type);
        if (isWrittenOnce) {
            if (value == null) {
                throw new Unsupported("variable that is read before it is written");
            }
            return value.subList(first, first + count);
        }
        List<Leaf> leaves = new ArrayList<>();
        for (int i = first; i < first + count; i++) {
            leaves.add(at.get(variable(i), !(fields.get(i).type() instanceof Type.Scalar)));
        }
        return leaves;
    }

    void write(Inliner at, Value pointer, List<Leaf> leaves, Type type) {
        int first = first(pointer);
        check(first, type);
        if (isWrittenOnce) {
            value = leaves;
            return;
        }
        for (int i = 0; i < leaves.size(); i++) {
            at.set(variable(first + i), leaves.get(i));
        }
    }

    private void check(int first, Type type) {
        List<Flattener.Field> wanted = Flattener.fields(type);
        for (int i = 0; i < wanted.size(); i++) {
            if (first + i >= fields.size() || !wanted.get(i).type().equals(fields.get(first + i).type())) {
                throw new Unsupported("variable of another type");
            }
        }
    }

    private Op.Variable variable(int field) {
        Op.Variable known = variables.get(field);
        if (known == null) {
            known = flat.variable(fields.get(field).type() instanceof Type.Scalar scalar ? Kind.of(scalar) : Kind.LONG);
            variables.set(field, known);
        }
        return Objects.requireNonNull(known);
    }
}
