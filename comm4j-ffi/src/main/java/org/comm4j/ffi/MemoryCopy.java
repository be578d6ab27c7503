// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.ffi;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;

/**
 * Copies within memory outside of the Java heap, by the JVM, whose copy of few bytes is compiled into the caller, or by
 * C's {@code memmove}, which C's library has a version of for each processor. A thread in C holds up no garbage
 * collection, however long it copies.
 */
@SuppressWarnings("restricted") // C is given the places of segments, which are checked
public final class MemoryCopy {
    /**
     * From so many bytes on C copies. Both sides no longer fit into a first-level cache of 48 KiB then: on a Zen 5 C
     * takes 0.23 us for 32 KiB where the JVM takes 0.31, and 2.0 for 256 KiB where the JVM takes 2.4. Within that cache
     * the JVM is faster, 0.08 us to 0.13 at 16 KiB.
     */
    public static final long LARGE = 32 << 10;

    /**
     * From so many bytes on the JVM's copy writes past the caches, C's only from most of the last one's size on: 4 MiB
     * that are in no cache take 160 us and 190.
     */
    private static final long STREAMED = 5 << 19;

    private MemoryCopy() {}

    /** Linked when first used. */
    private static final class Memmove {
        static final MethodHandle SEGMENTS = Linker.nativeLinker()
                .downcallHandle(
                        Linker.nativeLinker().defaultLookup().findOrThrow("memmove"),
                        FunctionDescriptor.of(
                                ValueLayout.JAVA_LONG,
                                ValueLayout.ADDRESS,
                                ValueLayout.ADDRESS,
                                ValueLayout.JAVA_LONG));
    }

    /**
     * Copies bytes of one segment to another, which may overlap; the counterpart of {@link
     * MemorySegment#copy(MemorySegment, long, MemorySegment, long, long)}.
     *
     * @throws IndexOutOfBoundsException if they leave a segment
     * @throws IllegalArgumentException if {@code to} is read-only, or a segment is a Java array
     * @throws IllegalStateException if a segment was closed; none is while C works on it
     */
    public static void copy(MemorySegment from, long fromAt, MemorySegment to, long toAt, long bytes) {
        // C would write to read-only segments, too.
        if (bytes < LARGE || bytes >= STREAMED || to.isReadOnly()) {
            MemorySegment.copy(from, fromAt, to, toAt, bytes);
            return;
        }
        try {
            long ignored =
                    (long) Memmove.SEGMENTS.invokeExact(to.asSlice(toAt, bytes), from.asSlice(fromAt, bytes), bytes);
        } catch (RuntimeException e) {
            // A segment that is too small, closed, or another thread's.
            throw e;
        } catch (Throwable e) {
            throw new AssertionError("memmove threw", e);
        }
    }
}
