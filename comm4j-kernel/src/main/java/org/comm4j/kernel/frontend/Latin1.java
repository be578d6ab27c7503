// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.frontend;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.IntUnaryOperator;
import org.comm4j.kernel.frontend.JavaType.Primitive;
import org.comm4j.kernel.ir.Instruction.BinaryOp;
import org.comm4j.kernel.ir.Instruction.Comparison;
import org.comm4j.kernel.ir.Instruction.Conversion;
import org.comm4j.kernel.ir.Type;
import org.comm4j.kernel.ir.Type.Scalar;
import org.comm4j.kernel.ir.Value;
import org.jspecify.annotations.Nullable;

/**
 * Methods of {@link Character} that look characters up, for those of Latin-1: a table of 256 results in constant
 * memory, which the JDK computes. Any other character ends the kernel with an error.
 */
final class Latin1 {
    private static final int CHARACTERS = 256;

    private static final Map<String, IntUnaryOperator> METHODS = Map.ofEntries(
            Map.entry("isDigit", c -> bit(Character.isDigit(c))),
            Map.entry("isLetter", c -> bit(Character.isLetter(c))),
            Map.entry("isLetterOrDigit", c -> bit(Character.isLetterOrDigit(c))),
            Map.entry("isAlphabetic", c -> bit(Character.isAlphabetic(c))),
            Map.entry("isUpperCase", c -> bit(Character.isUpperCase(c))),
            Map.entry("isLowerCase", c -> bit(Character.isLowerCase(c))),
            Map.entry("isWhitespace", c -> bit(Character.isWhitespace(c))),
            Map.entry("isSpaceChar", c -> bit(Character.isSpaceChar(c))),
            Map.entry("isJavaIdentifierStart", c -> bit(Character.isJavaIdentifierStart(c))),
            Map.entry("isJavaIdentifierPart", c -> bit(Character.isJavaIdentifierPart(c))),
            Map.entry("toUpperCase", Character::toUpperCase),
            Map.entry("toLowerCase", Character::toLowerCase),
            Map.entry("getNumericValue", Character::getNumericValue),
            Map.entry("getType", Character::getType),
            Map.entry("digit", c -> Character.digit(c, Character.MAX_RADIX)));

    private Latin1() {}

    private static int bit(boolean value) {
        return value ? 1 : 0;
    }

    /** Returns the result of a method of Character; null if it is not one that looks something up. */
    static @Nullable Operand call(Translator method, String name, List<Operand> arguments) {
        IntUnaryOperator function = METHODS.get(name);
        if (function == null || arguments.size() != (name.equals("digit") ? 2 : 1)) {
            return null;
        }
        IrBuilder emit = method.emit;
        Value character = arguments.getFirst().value();
        Value known = emit.binary(BinaryOp.AND, character, IrBuilder.i32(-CHARACTERS));
        emit.require(
                emit.compare(Comparison.EQ, known, IrBuilder.i32(0)),
                "UnsupportedOperationException: Character." + name + " of a character beyond Latin-1");
        List<Value> results = new ArrayList<>();
        for (int c = 0; c < CHARACTERS; c++) {
            results.add(new Value.Int(Scalar.I16, (short) function.applyAsInt(c)));
        }
        Value table = method.compilation.globals.constant(
                "Character_" + name, Primitive.SHORT, Fields.bytes(Primitive.SHORT, results));
        Value at = emit.element(
                emit.convert(Conversion.SPACE, table, Type.Pointer.GENERIC),
                character,
                Primitive.SHORT.memory().bytes());
        Value found = emit.convert(Conversion.SIGN_EXTEND, emit.load(Scalar.I16, at), Scalar.I32);
        if (name.equals("digit")) {
            Value radix = arguments.get(1).value();
            Value least = emit.compare(Comparison.GE, radix, IrBuilder.i32(Character.MIN_RADIX));
            Value most = emit.compare(Comparison.LE, radix, IrBuilder.i32(Character.MAX_RADIX));
            Value fits = emit.binary(
                    BinaryOp.AND, emit.compare(Comparison.LT, found, radix), emit.binary(BinaryOp.AND, least, most));
            found = emit.select(fits, found, IrBuilder.i32(-1));
        }
        return new Operand(Primitive.INT, found);
    }
}
