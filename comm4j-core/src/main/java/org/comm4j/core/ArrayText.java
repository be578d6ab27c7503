// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.core;

import java.util.StringJoiner;

/** The values of an array for people: all of a short one, the first and the last ones of a long one. */
final class ArrayText {
    private static final int WHOLE = 10;
    private static final int EACH_END = 3;

    private ArrayText() {}

    /** Returns the values in brackets. */
    static String values(HostArray array) {
        StringJoiner values = new StringJoiner(", ", "[", "]");
        for (long i = 0; i < array.count(); i++) {
            if (array.count() > WHOLE && i == EACH_END) {
                values.add("...");
                i = array.count() - EACH_END;
            }
            values.add(value(array, i));
        }
        return values.toString();
    }

    private static String value(HostArray array, long i) {
        DataType type = array.type();
        if (type.isComplex()) {
            double imaginary = array.getImaginary(i);
            return array.getReal(i) + (imaginary < 0 ? "" : "+") + imaginary + "i";
        }
        return switch (type) {
            case FLOAT64 -> Double.toString(array.getDouble(i));
            case UINT64 -> Long.toUnsignedString(array.getLong(i));
            default -> type.isInteger() ? Long.toString(array.getLong(i)) : Float.toString(array.getFloat(i));
        };
    }
}
