// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.ir;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.comm4j.kernel.ir.Type.Scalar;
import org.jspecify.annotations.Nullable;

/**
 * Says what is wrong with a program, before a stage that would misunderstand it: types that do not fit, values used
 * where they do not exist, blocks without an end, recursion. A problem here is one of the compiler, not of its user.
 */
public final class Verifier {
    private static final Pattern NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");
    private static final Pattern SYMBOL = Pattern.compile("[A-Za-z_][A-Za-z0-9_.$]*");
    private static final int MOST = 50;

    private final Program program;
    private final List<String> problems = new ArrayList<>();
    private final Map<String, Global> globals = new HashMap<>();
    private final Map<String, External> externals = new HashMap<>();
    private final Set<Function> functions = new HashSet<>();

    private Function function;
    /** Of the function. */
    private Map<Integer, Home> homes = Map.of();

    private Dominators dominators = new Dominators(List.of());

    /** Where an instruction is. */
    private record Home(Instruction instruction, Block block, int place) {}

    private Verifier(Program program) {
        this.program = program;
        this.function = program.kernel();
    }

    /** Everything that is wrong, or an empty list. */
    public static List<String> problems(Program program) {
        Verifier verifier = new Verifier(program);
        verifier.program();
        return List.copyOf(verifier.problems);
    }

    /**
     * Returns if nothing is wrong.
     *
     * @throws IllegalStateException with everything that is wrong
     */
    public static void verify(Program program) {
        List<String> problems = problems(program);
        if (!problems.isEmpty()) {
            throw new IllegalStateException("kernel " + program.kernel() + ": the compiler made a wrong program ("
                    + problems.size() + " problems)\n  "
                    + String.join("\n  ", problems.subList(0, Math.min(MOST, problems.size()))));
        }
    }

    private void program() {
        Set<String> names = new HashSet<>();
        for (Global global : program.globals()) {
            name("global", global.name(), names);
            globals.put(global.name(), global);
            byte[] content = global.content();
            if (content != null && content.length != global.type().bytes()) {
                problem("global " + global.name() + " has " + content.length + " bytes of content, its type "
                        + global.type() + " has " + global.type().bytes());
            }
            if (content != null && global.space() == Type.Space.SHARED) {
                problem("global " + global.name() + " is shared memory, which has no content at first");
            }
            if (global.space() == Type.Space.LOCAL || global.space() == Type.Space.GENERIC) {
                problem("global " + global.name() + " cannot be in space " + global.space());
            }
            alignment(() -> "global " + global.name(), global.alignment());
            memory(() -> "global " + global.name(), global.type());
        }
        if (!program.kernel().isKernel()) {
            problem("kernel " + program.kernel() + " has nothing that makes it one");
        }
        if (program.kernel().result() != Scalar.VOID) {
            problem("kernel " + program.kernel() + " returns "
                    + program.kernel().result());
        }
        for (Function callee : program.functions()) {
            if (!functions.add(callee)) {
                problem("function " + callee + " is listed twice");
            }
            if (callee.isKernel()) {
                problem("function " + callee + " is a kernel, which cannot be called");
            }
        }
        List<Function> all = new ArrayList<>(program.functions());
        all.add(program.kernel());
        all.forEach(each -> name("function", each.name(), names));
        all.forEach(this::function);
        Set<Function> done = new HashSet<>();
        all.forEach(each -> recursion(each, new LinkedHashSet<>(), done));
        for (String symbol : externals.keySet()) {
            if (names.contains(symbol)) {
                problem("external " + symbol + " has the name of something in the module");
            }
        }
    }

    private void name(String what, String name, Set<String> names) {
        if (!NAME.matcher(name).matches()) {
            problem(what + " has the name '" + name + "'; letters, digits and underscores are possible");
        }
        if (!names.add(name)) {
            problem(what + " " + name + ": the name is taken");
        }
    }

    /** A call graph with a circle has no depth. */
    private void recursion(Function start, Set<Function> path, Set<Function> done) {
        if (done.contains(start)) {
            return;
        }
        if (!path.add(start)) {
            problem("recursion: " + path + " calls " + start);
            return;
        }
        for (Block block : start.blocks()) {
            for (Instruction instruction : block.instructions()) {
                if (instruction instanceof Instruction.Call call) {
                    recursion(call.callee(), path, done);
                }
            }
        }
        path.remove(start);
        done.add(start);
    }

    private void function(Function function) {
        this.function = function;
        List<Value.Parameter> parameters = function.parameters();
        Set<String> parameterNames = new HashSet<>();
        for (int i = 0; i < parameters.size(); i++) {
            if (parameters.get(i).index() != i) {
                problem(function + ": parameter " + i + " has number "
                        + parameters.get(i).index());
            }
            if (!parameterNames.add(parameters.get(i).name())) {
                problem(function + ": two parameters are called "
                        + parameters.get(i).name());
            }
            Value.Parameter parameter = parameters.get(i);
            value(() -> function + ": parameter " + parameter.name(), parameter.type());
        }
        if (function.blocks().isEmpty()) {
            problem(function + " has no blocks");
            return;
        }
        homes = new HashMap<>();
        Set<String> labels = new HashSet<>();
        boolean complete = true;
        for (Block block : function.blocks()) {
            if (!labels.add(block.label())) {
                problem(function + ": two blocks are called " + block);
            }
            if (!block.isComplete()) {
                problem(function + ": block " + block + " has no end");
                complete = false;
            }
            List<Instruction> instructions = block.instructions();
            for (int i = 0; i < instructions.size(); i++) {
                Instruction instruction = instructions.get(i);
                if (homes.put(instruction.id(), new Home(instruction, block, i)) != null) {
                    problem(function + ": two instructions have the number " + instruction.id());
                }
            }
        }
        if (!complete) {
            return;
        }
        Set<Block> blocks = new HashSet<>(function.blocks());
        for (Block block : function.blocks()) {
            for (Block next : Dominators.successors(block)) {
                if (!blocks.contains(next)) {
                    problem(function + ": block " + block + " goes to " + next + ", which is not in the function");
                    return;
                }
                if (next == function.blocks().getFirst()) {
                    problem(function + ": block " + block + " goes back to the first block");
                }
            }
        }
        dominators = new Dominators(function.blocks());
        for (Block block : function.blocks()) {
            List<Instruction> instructions = block.instructions();
            for (int i = 0; i < instructions.size(); i++) {
                new Context(block, i, instructions.get(i)).instruction(instructions.get(i));
            }
            new Context(block, instructions.size(), null).end(block.end());
        }
    }

    private void value(Supplier<String> where, Type type) {
        if (type == Scalar.VOID || type instanceof Type.Array) {
            problem(where.get() + " cannot be a value of type " + type);
        }
    }

    private void memory(Supplier<String> where, Type type) {
        switch (type) {
            case Scalar scalar -> {
                if (scalar == Scalar.VOID) {
                    problem(where.get() + ": memory cannot hold void");
                }
            }
            case Type.Pointer pointer -> {}
            case Type.Struct struct -> {
                if (struct.fields().isEmpty()) {
                    problem(where.get() + ": struct " + struct.name() + " has no fields");
                }
                struct.fields().forEach(field -> memory(where, field));
            }
            case Type.Array array -> {
                if (array.count() < 0) {
                    problem(where.get() + ": an array cannot have " + array.count() + " elements");
                }
                memory(where, array.element());
            }
        }
    }

    private void alignment(Supplier<String> where, long alignment) {
        if (alignment < 1 || Long.bitCount(alignment) != 1) {
            problem(where.get() + " has alignment " + alignment + ", which is no power of 2");
        }
    }

    private void problem(String text) {
        problems.add(text);
    }

    /** One instruction, or the end of a block. */
    private final class Context {
        private final Block block;
        private final int place;
        /** Null at the end. */
        private final @Nullable Instruction instruction;

        Context(Block block, int place, @Nullable Instruction instruction) {
            this.block = block;
            this.place = place;
            this.instruction = instruction;
        }

        private String text() {
            return function + ", block " + block + ", "
                    + (instruction == null ? "its end" : Printer.print(instruction));
        }

        private void wrong(String why) {
            problem(text() + ": " + why);
        }

        private void expect(boolean right, String why) {
            if (!right) {
                wrong(why);
            }
        }

        /** The value exists here. Globals and instructions are compared by identity: an equal one is another one. */
        @SuppressWarnings("ReferenceEquality")
        private Type use(Value value) {
            switch (value) {
                case Value.Int number -> {
                    int bits = number.type().bits();
                    boolean fits = number.type().isInteger()
                            && (bits == 64
                                    || (bits == 1
                                            ? number.value() >= -1 && number.value() <= 1
                                            : number.value() >= -(1L << (bits - 1))
                                                    && number.value() < 1L << (bits - 1)));
                    expect(fits, number.value() + " is no " + number.type());
                }
                case Value.Real number -> {
                    expect(number.type().isFloat(), number.type() + " is no floating-point type");
                    expect(
                            number.type() != Scalar.F32
                                    || Double.isNaN(number.value())
                                    || (float) number.value() == number.value(),
                            number.value() + " is no float");
                }
                case Value.Zero zero -> expect(zero.type() != Scalar.VOID, "there is no zero of type void");
                case Value.Parameter parameter ->
                    expect(
                            parameter.index() >= 0
                                    && parameter.index() < function.parameters().size()
                                    && function.parameters()
                                            .get(parameter.index())
                                            .equals(parameter),
                            "there is no parameter " + parameter.index() + " " + Printer.typed(parameter));
                case Value.AddressOf address ->
                    expect(
                            globals.get(address.global().name()) == address.global(),
                            "global " + address.global().name() + " is not in the program");
                case Instruction instruction -> {
                    Home home = homes.get(instruction.id());
                    if (home == null || home.instruction() != instruction) {
                        wrong("%" + instruction.id() + " is not in the function");
                    } else if (home.block() == block
                            ? home.place() >= place
                            : !dominators.dominates(home.block(), block)) {
                        wrong("%" + instruction.id() + " is not there yet");
                    } else if (instruction.type() == Scalar.VOID) {
                        wrong("%" + instruction.id() + " has no value");
                    }
                }
            }
            return value.type();
        }

        private void use(Value value, Type expected) {
            if (!use(value).equals(expected)) {
                wrong(Printer.typed(value) + " is no " + expected);
            }
        }

        private void arguments(String callee, List<Value> arguments, List<Type> expected) {
            if (arguments.size() != expected.size()) {
                wrong(callee + " has " + expected.size() + " parameters, but " + arguments.size()
                        + " arguments are given");
                return;
            }
            for (int i = 0; i < arguments.size(); i++) {
                use(arguments.get(i), expected.get(i));
            }
        }

        private void pointer(Value value) {
            if (!(use(value) instanceof Type.Pointer)) {
                wrong(Printer.typed(value) + " is no pointer");
            }
        }

        void instruction(Instruction instruction) {
            switch (instruction) {
                case Instruction.Binary binary -> binary(binary);
                case Instruction.Negate negate -> {
                    Type type = use(negate.value());
                    expect(type instanceof Scalar && type != Scalar.I1, type + " has no negative");
                }
                case Instruction.Compare compare -> {
                    Type type = use(compare.left());
                    use(compare.right(), type);
                    switch (compare.op()) {
                        case EQ, NE ->
                            expect(
                                    type instanceof Scalar || type instanceof Type.Pointer,
                                    type + " cannot be compared");
                        case LT, LE, GT, GE ->
                            expect(type instanceof Scalar && type != Scalar.I1, type + " has no order");
                        case ULT, ULE, UGT, UGE ->
                            expect(
                                    type instanceof Scalar scalar && scalar.isFloat(),
                                    "unordered comparisons are of floating-point numbers");
                    }
                }
                case Instruction.Order order -> {
                    Type type = use(order.left());
                    use(order.right(), type);
                    expect(type instanceof Scalar && type != Scalar.I1, type + " has no order");
                    expect(order.ofNaN() >= -1 && order.ofNaN() <= 1, "NaN makes " + order.ofNaN());
                }
                case Instruction.Convert convert -> convert(convert);
                case Instruction.Select select -> {
                    use(select.condition(), Scalar.I1);
                    use(select.ifFalse(), use(select.ifTrue()));
                }
                case Instruction.Alloca alloca -> {
                    expect(block == function.blocks().getFirst(), "not in the first block");
                    memory(this::text, alloca.allocated());
                }
                case Instruction.Load load -> {
                    pointer(load.pointer());
                    memory(this::text, load.type());
                    value(this::text, load.type());
                    alignment(this::text, load.alignment());
                }
                case Instruction.Store store -> {
                    value(this::text, use(store.value()));
                    pointer(store.pointer());
                    alignment(this::text, store.alignment());
                }
                case Instruction.Offset offset -> {
                    pointer(offset.pointer());
                    use(offset.bytes(), Scalar.I64);
                }
                case Instruction.Compose compose ->
                    arguments(
                            compose.type().name(),
                            compose.fields(),
                            compose.type().fields());
                case Instruction.Extract extract -> {
                    Type type = use(extract.struct());
                    expect(
                            type instanceof Type.Struct struct
                                    && extract.field() >= 0
                                    && extract.field() < struct.fields().size(),
                            type + " has no field " + extract.field());
                }
                case Instruction.Call call -> {
                    expect(functions.contains(call.callee()), call.callee() + " is not in the program");
                    arguments(
                            call.callee().name(),
                            call.arguments(),
                            call.callee().parameters().stream()
                                    .map(Value.Parameter::type)
                                    .toList());
                }
                case Instruction.CallExternal call -> {
                    External callee = call.callee();
                    expect(SYMBOL.matcher(callee.symbol()).matches(), "'" + callee.symbol() + "' is no symbol");
                    External known = externals.putIfAbsent(callee.symbol(), callee);
                    expect(
                            known == null || known.equals(callee),
                            callee.symbol() + " is declared differently elsewhere: " + callee + ", " + known);
                    arguments(callee.symbol(), call.arguments(), callee.parameters());
                }
                case Instruction.Ptx ptx -> ptx(ptx);
            }
        }

        private void binary(Instruction.Binary binary) {
            Type type = use(binary.left());
            if (!(type instanceof Scalar scalar)) {
                wrong(type + " is no number");
                return;
            }
            switch (binary.op()) {
                case ADD, SUB, MUL, DIV, REM -> {
                    use(binary.right(), type);
                    expect(scalar != Scalar.I1, "no arithmetic with i1");
                }
                case SHL, SHR, USHR -> {
                    use(binary.right(), Scalar.I32);
                    expect(scalar.isInteger() && scalar != Scalar.I1, type + " cannot be shifted");
                }
                case AND, OR, XOR -> {
                    use(binary.right(), type);
                    expect(scalar.isInteger(), type + " has no bits");
                }
            }
        }

        private void convert(Instruction.Convert convert) {
            Type from = use(convert.value());
            Type to = convert.type();
            boolean right = switch (convert.kind()) {
                case TRUNCATE -> integers(from, to) && bits(from) > bits(to);
                case SIGN_EXTEND, ZERO_EXTEND -> integers(from, to) && bits(from) < bits(to);
                case NUMBER -> number(from) && number(to);
                case BITS ->
                    from instanceof Scalar
                            && to instanceof Scalar
                            && from != Scalar.I1
                            && to != Scalar.I1
                            && from != Scalar.VOID
                            && from.bytes() == to.bytes();
                case ADDRESS ->
                    (from instanceof Type.Pointer && to == Scalar.I64)
                            || (from == Scalar.I64 && to instanceof Type.Pointer);
                case SPACE ->
                    from instanceof Type.Pointer one
                            && to instanceof Type.Pointer other
                            && (one.space() == Type.Space.GENERIC || other.space() == Type.Space.GENERIC);
            };
            expect(right, "no such conversion");
        }

        private static boolean integers(Type from, Type to) {
            return from instanceof Scalar one && to instanceof Scalar other && one.isInteger() && other.isInteger();
        }

        private static boolean number(Type type) {
            return type instanceof Scalar && type != Scalar.VOID && type != Scalar.I1;
        }

        private static int bits(Type type) {
            return ((Scalar) type).bits();
        }

        private void ptx(Instruction.Ptx ptx) {
            ptx.operands().forEach(this::use);
            int results = 0;
            int operands = 0;
            for (String constraint : ptx.constraints().split(",")) {
                if (constraint.startsWith("=")) {
                    results++;
                } else if (!constraint.startsWith("~") && !constraint.isEmpty()) {
                    operands++;
                }
            }
            int expected = ptx.type() == Scalar.VOID
                    ? 0
                    : ptx.type() instanceof Type.Struct struct ? struct.fields().size() : 1;
            expect(
                    results == expected && operands == ptx.operands().size(),
                    "the constraints are of " + results + " results and " + operands + " operands");
        }

        void end(Terminator end) {
            switch (end) {
                case Terminator.Jump jump -> expect(jump.unroll() >= -1, "unroll " + jump.unroll() + " times");
                case Terminator.Branch branch -> {
                    use(branch.condition(), Scalar.I1);
                    expect(branch.unroll() >= -1, "unroll " + branch.unroll() + " times");
                }
                case Terminator.Switch choice -> use(choice.value(), Scalar.I32);
                case Terminator.Return back -> {
                    @Nullable Value value = back.value();
                    if (value == null) {
                        expect(function.result() == Scalar.VOID, "returns nothing instead of " + function.result());
                    } else {
                        use(value, function.result());
                    }
                }
                case Terminator.Fail fail -> {}
            }
        }
    }
}
