// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.frontend;

import java.util.ArrayList;
import java.util.List;
import org.comm4j.kernel.ir.Block;
import org.comm4j.kernel.ir.External;
import org.comm4j.kernel.ir.Function;
import org.comm4j.kernel.ir.Instruction;
import org.comm4j.kernel.ir.Instruction.Access;
import org.comm4j.kernel.ir.Instruction.BinaryOp;
import org.comm4j.kernel.ir.Instruction.Comparison;
import org.comm4j.kernel.ir.Instruction.Conversion;
import org.comm4j.kernel.ir.Position;
import org.comm4j.kernel.ir.Terminator;
import org.comm4j.kernel.ir.Type;
import org.comm4j.kernel.ir.Type.Scalar;
import org.comm4j.kernel.ir.Value;
import org.jspecify.annotations.Nullable;

/** Writes instructions at the end of the current block; what is constant is computed. */
final class IrBuilder {
    private final Block first = new Block("entry");
    private final List<Block> blocks = new ArrayList<>(List.of(first));
    private Block current = first;
    private final Position start;
    private final @Nullable Position calledAt;
    private Position at;
    private int ids;
    private int labels;

    /** @param calledAt what errors name instead of the line that they are in */
    IrBuilder(Position at, @Nullable Position calledAt) {
        this.start = at;
        this.calledAt = calledAt;
        this.at = at;
    }

    /** Instructions from now on are of this line. */
    void at(Position position) {
        at = position;
    }

    Position at() {
        return at;
    }

    /** A block of this function; it follows when it is {@linkplain #begin begun}. */
    Block block(String name) {
        return new Block(name + "_" + labels++);
    }

    void begin(Block block) {
        blocks.add(block);
        current = block;
    }

    boolean isOpen() {
        return !current.isComplete();
    }

    /** Memory of the thread is made in the first block, whose end comes last. */
    Value alloca(Type type, String name) {
        return first.add(new Instruction.Alloca(ids++, at, type, name));
    }

    /** Ends the first block and gives all of them. */
    List<Block> finish(Block body) {
        first.end(new Terminator.Jump(start, body));
        return blocks;
    }

    /** In the first block, of a parameter that is changed later. */
    void storeFirst(Value value, Value pointer) {
        first.add(new Instruction.Store(ids++, at, value, pointer, value.type().alignment(), Access.PLAIN));
    }

    /** Returns an address for pointers of any kind of memory. */
    Value generic(Value address) {
        return convert(Conversion.SPACE, address, Type.Pointer.GENERIC);
    }

    /** Of a kernel's parameter, in the first block. */
    Value convertFirst(Conversion kind, Value value, Type type) {
        return first.add(new Instruction.Convert(ids++, at, kind, value, type));
    }

    /** Of a kernel's parameters, in the first block. */
    Value composeFirst(Type.Struct type, List<Value> fields) {
        return first.add(new Instruction.Compose(ids++, at, type, fields));
    }

    private <T extends Instruction> T add(T instruction) {
        return current.add(instruction);
    }

    static Value i32(long value) {
        return new Value.Int(Scalar.I32, (int) value);
    }

    static Value i64(long value) {
        return new Value.Int(Scalar.I64, value);
    }

    static Value i1(boolean value) {
        return new Value.Int(Scalar.I1, value ? 1 : 0);
    }

    Value binary(BinaryOp op, Value left, Value right) {
        if (left instanceof Value.Int l
                && right instanceof Value.Int r
                && !((op == BinaryOp.DIV || op == BinaryOp.REM) && r.value() == 0)) {
            return new Value.Int(l.type(), compute(op, l.type(), l.value(), r.value()));
        }
        return add(new Instruction.Binary(ids++, at, op, left, right));
    }

    private static long compute(BinaryOp op, Scalar type, long l, long r) {
        if (type == Scalar.I64) {
            return switch (op) {
                case ADD -> l + r;
                case SUB -> l - r;
                case MUL -> l * r;
                case DIV -> l / r;
                case REM -> l % r;
                case SHL -> l << r;
                case SHR -> l >> r;
                case USHR -> l >>> r;
                case AND -> l & r;
                case OR -> l | r;
                case XOR -> l ^ r;
            };
        }
        int a = (int) l;
        int b = (int) r;
        int result = switch (op) {
            case ADD -> a + b;
            case SUB -> a - b;
            case MUL -> a * b;
            case DIV -> a / b;
            case REM -> a % b;
            case SHL -> a << b;
            case SHR -> a >> b;
            case USHR -> a >>> b;
            case AND -> a & b;
            case OR -> a | b;
            case XOR -> a ^ b;
        };
        return result;
    }

    Value negate(Value value) {
        if (value instanceof Value.Int number) {
            return new Value.Int(number.type(), number.type() == Scalar.I64 ? -number.value() : -(int) number.value());
        }
        return add(new Instruction.Negate(ids++, at, value));
    }

    Value compare(Comparison op, Value left, Value right) {
        if (left instanceof Value.Int l && right instanceof Value.Int r) {
            return i1(
                    switch (op) {
                        case EQ -> l.value() == r.value();
                        case NE -> l.value() != r.value();
                        case LT, ULT -> l.value() < r.value();
                        case LE, ULE -> l.value() <= r.value();
                        case GT, UGT -> l.value() > r.value();
                        case GE, UGE -> l.value() >= r.value();
                    });
        }
        return add(new Instruction.Compare(ids++, at, op, left, right));
    }

    Value order(Value left, Value right, int ofNaN) {
        return add(new Instruction.Order(ids++, at, left, right, ofNaN));
    }

    Value convert(Conversion kind, Value value, Type type) {
        if (value.type().equals(type) && (kind == Conversion.NUMBER || kind == Conversion.SPACE)) {
            return value;
        }
        if (value instanceof Value.Int number && type instanceof Scalar scalar && scalar.isInteger()) {
            long bits = number.value();
            switch (kind) {
                case TRUNCATE, SIGN_EXTEND, NUMBER -> {
                    return new Value.Int(scalar, narrow(scalar, bits));
                }
                case ZERO_EXTEND -> {
                    int width = number.type().bits();
                    return new Value.Int(scalar, narrow(scalar, width == 64 ? bits : bits & ((1L << width) - 1)));
                }
                default -> {}
            }
        }
        return add(new Instruction.Convert(ids++, at, kind, value, type));
    }

    private static long narrow(Scalar type, long bits) {
        return switch (type) {
            case I1 -> bits & 1;
            case I8 -> (byte) bits;
            case I16 -> (short) bits;
            case I32 -> (int) bits;
            default -> bits;
        };
    }

    Value select(Value condition, Value ifTrue, Value ifFalse) {
        if (condition instanceof Value.Int number) {
            return number.value() != 0 ? ifTrue : ifFalse;
        }
        return add(new Instruction.Select(ids++, at, condition, ifTrue, ifFalse));
    }

    Value load(Type type, Value pointer, long alignment, Access access) {
        return add(new Instruction.Load(ids++, at, type, pointer, alignment, access));
    }

    Value load(Type type, Value pointer) {
        return load(type, pointer, type.alignment(), Access.PLAIN);
    }

    void store(Value value, Value pointer, long alignment, Access access) {
        add(new Instruction.Store(ids++, at, value, pointer, alignment, access));
    }

    void store(Value value, Value pointer) {
        store(value, pointer, value.type().alignment(), Access.PLAIN);
    }

    Value offset(Value pointer, Value bytes) {
        if (bytes instanceof Value.Int number && number.value() == 0) {
            return pointer;
        }
        return add(new Instruction.Offset(ids++, at, pointer, bytes));
    }

    /** {@code pointer + index · bytes}, the index an int or a long. */
    Value element(Value pointer, Value index, long bytes) {
        Value wide = index.type() == Scalar.I64 ? index : convert(Conversion.SIGN_EXTEND, index, Scalar.I64);
        return offset(pointer, bytes == 1 ? wide : binary(BinaryOp.MUL, wide, i64(bytes)));
    }

    Value compose(Type.Struct type, List<Value> fields) {
        return add(new Instruction.Compose(ids++, at, type, fields));
    }

    Value extract(Value struct, int field) {
        if (struct instanceof Instruction.Compose made) {
            return made.fields().get(field);
        }
        return add(new Instruction.Extract(ids++, at, struct, field));
    }

    Value call(Function callee, List<Value> arguments) {
        return add(new Instruction.Call(ids++, at, callee, arguments));
    }

    Value external(External callee, List<Value> arguments) {
        return add(new Instruction.CallExternal(ids++, at, callee, arguments));
    }

    Value external(String symbol, Type result, boolean pure, List<Value> arguments) {
        return external(
                new External(symbol, result, arguments.stream().map(Value::type).toList(), false, pure), arguments);
    }

    Value ptx(String text, String constraints, Type type, List<Value> operands, boolean effects, boolean convergent) {
        return add(new Instruction.Ptx(ids++, at, text, constraints, type, operands, effects, convergent));
    }

    void jump(Block target, int unroll) {
        current.end(new Terminator.Jump(at, target, unroll));
    }

    void branch(Value condition, Block ifTrue, Block ifFalse, int unroll) {
        current.end(new Terminator.Branch(at, condition, ifTrue, ifFalse, unroll));
    }

    void end(Terminator end) {
        current.end(end);
    }

    /** Ends the kernel with an error. */
    void fail(String message) {
        current.end(new Terminator.Fail(at, calledAt == null ? at : calledAt, message));
    }

    /** Goes on only if the condition holds. */
    void require(Value condition, String message) {
        if (condition instanceof Value.Int number && number.value() != 0) {
            return;
        }
        Block wrong = block("fail");
        Block right = block("ok");
        branch(condition, right, wrong, 0);
        begin(wrong);
        fail(message);
        begin(right);
    }

    /** 0 or 1 as an int of an {@code I1}. */
    Value bool(Value condition) {
        return convert(Conversion.ZERO_EXTEND, condition, Scalar.I32);
    }

    /** Whether an int is not 0. */
    Value truth(Value number) {
        if (number instanceof Instruction.Convert made
                && made.kind() == Conversion.ZERO_EXTEND
                && made.value().type() == Scalar.I1) {
            return made.value();
        }
        return compare(Comparison.NE, number, i32(0));
    }

    /** From the stack into memory: booleans, bytes, shorts and chars become small. */
    Value toMemory(JavaType type, Value value) {
        return value.type().equals(type.memory()) ? value : convert(Conversion.TRUNCATE, value, type.memory());
    }

    /** From memory onto the stack. */
    Value fromMemory(JavaType type, Value value) {
        if (value.type().equals(type.value())) {
            return value;
        }
        boolean signed = type != JavaType.Primitive.BOOLEAN && type != JavaType.Primitive.CHAR;
        return convert(signed ? Conversion.SIGN_EXTEND : Conversion.ZERO_EXTEND, value, type.value());
    }
}
