// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.nccl;

import static java.lang.foreign.MemorySegment.NULL;
import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BOOLEAN;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * How NCCL's configuration structs are written: size, magic number and version first, then fields, of which each
 * version has appended some. What is written is exactly the struct of the loaded version; a value for a field that this
 * version lacks is an error rather than ignored.
 */
final class ConfigStruct {
    private static final int MAGIC = 0xcafebeef;

    /** What NCCL takes for "not set" in a field of type int. */
    private static final int UNDEFINED = Integer.MIN_VALUE;

    enum Kind {
        INT(4),
        TEXT(8),
        LONG(8),
        BOOL(1),
        POINTER(8);

        private final int bytes;

        Kind(int bytes) {
            this.bytes = bytes;
        }
    }

    /**
     * A field of the struct.
     *
     * @param since the first version that has it, as a number
     * @param unset what stands for "not set" in a number
     * @param least the smallest number that may be set
     * @param most the largest number that may be set
     */
    record Field(String name, int offset, Kind kind, int since, long unset, long least, long most) {
        private Field(String name, long offset, Kind kind, int since, long unset) {
            this(name, (int) offset, kind, since, unset, 0, kind == Kind.INT ? Integer.MAX_VALUE : Long.MAX_VALUE);
        }

        static Field number(String name, long offset, int since) {
            return new Field(name, offset, Kind.INT, since, UNDEFINED);
        }

        static Field text(String name, long offset, int since) {
            return new Field(name, offset, Kind.TEXT, since, 0);
        }

        static Field word(String name, long offset, int since) {
            return new Field(name, offset, Kind.LONG, since, 0);
        }

        static Field flag(String name, long offset, int since) {
            return new Field(name, offset, Kind.BOOL, since, 0);
        }

        static Field pointer(String name, long offset, int since) {
            return new Field(name, offset, Kind.POINTER, since, 0);
        }

        Field unset(long value) {
            return new Field(name, offset, kind, since, value, least, most);
        }

        /** Numbers from here on; all that are not negative unless said otherwise. */
        Field from(long value) {
            return new Field(name, offset, kind, since, unset, value, most);
        }

        Field to(long value) {
            return new Field(name, offset, kind, since, unset, least, value);
        }

        /** {@code value}, if the field can have it. */
        Object checked(String struct, Object value) {
            if (value instanceof Number number && (number.longValue() < least || number.longValue() > most)) {
                throw new IllegalArgumentException(struct + ": " + name + " " + value + " is not from " + least + " to "
                        + most + "; leave it unset for NCCL's default");
            }
            return value;
        }
    }

    private final String struct;
    private final boolean header;
    private final Field[] fields;

    ConfigStruct(String struct, Field... fields) {
        this(struct, true, fields);
    }

    /** @param header whether size, magic number and version come first */
    ConfigStruct(String struct, boolean header, Field... fields) {
        this.struct = struct;
        this.header = header;
        this.fields = fields;
    }

    /** That the number of one field, if both are set, is not above that of another. */
    static void checkOrder(String struct, Field low, Field high, Map<Field, Object> values) {
        if (values.get(low) instanceof Integer least && values.get(high) instanceof Integer most && least > most) {
            throw new IllegalArgumentException(
                    struct + ": " + low.name + " " + least + " is above " + high.name + " " + most);
        }
    }

    /** Where each field is, by name. */
    Map<String, Integer> offsets() {
        return Arrays.stream(fields).collect(Collectors.toMap(Field::name, Field::offset));
    }

    /** Each field in turn. */
    List<Field> fields() {
        return List.of(fields);
    }

    /** The size of the struct in {@code version}, as its C compiler has it. */
    int bytes(int version) {
        int end = header ? 16 : 0;
        for (Field field : fields) {
            if (field.since <= version) {
                end = Math.max(end, field.offset + field.kind.bytes);
            }
        }
        return (end + 7) & ~7;
    }

    /**
     * The struct for the library of {@code version}, with {@code values} (Integer, Long, String or MemorySegment, by
     * field); other fields are left to the library. Texts are allocated too.
     */
    MemorySegment write(Map<Field, Object> values, int version, SegmentAllocator allocator) {
        int bytes = bytes(version);
        MemorySegment segment = allocator.allocate(bytes, 8).fill((byte) 0);
        if (header) {
            segment.set(JAVA_LONG, 0, bytes);
            segment.set(JAVA_INT, 8, MAGIC);
            segment.set(JAVA_INT, 12, version);
        }
        for (Field field : fields) {
            Object value = values.get(field);
            if (field.since > version) {
                if (value != null) {
                    throw new UnsupportedOperationException(struct + ": " + field.name + " needs NCCL "
                            + NcclVersion.of(field.since) + " or newer; loaded: " + Library.describe());
                }
                continue;
            }
            switch (field.kind) {
                case INT -> segment.set(JAVA_INT, field.offset, value == null ? (int) field.unset : (int) value);
                case LONG -> segment.set(JAVA_LONG, field.offset, value == null ? field.unset : (long) value);
                case BOOL ->
                    segment.set(JAVA_BOOLEAN, field.offset, ((int) (value == null ? (int) field.unset : value)) != 0);
                case TEXT -> {
                    if (value != null) {
                        segment.set(ADDRESS, field.offset, allocator.allocateFrom((String) value));
                    }
                }
                case POINTER -> segment.set(ADDRESS, field.offset, value == null ? NULL : (MemorySegment) value);
            }
        }
        return segment;
    }
}
