// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.loops;

import org.comm4j.kernel.ir.Type;

/** Memory that pointers point into: of an argument, of the block, of the program, or of a thread. */
final class Room {
    enum Where {
        ARGUMENT,
        SHARED,
        DYNAMIC,
        CONSTANT,
        LOCAL
    }

    final Where where;
    final int number;
    /** Of arrays, which are Java arrays as long as only whole elements of this type are read and written. */
    final Type.Scalar element;

    final long count;
    /** Of constants, in the order of memory. */
    final byte[] content;

    private boolean isArray;

    Room(Where where, int number, Type.Scalar element, long count, byte[] content) {
        this.where = where;
        this.number = number;
        this.element = element;
        this.count = count;
        this.content = content;
        this.isArray = where != Where.ARGUMENT && where != Where.DYNAMIC;
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

    String name() {
        return where.name().toLowerCase(java.util.Locale.ROOT) + number;
    }
}
