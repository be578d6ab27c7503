// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.frontend;

import java.lang.constant.ClassDesc;
import java.lang.constant.MethodTypeDesc;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.comm4j.kernel.frontend.Compilation.Target;
import org.comm4j.kernel.frontend.JavaType.Primitive;
import org.comm4j.kernel.ir.External;
import org.comm4j.kernel.ir.Type;
import org.comm4j.kernel.ir.Value;
import org.comm4j.kernel.lang.DeviceFunction;
import org.comm4j.kernel.lang.I8Ptr;
import org.comm4j.kernel.lang.InlinePtx;
import org.comm4j.kernel.lang.Ptr;
import org.comm4j.kernel.lang.Warp;
import org.jspecify.annotations.Nullable;

/**
 * Calls of methods that a processor runs as they are ({@link FrontendOptions#host}): those with {@link InlinePtx} or
 * {@link DeviceFunction}, the operations of {@link Warp}, and the JDK's functions of numbers.
 */
final class HostCalls {
    /** Classes whose methods threads that are loops find in {@code …Exchange}. */
    private static final Set<String> EXCHANGED = Set.of(Types.ROOT + "Mma", Types.ROOT + "GridReduction");

    /** The methods in which they wait there. */
    private static final Set<String> WAITING = Set.of("add", "min", "max");

    private final Translator method;

    HostCalls(Translator method) {
        this.method = method;
    }

    /** Returns what is compiled in place of a product of matrices or a reduction over a block; null of all others. */
    static @Nullable Target exchanged(Translator method, Target target) {
        return EXCHANGED.contains(target.owner().getName())
                ? method.compilation.methods.declared(exchange(target.owner()), target.name(), target.type())
                : null;
    }

    private static Class<?> exchange(Class<?> exchanged) {
        try {
            return Class.forName(exchanged.getName() + "Exchange", false, exchanged.getClassLoader());
        } catch (ClassNotFoundException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Returns what a call of the vocabulary gives; null if the method is compiled from its bytecode. */
    @Nullable
    Operand vocabulary(Target target, List<Operand> arguments) {
        InlinePtx ptx = target.annotation(InlinePtx.class);
        DeviceFunction function = target.annotation(DeviceFunction.class);
        if (ptx == null && function == null && !isExchange(target)) {
            return null;
        }
        JavaType result;
        try {
            result = method.compilation.types.of(
                    method.compilation.types.load(target.type().returnType(), target.owner()));
        } catch (Types.UnsupportedType unsupported) {
            method.problem(unsupported);
            return Calls.quiet(target.type().returnType());
        } catch (ClassNotFoundException missing) {
            throw new IllegalStateException(missing);
        }
        method.compilation.cooperative |= function != null && function.cooperative();
        boolean convergent = ptx != null ? ptx.convergent() : function == null || function.convergent();
        boolean pure = ptx != null ? !ptx.effects() : function != null && function.pure();
        return call(
                target.owner().getName(),
                target.name() + target.type().descriptorString() + pointers(target, arguments),
                result,
                arguments,
                convergent,
                pure && !convergent);
    }

    /**
     * The classes of pointers whose parameters may be of any, behind a space; the method may ask what they point to.
     * Empty without such parameters.
     */
    private static String pointers(Target target, List<Operand> arguments) {
        int receiver = arguments.size() - target.type().parameterCount();
        List<String> classes = new ArrayList<>();
        for (int i = 0; i < target.type().parameterCount(); i++) {
            if (target.type().parameterType(i).descriptorString().equals(Ptr.class.descriptorString())) {
                Class<?> type = arguments.get(receiver + i).type() instanceof JavaType.Pointer pointer
                                && pointer.of() != Ptr.class
                        ? pointer.of()
                        : I8Ptr.class;
                classes.add(type.getName());
            }
        }
        return classes.isEmpty() ? "" : " " + String.join(",", classes);
    }

    /** Exchanges of 64 bits are two of 32 bits on a GPU, one on a processor; a block's reduction is one, too. */
    private static boolean isExchange(Target target) {
        if (target.owner().getName().equals(Types.ROOT + "GridReductionExchange")) {
            return WAITING.contains(target.name());
        }
        return target.owner() == Warp.class
                && target.name().startsWith("shuffle")
                && target.type().parameterCount() == 4
                && target.type().parameterType(0).isPrimitive()
                && !target.name().endsWith("Bits");
    }

    /** Returns the result of a function of numbers alone that the JDK has; null if it is something else. */
    @Nullable
    Operand jdk(String owner, String name, MethodTypeDesc type, List<Operand> arguments) {
        if (!JdkMath.isCompiled(owner)
                || !type.returnType().isPrimitive()
                || !type.parameterList().stream().allMatch(ClassDesc::isPrimitive)) {
            return null;
        }
        JavaType result = Primitive.valueOf(type.returnType().displayName().toUpperCase(Locale.ROOT));
        return call(owner, name + type.descriptorString(), result, arguments, false, true);
    }

    private Operand call(
            String owner,
            String nameAndType,
            JavaType result,
            List<Operand> arguments,
            boolean convergent,
            boolean pure) {
        // Null is nothing to the compiler, and a pointer to what is called.
        List<Value> values = arguments.stream()
                .map(Operand::value)
                .map(value -> value.type() == Type.Scalar.VOID ? new Value.Zero(Type.Pointer.GENERIC) : value)
                .toList();
        External callee = new External(
                owner.replace('.', '/') + "." + nameAndType,
                result.value(),
                values.stream().map(Value::type).toList(),
                convergent,
                pure);
        Value value = method.emit.external(callee, values);
        return result == Primitive.VOID ? Operand.of(result) : new Operand(result.onStack(), value);
    }
}
