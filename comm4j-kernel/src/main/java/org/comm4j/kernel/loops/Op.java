// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.loops;

import java.util.List;
import org.comm4j.kernel.ir.Instruction;
import org.comm4j.kernel.ir.Position;
import org.comm4j.kernel.ir.Type;
import org.jspecify.annotations.Nullable;

/** A step of a flat program. */
sealed interface Op {
    /** Arithmetic: what {@code from} does, with its scalar operands. */
    record Compute(Instruction from, Type.Scalar type, List<Val> arguments, Val.Reg result) implements Op {}

    record GetVariable(Variable variable, Val.Reg result) implements Op {}

    record SetVariable(Variable variable, Val value) implements Op {}

    record Load(Position at, Type.Scalar type, Leaf.Pointer pointer, boolean isVolatile, Val.Reg result)
            implements Op {}

    record Store(Position at, Type.Scalar type, Leaf.Pointer pointer, boolean isVolatile, Val value) implements Op {}

    /** An element's place in bytes, of an index that may be too large for it. */
    record Scale(Position at, Val index, int bytes, Val.Reg result) implements Op {}

    /** Fails unless the pointer is at a multiple of {@code bytes}. */
    record Aligned(Position at, Leaf.Pointer pointer, int bytes) implements Op {}

    /** A part of what the thread's last call has returned, which is no number. */
    record Take(Position at, int part, Val.Reg result) implements Op {}

    /** A call of a Java method; pointers among the arguments become objects. */
    record Invoke(Position at, Callee callee, List<Leaf> arguments, Val.@Nullable Reg result) implements Op {}

    /** A variable of the thread. */
    final class Variable {
        final int id;
        final Kind kind;
        /** Of a pointer, whose place in bytes the variable holds. */
        @Nullable
        Room room;

        /** Of a pointer, what has been written so far, if that is one place that is known. */
        Leaf.@Nullable Pointer only;

        private boolean isWritten;
        private boolean isKnown;

        /** Of a pointer into one of several memories, the number of that one. */
        @Nullable
        final Variable which;

        Variable(int id, Kind kind, @Nullable Variable which) {
            this.id = id;
            this.kind = kind;
            this.which = which;
        }

        /**
         * Notes that a pointer is written.
         *
         * @return false if it is not in the memory that others were in, and {@link #which} does not say where
         */
        boolean write(Leaf.Pointer pointer) {
            Room into = which == null ? pointer.room() : Room.ANYWHERE;
            if (room != null && room != into || which == null && pointer.which() != null) {
                return false;
            }
            room = into;
            if (which != null) {
                pointer.room().needsMemory();
                if (pointer.room().where == Room.Where.LOCAL) {
                    throw new Unsupported("pointer into a local array or another memory");
                }
            } else if (!isWritten) {
                only = pointer.bytes() instanceof Val.Num ? pointer : null;
            } else if (!pointer.equals(only)) {
                if (isKnown) {
                    return false;
                }
                only = null;
            }
            isWritten = true;
            return true;
        }

        /** Returns what a pointer is, and takes it for that from now on; null if it is not known. */
        Leaf.@Nullable Pointer read() {
            isKnown |= only != null;
            return only;
        }
    }
}
