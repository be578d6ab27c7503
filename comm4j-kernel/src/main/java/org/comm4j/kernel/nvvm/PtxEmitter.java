// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.nvvm;

import java.util.ArrayList;
import java.util.List;
import org.comm4j.kernel.ir.Instruction;
import org.comm4j.kernel.ir.Type;
import org.comm4j.kernel.ir.Type.Scalar;
import org.comm4j.kernel.ir.Value;

/** Writes instructions of PTX, whose registers have 16 bits at least. */
final class PtxEmitter {
    private final FunctionText text;

    PtxEmitter(FunctionText text) {
        this.text = text;
    }

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
            return "i32 " + text.temporary("ptrtoint " + text.typed(value) + " to i32");
        }
        if (register.equals(Llvm.type(value.type())) || value instanceof Value.Int) {
            return register + " "
                    + (value instanceof Value.Int number ? Long.toString(number.value()) : text.plain(value));
        }
        return register + " "
                + text.temporary(
                        (value.type() == Scalar.I1 ? "zext " : "sext ") + text.typed(value) + " to " + register);
    }

    void write(Instruction.Ptx ptx) {
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
            text.line(call);
        } else if (!(ptx.type() instanceof Type.Struct struct)) {
            if (result.equals(Llvm.type(ptx.type()))) {
                text.define(ptx, call);
            } else {
                text.define(ptx, narrow(ptx.type(), result, text.temporary(call), Llvm.type(ptx.type())));
            }
        } else {
            String whole = text.temporary(call);
            String made = "undef";
            for (int i = 0; i < fields.size(); i++) {
                String field =
                        fields.size() == 1 ? whole : text.temporary("extractvalue " + result + " " + whole + ", " + i);
                String memory = Llvm.memory(fields.get(i));
                if (fields.get(i) == Scalar.I1) {
                    field = text.temporary("zext i1 "
                            + text.temporary("icmp ne " + registers.get(i) + " " + field + ", 0") + " to i8");
                } else if (!memory.equals(registers.get(i))) {
                    field = text.temporary("trunc " + registers.get(i) + " " + field + " to " + memory);
                }
                String insert =
                        "insertvalue " + Llvm.memory(struct) + " " + made + ", " + memory + " " + field + ", " + i;
                if (i < fields.size() - 1) {
                    made = text.temporary(insert);
                } else {
                    text.define(ptx, insert);
                }
            }
        }
    }

    private static String narrow(Type type, String register, String value, String target) {
        return type == Scalar.I1
                ? "icmp ne " + register + " " + value + ", 0"
                : "trunc " + register + " " + value + " to " + target;
    }
}
