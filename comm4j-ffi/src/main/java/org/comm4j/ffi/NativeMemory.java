// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.ffi;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import org.jspecify.annotations.Nullable;

/** Memory that C code hands out. The caller vouches for it: a wrong address ends the process. */
@SuppressWarnings("restricted") // naming C's memory is what this class is for
public final class NativeMemory {
    private static final MethodHandle MOVE_ADDRESSES = memmove(ValueLayout.JAVA_LONG);
    private static final MethodHandle MOVE_SEGMENTS = memmove(ValueLayout.ADDRESS);

    private NativeMemory() {}

    /** The memory of a size at an address of the host, valid as long as C says. */
    public static MemorySegment at(long address, long bytes) {
        return MemorySegment.ofAddress(address).reinterpret(bytes);
    }

    /**
     * The memory of a size at an address of the host, valid until {@code arena} closes.
     *
     * @param release gives the memory back; it runs when the arena closes
     */
    public static MemorySegment at(long address, long bytes, Arena arena, Runnable release) {
        return MemorySegment.ofAddress(address).reinterpret(bytes, arena, memory -> release.run());
    }

    /** The zero-terminated UTF-8 text at an address, or null at {@code NULL}. */
    public static @Nullable String string(long address) {
        return address == 0 ? null : at(address, Long.MAX_VALUE).getString(0);
    }

    private static MethodHandle memmove(MemoryLayout place) {
        Linker linker = Linker.nativeLinker();
        return linker.downcallHandle(
                linker.defaultLookup().findOrThrow("memmove"),
                FunctionDescriptor.of(ValueLayout.JAVA_LONG, place, place, ValueLayout.JAVA_LONG));
    }

    /**
     * C's {@code memmove}. From where both sides no longer fit into the first-level cache on it is faster than {@link MemorySegment#copy} (on a Zen 5 1.5 times at 32 KiB), below slower.
     *
     * @param to an address of so many bytes, which the caller vouches for
     * @param from likewise
     */
    public static void move(long to, long from, long bytes) {
        try {
            long ignored = (long) MOVE_ADDRESSES.invokeExact(to, from, bytes);
        } catch (Throwable e) {
            throw new AssertionError("memmove threw", e);
        }
    }

    /** The same of segments, which no other thread can close meanwhile; that takes as long as a small copy. */
    public static void move(MemorySegment to, MemorySegment from) {
        try {
            long ignored = (long) MOVE_SEGMENTS.invokeExact(to, from, Math.min(to.byteSize(), from.byteSize()));
        } catch (RuntimeException e) {
            // A segment that is closed, or another thread's.
            throw e;
        } catch (Throwable e) {
            throw new AssertionError("memmove threw", e);
        }
    }
}
