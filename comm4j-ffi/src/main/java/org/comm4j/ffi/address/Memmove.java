// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.ffi.address;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import org.comm4j.ffi.MemoryCopy;

/**
 * C's {@code memmove} between addresses, which unlike segments takes no object and no atomic instruction to keep them
 * open. It trusts the addresses, so it is in a package that only comm4j's OpenSHMEM sees; {@link MemoryCopy} is for
 * everybody.
 */
@SuppressWarnings("restricted") // the caller vouches for the addresses
public final class Memmove {
    private static final MethodHandle ADDRESSES = Linker.nativeLinker()
            .downcallHandle(
                    Linker.nativeLinker().defaultLookup().findOrThrow("memmove"),
                    FunctionDescriptor.of(
                            ValueLayout.JAVA_LONG,
                            ValueLayout.JAVA_LONG,
                            ValueLayout.JAVA_LONG,
                            ValueLayout.JAVA_LONG));

    private Memmove() {}

    /**
     * Copies bytes, of {@link MemoryCopy#LARGE} pieces as a rule; the two may overlap.
     *
     * @param to an address of so many bytes, which the caller vouches for and keeps
     * @param from likewise
     */
    public static void move(long to, long from, long bytes) {
        try {
            long ignored = (long) ADDRESSES.invokeExact(to, from, bytes);
        } catch (Throwable e) {
            throw new AssertionError("memmove threw", e);
        }
    }
}
