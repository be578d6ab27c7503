// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.nvvm;

import java.util.HashSet;
import java.util.Set;
import org.comm4j.kernel.ir.Block;
import org.comm4j.kernel.ir.Function;
import org.comm4j.kernel.ir.Instruction;
import org.comm4j.kernel.ir.Instruction.BinaryOp;
import org.comm4j.kernel.ir.Instruction.Conversion;
import org.comm4j.kernel.ir.Type.Scalar;
import org.comm4j.kernel.ir.Value;
import org.jspecify.annotations.Nullable;

/**
 * The negations of integers that NVIDIA's compilers must not recognise, because ptxas 13.0 gets wrong what they become.
 * <ul>
 *   <li>{@code x < 0 ? -x : x} becomes {@code abs}, whose result ptxas takes for 0 or more; that of MIN_VALUE is
 *   MIN_VALUE.
 *   <li>{@code (short) -s} becomes {@code neg.s16}, after which ptxas leaves out the sign extension.
 * </ul>
 *
 * <p>Such a negation is written as the instruction {@code neg} of PTX: as fast, but nothing is known about it. The
 * others stay visible, as a loop from {@code -r} to {@code r} is unrolled only where {@code r} is seen to be a
 * constant.
 */
final class Negations {
    /** What is known of a value that was loaded from anywhere but a variable. */
    private static final String MEMORY = "memory";

    private final Set<Object> comparedWithZero = new HashSet<>();
    private final Set<Object> castToShort = new HashSet<>();

    Negations(Function function) {
        for (Block block : function.blocks()) {
            for (Instruction instruction : block.instructions()) {
                switch (instruction) {
                    case Instruction.Compare compare -> compared(compare.left(), compare.right());
                    case Instruction.Order order -> compared(order.left(), order.right());
                    case Instruction.Convert convert
                    when convert.kind() == Conversion.TRUNCATE && convert.type() == Scalar.I16 ->
                        castToShort.add(origin(convert.value()));
                    default -> {}
                }
            }
        }
        // What is stored in a variable that is cast is cast, too.
        for (Block block : function.blocks()) {
            for (Instruction instruction : block.instructions()) {
                if (instruction instanceof Instruction.Store store
                        && store.pointer() instanceof Instruction.Alloca variable
                        && castToShort.contains(variable.id())) {
                    castToShort.add(origin(store.value()));
                }
            }
        }
    }

    private void compared(Value left, Value right) {
        if (isNearZero(right)) {
            comparedWithZero.add(origin(left));
        }
        if (isNearZero(left)) {
            comparedWithZero.add(origin(right));
        }
    }

    /** {@code x > -1} and {@code x < 1} are comparisons with 0. */
    private static boolean isNearZero(Value value) {
        return value instanceof Value.Zero || (value instanceof Value.Int number && Math.abs(number.value()) <= 1);
    }

    /** Where a value comes from: a variable, a parameter, other memory, or its own instruction. */
    private static Object origin(Value value) {
        return switch (value) {
            case Instruction.Convert convert
            when convert.kind() == Conversion.SIGN_EXTEND || convert.kind() == Conversion.TRUNCATE ->
                origin(convert.value());
            case Instruction.Load load ->
                load.pointer() instanceof Instruction.Alloca variable ? variable.id() : MEMORY;
            case Instruction instruction -> instruction.id();
            default -> value;
        };
    }

    /** Returns what an instruction negates, if that must not be recognised, else null. */
    @Nullable
    Value hidden(Instruction instruction) {
        @Nullable
        Value negated = switch (instruction) {
            case Instruction.Negate negate -> negate.value();
            case Instruction.Binary binary when binary.op() == BinaryOp.SUB && isZero(binary.left()) -> binary.right();
            default -> null;
        };
        boolean hides = negated != null
                && (instruction.type() == Scalar.I32 || instruction.type() == Scalar.I64)
                && !(negated instanceof Value.Int)
                && (comparedWithZero.contains(origin(negated)) || castToShort.contains(instruction.id()));
        return hides ? negated : null;
    }

    private static boolean isZero(Value value) {
        return value instanceof Value.Zero || (value instanceof Value.Int number && number.value() == 0);
    }
}
