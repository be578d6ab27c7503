// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.loops;

import static java.lang.constant.ConstantDescs.CD_MethodHandle;
import static java.lang.constant.ConstantDescs.CD_Object;
import static java.lang.constant.ConstantDescs.CD_int;
import static java.lang.constant.ConstantDescs.CD_long;
import static java.lang.constant.ConstantDescs.CD_void;

import java.lang.classfile.CodeBuilder;
import java.lang.classfile.Label;
import java.lang.classfile.Opcode;
import java.lang.classfile.TypeKind;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.DynamicConstantDesc;
import java.lang.constant.MethodTypeDesc;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.comm4j.kernel.ir.Instruction;
import org.comm4j.kernel.ir.Type;
import org.jspecify.annotations.Nullable;

/** Writes the steps of parts. What is used once is computed where it is used, if nothing between changes it. */
final class Steps {
    private static final ClassDesc MEMORY =
            MemoryAccess.class.describeConstable().orElseThrow();

    /** Elements that are elsewhere than in memory. */
    interface Elements {
        /** Pushes what a step reads; returns whether it has done so. */
        boolean push(Op.Load load);

        /** Returns whether nobody needs what a step computes, for it is a place in memory. */
        default boolean skips(Op op) {
            return false;
        }

        /** Writes an element; returns whether it has done so. */
        default boolean store(Op.Store store) {
            return false;
        }
    }

    private final CodeBuilder code;
    private final Layout layout;
    private final LoopFrame frame;
    private final Lines lines;
    private @Nullable Elements elements;
    private final Map<Val.Reg, Op> later = new HashMap<>();
    private final Calculator calculator;

    Steps(CodeBuilder code, Layout layout, LoopFrame frame, Lines lines, @Nullable Elements elements) {
        this.code = code;
        this.layout = layout;
        this.frame = frame;
        this.lines = lines;
        this.elements = elements;
        this.calculator = new Calculator(code, this);
    }

    /** Has elements elsewhere from now on; null for in memory. */
    void elsewhere(@Nullable Elements some) {
        elements = some;
    }

    void write(Part part) {
        lines.in(part);
        List<Op> ops = new ArrayList<>();
        for (Op op : part.ops) {
            Val.Reg result = Analysis.result(op);
            if (layout.analysis.isNeeded(op)
                    && (result == null || !layout.analysis.isRepeated(result))
                    && (elements == null || !elements.skips(op))) {
                ops.add(op);
            }
        }
        postpone(part, ops);
        for (Op op : ops) {
            Val.Reg result = Analysis.result(op);
            if (result == null) {
                effect(op);
            } else if (!later.containsKey(result)) {
                value(op);
                frame.save(result, result.kind());
            }
        }
    }

    /** Writes steps one after the other, each with a variable for its result. */
    void write(List<Op> steps) {
        for (Op op : steps) {
            Val.Reg result = Analysis.result(op);
            if (result == null) {
                effect(op);
            } else {
                value(op);
                frame.save(result, result.kind());
            }
        }
    }

    /** Decides what is computed where it is used, from the last step to the first. */
    private void postpone(Part part, List<Op> ops) {
        int[] at = new int[ops.size()];
        Map<Val.Reg, Integer> user = new HashMap<>();
        Analysis.ends(part, value -> used(value, ops.size(), user));
        for (int i = ops.size() - 1; i >= 0; i--) {
            Op op = ops.get(i);
            Val.Reg result = Analysis.result(op);
            Integer use = result == null ? null : user.get(result);
            at[i] = i;
            if (result != null && use != null && layout.uses(result) == 1 && mayWait(ops, i, use)) {
                at[i] = use;
                later.put(result, op);
            }
            int where = at[i];
            Analysis.uses(op, value -> used(value, where, user), _ -> {});
        }
    }

    private static void used(Val value, int at, Map<Val.Reg, Integer> user) {
        if (value instanceof Val.Reg register) {
            user.put(register, at);
        }
    }

    private static boolean mayWait(List<Op> ops, int from, int to) {
        Op op = ops.get(from);
        return switch (op) {
            case Op.Compute compute -> !Analysis.mayFail(compute);
            case Op.GetVariable get ->
                ops.subList(from + 1, to).stream()
                        .noneMatch(each -> each instanceof Op.SetVariable set && set.variable() == get.variable());
            case Op.Load load ->
                !load.isVolatile()
                        && ops.subList(from + 1, to).stream()
                                .noneMatch(each -> each instanceof Op.Store
                                        || each instanceof Op.Aligned
                                        || each instanceof Op.Invoke invoke
                                                && invoke.callee().changesMemory());
            default -> false;
        };
    }

    // ---- values ----

    void push(Val value) {
        switch (value) {
            case Val.Num number -> {
                switch (number.kind()) {
                    case INT -> code.loadConstant((int) number.bits());
                    case LONG -> code.loadConstant(number.bits());
                    case FLOAT -> code.loadConstant(Float.intBitsToFloat((int) number.bits()));
                    case DOUBLE -> code.loadConstant(Double.longBitsToDouble(number.bits()));
                }
            }
            case Val.Reg register
            when later.containsKey(register) -> value(Objects.requireNonNull(later.get(register)));
            default -> frame.load(value, value.kind());
        }
    }

    /** Goes to the label if the condition is that. */
    void branch(Val condition, boolean wanted, Label target) {
        if (condition instanceof Val.Reg register
                && later.get(register) instanceof Op.Compute compute
                && compute.from() instanceof Instruction.Compare compare) {
            calculator.branch(compute, compare, wanted, target);
            return;
        }
        push(condition);
        code.branch(wanted ? Opcode.IFNE : Opcode.IFEQ, target);
    }

    void at(Op.Compute op) {
        lines.at(op.from().at());
    }

    /** Pushes what a step computes. */
    void value(Op op) {
        switch (op) {
            case Op.Compute compute -> calculator.compute(compute);
            case Op.GetVariable get -> frame.load(get.variable(), get.variable().kind);
            case Op.Load load -> {
                if (elements != null && elements.push(load)) {
                    return;
                }
                lines.at(load.at());
                address(load.pointer(), load.type(), LoopRaces.READ | (load.isVolatile() ? LoopRaces.ATOMIC : 0));
                if (load.pointer().room().isArray()) {
                    code.arrayLoad(array(load.type()));
                } else {
                    code.loadConstant((int) load.type().bytes());
                    code.invokestatic(
                            MEMORY,
                            MemoryAccess.named("load", load.type().bytes()),
                            MethodTypeDesc.of(CD_long, Layout.SEGMENT, CD_long, CD_int));
                    frame.fromBits(Kind.of(load.type()));
                }
                if (load.isVolatile()) {
                    fence();
                }
            }
            case Op.Scale scale -> {
                lines.at(scale.at());
                push(scale.index());
                code.loadConstant(scale.bytes());
                code.invokestatic(Layout.CHECKS, "scaled", MethodTypeDesc.of(CD_long, CD_long, CD_int));
            }
            case Op.Invoke invoke -> invoke(invoke);
            case Op.Take take -> {
                Kind kind = take.result().kind();
                code.aload(0).iload(frame.thread).loadConstant(take.part());
                code.invokevirtual(
                        Layout.STATE,
                        switch (kind) {
                            case INT -> "takeInt";
                            case LONG -> "takeLong";
                            case FLOAT -> "takeFloat";
                            case DOUBLE -> "takeDouble";
                        },
                        MethodTypeDesc.of(kind.jvm.upperBound(), CD_int, CD_int));
            }
            case Op.SetVariable _, Op.Store _, Op.Aligned _ -> throw new IllegalStateException(op.toString());
        }
    }

    private void effect(Op op) {
        switch (op) {
            case Op.SetVariable set -> {
                push(set.value());
                frame.save(set.variable(), set.variable().kind);
            }
            case Op.Store store -> {
                if (elements != null && elements.store(store)) {
                    return;
                }
                lines.at(store.at());
                if (store.isVolatile()) {
                    fence();
                }
                address(store.pointer(), store.type(), LoopRaces.WRITE | (store.isVolatile() ? LoopRaces.ATOMIC : 0));
                push(store.value());
                if (store.pointer().room().isArray()) {
                    code.arrayStore(array(store.type()));
                } else {
                    frame.toBits(Kind.of(store.type()));
                    code.loadConstant((int) store.type().bytes());
                    code.invokestatic(
                            MEMORY,
                            MemoryAccess.named("store", store.type().bytes()),
                            MethodTypeDesc.of(CD_void, Layout.SEGMENT, CD_long, CD_long, CD_int));
                }
            }
            case Op.Aligned aligned -> {
                lines.at(aligned.at());
                memory(aligned.pointer());
                push(aligned.pointer().bytes());
                code.loadConstant(aligned.bytes());
                code.invokestatic(
                        Layout.CHECKS, "aligned", MethodTypeDesc.of(CD_void, Layout.SEGMENT, CD_long, CD_int));
            }
            case Op.Invoke invoke -> invoke(invoke);
            default -> throw new IllegalStateException(op.toString());
        }
    }

    /** Pushes an array and an index, or memory, its layout and the place in bytes. */
    private void address(Leaf.Pointer pointer, Type.Scalar type, int kind) {
        Room room = pointer.room();
        int what = kind | (int) type.bytes() << 8 | (int) type.bytes() << 16;
        memory(pointer);
        if (!room.isArray()) {
            push(pointer.bytes());
            if (room.where == Room.Where.LOCAL) {
                inOwnPart(room, (int) type.bytes());
            }
            if (layout.checks(room)) {
                int at = code.allocateLocal(TypeKind.LONG);
                code.lstore(at);
                access(pointer, what, () -> code.lload(at));
                code.lload(at);
            }
            return;
        }
        Val index = Objects.requireNonNull(pointer.index());
        push(index);
        if (layout.checks(room)) {
            int at = code.allocateLocal(TypeKind.INT);
            code.istore(at);
            access(
                    pointer,
                    what,
                    () -> code.iload(at)
                            .i2l()
                            .loadConstant(room.element.bytes())
                            .lmul());
            code.iload(at);
        }
        if (room.where == Room.Where.LOCAL) {
            if (!(index instanceof Val.Num number && number.bits() >= 0 && number.bits() < room.count)) {
                code.loadConstant((int) room.count);
                code.invokestatic(
                        ClassDesc.of("java.util.Objects"), "checkIndex", MethodTypeDesc.of(CD_int, CD_int, CD_int));
            }
            code.iload(frame.base(room)).iadd();
        }
    }

    /** Of a place in a thread's memory makes one in that of all threads. */
    private void inOwnPart(Room room, int bytes) {
        code.loadConstant((long) bytes).loadConstant(room.count * room.element.bytes());
        code.invokestatic(
                ClassDesc.of("java.util.Objects"),
                "checkFromIndexSize",
                MethodTypeDesc.of(CD_long, CD_long, CD_long, CD_long));
        code.lload(frame.base(room)).ladd();
    }

    private void fence() {
        code.invokestatic(ClassDesc.of("java.lang.invoke.VarHandle"), "fullFence", MethodTypeDesc.of(CD_void));
    }

    /** Pushes an array or memory. */
    private void memory(Leaf.Pointer pointer) {
        if (pointer.which() == null) {
            frame.loadRoom(pointer.room());
        } else {
            code.aload(0);
            push(pointer.which());
            code.invokevirtual(Layout.STATE, "memory", MethodTypeDesc.of(Layout.SEGMENT, CD_int));
        }
    }

    /** Says that memory is accessed. */
    private void access(Leaf.Pointer pointer, int what, Runnable at) {
        code.aload(0);
        push(Inliner.which(pointer));
        at.run();
        code.loadConstant(what).iload(lines.slot).iload(frame.thread);
        code.invokevirtual(Layout.STATE, "access", MethodTypeDesc.of(CD_void, CD_int, CD_long, CD_int, CD_int, CD_int));
    }

    private void invoke(Op.Invoke invoke) {
        lines.at(invoke.at());
        if (invoke.callee().asks()) {
            code.aload(0).iload(frame.thread).iload(lines.slot);
            code.invokevirtual(Layout.STATE, "enter", MethodTypeDesc.of(CD_void, CD_int, CD_int));
        }
        if (layout.checked
                && invoke.callee().access() != 0
                && invoke.arguments().getFirst() instanceof Leaf.Pointer pointer
                && pointer.room().isVisited()) {
            access(pointer, invoke.callee().access(), () -> push(pointer.bytes()));
        }
        if (layout.checked && invoke.callee().fence()) {
            code.aload(0).iload(frame.thread);
            code.invokevirtual(Layout.STATE, "fence", MethodTypeDesc.of(CD_void, CD_int));
        }
        MethodTypeDesc type =
                invoke.callee().handle().type().describeConstable().orElseThrow();
        code.loadConstant(DynamicConstantDesc.ofNamed(
                ConstantDescs.ofConstantBootstrap(
                        ClassDesc.of("java.lang.invoke.MethodHandles"), "classDataAt", CD_Object, CD_int),
                ConstantDescs.DEFAULT_NAME,
                CD_MethodHandle,
                invoke.callee().number()));
        for (Leaf argument : invoke.arguments()) {
            switch (argument) {
                case Leaf.Plain number -> push(number.value());
                case Leaf.Pointer pointer -> {
                    memory(pointer);
                    push(pointer.bytes());
                    if (pointer.room().where == Room.Where.LOCAL) {
                        inOwnPart(pointer.room(), 1);
                    }
                }
            }
        }
        code.invokevirtual(CD_MethodHandle, "invokeExact", type);
        if (invoke.callee().keeps()) {
            code.aload(0).swap().iload(frame.thread);
            if (invoke.callee().later()) {
                code.iload(lines.slot);
                code.invokevirtual(Layout.STATE, "begin", MethodTypeDesc.of(CD_void, CD_Object, CD_int, CD_int));
            } else {
                code.invokevirtual(Layout.STATE, "keep", MethodTypeDesc.of(CD_void, CD_Object, CD_int));
            }
            return;
        }
        if (invoke.result() == null && !type.returnType().equals(CD_void)) {
            throw new IllegalStateException(invoke.toString());
        }
    }

    // ---- types ----

    private static TypeKind array(Type.Scalar type) {
        return switch (type) {
            case I1, I8 -> TypeKind.BYTE;
            case I16 -> TypeKind.SHORT;
            default -> Kind.of(type).jvm;
        };
    }
}
