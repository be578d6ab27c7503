// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.capture;

import java.lang.classfile.Attributes;
import java.lang.classfile.MethodModel;
import java.lang.classfile.TypeKind;
import java.lang.classfile.attribute.MethodParameterInfo;
import java.lang.constant.ClassDesc;
import java.lang.constant.MethodTypeDesc;
import java.lang.invoke.MethodType;
import java.lang.reflect.AccessFlag;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What the parameters of a method are called: by its local variables ({@code javac -g}), else by its parameters' names
 * ({@code -parameters}).
 */
public final class ParameterNames {
    private ParameterNames() {}

    /** By the number of the local variable that holds the parameter; those without a name are absent. */
    public static Map<Integer, String> bySlot(MethodModel method) {
        Map<Integer, String> names = new HashMap<>();
        List<MethodParameterInfo> declared = method.findAttribute(Attributes.methodParameters())
                .map(attribute -> attribute.parameters())
                .orElse(List.of());
        List<Integer> slots = slots(method);
        if (declared.size() == slots.size()) {
            for (int i = 0; i < declared.size(); i++) {
                int slot = slots.get(i);
                declared.get(i).name().ifPresent(name -> names.put(slot, name.stringValue()));
            }
        }
        method.findAttribute(Attributes.code())
                .flatMap(code -> code.findAttribute(Attributes.localVariableTable()))
                .ifPresent(table -> table.localVariables().stream()
                        .filter(variable -> variable.startPc() == 0 && slots.contains(variable.slot()))
                        .forEach(variable ->
                                names.put(variable.slot(), variable.name().stringValue())));
        return names;
    }

    private static List<Integer> slots(MethodModel method) {
        List<Integer> slots = new ArrayList<>();
        int slot = method.flags().has(AccessFlag.STATIC) ? 0 : 1;
        MethodTypeDesc type = method.methodTypeSymbol();
        for (ClassDesc parameter : type.parameterList()) {
            slots.add(slot);
            slot += TypeKind.from(parameter).slotSize();
        }
        return slots;
    }

    /** In their order; those without a name are {@code p0}, {@code p1}, … */
    public static List<String> of(Method method) {
        String descriptor = MethodType.methodType(method.getReturnType(), method.getParameterTypes())
                .descriptorString();
        var model = new ClassBytes().model(method.getDeclaringClass());
        List<String> names = new ArrayList<>();
        for (var parameter : method.getParameters()) {
            names.add(parameter.isNamePresent() ? parameter.getName() : "p" + names.size());
        }
        if (model != null) {
            for (MethodModel each : model.methods()) {
                if (each.methodName().equalsString(method.getName())
                        && each.methodType().equalsString(descriptor)) {
                    Map<Integer, String> known = bySlot(each);
                    List<Integer> slots = slots(each);
                    for (int i = 0; i < names.size(); i++) {
                        names.set(i, known.getOrDefault(slots.get(i), names.get(i)));
                    }
                }
            }
        }
        return names;
    }
}
