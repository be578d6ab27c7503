// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.ffi;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * An ELF file as far as the system's loader believes it without a look: it maps what the program headers promise, and follows
 * the addresses of the dynamic section. The process ends by a signal where the file has less, or has been damaged.
 *
 * @param machine ELF's number of the processor that it is for
 * @param bytes that it has
 * @param promised bytes up to the end of its last segment
 * @param damage the first thing in its headers that cannot be, or null
 */
record ElfFile(
        int machine, long bytes, long promised, @Nullable String damage) {
    private static final int HEADER = 64;
    private static final int SEGMENT = 56;
    private static final int DYNAMIC_ENTRY = 16;
    private static final int SHARED_OBJECT = 3;

    private static final int LOADED = 1;
    private static final int DYNAMIC = 2;

    /** Longer ones are damaged, or nothing that this process could load. */
    private static final long MOST_MEMORY = 1L << 40;

    private static final int MOST_ENTRIES = 4096;

    /** Entries of the dynamic section that are addresses which the loader follows: PLTGOT, HASH, STRTAB, SYMTAB, RELA, and so on. */
    private static final Set<Long> ADDRESSES = Set.of(
            3L, 4L, 5L, 6L, 7L, 12L, 13L, 17L, 23L, 25L, 26L, 36L, 0x6ffffef5L, 0x6ffffff0L, 0x6ffffffcL, 0x6ffffffeL);

    /** Those that are tables, with the entry that has their size: RELA, JMPREL, STRTAB, INIT_ARRAY, FINI_ARRAY, RELR. */
    private static final Map<Long, Long> TABLES = Map.of(7L, 8L, 23L, 2L, 5L, 10L, 25L, 27L, 26L, 28L, 36L, 35L);

    private static final long RELOCATION_BYTES = 9;
    private static final long SYMBOL_BYTES = 11;
    /** The size of a relocation, and of a symbol. */
    private static final long RELOCATION = 24;

    /** The program of this process, which says what others have to be for. */
    private static final Optional<ElfFile> SELF = read(Path.of("/proc/self/exe"));

    /** One program header. */
    private record Segment(int type, long offset, long address, long inFile, long inMemory) {
        boolean has(long at) {
            return at >= address && at - address < inMemory;
        }
    }

    /** Nothing for what is no file of this kind, or cannot be read: the loader says so itself. */
    static Optional<ElfFile> read(Path file) {
        if (!Files.isRegularFile(file)) {
            return Optional.empty();
        }
        // Not a channel, which would throw in a thread that is interrupted.
        try (RandomAccessFile in = new RandomAccessFile(file.toFile(), "r")) {
            long bytes = in.length();
            ByteBuffer header = read(in, 0, HEADER, ByteOrder.BIG_ENDIAN);
            if (header.limit() < HEADER || header.getInt(0) != 0x7f454c46) {
                return Optional.empty();
            }
            ByteOrder order = header.get(5) == 1 ? ByteOrder.LITTLE_ENDIAN : ByteOrder.BIG_ENDIAN;
            header.order(order);
            int machine = header.getShort(18);
            long table = header.getLong(32);
            int length = SEGMENT * (header.getShort(56) & 0xffff);
            if (header.get(4) != 2 || table < HEADER || header.getShort(54) != SEGMENT || table > bytes - length) {
                long promised = header.get(4) == 2 && table >= HEADER && table < MOST_MEMORY ? table + length : HEADER;
                return Optional.of(new ElfFile(machine, bytes, promised, null));
            }
            List<Segment> segments = segments(read(in, table, length, order));
            long promised = table + length;
            for (Segment each : segments) {
                if (each.type == LOADED && each.offset >= 0 && each.inFile >= 0 && each.offset < MOST_MEMORY) {
                    promised = Math.max(promised, each.offset + Math.min(each.inFile, MOST_MEMORY));
                }
            }
            String damage = header.getShort(16) == SHARED_OBJECT ? damage(segments) : null;
            if (damage == null && promised <= bytes && header.getShort(16) == SHARED_OBJECT) {
                damage = damage(in, segments, order);
            }
            return Optional.of(new ElfFile(machine, bytes, promised, damage));
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    private static ByteBuffer read(RandomAccessFile in, long at, int length, ByteOrder order) throws IOException {
        byte[] bytes = new byte[length];
        in.seek(at);
        int read = 0;
        for (int more; read < length && (more = in.read(bytes, read, length - read)) > 0; ) {
            read += more;
        }
        return ByteBuffer.wrap(bytes, 0, read).order(order);
    }

    private static List<Segment> segments(ByteBuffer table) {
        List<Segment> segments = new ArrayList<>();
        for (int at = 0; at + SEGMENT <= table.limit(); at += SEGMENT) {
            segments.add(new Segment(
                    table.getInt(at),
                    table.getLong(at + 8),
                    table.getLong(at + 16),
                    table.getLong(at + 32),
                    table.getLong(at + 40)));
        }
        return segments;
    }

    /** What cannot be in the program headers, or null. */
    private static @Nullable String damage(List<Segment> segments) {
        long end = 0;
        for (Segment each : segments) {
            if (each.type != LOADED) {
                continue;
            }
            if (each.offset < 0 || each.inFile < 0 || each.inMemory < each.inFile || each.inMemory > MOST_MEMORY) {
                return "a segment of " + each.inFile + " bytes at " + each.offset + " of the file becomes "
                        + each.inMemory + " bytes";
            }
            if (each.address < end || each.address > MOST_MEMORY) {
                return "segments overlap, or are out of order, at 0x" + Long.toHexString(each.address);
            }
            end = each.address + each.inMemory;
        }
        if (end == 0) {
            return "no segment is loaded";
        }
        for (Segment each : segments) {
            if (each.type == DYNAMIC && !inside(segments, each.address, each.inMemory)) {
                return "the dynamic section, at 0x" + Long.toHexString(each.address) + ", is in no segment";
            }
        }
        return segments.stream().anyMatch(s -> s.type == DYNAMIC) ? null : "no dynamic section";
    }

    /** Whether one loaded segment has all of a range of addresses. */
    private static boolean inside(List<Segment> segments, long address, long bytes) {
        return bytes >= 0
                && segments.stream()
                        .anyMatch(
                                s -> s.type == LOADED && s.has(address) && bytes <= s.inMemory - (address - s.address));
    }

    /** What cannot be in the dynamic section, or null. */
    private static @Nullable String damage(RandomAccessFile in, List<Segment> segments, ByteOrder order)
            throws IOException {
        Segment dynamic =
                segments.stream().filter(s -> s.type == DYNAMIC).findFirst().orElseThrow();
        Segment around = segments.stream()
                .filter(s -> s.type == LOADED && s.has(dynamic.address))
                .findFirst()
                .orElseThrow();
        // The loader goes by the address.
        long at = around.offset + (dynamic.address - around.address);
        int most = (int) Math.min(MOST_ENTRIES, dynamic.inMemory / DYNAMIC_ENTRY);
        ByteBuffer entries = read(in, at, most * DYNAMIC_ENTRY, order);
        Map<Long, Long> values = new HashMap<>();
        boolean ended = false;
        for (int i = 0; i + DYNAMIC_ENTRY <= entries.limit() && !ended; i += DYNAMIC_ENTRY) {
            long tag = entries.getLong(i);
            long value = entries.getLong(i + 8);
            ended = tag == 0;
            values.put(tag, value);
            if (ADDRESSES.contains(tag) && !inside(segments, value, 0)) {
                return "entry " + tag + " of the dynamic section, 0x" + Long.toHexString(value) + ", is in no segment";
            }
        }
        if (!ended && most < MOST_ENTRIES) {
            return "the dynamic section has no end";
        }
        for (Map.Entry<Long, Long> table : TABLES.entrySet()) {
            long address = values.getOrDefault(table.getKey(), 0L);
            long bytes = values.getOrDefault(table.getValue(), 0L);
            if (values.containsKey(table.getKey()) ? !inside(segments, address, bytes) : bytes != 0) {
                return "the table of entry " + table.getKey() + " of the dynamic section, " + bytes + " bytes at 0x"
                        + Long.toHexString(address) + ", is in no segment";
            }
        }
        boolean sizes = values.getOrDefault(RELOCATION_BYTES, RELOCATION) == RELOCATION
                && values.getOrDefault(SYMBOL_BYTES, RELOCATION) == RELOCATION;
        return sizes && values.containsKey(5L) && values.containsKey(6L)
                ? null
                : "the dynamic section does not describe its symbols";
    }

    boolean isForThisProcessor() {
        return SELF.isEmpty() || SELF.get().machine == machine;
    }

    boolean isIncomplete() {
        return bytes < promised;
    }
}
