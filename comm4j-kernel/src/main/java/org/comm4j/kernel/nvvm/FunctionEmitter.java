// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.nvvm;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.comm4j.kernel.ir.Block;
import org.comm4j.kernel.ir.External;
import org.comm4j.kernel.ir.Function;
import org.comm4j.kernel.ir.Instruction;
import org.comm4j.kernel.ir.Instruction.Binary;
import org.comm4j.kernel.ir.Terminator;
import org.comm4j.kernel.ir.Type;
import org.comm4j.kernel.ir.Type.Scalar;
import org.comm4j.kernel.ir.Value;
import org.comm4j.kernel.lang.Kernel;

/**
 * Writes a function. There are no phi nodes: what lives across blocks is memory.
 */
final class FunctionEmitter {
    private final NvvmEmitter module;
    private final Function function;
    private final FunctionText text;
    private final Map<Block, Integer> unroll;
    private final Negations negations;
    private final Indices indices;
    private final ArithmeticEmitter arithmetic;
    private final MemoryEmitter memory;
    private final PtxEmitter ptx;

    FunctionEmitter(NvvmEmitter module, Function function, StringBuilder body) {
        this.module = module;
        this.function = function;
        this.text = new FunctionText(module, function, body);
        this.unroll = Loops.hints(function, module.meeting());
        this.negations = new Negations(function);
        Counters counters = new Counters(function, module.program().math() == Kernel.Math.EXACT);
        this.indices = new Indices(module.program(), negations, counters, text::plain, text::temporary);
        this.arithmetic = new ArithmeticEmitter(module, text, counters);
        this.memory = new MemoryEmitter(text);
        this.ptx = new PtxEmitter(text);
    }

    void write() {
        text.begin();
        boolean first = true;
        for (Block block : function.blocks()) {
            text.mark(text.label(block));
            if (first && function.isKernel()) {
                function.parameters().forEach(text::unpack);
            }
            first = false;
            Instruction before = null;
            indices.begin();
            for (Instruction instruction : block.instructions()) {
                text.at(instruction.at());
                arithmetic.follow(before, instruction);
                before = instruction;
                instruction(instruction);
                indices.follow(instruction);
            }
            text.at(block.end().at());
            end(block);
        }
        text.end();
    }

    // Instructions.

    private void instruction(Instruction instruction) {
        Value hidden = negations.hidden(instruction);
        if (hidden != null) {
            String bits = instruction.type() == Scalar.I32 ? "32" : "64";
            String register = instruction.type() == Scalar.I32 ? "r" : "l";
            text.define(
                    instruction,
                    "call i" + bits + " asm \"neg.s" + bits + " $0, $1;\", \"=" + register + "," + register + "\"("
                            + text.typed(hidden) + ") nounwind readnone");
            return;
        }
        switch (instruction) {
            case Binary binary -> arithmetic.binary(binary);
            case Instruction.Negate negate -> {
                if (ArithmeticEmitter.isFloat(negate.type())) {
                    text.define(
                            negate,
                            "fsub " + Llvm.type(negate.type()) + " " + Llvm.real(-0.0) + ", "
                                    + text.plain(negate.value()));
                } else {
                    text.define(negate, "sub " + Llvm.type(negate.type()) + " 0, " + text.plain(negate.value()));
                }
            }
            case Instruction.Compare compare -> arithmetic.compare(compare);
            case Instruction.Order order -> arithmetic.order(order);
            case Instruction.Convert convert -> arithmetic.convert(convert);
            case Instruction.Select select ->
                text.define(
                        select,
                        "select i1 " + text.plain(select.condition()) + ", " + text.typed(select.ifTrue()) + ", "
                                + text.typed(select.ifFalse()));
            case Instruction.Alloca alloca -> {
                String type = Llvm.memory(alloca.allocated());
                text.line(FunctionText.name(alloca) + ".m = alloca " + type + ", align "
                        + Math.max(alloca.allocated().alignment(), 1));
                text.define(alloca, "bitcast " + type + "* " + FunctionText.name(alloca) + ".m to i8*");
            }
            case Instruction.Load load -> memory.load(load);
            case Instruction.Store store -> memory.store(store);
            case Instruction.Offset offset ->
                text.define(
                        offset,
                        indices.offset(
                                text.plain(offset.pointer()), ((Type.Pointer) offset.type()).space(), offset.bytes()));
            case Instruction.Compose compose -> {
                String type = Llvm.memory(compose.type());
                String struct = "undef";
                int last = compose.fields().size() - 1;
                for (int i = 0; i <= last; i++) {
                    String insert = "insertvalue " + type + " " + struct + ", "
                            + text.stored(compose.fields().get(i)) + ", " + i;
                    if (i < last) {
                        struct = text.temporary(insert);
                    } else {
                        text.define(compose, insert);
                    }
                }
            }
            case Instruction.Extract extract -> {
                String take = "extractvalue " + text.typed(extract.struct()) + ", " + extract.field();
                if (extract.type() == Scalar.I1) {
                    text.define(extract, "icmp ne i8 " + text.temporary(take) + ", 0");
                } else {
                    text.define(extract, take);
                }
            }
            case Instruction.Call call ->
                call(
                        call,
                        "call " + Llvm.type(call.type()) + " @" + call.callee().name(),
                        call.arguments());
            case Instruction.CallExternal call -> external(call);
            case Instruction.Ptx written -> ptx.write(written);
        }
    }

    private void call(Instruction instruction, String callee, List<Value> arguments) {
        String call = callee + arguments.stream().map(text::typed).collect(Collectors.joining(", ", "(", ")"));
        if (instruction.type() == Scalar.VOID) {
            text.line(call);
        } else {
            text.define(instruction, call);
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
        String called = "call " + Llvm.memory(call.type()) + " @" + callee.symbol()
                + call.arguments().stream().map(text::stored).collect(Collectors.joining(", ", "(", ")"));
        if (call.type() == Scalar.VOID) {
            text.line(called);
        } else if (call.type() == Scalar.I1) {
            text.define(call, "icmp ne i8 " + text.temporary(called) + ", 0");
        } else {
            text.define(call, called);
        }
    }

    /** The order that is written is the only one that is accepted; what becomes of it is relaxed. */
    private void atomic(Instruction.CallExternal call) {
        List<Value> arguments = call.arguments();
        String operands = arguments.subList(1, arguments.size()).stream()
                .map(each -> ", " + text.typed(each))
                .collect(Collectors.joining());
        String[] words = call.callee().symbol().split("\\.");
        String address = memory.pointer(arguments.getFirst(), Llvm.memory(call.type()));
        if (words[0].equals("cmpxchg")) {
            String both = text.temporary("cmpxchg " + address + operands + " seq_cst seq_cst");
            text.define(call, "extractvalue { " + Llvm.type(call.type()) + ", i1 } " + both + ", 0");
        } else {
            text.define(call, "atomicrmw " + words[1] + " " + address + operands + " seq_cst");
        }
    }

    // Ends.

    private void end(Block block) {
        Integer hint = unroll.get(block);
        String loop = hint == null ? "" : module.metadata().loop(hint);
        switch (block.end()) {
            case Terminator.Jump jump -> text.line("br label %" + text.label(jump.target()) + loop);
            case Terminator.Branch branch ->
                text.line("br i1 " + text.plain(branch.condition()) + ", label %" + text.label(branch.ifTrue())
                        + ", label %" + text.label(branch.ifFalse()) + loop);
            case Terminator.Switch choice ->
                text.line("switch " + text.typed(choice.value()) + ", label %" + text.label(choice.otherwise())
                        + choice.cases().entrySet().stream()
                                .map(each -> "i32 " + each.getKey() + ", label %" + text.label(each.getValue()))
                                .collect(Collectors.joining(" ", " [", "]"))
                        + loop);
            case Terminator.Return back -> {
                Value value = back.value();
                text.line(value == null ? "ret void" : "ret " + text.typed(value));
            }
            case Terminator.Fail fail -> text.fail(fail.message(), fail.said());
        }
    }
}
