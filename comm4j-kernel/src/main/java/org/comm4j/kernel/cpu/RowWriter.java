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
import java.lang.classfile.TypeKind;
import java.lang.classfile.instruction.BranchInstruction;
import java.lang.classfile.instruction.OperatorInstruction;
import java.lang.constant.ClassDesc;
import java.lang.constant.MethodTypeDesc;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles.Lookup;
import java.lang.invoke.MethodType;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.comm4j.kernel.cpu.RowShape.Replacement;
import org.comm4j.kernel.cpu.RowShape.Window;

/**
 * Writes the loop over the threads of a row into the class that a {@link CopyWriter} makes, in the one shape that the JIT compiler (C2 of JDK 25) makes vector instructions of
 * where memory is off the heap:
 *
 * <ul>
 *   <li>It does not compare addresses at run time, so a write to memory that it cannot tell apart from what is read makes every loop a scalar one. Here the loop writes
 *       Java arrays, which cannot be what a pointer points to, and what is in them is copied afterwards.
 *   <li>A {@code float} in a {@code MemorySegment} is to it an {@code int} that is moved to another register, for which it has no vector instruction. A {@code FloatBuffer} is read
 *       as it is.
 *   <li>An {@code int} sum is a place in memory that it understands only if the sum cannot overflow: so threads are counted from 0 to {@link #MOST}, and where a row begins is a number
 *       of which some bits are known to be 0.
 * </ul>
 */
final class RowWriter {
    /** Threads of a loop: what they write stays in the first cache. */
    static final int MOST = 2048;

    /** Elements of a buffer that indices reach. */
    static final int REACH = 1 << 28;

    /**
     * @param values puts the terms of the shape, for one thread, into an array from an index on
     * @param run runs some threads: buffers, where in them the first thread reads, and arrays that are written
     */
    record Row(RowShape shape, MethodHandle values, MethodHandle run) {}

    /** x, where the block begins, y and z of the thread, the block, and the dimensions. */
    private static final int PLACES = 13;

    private static final MethodTypeDesc VALUES = type(CD_Object.arrayType(), CD_long.arrayType(), CD_int);
    private static final MethodTypeDesc RUN = type(
            CD_Object.arrayType(), CD_Object.arrayType(), CD_int.arrayType(), CD_Object.arrayType(), CD_int);

    private final CopyWriter copies;
    private final RowShape shape;

    RowWriter(CopyWriter copies, RowShape shape) {
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

    static Row find(Lookup lookup, RowShape shape) throws ReflectiveOperationException {
        return new Row(
                shape,
                lookup.findStatic(
                        lookup.lookupClass(),
                        "row$values",
                        MethodType.fromMethodDescriptorString(VALUES.descriptorString(), null)),
                lookup.findStatic(
                        lookup.lookupClass(),
                        "row$run",
                        MethodType.fromMethodDescriptorString(RUN.descriptorString(), null)));
    }

    void write(ClassBuilder builder) {
        writeValues(builder);
        writeRun(builder);
        writeElement(builder);
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
        builder.withMethodBody("row$values", VALUES, CopyWriter.FLAGS, code -> {
            int places = 3;
            int arguments = places + PLACES;
            copies.unpackArguments(code, arguments);
            for (int i = 0; i < shape.terms().size(); i++) {
                Term term = shape.terms().get(i);
                code.aload(1).iload(2).loadConstant(i).iadd();
                load(code, term, places, arguments);
                if (!term.wide()) {
                    code.i2l();
                }
                code.lastore();
            }
            code.return_();
        });
    }

    private void load(CodeBuilder code, Term term, int places, int arguments) {
        switch (term) {
            case Term.Constant(long value, boolean wide) -> {
                if (wide) {
                    code.loadConstant(value);
                } else {
                    code.loadConstant((int) value);
                }
            }
            case Term.Argument(int number, boolean wide) ->
                code.loadLocal(wide ? TypeKind.LONG : TypeKind.INT, arguments + slotOf(number));
            case Term.Length(int number, ElementKind kind) ->
                code.aload(arguments + slotOf(number))
                        .invokevirtual(kind.viewClass(), "length", MethodTypeDesc.of(CD_long));
            case Term.Place(Index index) -> loadPlace(code, index, places);
            case Term.Operation operation -> {
                load(code, operation.left(), places, arguments);
                Term right = operation.right();
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

    /** Of the kernel with what a row has for it: how many threads before this one, the buffers with where they begin, and the arrays. */
    private MethodTypeDesc elementType() {
        List<ClassDesc> more = new ArrayList<>(List.of(CD_int));
        for (Window window : shape.windows()) {
            more.add(window.pointer().kind().buffer);
            more.add(CD_int);
        }
        for (Window write : shape.writes()) {
            more.add(write.pointer().kind().primitive.arrayType());
        }
        MethodTypeDesc type = copies.indexed(copies.kernelType);
        return type.insertParameterTypes(type.parameterCount(), more.toArray(ClassDesc[]::new));
    }

    private void writeRun(ClassBuilder builder) {
        builder.withMethodBody("row$run", RUN, CopyWriter.FLAGS, code -> {
            int count = 4;
            int places = 5;
            int arguments = places + PLACES;
            int windows = arguments + CopyWriter.slots(copies.kernelType);
            int writes = windows + 2 * shape.windows().size();
            int thread = writes + shape.writes().size();
            copies.unpackArguments(code, arguments);
            for (int i = 0; i < shape.windows().size(); i++) {
                code.aload(1).loadConstant(i).aaload();
                code.checkcast(shape.windows().get(i).pointer().kind().buffer).astore(windows + 2 * i);
                code.aload(2).loadConstant(i).iaload();
                code.loadConstant(REACH - 1).iand().istore(windows + 2 * i + 1);
            }
            for (int i = 0; i < shape.writes().size(); i++) {
                code.aload(3).loadConstant(i).aaload();
                code.checkcast(shape.writes().get(i).pointer().kind().primitive.arrayType());
                code.astore(writes + i);
            }
            code.iload(count).loadConstant(MOST);
            code.invokestatic(ClassDesc.of("java.lang.Math"), "min", MethodTypeDesc.of(CD_int, CD_int, CD_int));
            code.istore(count);
            CopyWriter.loop(code, thread, -1, count, () -> {
                copies.loadArguments(code, arguments);
                for (Index index : copies.indices) {
                    loadPlace(code, index, places);
                    if (index == Index.GLOBAL_X || index == Index.THREAD_X) {
                        code.iload(thread).iadd();
                    }
                }
                code.iload(thread);
                for (int i = 0; i < shape.windows().size(); i++) {
                    code.aload(windows + 2 * i).iload(windows + 2 * i + 1);
                }
                for (int i = 0; i < shape.writes().size(); i++) {
                    code.aload(writes + i);
                }
                code.invokestatic(copies.self, "row$element", elementType());
            });
            code.return_();
        });
    }

    private void writeElement(ClassBuilder builder) {
        builder.withMethodBody("row$element", elementType(), CopyWriter.FLAGS, code -> {
            int thread = CopyWriter.slots(copies.kernelType) + copies.indices.size();
            int windows = thread + 1;
            int writes = windows + 2 * shape.windows().size();
            int more = writes + shape.writes().size() - thread;
            int value = copies.variableAfter(more);
            Map<Integer, Consumer<CodeElement>> replaced = new HashMap<>();
            shape.replaced().forEach((at, replacement) -> replaced.put(at, element -> {
                switch (replacement) {
                    case Replacement.Read(int number) -> {
                        ElementKind kind = shape.windows().get(number).pointer().kind();
                        code.pop2().pop();
                        code.aload(windows + 2 * number);
                        code.iload(windows + 2 * number + 1).iload(thread).iadd();
                        code.invokevirtual(kind.buffer, "get", MethodTypeDesc.of(kind.primitive, CD_int));
                    }
                    case Replacement.Write(int number) -> {
                        ElementKind kind = shape.writes().get(number).pointer().kind();
                        code.storeLocal(kind.type.asLoadable(), value);
                        code.pop2().pop();
                        code.aload(writes + number).iload(thread);
                        code.loadLocal(kind.type.asLoadable(), value);
                        code.arrayStore(kind.type);
                    }
                    case Replacement.Drop(int operands, boolean jumps) -> {
                        for (int i = 0; i < operands; i++) {
                            code.pop();
                        }
                        if (jumps) {
                            code.goto_(((BranchInstruction) element).target());
                        }
                    }
                }
            }));
            copies.copyKernel(code, more, replaced);
        });
    }
}
