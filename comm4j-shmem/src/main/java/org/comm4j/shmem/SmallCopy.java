// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.shmem;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_SHORT_UNALIGNED;

import java.lang.foreign.MemorySegment;

/** Copies of a few words, which a general copy takes as long to look at as to make. */
final class SmallCopy {
    private SmallCopy() {}

    /** At most 64 bytes; everything is loaded before anything is stored, so the two may overlap. */
    static void copy(MemorySegment from, long fromAt, MemorySegment to, long toAt, int bytes) {
        if (bytes >= 8) {
            if (bytes <= 16) {
                two(from, fromAt, to, toAt, bytes);
            } else if (bytes <= 32) {
                four(from, fromAt, to, toAt, bytes);
            } else {
                eight(from, fromAt, to, toAt, bytes);
            }
        } else if (bytes >= 4) {
            int first = from.get(JAVA_INT_UNALIGNED, fromAt);
            int last = from.get(JAVA_INT_UNALIGNED, fromAt + bytes - 4);
            to.set(JAVA_INT_UNALIGNED, toAt, first);
            to.set(JAVA_INT_UNALIGNED, toAt + bytes - 4, last);
        } else if (bytes >= 2) {
            short first = from.get(JAVA_SHORT_UNALIGNED, fromAt);
            byte last = from.get(JAVA_BYTE, fromAt + bytes - 1);
            to.set(JAVA_SHORT_UNALIGNED, toAt, first);
            to.set(JAVA_BYTE, toAt + bytes - 1, last);
        } else if (bytes == 1) {
            to.set(JAVA_BYTE, toAt, from.get(JAVA_BYTE, fromAt));
        }
    }

    // The first words and the last words, which overlap.

    private static void two(MemorySegment from, long fromAt, MemorySegment to, long toAt, int bytes) {
        long a = from.get(JAVA_LONG_UNALIGNED, fromAt);
        long b = from.get(JAVA_LONG_UNALIGNED, fromAt + bytes - 8);
        to.set(JAVA_LONG_UNALIGNED, toAt, a);
        to.set(JAVA_LONG_UNALIGNED, toAt + bytes - 8, b);
    }

    private static void four(MemorySegment from, long fromAt, MemorySegment to, long toAt, int bytes) {
        long a = from.get(JAVA_LONG_UNALIGNED, fromAt);
        long b = from.get(JAVA_LONG_UNALIGNED, fromAt + 8);
        long c = from.get(JAVA_LONG_UNALIGNED, fromAt + bytes - 16);
        long d = from.get(JAVA_LONG_UNALIGNED, fromAt + bytes - 8);
        to.set(JAVA_LONG_UNALIGNED, toAt, a);
        to.set(JAVA_LONG_UNALIGNED, toAt + 8, b);
        to.set(JAVA_LONG_UNALIGNED, toAt + bytes - 16, c);
        to.set(JAVA_LONG_UNALIGNED, toAt + bytes - 8, d);
    }

    private static void eight(MemorySegment from, long fromAt, MemorySegment to, long toAt, int bytes) {
        long a = from.get(JAVA_LONG_UNALIGNED, fromAt);
        long b = from.get(JAVA_LONG_UNALIGNED, fromAt + 8);
        long c = from.get(JAVA_LONG_UNALIGNED, fromAt + 16);
        long d = from.get(JAVA_LONG_UNALIGNED, fromAt + 24);
        long e = from.get(JAVA_LONG_UNALIGNED, fromAt + bytes - 32);
        long f = from.get(JAVA_LONG_UNALIGNED, fromAt + bytes - 24);
        long g = from.get(JAVA_LONG_UNALIGNED, fromAt + bytes - 16);
        long h = from.get(JAVA_LONG_UNALIGNED, fromAt + bytes - 8);
        to.set(JAVA_LONG_UNALIGNED, toAt, a);
        to.set(JAVA_LONG_UNALIGNED, toAt + 8, b);
        to.set(JAVA_LONG_UNALIGNED, toAt + 16, c);
        to.set(JAVA_LONG_UNALIGNED, toAt + 24, d);
        to.set(JAVA_LONG_UNALIGNED, toAt + bytes - 32, e);
        to.set(JAVA_LONG_UNALIGNED, toAt + bytes - 24, f);
        to.set(JAVA_LONG_UNALIGNED, toAt + bytes - 16, g);
        to.set(JAVA_LONG_UNALIGNED, toAt + bytes - 8, h);
    }
}
