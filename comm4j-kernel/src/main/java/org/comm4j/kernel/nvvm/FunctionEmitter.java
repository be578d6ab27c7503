// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.nvvm;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.comm4j.kernel.ir.Block;
import org.comm4j.kernel.ir.External;
import org.comm4j.kernel.ir.Function;
import org.comm4j.kernel.ir.Instruction;
import org.comm4j.kernel.ir.Instruction.Binary;
import org.comm4j.kernel.ir.Instruction.Comparison;
import org.comm4j.kernel.ir.Position;
import org.comm4j.kernel.ir.Terminator;
import org.comm4j.kernel.ir.Type;
import org.comm4j.kernel.ir.Type.Scalar;
import org.comm4j.kernel.ir.Value;
import org.comm4j.kernel.lang.Kernel;
import org.jspecify.annotations.Nullable;

/**
 * Writes a function. Names: {@code %v3} is instruction 3, {@code %p.n} parameter n, {@code %t4} something in between,
 * {@code %b.loop} a block. There are no phi nodes: what lives across blocks is memory.
 */
final class FunctionEmitter {
    private static final String DIVISION_BY_ZERO = "java.lang.ArithmeticException: / by zero";

    private static final External APPROXIMATE_DIVISION =
            new External("llvm.nvvm.div.approx.ftz.f", Scalar.F32, List.of(Scalar.F32, Scalar.F32), false, true);

    private final NvvmEmitter module;
    private final Function function;
    private final StringBuilder text;
    private final int subprogram;
    private final Map<Block, Integer> unroll;
    private final Map<Integer, String> parameters = new HashMap<>();
    private final Map<Block, String> labels = new HashMap<>();
    private final Negations negations;
    private final Counters counters;
    private final Indices indices;
    /** Loads of what the instruction before has loaded, and that instruction. */
    private final Map<Integer, Integer> repeated = new HashMap<>();

    private Position at;
    private @Nullable Position lastAt;
    /** What lines at {@link #lastAt} end with. */
    private String lastLine = "";

    private int temporaries;

    FunctionEmitter(NvvmEmitter module, Function function, StringBuilder text) {
        this.module = module;
        this.function = function;
        this.text = text;
        this.subprogram = module.metadata().subprogram(function);
        this.unroll = Loops.hints(function, module.meeting());
        this.at = function.at();
        this.negations = new Negations(function);
        this.counters = new Counters(function, module.program().math() == Kernel.Math.EXACT);
        this.indices = new Indices(module.program(), negations, counters, this::plain, this::temporary);
    }

    void write() {
        text.append("\ndefine ")
                .append(function.isKernel() ? "" : "internal ")
                .append(Llvm.type(function.result()))
                .append(" @")
                .append(function.name())
                .append(function.parameters().stream().map(this::parameter).collect(Collectors.joining(", ", "(", ")")))
                .append(function.isKernel() ? " nounwind convergent" : " nounwind convergent alwaysinline");
        if (subprogram >= 0) {
            text.append(" !dbg !").append(subprogram);
        }
        text.append(" {\n");
        boolean first = true;
        for (Block block : function.blocks()) {
            text.append(label(block)).append(":\n");
            if (first && function.isKernel()) {
                function.parameters().forEach(this::unpack);
            }
            first = false;
            Instruction before = null;
            indices.begin();
            for (Instruction instruction : block.instructions()) {
                at = instruction.at();
                if (before != null && repeats(before, instruction)) {
                    repeated.put(instruction.id(), before.id());
                }
                before = instruction;
                instruction(instruction);
                indices.follow(instruction);
            }
            at = block.end().at();
            end(block);
        }
        text.append("}\n");
    }

    // What a kernel's parameters are in memory becomes what values are.

    private String parameter(Value.Parameter parameter) {
        Type type = parameter.type();
        String name = "%p." + parameter.name().replaceAll("[^A-Za-z0-9_.]", "_");
        if (parameters.containsValue(name) || parameters.containsValue(name + ".value")) {
            name += "." + parameter.index();
        }
        if (!function.isKernel() || type != Scalar.I1) {
            parameters.put(parameter.index(), name);
            return Llvm.type(type) + (parameter.restrict() ? " noalias " : " ") + name;
        }
        parameters.put(parameter.index(), name + ".value");
        return Llvm.memory(type) + " " + name;
    }

    private void unpack(Value.Parameter parameter) {
        String value = String.valueOf(parameters.get(parameter.index()));
        if (parameter.type() == Scalar.I1) {
            line(value + " = icmp ne i8 " + value.substring(0, value.length() - ".value".length()) + ", 0");
        }
    }

    // Lines.

    private void line(String instruction) {
        if (!Objects.equals(at, lastAt)) {
            lastAt = at;
            lastLine = module.metadata().line(subprogram, function, at);
        }
        text.append("  ").append(instruction).append(lastLine).append('\n');
    }

    private String temporary(String instruction) {
        String name = "%t" + temporaries++;
        line(name + " = " + instruction);
        return name;
    }

    private String label(Block block) {
        return labels.computeIfAbsent(block, key -> "b." + key.label().replaceAll("[^A-Za-z0-9_.]", "_"));
    }

    private static String name(Instruction instruction) {
        return "%v" + instruction.id();
    }

    private void define(Instruction instruction, String text) {
        line(name(instruction) + " = " + text);
    }

    // Values.

    private String plain(Value value) {
        return switch (value) {
            case Value.Int number ->
                number.type() == Scalar.I1 ? (number.value() != 0 ? "true" : "false") : Long.toString(number.value());
            case Value.Real number -> real(number);
            case Value.Zero zero ->
                switch (zero.type()) {
                    case Scalar scalar -> scalar.isFloat() ? Llvm.real(0) : scalar == Scalar.I1 ? "false" : "0";
                    case Type.Pointer pointer -> "null";
                    case Type.Struct struct -> "zeroinitializer";
                    case Type.Array array -> "zeroinitializer";
                };
            case Value.Parameter parameter -> String.valueOf(parameters.get(parameter.index()));
            case Value.AddressOf address -> module.address(address.global());
            case Instruction instruction -> name(instruction);
        };
    }

    /**
     * NaN is moved by an instruction of PTX's own, so that libNVVM does not know it: of two variables that are the same
     * NaN it says that they are equal (13.0 to 13.5).
     */
    private String real(Value.Real number) {
        if (!Double.isNaN(number.value()) || !(number.type() == Scalar.F32 || number.type() == Scalar.F64)) {
            return Llvm.real(number.value());
        }
        return temporary(
                number.type() == Scalar.F32
                        ? "call float asm \"mov.f32 $0, 0f7FC00000;\", \"=f\"() nounwind readnone"
                        : "call double asm \"mov.f64 $0, 0d7FF8000000000000;\", \"=d\"() nounwind readnone");
    }

    private String typed(Value value) {
        return Llvm.type(value.type()) + " " + plain(value);
    }

    /** As it is in memory: an {@code I1} becomes a byte. */
    private String stored(Value value) {
        if (value.type() == Scalar.I1) {
            return "i8 " + temporary("zext i1 " + plain(value) + " to i8");
        }
        return typed(value);
    }

    private String fast() {
        return module.program().fast() ? "contract arcp " : "";
    }

    // Instructions.

    private void instruction(Instruction instruction) {
        Value hidden = negations.hidden(instruction);
        if (hidden != null) {
            String bits = instruction.type() == Scalar.I32 ? "32" : "64";
            String register = instruction.type() == Scalar.I32 ? "r" : "l";
            define(
                    instruction,
                    "call i" + bits + " asm \"neg.s" + bits + " $0, $1;\", \"=" + register + "," + register + "\"("
                            + typed(hidden) + ") nounwind readnone");
            return;
        }
        switch (instruction) {
            case Binary binary -> binary(binary);
            case Instruction.Negate negate -> {
                if (isFloat(negate.type())) {
                    define(
                            negate,
                            "fsub " + Llvm.type(negate.type()) + " " + Llvm.real(-0.0) + ", " + plain(negate.value()));
                } else {
                    define(negate, "sub " + Llvm.type(negate.type()) + " 0, " + plain(negate.value()));
                }
            }
            case Instruction.Compare compare -> compare(compare);
            case Instruction.Order order -> order(order);
            case Instruction.Convert convert -> convert(convert);
            case Instruction.Select select ->
                define(
                        select,
                        "select i1 " + plain(select.condition()) + ", " + typed(select.ifTrue()) + ", "
                                + typed(select.ifFalse()));
            case Instruction.Alloca alloca -> {
                String type = Llvm.memory(alloca.allocated());
                line(name(alloca) + ".m = alloca " + type + ", align "
                        + Math.max(alloca.allocated().alignment(), 1));
                define(alloca, "bitcast " + type + "* " + name(alloca) + ".m to i8*");
            }
            case Instruction.Load load -> load(load);
            case Instruction.Store store -> store(store);
            case Instruction.Offset offset ->
                define(
                        offset,
                        indices.offset(
                                plain(offset.pointer()), ((Type.Pointer) offset.type()).space(), offset.bytes()));
            case Instruction.Compose compose -> {
                String type = Llvm.memory(compose.type());
                String struct = "undef";
                int last = compose.fields().size() - 1;
                for (int i = 0; i <= last; i++) {
                    String insert = "insertvalue " + type + " " + struct + ", "
                            + stored(compose.fields().get(i)) + ", " + i;
                    if (i < last) {
                        struct = temporary(insert);
                    } else {
                        define(compose, insert);
                    }
                }
            }
            case Instruction.Extract extract -> {
                String take = "extractvalue " + typed(extract.struct()) + ", " + extract.field();
                if (extract.type() == Scalar.I1) {
                    define(extract, "icmp ne i8 " + temporary(take) + ", 0");
                } else {
                    define(extract, take);
                }
            }
            case Instruction.Call call ->
                call(
                        call,
                        "call " + Llvm.type(call.type()) + " @" + call.callee().name(),
                        call.arguments());
            case Instruction.CallExternal call -> external(call);
            case Instruction.Ptx ptx -> ptx(ptx);
        }
    }

    private void call(Instruction instruction, String callee, List<Value> arguments) {
        String call = callee + arguments.stream().map(this::typed).collect(Collectors.joining(", ", "(", ")"));
        if (instruction.type() == Scalar.VOID) {
            line(call);
        } else {
            define(instruction, call);
        }
    }

    /** A {@code bool} of CUDA C++ is a byte; intrinsics have bits. */
    private void external(Instruction.CallExternal call) {
        External callee = call.callee();
        if (NvvmEmitter.isAtomic(callee)) {
            atomic(call);
            return;
        }
        module.declare(callee);
        if (NvvmEmitter.isIntrinsic(callee)) {
            call(call, "call " + Llvm.type(call.type()) + " @" + callee.symbol(), call.arguments());
            return;
        }
        String text = "call " + Llvm.memory(call.type()) + " @" + callee.symbol()
                + call.arguments().stream().map(this::stored).collect(Collectors.joining(", ", "(", ")"));
        if (call.type() == Scalar.VOID) {
            line(text);
        } else if (call.type() == Scalar.I1) {
            define(call, "icmp ne i8 " + temporary(text) + ", 0");
        } else {
            define(call, text);
        }
    }

    /** The order that is written is the only one that is accepted; what becomes of it is relaxed. */
    private void atomic(Instruction.CallExternal call) {
        List<Value> arguments = call.arguments();
        String operands = arguments.subList(1, arguments.size()).stream()
                .map(each -> ", " + typed(each))
                .collect(Collectors.joining());
        String[] words = call.callee().symbol().split("\\.");
        String address = pointer(arguments.getFirst(), Llvm.memory(call.type()));
        if (words[0].equals("cmpxchg")) {
            String both = temporary("cmpxchg " + address + operands + " seq_cst seq_cst");
            define(call, "extractvalue { " + Llvm.type(call.type()) + ", i1 } " + both + ", 0");
        } else {
            define(call, "atomicrmw " + words[1] + " " + address + operands + " seq_cst");
        }
    }

    private static boolean isFloat(Type type) {
        return type instanceof Scalar scalar && scalar.isFloat();
    }

    private void binary(Binary binary) {
        Scalar type = (Scalar) binary.type();
        String left = plain(binary.left());
        switch (binary.op()) {
            case ADD, SUB, MUL -> {
                String op = binary.op().name().toLowerCase(Locale.ROOT);
                String flags = counters.isSafe(binary) ? " nsw " : " ";
                define(
                        binary,
                        (type.isFloat() ? "f" + op + " " + fast() : op + flags) + Llvm.type(type) + " " + left + ", "
                                + plain(binary.right()));
            }
            case AND, OR, XOR ->
                define(
                        binary,
                        binary.op().name().toLowerCase(Locale.ROOT) + " " + Llvm.type(type) + " " + left + ", "
                                + plain(binary.right()));
            case SHL -> define(binary, "shl " + Llvm.type(type) + " " + left + ", " + distance(binary, type));
            case SHR -> define(binary, "ashr " + Llvm.type(type) + " " + left + ", " + distance(binary, type));
            case USHR -> define(binary, "lshr " + Llvm.type(type) + " " + left + ", " + distance(binary, type));
            case DIV, REM -> {
                if (!type.isFloat()) {
                    divide(binary, type);
                } else if (binary.op() == Instruction.BinaryOp.DIV && isApproximate(binary)) {
                    module.declare(APPROXIMATE_DIVISION);
                    define(
                            binary,
                            "call float @" + APPROXIMATE_DIVISION.symbol() + "(" + typed(binary.left()) + ", "
                                    + typed(binary.right()) + ")");
                } else if (binary.op() == Instruction.BinaryOp.DIV) {
                    define(binary, "fdiv " + fast() + Llvm.type(type) + " " + left + ", " + plain(binary.right()));
                } else {
                    // frem is not exact on GPUs.
                    String symbol = type == Scalar.F32 ? "__nv_fmodf" : "__nv_fmod";
                    module.declare(new External(symbol, type, List.of(type, type), false, true));
                    define(
                            binary,
                            "call " + Llvm.type(type) + " @" + symbol + "(" + typed(binary.left()) + ", "
                                    + typed(binary.right()) + ")");
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
        String masked = temporary("and i32 " + plain(binary.right()) + ", " + mask);
        return switch (type) {
            case I32 -> masked;
            case I64 -> temporary("zext i32 " + masked + " to i64");
            default -> temporary("trunc i32 " + masked + " to " + Llvm.type(type));
        };
    }

    /**
     * LLVM leaves both a division by zero and MIN / −1 undefined. In Java the latter is MIN again. The former is an
     * error if the program is checked; if not, quotient and remainder are 0.
     */
    private void divide(Binary binary, Scalar type) {
        boolean quotient = binary.op() == Instruction.BinaryOp.DIV;
        String op = (quotient ? "sdiv " : "srem ") + Llvm.type(type) + " ";
        String left = plain(binary.left());
        String right = plain(binary.right());
        String llvm = Llvm.type(type);
        if (binary.right() instanceof Value.Int number && number.value() != 0 && number.value() != -1) {
            define(binary, op + left + ", " + right);
            return;
        }
        if (module.program().checked()) {
            String zero = temporary("icmp eq " + llvm + " " + right + ", 0");
            int number = temporaries++;
            line("br i1 " + zero + ", label %zero" + number + ", label %divide" + number);
            text.append("zero").append(number).append(":\n");
            fail(DIVISION_BY_ZERO, at);
            text.append("divide").append(number).append(":\n");
        }
        // −1 and 0 are the two divisors that become 0 and 1, unsigned, when 1 is added.
        String next = temporary("add " + llvm + " " + right + ", 1");
        String special = temporary("icmp ult " + llvm + " " + next + ", 2");
        String divisor = temporary("select i1 " + special + ", " + llvm + " 1, " + llvm + " " + right);
        if (!quotient) {
            define(binary, op + left + ", " + divisor);
            return;
        }
        String plain = temporary(op + left + ", " + divisor);
        // By 0 it is 0, by −1 the negative: what a multiplication by the divisor gives.
        String product = temporary("mul " + llvm + " " + left + ", " + right);
        define(binary, "select i1 " + special + ", " + llvm + " " + product + ", " + llvm + " " + plain);
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
    private void compare(Instruction.Compare compare) {
        Value left = compare.left();
        if (isFloat(left.type())
                && (compare.op() == Comparison.EQ || compare.op() == Comparison.NE)
                && identity(left).equals(identity(compare.right()))) {
            String op = compare.op() == Comparison.EQ ? "fcmp ord " : "fcmp uno ";
            define(compare, op + typed(left) + ", " + Llvm.real(0));
            return;
        }
        define(compare, comparison(compare.op(), left.type()) + " " + typed(left) + ", " + plain(compare.right()));
    }

    /** Returns what is the same for the same number: a load that repeats another is that one. */
    private Object identity(Value value) {
        return value instanceof Instruction instruction
                ? repeated.getOrDefault(instruction.id(), instruction.id())
                : plain(value);
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

    private void order(Instruction.Order order) {
        Type type = order.left().type();
        Comparison greater = isFloat(type) && order.ofNaN() > 0 ? Comparison.UGT : Comparison.GT;
        Comparison less = isFloat(type) && order.ofNaN() < 0 ? Comparison.ULT : Comparison.LT;
        String operands = typed(order.left()) + ", " + plain(order.right());
        String above = temporary(comparison(greater, type) + " " + operands);
        String below = temporary(comparison(less, type) + " " + operands);
        String one = temporary("zext i1 " + above + " to i32");
        String other = temporary("zext i1 " + below + " to i32");
        define(order, "sub i32 " + one + ", " + other);
    }

    // Conversions.

    private void convert(Instruction.Convert convert) {
        Type from = convert.value().type();
        Type to = convert.type();
        String value = typed(convert.value());
        String target = " to " + Llvm.type(to);
        switch (convert.kind()) {
            case TRUNCATE -> define(convert, "trunc " + value + target);
            case SIGN_EXTEND -> signExtend(convert, value);
            case ZERO_EXTEND -> define(convert, "zext " + value + target);
            case BITS -> define(convert, "bitcast " + value + target);
            case ADDRESS ->
                define(convert, (from instanceof Type.Pointer ? "ptrtoint " : "inttoptr ") + value + target);
            case SPACE -> define(convert, (from.equals(to) ? "bitcast " : "addrspacecast ") + value + target);
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
            define(convert, "ashr i32 " + temporary("shl " + typed(cast.value()) + ", 16") + ", 16");
        } else {
            define(convert, "sext " + value + " to " + Llvm.type(convert.type()));
        }
    }

    private void number(Instruction.Convert convert, Scalar from, Scalar to, String value) {
        String target = " to " + Llvm.type(to);
        if (from == to) {
            define(convert, "bitcast " + value + target);
        } else if (from.isFloat() && to.isFloat()) {
            define(convert, (to == Scalar.F64 ? "fpext " : "fptrunc ") + value + target);
        } else if (to.isFloat()) {
            define(convert, "sitofp " + value + target);
        } else if (!from.isFloat()) {
            define(convert, (from.bits() > to.bits() ? "trunc " : "sext ") + value + target);
        } else {
            // The hardware's conversion saturates; what it makes of NaN depends on the types.
            boolean wide = to == Scalar.I64;
            String symbol = "llvm.nvvm." + (from == Scalar.F64 ? "d2" : "f2") + (wide ? "ll" : "i") + ".rz";
            Scalar made = wide ? Scalar.I64 : Scalar.I32;
            module.declare(new External(symbol, made, List.of(from), false, true));
            String type = Llvm.type(made);
            String raw = temporary("call " + type + " @" + symbol + "(" + value + ")");
            String unordered = temporary("fcmp uno " + value + ", " + Llvm.real(0));
            String select = "select i1 " + unordered + ", " + type + " 0, " + type + " " + raw;
            if (made == to) {
                define(convert, select);
            } else {
                define(convert, "trunc " + type + " " + temporary(select) + target);
            }
        }
    }

    // Memory.

    private String access(Instruction.Access access) {
        return access == Instruction.Access.VOLATILE ? "volatile " : "";
    }

    /** A pointer with the type of what is there. */
    private String pointer(Value pointer, String type) {
        if (pointer instanceof Instruction.Alloca alloca
                && Llvm.memory(alloca.allocated()).equals(type)) {
            return type + "* " + name(alloca) + ".m";
        }
        String space = Llvm.space(((Type.Pointer) pointer.type()).space());
        return type + space + "* " + temporary("bitcast " + typed(pointer) + " to " + type + space + "*");
    }

    private void load(Instruction.Load load) {
        Vector vector = Vector.of(load.type(), load.alignment());
        if (vector != null) {
            String whole = temporary("load " + access(load.access()) + vector.memory() + ", "
                    + pointer(load.pointer(), vector.memory()) + ", align " + load.alignment());
            String lanes = vector.memory().equals(vector.lanes())
                    ? whole
                    : temporary("bitcast " + vector.memory() + " " + whole + " to " + vector.lanes());
            String struct = "undef";
            for (int i = 0; i < vector.paths().size(); i++) {
                String lane = temporary("extractelement " + vector.lanes() + " " + lanes + ", i32 " + i);
                String insert = "insertvalue " + Llvm.memory(load.type()) + " " + struct + ", "
                        + Llvm.memory(vector.element()) + " " + lane + ", "
                        + vector.paths().get(i);
                if (i < vector.paths().size() - 1) {
                    struct = temporary(insert);
                } else {
                    define(load, insert);
                }
            }
            return;
        }
        Words words = Words.of(load.type(), load.alignment());
        if (words != null) {
            String whole = temporary("load " + access(load.access()) + words.memory() + ", "
                    + pointer(load.pointer(), words.memory()) + ", align " + load.alignment());
            define(load, words.unpack(whole, Llvm.memory(load.type()), this::temporary));
            return;
        }
        String type = Llvm.memory(load.type());
        String text = "load " + access(load.access()) + type + ", " + pointer(load.pointer(), type) + ", align "
                + load.alignment();
        if (load.type() == Scalar.I1) {
            define(load, "icmp ne i8 " + temporary(text) + ", 0");
        } else {
            define(load, text);
        }
    }

    private void store(Instruction.Store store) {
        Type type = store.value().type();
        Vector vector = Vector.of(type, store.alignment());
        Words words = vector == null ? Words.of(type, store.alignment()) : null;
        if (words != null) {
            line("store " + access(store.access()) + words.memory() + " "
                    + words.pack(typed(store.value()), this::temporary) + ", "
                    + pointer(store.pointer(), words.memory()) + ", align " + store.alignment());
            return;
        }
        if (vector == null) {
            String value = stored(store.value());
            line("store " + access(store.access()) + value + ", " + pointer(store.pointer(), Llvm.memory(type))
                    + ", align " + store.alignment());
            return;
        }
        String lanes = "undef";
        for (int i = 0; i < vector.paths().size(); i++) {
            String field = temporary("extractvalue " + typed(store.value()) + ", "
                    + vector.paths().get(i));
            lanes = temporary("insertelement " + vector.lanes() + " " + lanes + ", " + Llvm.memory(vector.element())
                    + " " + field + ", i32 " + i);
        }
        String whole = vector.memory().equals(vector.lanes())
                ? lanes
                : temporary("bitcast " + vector.lanes() + " " + lanes + " to " + vector.memory());
        line("store " + access(store.access()) + vector.memory() + " " + whole + ", "
                + pointer(store.pointer(), vector.memory()) + ", align " + store.alignment());
    }

    // PTX.

    private static List<String> constraints(Instruction.Ptx ptx, boolean results) {
        List<String> those = new ArrayList<>();
        for (String constraint : ptx.constraints().split(",")) {
            if (!constraint.isEmpty() && !constraint.startsWith("~") && constraint.startsWith("=") == results) {
                those.add(constraint.replaceAll("[=&+]", ""));
            }
        }
        return those;
    }

    /** Registers have 16 bits at least: smaller values go in and out wider. */
    private static String register(Type type, String constraint) {
        if (type == Scalar.I1 || type == Scalar.I8 || (type == Scalar.I16 && constraint.equals("r"))) {
            return constraint.equals("h") ? "i16" : "i32";
        }
        return Llvm.memory(type);
    }

    private String operand(Value value, String constraint) {
        String register = register(value.type(), constraint);
        if (value.type() instanceof Type.Pointer && constraint.equals("r")) {
            return "i32 " + temporary("ptrtoint " + typed(value) + " to i32");
        }
        if (register.equals(Llvm.type(value.type())) || value instanceof Value.Int) {
            return register + " " + (value instanceof Value.Int number ? Long.toString(number.value()) : plain(value));
        }
        return register + " "
                + temporary((value.type() == Scalar.I1 ? "zext " : "sext ") + typed(value) + " to " + register);
    }

    private void ptx(Instruction.Ptx ptx) {
        List<String> in = constraints(ptx, false);
        List<String> out = constraints(ptx, true);
        List<String> operands = new ArrayList<>();
        for (int i = 0; i < ptx.operands().size(); i++) {
            operands.add(operand(ptx.operands().get(i), in.get(i)));
        }
        List<Type> fields = ptx.type() instanceof Type.Struct struct
                ? struct.fields()
                : ptx.type() == Scalar.VOID ? List.of() : List.of(ptx.type());
        List<String> registers = new ArrayList<>();
        for (int i = 0; i < fields.size(); i++) {
            registers.add(register(fields.get(i), out.get(i)));
        }
        String result = ptx.type() instanceof Type.Struct && fields.size() > 1
                ? "{ " + String.join(", ", registers) + " }"
                : registers.isEmpty() ? "void" : registers.getFirst();
        String call = "call " + result + " asm " + (ptx.effects() ? "sideeffect " : "") + "\""
                + Llvm.escape(ptx.text()) + "\", \"" + ptx.constraints() + "\"("
                + String.join(", ", operands) + ")" + (ptx.convergent() ? " convergent" : "")
                + (ptx.effects() ? " nounwind" : " nounwind readnone");
        if (fields.isEmpty()) {
            line(call);
        } else if (!(ptx.type() instanceof Type.Struct struct)) {
            if (result.equals(Llvm.type(ptx.type()))) {
                define(ptx, call);
            } else {
                define(ptx, narrow(ptx.type(), result, temporary(call), Llvm.type(ptx.type())));
            }
        } else {
            String whole = temporary(call);
            String made = "undef";
            for (int i = 0; i < fields.size(); i++) {
                String field =
                        fields.size() == 1 ? whole : temporary("extractvalue " + result + " " + whole + ", " + i);
                String memory = Llvm.memory(fields.get(i));
                if (fields.get(i) == Scalar.I1) {
                    field = temporary(
                            "zext i1 " + temporary("icmp ne " + registers.get(i) + " " + field + ", 0") + " to i8");
                } else if (!memory.equals(registers.get(i))) {
                    field = temporary("trunc " + registers.get(i) + " " + field + " to " + memory);
                }
                String insert =
                        "insertvalue " + Llvm.memory(struct) + " " + made + ", " + memory + " " + field + ", " + i;
                if (i < fields.size() - 1) {
                    made = temporary(insert);
                } else {
                    define(ptx, insert);
                }
            }
        }
    }

    private static String narrow(Type type, String register, String value, String target) {
        return type == Scalar.I1
                ? "icmp ne " + register + " " + value + ", 0"
                : "trunc " + register + " " + value + " to " + target;
    }

    // Ends.

    private void fail(String message, Position said) {
        module.declare(
                "__assertfail", "declare void @__assertfail(i8*, i8*, i32, i8*, i64) nounwind noreturn convergent");
        line("call void @__assertfail(i8* " + module.string(message) + ", i8* " + module.string(said.file()) + ", i32 "
                + said.line() + ", i8* " + module.string(said.method()) + ", i64 1)");
        // So that the assembler sees no way on from here to whatever block comes next.
        line("call void asm sideeffect \"exit;\", \"\"() noreturn nounwind");
        line("unreachable");
    }

    private void end(Block block) {
        Integer hint = unroll.get(block);
        String loop = hint == null ? "" : module.metadata().loop(hint);
        switch (block.end()) {
            case Terminator.Jump jump -> line("br label %" + label(jump.target()) + loop);
            case Terminator.Branch branch ->
                line("br i1 " + plain(branch.condition()) + ", label %" + label(branch.ifTrue()) + ", label %"
                        + label(branch.ifFalse()) + loop);
            case Terminator.Switch choice ->
                line("switch " + typed(choice.value()) + ", label %" + label(choice.otherwise())
                        + choice.cases().entrySet().stream()
                                .map(each -> "i32 " + each.getKey() + ", label %" + label(each.getValue()))
                                .collect(Collectors.joining(" ", " [", "]"))
                        + loop);
            case Terminator.Return back -> {
                Value value = back.value();
                line(value == null ? "ret void" : "ret " + typed(value));
            }
            case Terminator.Fail fail -> fail(fail.message(), fail.said());
        }
    }
}
