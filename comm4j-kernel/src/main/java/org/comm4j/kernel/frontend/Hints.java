// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.frontend;

/** What to write instead of Java that kernels do not have. */
final class Hints {
    private Hints() {}

    /** Returns the remedy for a value of a class. */
    static String forType(Class<?> type) {
        String name = type.getName();
        if (name.startsWith("java.lang.foreign.")
                || name.startsWith("java.nio.")
                || name.startsWith("org.comm4j.core.")) {
            return "use a typed pointer such as F32Ptr";
        }
        if (name.equals("java.lang.Integer")
                || name.equals("java.lang.Long")
                || name.equals("java.lang.Float")
                || name.equals("java.lang.Double")
                || name.equals("java.lang.Boolean")
                || name.equals("java.lang.Short")
                || name.equals("java.lang.Byte")
                || name.equals("java.lang.Character")
                || name.equals("java.lang.Number")) {
            return "use the primitive type";
        }
        if (name.equals("java.lang.String")) {
            return "strings are constants of printf and assert";
        }
        if (name.equals("java.io.PrintStream")) {
            return "use Gpu.printf";
        }
        return "primitives, typed pointers, records and enums do; write it as a record";
    }

    /** Returns the remedy for a call of a method of the JDK. */
    static String forCallOf(String owner) {
        if (owner.equals("java.lang.CharacterData")) {
            return "the tables of Unicode are not there; characters of Latin-1 have isDigit, isLetter, toUpperCase";
        }
        if (owner.equals("java.lang.System")) {
            return "Gpu.clock() and Gpu.globalTimer() tell the time, loops copy arrays";
        }
        if (owner.startsWith("java.util.") && !owner.startsWith("java.util.function.")) {
            return "use loops, and arrays of constant size";
        }
        return "numbers' static methods, Math and java.util.function are; write others as static methods";
    }
}
