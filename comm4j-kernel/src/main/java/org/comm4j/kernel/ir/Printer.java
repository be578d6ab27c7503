// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.ir;

import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.comm4j.kernel.lang.Kernel;

/**
 * A program as text, for people and for tests. Values are {@code %3} (by the instruction's number) and {@code %name}
 * (parameters); Java's lines follow a semicolon where they change.
 */
public final class Printer {
    private final StringBuilder text = new StringBuilder();
    private Position last = Position.UNKNOWN;

    private Printer() {}

    /** The whole program: options, globals, the functions that are called, the kernel. */
    public static String print(Program program) {
        Printer printer = new Printer();
        printer.text
                .append("program")
                .append(
                        program.math() == Kernel.Math.EXACT
                                ? ""
                                : " " + program.math().name().toLowerCase(Locale.ROOT))
                .append(program.checked() ? " checked" : "")
                .append(program.lines() ? " lines" : "")
                .append('\n');
        program.units()
                .forEach(unit -> printer.text.append("unit ").append(unit).append('\n'));
        program.globals().forEach(printer::global);
        program.functions().forEach(printer::function);
        printer.function(program.kernel());
        return printer.text.toString();
    }

    /** One function. */
    public static String print(Function function) {
        Printer printer = new Printer();
        printer.function(function);
        return printer.text.toString();
    }

    /** One step, without its line. */
    public static String print(Instruction instruction) {
        return result(instruction) + step(instruction);
    }

    private void global(Global global) {
        text.append("global @")
                .append(global.name())
                .append(" = ")
                .append(global.space().name().toLowerCase(Locale.ROOT))
                .append(' ')
                .append(global.type())
                .append(", align ")
                .append(global.alignment());
        byte[] content = global.content();
        if (content != null) {
            text.append(", content");
            for (byte one : content) {
                text.append(String.format(Locale.ROOT, " %02x", one));
            }
        }
        text.append('\n');
    }

    private void function(Function function) {
        text.append('\n')
                .append(function.isKernel() ? "kernel " : "function ")
                .append(function.result())
                .append(" @")
                .append(function.name())
                .append(function.parameters().stream()
                        .map(parameter ->
                                parameter.type() + (parameter.restrict() ? " restrict %" : " %") + parameter.name())
                        .collect(Collectors.joining(", ", "(", ")")));
        Function.Launch launch = function.launch();
        if (launch != null) {
            text.append(launch.maxThreads() > 0 ? " threads " + launch.maxThreads() : "")
                    .append(launch.minBlocks() > 0 ? " blocks " + launch.minBlocks() : "");
            if (launch.clusterX() > 0) {
                text.append(" cluster ")
                        .append(launch.clusterX())
                        .append(' ')
                        .append(launch.clusterY())
                        .append(' ')
                        .append(launch.clusterZ());
            }
        }
        text.append(" {");
        last = Position.UNKNOWN;
        endLine(function.at());
        for (Block block : function.blocks()) {
            text.append(block.label()).append(":\n");
            for (Instruction instruction : block.instructions()) {
                text.append("  ").append(print(instruction));
                endLine(instruction.at());
            }
            if (block.isComplete()) {
                text.append("  ").append(end(block.end()));
                endLine(block.end().at());
            } else {
                text.append("  (no end)\n");
            }
        }
        text.append("}\n");
    }

    private void endLine(Position at) {
        if (at.line() > 0 && !at.equals(last)) {
            text.append(" ; ").append(at.file()).append(':').append(at.line());
            last = at;
        }
        text.append('\n');
    }

    private static String result(Instruction instruction) {
        return instruction.type() == Type.Scalar.VOID ? "" : "%" + instruction.id() + " = ";
    }

    private static String step(Instruction instruction) {
        return switch (instruction) {
            case Instruction.Binary binary ->
                lower(binary.op()) + " " + typed(binary.left()) + ", " + plain(binary.right());
            case Instruction.Negate negate -> "negate " + typed(negate.value());
            case Instruction.Compare compare ->
                "compare " + lower(compare.op()) + " " + typed(compare.left()) + ", " + plain(compare.right());
            case Instruction.Order order ->
                "order " + typed(order.left()) + ", " + plain(order.right())
                        + (order.ofNaN() == 0 ? "" : ", nan " + order.ofNaN());
            case Instruction.Convert convert ->
                lower(convert.kind()) + " " + typed(convert.value()) + " to " + convert.type();
            case Instruction.Select select ->
                "select " + plain(select.condition()) + ", " + typed(select.ifTrue()) + ", " + plain(select.ifFalse());
            case Instruction.Alloca alloca ->
                "alloca " + alloca.allocated() + (alloca.name().isEmpty() ? "" : " \"" + alloca.name() + "\"");
            case Instruction.Load load ->
                "load " + access(load.access()) + load.type() + ", " + typed(load.pointer())
                        + alignment(load.type(), load.alignment());
            case Instruction.Store store ->
                "store " + access(store.access()) + typed(store.value()) + ", " + typed(store.pointer())
                        + alignment(store.value().type(), store.alignment());
            case Instruction.Offset offset -> "offset " + typed(offset.pointer()) + ", " + plain(offset.bytes());
            case Instruction.Compose compose -> "compose " + compose.type() + list(compose.fields());
            case Instruction.Extract extract -> "extract " + plain(extract.struct()) + ", " + extract.field();
            case Instruction.Call call -> "call " + call.type() + " @" + call.callee() + list(call.arguments());
            case Instruction.CallExternal call ->
                "call " + (call.callee().convergent() ? "convergent " : "")
                        + (call.callee().pure() ? "pure " : "") + call.type() + " @"
                        + call.callee().symbol() + list(call.arguments());
            case Instruction.Ptx ptx ->
                "ptx " + (ptx.effects() ? "effects " : "") + (ptx.convergent() ? "convergent " : "") + ptx.type()
                        + " \"" + ptx.text().replace("\n", "\\n") + "\" \"" + ptx.constraints() + "\""
                        + list(ptx.operands());
        };
    }

    private static String end(Terminator end) {
        return switch (end) {
            case Terminator.Jump jump ->
                "jump " + jump.target() + (jump.unroll() == 0 ? "" : ", unroll " + jump.unroll());
            case Terminator.Branch branch ->
                "branch " + plain(branch.condition()) + ", " + branch.ifTrue() + ", " + branch.ifFalse()
                        + (branch.unroll() == 0 ? "" : ", unroll " + branch.unroll());
            case Terminator.Switch choice ->
                "switch " + typed(choice.value())
                        + choice.cases().entrySet().stream()
                                .map(entry -> entry.getKey() + " " + entry.getValue())
                                .collect(Collectors.joining(", ", " [", "]"))
                        + " " + choice.otherwise();
            case Terminator.Return back -> {
                Value value = back.value();
                yield value == null ? "return" : "return " + typed(value);
            }
            case Terminator.Fail fail ->
                "fail \"" + fail.message().replace("\n", "\\n") + "\""
                        + (fail.said().equals(fail.at()) ? "" : " said of " + fail.said());
        };
    }

    private static String lower(Enum<?> name) {
        return name.name().toLowerCase(Locale.ROOT);
    }

    private static String access(Instruction.Access access) {
        return access == Instruction.Access.PLAIN ? "" : lower(access) + " ";
    }

    private static String alignment(Type type, long alignment) {
        return alignment == type.alignment() ? "" : ", align " + alignment;
    }

    private static String list(List<Value> values) {
        return values.stream().map(Printer::typed).collect(Collectors.joining(", ", "(", ")"));
    }

    static String typed(Value value) {
        return value.type() + " " + plain(value);
    }

    private static String plain(Value value) {
        return switch (value) {
            case Value.Int number -> Long.toString(number.value());
            case Value.Real number ->
                number.type() == Type.Scalar.F32
                        ? Float.toString((float) number.value())
                        : Double.toString(number.value());
            case Value.Zero zero -> "zero";
            case Value.Parameter parameter -> "%" + parameter.name();
            case Value.AddressOf address -> "@" + address.global().name();
            case Instruction instruction -> "%" + instruction.id();
        };
    }
}
