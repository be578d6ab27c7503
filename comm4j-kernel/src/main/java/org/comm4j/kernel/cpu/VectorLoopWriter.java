// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.cpu;

import static java.lang.constant.ConstantDescs.CD_Object;
import static java.lang.constant.ConstantDescs.CD_int;
import static java.lang.constant.ConstantDescs.CD_long;
import static java.lang.constant.ConstantDescs.CD_void;

import java.lang.classfile.ClassBuilder;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.CodeElement;
import java.lang.classfile.Label;
import java.lang.classfile.TypeKind;
import java.lang.classfile.instruction.BranchInstruction;
import java.lang.classfile.instruction.IncrementInstruction;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.classfile.instruction.LabelTarget;
import java.lang.classfile.instruction.LineNumber;
import java.lang.classfile.instruction.LoadInstruction;
import java.lang.classfile.instruction.LocalVariable;
import java.lang.classfile.instruction.LocalVariableType;
import java.lang.classfile.instruction.OperatorInstruction;
import java.lang.classfile.instruction.ReturnInstruction;
import java.lang.classfile.instruction.StoreInstruction;
import java.lang.constant.ClassDesc;
import java.lang.constant.MethodTypeDesc;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles.Lookup;
import java.lang.invoke.MethodType;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.comm4j.kernel.cpu.AccessPattern.Replacement;

/**
 * Writes the loop over the threads of a row into the class that a {@link KernelClassWriter} makes, in the shapes that
 * the JIT compiler (C2 of JDK 25) makes vector instructions of where memory is off the heap:
 *
 * <ul>
 *   <li>It does not compare addresses at run time, so a write to memory that it cannot tell apart from what is read in
 *   the next turn makes a loop a scalar one. So in each
 *       turn of the loop a group of threads reads before any of them writes; the group is a vector, whatever the next
 *       one reads. Where that cannot be, the loop writes Java arrays, which cannot be what a pointer points to, and
 *       what is in them is copied afterwards.
 *   <li>A {@code float} in a {@code MemorySegment} is to it an {@code int} that is moved to another register, for which
 *   it has no vector instruction. A {@code FloatBuffer} is read
 *       as it is.
 *   <li>An {@code int} sum is a place in memory that it understands only if the sum cannot overflow: so threads are
 *   counted from 0 to {@link #MOST}, and where a row begins is a number
 *       of which some bits are known to be 0.
 * </ul>
 */
final class VectorLoopWriter {
    /** Threads of a loop. */
    static final int MOST = 2048;

    /** Threads of a loop that writes to memory at once. */
    static final int FAR = 1 << 20;

    /**
     * Bits that each turn of a loop over groups flips, to no other end: C2 unrolls a loop of more than 60 nodes only if
     * it has four exclusive ors, as checksums have. Without unrolling there are no vectors. Once the loop is unrolled,
     * they cancel each other out.
     */
    static final int TOGGLES = 4;

    /** Bytes that they write to one array: all of them stay in the first cache. */
    static final int PIECE = 4096;

    /** Elements of a buffer that indices reach. */
    static final int REACH = 1 << 28;

    /** x, where the block begins, y and z of the thread, the block, and the dimensions. */
    private static final int PLACES = 13;

    private static final MethodTypeDesc VALUES = type(CD_Object.arrayType(), CD_long.arrayType());
    private static final MethodTypeDesc RUN =
            type(CD_Object.arrayType(), CD_Object.arrayType(), CD_int.arrayType(), CD_Object.arrayType(), CD_int);

    private final KernelClassWriter copies;
    private final AccessPattern shape;

    VectorLoopWriter(KernelClassWriter copies, AccessPattern shape) {
        this.copies = copies;
        this.shape = shape;
    }

    private static MethodTypeDesc type(ClassDesc... first) {
        List<ClassDesc> parameters = new ArrayList<>(List.of(first));
        for (int i = 0; i < PLACES; i++) {
            parameters.add(CD_int);
        }
        return MethodTypeDesc.of(CD_void, parameters);
    }

    static VectorKernel find(Lookup lookup, AccessPattern shape) throws ReflectiveOperationException {
        return new VectorKernel(
                shape,
                find(lookup, "row$values", VALUES),
                shape.lanes() == 0 ? null : find(lookup, "row$run", RUN),
                shape.collects() ? find(lookup, "row$collect", RUN) : null);
    }

    private static MethodHandle find(Lookup lookup, String name, MethodTypeDesc type)
            throws ReflectiveOperationException {
        return lookup.findStatic(
                lookup.lookupClass(), name, MethodType.fromMethodDescriptorString(type.descriptorString(), null));
    }

    void write(ClassBuilder builder) {
        writeValues(builder);
        if (shape.lanes() > 0) {
            writeRun(builder, "row$run", shape.lanes());
        }
        if (shape.collects()) {
            writeRun(builder, "row$collect", 0);
        }
    }

    /** @param places the variable from which on the thread's place is kept */
    private static void loadPlace(CodeBuilder code, Index index, int places) {
        switch (index) {
            case GLOBAL_X -> code.iload(places);
            case THREAD_X -> code.iload(places).iload(places + 1).isub();
            case THREAD_Y -> code.iload(places + 2);
            case THREAD_Z -> code.iload(places + 3);
            default -> code.iload(places + 4 + index.ordinal() - Index.BLOCK_X.ordinal());
        }
    }

    // ---- numbers ----

    private void writeValues(ClassBuilder builder) {
        builder.withMethodBody("row$values", VALUES, KernelClassWriter.FLAGS, code -> {
            int places = 2;
            int arguments = places + PLACES;
            copies.unpackArguments(code, arguments);
            for (int i = 0; i < shape.terms().size(); i++) {
                AffineExpr term = shape.terms().get(i);
                code.aload(1).loadConstant(i);
                load(code, term, places, arguments);
                if (!term.wide()) {
                    code.i2l();
                }
                code.lastore();
            }
            code.return_();
        });
    }

    private void load(CodeBuilder code, AffineExpr term, int places, int arguments) {
        switch (term) {
            case AffineExpr.Constant(long value, boolean wide) -> {
                if (wide) {
                    code.loadConstant(value);
                } else {
                    code.loadConstant((int) value);
                }
            }
            case AffineExpr.Argument(int number, boolean wide) ->
                code.loadLocal(wide ? TypeKind.LONG : TypeKind.INT, arguments + slotOf(number));
            case AffineExpr.Length(int number, ElementKind kind) ->
                code.aload(arguments + slotOf(number))
                        .invokevirtual(kind.viewClass(), "length", MethodTypeDesc.of(CD_long));
            case AffineExpr.Place(Index index) -> loadPlace(code, index, places);
            case AffineExpr.Operation operation -> {
                load(code, operation.left(), places, arguments);
                AffineExpr right = operation.right();
                if (right != null) {
                    load(code, right, places, arguments);
                }
                switch (operation.opcode()) {
                    case I2L -> code.i2l();
                    case L2I -> code.l2i();
                    default -> code.with(OperatorInstruction.of(operation.opcode()));
                }
            }
        }
    }

    private int slotOf(int argument) {
        int slot = 0;
        for (int i = 0; i < argument; i++) {
            slot += TypeKind.from(copies.kernelType.parameterType(i)).slotSize();
        }
        return slot;
    }

    // ---- threads ----

    /** @param lanes see {@link AccessPattern#lanes} */
    private void writeRun(ClassBuilder builder, String name, int lanes) {
        builder.withMethodBody(name, RUN, KernelClassWriter.FLAGS, code -> {
            int count = 4;
            int places = 5;
            int arguments = places + PLACES;
            int windows = arguments + KernelClassWriter.slots(copies.kernelType);
            int writes = windows + 2 * shape.windows().size();
            int limit = writes + shape.writes().size();
            int thread = limit + 1;
            copies.unpackArguments(code, arguments);
            for (int i = 0; i < shape.windows().size(); i++) {
                code.aload(1).loadConstant(i).aaload();
                code.checkcast(shape.windows().get(i).pointer().kind().buffer).astore(windows + 2 * i);
                code.aload(2).loadConstant(i).iaload();
                code.loadConstant(REACH - 1).iand().istore(windows + 2 * i + 1);
            }
            for (int i = 0; i < shape.writes().size() && lanes == 0; i++) {
                code.aload(3).loadConstant(i).aaload();
                code.checkcast(shape.writes().get(i).pointer().kind().primitive.arrayType());
                code.astore(writes + i);
            }
            code.iload(count).loadConstant(lanes > 0 ? FAR : MOST);
            code.invokestatic(ClassDesc.of("java.lang.Math"), "min", MethodTypeDesc.of(CD_int, CD_int, CD_int));
            code.istore(count);
            code.iconst_0().istore(limit);
            if (lanes > 1) {
                code.iload(count).loadConstant(-lanes).iand().istore(limit);
                int toggles = result(thread, 0, lanes);
                for (int i = 0; i < TOGGLES; i++) {
                    code.aload(2).loadConstant(shape.windows().size() + i).iaload();
                    code.istore(toggles + i);
                }
                KernelClassWriter.loop(code, thread, -1, limit, lanes, () -> {
                    for (int i = 0; i < TOGGLES; i++) {
                        code.iload(toggles + i).iconst_1().ixor().istore(toggles + i);
                    }
                    for (int i = 0; i < lanes; i++) {
                        new Body(code, places, arguments, windows, writes, thread, lanes, i).write();
                    }
                    writeResults(code, lanes, windows, thread);
                });
                for (int i = 0; i < TOGGLES; i++) {
                    code.aload(2).loadConstant(shape.windows().size() + i);
                    code.iload(toggles + i).iastore();
                }
            }
            KernelClassWriter.loop(code, thread, limit, count, () -> {
                new Body(code, places, arguments, windows, writes, thread, lanes, 0).write();
                if (lanes > 0) {
                    writeResults(code, 1, windows, thread);
                }
            });
            code.return_();
        });
    }

    /** What threads have kept for when all of them have read. */
    private void writeResults(CodeBuilder code, int lanes, int windows, int thread) {
        for (int i = 0; i < shape.writes().size(); i++) {
            ElementKind kind = shape.writes().get(i).pointer().kind();
            int window = shape.windows().indexOf(shape.writes().get(i));
            for (int lane = 0; lane < lanes; lane++) {
                code.aload(windows + 2 * window);
                loadIndex(code, windows, window, thread, lane);
                code.loadLocal(kind.type.asLoadable(), result(thread, i, lane));
                code.invokevirtual(kind.buffer, "put", MethodTypeDesc.of(kind.buffer, CD_int, kind.primitive));
                code.pop();
            }
        }
    }

    /** The variable that keeps what a thread writes. */
    private int result(int thread, int write, int lane) {
        return thread + 1 + 2 * (lane * shape.writes().size() + write);
    }

    private static void loadIndex(CodeBuilder code, int windows, int window, int thread, int lane) {
        code.iload(windows + 2 * window + 1).iload(thread).iadd();
        if (lane > 0) {
            code.loadConstant(lane).iadd();
        }
    }

    /** The kernel itself; a call would be compiled into the loop only if the JIT compiler finds it small. */
    private final class Body {
        private final CodeBuilder code;
        private final int places;
        private final int arguments;
        private final int windows;
        private final int writes;
        private final int thread;

        private final int lanes;

        /** The number that is added to the thread's. */
        private final int lane;

        private final Map<Label, Label> labels = new HashMap<>();

        /** Where variables of the kernel begin. */
        private final int locals;

        private final Label end;

        Body(CodeBuilder code, int places, int arguments, int windows, int writes, int thread, int lanes, int lane) {
            this.code = code;
            this.places = places;
            this.arguments = arguments;
            this.windows = windows;
            this.writes = writes;
            this.thread = thread;
            this.lanes = lanes;
            this.lane = lane;
            locals = result(thread, 0, Math.max(1, lanes)) + TOGGLES;
            end = code.newLabel();
        }

        void write() {
            int slot = 0;
            for (ClassDesc parameter : copies.kernelType.parameterList()) {
                TypeKind kind = TypeKind.from(parameter);
                code.loadLocal(kind, arguments + slot).storeLocal(kind, locals + slot);
                slot += kind.slotSize();
            }
            int at = 0;
            for (CodeElement element : copies.kernelCode()) {
                Replacement replacement = shape.replaced().get(at++);
                if (replacement != null) {
                    replace(replacement, element);
                } else {
                    copy(element);
                }
            }
            code.labelBinding(end);
        }

        private void replace(Replacement replacement, CodeElement element) {
            switch (replacement) {
                case Replacement.Read(int number) -> {
                    ElementKind kind = shape.windows().get(number).pointer().kind();
                    code.pop2().pop();
                    code.aload(windows + 2 * number);
                    loadIndex(code, windows, number, thread, lane);
                    code.invokevirtual(kind.buffer, "get", MethodTypeDesc.of(kind.primitive, CD_int));
                }
                case Replacement.Write(int number) -> {
                    ElementKind kind = shape.writes().get(number).pointer().kind();
                    int value = result(thread, number, lane);
                    code.storeLocal(kind.type.asLoadable(), value);
                    code.pop2().pop();
                    if (lanes == 0) {
                        code.aload(writes + number).iload(thread);
                        code.loadLocal(kind.type.asLoadable(), value);
                        code.arrayStore(kind.type);
                    }
                }
                case Replacement.Drop(int operands, boolean jumps) -> {
                    for (int i = 0; i < operands; i++) {
                        code.pop();
                    }
                    if (jumps) {
                        code.goto_(label(((BranchInstruction) element).target()));
                    }
                }
            }
        }

        /** Each lane has its own. */
        private Label label(Label original) {
            return labels.computeIfAbsent(original, l -> code.newLabel());
        }

        private void copy(CodeElement element) {
            switch (element) {
                case LoadInstruction load -> code.loadLocal(load.typeKind(), locals + load.slot());
                case StoreInstruction store -> code.storeLocal(store.typeKind(), locals + store.slot());
                case IncrementInstruction increment -> code.iinc(locals + increment.slot(), increment.constant());
                case ReturnInstruction _ -> code.goto_(end);
                case BranchInstruction branch -> code.branch(branch.opcode(), label(branch.target()));
                case LabelTarget target -> code.labelBinding(label(target.label()));
                case LocalVariable _, LocalVariableType _, LineNumber _ -> {}
                case InvokeInstruction call -> {
                    MethodRef called = MethodRef.of(call);
                    Index index = Index.of(called);
                    if (index != null) {
                        loadPlace(index);
                    } else if (called.owner().equals(LoopVectorizer.GLOBAL_IDX)) {
                        loadGlobal(called.name());
                    } else {
                        code.with(call);
                    }
                }
                default -> code.with(element);
            }
        }

        private void loadPlace(Index index) {
            VectorLoopWriter.loadPlace(code, index, places);
            if (index == Index.GLOBAL_X || index == Index.THREAD_X) {
                code.iload(thread).iadd();
                if (lane > 0) {
                    code.loadConstant(lane).iadd();
                }
            }
        }

        private void loadGlobal(String name) {
            boolean wide = name.endsWith("Long");
            if (name.charAt(0) == 'x') {
                loadPlace(Index.GLOBAL_X);
                if (wide) {
                    code.i2l();
                }
                return;
            }
            boolean y = name.charAt(0) == 'y';
            loadPlace(y ? Index.BLOCK_Y : Index.BLOCK_Z);
            if (wide) {
                code.i2l();
            }
            loadPlace(y ? Index.BLOCK_DIM_Y : Index.BLOCK_DIM_Z);
            if (wide) {
                code.i2l().lmul();
            } else {
                code.imul();
            }
            loadPlace(y ? Index.THREAD_Y : Index.THREAD_Z);
            if (wide) {
                code.i2l().ladd();
            } else {
                code.iadd();
            }
        }
    }
}
