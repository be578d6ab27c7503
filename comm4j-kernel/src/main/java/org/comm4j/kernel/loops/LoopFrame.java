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
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The variables of a region's method, and what they get from the fields of {@link LoopState}. */
final class LoopFrame {
    private final CodeBuilder code;
    private final Layout layout;
    private final @Nullable LoopFrame outer;
    /** The number of the thread whose turn it is. */
    final int thread;

    private final Map<Object, Integer> locals = new HashMap<>();
    private final Map<Room, Integer> rooms = new HashMap<>();
    private final Map<Room, Integer> bases = new HashMap<>();

    LoopFrame(CodeBuilder code, Layout layout) {
        this(code, layout, null);
    }

    /** @param outer where variables are that this one has not */
    LoopFrame(CodeBuilder code, Layout layout, @Nullable LoopFrame outer) {
        this.code = code;
        this.layout = layout;
        this.outer = outer;
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

    /** A value becomes a long with its bits. */
    void toBits(Kind kind) {
        switch (kind) {
            case INT -> code.i2l();
            case LONG -> {}
            case FLOAT -> {
                code.invokestatic(
                        ClassDesc.of("java.lang.Float"), "floatToRawIntBits", MethodTypeDesc.ofDescriptor("(F)I"));
                code.i2l();
            }
            case DOUBLE ->
                code.invokestatic(
                        ClassDesc.of("java.lang.Double"), "doubleToRawLongBits", MethodTypeDesc.ofDescriptor("(D)J"));
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

    /** The field with a place that is the same for all threads of a loop, or the array of all threads'. */
    String name(Val.Place place) {
        return switch (place) {
            case TID_Y -> layout.form.rows() ? "row_y" : "tid_y";
            case TID_Z -> layout.form.rows() ? "row_z" : "tid_z";
            default -> place.name().toLowerCase(Locale.ROOT);
        };
    }

    void place(Val.Place place) {
        if (layout.form.isUniform(place)) {
            return;
        }
        switch (place) {
            case TID_X, TID_Y, TID_Z -> {
                if (!layout.oneDimensional) {
                    field(name(place), CD_int.arrayType());
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
                code.iload(thread);
                if (layout.form.rows()) {
                    field("row", CD_int);
                    code.iadd();
                }
                code.bipush(31).iand();
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
        Integer slot = find(value);
        code.loadLocal(kind.jvm, slot == null ? local(value, kind.jvm) : slot);
    }

    private @Nullable Integer find(Object value) {
        Integer slot = locals.get(value);
        return slot == null && outer != null ? outer.find(value) : slot;
    }

    void save(Object value, Kind kind) {
        store(value, kind.jvm);
    }

    void loadRoom(Room room) {
        Integer slot = rooms.get(room);
        if (slot == null && outer != null) {
            outer.loadRoom(room);
        } else {
            code.aload(Objects.requireNonNull(slot));
        }
    }

    int base(Room room) {
        return Objects.requireNonNull(bases.get(room));
    }

    /** Computes where a thread's part of an array of all threads begins, or of memory, in bytes. */
    void newBase(Room room) {
        if (layout.form.rows()) {
            // No thread waits, so the next one may have what this one had.
            if (room.isArray()) {
                code.iconst_0().istore(bases.computeIfAbsent(room, _ -> code.allocateLocal(TypeKind.INT)));
            } else {
                code.lconst_0().lstore(bases.computeIfAbsent(room, _ -> code.allocateLocal(TypeKind.LONG)));
            }
        } else if (room.isArray()) {
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
