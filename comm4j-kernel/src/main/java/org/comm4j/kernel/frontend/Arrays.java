// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.frontend;

import java.lang.classfile.instruction.NewMultiArrayInstruction;
import java.lang.constant.ClassDesc;
import java.util.List;
import java.util.Set;
import org.comm4j.kernel.frontend.JavaType.Primitive;
import org.comm4j.kernel.ir.Instruction;
import org.comm4j.kernel.ir.Instruction.Comparison;
import org.comm4j.kernel.ir.Instruction.Conversion;
import org.comm4j.kernel.ir.Type;
import org.comm4j.kernel.ir.Type.Scalar;
import org.comm4j.kernel.ir.Value;
import org.jspecify.annotations.Nullable;

/** Arrays: a pointer and a length. Those of {@code new} are memory of the thread and of constant length. */
final class Arrays {
    private static final long MOST_BYTES = 512 << 10;

    /** Elements of an array that is cleared in single steps: as many as a thread has in registers. */
    private static final long MOST_STEPS = 128;

    private final Translator method;

    Arrays(Translator method) {
        this.method = method;
    }

    void length() {
        Operand array = method.pop();
        method.push(
                Primitive.INT, array.isUnknown() ? new Value.Zero(Scalar.I32) : method.emit.extract(array.value(), 1));
    }

    void load() {
        List<Operand> two = method.pop(2);
        Operand index = two.get(1);
        switch (two.get(0).type()) {
            case JavaType.Array array -> {
                Value at = element(array, two.get(0).value(), index.value());
                if (array.element() instanceof JavaType.Row row) {
                    method.push(new Operand(
                            new JavaType.Array(row.element(), array.constant(), array.sites()),
                            method.emit.compose(JavaType.Array.VALUE, List.of(at, IrBuilder.i32(row.length())))));
                    return;
                }
                method.push(
                        array.element(),
                        method.emit.fromMemory(
                                array.element(),
                                method.emit.load(
                                        array.element().memory(), at, alignment(array), Instruction.Access.PLAIN)));
            }
            case JavaType.SwitchMap switches ->
                method.push(new Operand(new JavaType.Mapped(switches.map()), index.value()));
            default -> method.push(Operand.unknown());
        }
    }

    void store() {
        List<Operand> three = method.pop(3);
        Operand value = three.get(2);
        switch (three.get(0).type()) {
            case JavaType.Arguments arguments -> method.arguments(arguments).add(value);
            case JavaType.Array array -> {
                if (value.type() instanceof JavaType.Self made) {
                    value = method.record(value, made);
                }
                if (array.element() instanceof JavaType.Row) {
                    method.problem(
                            "a row of an array of arrays cannot be replaced on the GPU: the rows are one array",
                            "copy its elements: System.arraycopy(row, 0, rows[i], 0, row.length)");
                } else if (array.constant()) {
                    method.problem("an array in constant memory cannot be written", "copy it to a local array first");
                } else if (value.type().value().equals(array.element().value())) {
                    method.emit.store(
                            method.emit.toMemory(array.element(), value.value()),
                            element(array, three.get(0).value(), three.get(1).value()),
                            alignment(array),
                            Instruction.Access.PLAIN);
                } else if (!value.isUnknown()) {
                    method.problem("an array of " + array.element() + " cannot hold " + value.type(), null);
                }
            }
            default -> {}
        }
    }

    /**
     * Returns the alignment of elements: of records what the array has, but not in arrays of this method, whose
     * elements may become registers.
     */
    private long alignment(JavaType.Array array) {
        Type type = array.element().memory();
        boolean isRecord = type instanceof Type.Struct && !(array.element() instanceof JavaType.Row);
        return isRecord && array.sites().isEmpty() && !method.compilation.options.host()
                ? Long.lowestOneBit(type.bytes() | Type.Array.OF_STRUCTS)
                : type.alignment();
    }

    private Value element(JavaType.Array array, Value value, Value index) {
        IrBuilder emit = method.emit;
        if (method.compilation.options.checked()) {
            Value length = emit.extract(value, 1);
            // Unsigned, a negative index is too large, too.
            emit.require(
                    emit.compare(
                            Comparison.LT,
                            emit.convert(Conversion.ZERO_EXTEND, index, Scalar.I64),
                            emit.convert(Conversion.ZERO_EXTEND, length, Scalar.I64)),
                    "ArrayIndexOutOfBoundsException");
        }
        return emit.element(
                emit.extract(value, 0), index, array.element().memory().bytes());
    }

    void make(ClassDesc component) {
        if (component.descriptorString().equals("Ljava/lang/Object;")) {
            method.pop();
            method.push(Operand.of(new JavaType.Arguments(method.index())));
            method.arguments(new JavaType.Arguments(method.index())).clear();
            return;
        }
        try {
            make(
                    method.compilation.types.of(method.compilation.types.load(component.arrayType(), method.owner))
                                    instanceof JavaType.Array array
                            ? array.element()
                            : JavaType.Other.UNKNOWN);
        } catch (Types.UnsupportedType unsupported) {
            method.pop();
            method.problem(unsupported);
            method.push(Operand.unknown());
        } catch (ClassNotFoundException missing) {
            method.pop();
            method.problem("the class " + component.displayName() + " is not there", null);
            method.push(Operand.unknown());
        }
    }

    /** Makes an array of arrays: one array, of which each row has the same number of elements. */
    void make(NewMultiArrayInstruction made) {
        List<Operand> sizes = method.pop(made.dimensions());
        ClassDesc leaf = made.arrayType().asSymbol();
        for (int i = 0; i < made.dimensions(); i++) {
            leaf = leaf.componentType();
        }
        try {
            JavaType element = method.compilation.types.of(method.compilation.types.load(leaf, method.owner));
            if (element instanceof JavaType.Array) {
                throw new Types.UnsupportedType(
                        "an array of arrays needs all its sizes where it is made", "write new float[N][M]");
            }
            for (int i = sizes.size() - 1; i > 0; i--) {
                Long length = sizes.get(i).constant();
                element = new JavaType.Row(element, length == null ? -1 : length);
            }
            boolean known = sizes.stream().allMatch(size -> size.constant() != null && size.constant() >= 0);
            method.push(make(element, known ? sizes.getFirst().constant() : null));
        } catch (Types.UnsupportedType unsupported) {
            method.problem(unsupported);
            method.push(Operand.unknown());
        } catch (ClassNotFoundException missing) {
            method.problem("the class " + leaf.displayName() + " is not there", null);
            method.push(Operand.unknown());
        }
    }

    void make(JavaType element) {
        method.push(make(element, method.pop().constant()));
    }

    /** Makes the same array again; null if it is not known how long it is. */
    @Nullable
    Operand copy(JavaType.Array array, Operand original) {
        Value length = original.value() instanceof Instruction.Compose made
                ? made.fields().get(1)
                : IrBuilder.i1(false);
        return !(array.element() instanceof JavaType.Row)
                        && length instanceof Value.Int number
                        && number.type() == Scalar.I32
                ? make(array.element(), number.value())
                : null;
    }

    private Operand make(JavaType element, @Nullable Long length) {
        if (length == null) {
            method.problem(
                    "an array in a kernel needs a constant size",
                    "use a literal, a static final field or a @Constant parameter, or dynamic shared memory");
            return Operand.unknown();
        }
        long bytes = length * element.memory().bytes();
        if (length < 0 || bytes > MOST_BYTES) {
            method.problem(
                    "an array of " + length + " elements does not fit into the memory of a thread, which has 512 KiB",
                    "use shared or global memory");
            return Operand.unknown();
        }
        JavaType leaf = element;
        long count = length;
        while (leaf instanceof JavaType.Row row) {
            leaf = row.element();
            count *= row.length();
        }
        Type.Array type = new Type.Array(leaf.memory(), count);
        IrBuilder emit = method.emit;
        Value memory = emit.alloca(type, "array");
        clear(memory, type);
        return new Operand(
                new JavaType.Array(element, false, Set.of(method.index())),
                emit.compose(JavaType.Array.VALUE, List.of(memory, IrBuilder.i32(length))));
    }

    /** New arrays are zero. Short ones in single steps, which vanish where they are overwritten; others in a loop. */
    private void clear(Value memory, Type.Array type) {
        IrBuilder emit = method.emit;
        long bytes = type.element().bytes();
        if (type.count() <= MOST_STEPS) {
            for (long i = 0; i < type.count(); i++) {
                emit.store(new Value.Zero(type.element()), emit.offset(memory, IrBuilder.i64(i * bytes)));
            }
            return;
        }
        Value counter = emit.alloca(Scalar.I32, "clear");
        emit.store(IrBuilder.i32(0), counter);
        var loop = emit.block("clear");
        var done = emit.block("cleared");
        emit.jump(loop, 0);
        emit.begin(loop);
        Value i = emit.load(Scalar.I32, counter);
        emit.store(new Value.Zero(type.element()), emit.element(memory, i, bytes));
        Value next = emit.binary(org.comm4j.kernel.ir.Instruction.BinaryOp.ADD, i, IrBuilder.i32(1));
        emit.store(next, counter);
        emit.branch(emit.compare(Comparison.LT, next, IrBuilder.i32(type.count())), loop, done, 0);
        emit.begin(done);
    }
}
