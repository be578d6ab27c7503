// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.frontend;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.comm4j.kernel.ir.Block;
import org.comm4j.kernel.ir.Function;
import org.comm4j.kernel.ir.Global;
import org.comm4j.kernel.ir.Instruction;
import org.comm4j.kernel.ir.Program;
import org.comm4j.kernel.ir.Terminator;
import org.comm4j.kernel.ir.Type;
import org.comm4j.kernel.ir.Type.Scalar;
import org.comm4j.kernel.ir.Value;

/**
 * Runs a program of one thread as its instructions are defined. Integers and addresses are longs, sign-extended;
 * structs are arrays. What it is asked to call outside of the program are the functions of libdevice and intrinsics
 * that it knows.
 */
final class Interpreter {
    /** The program has ended with an error. */
    static final class Failed extends RuntimeException {
        private static final long serialVersionUID = 1;

        Failed(String message) {
            super(message);
        }
    }

    private static final int MEMORY = 1 << 20;
    private static final long STEPS = 10_000_000;

    final ByteBuffer memory = ByteBuffer.allocate(MEMORY).order(ByteOrder.LITTLE_ENDIAN);
    /** Calls of {@code vprintf} by format and first argument. */
    final List<String> printed = new ArrayList<>();

    private final Map<String, Long> globals = new HashMap<>();
    private long top = 64;
    private long steps;

    private final Program program;

    Interpreter(Program program) {
        this.program = program;
        for (Global global : program.globals()) {
            long at = allocate(Math.max(global.type().bytes(), 1), global.alignment());
            globals.put(global.name(), at);
            byte[] content = global.content();
            if (content != null) {
                memory.put((int) at, content);
            }
        }
    }

    long allocate(long bytes, long alignment) {
        top = (top + alignment - 1) / alignment * alignment;
        long at = top;
        top += bytes;
        return at;
    }

    Object run(Function function, List<Object> arguments) {
        Map<Integer, Object> values = new HashMap<>();
        Block block = function.blocks().getFirst();
        long frame = top;
        while (true) {
            for (Instruction instruction : block.instructions()) {
                if (++steps > STEPS) {
                    throw new IllegalStateException("the program does not end");
                }
                values.put(instruction.id(), step(instruction, values, arguments));
            }
            switch (block.end()) {
                case Terminator.Jump jump -> block = jump.target();
                case Terminator.Branch branch ->
                    block = whole(branch.condition(), values, arguments) != 0 ? branch.ifTrue() : branch.ifFalse();
                case Terminator.Switch choice ->
                    block = choice.cases()
                            .getOrDefault((int) whole(choice.value(), values, arguments), choice.otherwise());
                case Terminator.Return back -> {
                    top = frame;
                    return back.value() == null ? null : value(back.value(), values, arguments);
                }
                case Terminator.Fail fail -> throw new Failed(fail.message() + " at " + fail.said());
            }
        }
    }

    private Object value(Value value, Map<Integer, Object> values, List<Object> arguments) {
        return switch (value) {
            case Value.Int number -> number.value();
            case Value.Real number -> number.type() == Scalar.F32 ? (Object) (float) number.value() : number.value();
            case Value.Zero zero -> zero(zero.type());
            case Value.Parameter parameter -> arguments.get(parameter.index());
            case Value.AddressOf address -> globals.get(address.global().name());
            case Instruction instruction -> values.get(instruction.id());
        };
    }

    private static Object zero(Type type) {
        return switch (type) {
            case Scalar scalar when scalar == Scalar.F32 -> 0f;
            case Scalar scalar when scalar == Scalar.F64 -> 0.0;
            case Type.Struct struct ->
                struct.fields().stream().map(Interpreter::zero).toArray();
            default -> 0L;
        };
    }

    private long whole(Value value, Map<Integer, Object> values, List<Object> arguments) {
        return (Long) value(value, values, arguments);
    }

    private Object step(Instruction instruction, Map<Integer, Object> values, List<Object> arguments) {
        return switch (instruction) {
            case Instruction.Binary binary ->
                binary(
                        binary.op(),
                        (Scalar) binary.type(),
                        value(binary.left(), values, arguments),
                        value(binary.right(), values, arguments));
            case Instruction.Negate negate ->
                switch (value(negate.value(), values, arguments)) {
                    case Float number -> (Object) (-number);
                    case Double number -> (Object) (-number);
                    case Object number -> narrow((Scalar) negate.type(), -(Long) number);
                };
            case Instruction.Compare compare ->
                compare(
                                compare.op(),
                                value(compare.left(), values, arguments),
                                value(compare.right(), values, arguments))
                        ? 1L
                        : 0L;
            case Instruction.Order order -> {
                Object left = value(order.left(), values, arguments);
                Object right = value(order.right(), values, arguments);
                if (left instanceof Long a) {
                    yield (long) Long.compare(a, (Long) right);
                }
                double a = ((Number) left).doubleValue();
                double b = ((Number) right).doubleValue();
                yield a < b ? -1L : a > b ? 1L : a == b ? 0L : (long) order.ofNaN();
            }
            case Instruction.Convert convert -> convert(convert, value(convert.value(), values, arguments));
            case Instruction.Select select ->
                value(
                        whole(select.condition(), values, arguments) != 0 ? select.ifTrue() : select.ifFalse(),
                        values,
                        arguments);
            case Instruction.Alloca alloca ->
                allocate(alloca.allocated().bytes(), alloca.allocated().alignment());
            case Instruction.Load load -> {
                long at = whole(load.pointer(), values, arguments);
                aligned(at, load.alignment());
                yield load(load.type(), at);
            }
            case Instruction.Store store -> {
                long at = whole(store.pointer(), values, arguments);
                aligned(at, store.alignment());
                store(store.value().type(), at, value(store.value(), values, arguments));
                yield 0L;
            }
            case Instruction.Offset offset ->
                whole(offset.pointer(), values, arguments) + whole(offset.bytes(), values, arguments);
            case Instruction.Compose compose ->
                compose.fields().stream()
                        .map(field -> value(field, values, arguments))
                        .toArray();
            case Instruction.Extract extract ->
                ((Object[]) value(extract.struct(), values, arguments))[extract.field()];
            case Instruction.Call call -> run(call.callee(), all(call.arguments(), values, arguments));
            case Instruction.CallExternal call ->
                external(call.callee().symbol(), all(call.arguments(), values, arguments));
            case Instruction.Ptx ptx -> throw new IllegalStateException("cannot run " + ptx.text());
        };
    }

    private List<Object> all(List<Value> wanted, Map<Integer, Object> values, List<Object> arguments) {
        List<Object> all = new ArrayList<>();
        wanted.forEach(each -> all.add(value(each, values, arguments)));
        return all;
    }

    private static void aligned(long at, long alignment) {
        if (at % alignment != 0) {
            throw new IllegalStateException("address " + at + " is not aligned to " + alignment);
        }
    }

    private static long narrow(Scalar type, long value) {
        return switch (type) {
            case I1 -> value & 1;
            case I8 -> (byte) value;
            case I16 -> (short) value;
            case I32 -> (int) value;
            default -> value;
        };
    }

    private Object binary(Instruction.BinaryOp op, Scalar type, Object left, Object right) {
        if (left instanceof Float a) {
            float b = (Float) right;
            return switch (op) {
                case ADD -> a + b;
                case SUB -> a - b;
                case MUL -> a * b;
                case DIV -> a / b;
                case REM -> a % b;
                default -> throw new IllegalStateException(op + " of floats");
            };
        }
        if (left instanceof Double a) {
            double b = (Double) right;
            return switch (op) {
                case ADD -> a + b;
                case SUB -> a - b;
                case MUL -> a * b;
                case DIV -> a / b;
                case REM -> a % b;
                default -> throw new IllegalStateException(op + " of doubles");
            };
        }
        long a = (Long) left;
        long b = (Long) right;
        if (b == 0 && (op == Instruction.BinaryOp.DIV || op == Instruction.BinaryOp.REM)) {
            if (program.checked()) {
                throw new Failed("/ by zero");
            }
            return 0L;
        }
        boolean wide = type == Scalar.I64;
        return narrow(
                type,
                switch (op) {
                    case ADD -> a + b;
                    case SUB -> a - b;
                    case MUL -> a * b;
                    case DIV -> a / b;
                    case REM -> a % b;
                    case SHL -> wide ? a << b : (int) a << (int) b;
                    case SHR -> wide ? a >> b : (int) a >> (int) b;
                    case USHR -> wide ? a >>> b : (int) a >>> (int) b;
                    case AND -> a & b;
                    case OR -> a | b;
                    case XOR -> a ^ b;
                });
    }

    private static boolean compare(Instruction.Comparison op, Object left, Object right) {
        if (left instanceof Long a) {
            int order = Long.compare(a, (Long) right);
            return switch (op) {
                case EQ -> order == 0;
                case NE -> order != 0;
                case LT, ULT -> order < 0;
                case LE, ULE -> order <= 0;
                case GT, UGT -> order > 0;
                case GE, UGE -> order >= 0;
            };
        }
        double a = ((Number) left).doubleValue();
        double b = ((Number) right).doubleValue();
        return switch (op) {
            case EQ -> a == b;
            case NE -> a != b;
            case LT -> a < b;
            case LE -> a <= b;
            case GT -> a > b;
            case GE -> a >= b;
            case ULT -> !(a >= b);
            case ULE -> !(a > b);
            case UGT -> !(a <= b);
            case UGE -> !(a < b);
        };
    }

    private static Object convert(Instruction.Convert convert, Object value) {
        Type to = convert.type();
        return switch (convert.kind()) {
            case TRUNCATE -> narrow((Scalar) to, (Long) value);
            case SIGN_EXTEND, ADDRESS, SPACE -> value;
            case ZERO_EXTEND -> {
                int bits = ((Scalar) convert.value().type()).bits();
                yield (Long) value & (1L << bits) - 1;
            }
            case BITS ->
                switch (value) {
                    case Float number -> (Object) (long) Float.floatToRawIntBits(number);
                    case Double number -> (Object) Double.doubleToRawLongBits(number);
                    case Object bits when to == Scalar.F32 -> (Object) Float.intBitsToFloat((int) (long) (Long) bits);
                    case Object bits -> (Object) Double.longBitsToDouble((Long) bits);
                };
            case NUMBER ->
                switch ((Scalar) to) {
                    case F32 ->
                        value instanceof Long number ? (Object) (float) (long) number : ((Number) value).floatValue();
                    case F64 -> ((Number) value).doubleValue();
                    case I64 -> ((Number) value).longValue();
                    default ->
                        value instanceof Long number ? narrow((Scalar) to, number) : (long) ((Number) value).intValue();
                };
        };
    }

    Object load(Type type, long at) {
        int where = (int) at;
        return switch (type) {
            case Scalar scalar ->
                switch (scalar) {
                    case I1, I8 -> (Object) (long) memory.get(where);
                    case I16 -> (long) memory.getShort(where);
                    case I32 -> (long) memory.getInt(where);
                    case F32 -> memory.getFloat(where);
                    case F64 -> memory.getDouble(where);
                    default -> memory.getLong(where);
                };
            case Type.Struct struct -> {
                Object[] fields = new Object[struct.fields().size()];
                for (int i = 0; i < fields.length; i++) {
                    fields[i] = load(struct.fields().get(i), at + struct.offset(i));
                }
                yield fields;
            }
            default -> memory.getLong(where);
        };
    }

    void store(Type type, long at, Object value) {
        int where = (int) at;
        switch (type) {
            case Scalar scalar -> {
                switch (scalar) {
                    case I1, I8 -> memory.put(where, (byte) (long) (Long) value);
                    case I16 -> memory.putShort(where, (short) (long) (Long) value);
                    case I32 -> memory.putInt(where, (int) (long) (Long) value);
                    case F32 -> memory.putFloat(where, (Float) value);
                    case F64 -> memory.putDouble(where, (Double) value);
                    default -> memory.putLong(where, (Long) value);
                }
            }
            case Type.Struct struct -> {
                for (int i = 0; i < struct.fields().size(); i++) {
                    store(struct.fields().get(i), at + struct.offset(i), ((Object[]) value)[i]);
                }
            }
            default -> memory.putLong(where, (Long) value);
        }
    }

    private Object external(String symbol, List<Object> arguments) {
        Object first = arguments.getFirst();
        return switch (symbol) {
            case "llvm.ctpop.i32" -> (long) Integer.bitCount((int) (long) (Long) first);
            case "llvm.ctpop.i64" -> (long) Long.bitCount((Long) first);
            case "llvm.ctlz.i32" -> (long) Integer.numberOfLeadingZeros((int) (long) (Long) first);
            case "llvm.ctlz.i64" -> (long) Long.numberOfLeadingZeros((Long) first);
            case "llvm.cttz.i32" -> (long) Integer.numberOfTrailingZeros((int) (long) (Long) first);
            case "llvm.cttz.i64" -> (long) Long.numberOfTrailingZeros((Long) first);
            case "__nv_sqrtf" -> (float) Math.sqrt((Float) first);
            case "__nv_sqrt" -> Math.sqrt((Double) first);
            case "__nv_floor" -> Math.floor((Double) first);
            case "__nv_fabsf" -> Math.abs((Float) first);
            case "__nv_fabs" -> Math.abs((Double) first);
            case "__nv_pow" -> power((Double) first, (Double) arguments.get(1));
            // As the GPU does it: the number if one is NaN.
            case "__nv_fmaxf" -> {
                float b = (Float) arguments.get(1);
                yield Float.isNaN((Float) first) ? b : Float.isNaN(b) ? (Float) first : Math.max((Float) first, b);
            }
            case "__nv_fminf" -> {
                float b = (Float) arguments.get(1);
                yield Float.isNaN((Float) first) ? b : Float.isNaN(b) ? (Float) first : Math.min((Float) first, b);
            }
            case "__nv_fmax" -> {
                double b = (Double) arguments.get(1);
                yield Double.isNaN((Double) first) ? b : Double.isNaN(b) ? (Double) first : Math.max((Double) first, b);
            }
            case "__nv_fmin" -> {
                double b = (Double) arguments.get(1);
                yield Double.isNaN((Double) first) ? b : Double.isNaN(b) ? (Double) first : Math.min((Double) first, b);
            }
            case "vprintf" -> {
                printed.add(text((Long) first));
                yield 0L;
            }
            default -> throw new IllegalStateException("cannot call " + symbol);
        };
    }

    /** C's: 1 to whatever power is 1, and -1 to an infinite one, too. */
    private static double power(double base, double exponent) {
        return base == 1 || Math.abs(base) == 1 && Double.isInfinite(exponent) ? 1 : Math.pow(base, exponent);
    }

    private String text(long at) {
        StringBuilder text = new StringBuilder();
        for (int i = (int) at; memory.get(i) != 0; i++) {
            text.append((char) memory.get(i));
        }
        return text.toString();
    }
}
