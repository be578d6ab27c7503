// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.frontend;

import java.lang.constant.MethodTypeDesc;
import java.util.List;
import org.comm4j.kernel.ir.Instruction.BinaryOp;
import org.comm4j.kernel.ir.Instruction.Comparison;
import org.comm4j.kernel.ir.Value;
import org.jspecify.annotations.Nullable;

/**
 * Views: a pointer and a length, which is not negative. What their methods do is written where they are called, so that
 * an index outside is reported with that line. It is one comparison, of unsigned numbers.
 */
final class Views {
    private final Translator method;
    private final Intrinsics vocabulary;

    Views(Translator method, Intrinsics vocabulary) {
        this.method = method;
        this.vocabulary = vocabulary;
    }

    static boolean isOne(Class<?> type) {
        return type.getPackageName().equals(Types.PACKAGE)
                && type.getSimpleName().endsWith("View");
    }

    /** Null for methods that are nothing special. */
    @Nullable
    Operand call(JavaType.Record view, String name, MethodTypeDesc type, Operand receiver, List<Operand> arguments) {
        IrBuilder emit = method.emit;
        Value length = emit.extract(receiver.value(), 1);
        switch (name) {
            case "get", "set" -> require(arguments.getFirst().value(), length);
            case "slice" -> {
                Value from = arguments.getFirst().value();
                Value rest = emit.binary(BinaryOp.SUB, length, from);
                emit.require(
                        emit.binary(
                                BinaryOp.AND,
                                emit.compare(Comparison.GE, unsigned(length), unsigned(from)),
                                emit.compare(
                                        Comparison.GE,
                                        unsigned(rest),
                                        unsigned(arguments.get(1).value()))),
                        "IndexOutOfBoundsException");
            }
            default -> {
                return null;
            }
        }
        JavaType.Pointer pointer = (JavaType.Pointer) view.components().getFirst();
        Operand start = new Operand(pointer, emit.extract(receiver.value(), 0));
        if (name.equals("slice")) {
            Operand moved = vocabulary.callPointer(pointer, "plus", type, start, arguments.subList(0, 1));
            return moved == null
                    ? null
                    : new Operand(
                            view,
                            emit.compose(
                                    view.struct(),
                                    List.of(moved.value(), arguments.get(1).value())));
        }
        return vocabulary.callPointer(pointer, name, type, start, arguments);
    }

    private void require(Value index, Value length) {
        method.emit.require(
                method.emit.compare(Comparison.LT, unsigned(index), unsigned(length)), "IndexOutOfBoundsException");
    }

    /** In the order of unsigned numbers when it is compared as a signed one; LLVM knows. */
    private Value unsigned(Value number) {
        return method.emit.binary(BinaryOp.XOR, number, IrBuilder.i64(Long.MIN_VALUE));
    }
}
