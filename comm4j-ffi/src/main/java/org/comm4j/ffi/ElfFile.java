// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.ffi;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * What the header of an ELF file says that the system's loader does not look at, or does not tell: it maps what is promised, and the JVM ends by SIGBUS where the file has less.
 *
 * @param machine ELF's number of the processor that it is for
 * @param bytes that it has
 * @param promised bytes up to the end of its last segment
 */
record ElfFile(int machine, long bytes, long promised) {
    private static final int HEADER = 64;
    private static final int SEGMENT = 56;
    private static final int LOADED = 1;

    /** The program of this process, which says what others have to be for. */
    private static final Optional<ElfFile> SELF = read(Path.of("/proc/self/exe"));

    /** Nothing for what is no file of this kind, or cannot be read: the loader says so itself. */
    static Optional<ElfFile> read(Path file) {
        if (!Files.isRegularFile(file)) {
            return Optional.empty();
        }
        try (FileChannel channel = FileChannel.open(file)) {
            ByteBuffer header = read(channel, 0, HEADER);
            if (header.limit() < HEADER || header.getInt(0) != 0x7f454c46) {
                return Optional.empty();
            }
            boolean is64 = header.get(4) == 2;
            ByteOrder order = header.get(5) == 1 ? ByteOrder.LITTLE_ENDIAN : ByteOrder.BIG_ENDIAN;
            header.order(order);
            long promised = HEADER;
            long segments = header.getLong(32);
            if (is64 && segments > 0 && header.getShort(54) == SEGMENT) {
                int length = SEGMENT * (header.getShort(56) & 0xffff);
                ByteBuffer table = read(channel, segments, length).order(order);
                promised = segments + length;
                for (int at = 0; at + SEGMENT <= table.limit(); at += SEGMENT) {
                    if (table.getInt(at) == LOADED) {
                        promised = Math.max(promised, table.getLong(at + 8) + table.getLong(at + 32));
                    }
                }
            }
            return Optional.of(new ElfFile(header.getShort(18), channel.size(), promised));
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    /** As many of these bytes as there are. */
    private static ByteBuffer read(FileChannel channel, long position, int bytes) throws IOException {
        ByteBuffer buffer = ByteBuffer.allocate(bytes);
        while (buffer.hasRemaining() && channel.read(buffer, position + buffer.position()) > 0) {}
        return buffer.flip();
    }

    boolean isForThisProcessor() {
        return SELF.isEmpty() || SELF.get().machine == machine;
    }

    boolean isIncomplete() {
        return bytes < promised;
    }
}
