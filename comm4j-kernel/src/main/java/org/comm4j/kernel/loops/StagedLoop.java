// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.loops;

import static java.lang.constant.ConstantDescs.CD_Object;
import static java.lang.constant.ConstantDescs.CD_boolean;
import static java.lang.constant.ConstantDescs.CD_int;
import static java.lang.constant.ConstantDescs.CD_long;
import static java.lang.constant.ConstantDescs.CD_void;

import java.lang.classfile.CodeBuilder;
import java.lang.classfile.Label;
import java.lang.constant.ClassDesc;
import java.lang.constant.MethodTypeDesc;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.comm4j.kernel.ir.Type;
import org.comm4j.kernel.loops.Slopes.Slope;
import org.jspecify.annotations.Nullable;

/**
 * A loop over threads without branches in which each reads and writes elements beside those of the thread before. What
 * is read is copied to arrays of their own before the loop, and what is written from such arrays behind it. So all
 * arrays in the loop have the thread's number for their index: C2 of JDK 25 makes vector instructions of no other loop,
 * for an element at another distance might be one of the same array; nor of one that reads floats of a segment.
 */
final class StagedLoop {
    private static final ClassDesc STAGE = Stage.class.describeConstable().orElseThrow();
    private static final MethodTypeDesc FITS_IN_ARRAY =
            MethodTypeDesc.of(CD_boolean, CD_Object, CD_long, CD_long, CD_int, CD_int);
    private static final MethodTypeDesc FITS_IN_MEMORY =
            MethodTypeDesc.of(CD_boolean, Layout.SEGMENT, CD_long, CD_long, CD_int, CD_int, CD_int);

    /** A read or a write. */
    private record Access(Op op, Leaf.Pointer pointer, Type.Scalar type, boolean isWrite) {
        Val place() {
            return Analysis.address(pointer);
        }

        Kind kind() {
            return Kind.of(type);
        }
    }

    private final RegionWriter writer;
    private final CodeBuilder code;
    private final List<Part> parts;
    private final @Nullable Part end;
    private final Slopes slopes;
    private final List<Access> accesses;
    /** The variables with the arrays, by accesses. */
    private final IdentityHashMap<Op, Integer> arrays = new IdentityHashMap<>();
    /** Writes of what has been read: they have its array. */
    private final Set<Op> moved = Collections.newSetFromMap(new IdentityHashMap<>());

    private StagedLoop(
            RegionWriter writer, List<Part> parts, @Nullable Part end, Slopes slopes, List<Access> accesses) {
        this.writer = writer;
        this.code = writer.code;
        this.parts = parts;
        this.end = end;
        this.slopes = slopes;
        this.accesses = accesses;
    }

    /** Returns a loop over parts of a region; null if it is not of this kind, or needs no copies. */
    static @Nullable StagedLoop of(RegionWriter writer, List<Part> parts, @Nullable Part end) {
        Layout layout = writer.layout;
        Part.End last = parts.getLast().end();
        if (end == null && !(last instanceof Part.End.Wait) && !(last instanceof Part.End.Return)) {
            return null;
        }
        if (last instanceof Part.End.Wait(Stop stop, Part _) && stop.isReduction()) {
            // Most of these only read: a dot of 65536 doubles takes 122 us without copies, 247 with them.
            return null;
        }
        for (int i = 0; i < parts.size() - 1; i++) {
            if (!(parts.get(i).end() instanceof Part.End.Jump jump) || jump.target() != parts.get(i + 1)) {
                return null;
            }
        }
        Slopes slopes = new Slopes(writer, parts);
        List<Access> accesses = new ArrayList<>();
        for (Part part : parts) {
            for (Op op : part.ops) {
                if (layout.analysis.isNeeded(op) && !add(op, slopes, layout, accesses)) {
                    return null;
                }
            }
        }
        boolean isSame = true;
        for (Access access : accesses) {
            isSame &= access.pointer.room().isArray() && access.place() == Val.Place.TID_X;
        }
        return isSame ? null : new StagedLoop(writer, parts, end, slopes, accesses);
    }

    /** Notes a step if it is an access; returns whether a loop may have it. All reads are before the first write. */
    private static boolean add(Op op, Slopes slopes, Layout layout, List<Access> accesses) {
        Access access = null;
        if (op instanceof Op.Load load && !load.isVolatile()) {
            if (!accesses.isEmpty() && accesses.getLast().isWrite()) {
                return false;
            }
            access = new Access(load, load.pointer(), load.type(), false);
        } else if (op instanceof Op.Store store && !store.isVolatile()) {
            access = new Access(store, store.pointer(), store.type(), true);
        }
        if (access != null) {
            accesses.add(access);
            return isBeside(access, slopes, layout);
        }
        return op instanceof Op.Compute compute && !Analysis.mayFail(compute)
                || op instanceof Op.GetVariable
                || op instanceof Op.SetVariable
                || op instanceof Op.Scale scale && slopes.of(scale.index()) != null;
    }

    private static boolean isBeside(Access access, Slopes slopes, Layout layout) {
        Room room = access.pointer.room();
        boolean isWord = access.type.bytes() == Integer.BYTES || access.type.bytes() == Long.BYTES;
        if (!isWord || access.pointer.which() != null || room.where == Room.Where.LOCAL || layout.checks(room)) {
            return false;
        }
        Slope slope = slopes.of(access.place());
        return slope != null && slope.is(room.isArray() ? 1 : access.type.bytes(), 0, 0);
    }

    /**
     * Writes the loop; if there are few threads, or one of them reads or writes outside, it goes on behind.
     *
     * @param saved what each thread begins with
     * @param from a variable with the first thread
     * @param to a variable with the thread behind the last
     * @param done where to go on if all has been done
     */
    void write(Map<Object, Integer> saved, int from, int to, Label done) {
        Label plain = code.newLabel();
        code.iload(to).iload(from).isub().loadConstant(Stage.LEAST).if_icmplt(plain);
        List<Val> places = new ArrayList<>();
        for (Access access : accesses) {
            places.add(access.place());
        }
        List<Op> steps = slopes.steps(places);
        code.iload(from);
        List<Integer> first = slopes.write(steps, places);
        code.iload(to).iconst_1().isub();
        List<Integer> last = slopes.write(steps, places);
        for (int i = 0; i < accesses.size(); i++) {
            Access access = accesses.get(i);
            Room room = access.pointer.room();
            writer.frame.loadRoom(room);
            code.lload(first.get(i)).lload(last.get(i)).iload(from).iload(to);
            if (room.isArray()) {
                code.invokestatic(STAGE, "fits", FITS_IN_ARRAY);
            } else {
                code.loadConstant((int) access.type.bytes()).invokestatic(STAGE, "fits", FITS_IN_MEMORY);
            }
            code.ifeq(plain);
        }
        List<Op.Variable> stages = new ArrayList<>();
        for (int i = 0; i < accesses.size(); i++) {
            Access access = accesses.get(i);
            Integer read = access.op instanceof Op.Store store && store.value() instanceof Val.Reg value
                    ? arrays.get(value.by)
                    : null;
            if (read != null) {
                arrays.put(access.op, read);
                moved.add(access.op);
                continue;
            }
            stages.add(writer.layout.stage(access.kind(), stages));
            arrays.put(access.op, writer.frame.array(stages.getLast()));
            if (!access.isWrite) {
                copy("in", access, first.get(i), from, to);
            }
        }
        loop(saved, from, to);
        for (int i = 0; i < accesses.size(); i++) {
            if (accesses.get(i).isWrite) {
                copy("out", accesses.get(i), first.get(i), from, to);
            }
        }
        code.goto_(done);
        code.labelBinding(plain);
    }

    private void loop(Map<Object, Integer> saved, int from, int to) {
        int thread = writer.frame.thread;
        Label next = code.newLabel();
        Label behind = code.newLabel();
        code.iload(from).istore(thread);
        Label condition = code.newBoundLabel();
        code.iload(thread).iload(to).if_icmpge(behind);
        writer.beginThread();
        writer.begin(parts.getFirst(), saved);
        writer.ends.of(parts);
        Set<Val.Reg> needed = needed();
        writer.steps.elsewhere(new Steps.Elements() {
            @Override
            public boolean skips(Op op) {
                Val.Reg result = Analysis.result(op);
                return result != null && !needed.contains(result);
            }

            @Override
            public boolean push(Op.Load load) {
                code.aload(Objects.requireNonNull(arrays.get(load))).iload(thread);
                code.arrayLoad(Kind.of(load.type()).jvm);
                return true;
            }

            @Override
            public boolean store(Op.Store store) {
                if (!moved.contains(store)) {
                    code.aload(Objects.requireNonNull(arrays.get(store))).iload(thread);
                    writer.steps.push(store.value());
                    code.arrayStore(Kind.of(store.type()).jvm);
                }
                return true;
            }
        });
        for (Part part : parts) {
            code.labelBinding(writer.ends.label(part));
            writer.steps.write(part);
            if (part != end) {
                writer.ends.write(part, next);
            }
        }
        writer.steps.elsewhere(null);
        code.labelBinding(next);
        code.iinc(thread, 1).goto_(condition);
        code.labelBinding(behind);
    }

    /** Returns the registers that somebody needs besides accesses for their places. */
    private Set<Val.Reg> needed() {
        Set<Val.Reg> needed = new HashSet<>();
        for (Part part : parts.reversed()) {
            Analysis.ends(part, value -> need(value, needed));
            for (Part next : part.successors()) {
                for (Object value : writer.layout.analysis.liveAt(next)) {
                    need(value, needed);
                }
            }
            for (Op op : part.ops.reversed()) {
                if (op instanceof Op.Store store && !moved.contains(store)) {
                    need(store.value(), needed);
                } else if (op instanceof Op.SetVariable set) {
                    need(set.value(), needed);
                } else if (op instanceof Op.Compute compute && needed.contains(compute.result())) {
                    for (Val argument : compute.arguments()) {
                        need(argument, needed);
                    }
                } else if (op instanceof Op.Scale scale && needed.contains(scale.result())) {
                    need(scale.index(), needed);
                }
            }
        }
        return needed;
    }

    private static void need(Object value, Set<Val.Reg> needed) {
        if (value instanceof Val.Reg register) {
            needed.add(register);
        }
    }

    /** Copies between an access's memory and its array. */
    private void copy(String how, Access access, int first, int from, int to) {
        Room room = access.pointer.room();
        writer.frame.loadRoom(room);
        code.lload(first)
                .aload(Objects.requireNonNull(arrays.get(access.op)))
                .iload(from)
                .iload(to);
        ClassDesc array = access.kind().array();
        code.invokestatic(
                STAGE,
                how,
                room.isArray()
                        ? MethodTypeDesc.of(CD_void, CD_Object, CD_long, CD_Object, CD_int, CD_int)
                        : MethodTypeDesc.of(CD_void, Layout.SEGMENT, CD_long, array, CD_int, CD_int));
    }
}
