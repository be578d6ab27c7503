// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.loops;

import java.util.Set;

/** Methods of the JDK by their symbols, and what the JIT compiler makes of them. */
final class JdkCalls {
    /** Classes whose methods only compute. */
    private static final Set<String> CLASSES = Set.of(
            "java/lang/Math",
            "java/lang/StrictMath",
            "java/lang/Integer",
            "java/lang/Long",
            "java/lang/Float",
            "java/lang/Double");

    /** Vector instructions. */
    private static final Set<String> VECTORS = Set.of("abs", "min", "max", "sqrt", "fma");

    /** More that never throw anything. */
    private static final Set<String> SAFE = Set.of(
            "sin",
            "cos",
            "tan",
            "exp",
            "log",
            "pow",
            "rint",
            "floor",
            "ceil",
            "signum",
            "bitCount",
            "reverse",
            "rotateLeft",
            "rotateRight",
            "floatToRawIntBits",
            "floatToIntBits",
            "intBitsToFloat",
            "doubleToRawLongBits",
            "doubleToLongBits",
            "longBitsToDouble");

    private JdkCalls() {}

    /** Returns whether a symbol is a method of the JDK that only computes. */
    static boolean computes(String symbol) {
        int dot = dot(symbol);
        return dot >= 0 && CLASSES.contains(symbol.substring(0, dot));
    }

    /** Returns whether such a method is a vector instruction. */
    static boolean isVector(String symbol) {
        return VECTORS.contains(name(symbol));
    }

    /** Returns whether such a method never throws anything. */
    static boolean isSafe(String symbol) {
        return isVector(symbol) || SAFE.contains(name(symbol));
    }

    private static int dot(String symbol) {
        return symbol.lastIndexOf('.', Math.max(0, symbol.indexOf('(')));
    }

    private static String name(String symbol) {
        return symbol.substring(dot(symbol) + 1, symbol.indexOf('('));
    }
}
