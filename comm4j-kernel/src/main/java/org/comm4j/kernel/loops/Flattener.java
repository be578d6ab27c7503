// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.loops;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.comm4j.kernel.ir.Function;
import org.comm4j.kernel.ir.Global;
import org.comm4j.kernel.ir.Position;
import org.comm4j.kernel.ir.Program;
import org.comm4j.kernel.ir.Type;
import org.comm4j.kernel.loops.Leaf.Plain;
import org.comm4j.kernel.loops.Leaf.Pointer;
import org.jspecify.annotations.Nullable;

/** Makes a flat program of a kernel: calls are replaced by what they call, structs by their fields. */
final class Flattener {
    /** Steps of a kernel that is worth it; what is longer, the JVM does not compile. */
    private static final int MOST_OPS = 6000;

    private final List<Part> parts = new ArrayList<>();
    private final List<Stop> stops = new ArrayList<>();
    private final List<Room> rooms = new ArrayList<>();
    private final Map<String, Room> globals = new LinkedHashMap<>();
    private final List<Flat.Argument> arguments = new ArrayList<>();
    final Callees callees;
    /** The numbers of variables that are pointers into one of several memories. */
    private final Set<Integer> several;
    /** The same of those that were found now. */
    private final Set<Integer> found = new HashSet<>();

    private int registers;
    private int variables;
    private int ops;

    private Flattener(Callees callees, Set<Integer> several) {
        this.callees = callees;
        this.several = several;
    }

    /** @throws Unsupported if it has something that loops do not do */
    static Flat of(Program program, JavaMethods java) {
        Callees callees = new Callees(java);
        Set<Integer> several = new HashSet<>();
        while (true) {
            Flattener flattener = new Flattener(callees, several);
            try {
                Flat flat = flattener.flatten(program);
                if (flattener.found.isEmpty()) {
                    return flat;
                }
            } catch (Unsupported e) {
                // Which may come of a variable that was taken for a pointer into one memory.
                if (flattener.found.isEmpty()) {
                    throw e;
                }
            }
            if (!several.addAll(flattener.found)) {
                throw new Unsupported("a variable that is a pointer into several memories");
            }
        }
    }

    private Flat flatten(Program program) {
        Function kernel = program.kernel();
        List<List<Leaf>> given = new ArrayList<>();
        kernel.parameters().forEach(each -> {
            List<Leaf> leaves = new ArrayList<>();
            parameter(each.type(), leaves);
            given.add(leaves);
        });
        Part first = part(List.of());
        Inliner.Returned end = new Inliner(this, kernel, given, List.of()).translate(first, List.of());
        end.last().end(new Part.End.Return());
        return new Flat(
                List.copyOf(parts), List.copyOf(stops), List.copyOf(rooms), List.copyOf(arguments), callees.all());
    }

    private void parameter(Type type, List<Leaf> leaves) {
        switch (type) {
            case Type.Scalar scalar -> {
                Val.Arg value = new Val.Arg(arguments.size(), Kind.of(scalar));
                arguments.add(new Flat.Argument(value, null));
                leaves.add(new Plain(value));
            }
            case Type.Pointer _ -> {
                Val.Arg value = new Val.Arg(arguments.size(), Kind.LONG);
                Room room = room(Room.Where.ARGUMENT, Type.Scalar.I8, 0, new byte[0]);
                arguments.add(new Flat.Argument(value, room));
                leaves.add(new Pointer(room, value, null, 0));
            }
            case Type.Struct struct -> struct.fields().forEach(field -> parameter(field, leaves));
            case Type.Array _ -> throw new Unsupported("array as a parameter");
        }
    }

    Part part(List<Position> calls) {
        Part part = new Part(parts.size(), calls);
        parts.add(part);
        return part;
    }

    Val.Reg register(Kind kind) {
        return new Val.Reg(registers++, kind);
    }

    Op.Variable variable(Kind kind) {
        int id = variables++;
        return new Op.Variable(id, kind, several.contains(id) ? new Op.Variable(-1 - id, Kind.INT, null) : null);
    }

    /** Notes that a variable is a pointer into one of several memories. */
    void isInSeveral(Op.Variable variable) {
        found.add(variable.id);
    }

    <T extends Op> T add(Part part, T op) {
        if (++ops > MOST_OPS) {
            throw new Unsupported("more than " + MOST_OPS + " steps");
        }
        part.ops.add(op);
        return op;
    }

    int nextStop() {
        return stops.size() + 1;
    }

    void stop(Stop stop) {
        stops.add(stop);
    }

    Room room(Room.Where where, Type.Scalar element, long count, byte[] content) {
        if (rooms.size() == Room.MOST) {
            throw new Unsupported("more than " + Room.MOST + " arrays");
        }
        Room room = new Room(where, rooms.size(), element, count, content);
        rooms.add(room);
        return room;
    }

    Pointer global(Global global) {
        Room room = globals.computeIfAbsent(global.name(), _ -> ofGlobal(global));
        return new Pointer(room, Val.Num.of(0L), Val.Num.of(0), (int) room.element.bytes());
    }

    private Room ofGlobal(Global global) {
        if (!(global.type() instanceof Type.Array array)) {
            throw new Unsupported("global " + global.name());
        }
        Type inner = array.element();
        while (inner instanceof Type.Array nested) {
            inner = nested.element();
        }
        Type.Scalar element = inner instanceof Type.Scalar scalar ? scalar : Type.Scalar.I8;
        long count = array.bytes() / element.bytes();
        byte @Nullable [] content = global.content();
        if (global.space() == Type.Space.SHARED) {
            Room room = room(count == 0 ? Room.Where.DYNAMIC : Room.Where.SHARED, element, count, new byte[0]);
            if (!(inner instanceof Type.Scalar)) {
                room.isOfRecords(inner.bytes());
            }
            return room;
        }
        if (global.space() == Type.Space.CONSTANT && content != null) {
            Room room = room(Room.Where.CONSTANT, element, count, content);
            if (!(inner instanceof Type.Scalar)) {
                room.needsMemory();
            }
            return room;
        }
        throw new Unsupported("global " + global.name());
    }

    /** How many leaves a value of a type has. */
    static int leaves(Type type) {
        return type instanceof Type.Struct struct
                ? struct.fields().stream().mapToInt(Flattener::leaves).sum()
                : type == Type.Scalar.VOID ? 0 : 1;
    }

    /** A scalar or pointer in a struct, and where it is. */
    record Field(Type type, long offset) {}

    static List<Field> fields(Type type) {
        List<Field> all = new ArrayList<>();
        fields(type, 0, all);
        return all;
    }

    private static void fields(Type type, long offset, List<Field> all) {
        if (type instanceof Type.Struct struct) {
            for (int i = 0; i < struct.fields().size(); i++) {
                fields(struct.fields().get(i), offset + struct.offset(i), all);
            }
        } else if (type != Type.Scalar.VOID) {
            all.add(new Field(type, offset));
        }
    }
}
