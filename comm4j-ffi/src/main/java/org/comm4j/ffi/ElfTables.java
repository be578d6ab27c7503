// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.ffi;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.LongBuffer;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.comm4j.ffi.ElfImage.Segment;
import org.jspecify.annotations.Nullable;

/**
 * The tables of an ELF file that the system's loader walks before it returns: strings, symbols, hash tables, versions,
 * relocations. It checks none of their indices; one that leads out of its table ends the process.
 */
final class ElfTables {
    private static final long NEEDED = 1;
    private static final long PLT = 3;
    private static final long HASH = 4;
    private static final long STRINGS = 5;
    private static final long SYMBOLS = 6;
    private static final long STRINGS_BYTES = 10;
    private static final long INIT = 12;
    private static final long FINI = 13;
    private static final long PLT_KIND = 20;
    private static final long PLT_RELOCATIONS = 23;
    private static final long TEXT_RELOCATIONS = 22;
    private static final long FLAGS = 30;
    private static final long GNU_HASH = 0x6ffffef5L;
    private static final long SYMBOL_VERSIONS = 0x6ffffff0L;
    private static final long VERSIONS_DEFINED = 0x6ffffffcL;
    private static final long VERSIONS_NEEDED = 0x6ffffffeL;

    /** Entries that are offsets of strings: NEEDED, SONAME, RPATH, RUNPATH, AUXILIARY, FILTER. */
    static final Set<Long> NAMES = Set.of(NEEDED, 14L, 15L, 29L, 0x7ffffffdL, 0x7fffffffL);

    private static final int TEXT_RELOCATIONS_FLAG = 4;
    private static final int SYMBOL = 24;
    private static final int RELOCATION = 24;
    private static final int VERSION_INDEX = 0x7fff;

    private static final int X86_64 = 62;
    private static final int AARCH64 = 183;
    /** Types of relocations that need no symbol: R_X86_64_RELATIVE and _IRELATIVE, those of AArch64. */
    private static final int X86_64_RELATIVE = 8;

    private static final int X86_64_INDIRECT = 37;
    private static final int AARCH64_RELATIVE = 1027;
    private static final int AARCH64_INDIRECT = 1032;

    private final ElfImage image;
    private final Map<Long, Long> values;
    private final ByteBuffer strings;
    /** Symbols that there are, at least as many as anything may name. */
    private long symbols;
    /** The highest version that a symbol can have. */
    private int versions = 1;

    private ElfTables(ElfImage image, Map<Long, Long> values, ByteBuffer strings) {
        this.image = image;
        this.values = values;
        this.strings = strings;
    }

    /**
     * Returns what cannot be in the tables, or null.
     *
     * @param values of the dynamic section's entries, which lead to tables that are in segments
     * @param names the values of the entries that are offsets of strings, with their kinds
     */
    static @Nullable String damage(
            ElfImage image, int machine, Map<Long, Long> values, List<Map.Entry<Long, Long>> names) throws IOException {
        ByteBuffer strings = image.at(values.getOrDefault(STRINGS, 0L), values.getOrDefault(STRINGS_BYTES, 0L));
        if (strings == null || strings.limit() == 0 || strings.get(strings.limit() - 1) != 0) {
            return "the table of names has no end";
        }
        ElfTables tables = new ElfTables(image, values, strings);
        for (Map.Entry<Long, Long> each : names) {
            if (!tables.isName(each.getValue())) {
                return "a name in the dynamic section is not in the table of names";
            }
        }
        String problem = tables.code();
        problem = problem == null ? tables.hash() : problem;
        problem = problem == null ? tables.versions(names) : problem;
        problem = problem == null ? tables.symbols() : problem;
        if (problem == null && (machine == X86_64 || machine == AARCH64)) {
            problem = tables.relocations(machine, 7, 8, false);
            problem = problem == null ? tables.relocations(machine, 23, 2, true) : problem;
        }
        return problem;
    }

    private boolean isName(long at) {
        return at >= 0 && at < strings.limit();
    }

    private String name(long at) {
        StringBuilder text = new StringBuilder();
        for (int i = (int) at; strings.get(i) != 0; i++) {
            text.append((char) strings.get(i));
        }
        return text.toString();
    }

    /** Whether there is a name at a place, of the hash that versions have (System V ABI, "Hash Table"). */
    private boolean isNamed(int hash, long at) {
        int found = 0;
        for (int i = (int) at; isName(at) && strings.get(i) != 0; i++) {
            found = (found << 4) + (strings.get(i) & 0xff);
            found = (found ^ ((found & 0xf0000000) >>> 24)) & 0x0fffffff;
        }
        return isName(at) && found == hash;
    }

    /** What the loader calls. */
    private @Nullable String code() {
        for (long tag : new long[] {INIT, FINI}) {
            if (values.containsKey(tag) && !image.isCode(values.get(tag))) {
                return "entry " + tag + " of the dynamic section is not the address of code";
            }
        }
        if (values.containsKey(PLT_RELOCATIONS) && !values.containsKey(PLT)) {
            return "there are functions of others to be called, and no table for their addresses";
        }
        return values.getOrDefault(PLT_KIND, values.containsKey(PLT_RELOCATIONS) ? 0L : 7L) == 7
                ? null
                : "its relocations are of another kind than this system's";
    }

    // ---- symbols ----

    private @Nullable String hash() throws IOException {
        Long gnu = values.get(GNU_HASH);
        if (gnu != null) {
            return gnuHash(gnu);
        }
        Long old = values.get(HASH);
        if (old == null) {
            return "no hash table";
        }
        ByteBuffer head = image.at(old, 8);
        if (head == null) {
            return "the hash table is in no segment";
        }
        long buckets = head.getInt(0) & 0xffffffffL;
        symbols = head.getInt(4) & 0xffffffffL;
        ByteBuffer table = image.at(old + 8, 4 * (buckets + symbols));
        if (table == null) {
            return "the hash table is in no segment";
        }
        for (int i = 0; i < table.limit(); i += 4) {
            if ((table.getInt(i) & 0xffffffffL) >= symbols) {
                return "the hash table names symbols that there are not";
            }
        }
        return null;
    }

    private @Nullable String gnuHash(long at) throws IOException {
        ByteBuffer head = image.at(at, 16);
        if (head == null) {
            return "the hash table is in no segment";
        }
        long buckets = head.getInt(0) & 0xffffffffL;
        long first = head.getInt(4) & 0xffffffffL;
        long words = head.getInt(8) & 0xffffffffL;
        long chains = at + 16 + 8 * words + 4 * buckets;
        ByteBuffer table = image.at(at + 16 + 8 * words, 4 * buckets);
        if (Long.bitCount(words) != 1 || table == null || image.at(at + 16, 8 * words) == null) {
            return "the hash table is in no segment";
        }
        long last = 0;
        for (int i = 0; i < table.limit(); i += 4) {
            long bucket = table.getInt(i) & 0xffffffffL;
            if (bucket != 0 && bucket < first) {
                return "the hash table names symbols that there are not";
            }
            last = Math.max(last, bucket);
        }
        if (last == 0) {
            // Nothing is defined, so nothing says how many others there are: as many as come before the names.
            long from = values.getOrDefault(SYMBOLS, 0L);
            long to = values.getOrDefault(STRINGS, 0L);
            symbols = to > from ? (to - from) / SYMBOL : first;
            return null;
        }
        // The last chain's end is the end of all.
        for (long i = last; ; i++) {
            ByteBuffer entry = image.at(chains + 4 * (i - first), 4);
            if (entry == null) {
                return "the hash table has no end";
            }
            if ((entry.getInt(0) & 1) != 0) {
                symbols = i + 1;
                return null;
            }
        }
    }

    private @Nullable String symbols() throws IOException {
        ByteBuffer table = image.at(values.getOrDefault(SYMBOLS, 0L), SYMBOL * symbols);
        ByteBuffer of = values.containsKey(SYMBOL_VERSIONS) ? image.at(values.get(SYMBOL_VERSIONS), 2 * symbols) : null;
        if (table == null || (of == null && values.containsKey(SYMBOL_VERSIONS))) {
            return "the table of symbols is in no segment";
        }
        for (int i = 0; i < symbols; i++) {
            if (!isName(table.getInt(SYMBOL * i) & 0xffffffffL)) {
                return "a symbol's name is not in the table of names";
            }
            if (of != null && (of.getShort(2 * i) & VERSION_INDEX) > versions) {
                return "a symbol has a version that there is not";
            }
        }
        return null;
    }

    // ---- versions ----

    private @Nullable String versions(List<Map.Entry<Long, Long>> names) throws IOException {
        Long needed = values.get(VERSIONS_NEEDED);
        Set<String> files = new HashSet<>();
        for (Map.Entry<Long, Long> each : names) {
            if (each.getKey() == NEEDED) {
                files.add(name(each.getValue()));
            }
        }
        for (long at = needed == null ? 0 : needed, next = 1; needed != null && next != 0; at += next) {
            ByteBuffer file = image.at(at, 16);
            if (file == null || file.getShort(0) != 1 || !isName(file.getInt(4) & 0xffffffffL)) {
                return "the table of needed versions leads out of it";
            }
            if (!files.contains(name(file.getInt(4) & 0xffffffffL))) {
                return "it needs a version of a library that it does not need";
            }
            for (long aux = at + (file.getInt(8) & 0xffffffffL), more = 1; more != 0; aux += more) {
                ByteBuffer version = image.at(aux, 16);
                if (version == null || !isNamed(version.getInt(0), version.getInt(8) & 0xffffffffL)) {
                    return "the table of needed versions leads out of it";
                }
                versions = Math.max(versions, version.getShort(6) & VERSION_INDEX);
                more = version.getInt(12) & 0xffffffffL;
            }
            next = file.getInt(12) & 0xffffffffL;
        }
        Long defined = values.get(VERSIONS_DEFINED);
        for (long at = defined == null ? 0 : defined, next = 1; defined != null && next != 0; at += next) {
            ByteBuffer version = image.at(at, 20);
            ByteBuffer aux = version == null ? null : image.at(at + (version.getInt(12) & 0xffffffffL), 8);
            if (version == null
                    || version.getShort(0) != 1
                    || aux == null
                    || !isNamed(version.getInt(8), aux.getInt(0) & 0xffffffffL)) {
                return "the table of defined versions leads out of it";
            }
            versions = Math.max(versions, version.getShort(4) & VERSION_INDEX);
            next = version.getInt(16) & 0xffffffffL;
        }
        return null;
    }

    // ---- relocations ----

    /**
     * Large libraries have 300 000 of them, and this code is not compiled yet: an array, and the segment of the last
     * one first.
     */
    private @Nullable String relocations(int machine, long tag, long bytesTag, boolean lazy) throws IOException {
        long bytes = values.getOrDefault(bytesTag, 0L);
        if (bytes == 0) {
            return null;
        }
        ByteBuffer table = image.at(values.getOrDefault(tag, 0L), bytes);
        if (table == null || bytes % RELOCATION != 0) {
            return "the relocations are in no segment";
        }
        boolean anywhere =
                values.containsKey(TEXT_RELOCATIONS) || (values.getOrDefault(FLAGS, 0L) & TEXT_RELOCATIONS_FLAG) != 0;
        long initFrom = values.getOrDefault(25L, 0L);
        long initBytes = values.getOrDefault(27L, 0L);
        long finiFrom = values.getOrDefault(26L, 0L);
        long finiBytes = values.getOrDefault(28L, 0L);
        int relative = machine == X86_64 ? X86_64_RELATIVE : AARCH64_RELATIVE;
        int indirect = machine == X86_64 ? X86_64_INDIRECT : AARCH64_INDIRECT;
        long most = Math.max(symbols, 1);
        long[] all = new long[table.limit() / Long.BYTES];
        LongBuffer ignored = table.asLongBuffer().get(all);
        long from = 0;
        long to = 0;
        for (int i = 0; i < all.length; i += RELOCATION / Long.BYTES) {
            long place = all[i];
            int type = (int) all[i + 1];
            if ((type != relative || lazy) && !isKnown(machine, type, lazy)) {
                return "a relocation is of a type, " + type + ", that there is not";
            }
            if (all[i + 1] >>> 32 >= most) {
                return "a relocation names a symbol that there is not";
            }
            if (type != 0 && (place < from || place > to)) {
                Segment changed = image.writable(place, anywhere);
                if (changed == null) {
                    return "a relocation changes what is in no segment, at 0x" + Long.toHexString(place);
                }
                from = changed.address();
                to = from + changed.inMemory() - Long.BYTES;
            }
            boolean called = type == indirect
                    || (type == relative
                            && ((place >= initFrom && place - initFrom < initBytes)
                                    || (place >= finiFrom && place - finiFrom < finiBytes)));
            if (called && !image.isCode(all[i + 2])) {
                return "a relocation leads to code that there is not, at 0x" + Long.toHexString(all[i + 2]);
            }
        }
        return null;
    }

    /** Whether the loader knows a type; {@code lazy}: of a function that is looked up when it is called first. */
    private static boolean isKnown(int machine, int type, boolean lazy) {
        if (machine == X86_64) {
            return switch (type) {
                case 0, 7, 36, X86_64_INDIRECT -> true;
                case 1, 2, 5, 6, X86_64_RELATIVE, 10, 16, 17, 18, 32, 33, 38 -> !lazy;
                default -> false;
            };
        }
        return switch (type) {
            case 0, 1026, 1031, AARCH64_INDIRECT -> true;
            case 256, 257, 258, 1024, 1025, AARCH64_RELATIVE, 1028, 1029, 1030 -> !lazy;
            default -> false;
        };
    }
}
