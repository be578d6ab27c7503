// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.nvvm;

import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.comm4j.kernel.ir.Block;
import org.comm4j.kernel.ir.Function;
import org.comm4j.kernel.ir.Instruction;
import org.comm4j.kernel.ir.Position;
import org.comm4j.kernel.ir.Type;
import org.comm4j.kernel.ir.Type.Scalar;
import org.comm4j.kernel.ir.Value;
import org.jspecify.annotations.Nullable;

/**
 * The text of a function under way: its lines, and the names of its values. {@code %v3} is instruction 3, {@code %p.n}
 * parameter n, {@code %t4} something in between, {@code %b.loop} a block.
 */
final class FunctionText {
    private final NvvmEmitter module;
    private final Function function;
    private final StringBuilder body;
    private final int subprogram;
    private final Map<Integer, String> parameters = new HashMap<>();
    private final Map<Block, String> labels = new HashMap<>();

    private Position at;
    private @Nullable Position lastAt;
    /** What lines at {@link #lastAt} end with. */
    private String lastLine = "";

    private int temporaries;

    FunctionText(NvvmEmitter module, Function function, StringBuilder body) {
        this.module = module;
        this.function = function;
        this.body = body;
        this.subprogram = module.metadata().subprogram(function);
        this.at = function.at();
    }

    /** Writes the line that opens the function. */
    void begin() {
        body.append("\ndefine ")
                .append(function.isKernel() ? "" : "internal ")
                .append(Llvm.type(function.result()))
                .append(" @")
                .append(function.name())
                .append(function.parameters().stream().map(this::parameter).collect(Collectors.joining(", ", "(", ")")))
                .append(function.isKernel() ? " nounwind convergent" : " nounwind convergent alwaysinline");
        if (subprogram >= 0) {
            body.append(" !dbg !").append(subprogram);
        }
        body.append(" {\n");
    }

    /** Writes the line that closes it. */
    void end() {
        body.append("}\n");
    }

    /** Says where in the program the next lines are from. */
    void at(Position position) {
        at = position;
    }

    Position at() {
        return at;
    }

    /** Writes a label: what follows is its block. */
    void mark(String label) {
        body.append(label).append(":\n");
    }

    /** Returns a number that no other name of this function has. */
    int unique() {
        return temporaries++;
    }

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

    /** What a kernel's parameter is in memory becomes what a value is. */
    void unpack(Value.Parameter parameter) {
        String value = String.valueOf(parameters.get(parameter.index()));
        if (parameter.type() == Scalar.I1) {
            line(value + " = icmp ne i8 " + value.substring(0, value.length() - ".value".length()) + ", 0");
        }
    }

    void line(String instruction) {
        if (!Objects.equals(at, lastAt)) {
            lastAt = at;
            lastLine = module.metadata().line(subprogram, function, at);
        }
        body.append("  ").append(instruction).append(lastLine).append('\n');
    }

    /** Writes an instruction and returns the name of its result. */
    String temporary(String instruction) {
        String name = "%t" + unique();
        line(name + " = " + instruction);
        return name;
    }

    String label(Block block) {
        return labels.computeIfAbsent(block, key -> "b." + key.label().replaceAll("[^A-Za-z0-9_.]", "_"));
    }

    static String name(Instruction instruction) {
        return "%v" + instruction.id();
    }

    /** Writes the text of an instruction under its name. */
    void define(Instruction instruction, String text) {
        line(name(instruction) + " = " + text);
    }

    /** Returns a value without its type. */
    String plain(Value value) {
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

    /** Returns a value after its type. */
    String typed(Value value) {
        return Llvm.type(value.type()) + " " + plain(value);
    }

    /** As it is in memory: an {@code I1} becomes a byte. */
    String stored(Value value) {
        if (value.type() == Scalar.I1) {
            return "i8 " + temporary("zext i1 " + plain(value) + " to i8");
        }
        return typed(value);
    }

    /** Writes a failed assertion, after which nothing comes. */
    void fail(String message, Position said) {
        module.declare(
                "__assertfail", "declare void @__assertfail(i8*, i8*, i32, i8*, i64) nounwind noreturn convergent");
        line("call void @__assertfail(i8* " + module.string(message) + ", i8* " + module.string(said.file()) + ", i32 "
                + said.line() + ", i8* " + module.string(said.method()) + ", i64 1)");
        // So that the assembler sees no way on from here to whatever block comes next.
        line("call void asm sideeffect \"exit;\", \"\"() noreturn nounwind");
        line("unreachable");
    }
}
