// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.ffi.cublas;

import static java.lang.foreign.ValueLayout.ADDRESS;
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

    static int callInt(MemorySegment function, MemorySegment a, int b, long c, long d, long e) {
        class Linked {
            static final MethodHandle CALL = LINKER.downcallHandle(
                    FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG));
        }
        try {
            return (int) Linked.CALL.invokeExact(function, a, b, c, d, e);
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

    static int callInt(
            MemorySegment function,
            long a,
            MemorySegment b,
            MemorySegment c,
            MemorySegment d,
            MemorySegment e,
            MemorySegment f,
            long g,
            MemorySegment h,
            int i,
            MemorySegment j,
            MemorySegment k,
            int l,
            MemorySegment m,
            long n,
            MemorySegment o,
            int p,
            MemorySegment q,
            long r,
            MemorySegment s,
            int t) {
        class Linked {
            static final MethodHandle CALL = LINKER.downcallHandle(FunctionDescriptor.of(
                    JAVA_INT, JAVA_LONG, ADDRESS, ADDRESS, ADDRESS, ADDRESS, ADDRESS, JAVA_LONG, ADDRESS, JAVA_INT,
                    ADDRESS, ADDRESS, JAVA_INT, ADDRESS, JAVA_LONG, ADDRESS, JAVA_INT, ADDRESS, JAVA_LONG, ADDRESS,
                    JAVA_INT));
        }
        try {
            return (int) Linked.CALL.invokeExact(function, a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t);
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

    static int callInt(
            MemorySegment function,
            long a,
            int b,
            int c,
            long d,
            long e,
            long f,
            long g,
            long h,
            int i,
            long j,
            long k,
            int l,
            long m,
            long n,
            long o,
            int p,
            long q,
            int r,
            int s) {
        class Linked {
            static final MethodHandle CALL = LINKER.downcallHandle(FunctionDescriptor.of(
                    JAVA_INT, JAVA_LONG, JAVA_INT, JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG,
                    JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_LONG,
                    JAVA_INT, JAVA_INT));
        }
        try {
            return (int) Linked.CALL.invokeExact(function, a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s);
        } catch (Throwable thrown) {
            throw unexpected(thrown);
        }
    }

    static int callInt(
            MemorySegment function,
            long a,
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
            static final MethodHandle CALL = LINKER.downcallHandle(FunctionDescriptor.of(
                    JAVA_INT, JAVA_LONG, JAVA_INT, JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG,
                    JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG));
        }
        try {
            return (int) Linked.CALL.invokeExact(function, a, b, c, d, e, f, g, h, i, j, k, l, m, n);
        } catch (Throwable thrown) {
            throw unexpected(thrown);
        }
    }

    static int callInt(
            MemorySegment function,
            long a,
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
            long n,
            long o,
            long p,
            long q,
            long r) {
        class Linked {
            static final MethodHandle CALL = LINKER.downcallHandle(FunctionDescriptor.of(
                    JAVA_INT, JAVA_LONG, JAVA_INT, JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG,
                    JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG,
                    JAVA_LONG));
        }
        try {
            return (int) Linked.CALL.invokeExact(function, a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r);
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

    static int callInt(
            MemorySegment function,
            long a,
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
            static final MethodHandle CALL = LINKER.downcallHandle(FunctionDescriptor.of(
                    JAVA_INT, JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG,
                    JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG));
        }
        try {
            return (int) Linked.CALL.invokeExact(function, a, b, c, d, e, f, g, h, i, j, k, l);
        } catch (Throwable thrown) {
            throw unexpected(thrown);
        }
    }

    static int callInt(
            MemorySegment function,
            long a,
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
            long l,
            long m,
            long n,
            long o,
            long p) {
        class Linked {
            static final MethodHandle CALL = LINKER.downcallHandle(FunctionDescriptor.of(
                    JAVA_INT, JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG,
                    JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG));
        }
        try {
            return (int) Linked.CALL.invokeExact(function, a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p);
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
            MemorySegment function,
            long a,
            long b,
            long c,
            long d,
            long e,
            long f,
            long g,
            int h,
            MemorySegment i,
            MemorySegment j) {
        class Linked {
            static final MethodHandle CALL = LINKER.downcallHandle(FunctionDescriptor.of(
                    JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_INT,
                    ADDRESS, ADDRESS));
        }
        try {
            return (int) Linked.CALL.invokeExact(function, a, b, c, d, e, f, g, h, i, j);
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

    static int callInt(
            MemorySegment function,
            long a,
            long b,
            long c,
            long d,
            long e,
            long f,
            long g,
            long h,
            long i,
            long j,
            long k,
            long l,
            MemorySegment m,
            long n,
            long o,
            long p) {
        class Linked {
            static final MethodHandle CALL = LINKER.downcallHandle(FunctionDescriptor.of(
                    JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG,
                    JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, ADDRESS, JAVA_LONG, JAVA_LONG, JAVA_LONG));
        }
        try {
            return (int) Linked.CALL.invokeExact(function, a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p);
        } catch (Throwable thrown) {
            throw unexpected(thrown);
        }
    }

    static long callLong(MemorySegment function, int a) {
        class Linked {
            static final MethodHandle CALL = LINKER.downcallHandle(FunctionDescriptor.of(JAVA_LONG, JAVA_INT));
        }
        try {
            return (long) Linked.CALL.invokeExact(function, a);
        } catch (Throwable thrown) {
            throw unexpected(thrown);
        }
    }
}
