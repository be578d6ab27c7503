// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.ffi;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The memory that the loaded segments of an ELF file will be, by the addresses that the file gives them. */
record ElfImage(RandomAccessFile file, ByteOrder order, List<Segment> segments) {
    private static final int LOADED = 1;
    private static final int EXECUTABLE = 1;
    private static final int WRITABLE = 2;

    /** A program header: {@code inFile} bytes at {@code offset} become {@code inMemory} bytes at {@code address}. */
    record Segment(int type, int flags, long offset, long address, long inFile, long inMemory) {
        boolean isLoaded() {
            return type == LOADED;
        }

        boolean has(long at) {
            return at >= address && at - address < inMemory;
        }

        /** Bytes from an address on that the segment has; 0 where it is outside. */
        private long from(long at, long end) {
            return isLoaded() && at >= address ? Math.max(0, end - (at - address)) : 0;
        }
    }

    /** Returns bytes that the file has for a range of addresses, or null where no segment has all of them. */
    @Nullable
    ByteBuffer at(long address, long bytes) throws IOException {
        for (Segment each : segments) {
            if (bytes >= 0 && bytes <= Integer.MAX_VALUE && bytes <= each.from(address, each.inFile)) {
                return read(file, each.offset + (address - each.address), (int) bytes, order);
            }
        }
        return null;
    }

    /** Returns whether one loaded segment has all of a range of addresses. */
    boolean has(long address, long bytes) {
        for (Segment each : segments) {
            if (bytes >= 0 && each.isLoaded() && each.has(address) && bytes <= each.from(address, each.inMemory)) {
                return true;
            }
        }
        return false;
    }

    boolean isCode(long address) {
        for (Segment each : segments) {
            if ((each.flags & EXECUTABLE) != 0 && each.from(address, each.inMemory) > 0) {
                return true;
            }
        }
        return false;
    }

    /**
     * Returns the segment where the loader can write 8 bytes; {@code anywhere}: also to what is read-only afterwards.
     */
    @Nullable
    Segment writable(long address, boolean anywhere) {
        for (Segment each : segments) {
            if ((anywhere || (each.flags & WRITABLE) != 0) && each.from(address, each.inMemory) >= Long.BYTES) {
                return each;
            }
        }
        return null;
    }

    /** Returns bytes of a file; fewer where it ends before. */
    static ByteBuffer read(RandomAccessFile in, long at, int length, ByteOrder order) throws IOException {
        byte[] bytes = new byte[length];
        in.seek(at);
        int read = 0;
        for (int more; read < length && (more = in.read(bytes, read, length - read)) > 0; ) {
            read += more;
        }
        return ByteBuffer.wrap(bytes, 0, read).order(order);
    }
}
