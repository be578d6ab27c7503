// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.loops;

import java.lang.classfile.TypeKind;
import java.lang.constant.ClassDesc;
import org.comm4j.kernel.ir.Type;

/** What the JVM has for a value: integers of less than 32 bits are sign-extended ints, {@code I1} is 0 or 1. */
enum Kind {
    INT(TypeKind.INT),
    LONG(TypeKind.LONG),
    FLOAT(TypeKind.FLOAT),
    DOUBLE(TypeKind.DOUBLE);

    final TypeKind jvm;

    Kind(TypeKind jvm) {
        this.jvm = jvm;
    }

    static Kind of(Type.Scalar type) {
        return switch (type) {
            case I64 -> LONG;
            case F32 -> FLOAT;
            case F64 -> DOUBLE;
            default -> INT;
        };
    }

    /** The type of arrays of it. */
    ClassDesc array() {
        return jvm.upperBound().arrayType();
    }

    Object newArray(int count) {
        return switch (this) {
            case INT -> new int[count];
            case LONG -> new long[count];
            case FLOAT -> new float[count];
            case DOUBLE -> new double[count];
        };
    }

    boolean isWide() {
        return this == LONG || this == DOUBLE;
    }
}
