// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.ffi;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles.Lookup;
import java.lang.invoke.MethodType;

/**
 * C functions {@code void f(void *)}, which is what C libraries call back with what they were given: Java methods made into one, and
 * those of others called.
 */
@SuppressWarnings("restricted") // what this class is for
public final class FunctionPointers {
    private static final FunctionDescriptor OF_ONE_ADDRESS = FunctionDescriptor.ofVoid(JAVA_LONG);

    private static final class Call {
        static final MethodHandle HANDLE = Linker.nativeLinker().downcallHandle(OF_ONE_ADDRESS);
    }

    private FunctionPointers() {}

    /**
     * A C function, for ever, that calls {@code static void method(long)}. The method must not throw: that ends the process.
     *
     * @param lookup of the class that has the method
     */
    public static MemorySegment of(Lookup lookup, String method) {
        try {
            MethodHandle target = lookup.findStatic(
                    lookup.lookupClass(), method, MethodType.methodType(void.class, long.class));
            return Linker.nativeLinker().upcallStub(target, OF_ONE_ADDRESS, Arena.global());
        } catch (ReflectiveOperationException e) {
            throw new IllegalArgumentException(
                    lookup.lookupClass().getName() + " has no static void " + method + "(long)", e);
        }
    }

    /** Calls the C function at an address. */
    public static void call(long function, long argument) {
        if (function == 0) {
            throw new IllegalArgumentException("the function's address is NULL");
        }
        try {
            Call.HANDLE.invokeExact(MemorySegment.ofAddress(function), argument);
        } catch (Throwable e) {
            throw new AssertionError("a call of a C function threw", e);
        }
    }
}
