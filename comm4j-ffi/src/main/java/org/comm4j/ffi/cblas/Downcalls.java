// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.ffi.cblas;

import static java.lang.foreign.ValueLayout.JAVA_DOUBLE;
import static java.lang.foreign.ValueLayout.JAVA_FLOAT;
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

    static void callVoid(MemorySegment function, int a) {
        class Linked {
            static final MethodHandle CALL = LINKER.downcallHandle(FunctionDescriptor.ofVoid(JAVA_INT));
        }
        try {
            Linked.CALL.invokeExact(function, a);
        } catch (Throwable thrown) {
            throw unexpected(thrown);
        }
    }

    static void callVoid(
            MemorySegment function,
            int a,
            int b,
            int c,
            long d,
            long e,
            long f,
            double g,
            long h,
            long i,
            long j,
            long k,
            double l,
            long m,
            long n) {
        class Linked {
            static final MethodHandle CALL = LINKER.downcallHandle(FunctionDescriptor.ofVoid(
                    JAVA_INT,
                    JAVA_INT,
                    JAVA_INT,
                    JAVA_LONG,
                    JAVA_LONG,
                    JAVA_LONG,
                    JAVA_DOUBLE,
                    JAVA_LONG,
                    JAVA_LONG,
                    JAVA_LONG,
                    JAVA_LONG,
                    JAVA_DOUBLE,
                    JAVA_LONG,
                    JAVA_LONG));
        }
        try {
            Linked.CALL.invokeExact(function, a, b, c, d, e, f, g, h, i, j, k, l, m, n);
        } catch (Throwable thrown) {
            throw unexpected(thrown);
        }
    }

    static void callVoid(
            MemorySegment function,
            int a,
            int b,
            int c,
            long d,
            long e,
            long f,
            float g,
            long h,
            long i,
            long j,
            long k,
            float l,
            long m,
            long n) {
        class Linked {
            static final MethodHandle CALL = LINKER.downcallHandle(FunctionDescriptor.ofVoid(
                    JAVA_INT,
                    JAVA_INT,
                    JAVA_INT,
                    JAVA_LONG,
                    JAVA_LONG,
                    JAVA_LONG,
                    JAVA_FLOAT,
                    JAVA_LONG,
                    JAVA_LONG,
                    JAVA_LONG,
                    JAVA_LONG,
                    JAVA_FLOAT,
                    JAVA_LONG,
                    JAVA_LONG));
        }
        try {
            Linked.CALL.invokeExact(function, a, b, c, d, e, f, g, h, i, j, k, l, m, n);
        } catch (Throwable thrown) {
            throw unexpected(thrown);
        }
    }

    static void callVoid(
            MemorySegment function,
            int a,
            int b,
            int c,
            long d,
            long e,
            long f,
            long g,
            long h,
            long i,
            long j,
            long k,
            long l,
            long m,
            long n) {
        class Linked {
            static final MethodHandle CALL = LINKER.downcallHandle(FunctionDescriptor.ofVoid(
                    JAVA_INT, JAVA_INT, JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG,
                    JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG));
        }
        try {
            Linked.CALL.invokeExact(function, a, b, c, d, e, f, g, h, i, j, k, l, m, n);
        } catch (Throwable thrown) {
            throw unexpected(thrown);
        }
    }

    static void callVoid(
            MemorySegment function,
            int a,
            int b,
            long c,
            long d,
            double e,
            long f,
            long g,
            long h,
            long i,
            double j,
            long k,
            long l) {
        class Linked {
            static final MethodHandle CALL = LINKER.downcallHandle(FunctionDescriptor.ofVoid(
                    JAVA_INT,
                    JAVA_INT,
                    JAVA_LONG,
                    JAVA_LONG,
                    JAVA_DOUBLE,
                    JAVA_LONG,
                    JAVA_LONG,
                    JAVA_LONG,
                    JAVA_LONG,
                    JAVA_DOUBLE,
                    JAVA_LONG,
                    JAVA_LONG));
        }
        try {
            Linked.CALL.invokeExact(function, a, b, c, d, e, f, g, h, i, j, k, l);
        } catch (Throwable thrown) {
            throw unexpected(thrown);
        }
    }

    static void callVoid(
            MemorySegment function,
            int a,
            int b,
            long c,
            long d,
            float e,
            long f,
            long g,
            long h,
            long i,
            float j,
            long k,
            long l) {
        class Linked {
            static final MethodHandle CALL = LINKER.downcallHandle(FunctionDescriptor.ofVoid(
                    JAVA_INT,
                    JAVA_INT,
                    JAVA_LONG,
                    JAVA_LONG,
                    JAVA_FLOAT,
                    JAVA_LONG,
                    JAVA_LONG,
                    JAVA_LONG,
                    JAVA_LONG,
                    JAVA_FLOAT,
                    JAVA_LONG,
                    JAVA_LONG));
        }
        try {
            Linked.CALL.invokeExact(function, a, b, c, d, e, f, g, h, i, j, k, l);
        } catch (Throwable thrown) {
            throw unexpected(thrown);
        }
    }

    static void callVoid(
            MemorySegment function,
            int a,
            int b,
            long c,
            long d,
            long e,
            long f,
            long g,
            long h,
            long i,
            long j,
            long k,
            long l) {
        class Linked {
            static final MethodHandle CALL = LINKER.downcallHandle(FunctionDescriptor.ofVoid(
                    JAVA_INT, JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG,
                    JAVA_LONG, JAVA_LONG, JAVA_LONG));
        }
        try {
            Linked.CALL.invokeExact(function, a, b, c, d, e, f, g, h, i, j, k, l);
        } catch (Throwable thrown) {
            throw unexpected(thrown);
        }
    }

    static void callVoid(
            MemorySegment function, int a, long b, long c, double d, long e, long f, long g, long h, long i, long j) {
        class Linked {
            static final MethodHandle CALL = LINKER.downcallHandle(FunctionDescriptor.ofVoid(
                    JAVA_INT,
                    JAVA_LONG,
                    JAVA_LONG,
                    JAVA_DOUBLE,
                    JAVA_LONG,
                    JAVA_LONG,
                    JAVA_LONG,
                    JAVA_LONG,
                    JAVA_LONG,
                    JAVA_LONG));
        }
        try {
            Linked.CALL.invokeExact(function, a, b, c, d, e, f, g, h, i, j);
        } catch (Throwable thrown) {
            throw unexpected(thrown);
        }
    }

    static void callVoid(
            MemorySegment function, int a, long b, long c, float d, long e, long f, long g, long h, long i, long j) {
        class Linked {
            static final MethodHandle CALL = LINKER.downcallHandle(FunctionDescriptor.ofVoid(
                    JAVA_INT,
                    JAVA_LONG,
                    JAVA_LONG,
                    JAVA_FLOAT,
                    JAVA_LONG,
                    JAVA_LONG,
                    JAVA_LONG,
                    JAVA_LONG,
                    JAVA_LONG,
                    JAVA_LONG));
        }
        try {
            Linked.CALL.invokeExact(function, a, b, c, d, e, f, g, h, i, j);
        } catch (Throwable thrown) {
            throw unexpected(thrown);
        }
    }

    static void callVoid(
            MemorySegment function, int a, long b, long c, long d, long e, long f, long g, long h, long i, long j) {
        class Linked {
            static final MethodHandle CALL = LINKER.downcallHandle(FunctionDescriptor.ofVoid(
                    JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG,
                    JAVA_LONG));
        }
        try {
            Linked.CALL.invokeExact(function, a, b, c, d, e, f, g, h, i, j);
        } catch (Throwable thrown) {
            throw unexpected(thrown);
        }
    }

    static void callVoid(MemorySegment function, long a) {
        class Linked {
            static final MethodHandle CALL = LINKER.downcallHandle(FunctionDescriptor.ofVoid(JAVA_LONG));
        }
        try {
            Linked.CALL.invokeExact(function, a);
        } catch (Throwable thrown) {
            throw unexpected(thrown);
        }
    }
}
