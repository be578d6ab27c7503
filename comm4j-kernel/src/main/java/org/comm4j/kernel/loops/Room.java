// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.loops;

import java.util.Arrays;
import org.comm4j.kernel.ir.Type;

/** Memory that pointers point into: of an argument, of the block, of the program, or of a thread. */
final class Room {
    /** Those of a block are fewer; the same ones of another block of the cluster come behind them. */
    static final int MOST = 1 << 10;

    enum Where {
        ARGUMENT,
        SHARED,
        DYNAMIC,
        CONSTANT,
        LOCAL,
        /** One of the others, or one of another block of the cluster; a number says which. */
        ANY
    }

    static final Room ANYWHERE = new Room(Where.ANY, -1, Type.Scalar.I8, 0, new byte[0]);

    final Where where;
    final int number;
    /** Of arrays, which are Java arrays as long as only whole elements of this type are read and written. */
    final Type.Scalar element;

    final long count;
    /** Of constants, in the order of memory. */
    final byte[] content;

    private boolean isArray;
    private long recordBytes;

    Room(Where where, int number, Type.Scalar element, long count, byte[] content) {
        this.where = where;
        this.number = number;
        this.element = element;
        this.count = count;
        this.content = content;
        this.isArray = where != Where.ARGUMENT && where != Where.DYNAMIC && where != Where.ANY;
    }

    /** Notes that the program's elements are of so many bytes, which are no single number. */
    void isOfRecords(long bytes) {
        recordBytes = bytes;
        needsMemory();
    }

    /** Returns what {@link #isOfRecords} has noted; 0 if nothing. */
    long recordBytes() {
        return recordBytes;
    }

    /** Returns the bytes of what the program calls an element. */
    long elementBytes() {
        return Math.max(recordBytes, element.bytes());
    }

    /** Notes that some access needs memory instead of an array. */
    void needsMemory() {
        isArray = false;
    }

    /** Whether threads meet in it. */
    boolean isVisited() {
        return where != Where.CONSTANT && where != Where.LOCAL;
    }

    boolean isArray() {
        return isArray;
    }

    /** Makes a Java array that is as many of it. */
    Object newArray(int times) {
        int length = Math.toIntExact(count) * times;
        return switch (element) {
            case I1, I8 -> new byte[length];
            case I16 -> new short[length];
            default -> Kind.of(element).newArray(length);
        };
    }

    /** Fills a Java array with zeros. */
    static void clear(Object array) {
        switch (array) {
            case float[] a -> Arrays.fill(a, 0);
            case double[] a -> Arrays.fill(a, 0);
            case int[] a -> Arrays.fill(a, 0);
            case long[] a -> Arrays.fill(a, 0);
            case short[] a -> Arrays.fill(a, (short) 0);
            case byte[] a -> Arrays.fill(a, (byte) 0);
            default -> throw new IllegalStateException(array.toString());
        }
    }

    String name() {
        return where.name().toLowerCase(java.util.Locale.ROOT) + number;
    }
}
