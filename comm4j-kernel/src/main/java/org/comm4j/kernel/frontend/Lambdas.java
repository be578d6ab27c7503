// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.frontend;

import java.lang.classfile.instruction.InvokeDynamicInstruction;
import java.lang.constant.ConstantDesc;
import java.lang.constant.DirectMethodHandleDesc;
import java.lang.constant.MethodTypeDesc;
import java.util.ArrayList;
import java.util.List;
import org.comm4j.kernel.ir.Type;
import org.comm4j.kernel.ir.Value;
import org.jspecify.annotations.Nullable;

/** Lambdas and method references: a struct of what they capture. What else is dynamic is not available. */
final class Lambdas {
    private final Translator method;

    Lambdas(Translator method) {
        this.method = method;
    }

    void invoke(InvokeDynamicInstruction instruction, Patterns patterns) {
        MethodTypeDesc type = instruction.typeSymbol();
        List<Operand> captured = method.pop(type.parameterCount());
        String bootstrap = instruction.bootstrapMethod().owner().displayName() + "."
                + instruction.bootstrapMethod().methodName();
        if (bootstrap.equals("StringConcatFactory.makeConcatWithConstants") && method.isMessage()) {
            String recipe = String.valueOf(instruction.bootstrapArgs().getFirst());
            method.push(Operand.of(new JavaType.Text(recipe.replace('\u0001', '?'))));
            return;
        }
        switch (bootstrap) {
            case "LambdaMetafactory.metafactory", "LambdaMetafactory.altMetafactory" ->
                make(instruction, type, captured);
            case "StringConcatFactory.makeConcatWithConstants", "StringConcatFactory.makeConcat" ->
                refuse(
                        type,
                        "string concatenation is not available on the GPU",
                        "use Gpu.printf with a format: Gpu.printf(\"r=%f\", r)");
            case "ObjectMethods.bootstrap" -> new Records(method).call(instruction, captured);
            case "SwitchBootstraps.typeSwitch", "SwitchBootstraps.enumSwitch" ->
                patterns.choose(instruction, captured.get(0), captured.get(1));
            default -> refuse(type, "invokedynamic with " + bootstrap + " is not available on the GPU", null);
        }
    }

    private void refuse(MethodTypeDesc type, String message, @Nullable String hint) {
        method.problem(message, hint);
        method.push(Calls.quiet(type.returnType()));
    }

    private void make(InvokeDynamicInstruction instruction, MethodTypeDesc type, List<Operand> captured) {
        List<ConstantDesc> arguments = instruction.bootstrapArgs();
        Class<?> of;
        try {
            of = method.compilation.types.load(type.returnType(), method.owner);
        } catch (ClassNotFoundException missing) {
            refuse(type, "the interface " + type.returnType().displayName() + " is not there", null);
            return;
        }
        List<Operand> values = new ArrayList<>();
        for (Operand operand : captured) {
            values.add(
                    switch (operand.type()) {
                        case JavaType.Self made -> method.record(operand, made);
                        case JavaType.Enumeration constant
                        when operand.isConstant() -> Operand.of(new JavaType.Known(constant, operand.value()));
                        default -> operand;
                    });
        }
        JavaType.Closure closure = new JavaType.Closure(
                of,
                instruction.name().stringValue(),
                (DirectMethodHandleDesc) arguments.get(1),
                method.owner,
                values.stream().map(Operand::type).toList());
        List<Value> stored = values.stream()
                .filter(value -> value.type().isStored())
                .map(Operand::value)
                .toList();
        method.push(
                closure.value() instanceof Type.Struct struct
                        ? new Operand(closure, method.emit.compose(struct, stored))
                        : Operand.of(closure));
    }

    /** What the closure has captured. */
    static List<Operand> captured(IrBuilder emit, Operand closure) {
        List<Operand> captured = new ArrayList<>();
        int field = 0;
        for (JavaType type : ((JavaType.Closure) closure.type()).captured()) {
            captured.add(
                    switch (type) {
                        case JavaType.Known known -> new Operand(known.type(), known.constant());
                        default ->
                            type.isStored()
                                    ? new Operand(type, emit.extract(closure.value(), field++))
                                    : Operand.of(type);
                    });
        }
        return captured;
    }
}
