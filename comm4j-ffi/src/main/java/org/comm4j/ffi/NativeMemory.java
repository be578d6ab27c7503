// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.ffi;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Memory that C code hands out. The caller vouches for it: a wrong address ends the process, so that it needs native
 * access, as {@link NativeAccess} says.
 */
@SuppressWarnings("restricted") // naming C's memory is what this class is for
public final class NativeMemory {
    private static final long NAP_NANOS = 100_000;

    private NativeMemory() {}

    /**
     * Looks whether this module may call C and name its memory, before a class does so while it is initialised.
     *
     * @throws IllegalCallerException if it may not; says which option is missing
     */
    static void requireAccess() {
        try {
            MemorySegment ignored = MemorySegment.NULL.reinterpret(0);
        } catch (IllegalCallerException e) {
            throw new IllegalCallerException(
                    "native access is not allowed; start java with --enable-native-access=org.comm4j.ffi (or ALL-UNNAMED"
                            + " where comm4j is on the class path)",
                    e);
        }
    }

    /** The memory of a size at an address of the host, valid as long as C says. */
    public static MemorySegment at(long address, long bytes) {
        NativeAccess.checkCaller("NativeMemory.at");
        return segment(address, bytes);
    }

    /**
     * The memory of a size at an address of the host, valid until {@code arena} closes.
     *
     * @param release gives the memory back; it runs when the arena closes
     */
    public static MemorySegment at(long address, long bytes, Arena arena, Runnable release) {
        NativeAccess.checkCaller("NativeMemory.at");
        return MemorySegment.ofAddress(address).reinterpret(bytes, arena, memory -> release.run());
    }

    /** The zero-terminated UTF-8 text at an address, or null at {@code NULL}. */
    public static @Nullable String string(long address) {
        NativeAccess.checkCaller("NativeMemory.string");
        return address == 0 ? null : segment(address, Long.MAX_VALUE).getString(0);
    }

    private static MemorySegment segment(long address, long bytes) {
        return MemorySegment.ofAddress(address).reinterpret(bytes);
    }

    /**
     * Closes a shared arena as soon as no native call or channel uses its memory any more. Does nothing if it is
     * closed.
     *
     * @param nanos how long to wait for such calls
     * @return whether it is closed
     */
    public static boolean close(Arena arena, long nanos) {
        long start = System.nanoTime();
        while (arena.scope().isAlive()) {
            try {
                arena.close();
            } catch (IllegalStateException e) {
                // In use, or another thread was here first.
                if (System.nanoTime() - start >= nanos || Thread.currentThread().isInterrupted()) {
                    return !arena.scope().isAlive();
                }
                LockSupport.parkNanos(NAP_NANOS);
            }
        }
        return true;
    }
}
