// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.array;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.SequencedMap;

/**
 * Places of arrays in an archive that is to be written, and its records. All ranks plan the same without communication.
 * A record has sizes and places of 64 bits where 32 are too few.
 */
final class NpzPlan {
    private static final int VERSION = 20;
    private static final int VERSION64 = 45;

    /** Names are UTF-8. */
    private static final int FLAGS = 1 << 11;

    /** 1 January 1980, as NumPy has it: equal arrays make equal files. */
    private static final int DATE = 0x0021;

    /** A rw-r--r-- file of Unix, in the upper half. */
    private static final int ATTRIBUTES = 0100644 << 16;

    private static final int MADE_BY_UNIX = 3 << 8;
    private static final int NO_ROOM_COUNT = 0xffff;
    private static final int LONGEST_NAME = 0xffff;

    /**
     * An array's file in the archive.
     *
     * @param at where its record begins
     * @param begin where its content does
     */
    private record Member(byte[] name, long bytes, long at, long begin) {
        boolean isLarge() {
            return bytes >= Npz.NO_ROOM;
        }

        boolean isFar() {
            return at >= Npz.NO_ROOM;
        }
    }

    private final List<Member> members = new ArrayList<>();
    private final long directory;

    /**
     * Plans an archive.
     *
     * @param sizes bytes of each array's file, by the array's name
     * @throws IllegalArgumentException if a name cannot be one
     */
    NpzPlan(SequencedMap<String, Long> sizes) {
        long at = 0;
        for (var size : sizes.entrySet()) {
            byte[] name = (size.getKey() + Npz.SUFFIX).getBytes(UTF_8);
            if (size.getKey().isEmpty() || size.getKey().indexOf('\0') >= 0 || name.length > LONGEST_NAME) {
                throw new IllegalArgumentException("write: an array's name has 1 to " + (LONGEST_NAME - 4)
                        + " bytes and no zero among them, not " + name.length + ": " + size.getKey());
            }
            long bytes = size.getValue();
            long begin = at + Npz.LOCAL_BYTES + name.length + (bytes >= Npz.NO_ROOM ? 4 + 2 * Long.BYTES : 0);
            members.add(new Member(name, bytes, at, begin));
            at = begin + bytes;
        }
        directory = at;
    }

    /** Returns how many arrays there are. */
    int count() {
        return members.size();
    }

    /** Returns where a member's record begins. */
    long at(int member) {
        return members.get(member).at;
    }

    /** Returns where a member's content begins. */
    long begin(int member) {
        return members.get(member).begin;
    }

    /** Returns how many bytes a member's content has. */
    long bytes(int member) {
        return members.get(member).bytes;
    }

    /** Returns where the directory begins. */
    long directory() {
        return directory;
    }

    /** Returns the record in front of a member's content. */
    ByteBuffer local(int member, int crc) {
        Member m = members.get(member);
        ByteBuffer to = buffer((int) (m.begin - m.at));
        to.putInt(Npz.LOCAL).putShort((short) (m.isLarge() ? VERSION64 : VERSION));
        common(to, m, crc);
        to.putShort((short) m.name.length).putShort((short) (m.isLarge() ? 4 + 2 * Long.BYTES : 0));
        to.put(m.name);
        if (m.isLarge()) {
            to.putShort((short) Npz.EXTRA64).putShort((short) (2 * Long.BYTES));
            to.putLong(m.bytes).putLong(m.bytes);
        }
        return to.flip();
    }

    /** Writes flags, no compression, time, date, CRC, and both sizes. */
    private static void common(ByteBuffer to, Member m, int crc) {
        int bytes = narrow(m.bytes);
        to.putShort((short) FLAGS).putShort((short) 0).putShort((short) 0).putShort((short) DATE);
        to.putInt(crc).putInt(bytes).putInt(bytes);
    }

    /** Returns the directory and what ends the archive. */
    ByteBuffer directory(int[] crcs) {
        int length = members.stream()
                .mapToInt(m -> Npz.ENTRY_BYTES + m.name.length + extraBytes(m))
                .reduce(0, Math::addExact);
        boolean large = members.size() >= NO_ROOM_COUNT || directory >= Npz.NO_ROOM;
        ByteBuffer to = buffer(length + (large ? Npz.END64_BYTES + Npz.LOCATOR64_BYTES : 0) + Npz.END_BYTES);
        for (int i = 0; i < crcs.length; i++) {
            entry(to, members.get(i), crcs[i]);
        }
        if (large) {
            to.putInt(Npz.END64).putLong(Npz.END64_BYTES - 12);
            to.putShort((short) (MADE_BY_UNIX | VERSION64)).putShort((short) VERSION64);
            to.putInt(0).putInt(0).putLong(crcs.length).putLong(crcs.length);
            to.putLong(length).putLong(directory);
            to.putInt(Npz.LOCATOR64).putInt(0).putLong(directory + length).putInt(1);
        }
        int count = Math.min(crcs.length, NO_ROOM_COUNT);
        to.putInt(Npz.END).putShort((short) 0).putShort((short) 0);
        to.putShort((short) count).putShort((short) count);
        to.putInt(length).putInt(narrow(directory)).putShort((short) 0);
        return to.flip();
    }

    private static void entry(ByteBuffer to, Member m, int crc) {
        int extra = extraBytes(m);
        int version = extra > 0 ? VERSION64 : VERSION;
        to.putInt(Npz.ENTRY).putShort((short) (MADE_BY_UNIX | version)).putShort((short) version);
        common(to, m, crc);
        to.putShort((short) m.name.length).putShort((short) extra).putShort((short) 0);
        to.putShort((short) 0).putShort((short) 0).putInt(ATTRIBUTES).putInt(narrow(m.at));
        to.put(m.name);
        if (extra > 0) {
            to.putShort((short) Npz.EXTRA64).putShort((short) (extra - 4));
        }
        if (m.isLarge()) {
            to.putLong(m.bytes).putLong(m.bytes);
        }
        if (m.isFar()) {
            to.putLong(m.at);
        }
    }

    /** Returns the bytes of what the directory says of a member in 64 bits. */
    private static int extraBytes(Member m) {
        int longs = (m.isLarge() ? 2 : 0) + (m.isFar() ? 1 : 0);
        return longs == 0 ? 0 : 4 + longs * Long.BYTES;
    }

    /** Returns a number in 32 bits: all ones where it does not fit. */
    private static int narrow(long value) {
        return (int) Math.min(value, Npz.NO_ROOM);
    }

    private static ByteBuffer buffer(int bytes) {
        return ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }
}
