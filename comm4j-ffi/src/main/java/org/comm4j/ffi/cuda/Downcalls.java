// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.ffi.cuda;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/**
 * Calls of C functions at an address, one method a combination of types; generated. A constant method handle with the address as
 * its leading argument costs what a handle bound to one function costs, so functions of one shape share it.
 */
@SuppressWarnings({"restricted", "unused"}) // calling C is what this class is for
final class Downcalls {
    private static final Linker LINKER = Linker.nativeLinker();

    private Downcalls() {}

    /** A call does not throw what it does not throw in C: wrong states of Java's own objects come as they are. */
    private static RuntimeException unexpected(Throwable cause) {
        return switch (cause) {
            case RuntimeException e -> e;
            case Error e -> throw e;
            default -> throw new AssertionError("a call into a native library threw", cause);
        };
    }

    static int callInt(MemorySegment function) {
        class Linked {
            static final MethodHandle CALL = LINKER.downcallHandle(FunctionDescriptor.of(JAVA_INT));
        }
        try {
            return (int) Linked.CALL.invokeExact(function);
        } catch (Throwable thrown) {
            throw unexpected(thrown);
        }
    }

    static int callInt(MemorySegment function, MemorySegment a) {
        class Linked {
            static final MethodHandle CALL = LINKER.downcallHandle(FunctionDescriptor.of(JAVA_INT, ADDRESS));
        }
        try {
            return (int) Linked.CALL.invokeExact(function, a);
        } catch (Throwable thrown) {
            throw unexpected(thrown);
        }
    }

    static int callInt(MemorySegment function, MemorySegment a, MemorySegment b) {
        class Linked {
            static final MethodHandle CALL = LINKER.downcallHandle(FunctionDescriptor.of(JAVA_INT, ADDRESS, ADDRESS));
        }
        try {
            return (int) Linked.CALL.invokeExact(function, a, b);
        } catch (Throwable thrown) {
            throw unexpected(thrown);
        }
    }

    static int callInt(
            MemorySegment function,
            MemorySegment a,
            MemorySegment b,
            MemorySegment c,
            MemorySegment d,
            int e,
            MemorySegment f,
            MemorySegment g,
            int h) {
        class Linked {
            static final MethodHandle CALL = LINKER.downcallHandle(FunctionDescriptor.of(
                    JAVA_INT, ADDRESS, ADDRESS, ADDRESS, ADDRESS, JAVA_INT, ADDRESS, ADDRESS, JAVA_INT));
        }
        try {
            return (int) Linked.CALL.invokeExact(function, a, b, c, d, e, f, g, h);
        } catch (Throwable thrown) {
            throw unexpected(thrown);
        }
    }

    static int callInt(MemorySegment function, MemorySegment a, MemorySegment b, int c) {
        class Linked {
            static final MethodHandle CALL =
                    LINKER.downcallHandle(FunctionDescriptor.of(JAVA_INT, ADDRESS, ADDRESS, JAVA_INT));
        }
        try {
            return (int) Linked.CALL.invokeExact(function, a, b, c);
        } catch (Throwable thrown) {
            throw unexpected(thrown);
        }
    }

    static int callInt(MemorySegment function, MemorySegment a, MemorySegment b, long c) {
        class Linked {
            static final MethodHandle CALL =
                    LINKER.downcallHandle(FunctionDescriptor.of(JAVA_INT, ADDRESS, ADDRESS, JAVA_LONG));
        }
        try {
            return (int) Linked.CALL.invokeExact(function, a, b, c);
        } catch (Throwable thrown) {
            throw unexpected(thrown);
        }
    }

    static int callInt(MemorySegment function, MemorySegment a, MemorySegment b, long c, MemorySegment d) {
        class Linked {
            static final MethodHandle CALL =
                    LINKER.downcallHandle(FunctionDescriptor.of(JAVA_INT, ADDRESS, ADDRESS, JAVA_LONG, ADDRESS));
        }
        try {
            return (int) Linked.CALL.invokeExact(function, a, b, c, d);
        } catch (Throwable thrown) {
            throw unexpected(thrown);
        }
    }

    static int callInt(
            MemorySegment function, MemorySegment a, MemorySegment b, long c, MemorySegment d, long e, int f) {
        class Linked {
            static final MethodHandle CALL = LINKER.downcallHandle(
                    FunctionDescriptor.of(JAVA_INT, ADDRESS, ADDRESS, JAVA_LONG, ADDRESS, JAVA_LONG, JAVA_INT));
        }
        try {
            return (int) Linked.CALL.invokeExact(function, a, b, c, d, e, f);
        } catch (Throwable thrown) {
            throw unexpected(thrown);
        }
    }

    static int callInt(MemorySegment function, MemorySegment a, int b) {
        class Linked {
            static final MethodHandle CALL = LINKER.downcallHandle(FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_INT));
        }
        try {
            return (int) Linked.CALL.invokeExact(function, a, b);
        } catch (Throwable thrown) {
            throw unexpected(thrown);
        }
    }

    static int callInt(MemorySegment function, MemorySegment a, int b, int c) {
        class Linked {
            static final MethodHandle CALL =
                    LINKER.downcallHandle(FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_INT, JAVA_INT));
        }
        try {
            return (int) Linked.CALL.invokeExact(function, a, b, c);
        } catch (Throwable thrown) {
            throw unexpected(thrown);
        }
    }

    static int callInt(MemorySegment function, MemorySegment a, int b, int c, int d) {
        class Linked {
            static final MethodHandle CALL =
                    LINKER.downcallHandle(FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_INT, JAVA_INT, JAVA_INT));
        }
        try {
            return (int) Linked.CALL.invokeExact(function, a, b, c, d);
        } catch (Throwable thrown) {
            throw unexpected(thrown);
        }
    }

    static int callInt(
            MemorySegment function,
            MemorySegment a,
            int b,
            int c,
            long d,
            MemorySegment e,
            MemorySegment f,
            MemorySegment g,
            MemorySegment h,
            int i,
            int j,
            MemorySegment k,
            int l,
            int m,
            int n,
            int o) {
        class Linked {
            static final MethodHandle CALL = LINKER.downcallHandle(FunctionDescriptor.of(
                    JAVA_INT, ADDRESS, JAVA_INT, JAVA_INT, JAVA_LONG, ADDRESS, ADDRESS, ADDRESS, ADDRESS, JAVA_INT,
                    JAVA_INT, ADDRESS, JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT));
        }
        try {
            return (int) Linked.CALL.invokeExact(function, a, b, c, d, e, f, g, h, i, j, k, l, m, n, o);
        } catch (Throwable thrown) {
            throw unexpected(thrown);
        }
    }

    static int callInt(
            MemorySegment function,
            MemorySegment a,
            int b,
            int c,
            long d,
            MemorySegment e,
            MemorySegment f,
            MemorySegment g,
            MemorySegment h,
            int i,
            int j,
            int k,
            int l) {
        class Linked {
            static final MethodHandle CALL = LINKER.downcallHandle(FunctionDescriptor.of(
                    JAVA_INT, ADDRESS, JAVA_INT, JAVA_INT, JAVA_LONG, ADDRESS, ADDRESS, ADDRESS, ADDRESS, JAVA_INT,
                    JAVA_INT, JAVA_INT, JAVA_INT));
        }
        try {
            return (int) Linked.CALL.invokeExact(function, a, b, c, d, e, f, g, h, i, j, k, l);
        } catch (Throwable thrown) {
            throw unexpected(thrown);
        }
    }

    static int callInt(MemorySegment function, MemorySegment a, int b, long c) {
        class Linked {
            static final MethodHandle CALL =
                    LINKER.downcallHandle(FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_INT, JAVA_LONG));
        }
        try {
            return (int) Linked.CALL.invokeExact(function, a, b, c);
        } catch (Throwable thrown) {
            throw unexpected(thrown);
        }
    }

    static int callInt(MemorySegment function, MemorySegment a, int b, long c, int d) {
        class Linked {
            static final MethodHandle CALL =
                    LINKER.downcallHandle(FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_INT, JAVA_LONG, JAVA_INT));
        }
        try {
            return (int) Linked.CALL.invokeExact(function, a, b, c, d);
        } catch (Throwable thrown) {
            throw unexpected(thrown);
        }
    }

    static int callInt(MemorySegment function, MemorySegment a, long b) {
        class Linked {
            static final MethodHandle CALL = LINKER.downcallHandle(FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_LONG));
        }
        try {
            return (int) Linked.CALL.invokeExact(function, a, b);
        } catch (Throwable thrown) {
            throw unexpected(thrown);
        }
    }

    static int callInt(MemorySegment function, MemorySegment a, long b, MemorySegment c) {
        class Linked {
            static final MethodHandle CALL =
                    LINKER.downcallHandle(FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_LONG, ADDRESS));
        }
        try {
            return (int) Linked.CALL.invokeExact(function, a, b, c);
        } catch (Throwable thrown) {
            throw unexpected(thrown);
        }
    }

    static int callInt(MemorySegment function, MemorySegment a, long b, MemorySegment c, MemorySegment d) {
        class Linked {
            static final MethodHandle CALL =
                    LINKER.downcallHandle(FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_LONG, ADDRESS, ADDRESS));
        }
        try {
            return (int) Linked.CALL.invokeExact(function, a, b, c, d);
        } catch (Throwable thrown) {
            throw unexpected(thrown);
        }
    }

    static int callInt(
            MemorySegment function,
            MemorySegment a,
            long b,
            MemorySegment c,
            MemorySegment d,
            int e,
            MemorySegment f,
            MemorySegment g,
            int h) {
        class Linked {
            static final MethodHandle CALL = LINKER.downcallHandle(FunctionDescriptor.of(
                    JAVA_INT, ADDRESS, JAVA_LONG, ADDRESS, ADDRESS, JAVA_INT, ADDRESS, ADDRESS, JAVA_INT));
        }
        try {
            return (int) Linked.CALL.invokeExact(function, a, b, c, d, e, f, g, h);
        } catch (Throwable thrown) {
            throw unexpected(thrown);
        }
    }

    static int callInt(MemorySegment function, MemorySegment a, long b, MemorySegment c, int d, int e) {
        class Linked {
            static final MethodHandle CALL = LINKER.downcallHandle(
                    FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_LONG, ADDRESS, JAVA_INT, JAVA_INT));
        }
        try {
            return (int) Linked.CALL.invokeExact(function, a, b, c, d, e);
        } catch (Throwable thrown) {
            throw unexpected(thrown);
        }
    }

    static int callInt(MemorySegment function, MemorySegment a, long b, MemorySegment c, long d) {
        class Linked {
            static final MethodHandle CALL =
                    LINKER.downcallHandle(FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_LONG, ADDRESS, JAVA_LONG));
        }
        try {
            return (int) Linked.CALL.invokeExact(function, a, b, c, d);
        } catch (Throwable thrown) {
            throw unexpected(thrown);
        }
    }

    static int callInt(MemorySegment function, MemorySegment a, long b, MemorySegment c, long d, MemorySegment e) {
        class Linked {
            static final MethodHandle CALL = LINKER.downcallHandle(
                    FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_LONG, ADDRESS, JAVA_LONG, ADDRESS));
        }
        try {
            return (int) Linked.CALL.invokeExact(function, a, b, c, d, e);
        } catch (Throwable thrown) {
            throw unexpected(thrown);
        }
    }

    static int callInt(MemorySegment function, MemorySegment a, long b, MemorySegment c, long d, long e) {
        class Linked {
            static final MethodHandle CALL = LINKER.downcallHandle(
                    FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_LONG, ADDRESS, JAVA_LONG, JAVA_LONG));
        }
        try {
            return (int) Linked.CALL.invokeExact(function, a, b, c, d, e);
        } catch (Throwable thrown) {
            throw unexpected(thrown);
        }
    }

    static int callInt(MemorySegment function, MemorySegment a, long b, int c) {
        class Linked {
            static final MethodHandle CALL =
                    LINKER.downcallHandle(FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_LONG, JAVA_INT));
        }
        try {
            return (int) Linked.CALL.invokeExact(function, a, b, c);
        } catch (Throwable thrown) {
            throw unexpected(thrown);
        }
    }

    static int callInt(MemorySegment function, MemorySegment a, long b, int c, MemorySegment d, MemorySegment e) {
        class Linked {
            static final MethodHandle CALL = LINKER.downcallHandle(
                    FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_LONG, JAVA_INT, ADDRESS, ADDRESS));
        }
        try {
            return (int) Linked.CALL.invokeExact(function, a, b, c, d, e);
        } catch (Throwable thrown) {
            throw unexpected(thrown);
        }
    }

    static int callInt(MemorySegment function, MemorySegment a, long b, int c, int d) {
        class Linked {
            static final MethodHandle CALL =
                    LINKER.downcallHandle(FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_LONG, JAVA_INT, JAVA_INT));
        }
        try {
            return (int) Linked.CALL.invokeExact(function, a, b, c, d);
        } catch (Throwable thrown) {
            throw unexpected(thrown);
        }
    }

    static int callInt(MemorySegment function, MemorySegment a, long b, int c, long d) {
        class Linked {
            static final MethodHandle CALL =
                    LINKER.downcallHandle(FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_LONG, JAVA_INT, JAVA_LONG));
        }
        try {
            return (int) Linked.CALL.invokeExact(function, a, b, c, d);
        } catch (Throwable thrown) {
            throw unexpected(thrown);
        }
    }

    static int callInt(MemorySegment function, MemorySegment a, long b, int c, long d, int e) {
        class Linked {
            static final MethodHandle CALL = LINKER.downcallHandle(
                    FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_INT));
        }
        try {
            return (int) Linked.CALL.invokeExact(function, a, b, c, d, e);
        } catch (Throwable thrown) {
            throw unexpected(thrown);
        }
    }

    static int callInt(MemorySegment function, MemorySegment a, long b, long c) {
        class Linked {
            static final MethodHandle CALL =
                    LINKER.downcallHandle(FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_LONG, JAVA_LONG));
        }
        try {
            return (int) Linked.CALL.invokeExact(function, a, b, c);
        } catch (Throwable thrown) {
            throw unexpected(thrown);
        }
    }

    static int callInt(MemorySegment function, MemorySegment a, long b, long c, long d) {
        class Linked {
            static final MethodHandle CALL =
                    LINKER.downcallHandle(FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_LONG, JAVA_LONG, JAVA_LONG));
        }
        try {
            return (int) Linked.CALL.invokeExact(function, a, b, c, d);
        } catch (Throwable thrown) {
            throw unexpected(thrown);
        }
    }

    static int callInt(MemorySegment function, MemorySegment a, long b, long c, long d, long e) {
        class Linked {
            static final MethodHandle CALL = LINKER.downcallHandle(
                    FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG));
        }
        try {
            return (int) Linked.CALL.invokeExact(function, a, b, c, d, e);
        } catch (Throwable thrown) {
            throw unexpected(thrown);
        }
    }

    static int callIntWithCUipcEventHandle(MemorySegment function, MemorySegment a, MemorySegment b) {
        class Linked {
            static final MethodHandle CALL =
                    LINKER.downcallHandle(FunctionDescriptor.of(JAVA_INT, ADDRESS, CUipcEventHandle.LAYOUT));
        }
        try {
            return (int) Linked.CALL.invokeExact(function, a, b);
        } catch (Throwable thrown) {
            throw unexpected(thrown);
        }
    }

    static int callIntWithCUipcMemHandle(MemorySegment function, MemorySegment a, MemorySegment b, int c) {
        class Linked {
            static final MethodHandle CALL =
                    LINKER.downcallHandle(FunctionDescriptor.of(JAVA_INT, ADDRESS, CUipcMemHandle.LAYOUT, JAVA_INT));
        }
        try {
            return (int) Linked.CALL.invokeExact(function, a, b, c);
        } catch (Throwable thrown) {
            throw unexpected(thrown);
        }
    }

    static int callInt(MemorySegment function, int a) {
        class Linked {
            static final MethodHandle CALL = LINKER.downcallHandle(FunctionDescriptor.of(JAVA_INT, JAVA_INT));
        }
        try {
            return (int) Linked.CALL.invokeExact(function, a);
        } catch (Throwable thrown) {
            throw unexpected(thrown);
        }
    }

    static int callInt(MemorySegment function, int a, MemorySegment b) {
        class Linked {
            static final MethodHandle CALL = LINKER.downcallHandle(FunctionDescriptor.of(JAVA_INT, JAVA_INT, ADDRESS));
        }
        try {
            return (int) Linked.CALL.invokeExact(function, a, b);
        } catch (Throwable thrown) {
            throw unexpected(thrown);
        }
    }

    static int callInt(MemorySegment function, int a, MemorySegment b, MemorySegment c) {
        class Linked {
            static final MethodHandle CALL =
                    LINKER.downcallHandle(FunctionDescriptor.of(JAVA_INT, JAVA_INT, ADDRESS, ADDRESS));
        }
        try {
            return (int) Linked.CALL.invokeExact(function, a, b, c);
        } catch (Throwable thrown) {
            throw unexpected(thrown);
        }
    }

    static int callInt(MemorySegment function, int a, MemorySegment b, MemorySegment c, long d) {
        class Linked {
            static final MethodHandle CALL =
                    LINKER.downcallHandle(FunctionDescriptor.of(JAVA_INT, JAVA_INT, ADDRESS, ADDRESS, JAVA_LONG));
        }
        try {
            return (int) Linked.CALL.invokeExact(function, a, b, c, d);
        } catch (Throwable thrown) {
            throw unexpected(thrown);
        }
    }

    static int callInt(MemorySegment function, int a, int b) {
        class Linked {
            static final MethodHandle CALL = LINKER.downcallHandle(FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT));
        }
        try {
            return (int) Linked.CALL.invokeExact(function, a, b);
        } catch (Throwable thrown) {
            throw unexpected(thrown);
        }
    }

    static int callInt(MemorySegment function, int a, int b, long c, int d) {
        class Linked {
            static final MethodHandle CALL =
                    LINKER.downcallHandle(FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT, JAVA_LONG, JAVA_INT));
        }
        try {
            return (int) Linked.CALL.invokeExact(function, a, b, c, d);
        } catch (Throwable thrown) {
            throw unexpected(thrown);
        }
    }

    static int callInt(MemorySegment function, int a, long b) {
        class Linked {
            static final MethodHandle CALL =
                    LINKER.downcallHandle(FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_LONG));
        }
        try {
            return (int) Linked.CALL.invokeExact(function, a, b);
        } catch (Throwable thrown) {
            throw unexpected(thrown);
        }
    }

    static int callInt(MemorySegment function, long a) {
        class Linked {
            static final MethodHandle CALL = LINKER.downcallHandle(FunctionDescriptor.of(JAVA_INT, JAVA_LONG));
        }
        try {
            return (int) Linked.CALL.invokeExact(function, a);
        } catch (Throwable thrown) {
            throw unexpected(thrown);
        }
    }

    static int callInt(MemorySegment function, long a, MemorySegment b) {
        class Linked {
            static final MethodHandle CALL = LINKER.downcallHandle(FunctionDescriptor.of(JAVA_INT, JAVA_LONG, ADDRESS));
        }
        try {
            return (int) Linked.CALL.invokeExact(function, a, b);
        } catch (Throwable thrown) {
            throw unexpected(thrown);
        }
    }

    static int callInt(MemorySegment function, long a, MemorySegment b, MemorySegment c) {
        class Linked {
            static final MethodHandle CALL =
                    LINKER.downcallHandle(FunctionDescriptor.of(JAVA_INT, JAVA_LONG, ADDRESS, ADDRESS));
        }
        try {
            return (int) Linked.CALL.invokeExact(function, a, b, c);
        } catch (Throwable thrown) {
            throw unexpected(thrown);
        }
    }

    static int callInt(
            MemorySegment function,
            long a,
            MemorySegment b,
            MemorySegment c,
            MemorySegment d,
            MemorySegment e,
            MemorySegment f,
            MemorySegment g) {
        class Linked {
            static final MethodHandle CALL = LINKER.downcallHandle(
                    FunctionDescriptor.of(JAVA_INT, JAVA_LONG, ADDRESS, ADDRESS, ADDRESS, ADDRESS, ADDRESS, ADDRESS));
        }
        try {
            return (int) Linked.CALL.invokeExact(function, a, b, c, d, e, f, g);
        } catch (Throwable thrown) {
            throw unexpected(thrown);
        }
    }

    static int callInt(MemorySegment function, long a, MemorySegment b, MemorySegment c, MemorySegment d, long e) {
        class Linked {
            static final MethodHandle CALL = LINKER.downcallHandle(
                    FunctionDescriptor.of(JAVA_INT, JAVA_LONG, ADDRESS, ADDRESS, ADDRESS, JAVA_LONG));
        }
        try {
            return (int) Linked.CALL.invokeExact(function, a, b, c, d, e);
        } catch (Throwable thrown) {
            throw unexpected(thrown);
        }
    }

    static int callInt(MemorySegment function, long a, MemorySegment b, int c) {
        class Linked {
            static final MethodHandle CALL =
                    LINKER.downcallHandle(FunctionDescriptor.of(JAVA_INT, JAVA_LONG, ADDRESS, JAVA_INT));
        }
        try {
            return (int) Linked.CALL.invokeExact(function, a, b, c);
        } catch (Throwable thrown) {
            throw unexpected(thrown);
        }
    }

    static int callInt(MemorySegment function, long a, MemorySegment b, long c) {
        class Linked {
            static final MethodHandle CALL =
                    LINKER.downcallHandle(FunctionDescriptor.of(JAVA_INT, JAVA_LONG, ADDRESS, JAVA_LONG));
        }
        try {
            return (int) Linked.CALL.invokeExact(function, a, b, c);
        } catch (Throwable thrown) {
            throw unexpected(thrown);
        }
    }

    static int callInt(MemorySegment function, long a, MemorySegment b, long c, long d) {
        class Linked {
            static final MethodHandle CALL =
                    LINKER.downcallHandle(FunctionDescriptor.of(JAVA_INT, JAVA_LONG, ADDRESS, JAVA_LONG, JAVA_LONG));
        }
        try {
            return (int) Linked.CALL.invokeExact(function, a, b, c, d);
        } catch (Throwable thrown) {
            throw unexpected(thrown);
        }
    }

    static int callInt(MemorySegment function, long a, byte b, long c) {
        class Linked {
            static final MethodHandle CALL =
                    LINKER.downcallHandle(FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_BYTE, JAVA_LONG));
        }
        try {
            return (int) Linked.CALL.invokeExact(function, a, b, c);
        } catch (Throwable thrown) {
            throw unexpected(thrown);
        }
    }

    static int callInt(MemorySegment function, long a, byte b, long c, long d) {
        class Linked {
            static final MethodHandle CALL =
                    LINKER.downcallHandle(FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_BYTE, JAVA_LONG, JAVA_LONG));
        }
        try {
            return (int) Linked.CALL.invokeExact(function, a, b, c, d);
        } catch (Throwable thrown) {
            throw unexpected(thrown);
        }
    }

    static int callInt(MemorySegment function, long a, int b) {
        class Linked {
            static final MethodHandle CALL =
                    LINKER.downcallHandle(FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_INT));
        }
        try {
            return (int) Linked.CALL.invokeExact(function, a, b);
        } catch (Throwable thrown) {
            throw unexpected(thrown);
        }
    }

    static int callInt(MemorySegment function, long a, int b, int c) {
        class Linked {
            static final MethodHandle CALL =
                    LINKER.downcallHandle(FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_INT, JAVA_INT));
        }
        try {
            return (int) Linked.CALL.invokeExact(function, a, b, c);
        } catch (Throwable thrown) {
            throw unexpected(thrown);
        }
    }

    static int callInt(
            MemorySegment function, long a, int b, int c, int d, int e, int f, int g, int h, long i, MemorySegment j) {
        class Linked {
            static final MethodHandle CALL = LINKER.downcallHandle(FunctionDescriptor.of(
                    JAVA_INT, JAVA_LONG, JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT,
                    JAVA_LONG, ADDRESS));
        }
        try {
            return (int) Linked.CALL.invokeExact(function, a, b, c, d, e, f, g, h, i, j);
        } catch (Throwable thrown) {
            throw unexpected(thrown);
        }
    }

    static int callInt(
            MemorySegment function,
            long a,
            int b,
            int c,
            int d,
            int e,
            int f,
            int g,
            int h,
            long i,
            MemorySegment j,
            MemorySegment k) {
        class Linked {
            static final MethodHandle CALL = LINKER.downcallHandle(FunctionDescriptor.of(
                    JAVA_INT, JAVA_LONG, JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT,
                    JAVA_LONG, ADDRESS, ADDRESS));
        }
        try {
            return (int) Linked.CALL.invokeExact(function, a, b, c, d, e, f, g, h, i, j, k);
        } catch (Throwable thrown) {
            throw unexpected(thrown);
        }
    }

    static int callInt(MemorySegment function, long a, int b, long c) {
        class Linked {
            static final MethodHandle CALL =
                    LINKER.downcallHandle(FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_INT, JAVA_LONG));
        }
        try {
            return (int) Linked.CALL.invokeExact(function, a, b, c);
        } catch (Throwable thrown) {
            throw unexpected(thrown);
        }
    }

    static int callInt(MemorySegment function, long a, int b, long c, long d) {
        class Linked {
            static final MethodHandle CALL =
                    LINKER.downcallHandle(FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_LONG));
        }
        try {
            return (int) Linked.CALL.invokeExact(function, a, b, c, d);
        } catch (Throwable thrown) {
            throw unexpected(thrown);
        }
    }

    static int callInt(MemorySegment function, long a, long b) {
        class Linked {
            static final MethodHandle CALL =
                    LINKER.downcallHandle(FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG));
        }
        try {
            return (int) Linked.CALL.invokeExact(function, a, b);
        } catch (Throwable thrown) {
            throw unexpected(thrown);
        }
    }

    static int callInt(MemorySegment function, long a, long b, MemorySegment c) {
        class Linked {
            static final MethodHandle CALL =
                    LINKER.downcallHandle(FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG, ADDRESS));
        }
        try {
            return (int) Linked.CALL.invokeExact(function, a, b, c);
        } catch (Throwable thrown) {
            throw unexpected(thrown);
        }
    }

    static int callInt(MemorySegment function, long a, long b, MemorySegment c, MemorySegment d) {
        class Linked {
            static final MethodHandle CALL =
                    LINKER.downcallHandle(FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG, ADDRESS, ADDRESS));
        }
        try {
            return (int) Linked.CALL.invokeExact(function, a, b, c, d);
        } catch (Throwable thrown) {
            throw unexpected(thrown);
        }
    }

    static int callInt(MemorySegment function, long a, long b, MemorySegment c, MemorySegment d, long e, int f) {
        class Linked {
            static final MethodHandle CALL = LINKER.downcallHandle(
                    FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG, ADDRESS, ADDRESS, JAVA_LONG, JAVA_INT));
        }
        try {
            return (int) Linked.CALL.invokeExact(function, a, b, c, d, e, f);
        } catch (Throwable thrown) {
            throw unexpected(thrown);
        }
    }

    static int callInt(MemorySegment function, long a, long b, MemorySegment c, long d) {
        class Linked {
            static final MethodHandle CALL =
                    LINKER.downcallHandle(FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG, ADDRESS, JAVA_LONG));
        }
        try {
            return (int) Linked.CALL.invokeExact(function, a, b, c, d);
        } catch (Throwable thrown) {
            throw unexpected(thrown);
        }
    }

    static int callInt(MemorySegment function, long a, long b, byte c, long d, long e, long f) {
        class Linked {
            static final MethodHandle CALL = LINKER.downcallHandle(
                    FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_BYTE, JAVA_LONG, JAVA_LONG, JAVA_LONG));
        }
        try {
            return (int) Linked.CALL.invokeExact(function, a, b, c, d, e, f);
        } catch (Throwable thrown) {
            throw unexpected(thrown);
        }
    }

    static int callInt(MemorySegment function, long a, long b, int c) {
        class Linked {
            static final MethodHandle CALL =
                    LINKER.downcallHandle(FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_INT));
        }
        try {
            return (int) Linked.CALL.invokeExact(function, a, b, c);
        } catch (Throwable thrown) {
            throw unexpected(thrown);
        }
    }

    static int callInt(MemorySegment function, long a, long b, int c, int d) {
        class Linked {
            static final MethodHandle CALL =
                    LINKER.downcallHandle(FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_INT));
        }
        try {
            return (int) Linked.CALL.invokeExact(function, a, b, c, d);
        } catch (Throwable thrown) {
            throw unexpected(thrown);
        }
    }

    static int callInt(MemorySegment function, long a, long b, int c, long d) {
        class Linked {
            static final MethodHandle CALL =
                    LINKER.downcallHandle(FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_LONG));
        }
        try {
            return (int) Linked.CALL.invokeExact(function, a, b, c, d);
        } catch (Throwable thrown) {
            throw unexpected(thrown);
        }
    }

    static int callInt(MemorySegment function, long a, long b, int c, long d, long e, long f) {
        class Linked {
            static final MethodHandle CALL = LINKER.downcallHandle(
                    FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG));
        }
        try {
            return (int) Linked.CALL.invokeExact(function, a, b, c, d, e, f);
        } catch (Throwable thrown) {
            throw unexpected(thrown);
        }
    }

    static int callIntWithCUmemLocation(MemorySegment function, long a, long b, int c, MemorySegment d) {
        class Linked {
            static final MethodHandle CALL = LINKER.downcallHandle(
                    FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_INT, CUmemLocation.LAYOUT));
        }
        try {
            return (int) Linked.CALL.invokeExact(function, a, b, c, d);
        } catch (Throwable thrown) {
            throw unexpected(thrown);
        }
    }

    static int callInt(MemorySegment function, long a, long b, long c) {
        class Linked {
            static final MethodHandle CALL =
                    LINKER.downcallHandle(FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG));
        }
        try {
            return (int) Linked.CALL.invokeExact(function, a, b, c);
        } catch (Throwable thrown) {
            throw unexpected(thrown);
        }
    }

    static int callInt(MemorySegment function, long a, long b, long c, int d) {
        class Linked {
            static final MethodHandle CALL =
                    LINKER.downcallHandle(FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_INT));
        }
        try {
            return (int) Linked.CALL.invokeExact(function, a, b, c, d);
        } catch (Throwable thrown) {
            throw unexpected(thrown);
        }
    }

    static int callInt(MemorySegment function, long a, long b, long c, int d, long e) {
        class Linked {
            static final MethodHandle CALL = LINKER.downcallHandle(
                    FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_LONG));
        }
        try {
            return (int) Linked.CALL.invokeExact(function, a, b, c, d, e);
        } catch (Throwable thrown) {
            throw unexpected(thrown);
        }
    }

    static int callInt(MemorySegment function, long a, long b, long c, long d) {
        class Linked {
            static final MethodHandle CALL =
                    LINKER.downcallHandle(FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG));
        }
        try {
            return (int) Linked.CALL.invokeExact(function, a, b, c, d);
        } catch (Throwable thrown) {
            throw unexpected(thrown);
        }
    }

    static int callInt(MemorySegment function, long a, long b, long c, long d, long e) {
        class Linked {
            static final MethodHandle CALL = LINKER.downcallHandle(
                    FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG));
        }
        try {
            return (int) Linked.CALL.invokeExact(function, a, b, c, d, e);
        } catch (Throwable thrown) {
            throw unexpected(thrown);
        }
    }

    static int callInt(MemorySegment function, long a, long b, long c, long d, long e, long f) {
        class Linked {
            static final MethodHandle CALL = LINKER.downcallHandle(
                    FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG));
        }
        try {
            return (int) Linked.CALL.invokeExact(function, a, b, c, d, e, f);
        } catch (Throwable thrown) {
            throw unexpected(thrown);
        }
    }

    static int callIntWithCUmemLocation(MemorySegment function, long a, long b, MemorySegment c, int d, long e) {
        class Linked {
            static final MethodHandle CALL = LINKER.downcallHandle(
                    FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG, CUmemLocation.LAYOUT, JAVA_INT, JAVA_LONG));
        }
        try {
            return (int) Linked.CALL.invokeExact(function, a, b, c, d, e);
        } catch (Throwable thrown) {
            throw unexpected(thrown);
        }
    }

    static int callInt(MemorySegment function, long a, short b, long c) {
        class Linked {
            static final MethodHandle CALL =
                    LINKER.downcallHandle(FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_SHORT, JAVA_LONG));
        }
        try {
            return (int) Linked.CALL.invokeExact(function, a, b, c);
        } catch (Throwable thrown) {
            throw unexpected(thrown);
        }
    }

    static int callInt(MemorySegment function, long a, short b, long c, long d) {
        class Linked {
            static final MethodHandle CALL =
                    LINKER.downcallHandle(FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_SHORT, JAVA_LONG, JAVA_LONG));
        }
        try {
            return (int) Linked.CALL.invokeExact(function, a, b, c, d);
        } catch (Throwable thrown) {
            throw unexpected(thrown);
        }
    }
}
