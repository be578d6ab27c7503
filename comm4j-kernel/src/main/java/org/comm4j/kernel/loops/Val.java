// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.loops;

import org.jspecify.annotations.Nullable;

/** Values of a flat program, each of one {@link Kind}. */
sealed interface Val {
    /** A constant; of floating-point kinds its bits. */
    record Num(Kind kind, long bits) implements Val {
        static Num of(int value) {
            return new Num(Kind.INT, value);
        }

        static Num of(long value) {
            return new Num(Kind.LONG, value);
        }
    }

    /** A scalar part of a kernel's parameters, by number; of a pointer, its place in bytes in its memory. */
    record Arg(int number, Kind kind) implements Val {}

    /** Where a thread is. */
    enum Place implements Val {
        TID_X,
        TID_Y,
        TID_Z,
        LANE,
        /** {@code CTAID_X * NTID_X + TID_X}, which is no negative number. */
        GLOBAL_X,
        CTAID_X,
        CTAID_Y,
        CTAID_Z,
        CLUSTER_RANK,
        CLUSTER_SIZE,
        NTID_X,
        NTID_Y,
        NTID_Z,
        NCTAID_X,
        NCTAID_Y,
        NCTAID_Z;

        @Override
        public Kind kind() {
            return Kind.INT;
        }

        /** Returns whether it is the same for all threads of a block. */
        boolean isUniform() {
            return ordinal() > GLOBAL_X.ordinal();
        }
    }

    /** The result of a step, or of a stop; compared by identity. */
    final class Reg implements Val {
        final int id;
        private final Kind kind;
        /** Null for the result of a stop. */
        @Nullable
        Op by;

        Reg(int id, Kind kind) {
            this.id = id;
            this.kind = kind;
        }

        @Override
        public Kind kind() {
            return kind;
        }
    }

    Kind kind();
}
