// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.frontend;

import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.util.ArrayList;
import java.util.List;
import org.comm4j.kernel.frontend.Compilation.Target;
import org.comm4j.kernel.frontend.JavaType.Primitive;
import org.comm4j.kernel.ir.Value;
import org.comm4j.kernel.lang.Warp;
import org.jspecify.annotations.Nullable;

/** Methods of the JDK about arrays, records and characters that kernels have; {@link JdkMath} has those of numbers. */
final class Library {
    private final Translator method;
    private final Calls calls;

    Library(Translator method, Calls calls) {
        this.method = method;
        this.calls = calls;
    }

    /** Calls what kernels have of the JDK beside numbers; null if it is nothing of that. */
    @Nullable
    Operand call(String owner, String name, MethodTypeDesc type, List<Operand> arguments) {
        if (owner.equals(Types.ROOT + "Warp")
                && name.startsWith("shuffle")
                && arguments.size() == 4
                && arguments.getFirst().type() instanceof JavaType.Record record) {
            return shuffled(name, record, arguments);
        }
        return switch (owner + "." + name) {
            case "java.lang.System.arraycopy" -> ofArrays("copy", arguments, type, arguments);
            case "java.util.Arrays.fill" -> ofArrays("fill", arguments, type, arguments);
            case "java.util.Objects.equals" -> same(arguments.get(0), arguments.get(1));
            default -> owner.equals("java.lang.Character") ? Latin1.call(method, name, arguments) : null;
        };
    }

    /** Shuffles a record, each component for itself. */
    private Operand shuffled(String name, JavaType.Record record, List<Operand> arguments) {
        if (!record.isStored()) {
            return arguments.getFirst();
        }
        List<Value> fields = new ArrayList<>();
        for (int i = 0; i < record.components().size(); i++) {
            JavaType type = record.components().get(i);
            List<Operand> given = new ArrayList<>(arguments);
            given.set(
                    0,
                    new Operand(
                            type.onStack(),
                            method.emit.fromMemory(
                                    type,
                                    method.emit.extract(arguments.getFirst().value(), i))));
            Operand other;
            if (type instanceof JavaType.Record nested) {
                other = shuffled(name, nested, given);
            } else if (type instanceof Primitive || type instanceof JavaType.Enumeration) {
                Primitive kind = type instanceof Primitive number ? (Primitive) number.onStack() : Primitive.INT;
                given.set(0, new Operand(kind, given.getFirst().value()));
                ClassDesc element = ClassDesc.ofDescriptor(kind.descriptor());
                MethodTypeDesc descriptor = MethodTypeDesc.of(
                        element, element, ConstantDescs.CD_int, ConstantDescs.CD_int, ConstantDescs.CD_int);
                Target target = method.compilation.methods.resolve(Warp.class, name, descriptor);
                if (target == null) {
                    throw new IllegalStateException(name + descriptor.displayDescriptor());
                }
                other = calls.call(target, null, given);
            } else {
                method.problem(
                        "a shuffle of a record with a " + type + " is not available on the GPU",
                        "its components are numbers, enums and records of them");
                return arguments.getFirst();
            }
            fields.add(method.emit.toMemory(type, other.value()));
        }
        return new Operand(record, method.emit.compose(record.struct(), fields));
    }

    /** Calls a method of {@link ArrayCode} for the type of the first argument's elements. */
    private Operand ofArrays(String name, List<Operand> arrays, MethodTypeDesc type, List<Operand> arguments) {
        if (!(arrays.getFirst().type() instanceof JavaType.Array array)) {
            return Calls.quiet(type.returnType());
        }
        if (name.equals("fill") && array.element() instanceof JavaType.Row) {
            method.problem(
                    "a row of an array of arrays cannot be replaced on the GPU: the rows are one array",
                    "fill each row");
            return Calls.quiet(type.returnType());
        }
        if (name.equals("copy")
                && arguments.get(2).type() instanceof JavaType.Array other
                && !other.element().equals(array.element())) {
            method.problem("elements of " + array + " cannot be copied to " + other, null);
            return Calls.quiet(type.returnType());
        }
        ClassDesc element = array.element() instanceof Primitive primitive
                ? ClassDesc.ofDescriptor(primitive.descriptor())
                : ConstantDescs.CD_Object;
        List<ClassDesc> parameters = new ArrayList<>();
        for (int i = 0; i < arguments.size(); i++) {
            boolean isArray = arguments.get(i).type() instanceof JavaType.Array;
            boolean isValue = name.equals("fill") && i == arguments.size() - 1;
            parameters.add(isArray ? element.arrayType() : isValue ? element : ConstantDescs.CD_int);
        }
        MethodTypeDesc descriptor = MethodTypeDesc.of(ConstantDescs.CD_void, parameters);
        Target target = method.compilation.methods.resolve(ArrayCode.class, name, descriptor);
        return target == null ? calls.missing(ArrayCode.class, name, descriptor) : calls.call(target, null, arguments);
    }

    private Operand same(Operand one, Operand other) {
        if (one.type() == JavaType.Other.NULL || other.type() == JavaType.Other.NULL) {
            return new Operand(Primitive.INT, IrBuilder.i32(one.type().equals(other.type()) ? 1 : 0));
        }
        return calls.callInstance(
                Object.class,
                "equals",
                MethodTypeDesc.of(ConstantDescs.CD_boolean, ConstantDescs.CD_Object),
                one,
                List.of(other));
    }

    Operand copied(JavaType.Array array, Operand receiver, MethodTypeDesc type) {
        Operand copy = method.arrays.copy(array, receiver);
        if (copy == null) {
            method.problem(
                    array.element() instanceof JavaType.Row
                            ? "clone of an array of arrays is not available on the GPU: the rows would be shared"
                            : "clone of an array whose size is not known when the kernel is compiled",
                    "make an array of a constant size and use System.arraycopy");
            return Calls.quiet(type.returnType());
        }
        Operand zero = new Operand(Primitive.INT, IrBuilder.i32(0));
        Operand length = new Operand(Primitive.INT, method.emit.extract(receiver.value(), 1));
        ofArrays("copy", List.of(receiver), type, List.of(receiver, zero, copy, zero, length));
        return copy;
    }
}
