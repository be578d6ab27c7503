// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.frontend;

import java.lang.classfile.Instruction;
import java.lang.classfile.Label;
import java.lang.classfile.MethodModel;
import java.lang.classfile.Opcode;
import java.lang.classfile.TypeKind;
import java.lang.classfile.attribute.CodeAttribute;
import java.lang.classfile.instruction.ArrayLoadInstruction;
import java.lang.classfile.instruction.ArrayStoreInstruction;
import java.lang.classfile.instruction.BranchInstruction;
import java.lang.classfile.instruction.ConstantInstruction;
import java.lang.classfile.instruction.ConvertInstruction;
import java.lang.classfile.instruction.DiscontinuedInstruction;
import java.lang.classfile.instruction.FieldInstruction;
import java.lang.classfile.instruction.IncrementInstruction;
import java.lang.classfile.instruction.InvokeDynamicInstruction;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.classfile.instruction.LoadInstruction;
import java.lang.classfile.instruction.LookupSwitchInstruction;
import java.lang.classfile.instruction.MonitorInstruction;
import java.lang.classfile.instruction.NewMultiArrayInstruction;
import java.lang.classfile.instruction.NewObjectInstruction;
import java.lang.classfile.instruction.NewPrimitiveArrayInstruction;
import java.lang.classfile.instruction.NewReferenceArrayInstruction;
import java.lang.classfile.instruction.NopInstruction;
import java.lang.classfile.instruction.OperatorInstruction;
import java.lang.classfile.instruction.ReturnInstruction;
import java.lang.classfile.instruction.StackInstruction;
import java.lang.classfile.instruction.StoreInstruction;
import java.lang.classfile.instruction.SwitchCase;
import java.lang.classfile.instruction.TableSwitchInstruction;
import java.lang.classfile.instruction.ThrowInstruction;
import java.lang.classfile.instruction.TypeCheckInstruction;
import java.lang.constant.ClassDesc;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Set;
import org.comm4j.kernel.frontend.ControlFlowGraph.Node;
import org.comm4j.kernel.frontend.JavaType.Primitive;
import org.comm4j.kernel.ir.Block;
import org.comm4j.kernel.ir.Instruction.BinaryOp;
import org.comm4j.kernel.ir.Instruction.Comparison;
import org.comm4j.kernel.ir.Instruction.Conversion;
import org.comm4j.kernel.ir.Position;
import org.comm4j.kernel.ir.Terminator;
import org.comm4j.kernel.ir.Type;
import org.comm4j.kernel.ir.Type.Scalar;
import org.comm4j.kernel.ir.Value;
import org.jspecify.annotations.Nullable;

/**
 * Turns one method into one function. Here are the operand stack, the local variables and the branches; the other
 * instructions are in {@link Arithmetic}, {@link Arrays}, {@link Fields}, {@link Calls} and {@link Lambdas}.
 */
final class Translator {
    private record Place(int slot, Type type) {}

    final Compilation compilation;
    final Class<?> owner;
    final IrBuilder emit;
    final ControlFlowGraph flow;
    private final String method;
    private final String file;
    private final @Nullable Position calledAt;
    private final Arithmetic arithmetic;
    final Arrays arrays;
    private final Fields fields;
    private final Calls calls;
    private final Lambdas lambdas;
    private final Patterns patterns;

    private List<Operand> stack = new ArrayList<>();
    private List<@Nullable JavaType> locals = new ArrayList<>();
    /** Variables that are set once: what they were set to. */
    private final Map<Integer, Operand> fixed = new HashMap<>();
    /** The same for what is no number. */
    private final Map<Integer, Operand> fixedReferences = new HashMap<>();

    private final Map<Place, Value> variables = new HashMap<>();
    private final Map<Place, Value> spilled = new HashMap<>();
    private final Set<Integer> parameterSlots = new HashSet<>();
    private final Map<Node, Integer> unrolls = new HashMap<>();
    private final Map<Integer, List<Operand>> printed = new HashMap<>();
    private final PriorityQueue<Node> open = new PriorityQueue<>(Comparator.comparingInt((Node node) -> node.order));
    private @Nullable JavaType result;
    /** Of a constructor: where the record is. */
    private @Nullable Operand self;

    /** Whether a switch over patterns has been reported, whose casts then make no sense. */
    private boolean hasPatterns;

    /** Variables that are null on some way. */
    private final Set<Integer> nulls = new HashSet<>();

    private @Nullable Node node;
    private int index;

    /** Where values of several records meet, as what. */
    private final Map<Unions.Meeting, JavaType.Union> meetings;

    /** @param calledAt of a library's method: the line of the user's code that errors in it name */
    Translator(
            Compilation compilation,
            Class<?> owner,
            MethodModel model,
            CodeAttribute code,
            @Nullable Position calledAt,
            Map<Unions.Meeting, JavaType.Union> meetings) {
        this.compilation = compilation;
        this.meetings = meetings;
        this.calledAt = calledAt;
        this.owner = owner;
        this.method =
                owner.getName().substring(owner.getName().lastIndexOf('.') + 1).replace('$', '.') + "."
                        + model.methodName().stringValue();
        this.file = compilation.sourceFile(owner);
        this.flow = new ControlFlowGraph(model, code);
        this.emit = new IrBuilder(new Position(file, method, flow.line(0)), calledAt);
        this.arithmetic = new Arithmetic(this);
        this.arrays = new Arrays(this);
        this.fields = new Fields(this);
        this.calls = new Calls(this);
        this.lambdas = new Lambdas(this);
        this.patterns = new Patterns(this);
    }

    /** The line that errors name in a library's method that is called here. */
    Position calling() {
        return calledAt == null ? emit.at() : calledAt;
    }

    /** What a method has become. */
    record Translated(List<Block> blocks, JavaType result) {}

    /**
     * @param arguments the parameters' values as they are at the beginning, {@code this} of an instance method among
     *     them
     * @param constructed of a constructor: the record; {@code this} is not among the arguments then
     */
    Translated translate(List<Operand> arguments, JavaType.@Nullable Record constructed) {
        int slots = 0;
        if (constructed != null) {
            self = new Operand(new JavaType.Self(constructed), emit.alloca(constructed.value(), "this"));
            emit.storeFirst(new Value.Zero(constructed.value()), self.value());
            parameterSlots.add(0);
            slots = 1;
            fixed.put(0, self);
            locals.add(self.type());
        }
        for (Operand argument : arguments) {
            JavaType type = argument.type().onStack();
            parameterSlots.add(slots);
            set(slots, type);
            if (flow.stores(slots) == 0 || !argument.type().isStored()) {
                fixed.put(slots, new Operand(type, argument.value()));
            } else {
                emit.storeFirst(argument.value(), variable(slots, type));
            }
            slots += argument.isWide() ? 2 : 1;
        }
        if (flow.handlers && !hasMonitor()) {
            problem(
                    "try/catch is not available on the GPU",
                    "test for what can go wrong before; an exception ends the kernel");
        }
        Node first = flow.at(0);
        first.frame = new Frame(locals, List.of());
        Block body = emit.block("line" + flow.line(0));
        first.block = body;
        open.add(first);
        while (!open.isEmpty()) {
            translate(open.remove());
        }
        JavaType type = result == null ? Primitive.VOID : result;
        return new Translated(emit.finish(body), constructed != null ? constructed : type);
    }

    private boolean hasMonitor() {
        return flow.code.stream().anyMatch(MonitorInstruction.class::isInstance);
    }

    private void translate(Node next) {
        node = next;
        next.translated = true;
        Frame frame = next.frame;
        Block block = next.block;
        if (frame == null || block == null) {
            throw new IllegalStateException("nothing leads to instruction " + next.start);
        }
        emit.at(position(next.start));
        emit.begin(block);
        locals = new ArrayList<>(frame.locals());
        for (int slot = 0; slot < locals.size(); slot++) {
            if (!flow.isLive(next, slot)) {
                locals.set(slot, null);
            }
        }
        stack = new ArrayList<>();
        for (int depth = 0; depth < frame.stack().size(); depth++) {
            JavaType type = frame.stack().get(depth);
            stack.add(
                    type.isStored()
                            ? new Operand(type, emit.load(type.value(), spill(depth, type)))
                            : Operand.of(type));
            Value known = next.constants.get(depth);
            if (known != null) {
                stack.set(depth, new Operand(type, known));
            }
        }
        for (index = next.start; index < next.end; index++) {
            emit.at(position(index));
            instruction(flow.code.get(index));
        }
        if (emit.isOpen()) {
            leave(flow.at(next.end));
        }
    }

    // Where we are

    private Position position(int at) {
        return calledAt != null && compilation.isHostVocabulary(owner)
                ? calledAt
                : new Position(file, method, flow.line(at));
    }

    StackTraceElement place() {
        String name = method.substring(method.lastIndexOf('.') + 1);
        return new StackTraceElement(
                owner.getName(), name, file.isEmpty() ? null : file, emit.at().line());
    }

    /** Reports what is wrong at this line; the translation goes on, to find the rest. */
    void problem(String message, @Nullable String hint) {
        compilation.problems.add(place(), message, hint);
    }

    void problem(Types.UnsupportedType why) {
        problem(why.reason(), why.hint());
    }

    void hasPatterns() {
        hasPatterns = true;
    }

    int index() {
        return index;
    }

    /** The instruction after this one, if it runs always next. */
    @Nullable
    Instruction following() {
        return node != null && index + 1 < node.end ? flow.code.get(index + 1) : null;
    }

    /** Goes on behind the following instruction, which is done already. */
    void skip() {
        index++;
        emit.at(position(index));
    }

    /** The order of the node in which an instruction is. */
    private int orderOf(int instruction) {
        for (int i = instruction; i >= 0; i--) {
            Node found = flow.starting(i);
            if (found != null) {
                return found.order;
            }
        }
        return -1;
    }

    /** What {@code Unroll} says of the loop that we are in. */
    void unroll(int times) {
        ControlFlowGraph.Loop loop = node == null ? null : flow.loop(node);
        if (loop == null) {
            problem("Unroll is not in a loop", "make it the first statement of the loop's body");
        } else {
            unrolls.put(loop.header(), times);
        }
    }

    // The stack

    void push(Operand operand) {
        stack.add(operand);
    }

    void push(JavaType type, Value value) {
        stack.add(new Operand(type.onStack(), value));
    }

    Operand pop() {
        return stack.removeLast();
    }

    Operand peek() {
        return stack.getLast();
    }

    /** In the order in which they were pushed. */
    List<Operand> pop(int count) {
        List<Operand> top = stack.subList(stack.size() - count, stack.size());
        List<Operand> popped = new ArrayList<>(top);
        top.clear();
        return popped;
    }

    /** After a constructor: what {@code new} has made becomes the value, wherever it is. */
    void replace(JavaType.Uninitialised made, Operand by) {
        stack.replaceAll(operand -> operand.type().equals(made) ? by : operand);
        for (int slot = 0; slot < locals.size(); slot++) {
            if (made.equals(locals.get(slot))) {
                locals.set(slot, by.type());
                fixed.put(slot, by);
            }
        }
    }

    private Value spill(int depth, JavaType type) {
        return spilled.computeIfAbsent(new Place(depth, type.value()), p -> emit.alloca(p.type(), "stack" + depth));
    }

    private void stack(StackInstruction instruction) {
        int size = stack.size();
        boolean wide = size > 0 && stack.get(size - 1).isWide();
        boolean wideBelow = size > 1 && stack.get(size - 2).isWide();
        switch (instruction.opcode()) {
            case POP -> pop();
            case POP2 -> pop(wide ? 1 : 2);
            case DUP -> push(peek());
            case DUP_X1 -> insert(1, 1);
            case DUP_X2 -> insert(1, wideBelow ? 1 : 2);
            case DUP2 -> insert(wide ? 1 : 2, 0);
            case DUP2_X1 -> insert(wide ? 1 : 2, 1);
            case DUP2_X2 -> {
                int count = wide ? 1 : 2;
                insert(count, stack.get(size - count - 1).isWide() ? 1 : 2);
            }
            case SWAP -> {
                List<Operand> two = pop(2);
                push(two.get(1));
                push(two.get(0));
            }
            default -> throw new IllegalStateException("unknown " + instruction);
        }
    }

    /** Copies the upper {@code count} operands below the {@code under} that are under them. */
    private void insert(int count, int under) {
        List<Operand> copied = List.copyOf(stack.subList(stack.size() - count, stack.size()));
        stack.addAll(stack.size() - count - under, copied);
    }

    /** What has been stored into the arguments of a {@code printf}. */
    List<Operand> arguments(JavaType.Arguments array) {
        return printed.computeIfAbsent(array.site(), site -> new ArrayList<>());
    }

    /** Whether the top is an index into the arguments of a {@code printf}. */
    boolean isPrinted() {
        return stack.size() >= 2 && stack.get(stack.size() - 2).type() instanceof JavaType.Arguments;
    }

    /** Whether the top will be the message of an exception, of which the constant part is enough. */
    boolean isMessage() {
        return !stack.isEmpty()
                && peek().type() instanceof JavaType.Uninitialised made
                && Throwable.class.isAssignableFrom(made.of())
                && following() instanceof InvokeInstruction next
                && next.name().equalsString("<init>");
    }

    // Local variables

    private void set(int slot, @Nullable JavaType type) {
        while (locals.size() <= slot) {
            locals.add(null);
        }
        locals.set(slot, type);
    }

    private Value variable(int slot, JavaType type) {
        return variables.computeIfAbsent(
                new Place(slot, type.value()), p -> emit.alloca(p.type(), flow.name(slot, index)));
    }

    private void load(int slot) {
        JavaType type = slot < locals.size() ? locals.get(slot) : null;
        if (type == null && nulls.contains(slot)) {
            problem(
                    "variable " + flow.name(slot, index) + " can be null here; values on the GPU are never null",
                    "use a boolean beside it, or a value that stands for none");
            push(Operand.unknown());
            return;
        }
        if (type == null) {
            problem(
                    "variable " + flow.name(slot, index)
                            + " can be one of several lambdas, strings or kinds of value here; the GPU has no way to"
                            + " tell",
                    "decide with if or switch and use each of them there");
            push(Operand.unknown());
            return;
        }
        Operand known =
                type instanceof Primitive ? fixed.get(slot) : fixedReferences.getOrDefault(slot, fixed.get(slot));
        if (known != null && known.type().equals(type)) {
            push(known);
        } else if (type.isStored()) {
            push(type, emit.load(type.value(), variable(slot, type)));
        } else {
            push(Operand.of(type));
        }
    }

    private void store(int slot, boolean isReference) {
        Operand value = pop();
        if (value.type() instanceof JavaType.Self made) {
            value = record(value, made);
        }
        set(slot, value.type());
        if (value.isWide()) {
            set(slot + 1, null);
        }
        Map<Integer, Operand> once = isReference ? fixedReferences : fixed;
        if ((isReference ? flow.references(slot) : flow.stores(slot)) == 1 && !parameterSlots.contains(slot)) {
            once.put(slot, value);
            return;
        }
        once.remove(slot);
        if (value.type().isStored()) {
            emit.store(value.value(), variable(slot, value.type()));
        }
    }

    /** The whole of a record that is in the memory of its constructor. */
    Operand record(Operand operand, JavaType.Self made) {
        return new Operand(made.record(), emit.load(made.record().value(), operand.value()));
    }

    private void increment(IncrementInstruction instruction) {
        Value variable = variable(instruction.slot(), Primitive.INT);
        Value old = emit.load(Scalar.I32, variable);
        emit.store(emit.binary(BinaryOp.ADD, old, IrBuilder.i32(instruction.constant())), variable);
    }

    // Branches

    /** The block of a node that this one leads to, which learns what it begins with. */
    private Block edge(Node target) {
        List<JavaType> types = new ArrayList<>(stack.stream().map(Operand::type).toList());
        List<@Nullable JavaType> locals = this.locals;
        if (!meetings.isEmpty()) {
            locals = new ArrayList<>(locals);
            meet(target, types, locals);
        }
        Frame known = target.frame;
        Block block = target.block;
        if (known == null || block == null) {
            target.frame = new Frame(locals, types);
            stack.forEach(operand -> target.constants.add(operand.isConstant() ? operand.value() : null));
            block = emit.block("line" + flow.line(target.start));
            target.block = block;
            open.add(target);
            return block;
        }
        for (int slot = 0; slot < known.locals().size(); slot++) {
            JavaType there = known.locals().get(slot);
            JavaType here = slot < locals.size() ? locals.get(slot) : null;
            if (there == null || !flow.isLive(target, slot)) {
                continue;
            }
            JavaType merged = Frame.merge(there, here);
            if (merged == null && here != null) {
                meetAs(new Unions.Meeting(target.start, slot), there, here);
            }
            if (merged == null && (there == JavaType.Other.NULL || here == JavaType.Other.NULL)) {
                nulls.add(slot);
            }
            if (!target.translated) {
                known.locals().set(slot, merged);
            } else if (merged == null && here != null) {
                problem(
                        "variable " + flow.name(slot, target.start)
                                + " is another lambda, string or kind of value in the next round of the loop",
                        "decide with if or switch and use each of them there");
            } else if (here instanceof JavaType.Array array
                    && array.sites().stream().anyMatch(site -> orderOf(site) >= target.order)) {
                problem(
                        "the array that is made in the loop is still used in the next round, when its memory is used"
                                + " again",
                        "make the arrays before the loop");
            }
        }
        for (int depth = 0; depth < types.size(); depth++) {
            JavaType there = known.stack().get(depth);
            JavaType merged = Frame.merge(there, types.get(depth));
            if (merged == null) {
                meetAs(new Unions.Meeting(target.start, -1 - depth), there, types.get(depth));
                problem(
                        "a value that is " + kind(there) + " or " + kind(types.get(depth))
                                + ": which it is must be known when the kernel is compiled",
                        "decide with if or switch and use each of them there");
                merged = JavaType.Other.UNKNOWN;
            }
            if (!target.translated) {
                known.stack().set(depth, merged);
                if (!stack.get(depth).value().equals(target.constants.get(depth))) {
                    target.constants.set(depth, null);
                }
            }
        }
        return block;
    }

    /** Makes unions of what is one of several records at a node. */
    private void meet(Node target, List<JavaType> types, List<@Nullable JavaType> locals) {
        Unions unions = new Unions(this);
        for (int depth = 0; depth < types.size(); depth++) {
            JavaType.Union union = meetings.get(new Unions.Meeting(target.start, -1 - depth));
            if (union != null) {
                Operand wrapped = unions.wrap(union, stack.get(depth));
                types.set(depth, wrapped.type());
                emit.store(wrapped.value(), spill(depth, wrapped.type()));
            }
        }
        for (int slot = 0; slot < locals.size(); slot++) {
            JavaType.Union union = meetings.get(new Unions.Meeting(target.start, slot));
            if (union != null
                    && (locals.get(slot) instanceof JavaType.Record || locals.get(slot) instanceof JavaType.Union)) {
                load(slot);
                Operand wrapped = unions.wrap(union, pop());
                locals.set(slot, wrapped.type());
                emit.store(wrapped.value(), variable(slot, wrapped.type()));
            }
        }
    }

    /** Has the method read again if two types that meet are records of one sealed interface. */
    private void meetAs(Unions.Meeting where, JavaType one, JavaType other) {
        JavaType.Union union = compilation.types.union(one, other);
        if (union != null && !union.equals(meetings.put(where, union))) {
            throw new Unions.Restart();
        }
    }

    private static String kind(JavaType type) {
        return switch (type) {
            case JavaType.Closure closure ->
                closure.code().methodName().startsWith("lambda$")
                        ? "a lambda"
                        : "a reference to " + closure.code().methodName();
            case JavaType.Text text -> '"' + text.text() + '"';
            default -> "a " + type;
        };
    }

    /** What is on the stack when the block ends, for the next. */
    private void spill() {
        for (int depth = 0; depth < stack.size(); depth++) {
            Operand operand = stack.get(depth);
            if (operand.type().isStored()) {
                emit.store(operand.value(), spill(depth, operand.type()));
            }
        }
    }

    private int unrollOf(Node target) {
        return node != null && target.order <= node.order ? unrolls.getOrDefault(target, 0) : 0;
    }

    private void leave(Node target) {
        spill();
        emit.jump(edge(target), unrollOf(target));
    }

    /** Goes on at the target if the condition holds, else with the next instruction. */
    void branch(Value condition, BranchInstruction instruction) {
        Node yes = flow.at(instruction.target());
        Node no = flow.at(index + 1);
        if (condition instanceof Value.Int known) {
            leave(known.value() != 0 ? yes : no);
        } else if (yes == no) {
            leave(yes);
        } else {
            spill();
            Block ifTrue = edge(yes);
            Block ifFalse = edge(no);
            emit.branch(condition, ifTrue, ifFalse, unrollOf(yes) != 0 ? unrollOf(yes) : unrollOf(no));
        }
    }

    private void branch(BranchInstruction instruction) {
        switch (instruction.opcode()) {
            case GOTO, GOTO_W -> leave(flow.at(instruction.target()));
            case IFEQ -> branch(arithmetic.not(emit.truth(pop().value())), instruction);
            case IFNE -> branch(emit.truth(pop().value()), instruction);
            case IFLT -> branch(emit.compare(Comparison.LT, pop().value(), IrBuilder.i32(0)), instruction);
            case IFGE -> branch(emit.compare(Comparison.GE, pop().value(), IrBuilder.i32(0)), instruction);
            case IFGT -> branch(emit.compare(Comparison.GT, pop().value(), IrBuilder.i32(0)), instruction);
            case IFLE -> branch(emit.compare(Comparison.LE, pop().value(), IrBuilder.i32(0)), instruction);
            case IF_ICMPEQ -> branch(compare(Comparison.EQ), instruction);
            case IF_ICMPNE -> branch(compare(Comparison.NE), instruction);
            case IF_ICMPLT -> branch(compare(Comparison.LT), instruction);
            case IF_ICMPGE -> branch(compare(Comparison.GE), instruction);
            case IF_ICMPGT -> branch(compare(Comparison.GT), instruction);
            case IF_ICMPLE -> branch(compare(Comparison.LE), instruction);
            case IF_ACMPEQ -> branch(same(true), instruction);
            case IF_ACMPNE -> branch(same(false), instruction);
            case IFNULL -> branch(isNull(true), instruction);
            case IFNONNULL -> branch(isNull(false), instruction);
            default -> throw new IllegalStateException("unknown " + instruction);
        }
    }

    private Value compare(Comparison op) {
        List<Operand> two = pop(2);
        return emit.compare(op, two.get(0).value(), two.get(1).value());
    }

    /** {@code ==} of references: enums have an identity, values have none. */
    private Value same(boolean equal) {
        List<Operand> two = pop(2);
        if (two.get(0).type() instanceof JavaType.Enumeration && two.get(1).type() instanceof JavaType.Enumeration) {
            return emit.compare(
                    equal ? Comparison.EQ : Comparison.NE,
                    two.get(0).value(),
                    two.get(1).value());
        }
        if (!two.get(0).isUnknown() && !two.get(1).isUnknown()) {
            problem(
                    two.get(0).type() + " == " + two.get(1).type() + ": only enums and numbers can be compared with ==",
                    "compare components, or the addresses of pointers");
        }
        return new Value.Zero(Scalar.I1);
    }

    private Value isNull(boolean yes) {
        Operand operand = pop();
        if (operand.type() instanceof JavaType.Pointer) {
            Value address = emit.convert(Conversion.ADDRESS, operand.value(), Scalar.I64);
            return emit.compare(yes ? Comparison.EQ : Comparison.NE, address, IrBuilder.i64(0));
        }
        return IrBuilder.i1(yes == (operand.type() == JavaType.Other.NULL));
    }

    private void choose(Label otherwise, List<SwitchCase> cases) {
        Operand selector = pop();
        Map<Integer, Node> targets = new LinkedHashMap<>();
        for (SwitchCase each : cases) {
            if (selector.type() instanceof JavaType.Mapped mapped) {
                for (int ordinal = 0; ordinal < mapped.map().size(); ordinal++) {
                    if (mapped.map().get(ordinal) == each.caseValue()) {
                        targets.put(ordinal, flow.at(each.target()));
                    }
                }
            } else if (!(selector.type() instanceof JavaType.Chosen chosen)
                    || chosen.possible().contains(each.caseValue())) {
                targets.put(each.caseValue(), flow.at(each.target()));
            }
        }
        Long known = selector.constant();
        Node last = flow.at(otherwise);
        if (known != null) {
            leave(targets.getOrDefault(known.intValue(), last));
            return;
        }
        spill();
        Map<Integer, Block> blocks = new LinkedHashMap<>();
        targets.forEach((value, target) -> {
            if (target != last) {
                blocks.put(value, edge(target));
            }
        });
        emit.end(new Terminator.Switch(emit.at(), selector.value(), blocks, edge(last)));
    }

    private void back(ReturnInstruction instruction) {
        if (self != null) {
            if (self.type() instanceof JavaType.Self made) {
                emit.end(new Terminator.Return(emit.at(), record(self, made).value()));
            }
            return;
        }
        if (instruction.typeKind() == TypeKind.VOID) {
            emit.end(new Terminator.Return(emit.at(), null));
            return;
        }
        Operand value = pop();
        if (value.type() instanceof JavaType.Self made) {
            value = record(value, made);
        }
        if (outlives(value.type())) {
            problem(
                    "an array is returned from the method that makes it, whose memory ends there",
                    "make it in the caller and pass it");
        }
        JavaType.Union common = meetings.get(Unions.Meeting.RESULT);
        if (common != null) {
            value = new Unions(this).wrap(common, value);
        }
        JavaType type = result == null ? value.type() : Frame.merge(result, value.type());
        if (type == null) {
            if (result != null) {
                meetAs(Unions.Meeting.RESULT, result, value.type());
            }
            problem(
                    "the method returns " + result + " or " + value.type()
                            + "; lambdas, strings and kinds of value must be known when the kernel is compiled",
                    null);
            type = JavaType.Other.UNKNOWN;
        }
        result = type;
        emit.end(new Terminator.Return(emit.at(), value.type().isStored() ? value.value() : null));
    }

    private static boolean outlives(JavaType type) {
        return switch (type) {
            case JavaType.Array array -> !array.sites().isEmpty();
            case JavaType.Closure closure -> closure.captured().stream().anyMatch(Translator::outlives);
            default -> false;
        };
    }

    private void fail() {
        Operand thrown = pop();
        String message;
        if (thrown.type() instanceof JavaType.Failure failure) {
            message = failure.of().getSimpleName() + (failure.message().isEmpty() ? "" : ": " + failure.message());
        } else {
            if (!thrown.isUnknown()) {
                problem("what is thrown is not known when the kernel is compiled", "throw new ...(\"a constant\")");
            }
            message = "exception";
        }
        emit.fail(message);
    }

    // One instruction

    private void instruction(Instruction instruction) {
        switch (instruction) {
            case LoadInstruction load -> load(load.slot());
            case StoreInstruction store -> store(store.slot(), store.typeKind() == TypeKind.REFERENCE);
            case IncrementInstruction increment -> increment(increment);
            case ConstantInstruction constant -> fields.constant(constant.constantValue());
            case StackInstruction operation -> stack(operation);
            case BranchInstruction branch -> branch(branch);
            case TableSwitchInstruction choice -> choose(choice.defaultTarget(), choice.cases());
            case LookupSwitchInstruction choice -> choose(choice.defaultTarget(), choice.cases());
            case ReturnInstruction back -> back(back);
            case ThrowInstruction failure -> fail();
            case OperatorInstruction operator when operator.opcode() == Opcode.ARRAYLENGTH -> arrays.length();
            case OperatorInstruction operator -> arithmetic.operator(operator);
            case ConvertInstruction convert -> arithmetic.convert(convert);
            case ArrayLoadInstruction load -> arrays.load();
            case ArrayStoreInstruction store -> arrays.store();
            case NewPrimitiveArrayInstruction made -> arrays.make(Primitive.of(made.typeKind()));
            case NewReferenceArrayInstruction made ->
                arrays.make(made.componentType().asSymbol());
            case NewMultiArrayInstruction made -> arrays.make(made);
            case FieldInstruction field -> fields.access(field);
            case NewObjectInstruction made -> calls.make(made.className().asSymbol());
            case InvokeInstruction invoke -> calls.invoke(invoke);
            case InvokeDynamicInstruction dynamic -> lambdas.invoke(dynamic, patterns);
            case TypeCheckInstruction check when check.opcode() == Opcode.CHECKCAST -> cast(check);
            case TypeCheckInstruction check -> patterns.isInstance(check);
            case MonitorInstruction monitor when monitor.opcode() == Opcode.MONITOREXIT -> pop();
            case MonitorInstruction monitor -> {
                pop();
                problem(
                        "synchronized is not available on the GPU",
                        "use atomics, or Block.sync() between writing and reading");
            }
            case NopInstruction nop -> {}
            case DiscontinuedInstruction old -> throw new IllegalStateException("unknown " + instruction);
            default -> throw new IllegalStateException("unknown " + instruction);
        }
    }

    /** What something is, is known better here than the cast does; it has to be right. */
    private void cast(TypeCheckInstruction check) {
        Operand operand = peek();
        if (operand.type() instanceof JavaType.Union union) {
            try {
                Class<?> wanted = compilation.types.load(check.type().asSymbol(), owner);
                push(new Unions(this).cast(union, pop(), wanted));
            } catch (ClassNotFoundException missing) {
                problem("the class " + check.type().asSymbol().displayName() + " is not there", null);
            }
            return;
        }
        Class<?> is = switch (operand.type()) {
            case JavaType.Record made -> made.of();
            case JavaType.Pointer pointer -> pointer.of();
            case JavaType.Enumeration constant -> constant.of();
            case JavaType.Closure closure -> closure.type();
            default -> null;
        };
        if (is == null) {
            return;
        }
        ClassDesc wanted = check.type().asSymbol();
        try {
            if (!compilation.types.load(wanted, owner).isAssignableFrom(is)) {
                pop();
                push(Operand.unknown());
                if (!hasPatterns) {
                    problem(
                            "a " + is.getSimpleName() + " is not a "
                                    + wanted.displayName().replace('$', '.'),
                            "values are what they were made as");
                }
            }
        } catch (ClassNotFoundException missing) {
            problem("the class " + wanted.displayName() + " is not there", null);
        }
    }
}
