// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.ir;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.comm4j.kernel.ir.Instruction.Access;
import org.comm4j.kernel.ir.Instruction.BinaryOp;
import org.comm4j.kernel.ir.Instruction.Comparison;
import org.comm4j.kernel.ir.Instruction.Conversion;
import org.comm4j.kernel.ir.Type.Scalar;
import org.comm4j.kernel.lang.Kernel;
import org.jspecify.annotations.Nullable;

/** Programs made by hand, a function at a time. */
public final class Build {
    private final Function function;
    private final List<Global> globals = new ArrayList<>();
    private final List<Function> functions = new ArrayList<>();
    private final List<String> units = new ArrayList<>();
    private Block block;
    private int ids;
    private int line = 10;

    private Build(Function function) {
        this.function = function;
        this.block = function.add(new Block("entry"));
    }

    public static Value.Parameter parameter(int index, Type type, String name) {
        return new Value.Parameter(index, type, name);
    }

    public static Build kernel(String name, Value.Parameter... parameters) {
        return kernel(name, new Function.Launch(0, 0, 0, 0, 0), parameters);
    }

    public static Build kernel(String name, Function.Launch launch, Value.Parameter... parameters) {
        return new Build(
                new Function(name, Scalar.VOID, List.of(parameters), new Position("T.java", "T." + name, 9), launch));
    }

    public static Build function(String name, Type result, Value.Parameter... parameters) {
        return new Build(
                new Function(name, result, List.of(parameters), new Position("T.java", "T." + name, 90), null));
    }

    public Value p(int index) {
        return function.parameters().get(index);
    }

    public Function function() {
        return function;
    }

    public static Value i32(int value) {
        return new Value.Int(Scalar.I32, value);
    }

    public static Value i64(long value) {
        return new Value.Int(Scalar.I64, value);
    }

    private int id() {
        return ids++;
    }

    private Position at() {
        return new Position("T.java", function.at().method(), line);
    }

    public Build nextLine() {
        line++;
        return this;
    }

    public Value binary(BinaryOp op, Value left, Value right) {
        return block.add(new Instruction.Binary(id(), at(), op, left, right));
    }

    public Value add(Value left, Value right) {
        return binary(BinaryOp.ADD, left, right);
    }

    public Value mul(Value left, Value right) {
        return binary(BinaryOp.MUL, left, right);
    }

    public Value negate(Value value) {
        return block.add(new Instruction.Negate(id(), at(), value));
    }

    public Value compare(Comparison op, Value left, Value right) {
        return block.add(new Instruction.Compare(id(), at(), op, left, right));
    }

    public Value order(Value left, Value right, int ofNaN) {
        return block.add(new Instruction.Order(id(), at(), left, right, ofNaN));
    }

    public Value convert(Conversion kind, Value value, Type type) {
        return block.add(new Instruction.Convert(id(), at(), kind, value, type));
    }

    public Value select(Value condition, Value ifTrue, Value ifFalse) {
        return block.add(new Instruction.Select(id(), at(), condition, ifTrue, ifFalse));
    }

    public Value alloca(Type type, String name) {
        return block.add(new Instruction.Alloca(id(), at(), type, name));
    }

    public Value load(Type type, Value pointer) {
        return load(type, pointer, type.alignment(), Access.PLAIN);
    }

    public Value load(Type type, Value pointer, long alignment, Access access) {
        return block.add(new Instruction.Load(id(), at(), type, pointer, alignment, access));
    }

    public void store(Value value, Value pointer) {
        store(value, pointer, value.type().alignment(), Access.PLAIN);
    }

    public void store(Value value, Value pointer, long alignment, Access access) {
        block.add(new Instruction.Store(id(), at(), value, pointer, alignment, access));
    }

    /** {@code pointer} plus {@code index} elements of a size. */
    public Value element(Value pointer, Value index, long bytes) {
        Value wide = index.type() == Scalar.I64 ? index : convert(Conversion.SIGN_EXTEND, index, Scalar.I64);
        return block.add(new Instruction.Offset(id(), at(), pointer, mul(wide, i64(bytes))));
    }

    public Value compose(Type.Struct type, Value... fields) {
        return block.add(new Instruction.Compose(id(), at(), type, List.of(fields)));
    }

    public Value extract(Value struct, int field) {
        return block.add(new Instruction.Extract(id(), at(), struct, field));
    }

    public Value call(Function callee, Value... arguments) {
        if (!functions.contains(callee)) {
            functions.add(callee);
        }
        return block.add(new Instruction.Call(id(), at(), callee, List.of(arguments)));
    }

    public Value external(External callee, Value... arguments) {
        return block.add(new Instruction.CallExternal(id(), at(), callee, List.of(arguments)));
    }

    /** A special register: {@code tid.x}. */
    public Value register(String name) {
        return external(new External("llvm.nvvm.read.ptx.sreg." + name, Scalar.I32, List.of(), false, true));
    }

    /** The thread's number in the grid. */
    public Value thread() {
        return add(mul(register("ctaid.x"), register("ntid.x")), register("tid.x"));
    }

    public void barrier() {
        external(new External("llvm.nvvm.barrier0", Scalar.VOID, List.of(), true, false));
    }

    public Value ptx(
            String text, String constraints, Type type, boolean effects, boolean convergent, Value... operands) {
        return block.add(
                new Instruction.Ptx(id(), at(), text, constraints, type, List.of(operands), effects, convergent));
    }

    public Value global(Global global) {
        if (!globals.contains(global)) {
            globals.add(global);
        }
        return new Value.AddressOf(global);
    }

    public Build unit(String name) {
        units.add(name);
        return this;
    }

    // Blocks.

    public Block block(String label) {
        return function.add(new Block(label));
    }

    /** What comes next goes there. */
    public void in(Block next) {
        block = next;
    }

    public Block here() {
        return block;
    }

    public void jump(Block target) {
        jump(target, 0);
    }

    public void jump(Block target, int unroll) {
        block.end(new Terminator.Jump(at(), target, unroll));
    }

    public void branch(Value condition, Block ifTrue, Block ifFalse) {
        block.end(new Terminator.Branch(at(), condition, ifTrue, ifFalse, 0));
    }

    public void end(Terminator terminator) {
        block.end(terminator);
    }

    public void ret() {
        block.end(new Terminator.Return(at(), null));
    }

    public void ret(@Nullable Value value) {
        block.end(new Terminator.Return(at(), value));
    }

    public void fail(String message) {
        block.end(new Terminator.Fail(at(), message));
    }

    /** {@code for (int i = 0; i < count; i++)}, with the condition first, as javac does it. */
    public void loop(Value count, int unroll, Consumer<Value> body) {
        Value i = function.blocks().getFirst().isComplete()
                        || block != function.blocks().getFirst()
                ? null
                : alloca(Scalar.I32, "i");
        if (i == null) {
            throw new IllegalStateException("a loop begins in the first block here");
        }
        store(i32(0), i);
        Block head = block("head" + ids);
        Block inside = block("body" + ids);
        Block after = block("after" + ids);
        jump(head);
        in(head);
        branch(compare(Comparison.LT, load(Scalar.I32, i), count), inside, after);
        in(inside);
        Value now = load(Scalar.I32, i);
        body.accept(now);
        store(add(load(Scalar.I32, i), i32(1)), i);
        jump(head, unroll);
        in(after);
    }

    public Program program() {
        return program(false, false, false);
    }

    public Program program(boolean fast, boolean checked, boolean lines) {
        return new Program(
                function, functions, globals, fast ? Kernel.Math.FAST : Kernel.Math.EXACT, checked, lines, units);
    }
}
