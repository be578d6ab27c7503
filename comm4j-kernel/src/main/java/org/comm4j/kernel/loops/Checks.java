// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.loops;

import java.lang.foreign.MemorySegment;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.util.List;
import java.util.Objects;

/** Checks that loops make, and what threads throw. */
final class Checks {
    /** The farthest that a pointer may be moved, in elements; what is farther would wrap around in bytes. */
    private static final long FARTHEST = 1L << 58;

    private Checks() {}

    /** An element's place in bytes. */
    static long scaled(long index, int bytes) {
        try {
            long _ = Objects.checkIndex(index + FARTHEST, 2 * FARTHEST);
        } catch (IndexOutOfBoundsException e) {
            throw new IndexOutOfBoundsException(
                    "element " + index + " is in no memory: an index is at most 2 to the power of 58");
        }
        return index * bytes;
    }

    /** Refuses an address that is no multiple of some bytes. */
    static void aligned(MemorySegment memory, long at, int bytes) {
        if ((memory.address() + at) % bytes != 0) {
            throw new IllegalArgumentException("the address 0x" + Long.toHexString(memory.address() + at)
                    + " is not a multiple of " + bytes + " bytes, as this access needs");
        }
    }

    /** Makes what a kernel throws, of the name of its class and its message. */
    static Throwable failed(String what) {
        int colon = what.indexOf(": ");
        String name = colon < 0 ? what : what.substring(0, colon);
        String message = colon < 0 ? "" : what.substring(colon + 2);
        if (name.equals("AssertionError")) {
            return colon < 0 ? new AssertionError() : new AssertionError(message);
        }
        for (String full : List.of(name, "java.lang." + name)) {
            try {
                Class<?> type = Class.forName(full);
                if (Throwable.class.isAssignableFrom(type)) {
                    Constructor<?> made = colon < 0 ? type.getConstructor() : type.getConstructor(String.class);
                    return (Throwable) (colon < 0 ? made.newInstance() : made.newInstance(message));
                }
            } catch (ClassNotFoundException
                    | NoSuchMethodException
                    | InstantiationException
                    | IllegalAccessException
                    | InvocationTargetException e) {
                // The next, or an error with these words.
            }
        }
        return new AssertionError(what);
    }

    /** Makes what an index outside throws. */
    static Throwable outside(String name, long index, long length) {
        String message = "Index " + index + " out of bounds for length " + length;
        return name.startsWith("Array")
                ? new ArrayIndexOutOfBoundsException(message)
                : new IndexOutOfBoundsException(message);
    }
}
