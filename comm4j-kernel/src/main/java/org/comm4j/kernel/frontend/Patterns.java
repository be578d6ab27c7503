// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.frontend;

import java.lang.classfile.Label;
import java.lang.classfile.instruction.ExceptionCatch;
import java.lang.classfile.instruction.InvokeDynamicInstruction;
import java.lang.classfile.instruction.NewObjectInstruction;
import java.lang.classfile.instruction.TypeCheckInstruction;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.DynamicConstantDesc;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.ToIntFunction;
import org.comm4j.kernel.frontend.JavaType.Primitive;
import org.comm4j.kernel.ir.Instruction.BinaryOp;
import org.comm4j.kernel.ir.Instruction.Comparison;
import org.comm4j.kernel.ir.Value;
import org.jspecify.annotations.Nullable;

/**
 * Translation of {@code instanceof} and of switches over patterns. The class of a record, an enum or a lambda is
 * known when the kernel is compiled. At run time only guards and the constants of enums are tested.
 */
final class Patterns {
    private static final String HINT = "records, enums and lambdas can be told apart; use one of them";

    private final Translator method;

    Patterns(Translator method) {
        this.method = method;
    }

    /**
     * Returns true for the handler that javac writes around patterns of records; it only reports that an accessor has
     * failed.
     */
    static boolean isOfPattern(
            ExceptionCatch handler, List<java.lang.classfile.Instruction> code, ToIntFunction<Label> index) {
        int start = index.applyAsInt(handler.handler());
        return start + 1 < code.size()
                && code.get(start + 1) instanceof NewObjectInstruction made
                && made.className().asInternalName().equals("java/lang/MatchException");
    }

    void isInstance(TypeCheckInstruction check) {
        Operand operand = method.pop();
        if (operand.type() == JavaType.Other.NULL || operand.isUnknown()) {
            method.push(Primitive.INT, IrBuilder.i32(0));
            return;
        }
        if (operand.type() instanceof JavaType.Union union) {
            Class<?> wanted = load(check.type().asSymbol());
            Value fits = new Unions(method).is(union, operand, type -> wanted != null && wanted.isAssignableFrom(type));
            method.push(Primitive.INT, method.emit.bool(fits));
            return;
        }
        Class<?> is = known(operand, ConstantDescs.CD_Object);
        if (is == null) {
            method.problem("instanceof of a " + operand.type() + " is not available on the GPU", HINT);
            method.push(Primitive.INT, IrBuilder.i32(0));
            return;
        }
        method.push(Primitive.INT, IrBuilder.i32(isA(is, check.type().asSymbol()) ? 1 : 0));
    }

    private @Nullable Class<?> known(Operand operand, ClassDesc declared) {
        return switch (operand.type()) {
            case Primitive number when declared.isPrimitive() -> load(declared);
            case JavaType.Record made -> made.of();
            case JavaType.Self made -> made.record().of();
            case JavaType.Enumeration constant -> constant.of();
            case JavaType.Closure closure -> closure.type();
            case JavaType.Union union -> union.of();
            default -> null;
        };
    }

    private @Nullable Class<?> load(ClassDesc type) {
        try {
            return method.compilation.types.load(type, method.owner);
        } catch (ClassNotFoundException missing) {
            method.problem("the class " + type.displayName() + " is not there", null);
            return null;
        }
    }

    private boolean isA(Class<?> is, ClassDesc wanted) {
        Class<?> type = load(wanted);
        return type != null && type.isAssignableFrom(is);
    }

    /** Pushes the number of the first case, counted from {@code from}, whose pattern fits, or the number of cases. */
    void choose(InvokeDynamicInstruction instruction, Operand operand, Operand from) {
        List<ConstantDesc> labels = instruction.bootstrapArgs();
        Class<?> is = known(operand, instruction.typeSymbol().parameterType(0));
        if (is == null) {
            if (!operand.isUnknown()) {
                method.problem("a switch over patterns of a " + operand.type() + " is not available on the GPU", HINT);
            }
            method.hasPatterns();
            method.push(Operand.of(Primitive.INT));
            return;
        }
        IrBuilder emit = method.emit;
        Value chosen = IrBuilder.i32(labels.size());
        Set<Integer> possible = new TreeSet<>(Set.of(labels.size()));
        for (int i = labels.size() - 1; i >= 0; i--) {
            Value fits = fits(is, operand, labels.get(i));
            if (fits instanceof Value.Int known && known.value() == 0) {
                continue;
            }
            Value reached = emit.compare(Comparison.LE, from.value(), IrBuilder.i32(i));
            chosen = emit.select(both(reached, fits), IrBuilder.i32(i), chosen);
            possible.add(i);
        }
        method.push(new Operand(new JavaType.Chosen(possible), chosen));
    }

    private Value both(Value one, Value other) {
        return one instanceof Value.Int known
                ? known.value() == 0 ? one : other
                : other instanceof Value.Int ? one : method.emit.binary(BinaryOp.AND, one, other);
    }

    /** Tests that a value has the class that a label names, or is the constant of an enum that it names. */
    private Value fits(Class<?> is, Operand operand, ConstantDesc label) {
        if (label instanceof ClassDesc type && operand.type() instanceof JavaType.Union union) {
            Class<?> wanted = load(type);
            return new Unions(method).is(union, operand, each -> wanted != null && wanted.isAssignableFrom(each));
        }
        if (label instanceof ClassDesc type) {
            return IrBuilder.i1(isA(is, type));
        }
        if (is.isPrimitive()) {
            return IrBuilder.i1(label instanceof DynamicConstantDesc<?> type
                    && type.bootstrapMethod().methodName().equals("primitiveClass")
                    && type.constantName().equals(is.descriptorString()));
        }
        String name = label instanceof String constant ? constant : constant(is, label);
        Object[] constants = is.getEnumConstants();
        for (int i = 0; name != null && constants != null && i < constants.length; i++) {
            if (((Enum<?>) constants[i]).name().equals(name)) {
                return method.emit.compare(Comparison.EQ, operand.value(), IrBuilder.i32(i));
            }
        }
        return IrBuilder.i1(false);
    }

    /** Returns the name in {@code EnumDesc.of(ClassDesc.of(type), name)} if the type is {@code is}. */
    private static @Nullable String constant(Class<?> is, ConstantDesc label) {
        return label instanceof DynamicConstantDesc<?> made
                        && made.bootstrapArgsList().size() == 3
                        && made.bootstrapArgsList().get(1) instanceof DynamicConstantDesc<?> type
                        && is.getName().equals(type.bootstrapArgsList().getLast())
                        && made.bootstrapArgsList().get(2) instanceof String name
                ? name
                : null;
    }
}
