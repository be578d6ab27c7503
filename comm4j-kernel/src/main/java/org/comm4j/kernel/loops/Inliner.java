// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.loops;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.comm4j.kernel.ir.Block;
import org.comm4j.kernel.ir.Function;
import org.comm4j.kernel.ir.Instruction;
import org.comm4j.kernel.ir.Position;
import org.comm4j.kernel.ir.Terminator;
import org.comm4j.kernel.ir.Type;
import org.comm4j.kernel.ir.Value;
import org.comm4j.kernel.loops.Leaf.Plain;
import org.comm4j.kernel.loops.Leaf.Pointer;
import org.jspecify.annotations.Nullable;

/** Writes what one call of a function does into a flat program. */
final class Inliner {
    /** Where a call comes back to, and with what. */
    record Returned(Part last, List<Leaf> result) {}

    private final Flattener flat;
    private final Addresses addresses;
    private final Function function;
    private final List<List<Leaf>> given;
    private final Map<Integer, List<Leaf>> values = new HashMap<>();
    private final Map<Block, Part> starts = new HashMap<>();
    private final Map<Integer, Local> locals;
    private final List<Position> calls;
    /** Of blocks that an index outside leads to, it and the length. */
    private final Map<Block, List<Val>> outside = new HashMap<>();

    private Part part;

    /** @param calls that lead to it, the innermost first */
    Inliner(Flattener flat, Function function, List<List<Leaf>> given, List<Position> calls) {
        this.calls = calls;
        this.flat = flat;
        this.addresses = new Addresses(flat, this);
        this.function = function;
        this.given = given;
        this.locals = Local.of(flat, function);
        this.part = new Part(-1, calls);
    }

    /** @param outer the calls around the place that it returns to */
    Returned translate(Part first, List<Position> outer) {
        List<Block> blocks = ordered();
        starts.put(blocks.getFirst(), first);
        blocks.stream().skip(1).forEach(block -> starts.put(block, flat.part(calls)));
        long returns = blocks.stream()
                .filter(block -> block.end() instanceof Terminator.Return)
                .count();
        List<Op.Variable> results = new ArrayList<>();
        Part after = flat.part(outer);
        List<Leaf> only = List.of();
        for (Block block : blocks) {
            part = part(block);
            block.instructions().forEach(this::step);
            switch (block.end()) {
                case Terminator.Jump jump -> part.end(new Part.End.Jump(part(jump.target())));
                case Terminator.Branch branch -> branch(branch);
                case Terminator.Switch choice -> {
                    Map<Integer, Part> cases = new LinkedHashMap<>();
                    choice.cases().forEach((key, target) -> cases.put(key, part(target)));
                    part.end(new Part.End.Choice(number(choice.value()), cases, part(choice.otherwise())));
                }
                case Terminator.Fail fail ->
                    part.end(new Part.End.Fail(fail.said(), fail.message(), outside.getOrDefault(block, List.of())));
                case Terminator.Return back -> {
                    List<Leaf> leaves = back.value() == null ? List.of() : leaves(back.value());
                    if (returns == 1) {
                        only = leaves;
                    } else {
                        store(results, leaves);
                    }
                    part.end(new Part.End.Jump(after));
                }
            }
        }
        if (returns == 0) {
            only = nothing(function.result());
        }
        return new Returned(after, returns <= 1 ? only : load(after, results));
    }

    /** What a check of an index compares. */
    private List<Val> indexAndLength(Value condition) {
        return switch (condition) {
            case Instruction.Compare compare
            when compare.op() == Instruction.Comparison.LT ->
                List.of(number(plain(compare.left())), number(plain(compare.right())));
            case Instruction.Binary binary
            when binary.op() == Instruction.BinaryOp.AND
                    && binary.right() instanceof Instruction.Compare compare
                    && compare.op() == Instruction.Comparison.LT -> indexAndLength(compare);
            default -> List.of();
        };
    }

    /** Without what makes comparisons those of unsigned numbers. */
    private static Value plain(Value number) {
        return switch (number) {
            case Instruction.Binary binary when binary.op() == Instruction.BinaryOp.XOR -> binary.left();
            case Instruction.Convert convert
            when convert.kind() == Instruction.Conversion.ZERO_EXTEND -> convert.value();
            default -> number;
        };
    }

    /** What a function gives that never returns. */
    private static List<Leaf> nothing(Type type) {
        return type == Type.Scalar.VOID ? List.of() : zeros(type);
    }

    private static List<Leaf> zeros(Type type) {
        return Flattener.fields(type).stream()
                .<Leaf>map(field -> {
                    if (field.type() instanceof Type.Scalar scalar) {
                        return new Plain(new Val.Num(Kind.of(scalar), 0));
                    }
                    return new Pointer(Room.ANYWHERE, Val.Num.of(0L), null, 0, Val.Num.of(CallResults.NULL));
                })
                .toList();
    }

    private void branch(Terminator.Branch branch) {
        Val condition = number(branch.condition());
        if (branch.ifFalse().end() instanceof Terminator.Fail fail
                && fail.message().endsWith("IndexOutOfBoundsException")
                && !outside.containsKey(branch.ifFalse())) {
            outside.put(branch.ifFalse(), indexAndLength(branch.condition()));
        }
        part.end(
                condition instanceof Val.Num known
                        ? new Part.End.Jump(part(known.bits() != 0 ? branch.ifTrue() : branch.ifFalse()))
                        : new Part.End.Branch(condition, part(branch.ifTrue()), part(branch.ifFalse())));
    }

    private Part part(Block block) {
        return Objects.requireNonNull(starts.get(block));
    }

    /** In reverse post-order, so that values are known before they are used. */
    private List<Block> ordered() {
        List<Block> done = new ArrayList<>();
        visit(function.blocks().getFirst(), new HashSet<>(), done);
        return done.reversed();
    }

    private static void visit(Block block, Set<Block> seen, List<Block> done) {
        if (seen.add(block)) {
            switch (block.end()) {
                case Terminator.Jump jump -> visit(jump.target(), seen, done);
                case Terminator.Branch branch -> {
                    visit(branch.ifTrue(), seen, done);
                    visit(branch.ifFalse(), seen, done);
                }
                case Terminator.Switch choice -> {
                    choice.cases().values().forEach(each -> visit(each, seen, done));
                    visit(choice.otherwise(), seen, done);
                }
                case Terminator.Return _, Terminator.Fail _ -> {}
            }
            done.add(block);
        }
    }

    // Values

    List<Leaf> leaves(Value value) {
        return switch (value) {
            case Value.Int number -> List.of(new Plain(new Val.Num(Kind.of(number.type()), number.value())));
            case Value.Real number ->
                List.of(new Plain(
                        number.type() == Type.Scalar.F32
                                ? new Val.Num(Kind.FLOAT, Float.floatToRawIntBits((float) number.value()))
                                : new Val.Num(Kind.DOUBLE, Double.doubleToRawLongBits(number.value()))));
            case Value.Zero zero -> zeros(zero.type());
            case Value.Parameter parameter -> given.get(parameter.index());
            case Value.AddressOf address -> List.of(flat.global(address.global()));
            case Instruction instruction -> {
                if (instruction instanceof Instruction.Alloca alloca && variable(alloca) != null) {
                    throw new Unsupported("address of a variable");
                }
                List<Leaf> known = values.get(instruction.id());
                if (known == null) {
                    throw new Unsupported("value before its block");
                }
                yield known;
            }
        };
    }

    Val number(Value value) {
        if (leaves(value).getFirst() instanceof Plain number) {
            return number.value();
        }
        throw new Unsupported("pointer as a number");
    }

    private Pointer pointer(Value value) {
        if (leaves(value).getFirst() instanceof Pointer pointer) {
            return pointer;
        }
        throw new Unsupported("number as a pointer");
    }

    // Steps

    private void step(Instruction instruction) {
        if (instruction instanceof Instruction.Alloca) {
            return;
        }
        List<Leaf> result = switch (instruction) {
            case Instruction.Alloca _ -> List.of();
            case Instruction.Load load -> load(load);
            case Instruction.Store store -> {
                store(store);
                yield List.of();
            }
            case Instruction.Offset offset ->
                // Of a variable that is a struct, who reads and writes it knows the field.
                localOf(offset.pointer()) != null
                        ? List.of()
                        : List.of(addresses.offset(offset, pointer(offset.pointer())));
            case Instruction.Compose compose ->
                compose.fields().stream().flatMap(each -> leaves(each).stream()).toList();
            case Instruction.Extract extract -> extract(extract);
            case Instruction.Call call -> call(call);
            case Instruction.CallExternal call -> {
                External external = new External(flat, this, call);
                yield external.translate();
            }
            case Instruction.Ptx ptx -> throw new Unsupported(ptx.text());
            case Instruction.Convert convert
            when convert.kind() == Instruction.Conversion.SPACE -> leaves(convert.value());
            case Instruction.Convert convert
            when convert.kind() == Instruction.Conversion.ADDRESS -> throw new Unsupported("address as a number");
            case Instruction.Select select
            when select.type() instanceof Type.Struct || select.type() instanceof Type.Pointer ->
                addresses.select(select);
            case Instruction.Binary binary -> compute(binary, List.of(binary.left(), binary.right()));
            case Instruction.Negate negate -> compute(negate, List.of(negate.value()));
            case Instruction.Compare compare -> compute(compare, List.of(compare.left(), compare.right()));
            case Instruction.Order order -> compute(order, List.of(order.left(), order.right()));
            case Instruction.Convert convert -> compute(convert, List.of(convert.value()));
            case Instruction.Select select ->
                compute(select, List.of(select.condition(), select.ifTrue(), select.ifFalse()));
        };
        values.put(instruction.id(), result);
    }

    private List<Leaf> compute(Instruction from, List<Value> operands) {
        Type.Scalar type = (Type.Scalar) from.type();
        Val.Reg result = flat.register(Kind.of(type));
        List<Val> numbers = operands.stream().map(this::number).toList();
        if (isGlobal(from, numbers)) {
            return List.of(new Plain(Val.Place.GLOBAL_X));
        }
        if (type == Type.Scalar.I64
                && isGlobal(from, numbers.stream().map(Inliner::narrow).toList())) {
            // A launch has no more threads in x than an int counts.
            return List.of(new Plain(widened(from.at(), Val.Place.GLOBAL_X)));
        }
        result.by = add(new Op.Compute(from, type, numbers, result));
        return List.of(new Plain(result));
    }

    /** Adds a step of two numbers. */
    Val binary(Position at, Instruction.BinaryOp op, Type.Scalar type, Val left, Val right) {
        Value.Int zero = new Value.Int(type, 0);
        Val.Reg result = flat.register(Kind.of(type));
        result.by =
                add(new Op.Compute(new Instruction.Binary(-1, at, op, zero, zero), type, List.of(left, right), result));
        return result;
    }

    /** Adds a step that makes an int a long. */
    Val widened(Position at, Val value) {
        Value.Int zero = new Value.Int(Type.Scalar.I32, 0);
        Val.Reg result = flat.register(Kind.LONG);
        Instruction.Convert convert =
                new Instruction.Convert(-1, at, Instruction.Conversion.SIGN_EXTEND, zero, Type.Scalar.I64);
        result.by = add(new Op.Compute(convert, Type.Scalar.I64, List.of(value), result));
        return result;
    }

    /** Recognises {@code BlockIdx.x() * BlockDim.x() + ThreadIdx.x()}. */
    private static boolean isGlobal(Instruction from, List<Val> numbers) {
        return from instanceof Instruction.Binary binary
                && binary.op() == Instruction.BinaryOp.ADD
                && (numbers.getFirst() == Val.Place.TID_X && isBlock(numbers.get(1))
                        || numbers.get(1) == Val.Place.TID_X && isBlock(numbers.getFirst()));
    }

    private static boolean isBlock(Val value) {
        return value instanceof Val.Reg register
                && register.by instanceof Op.Compute compute
                && compute.from() instanceof Instruction.Binary binary
                && binary.op() == Instruction.BinaryOp.MUL
                && compute.arguments().stream()
                        .map(Inliner::narrow)
                        .toList()
                        .containsAll(List.of(Val.Place.CTAID_X, Val.Place.NTID_X));
    }

    /** The int that a long is made of; what is made otherwise is itself. */
    private static Val narrow(Val value) {
        return value instanceof Val.Reg register
                        && register.by instanceof Op.Compute compute
                        && compute.from() instanceof Instruction.Convert convert
                        && convert.kind() == Instruction.Conversion.SIGN_EXTEND
                        && compute.type() == Type.Scalar.I64
                ? compute.arguments().getFirst()
                : value;
    }

    <T extends Op> T add(T op) {
        return flat.add(part, op);
    }

    /** Lets other threads go first. */
    void pause(Position at) {
        stop(new Stop(flat.nextStop(), Stop.What.PAUSE, "a pause", at, List.of(), null));
    }

    /** What follows is in another part. */
    void stop(Stop stop) {
        Part next = flat.part(calls);
        flat.stop(stop);
        part.end(new Part.End.Wait(stop, next));
        part = next;
    }

    private List<Leaf> extract(Instruction.Extract extract) {
        Type.Struct struct = (Type.Struct) extract.struct().type();
        int from = 0;
        for (int i = 0; i < extract.field(); i++) {
            from += Flattener.leaves(struct.fields().get(i));
        }
        return leaves(extract.struct()).subList(from, from + Flattener.leaves(extract.type()));
    }

    private List<Leaf> call(Instruction.Call call) {
        List<List<Leaf>> arguments = call.arguments().stream().map(this::leaves).toList();
        List<Position> inner = new ArrayList<>();
        inner.add(call.at());
        inner.addAll(calls);
        Part first = flat.part(inner);
        part.end(new Part.End.Jump(first));
        Returned returned = new Inliner(flat, call.callee(), arguments, inner).translate(first, calls);
        part = returned.last();
        return returned.result();
    }

    private @Nullable Local localOf(Value pointer) {
        return pointer instanceof Instruction.Alloca alloca
                ? variable(alloca)
                : pointer instanceof Instruction.Offset offset && offset.pointer() instanceof Instruction.Alloca alloca
                        ? variable(alloca)
                        : null;
    }

    private @Nullable Local variable(Instruction.Alloca alloca) {
        Local local = Objects.requireNonNull(locals.get(alloca.id()));
        Room room = local.room();
        if (room != null) {
            int scale = (int) room.element.bytes();
            values.computeIfAbsent(alloca.id(), _ -> List.of(new Pointer(room, Val.Num.of(0L), Val.Num.of(0), scale)));
            return null;
        }
        return local;
    }

    private List<Leaf> load(Instruction.Load load) {
        Local local = localOf(load.pointer());
        if (local != null) {
            return local.read(this, load);
        }
        boolean isVolatile = load.access() == Instruction.Access.VOLATILE;
        if (isVolatile) {
            pause(load.at());
        }
        Pointer pointer = pointer(load.pointer());
        addresses.align(load, pointer, load.alignment());
        List<Leaf> result = new ArrayList<>();
        for (Flattener.Field field : Flattener.fields(load.type())) {
            if (!(field.type() instanceof Type.Scalar scalar)) {
                throw new Unsupported("pointer in memory");
            }
            Val.Reg value = flat.register(Kind.of(scalar));
            value.by =
                    add(new Op.Load(load.at(), scalar, addresses.at(load, pointer, field, scalar), isVolatile, value));
            result.add(new Plain(value));
        }
        return result;
    }

    private void store(Instruction.Store store) {
        Local local = localOf(store.pointer());
        if (local != null) {
            local.write(this, store, leaves(store.value()));
            return;
        }
        Pointer pointer = pointer(store.pointer());
        addresses.align(store, pointer, store.alignment());
        List<Flattener.Field> fields = Flattener.fields(store.value().type());
        List<Leaf> leaves = leaves(store.value());
        for (int i = 0; i < fields.size(); i++) {
            if (!(fields.get(i).type() instanceof Type.Scalar scalar) || !(leaves.get(i) instanceof Plain number)) {
                throw new Unsupported("pointer in memory");
            }
            boolean isVolatile = store.access() == Instruction.Access.VOLATILE;
            Pointer to = addresses.at(store, pointer, fields.get(i), scalar);
            add(new Op.Store(store.at(), scalar, to, isVolatile, number.value()));
        }
    }

    // Variables

    void store(List<Op.Variable> variables, List<Leaf> leaves) {
        for (int i = 0; i < leaves.size(); i++) {
            if (variables.size() == i) {
                Leaf leaf = leaves.get(i);
                variables.add(flat.variable(leaf instanceof Plain n ? n.value().kind() : Kind.LONG));
            }
            set(variables.get(i), leaves.get(i));
        }
    }

    void set(Op.Variable variable, Leaf leaf) {
        switch (leaf) {
            case Plain number -> add(new Op.SetVariable(variable, number.value()));
            case Pointer pointer -> {
                if (!variable.write(pointer)) {
                    flat.isInSeveral(variable);
                }
                add(new Op.SetVariable(variable, pointer.bytes()));
                if (variable.which != null) {
                    add(new Op.SetVariable(variable.which, which(pointer)));
                }
            }
        }
    }

    Leaf get(Part in, Op.Variable variable, boolean isPointer) {
        Pointer known = isPointer ? variable.read() : null;
        if (known != null) {
            return known;
        }
        Val.Reg value = flat.register(variable.kind);
        value.by = flat.add(in, new Op.GetVariable(variable, value));
        if (!isPointer) {
            return new Plain(value);
        }
        if (variable.room == null) {
            throw new Unsupported("pointer that is read before it is written");
        }
        variable.room.needsMemory();
        if (variable.which == null) {
            return new Pointer(variable.room, value, null, 0);
        }
        Val.Reg which = flat.register(Kind.INT);
        which.by = flat.add(in, new Op.GetVariable(variable.which, which));
        return new Pointer(variable.room, value, null, 0, which);
    }

    /** The number of the memory that a pointer is in. */
    static Val which(Pointer pointer) {
        return pointer.which() == null ? Val.Num.of(pointer.room().number) : pointer.which();
    }

    Leaf get(Op.Variable variable, boolean isPointer) {
        return get(part, variable, isPointer);
    }

    private List<Leaf> load(Part in, List<Op.Variable> variables) {
        return variables.stream().map(each -> get(in, each, each.room != null)).toList();
    }
}
