// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.loops;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.comm4j.kernel.ir.Block;
import org.comm4j.kernel.ir.Function;
import org.comm4j.kernel.ir.Instruction;
import org.comm4j.kernel.ir.Type;
import org.comm4j.kernel.ir.Value;
import org.jspecify.annotations.Nullable;

/**
 * A local variable of a function, or one of several that have the same place: if it is written once, that value; if
 * not, variables for its fields; of an array, memory.
 */
final class Local {
    private final Flattener flat;
    private final List<Flattener.Field> fields;
    private final @Nullable Room room;
    private final Webs webs;
    private final boolean isApart;
    private final int writes;
    private final Map<Integer, Web> all = new HashMap<>();

    /** What may be seen by the same reads. */
    private static final class Web {
        private final boolean isWrittenOnce;
        private final List<Op.@Nullable Variable> variables = new ArrayList<>();
        private @Nullable List<Leaf> value;

        Web(boolean isWrittenOnce, int fields) {
            this.isWrittenOnce = isWrittenOnce;
            for (int i = 0; i < fields; i++) {
                variables.add(null);
            }
        }
    }

    private Local(
            Flattener flat, List<Flattener.Field> fields, @Nullable Room room, Webs webs, boolean isApart, int writes) {
        this.flat = flat;
        this.fields = fields;
        this.room = room;
        this.webs = webs;
        this.isApart = isApart;
        this.writes = writes;
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
                        && store.pointer() instanceof Instruction.Offset offset
                        && offset.pointer() instanceof Instruction.Alloca alloca) {
                    writes.merge(alloca.id(), 2, Integer::sum);
                }
            }
        }
        Set<Integer> mixed = mixed(function);
        Webs webs = new Webs(function);
        Map<Integer, Local> locals = new HashMap<>();
        for (Instruction instruction : function.blocks().getFirst().instructions()) {
            if (instruction instanceof Instruction.Alloca alloca) {
                locals.put(
                        alloca.id(),
                        mixed.contains(alloca.id())
                                ? memory(flat, alloca, webs)
                                : of(flat, alloca, webs, writes.getOrDefault(alloca.id(), 0)));
            }
        }
        return locals;
    }

    /** Returns the variables of which bytes are read or written as another type than they are declared with. */
    private static Set<Integer> mixed(Function function) {
        Set<Integer> all = new HashSet<>();
        for (Block block : function.blocks()) {
            for (Instruction instruction : block.instructions()) {
                Value pointer = switch (instruction) {
                    case Instruction.Load load -> load.pointer();
                    case Instruction.Store store -> store.pointer();
                    default -> null;
                };
                if (pointer == null) {
                    continue;
                }
                Type type = instruction instanceof Instruction.Store store
                        ? store.value().type()
                        : instruction.type();
                Value place = pointer instanceof Instruction.Offset offset ? offset.pointer() : pointer;
                if (place instanceof Instruction.Alloca alloca
                        && !(alloca.allocated() instanceof Type.Array)
                        && (!isWhole(Flattener.fields(alloca.allocated()), pointer, type)
                                || instruction instanceof Instruction.Store part
                                        && !(part.pointer() instanceof Instruction.Offset)
                                        && Flattener.leaves(type) < Flattener.leaves(alloca.allocated()))) {
                    all.add(alloca.id());
                }
            }
        }
        return all;
    }

    /** Returns whether an access is one of whole fields. */
    private static boolean isWhole(List<Flattener.Field> fields, Value pointer, Type type) {
        int first = first(fields, pointer);
        List<Flattener.Field> wanted = Flattener.fields(type);
        for (int i = 0; i < wanted.size(); i++) {
            if (first + i >= fields.size()
                    || !wanted.get(i).type().equals(fields.get(first + i).type())) {
                return false;
            }
        }
        return true;
    }

    /** Returns the number of the field where a pointer is; the number of fields if there is none. */
    private static int first(List<Flattener.Field> fields, Value pointer) {
        long at = pointer instanceof Instruction.Offset offset
                ? offset.bytes() instanceof Value.Int number ? number.value() : -1
                : 0;
        int first = 0;
        while (first < fields.size() && fields.get(first).offset() != at) {
            first++;
        }
        return first;
    }

    private static Local memory(Flattener flat, Instruction.Alloca alloca, Webs webs) {
        Room room =
                flat.room(Room.Where.LOCAL, Type.Scalar.I8, alloca.allocated().bytes(), new byte[0]);
        room.needsMemory();
        return new Local(flat, List.of(), room, webs, false, 0);
    }

    private static Local of(Flattener flat, Instruction.Alloca alloca, Webs webs, int writes) {
        if (alloca.allocated() instanceof Type.Array array) {
            Room room = array.element() instanceof Type.Scalar element
                    ? flat.room(Room.Where.LOCAL, element, array.count(), new byte[0])
                    : flat.room(Room.Where.LOCAL, Type.Scalar.I8, array.bytes(), new byte[0]);
            if (!(array.element() instanceof Type.Scalar)) {
                room.needsMemory();
            }
            return new Local(flat, List.of(), room, webs, false, 0);
        }
        return new Local(flat, Flattener.fields(alloca.allocated()), null, webs, webs.isApart(alloca), writes);
    }

    /** Of an array. */
    @Nullable
    Room room() {
        return room;
    }

    private Web web(Instruction access) {
        int number = isApart ? webs.of(access) : 0;
        return all.computeIfAbsent(
                number, _ -> new Web(isApart ? number >= 0 && webs.writes(number) == 1 : writes == 1, fields.size()));
    }

    List<Leaf> read(Inliner at, Instruction.Load load) {
        int count = Flattener.leaves(load.type());
        int first = first(fields, load.pointer());
        Web web = web(load);
        if (web.isWrittenOnce) {
            if (web.value == null) {
                throw new Unsupported("variable that is read before it is written");
            }
            return web.value.subList(first, first + count);
        }
        List<Leaf> leaves = new ArrayList<>();
        for (int i = first; i < first + count; i++) {
            leaves.add(at.get(variable(web, i), !(fields.get(i).type() instanceof Type.Scalar)));
        }
        return leaves;
    }

    void write(Inliner at, Instruction.Store store, List<Leaf> leaves) {
        int first = first(fields, store.pointer());
        Web web = web(store);
        if (web.isWrittenOnce) {
            web.value = leaves;
            return;
        }
        for (int i = 0; i < leaves.size(); i++) {
            at.set(variable(web, first + i), leaves.get(i));
        }
    }

    private Op.Variable variable(Web web, int field) {
        Op.Variable known = web.variables.get(field);
        if (known == null) {
            known = flat.variable(fields.get(field).type() instanceof Type.Scalar scalar ? Kind.of(scalar) : Kind.LONG);
            web.variables.set(field, known);
        }
        return Objects.requireNonNull(known);
    }
}
