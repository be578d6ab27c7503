// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.nccl;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;
import static org.comm4j.core.spi.Arguments.nonNull;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Map;
import java.util.TreeMap;
import org.comm4j.ffi.NativeCallException;
import org.comm4j.ffi.NativeMemory;
import org.comm4j.ffi.handle.NcclParamHandle;
import org.comm4j.ffi.nccl.LibNccl;

/**
 * One of NCCL's parameters, which are set by environment variables ({@code ncclParamHandle_t}; NCCL 2.30.4): see {@link
 * Nccl#parameter}. NCCL reads a variable once, or each time, as the parameter is.
 */
public final class NcclParameter {
    /** The largest value that is read as bytes. */
    private static final int LARGEST = 1 << 20;

    /** As what NCCL keeps a value. */
    public enum Type {
        /** A signed integer. */
        INT8,
        /** A signed integer. */
        INT16,
        /** A signed integer. */
        INT32,
        /** A signed integer. */
        INT64,
        /** An unsigned integer. */
        UINT8,
        /** An unsigned integer. */
        UINT16,
        /** An unsigned integer. */
        UINT32,
        /** An unsigned integer. */
        UINT64,
        /** A text. */
        TEXT,
        /** Something else: a truth value of one byte, an enum, a struct. */
        OTHER;

        private long read(NcclParamHandle handle, MemorySegment cell) {
            switch (this) {
                case INT8 -> LibNccl.ncclParamGetI8(handle, cell);
                case INT16 -> LibNccl.ncclParamGetI16(handle, cell);
                case INT32 -> LibNccl.ncclParamGetI32(handle, cell);
                case INT64 -> LibNccl.ncclParamGetI64(handle, cell);
                case UINT8 -> LibNccl.ncclParamGetU8(handle, cell);
                case UINT16 -> LibNccl.ncclParamGetU16(handle, cell);
                case UINT32 -> LibNccl.ncclParamGetU32(handle, cell);
                case UINT64 -> LibNccl.ncclParamGetU64(handle, cell);
                case TEXT -> LibNccl.ncclParamGetStr(handle, cell);
                case OTHER -> throw new IllegalArgumentException(name());
            }
            return switch (this) {
                case INT8 -> cell.get(JAVA_BYTE, 0);
                case UINT8 -> Byte.toUnsignedLong(cell.get(JAVA_BYTE, 0));
                case INT16 -> cell.get(JAVA_SHORT, 0);
                case UINT16 -> Short.toUnsignedLong(cell.get(JAVA_SHORT, 0));
                case INT32 -> cell.get(JAVA_INT, 0);
                case UINT32 -> Integer.toUnsignedLong(cell.get(JAVA_INT, 0));
                default -> cell.get(JAVA_LONG, 0);
            };
        }
    }

    private final String key;
    private final NcclParamHandle handle;
    private final Type type;

    private NcclParameter(String key, NcclParamHandle handle, Type type) {
        this.key = key;
        this.handle = handle;
        this.type = type;
    }

    static NcclParameter of(String key) {
        nonNull(key, "parameter", "key");
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment cell = arena.allocate(JAVA_LONG);
            LibNccl.ncclParamBind(cell, arena.allocateFrom(key));
            NcclParamHandle handle = new NcclParamHandle(cell.get(JAVA_LONG, 0));
            return new NcclParameter(key, handle, typeOf(handle, cell));
        } catch (NativeCallException e) {
            if (e.status() != LibNccl.ncclInvalidArgument) {
                throw new NcclException("parameter " + key, e);
            }
            throw new IllegalArgumentException(
                    "NCCL " + Library.describe() + " has no parameter " + key + "; it publishes " + texts().keySet(),
                    e);
        }
    }

    /** NCCL does not tell the type, but refuses to give a value as another one. */
    private static Type typeOf(NcclParamHandle handle, MemorySegment cell) {
        for (Type type : Type.values()) {
            if (type == Type.OTHER) {
                break;
            }
            try {
                type.read(handle, cell);
                return type;
            } catch (NativeCallException e) {
                if (e.status() != LibNccl.ncclInvalidArgument) {
                    throw e;
                }
            }
        }
        return Type.OTHER;
    }

    /** The values of the parameters that NCCL publishes, by name. */
    static Map<String, String> texts() {
        Map<String, String> values = new TreeMap<>();
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment cell = arena.allocate(JAVA_LONG);
            MemorySegment length = arena.allocate(JAVA_INT);
            LibNccl.ncclParamGetAllParameterKeys(cell, length);
            long count = length.get(JAVA_INT, 0);
            MemorySegment keys = NativeMemory.at(cell.get(JAVA_LONG, 0), count * Long.BYTES);
            for (long i = 0; i < count; i++) {
                String key = NativeMemory.string(keys.getAtIndex(JAVA_LONG, i));
                if (key != null) {
                    values.put(key, text(key, arena));
                }
            }
            return values;
        } catch (NativeCallException e) {
            throw new NcclException("parameters", e);
        }
    }

    private static String text(String key, Arena arena) {
        MemorySegment cell = arena.allocate(JAVA_LONG);
        LibNccl.ncclParamGetParameter(arena.allocateFrom(key), cell, arena.allocate(JAVA_INT));
        String value = NativeMemory.string(cell.get(JAVA_LONG, 0));
        return value == null ? "" : value;
    }

    /** Returns the name of the environment variable. */
    public String key() {
        return key;
    }

    public Type type() {
        return type;
    }

    /** Returns the value as a text, whatever its type; empty if there is none ({@code ncclParamGetParameter}). */
    public String text() {
        try (Arena arena = Arena.ofConfined()) {
            return text(key, arena);
        } catch (NativeCallException e) {
            throw new NcclException("text of parameter " + key, e);
        }
    }

    /**
     * Returns the value of an integer ({@code ncclParamGetI32} and so on). One of type {@link Type#UINT64} comes with
     * its bits, which {@link Long#toUnsignedString(long)} reads.
     *
     * @throws IllegalStateException if it is none
     */
    public long longValue() {
        if (type == Type.TEXT || type == Type.OTHER) {
            throw new IllegalStateException(this + " is no integer");
        }
        try (Arena arena = Arena.ofConfined()) {
            return type.read(handle, arena.allocate(JAVA_LONG));
        } catch (NativeCallException e) {
            throw new NcclException("value of " + this, e);
        }
    }

    /**
     * Returns the value of a text ({@code ncclParamGetStr}); empty if there is none.
     *
     * @throws IllegalStateException if it is none
     */
    public String stringValue() {
        if (type != Type.TEXT) {
            throw new IllegalStateException(this + " is no text");
        }
        try (Arena arena = Arena.ofConfined()) {
            String value = NativeMemory.string(type.read(handle, arena.allocate(JAVA_LONG)));
            return value == null ? "" : value;
        } catch (NativeCallException e) {
            throw new NcclException("value of " + this, e);
        }
    }

    /**
     * Returns the truth value of one byte ({@code ncclParamGet}).
     *
     * @throws IllegalStateException if it is of another size, an integer or a text
     */
    public boolean booleanValue() {
        byte[] value = type == Type.OTHER ? bytes() : new byte[0];
        if (value.length != 1) {
            throw new IllegalStateException(this + " is no truth value");
        }
        return value[0] != 0;
    }

    /** Returns the value as NCCL has it in memory; a text ends with a zero ({@code ncclParamGet}). */
    public byte[] bytes() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment length = arena.allocate(JAVA_INT);
            for (int room = 256; ; room *= 16) {
                MemorySegment value = arena.allocate(room, 8);
                try {
                    LibNccl.ncclParamGet(handle, value.address(), room, length);
                    return value.asSlice(0, length.get(JAVA_INT, 0)).toArray(JAVA_BYTE);
                } catch (NativeCallException e) {
                    // It says so, too, when there is not enough room.
                    if (e.status() != LibNccl.ncclInvalidArgument || room >= LARGEST) {
                        throw new NcclException("bytes of " + this, e);
                    }
                }
            }
        }
    }

    /** Name and type, without the value. */
    @Override
    public String toString() {
        return "NcclParameter[" + key + " " + type + "]";
    }
}
