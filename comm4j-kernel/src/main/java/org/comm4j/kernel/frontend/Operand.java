// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.frontend;

import org.comm4j.kernel.ir.Type;
import org.comm4j.kernel.ir.Value;
import org.jspecify.annotations.Nullable;

/** On the operand stack or in a local variable. */
record Operand(JavaType type, Value value) {
    private static final Value NOTHING = new Value.Zero(Type.Scalar.VOID);

    /** Of a type without a value. */
    static Operand of(JavaType type) {
        return new Operand(type, type.isStored() ? new Value.Zero(type.value()) : NOTHING);
    }

    static Operand unknown() {
        return of(JavaType.Other.UNKNOWN);
    }

    boolean isUnknown() {
        return type == JavaType.Other.UNKNOWN;
    }

    /** long and double are two slots. */
    boolean isWide() {
        return type == JavaType.Primitive.LONG || type == JavaType.Primitive.DOUBLE;
    }

    boolean isConstant() {
        return value instanceof Value.Int || value instanceof Value.Real;
    }

    /** The whole number, if it is a constant. */
    @Nullable
    Long constant() {
        return value instanceof Value.Int number ? (Long) number.value() : null;
    }
}
