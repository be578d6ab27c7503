// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.ir;

import java.util.List;
import java.util.stream.Collectors;

/** What a value is. */
public sealed interface Type {
    /** Numbers, and nothing. Memory holds {@code I1} as a byte. */
    enum Scalar implements Type {
        VOID(0),
        I1(1),
        I8(1),
        I16(2),
        I32(4),
        I64(8),
        F32(4),
        F64(8);

        private final int bytes;

        Scalar(int bytes) {
            this.bytes = bytes;
        }

        @Override
        public long bytes() {
            return bytes;
        }

        @Override
        public long alignment() {
            return Math.max(bytes, 1);
        }

        public boolean isInteger() {
            return this != VOID && !isFloat();
        }

        public boolean isFloat() {
            return this == F32 || this == F64;
        }

        public int bits() {
            return this == I1 ? 1 : bytes * 8;
        }

        @Override
        public String toString() {
            return name().toLowerCase(java.util.Locale.ROOT);
        }
    }

    /** Where memory is. A pointer into any space becomes a generic one by {@link Instruction.Convert}. */
    enum Space {
        GENERIC,
        GLOBAL,
        SHARED,
        CONSTANT,
        LOCAL
    }

    /** An address; what is there is said by who reads and writes. */
    record Pointer(Space space) implements Type {
        public static final Pointer GENERIC = new Pointer(Space.GENERIC);

        @Override
        public long bytes() {
            return 8;
        }

        @Override
        public long alignment() {
            return 8;
        }

        @Override
        public String toString() {
            return space == Space.GENERIC ? "ptr" : "ptr." + space.name().toLowerCase(java.util.Locale.ROOT);
        }
    }

    /** Fields at their natural alignment, as C lays a struct out. */
    record Struct(String name, List<Type> fields) implements Type {
        public Struct {
            fields = List.copyOf(fields);
        }

        public long offset(int field) {
            long end = 0;
            for (int i = 0; ; i++) {
                end = aligned(end, fields.get(i).alignment());
                if (i == field) {
                    return end;
                }
                end += fields.get(i).bytes();
            }
        }

        @Override
        public long bytes() {
            int last = fields.size() - 1;
            return last < 0 ? 0 : aligned(offset(last) + fields.get(last).bytes(), alignment());
        }

        @Override
        public long alignment() {
            return fields.stream().mapToLong(Type::alignment).max().orElse(1);
        }

        private static long aligned(long offset, long alignment) {
            return (offset + alignment - 1) / alignment * alignment;
        }

        @Override
        public String toString() {
            return fields.stream().map(Type::toString).collect(Collectors.joining(", ", name + "{", "}"));
        }
    }

    /** So many in a row; only memory has this type. */
    record Array(Type element, long count) implements Type {
        /** Where arrays of structs begin, so that a GPU can read and write one of 8 or 16 bytes at once. */
        public static final long OF_STRUCTS = 16;

        @Override
        public long bytes() {
            return element.bytes() * count;
        }

        @Override
        public long alignment() {
            return element instanceof Struct ? OF_STRUCTS : element.alignment();
        }

        @Override
        public String toString() {
            return "[" + count + " x " + element + "]";
        }
    }

    /** What memory holds of one, with the padding at its end. */
    long bytes();

    long alignment();
}
