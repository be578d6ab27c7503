// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.array;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.util.ArrayList;
import java.util.List;

/**
 * Places of the arrays in an archive that {@code numpy.savez} has written: a ZIP file whose members are stored as they
 * are. The JDK reads such files, but does not tell where a member lies, of which each rank maps its part.
 */
final class Npz {
    static final String SUFFIX = ".npy";

    // Records of a ZIP file: how they begin, and their bytes before names

    static final int END = 0x06054b50;
    static final int END_BYTES = 22;
    static final int END64 = 0x06064b50;
    static final int END64_BYTES = 56;
    static final int LOCATOR64 = 0x07064b50;
    static final int LOCATOR64_BYTES = 20;
    static final int ENTRY = 0x02014b50;
    static final int ENTRY_BYTES = 46;
    static final int LOCAL = 0x04034b50;
    static final int LOCAL_BYTES = 30;

    /** The tag of sizes and places that have no room in 32 bits. */
    static final int EXTRA64 = 1;

    private static final int MOST_COMMENT = 0xffff;

    /** Stands for what has no room in 32 bits. */
    static final long NO_ROOM = 0xffff_ffffL;

    /** The largest directory that is read: some hundred thousand arrays. */
    private static final int MOST_DIRECTORY = 64 << 20;

    /**
     * The place of an array in its file.
     *
     * @param begin in bytes
     * @param end behind it
     */
    record Span(long begin, long end) {}

    private Npz() {}

    /** Returns where an array is. */
    static Span find(FileChannel channel, String name) throws IOException {
        ByteBuffer directory = directory(channel);
        List<String> names = new ArrayList<>();
        while (directory.remaining() >= ENTRY_BYTES && directory.getInt(directory.position()) == ENTRY) {
            int at = directory.position();
            int nameLength = Short.toUnsignedInt(directory.getShort(at + 28));
            int extraLength = Short.toUnsignedInt(directory.getShort(at + 30));
            int length = ENTRY_BYTES + nameLength + extraLength + Short.toUnsignedInt(directory.getShort(at + 32));
            if (length > directory.remaining()) {
                throw damaged();
            }
            String member =
                    UTF_8.decode(directory.slice(at + ENTRY_BYTES, nameLength)).toString();
            String array = member.endsWith(SUFFIX) ? member.substring(0, member.length() - SUFFIX.length()) : member;
            if (array.equals(name)) {
                return span(channel, directory, at, name, at + ENTRY_BYTES + nameLength, extraLength);
            }
            names.add(array);
            directory.position(at + length);
        }
        throw new IOException("it has no array " + name + "; its arrays are " + String.join(", ", names));
    }

    private static Span span(
            FileChannel channel, ByteBuffer directory, int entry, String name, int extra, int extraLength)
            throws IOException {
        if (directory.getShort(entry + 10) != 0 || (directory.getShort(entry + 8) & 1) != 0) {
            throw new IOException("its array " + name + " is compressed or encrypted; numpy.savez stores arrays as they"
                    + " are, of which each rank reads its part");
        }
        long size = Integer.toUnsignedLong(directory.getInt(entry + 24));
        long packed = Integer.toUnsignedLong(directory.getInt(entry + 20));
        long local = Integer.toUnsignedLong(directory.getInt(entry + 42));
        for (int at = extra; at + 4 <= extra + extraLength; ) {
            int next = at + 4 + Short.toUnsignedInt(directory.getShort(at + 2));
            if (directory.getShort(at) == EXTRA64 && next <= extra + extraLength) {
                // Only what has no room is here, in this order.
                int word = at + 4;
                if (size == NO_ROOM && word + 8 <= next) {
                    size = directory.getLong(word);
                    word += 8;
                }
                if (packed == NO_ROOM) {
                    word += 8;
                }
                if (local == NO_ROOM && word + 8 <= next) {
                    local = directory.getLong(word);
                }
            }
            at = next;
        }
        ByteBuffer head = read(channel, local, LOCAL_BYTES);
        if (head.getInt(0) != LOCAL) {
            throw damaged();
        }
        long begin =
                local + LOCAL_BYTES + Short.toUnsignedInt(head.getShort(26)) + Short.toUnsignedInt(head.getShort(28));
        if (size < 0 || size > channel.size() - begin) {
            throw damaged();
        }
        return new Span(begin, begin + size);
    }

    /** Returns the list of members. */
    private static ByteBuffer directory(FileChannel channel) throws IOException {
        long size = channel.size();
        int tail = (int) Math.min(size, LOCATOR64_BYTES + END_BYTES + MOST_COMMENT);
        ByteBuffer last = read(channel, size - tail, tail);
        for (int at = tail - END_BYTES; at >= 0; at--) {
            if (last.getInt(at) == END && at + END_BYTES + Short.toUnsignedInt(last.getShort(at + 20)) == tail) {
                long length = Integer.toUnsignedLong(last.getInt(at + 12));
                long begin = Integer.toUnsignedLong(last.getInt(at + 16));
                int locator = at - LOCATOR64_BYTES;
                if (locator >= 0 && last.getInt(locator) == LOCATOR64) {
                    ByteBuffer end = read(channel, last.getLong(locator + 8), END64_BYTES);
                    if (end.getInt(0) != END64) {
                        throw damaged();
                    }
                    length = end.getLong(40);
                    begin = end.getLong(48);
                }
                if (length < 0 || length > MOST_DIRECTORY) {
                    throw damaged();
                }
                return read(channel, begin, (int) length);
            }
        }
        throw new IOException("it is no .npz file");
    }

    private static IOException damaged() {
        return new IOException("it is a damaged .npz file");
    }

    private static ByteBuffer read(FileChannel channel, long position, int count) throws IOException {
        if (position < 0 || position > channel.size() - count) {
            throw damaged();
        }
        ByteBuffer buffer = ByteBuffer.allocate(count).order(ByteOrder.LITTLE_ENDIAN);
        while (buffer.hasRemaining()) {
            if (channel.read(buffer, position + buffer.position()) < 0) {
                throw damaged();
            }
        }
        return buffer.flip();
    }
}
