// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.ffi.mpi;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

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

    static int callInt(MemorySegment function, int a, int b, long c, long d, long e) {
        class Linked {
            static final MethodHandle CALL = LINKER.downcallHandle(
                    FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG));
        }
        try {
            return (int) Linked.CALL.invokeExact(function, a, b, c, d, e);
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

    static int callInt(MemorySegment function, int a, long b, long c) {
        class Linked {
            static final MethodHandle CALL =
                    LINKER.downcallHandle(FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_LONG, JAVA_LONG));
        }
        try {
            return (int) Linked.CALL.invokeExact(function, a, b, c);
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

    static int callInt(MemorySegment function, long a, int b, int c, long d) {
        class Linked {
            static final MethodHandle CALL =
                    LINKER.downcallHandle(FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_INT, JAVA_INT, JAVA_LONG));
        }
        try {
            return (int) Linked.CALL.invokeExact(function, a, b, c, d);
        } catch (Throwable thrown) {
            throw unexpected(thrown);
        }
    }

    static int callInt(MemorySegment function, long a, int b, long c, int d, int e, long f, long g) {
        class Linked {
            static final MethodHandle CALL = LINKER.downcallHandle(FunctionDescriptor.of(
                    JAVA_INT, JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_INT, JAVA_INT, JAVA_LONG, JAVA_LONG));
        }
        try {
            return (int) Linked.CALL.invokeExact(function, a, b, c, d, e, f, g);
        } catch (Throwable thrown) {
            throw unexpected(thrown);
        }
    }

    static int callInt(MemorySegment function, long a, int b, long c, int d, long e, long f) {
        class Linked {
            static final MethodHandle CALL = LINKER.downcallHandle(
                    FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_LONG));
        }
        try {
            return (int) Linked.CALL.invokeExact(function, a, b, c, d, e, f);
        } catch (Throwable thrown) {
            throw unexpected(thrown);
        }
    }

    static int callInt(MemorySegment function, long a, int b, long c, long d, int e, long f, int g, long h, long i) {
        class Linked {
            static final MethodHandle CALL = LINKER.downcallHandle(FunctionDescriptor.of(
                    JAVA_INT, JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_INT, JAVA_LONG,
                    JAVA_LONG));
        }
        try {
            return (int) Linked.CALL.invokeExact(function, a, b, c, d, e, f, g, h, i);
        } catch (Throwable thrown) {
            throw unexpected(thrown);
        }
    }

    static int callInt(MemorySegment function, long a, int b, long c, long d, int e, long f, long g, long h) {
        class Linked {
            static final MethodHandle CALL = LINKER.downcallHandle(FunctionDescriptor.of(
                    JAVA_INT, JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG));
        }
        try {
            return (int) Linked.CALL.invokeExact(function, a, b, c, d, e, f, g, h);
        } catch (Throwable thrown) {
            throw unexpected(thrown);
        }
    }

    static int callInt(MemorySegment function, long a, int b, long c, long d, long e, long f, long g, long h, long i) {
        class Linked {
            static final MethodHandle CALL = LINKER.downcallHandle(FunctionDescriptor.of(
                    JAVA_INT, JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG,
                    JAVA_LONG));
        }
        try {
            return (int) Linked.CALL.invokeExact(function, a, b, c, d, e, f, g, h, i);
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

    static int callInt(MemorySegment function, long a, long b, int c, long d, long e) {
        class Linked {
            static final MethodHandle CALL = LINKER.downcallHandle(
                    FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_LONG));
        }
        try {
            return (int) Linked.CALL.invokeExact(function, a, b, c, d, e);
        } catch (Throwable thrown) {
            throw unexpected(thrown);
        }
    }

    static int callInt(MemorySegment function, long a, long b, int c, long d, long e, int f, long g, long h) {
        class Linked {
            static final MethodHandle CALL = LINKER.downcallHandle(FunctionDescriptor.of(
                    JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_LONG));
        }
        try {
            return (int) Linked.CALL.invokeExact(function, a, b, c, d, e, f, g, h);
        } catch (Throwable thrown) {
            throw unexpected(thrown);
        }
    }

    static int callInt(MemorySegment function, long a, long b, int c, long d, long e, long f, long g) {
        class Linked {
            static final MethodHandle CALL = LINKER.downcallHandle(FunctionDescriptor.of(
                    JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG));
        }
        try {
            return (int) Linked.CALL.invokeExact(function, a, b, c, d, e, f, g);
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

    static int callInt(
            MemorySegment function, long a, long b, long c, long d, long e, long f, long g, long h, long i, long j) {
        class Linked {
            static final MethodHandle CALL = LINKER.downcallHandle(FunctionDescriptor.of(
                    JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG,
                    JAVA_LONG, JAVA_LONG));
        }
        try {
            return (int) Linked.CALL.invokeExact(function, a, b, c, d, e, f, g, h, i, j);
        } catch (Throwable thrown) {
            throw unexpected(thrown);
        }
    }
}
