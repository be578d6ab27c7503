// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.frontend;

import java.lang.classfile.Attributes;
import java.lang.classfile.ClassModel;
import java.lang.classfile.CodeElement;
import java.lang.classfile.Instruction;
import java.lang.classfile.MethodModel;
import java.lang.classfile.Opcode;
import java.lang.classfile.instruction.FieldInstruction;
import java.lang.classfile.instruction.InvokeDynamicInstruction;
import java.lang.constant.DirectMethodHandleDesc;
import java.lang.reflect.Field;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Lambdas in {@code static final} fields. Which method one runs is in the class's initialiser, beside the instruction
 * that sets the field.
 */
final class StaticLambdas {
    private static final String FACTORY = "Ljava/lang/invoke/LambdaMetafactory;";

    private StaticLambdas() {}

    /** Returns the lambda that a field is set to; null if it is none, has captured something, or is set twice. */
    static @Nullable Operand find(Translator method, Field field) {
        Class<?> owner = field.getDeclaringClass();
        ClassModel model = method.compilation.classes.model(owner);
        if (model == null) {
            return null;
        }
        InvokeDynamicInstruction made = null;
        int stores = 0;
        for (MethodModel each : model.methods()) {
            if (!each.methodName().equalsString("<clinit>")) {
                continue;
            }
            Instruction before = null;
            List<CodeElement> code = each.findAttribute(Attributes.code())
                    .map(found -> found.elementList())
                    .orElse(List.of());
            for (CodeElement element : code) {
                if (element instanceof FieldInstruction store
                        && store.opcode() == Opcode.PUTSTATIC
                        && store.name().equalsString(field.getName())) {
                    stores++;
                    made = before instanceof InvokeDynamicInstruction dynamic ? dynamic : null;
                }
                if (element instanceof Instruction instruction) {
                    before = instruction;
                }
            }
        }
        if (made == null
                || stores != 1
                || !made.bootstrapMethod().owner().descriptorString().equals(FACTORY)
                || made.typeSymbol().parameterCount() > 0) {
            return null;
        }
        return Operand.of(new JavaType.Closure(
                field.getType(),
                made.name().stringValue(),
                (DirectMethodHandleDesc) made.bootstrapArgs().get(1),
                owner,
                List.of()));
    }
}
