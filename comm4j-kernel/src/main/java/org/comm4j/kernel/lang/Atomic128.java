// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.lang;

import static org.comm4j.kernel.lang.Ptr.VOLATILE_LONG;

import java.util.stream.IntStream;
import org.comm4j.kernel.cpu.KernelThread;

/**
 * Atomic instructions on 128 bits, for each scope, with fences as in {@link Atomic64}. No processor's instruction for
 * them can be reached from Java: on the CPU each holds one of a few locks meanwhile, which its address chooses. So they
 * are atomic beside each other within the process, and not beside accesses of 64 bits.
 */
final class Atomic128 {
    /** Many enough that two addresses seldom share one; a power of 2. */
    private static final int LOCKS = 256;

    private static final Object[] LOCK =
            IntStream.range(0, LOCKS).mapToObj(_ -> new Object()).toArray();

    private Atomic128() {}

    static Long2 exch(I64Ptr p, Long2 value, Scope scope, Order order) {
        if (order.releases()) {
            Fence.acquireRelease(scope);
        }
        Long2 old = scope == Scope.DEVICE
                ? exchDevice(p, value)
                : scope == Scope.BLOCK
                        ? exchBlock(p, value)
                        : scope == Scope.SYSTEM ? exchSystem(p, value) : exchCluster(p, value);
        if (order.acquires()) {
            Fence.acquireRelease(scope);
        }
        return old;
    }

    @InlinePtx(
            value = "{ .reg .b128 v, old; mov.b128 v, {$3, $4};"
                    + " atom.relaxed.cta.exch.b128 old, [$2], v; mov.b128 {$0, $1}, old; }",
            since = 90)
    private static Long2 exchBlock(I64Ptr p, Long2 value) {
        return exch(p, value);
    }

    @InlinePtx(
            value = "{ .reg .b128 v, old; mov.b128 v, {$3, $4};"
                    + " atom.relaxed.cluster.exch.b128 old, [$2], v; mov.b128 {$0, $1}, old; }",
            since = 90)
    private static Long2 exchCluster(I64Ptr p, Long2 value) {
        return exch(p, value);
    }

    @InlinePtx(
            value = "{ .reg .b128 v, old; mov.b128 v, {$3, $4};"
                    + " atom.relaxed.gpu.exch.b128 old, [$2], v; mov.b128 {$0, $1}, old; }",
            since = 90)
    private static Long2 exchDevice(I64Ptr p, Long2 value) {
        return exch(p, value);
    }

    @InlinePtx(
            value = "{ .reg .b128 v, old; mov.b128 v, {$3, $4};"
                    + " atom.relaxed.sys.exch.b128 old, [$2], v; mov.b128 {$0, $1}, old; }",
            since = 90)
    private static Long2 exchSystem(I64Ptr p, Long2 value) {
        return exch(p, value);
    }

    private static Long2 exch(I64Ptr p, Long2 value) {
        KernelThread.pause();
        p.checkAligned(0, 2 * Long.BYTES);
        synchronized (lock(p)) {
            Long2 old = read(p);
            write(p, value);
            return old;
        }
    }

    static Long2 cas(I64Ptr p, Long2 expected, Long2 value, Scope scope, Order order) {
        if (order.releases()) {
            Fence.acquireRelease(scope);
        }
        Long2 old = scope == Scope.DEVICE
                ? casDevice(p, expected, value)
                : scope == Scope.BLOCK
                        ? casBlock(p, expected, value)
                        : scope == Scope.SYSTEM ? casSystem(p, expected, value) : casCluster(p, expected, value);
        if (order.acquires()) {
            Fence.acquireRelease(scope);
        }
        return old;
    }

    @InlinePtx(
            value = "{ .reg .b128 e, v, old; mov.b128 e, {$3, $4}; mov.b128 v, {$5, $6};"
                    + " atom.relaxed.cta.cas.b128 old, [$2], e, v; mov.b128 {$0, $1}, old; }",
            since = 90)
    private static Long2 casBlock(I64Ptr p, Long2 expected, Long2 value) {
        return cas(p, expected, value);
    }

    @InlinePtx(
            value = "{ .reg .b128 e, v, old; mov.b128 e, {$3, $4}; mov.b128 v, {$5, $6};"
                    + " atom.relaxed.cluster.cas.b128 old, [$2], e, v; mov.b128 {$0, $1}, old; }",
            since = 90)
    private static Long2 casCluster(I64Ptr p, Long2 expected, Long2 value) {
        return cas(p, expected, value);
    }

    @InlinePtx(
            value = "{ .reg .b128 e, v, old; mov.b128 e, {$3, $4}; mov.b128 v, {$5, $6};"
                    + " atom.relaxed.gpu.cas.b128 old, [$2], e, v; mov.b128 {$0, $1}, old; }",
            since = 90)
    private static Long2 casDevice(I64Ptr p, Long2 expected, Long2 value) {
        return cas(p, expected, value);
    }

    @InlinePtx(
            value = "{ .reg .b128 e, v, old; mov.b128 e, {$3, $4}; mov.b128 v, {$5, $6};"
                    + " atom.relaxed.sys.cas.b128 old, [$2], e, v; mov.b128 {$0, $1}, old; }",
            since = 90)
    private static Long2 casSystem(I64Ptr p, Long2 expected, Long2 value) {
        return cas(p, expected, value);
    }

    private static Long2 cas(I64Ptr p, Long2 expected, Long2 value) {
        KernelThread.pause();
        p.checkAligned(0, 2 * Long.BYTES);
        synchronized (lock(p)) {
            Long2 old = read(p);
            if (old.equals(expected)) {
                write(p, value);
            }
            return old;
        }
    }

    /** Pointers to the same memory give the same lock, whichever way they were made. */
    private static Object lock(I64Ptr p) {
        long place = (p.segment.address() + p.offset) / (2 * Long.BYTES);
        int array = System.identityHashCode(p.segment.heapBase().orElse(null));
        return LOCK[(Long.hashCode(place) + array) & (LOCKS - 1)];
    }

    private static Long2 read(I64Ptr p) {
        return new Long2((long) VOLATILE_LONG.getVolatile(p.segment, p.offset), (long)
                VOLATILE_LONG.getVolatile(p.segment, p.offset + Long.BYTES));
    }

    private static void write(I64Ptr p, Long2 value) {
        VOLATILE_LONG.setVolatile(p.segment, p.offset, value.x());
        VOLATILE_LONG.setVolatile(p.segment, p.offset + Long.BYTES, value.y());
    }
}
