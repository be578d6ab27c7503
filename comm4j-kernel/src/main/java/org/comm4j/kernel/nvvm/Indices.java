// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.nvvm;

import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.comm4j.kernel.ir.Instruction;
import org.comm4j.kernel.ir.Instruction.Alloca;
import org.comm4j.kernel.ir.Instruction.Binary;
import org.comm4j.kernel.ir.Instruction.BinaryOp;
import org.comm4j.kernel.ir.Instruction.Conversion;
import org.comm4j.kernel.ir.Program;
import org.comm4j.kernel.ir.Type;
import org.comm4j.kernel.ir.Type.Scalar;
import org.comm4j.kernel.ir.Value;
import org.comm4j.kernel.lang.Kernel;

/**
 * Pointers that are moved by an index. Where an index of 32 bits is computed for it, this is done once more, for the
 * access alone and without overflow ({@code nsw}), so that LLVM finds neighbours and strides. What else takes the index
 * has Java's. Kernels with {@code EXACT} arithmetic and checked ones have Java's everywhere.
 */
final class Indices {
    /** Operations one upon the other of an index that is computed once more. */
    private static final int DEEPEST = 6;

    /** The largest element, in bytes. */
    private static final long LARGEST = 1 << 20;

    private final boolean wraps;
    private final Negations negations;
    private final Counters counters;
    private final Function<Value, String> plain;
    private final UnaryOperator<String> temporary;
    /** What a variable has in the block so far, by the variable, and what loads of it have given. */
    private final Map<Integer, Value> stored = new HashMap<>();

    private final Map<Integer, Value> loaded = new HashMap<>();

    /**
     * Of a function.
     *
     * @param plain writes a value
     * @param temporary writes an instruction, and gives its name
     */
    Indices(
            Program program,
            Negations negations,
            Counters counters,
            Function<Value, String> plain,
            UnaryOperator<String> temporary) {
        this.wraps = program.math() == Kernel.Math.EXACT || program.checked();
        this.negations = negations;
        this.counters = counters;
        this.plain = plain;
        this.temporary = temporary;
    }

    /** Forgets what is in variables: another block begins. */
    void begin() {
        stored.clear();
    }

    /** Sees an instruction of the block, one after another. */
    void follow(Instruction instruction) {
        if (instruction instanceof Instruction.Store store && store.pointer() instanceof Alloca variable) {
            stored.put(variable.id(), store.value());
        } else if (instruction instanceof Instruction.Load load
                && load.type() == Scalar.I32
                && load.pointer() instanceof Alloca variable
                && variable.allocated() == Scalar.I32
                && counters.isPrivate(variable)) {
            Value value = stored.get(variable.id());
            if (value != null) {
                loaded.put(load.id(), value);
            }
        }
    }

    /**
     * Writes what comes before a pointer that is moved, and returns its instruction. A distance that is a multiple of a
     * constant is an index into an array of elements of that size, as that takes no multiplication: LLVM counts
     * instructions where it decides how often to unroll.
     */
    String offset(String pointer, Type.Space space, Value bytes) {
        long size = 1;
        Value index = bytes;
        while (index instanceof Binary product && product.op() == BinaryOp.MUL) {
            boolean left = product.left() instanceof Value.Int;
            long factor = (left ? product.left() : product.right()) instanceof Value.Int number ? number.value() : 0;
            if (factor < 1 || factor > LARGEST / size) {
                break;
            }
            size *= factor;
            index = left ? product.right() : product.left();
        }
        String number = index instanceof Instruction.Convert convert && !wraps && isIndex(convert)
                ? temporary.apply("sext i32 " + narrow(convert.value(), DEEPEST) + " to i64")
                : plain.apply(index);
        String generic = Llvm.space(space) + "*";
        if (size == 1) {
            return "getelementptr i8, i8" + generic + " " + pointer + ", i64 " + number;
        }
        String element = "[" + size + " x i8]";
        String elements = temporary.apply("bitcast i8" + generic + " " + pointer + " to " + element + generic);
        String moved = temporary.apply(
                "getelementptr " + element + ", " + element + generic + " " + elements + ", i64 " + number);
        return "bitcast " + element + generic + " " + moved + " to i8" + generic;
    }

    private boolean isIndex(Instruction.Convert convert) {
        return convert.kind() == Conversion.SIGN_EXTEND
                && convert.type() == Scalar.I64
                && convert.value().type() == Scalar.I32
                && origin(convert.value()) instanceof Binary;
    }

    /** What a variable has that is loaded, if that is known. */
    private Value origin(Value value) {
        return value instanceof Instruction.Load load ? loaded.getOrDefault(load.id(), value) : value;
    }

    private String narrow(Value value, int depth) {
        if (depth == 0 || !(origin(value) instanceof Binary binary) || negations.hidden(binary) != null) {
            return plain.apply(value);
        }
        String op = binary.op().name().toLowerCase(Locale.ROOT) + " nsw i32 ";
        return switch (binary.op()) {
            case ADD, SUB, MUL -> {
                String left = narrow(binary.left(), depth - 1);
                yield temporary.apply(op + left + ", " + narrow(binary.right(), depth - 1));
            }
            case SHL -> {
                if (!(binary.right() instanceof Value.Int distance)) {
                    yield plain.apply(value);
                }
                String left = narrow(binary.left(), depth - 1);
                yield temporary.apply(op + left + ", " + (distance.value() & 31));
            }
            default -> plain.apply(value);
        };
    }
}
