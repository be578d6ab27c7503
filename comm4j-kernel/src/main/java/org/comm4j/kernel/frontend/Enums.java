// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.frontend;

import java.lang.constant.MethodTypeDesc;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.comm4j.kernel.frontend.Compilation.Target;
import org.comm4j.kernel.frontend.JavaType.Primitive;
import org.comm4j.kernel.ir.Block;
import org.comm4j.kernel.ir.Instruction.BinaryOp;
import org.comm4j.kernel.ir.Instruction.Comparison;
import org.comm4j.kernel.ir.Instruction.Conversion;
import org.comm4j.kernel.ir.Terminator;
import org.comm4j.kernel.ir.Type;
import org.comm4j.kernel.ir.Value;
import org.jspecify.annotations.Nullable;

/**
 * Methods of enums: a constant is its ordinal, and methods that constants have of their own are chosen by a switch over
 * it.
 */
final class Enums {
    private final Translator method;
    private final Calls calls;

    Enums(Translator method, Calls calls) {
        this.method = method;
        this.calls = calls;
    }

    /** {@code values()}: the ordinals, in constant memory. */
    Operand values(Class<?> type) {
        JavaType.Enumeration element = new JavaType.Enumeration(type);
        List<Value> ordinals = new ArrayList<>();
        for (int i = 0; i < type.getEnumConstants().length; i++) {
            ordinals.add(IrBuilder.i32(i));
        }
        Value table = method.compilation.globals.constant(
                type.getSimpleName() + "_values", element, Fields.bytes(element, ordinals));
        return new Operand(
                new JavaType.Array(element, true, java.util.Set.of()),
                method.emit.compose(
                        JavaType.Array.VALUE,
                        List.of(
                                method.emit.convert(Conversion.SPACE, table, Type.Pointer.GENERIC),
                                IrBuilder.i32(ordinals.size()))));
    }

    /** Calls a method that enums inherit from {@link Enum}. */
    Operand inherited(Target target, Operand receiver, List<Operand> arguments) {
        IrBuilder emit = method.emit;
        boolean isSame = !arguments.isEmpty() && arguments.getFirst().type().equals(receiver.type());
        switch (target.name()) {
            case "ordinal" -> {
                return new Operand(Primitive.INT, receiver.value());
            }
            case "compareTo" -> {
                if (isSame) {
                    Value other = arguments.getFirst().value();
                    return new Operand(Primitive.INT, emit.binary(BinaryOp.SUB, receiver.value(), other));
                }
            }
            case "equals" -> {
                if (isSame) {
                    Value other = arguments.getFirst().value();
                    return new Operand(Primitive.INT, emit.bool(emit.compare(Comparison.EQ, receiver.value(), other)));
                }
                return new Operand(Primitive.INT, IrBuilder.i32(0));
            }
            default -> {}
        }
        method.problem(
                receiver.type() + "." + target.name() + " is not available on the GPU: an enum is its ordinal there",
                "use ordinal()");
        return Calls.quiet(target.type().returnType());
    }

    /**
     * Calls a method of an enum.
     *
     * @param owner the class or interface that the call names
     */
    Operand call(
            JavaType.Enumeration type,
            Class<?> owner,
            String name,
            MethodTypeDesc descriptor,
            Operand receiver,
            List<Operand> arguments) {
        Object[] constants = type.of().getEnumConstants();
        Long known = receiver.constant();
        Map<String, Target> targets = new LinkedHashMap<>();
        Map<Integer, String> keys = new TreeMap<>();
        for (int i = 0; i < constants.length; i++) {
            // A method of a constant's body is called on that constant.
            if (known != null ? known != i : !owner.isInstance(constants[i])) {
                continue;
            }
            Target target = calls.select(owner, constants[i].getClass(), name, descriptor);
            if (target == null) {
                return calls.missing(constants[i].getClass(), name, descriptor);
            }
            targets.putIfAbsent(target.key(), target);
            keys.put(i, target.key());
        }
        return switch (targets.size()) {
            case 0 -> calls.missing(type.of(), name, descriptor);
            case 1 -> calls.call(targets.values().iterator().next(), receiver, arguments);
            default -> choose(type + "." + name, targets, keys, descriptor, receiver, arguments);
        };
    }

    /** Constants with the same method have a case in common. */
    private Operand choose(
            String called,
            Map<String, Target> targets,
            Map<Integer, String> keys,
            MethodTypeDesc descriptor,
            Operand receiver,
            List<Operand> arguments) {
        IrBuilder emit = method.emit;
        Map<String, Block> blocks = new LinkedHashMap<>();
        targets.forEach((key, target) -> blocks.put(key, emit.block("constant")));
        Map<Integer, Block> cases = new TreeMap<>();
        keys.forEach((ordinal, key) -> cases.put(ordinal, blocks.get(key)));
        Block last = Objects.requireNonNull(cases.remove(cases.size() - 1));
        emit.end(new Terminator.Switch(emit.at(), receiver.value(), cases, last));
        Block done = emit.block("chosen");
        JavaType result = null;
        @Nullable Value memory = null;
        for (Map.Entry<String, Target> each : targets.entrySet()) {
            emit.begin(Objects.requireNonNull(blocks.get(each.getKey())));
            List<Integer> whose = keys.entrySet().stream()
                    .filter(key -> key.getValue().equals(each.getKey()))
                    .map(Map.Entry::getKey)
                    .toList();
            // The only constant of a body is known in it, so that its own fields are.
            Operand own = whose.size() == 1 ? new Operand(receiver.type(), IrBuilder.i32(whose.getFirst())) : receiver;
            Operand made = calls.call(each.getValue(), own, arguments);
            JavaType merged = result == null ? made.type() : Frame.merge(result, made.type());
            if (merged == null) {
                method.problem(
                        called + " returns another lambda, string or kind of value for other constants;"
                                + " which it is must be known when the kernel is compiled",
                        "decide with if or switch and use each of them there");
                merged = JavaType.Other.UNKNOWN;
            }
            result = merged;
            if (made.type().isStored() && made.type().value() != Type.Scalar.VOID) {
                if (memory == null) {
                    memory = emit.alloca(made.type().value(), "chosen");
                }
                if (made.value().type().equals(made.type().value())) {
                    emit.store(made.value(), memory);
                }
            }
            emit.jump(done, 0);
        }
        emit.begin(done);
        if (result == null || result == JavaType.Other.UNKNOWN) {
            return Calls.quiet(descriptor.returnType());
        }
        return memory == null ? Operand.of(result) : new Operand(result, emit.load(result.value(), memory));
    }
}
