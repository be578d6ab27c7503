// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.frontend;

import java.lang.classfile.instruction.InvokeDynamicInstruction;
import java.util.List;
import org.comm4j.kernel.frontend.JavaType.Primitive;
import org.comm4j.kernel.ir.Instruction.BinaryOp;
import org.comm4j.kernel.ir.Instruction.Comparison;
import org.comm4j.kernel.ir.Instruction.Conversion;
import org.comm4j.kernel.ir.Type.Scalar;
import org.comm4j.kernel.ir.Value;

/** Methods that javac gives records: {@code equals} and {@code hashCode}, as {@code ObjectMethods} computes them. */
final class Records {
    private static final int FACTOR = 31;
    private static final int HASH_OF_TRUE = 1231;
    private static final int HASH_OF_FALSE = 1237;

    private final Translator method;
    private final IrBuilder emit;

    Records(Translator method) {
        this.method = method;
        this.emit = method.emit;
    }

    /** Pushes the result of the method that an instruction stands for. */
    void call(InvokeDynamicInstruction instruction, List<Operand> arguments) {
        String name = instruction.name().stringValue();
        Operand self = arguments.getFirst();
        if (self.type() instanceof JavaType.Record record && name.equals("equals")) {
            method.push(Primitive.INT, emit.bool(equal(record, self, arguments.get(1))));
        } else if (self.type() instanceof JavaType.Record record && name.equals("hashCode")) {
            method.push(Primitive.INT, hash(record, self.value()));
        } else {
            if (!self.isUnknown()) {
                method.problem(
                        name + " of a record is not available on the GPU: there are no strings",
                        "use Gpu.printf with its components");
            }
            method.push(Calls.quiet(instruction.typeSymbol().returnType()));
        }
    }

    private Operand component(JavaType.Record record, Value value, int number) {
        JavaType type = record.components().get(number);
        return new Operand(type.onStack(), emit.fromMemory(type, emit.extract(value, number)));
    }

    private Value equal(JavaType.Record record, Operand one, Operand other) {
        if (other.type() instanceof JavaType.Union union && union.members().contains(record)) {
            Unions unions = new Unions(method);
            Value is = unions.is(union, other, type -> type == record.of());
            return emit.binary(BinaryOp.AND, is, equal(record, one, unions.unwrap(union, other, record)));
        }
        if (!other.type().equals(record)) {
            return IrBuilder.i1(false);
        }
        Value all = IrBuilder.i1(true);
        for (int i = 0; i < record.components().size(); i++) {
            Value same = equal(component(record, one.value(), i), component(record, other.value(), i));
            all = all instanceof Value.Int ? same : emit.binary(BinaryOp.AND, all, same);
        }
        return all;
    }

    private Value equal(Operand one, Operand other) {
        return switch (one.type()) {
            case JavaType.Record nested -> equal(nested, one, other);
            case Primitive number
            when number.value().isFloat() -> {
                // As Float.compare says: NaN equals NaN, and 0 is not -0.
                Scalar bits = number == Primitive.FLOAT ? Scalar.I32 : Scalar.I64;
                Value same = emit.compare(
                        Comparison.EQ,
                        emit.convert(Conversion.BITS, one.value(), bits),
                        emit.convert(Conversion.BITS, other.value(), bits));
                yield emit.binary(
                        BinaryOp.OR, same, emit.binary(BinaryOp.AND, isNaN(one.value()), isNaN(other.value())));
            }
            case JavaType.Pointer pointer -> {
                method.problem(
                        "equals of a record with a " + pointer + ": pointers are objects on the CPU, which are"
                                + " equal only to themselves",
                        "compare the components that are numbers");
                yield IrBuilder.i1(false);
            }
            default -> emit.compare(Comparison.EQ, one.value(), other.value());
        };
    }

    private Value isNaN(Value number) {
        return emit.compare(Comparison.NE, number, number);
    }

    private Value hash(JavaType.Record record, Value value) {
        Value hash = IrBuilder.i32(0);
        for (int i = 0; i < record.components().size(); i++) {
            Value next = hash(record.components().get(i), component(record, value, i));
            hash = emit.binary(BinaryOp.ADD, emit.binary(BinaryOp.MUL, hash, IrBuilder.i32(FACTOR)), next);
        }
        return hash;
    }

    private Value hash(JavaType declared, Operand component) {
        Value value = component.value();
        return switch (declared) {
            case JavaType.Record nested -> hash(nested, value);
            case Primitive number ->
                switch (number) {
                    case BOOLEAN ->
                        emit.select(emit.truth(value), IrBuilder.i32(HASH_OF_TRUE), IrBuilder.i32(HASH_OF_FALSE));
                    case LONG -> folded(value);
                    case FLOAT ->
                        emit.select(
                                isNaN(value),
                                IrBuilder.i32(Float.floatToIntBits(Float.NaN)),
                                emit.convert(Conversion.BITS, value, Scalar.I32));
                    case DOUBLE ->
                        folded(emit.select(
                                isNaN(value),
                                IrBuilder.i64(Double.doubleToLongBits(Double.NaN)),
                                emit.convert(Conversion.BITS, value, Scalar.I64)));
                    default -> value;
                };
            default -> {
                method.problem(
                        "hashCode of a record with a " + declared + ": it is another one in every process",
                        "compute it from the components that are numbers");
                yield IrBuilder.i32(0);
            }
        };
    }

    private Value folded(Value bits) {
        Value high = emit.binary(BinaryOp.USHR, bits, IrBuilder.i32(Integer.SIZE));
        return emit.convert(Conversion.TRUNCATE, emit.binary(BinaryOp.XOR, bits, high), Scalar.I32);
    }
}
