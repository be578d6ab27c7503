// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.frontend;

import java.lang.classfile.Instruction;
import java.lang.classfile.MethodModel;
import java.lang.classfile.Opcode;
import java.lang.classfile.attribute.CodeAttribute;
import java.lang.classfile.instruction.FieldInstruction;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.classfile.instruction.LoadInstruction;
import java.lang.constant.MethodTypeDesc;
import java.lang.reflect.RecordComponent;
import java.util.List;

/** Recognises the methods that javac writes for records, which need no function. */
final class BytecodePatterns {
    private BytecodePatterns() {}

    private static List<Instruction> code(MethodModel method) {
        return method
                .findAttribute(java.lang.classfile.Attributes.code())
                .map(CodeAttribute::elementList)
                .orElse(List.of())
                .stream()
                .filter(Instruction.class::isInstance)
                .map(Instruction.class::cast)
                .toList();
    }

    /** {@code return this.name}. */
    static boolean isAccessor(MethodModel method, String name) {
        List<Instruction> code = code(method);
        return code.size() == 3
                && code.get(1) instanceof FieldInstruction field
                && field.opcode() == Opcode.GETFIELD
                && field.name().stringValue().equals(name)
                && method.methodTypeSymbol().parameterCount() == 0;
    }

    /** The canonical constructor as javac writes it: every component is set to its parameter. */
    static boolean onlySetsFields(MethodModel method, Class<?> record, MethodTypeDesc type) {
        RecordComponent[] components = record.getRecordComponents();
        List<Instruction> code = code(method);
        if (type.parameterCount() != components.length || code.size() != 3 + 3 * components.length) {
            return false;
        }
        if (!(code.get(1) instanceof InvokeInstruction above)
                || !above.owner().asInternalName().equals("java/lang/Record")) {
            return false;
        }
        int slot = 1;
        for (int i = 0; i < components.length; i++) {
            if (!(code.get(2 + 3 * i) instanceof LoadInstruction self)
                    || self.slot() != 0
                    || !(code.get(3 + 3 * i) instanceof LoadInstruction load)
                    || load.slot() != slot
                    || !(code.get(4 + 3 * i) instanceof FieldInstruction field)
                    || field.opcode() != Opcode.PUTFIELD
                    || !field.name().stringValue().equals(components[i].getName())) {
                return false;
            }
            slot += components[i].getType() == long.class || components[i].getType() == double.class ? 2 : 1;
        }
        return true;
    }
}
