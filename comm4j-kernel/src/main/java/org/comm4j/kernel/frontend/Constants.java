// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.frontend;

import java.io.Serializable;
import java.lang.constant.ClassDesc;
import java.lang.constant.DirectMethodHandleDesc;
import java.lang.constant.MethodHandleDesc;
import java.lang.constant.MethodTypeDesc;
import java.lang.invoke.MethodType;
import java.lang.invoke.SerializedLambda;
import java.util.ArrayList;
import java.util.List;
import org.comm4j.kernel.capture.KernelSource;
import org.comm4j.kernel.ir.Type;
import org.comm4j.kernel.ir.Value;

/** Values of a kernel's parameters that are known when it is compiled. */
final class Constants {
    private final Translator translator;

    Constants(Translator translator) {
        this.translator = translator;
    }

    /** Pointers and what contains them are passed by each launch, for the compiled kernel may live longer. */
    static boolean isBakedIn(JavaType type) {
        return switch (type) {
            case JavaType.Pointer pointer -> false;
            case JavaType.Record record -> record.components().stream().allMatch(Constants::isBakedIn);
            default -> true;
        };
    }

    /** Returns a value of a parameter's type. */
    Operand value(JavaType type, Class<?> of, Object value) throws Types.UnsupportedType {
        Class<?> wanted = MethodType.methodType(of).wrap().returnType();
        if (!wanted.isInstance(value)) {
            throw new Types.UnsupportedType(
                    "its value is given as " + value.getClass().getSimpleName() + " instead of " + of.getSimpleName(),
                    null);
        }
        if (!type.isStored()) {
            return Operand.of(type);
        }
        try {
            return new Operand(
                    type.onStack(), translator.emit.fromMemory(type, new Fields(translator).value(type, value)));
        } catch (IllegalAccessException closed) {
            throw new Types.UnsupportedType("its components cannot be read", null);
        }
    }

    /** A lambda or method reference that is the constant value of a parameter, with what it has captured. */
    Operand closure(Class<?> of, Object value) throws Types.UnsupportedType {
        if (!of.isInstance(value) || !(value instanceof Serializable serializable)) {
            throw new Types.UnsupportedType(
                    "its value is " + value + " instead of a lambda", "make " + of.getSimpleName() + " Serializable");
        }
        SerializedLambda lambda = KernelSource.serialized(serializable);
        Class<?> in;
        try {
            in = Class.forName(
                    lambda.getCapturingClass().replace('/', '.'),
                    false,
                    value.getClass().getClassLoader());
        } catch (ClassNotFoundException missing) {
            throw new Types.UnsupportedType("the class " + lambda.getCapturingClass() + " is not there", null);
        }
        ClassDesc owner = ClassDesc.ofInternalName(lambda.getImplClass());
        DirectMethodHandleDesc code = MethodHandleDesc.ofMethod(
                DirectMethodHandleDesc.Kind.valueOf(lambda.getImplMethodKind()),
                owner,
                lambda.getImplMethodName(),
                MethodTypeDesc.ofDescriptor(lambda.getImplMethodSignature()));
        List<Operand> captured = new ArrayList<>();
        for (int i = 0; i < lambda.getCapturedArgCount(); i++) {
            Object each = lambda.getCapturedArg(i);
            Class<?> given = MethodType.methodType(each.getClass()).unwrap().returnType();
            captured.add(value(translator.compilation.types.of(given), given, each));
        }
        JavaType.Closure closure = new JavaType.Closure(
                of,
                lambda.getFunctionalInterfaceMethodName(),
                code,
                in,
                captured.stream().map(Operand::type).toList());
        List<Value> stored = captured.stream()
                .filter(each -> each.type().isStored())
                .map(Operand::value)
                .toList();
        return closure.value() instanceof Type.Struct struct
                ? new Operand(closure, translator.emit.composeFirst(struct, stored))
                : Operand.of(closure);
    }
}
