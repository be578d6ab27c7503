// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.loops;

import static java.lang.constant.ConstantDescs.CD_Object;
import static java.lang.constant.ConstantDescs.CD_int;

import java.lang.classfile.CodeBuilder;
import java.lang.classfile.TypeKind;
import java.lang.constant.ClassDesc;
import java.lang.constant.MethodTypeDesc;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;

/** The variables of a region's method, and what they get from the fields of {@link LoopState}. */
final class LoopFrame {
    private final CodeBuilder code;
    private final Layout layout;
    /** The number of the thread whose turn it is. */
    final int thread;

    private final Map<Object, Integer> locals = new HashMap<>();
    private final Map<Room, Integer> rooms = new HashMap<>();
    private final Map<Room, Integer> bases = new HashMap<>();

    LoopFrame(CodeBuilder code, Layout layout) {
        this.code = code;
        this.layout = layout;
        this.thread = code.allocateLocal(TypeKind.INT);
    }

    void field(String name, ClassDesc type) {
        code.aload(0).getfield(Layout.STATE, name, type);
    }

    /** A long with the bits of a value becomes that. */
    void fromBits(Kind kind) {
        switch (kind) {
            case INT -> code.l2i();
            case LONG -> {}
            case FLOAT -> {
                code.l2i();
                code.invokestatic(
                        ClassDesc.of("java.lang.Float"), "intBitsToFloat", MethodTypeDesc.ofDescriptor("(I)F"));
            }
            case DOUBLE ->
                code.invokestatic(
                        ClassDesc.of("java.lang.Double"), "longBitsToDouble", MethodTypeDesc.ofDescriptor("(J)D"));
        }
    }

    void room(Room room) {
        if (room.isArray()) {
            field("arrays", CD_Object.arrayType());
            ClassDesc type = Layout.array(room.element);
            code.loadConstant(room.number).aaload().checkcast(type);
        } else {
            field("memory", Layout.SEGMENT.arrayType());
            code.loadConstant(room.number).aaload();
        }
        rooms.put(room, store(new Object(), TypeKind.REFERENCE));
    }

    int array(Object value) {
        field("values", CD_Object.arrayType());
        code.loadConstant(layout.slot(value))
                .aaload()
                .checkcast(Layout.kind(value).array());
        return store(new Object(), TypeKind.REFERENCE);
    }

    void place(Val.Place place) {
        switch (place) {
            case TID_X, TID_Y, TID_Z -> {
                if (!layout.oneDimensional) {
                    field(place.name().toLowerCase(java.util.Locale.ROOT), CD_int.arrayType());
                    code.iload(thread).iaload();
                } else if (place == Val.Place.TID_X) {
                    code.iload(thread);
                } else {
                    code.iconst_0();
                }
                store(place, TypeKind.INT);
            }
            case GLOBAL_X -> {
                if (!layout.oneDimensional) {
                    field("base", CD_int);
                    field("tid_x", CD_int.arrayType());
                    code.iload(thread).iaload().iadd();
                    store(place, TypeKind.INT);
                }
            }
            case LANE -> {
                code.iload(thread).bipush(31).iand();
                store(place, TypeKind.INT);
            }
            default -> {}
        }
    }

    int store(Object value, TypeKind kind) {
        int slot = local(value, kind);
        code.storeLocal(kind, slot);
        return slot;
    }

    int local(Object value, TypeKind kind) {
        return locals.computeIfAbsent(value, _ -> code.allocateLocal(kind));
    }

    void load(Object value, Kind kind) {
        code.loadLocal(kind.jvm, local(value, kind.jvm));
    }

    void save(Object value, Kind kind) {
        store(value, kind.jvm);
    }

    void loadRoom(Room room) {
        code.aload(Objects.requireNonNull(rooms.get(room)));
    }

    int base(Room room) {
        return Objects.requireNonNull(bases.get(room));
    }

    /** Computes where a thread's part of an array of all threads begins, or of memory, in bytes. */
    void newBase(Room room) {
        if (room.isArray()) {
            code.iload(thread).loadConstant((int) room.count).imul();
            code.istore(bases.computeIfAbsent(room, _ -> code.allocateLocal(TypeKind.INT)));
        } else {
            code.iload(thread)
                    .i2l()
                    .loadConstant(room.count * room.element.bytes())
                    .lmul();
            code.lstore(bases.computeIfAbsent(room, _ -> code.allocateLocal(TypeKind.LONG)));
        }
    }
}
