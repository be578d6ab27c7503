// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.ffi;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import org.jspecify.annotations.Nullable;

/**
 * Memory and functions that native code gives us or takes from us by address. The caller vouches for addresses, sizes and life times;
 * nothing here can check them.
 */
@SuppressWarnings("restricted") // what this class is for
public final class NativeMemory {
    private static final class FunctionOfOneAddress {
        static final MethodHandle HANDLE =
                Linker.nativeLinker().downcallHandle(FunctionDescriptor.ofVoid(JAVA_LONG));
    }

    private NativeMemory() {}

    /** {@code bytes} bytes of memory at {@code address}, for ever. */
    public static MemorySegment at(long address, long bytes) {
        return MemorySegment.ofAddress(address).reinterpret(bytes);
    }

    /**
     * {@code bytes} bytes of memory at {@code address}, until {@code arena} closes.
     *
     * @param release gives the memory back; it runs when the arena closes
     */
    public static MemorySegment at(long address, long bytes, Arena arena, Runnable release) {
        return MemorySegment.ofAddress(address).reinterpret(bytes, arena, memory -> release.run());
    }

    /**
     * A C function that calls {@code target}, until {@code arena} closes. The target must not throw: that ends the process.
     *
     * @return the function's address
     */
    public static MemorySegment upcall(MethodHandle target, FunctionDescriptor descriptor, Arena arena) {
        return Linker.nativeLinker().upcallStub(target, descriptor, arena);
    }

    /** Calls the C function {@code void function(void *argument)}. */
    public static void call(long function, long argument) {
        if (function == 0) {
            throw new IllegalArgumentException("the function's address is NULL");
        }
        try {
            FunctionOfOneAddress.HANDLE.invokeExact(MemorySegment.ofAddress(function), argument);
        } catch (Throwable e) {
            throw new AssertionError("a call of a C function threw", e);
        }
    }

    /** The zero-terminated UTF-8 text at an address, or null at {@code NULL}. */
    public static @Nullable String string(long address) {
        return address == 0 ? null : at(address, Long.MAX_VALUE).getString(0);
    }
}
