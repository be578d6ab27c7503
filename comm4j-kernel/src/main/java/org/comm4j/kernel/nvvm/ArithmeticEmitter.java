// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.nvvm;

import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.comm4j.kernel.ir.External;
import org.comm4j.kernel.ir.Instruction;
import org.comm4j.kernel.ir.Instruction.Binary;
import org.comm4j.kernel.ir.Instruction.Comparison;
import org.comm4j.kernel.ir.Type;
import org.comm4j.kernel.ir.Type.Scalar;
import org.comm4j.kernel.ir.Value;
import org.jspecify.annotations.Nullable;

/** Writes arithmetic, comparisons and conversions with Java's results, where LLVM leaves them undefined, too. */
final class ArithmeticEmitter {
    private static final String DIVISION_BY_ZERO = "java.lang.ArithmeticException: / by zero";

    private static final External APPROXIMATE_DIVISION =
            new External("llvm.nvvm.div.approx.ftz.f", Scalar.F32, List.of(Scalar.F32, Scalar.F32), false, true);

    private final NvvmEmitter module;
    private final FunctionText text;
    private final Counters counters;
    /** Loads of what the instruction before has loaded, and that instruction. */
    private final Map<Integer, Integer> repeated = new HashMap<>();

    ArithmeticEmitter(NvvmEmitter module, FunctionText text, Counters counters) {
        this.module = module;
        this.text = text;
        this.counters = counters;
    }

    /** Notes whether an instruction repeats the one before. */
    void follow(@Nullable Instruction before, Instruction instruction) {
        if (before != null && repeats(before, instruction)) {
            repeated.put(instruction.id(), before.id());
        }
    }

    static boolean isFloat(Type type) {
        return type instanceof Scalar scalar && scalar.isFloat();
    }

    void binary(Binary binary) {
        Scalar type = (Scalar) binary.type();
        String left = text.plain(binary.left());
        switch (binary.op()) {
            case ADD, SUB, MUL -> {
                String op = binary.op().name().toLowerCase(Locale.ROOT);
                String flags = counters.isSafe(binary) ? " nsw " : " ";
                text.define(
                        binary,
                        (type.isFloat() ? "f" + op + " " + fast() : op + flags) + Llvm.type(type) + " " + left + ", "
                                + text.plain(binary.right()));
            }
            case AND, OR, XOR ->
                text.define(
                        binary,
                        binary.op().name().toLowerCase(Locale.ROOT) + " " + Llvm.type(type) + " " + left + ", "
                                + text.plain(binary.right()));
            case SHL -> text.define(binary, "shl " + Llvm.type(type) + " " + left + ", " + distance(binary, type));
            case SHR -> text.define(binary, "ashr " + Llvm.type(type) + " " + left + ", " + distance(binary, type));
            case USHR -> text.define(binary, "lshr " + Llvm.type(type) + " " + left + ", " + distance(binary, type));
            case DIV, REM -> {
                if (!type.isFloat()) {
                    divide(binary, type);
                } else if (binary.op() == Instruction.BinaryOp.DIV && isApproximate(binary)) {
                    module.declare(APPROXIMATE_DIVISION);
                    text.define(
                            binary,
                            "call float @" + APPROXIMATE_DIVISION.symbol() + "(" + text.typed(binary.left()) + ", "
                                    + text.typed(binary.right()) + ")");
                } else if (binary.op() == Instruction.BinaryOp.DIV) {
                    text.define(
                            binary,
                            "fdiv " + fast() + Llvm.type(type) + " " + left + ", " + text.plain(binary.right()));
                } else {
                    // frem is not exact on GPUs.
                    String symbol = type == Scalar.F32 ? "__nv_fmodf" : "__nv_fmod";
                    module.declare(new External(symbol, type, List.of(type, type), false, true));
                    text.define(
                            binary,
                            "call " + Llvm.type(type) + " @" + symbol + "(" + text.typed(binary.left()) + ", "
                                    + text.typed(binary.right()) + ")");
                }
            }
        }
    }

    /**
     * Whether a quotient is nvcc's {@code __fdividef}. libNVVM's own fast division scales large divisors. The inverse,
     * also that of a root, stays a division, which libNVVM makes a single instruction.
     */
    private boolean isApproximate(Binary quotient) {
        return module.program().fast()
                && quotient.type() == Scalar.F32
                && !(quotient.left() instanceof Value.Real number && number.value() == 1);
    }

    /** Java takes the distance's low bits; LLVM calls anything beyond the width undefined. */
    private String distance(Binary binary, Scalar type) {
        int mask = type.bits() - 1;
        if (binary.right() instanceof Value.Int number) {
            return Long.toString(number.value() & mask);
        }
        String masked = text.temporary("and i32 " + text.plain(binary.right()) + ", " + mask);
        return switch (type) {
            case I32 -> masked;
            case I64 -> text.temporary("zext i32 " + masked + " to i64");
            default -> text.temporary("trunc i32 " + masked + " to " + Llvm.type(type));
        };
    }

    /**
     * LLVM leaves both a division by zero and MIN / −1 undefined. In Java the latter is MIN again. The former is an
     * error if the program is checked; if not, quotient and remainder are 0.
     */
    private void divide(Binary binary, Scalar type) {
        boolean quotient = binary.op() == Instruction.BinaryOp.DIV;
        String op = (quotient ? "sdiv " : "srem ") + Llvm.type(type) + " ";
        String left = text.plain(binary.left());
        String right = text.plain(binary.right());
        String llvm = Llvm.type(type);
        if (binary.right() instanceof Value.Int number && number.value() != 0 && number.value() != -1) {
            text.define(binary, op + left + ", " + right);
            return;
        }
        if (module.program().checked()) {
            String zero = text.temporary("icmp eq " + llvm + " " + right + ", 0");
            int number = text.unique();
            text.line("br i1 " + zero + ", label %zero" + number + ", label %divide" + number);
            text.mark("zero" + number);
            text.fail(DIVISION_BY_ZERO, text.at());
            text.mark("divide" + number);
        }
        // −1 and 0 are the two divisors that become 0 and 1, unsigned, when 1 is added.
        String next = text.temporary("add " + llvm + " " + right + ", 1");
        String special = text.temporary("icmp ult " + llvm + " " + next + ", 2");
        String divisor = text.temporary("select i1 " + special + ", " + llvm + " 1, " + llvm + " " + right);
        if (!quotient) {
            text.define(binary, op + left + ", " + divisor);
            return;
        }
        String plain = text.temporary(op + left + ", " + divisor);
        // By 0 it is 0, by −1 the negative: what a multiplication by the divisor gives.
        String product = text.temporary("mul " + llvm + " " + left + ", " + right);
        text.define(binary, "select i1 " + special + ", " + llvm + " " + product + ", " + llvm + " " + plain);
    }

    /** {@code icmp slt}, {@code fcmp olt}, … */
    private static String comparison(Comparison op, Type type) {
        String name = op.name().toLowerCase(Locale.ROOT);
        if (isFloat(type)) {
            return "fcmp " + (op == Comparison.NE ? "une" : name.startsWith("u") ? name : "o" + name);
        }
        return "icmp " + (op == Comparison.EQ || op == Comparison.NE ? name : "s" + name);
    }

    /**
     * Emits a comparison. One of a number with itself asks whether it is NaN, and becomes a comparison with 0.
     * libNVVM (13.0 to 13.5) leaves NaN + 1 and the like as constant expressions, and takes such a one for equal to
     * itself.
     */
    void compare(Instruction.Compare compare) {
        Value left = compare.left();
        if (isFloat(left.type())
                && (compare.op() == Comparison.EQ || compare.op() == Comparison.NE)
                && identity(left).equals(identity(compare.right()))) {
            String op = compare.op() == Comparison.EQ ? "fcmp ord " : "fcmp uno ";
            text.define(compare, op + text.typed(left) + ", " + Llvm.real(0));
            return;
        }
        text.define(
                compare,
                comparison(compare.op(), left.type()) + " " + text.typed(left) + ", " + text.plain(compare.right()));
    }

    /** Returns what is the same for the same number: a load that repeats another is that one. */
    private Object identity(Value value) {
        return value instanceof Instruction instruction
                ? repeated.getOrDefault(instruction.id(), instruction.id())
                : text.plain(value);
    }

    /** Whether both load the same variable. The caller knows that nothing is between them. */
    private static boolean repeats(Instruction before, Instruction instruction) {
        return before instanceof Instruction.Load first
                && instruction instanceof Instruction.Load second
                && first.pointer() instanceof Instruction.Alloca one
                && second.pointer() instanceof Instruction.Alloca other
                && one.id() == other.id()
                && first.type().equals(second.type());
    }

    void order(Instruction.Order order) {
        Type type = order.left().type();
        Comparison greater = isFloat(type) && order.ofNaN() > 0 ? Comparison.UGT : Comparison.GT;
        Comparison less = isFloat(type) && order.ofNaN() < 0 ? Comparison.ULT : Comparison.LT;
        String operands = text.typed(order.left()) + ", " + text.plain(order.right());
        String above = text.temporary(comparison(greater, type) + " " + operands);
        String below = text.temporary(comparison(less, type) + " " + operands);
        String one = text.temporary("zext i1 " + above + " to i32");
        String other = text.temporary("zext i1 " + below + " to i32");
        text.define(order, "sub i32 " + one + ", " + other);
    }

    void convert(Instruction.Convert convert) {
        Type from = convert.value().type();
        Type to = convert.type();
        String value = text.typed(convert.value());
        String target = " to " + Llvm.type(to);
        switch (convert.kind()) {
            case TRUNCATE -> text.define(convert, "trunc " + value + target);
            case SIGN_EXTEND -> signExtend(convert, value);
            case ZERO_EXTEND -> text.define(convert, "zext " + value + target);
            case BITS -> text.define(convert, "bitcast " + value + target);
            case ADDRESS ->
                text.define(convert, (from instanceof Type.Pointer ? "ptrtoint " : "inttoptr ") + value + target);
            case SPACE -> text.define(convert, (from.equals(to) ? "bitcast " : "addrspacecast ") + value + target);
            case NUMBER -> number(convert, (Scalar) from, (Scalar) to, value);
        }
    }

    /**
     * Emits a sign extension. The cast of an {@code int} to {@code short} becomes shifts. A negation before it would
     * else become PTX's {@code neg.s16}, and ptxas (13.0) leaves out the extension after it: {@code (short) -s} of
     * -32768 would be 32768.
     */
    private void signExtend(Instruction.Convert convert, String value) {
        if (convert.type() == Scalar.I32
                && convert.value() instanceof Instruction.Convert cast
                && cast.kind() == Instruction.Conversion.TRUNCATE
                && cast.type() == Scalar.I16
                && cast.value().type() == Scalar.I32) {
            text.define(convert, "ashr i32 " + text.temporary("shl " + text.typed(cast.value()) + ", 16") + ", 16");
        } else {
            text.define(convert, "sext " + value + " to " + Llvm.type(convert.type()));
        }
    }

    private void number(Instruction.Convert convert, Scalar from, Scalar to, String value) {
        String target = " to " + Llvm.type(to);
        if (from == to) {
            text.define(convert, "bitcast " + value + target);
        } else if (from.isFloat() && to.isFloat()) {
            text.define(convert, (to == Scalar.F64 ? "fpext " : "fptrunc ") + value + target);
        } else if (to.isFloat()) {
            text.define(convert, "sitofp " + value + target);
        } else if (!from.isFloat()) {
            text.define(convert, (from.bits() > to.bits() ? "trunc " : "sext ") + value + target);
        } else {
            // The hardware's conversion saturates; what it makes of NaN depends on the types.
            boolean wide = to == Scalar.I64;
            String symbol = "llvm.nvvm." + (from == Scalar.F64 ? "d2" : "f2") + (wide ? "ll" : "i") + ".rz";
            Scalar made = wide ? Scalar.I64 : Scalar.I32;
            module.declare(new External(symbol, made, List.of(from), false, true));
            String type = Llvm.type(made);
            String raw = text.temporary("call " + type + " @" + symbol + "(" + value + ")");
            String unordered = text.temporary("fcmp uno " + value + ", " + Llvm.real(0));
            String select = "select i1 " + unordered + ", " + type + " 0, " + type + " " + raw;
            if (made == to) {
                text.define(convert, select);
            } else {
                text.define(convert, "trunc " + type + " " + text.temporary(select) + target);
            }
        }
    }

    private String fast() {
        return module.program().fast() ? "contract arcp " : "";
    }
}
