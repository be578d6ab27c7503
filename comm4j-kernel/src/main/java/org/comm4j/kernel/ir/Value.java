// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.ir;

/** What instructions take. */
public sealed interface Value permits Value.Int, Value.Real, Value.Zero, Value.Parameter, Value.AddressOf, Instruction {
    /** An integer constant, sign-extended from its type. */
    record Int(Type.Scalar type, long value) implements Value {}

    /** A floating-point constant; an {@code F32} is exactly a float. */
    record Real(Type.Scalar type, double value) implements Value {}

    /** All bits zero. */
    record Zero(Type type) implements Value {}

    /**
     * A function's parameter, by number.
     *
     * @param restrict of a kernel's pointer: what is written of its memory is reached through it alone
     */
    record Parameter(int index, Type type, String name, boolean restrict) implements Value {
        public Parameter(int index, Type type, String name) {
            this(index, type, name, false);
        }
    }

    /** Where a global is, as a pointer into its space. */
    record AddressOf(Global global) implements Value {
        @Override
        public Type type() {
            return new Type.Pointer(global.space());
        }
    }

    Type type();
}
