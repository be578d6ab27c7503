// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.frontend;

import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.comm4j.kernel.frontend.JavaType.Primitive;
import org.comm4j.kernel.ir.Value;
import org.comm4j.kernel.lang.BF16Ptr;
import org.comm4j.kernel.lang.F16Ptr;
import org.jspecify.annotations.Nullable;

/** The memory that {@link org.comm4j.kernel.lang.Shared} gives: arrays of constant size, and a launch's own. */
final class SharedMemory {
    private final Translator method;
    private final IrBuilder emit;

    SharedMemory(Translator method) {
        this.method = method;
        this.emit = method.emit;
    }

    /** Returns the pointer or the array that a method gives; null if it is another one. */
    @Nullable
    Operand call(String name, List<Operand> arguments) {
        if (name.startsWith("dynamic")) {
            try {
                Class<?> type = Class.forName(
                        Types.ROOT + name.substring("dynamic".length()) + "Ptr",
                        false,
                        SharedMemory.class.getClassLoader());
                return new Operand(
                        new JavaType.Pointer(type), emit.generic(method.compilation.globals.dynamicShared()));
            } catch (ClassNotFoundException missing) {
                return null;
            }
        }
        if (name.equals("of")) {
            return records(arguments);
        }
        Primitive element = switch (name) {
            case "f32" -> Primitive.FLOAT;
            case "f64" -> Primitive.DOUBLE;
            case "i8" -> Primitive.BYTE;
            case "i16", "f16", "bf16" -> Primitive.SHORT;
            case "i32" -> Primitive.INT;
            case "i64" -> Primitive.LONG;
            default -> null;
        };
        if (element == null) {
            return null;
        }
        Operand array =
                array(element, arguments.getFirst(), ", or Shared.dynamic" + name.toUpperCase(Locale.ROOT) + "()");
        return name.endsWith("f16") && !array.isUnknown()
                ? new Operand(
                        new JavaType.Pointer(name.equals("f16") ? F16Ptr.class : BF16Ptr.class),
                        emit.extract(array.value(), 0))
                : array;
    }

    private Operand records(List<Operand> arguments) {
        if (!(arguments.getFirst().type() instanceof JavaType.Literal literal)) {
            method.problem("Shared.of needs a record's class by its name", "write Shared.of(Point.class, 64)");
            return Operand.unknown();
        }
        try {
            JavaType element = method.compilation.types.of(literal.of());
            if (!element.isStored()) {
                throw new Types.UnsupportedType("an array of " + element + ", which has no components", null);
            }
            return array(element, arguments.get(1), "");
        } catch (Types.UnsupportedType unsupported) {
            method.problem(unsupported);
            return Operand.unknown();
        }
    }

    private Operand array(JavaType element, Operand size, String instead) {
        Long length = size.constant();
        if (length == null || length < 1) {
            method.problem(
                    "a shared array needs a constant size",
                    "use a literal, a static final field or a @Constant parameter" + instead);
            return Operand.unknown();
        }
        Value memory = method.compilation.globals.shared("shared", element, length);
        return new Operand(
                new JavaType.Array(element, false, Set.of()),
                emit.compose(JavaType.Array.VALUE, List.of(emit.generic(memory), IrBuilder.i32(length))));
    }
}
