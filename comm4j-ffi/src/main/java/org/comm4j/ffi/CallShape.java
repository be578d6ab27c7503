// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.ffi;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.invoke.MethodHandle;

/**
 * The types of a C function's parameters and of its result: the JDK makes the code of a call once for all functions
 * that have the same.
 */
public final class CallShape {
    private CallShape() {}

    /**
     * Makes the code of such calls before there is one, which takes some milliseconds when a JVM has just started. The
     * linker keeps it.
     */
    @SuppressWarnings("restricted") // nothing is called
    public static void link(FunctionDescriptor shape) {
        MethodHandle ignored = Linker.nativeLinker().downcallHandle(shape);
    }
}
