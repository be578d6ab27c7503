// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.nccl;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BOOLEAN;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.util.Map;

/**
 * How NCCL's configuration structs are written: size, magic number and version first, then fields, of which each version has
 * appended some. What is written is exactly the struct of the loaded version; a value for a field that this version lacks is an
 * error rather than ignored.
 */
final class ConfigStruct {
    private static final int MAGIC = 0xcafebeef;

    /** What NCCL takes for "not set" in a field of type int. */
    private static final int UNDEFINED = Integer.MIN_VALUE;

    enum Kind {
        INT(4),
        TEXT(8),
        LONG(8),
        BOOL(1);

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
     */
    record Field(String name, int offset, Kind kind, int since, long unset) {
        static Field number(String name, long offset, int since) {
            return new Field(name, (int) offset, Kind.INT, since, UNDEFINED);
        }

        static Field text(String name, long offset, int since) {
            return new Field(name, (int) offset, Kind.TEXT, since, 0);
        }

        static Field word(String name, long offset, int since) {
            return new Field(name, (int) offset, Kind.LONG, since, 0);
        }

        static Field flag(String name, long offset, int since) {
            return new Field(name, (int) offset, Kind.BOOL, since, 0);
        }

        Field unset(long value) {
            return new Field(name, offset, kind, since, value);
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
     * The struct for the library of {@code version}, with {@code values} (Integer, Long or String, by field); other fields are
     * left to the library. Texts are allocated too.
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
            }
        }
        return segment;
    }
}
