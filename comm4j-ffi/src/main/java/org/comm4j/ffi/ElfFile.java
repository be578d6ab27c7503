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
import org.comm4j.ffi.ElfImage.Segment;
import org.jspecify.annotations.Nullable;

/**
 * An ELF file as far as the system's loader believes it without a look: it maps what the program headers promise, and
 * follows the addresses of the dynamic section. The process ends by a signal where the file has less, or has been
 * damaged.
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

    private static final int DYNAMIC = 2;
    /** GNU_RELRO. */
    private static final int READ_ONLY_AFTER = 0x6474e552;

    /** Longer ones are damaged, or nothing that this process could load. */
    private static final long MOST_MEMORY = 1L << 40;

    private static final int MOST_ENTRIES = 4096;
    /** The smallest of any processor. */
    private static final int PAGE = 4096;

    private static final int LARGE_PAGE = 1 << 16;

    /**
     * Entries of the dynamic section that are addresses which the loader follows: PLTGOT, HASH, STRTAB, SYMTAB, RELA,
     * and so on.
     */
    private static final Set<Long> ADDRESSES = Set.of(
            3L, 4L, 5L, 6L, 7L, 12L, 13L, 17L, 23L, 25L, 26L, 36L, 0x6ffffef5L, 0x6ffffff0L, 0x6ffffffcL, 0x6ffffffeL);

    /**
     * Those that are tables, with the entry that has their size: RELA, JMPREL, STRTAB, INIT_ARRAY, FINI_ARRAY, RELR.
     */
    private static final Map<Long, Long> TABLES = Map.of(7L, 8L, 23L, 2L, 5L, 10L, 25L, 27L, 26L, 28L, 36L, 35L);

    private static final long RELOCATIONS = 7;
    private static final long RELOCATIONS_BYTES = 8;
    private static final long RELOCATION_BYTES = 9;
    /** Of relocations without a symbol, which come first. */
    private static final long RELATIVE_COUNT = 0x6ffffff9L;

    private static final long SYMBOL_BYTES = 11;
    /** The size of a relocation, and of a symbol. */
    private static final long RELOCATION = 24;

    /** The program of this process, which says what others have to be for. */
    private static final Optional<ElfFile> SELF = read(Path.of("/proc/self/exe"));

    /** Nothing for what is no file of this kind, or cannot be read: the loader says so itself. */
    static Optional<ElfFile> read(Path file) {
        if (!Files.isRegularFile(file)) {
            return Optional.empty();
        }
        // Not a channel, which would throw in a thread that is interrupted.
        try (RandomAccessFile in = new RandomAccessFile(file.toFile(), "r")) {
            long bytes = in.length();
            ByteBuffer header = ElfImage.read(in, 0, HEADER, ByteOrder.BIG_ENDIAN);
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
            List<Segment> segments = segments(ElfImage.read(in, table, length, order));
            long promised = table + length;
            for (Segment each : segments) {
                if (each.isLoaded() && each.offset() >= 0 && each.inFile() >= 0 && each.offset() < MOST_MEMORY) {
                    promised = Math.max(promised, each.offset() + Math.min(each.inFile(), MOST_MEMORY));
                }
            }
            ElfImage image = new ElfImage(in, order, segments);
            String damage = header.getShort(16) == SHARED_OBJECT ? damage(image) : null;
            if (damage == null && promised <= bytes && header.getShort(16) == SHARED_OBJECT) {
                damage = damage(image, machine);
            }
            return Optional.of(new ElfFile(machine, bytes, promised, damage));
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    private static List<Segment> segments(ByteBuffer table) {
        List<Segment> segments = new ArrayList<>();
        for (int at = 0; at + SEGMENT <= table.limit(); at += SEGMENT) {
            segments.add(new Segment(
                    table.getInt(at),
                    table.getInt(at + 4),
                    table.getLong(at + 8),
                    table.getLong(at + 16),
                    table.getLong(at + 32),
                    table.getLong(at + 40)));
        }
        return segments;
    }

    /** What cannot be in the program headers, or null. */
    private static @Nullable String damage(ElfImage image) {
        List<Segment> segments = image.segments();
        long end = 0;
        for (Segment each : segments) {
            if (!each.isLoaded()) {
                continue;
            }
            if (each.offset() < 0
                    || each.offset() > MOST_MEMORY
                    || each.inFile() < 0
                    || each.inMemory() < each.inFile()
                    || each.inMemory() > MOST_MEMORY) {
                return "a segment of " + each.inFile() + " bytes at " + each.offset() + " of the file becomes "
                        + each.inMemory() + " bytes";
            }
            if ((each.address() - each.offset()) % PAGE != 0) {
                return "a segment is at 0x" + Long.toHexString(each.offset()) + " of the file and at 0x"
                        + Long.toHexString(each.address()) + " in memory, not at the same place of a page";
            }
            if (each.address() < end || each.address() > MOST_MEMORY) {
                return "segments overlap, or are out of order, at 0x" + Long.toHexString(each.address());
            }
            end = each.address() + each.inMemory();
        }
        if (end == 0) {
            return "no segment is loaded";
        }
        for (Segment each : segments) {
            if (each.type() == DYNAMIC && !image.has(each.address(), each.inMemory())) {
                return "the dynamic section, at 0x" + Long.toHexString(each.address()) + ", is in no segment";
            }
            // It may go on to the end of the last page.
            if (each.type() == READ_ONLY_AFTER
                    && !image.has(each.address(), Math.max(0, each.inMemory() - LARGE_PAGE))) {
                return "what becomes read-only, at 0x" + Long.toHexString(each.address()) + ", is in no segment";
            }
        }
        return segments.stream().anyMatch(s -> s.type() == DYNAMIC) ? null : "no dynamic section";
    }

    /** What cannot be in the dynamic section, or null. */
    private static @Nullable String damage(ElfImage image, int machine) throws IOException {
        List<Segment> segments = image.segments();
        Segment dynamic =
                segments.stream().filter(s -> s.type() == DYNAMIC).findFirst().orElseThrow();
        Segment around = segments.stream()
                .filter(s -> s.isLoaded() && s.has(dynamic.address()))
                .findFirst()
                .orElseThrow();
        // The loader goes by the address.
        long at = around.offset() + (dynamic.address() - around.address());
        int most = (int) Math.min(MOST_ENTRIES, dynamic.inMemory() / DYNAMIC_ENTRY);
        ByteBuffer entries = ElfImage.read(image.file(), at, most * DYNAMIC_ENTRY, image.order());
        List<Map.Entry<Long, Long>> names = new ArrayList<>();
        Map<Long, Long> values = new HashMap<>();
        boolean ended = false;
        for (int i = 0; i + DYNAMIC_ENTRY <= entries.limit() && !ended; i += DYNAMIC_ENTRY) {
            long tag = entries.getLong(i);
            long value = entries.getLong(i + 8);
            ended = tag == 0;
            values.put(tag, value);
            if (ElfTables.NAMES.contains(tag)) {
                names.add(Map.entry(tag, value));
            }
            if (ADDRESSES.contains(tag) && !image.has(value, 0)) {
                return "entry " + tag + " of the dynamic section, 0x" + Long.toHexString(value) + ", is in no segment";
            }
        }
        if (!ended && most < MOST_ENTRIES) {
            return "the dynamic section has no end";
        }
        for (Map.Entry<Long, Long> table : TABLES.entrySet()) {
            long address = values.getOrDefault(table.getKey(), 0L);
            long bytes = values.getOrDefault(table.getValue(), 0L);
            boolean there = values.containsKey(table.getKey());
            if (there != values.containsKey(table.getValue()) || (there && !image.has(address, bytes))) {
                return "the table of entry " + table.getKey() + " of the dynamic section, " + bytes + " bytes at 0x"
                        + Long.toHexString(address) + ", is in no segment";
            }
        }
        boolean sizes = values.getOrDefault(SYMBOL_BYTES, 0L) == RELOCATION
                && values.getOrDefault(RELOCATION_BYTES, values.containsKey(RELOCATIONS) ? 0 : RELOCATION) == RELOCATION
                && values.getOrDefault(RELATIVE_COUNT, 0L) <= values.getOrDefault(RELOCATIONS_BYTES, 0L) / RELOCATION;
        return sizes && values.containsKey(5L) && values.containsKey(6L)
                ? ElfTables.damage(image, machine, values, names)
                : "the dynamic section does not describe its symbols";
    }

    boolean isForThisProcessor() {
        return SELF.isEmpty() || SELF.get().machine == machine;
    }

    boolean isIncomplete() {
        return bytes < promised;
    }
}
