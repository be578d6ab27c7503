// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.lang;

import static org.comm4j.kernel.lang.Ptr.VOLATILE_LONG;

import org.comm4j.kernel.cpu.KernelThread;

/**
 * Atomic instructions on 64 bits, for each scope. Orders stronger than relaxed are made with fences before and after:
 * together they order what the instruction alone would. Those of {@link Scope#DEVICE} are the compiler's own, so that
 * it sees where they are in shared memory, whose instructions are faster.
 */
final class Atomic64 {
    private Atomic64() {}

    static long add(I64Ptr p, long value, Scope scope, Order order) {
        if (order.releases()) {
            Fence.acquireRelease(scope);
        }
        long old = scope == Scope.DEVICE
                ? addDevice(p, value)
                : scope == Scope.BLOCK
                        ? addBlock(p, value)
                        : scope == Scope.SYSTEM ? addSystem(p, value) : addCluster(p, value);
        if (order.acquires()) {
            Fence.acquireRelease(scope);
        }
        return old;
    }

    @InlinePtx("atom.relaxed.cta.add.u64 $0, [$1], $2;")
    private static long addBlock(I64Ptr p, long value) {
        return add(p, value);
    }

    @InlinePtx("atom.relaxed.cluster.add.u64 $0, [$1], $2;")
    private static long addCluster(I64Ptr p, long value) {
        return add(p, value);
    }

    @DeviceFunction("atomicrmw.add.i64")
    private static long addDevice(I64Ptr p, long value) {
        return add(p, value);
    }

    @InlinePtx("atom.relaxed.sys.add.u64 $0, [$1], $2;")
    private static long addSystem(I64Ptr p, long value) {
        return add(p, value);
    }

    private static long add(I64Ptr p, long value) {
        return (long) VOLATILE_LONG.getAndAdd(p.segment, p.offset, value);
    }

    static long min(I64Ptr p, long value, Scope scope, Order order) {
        if (order.releases()) {
            Fence.acquireRelease(scope);
        }
        long old = scope == Scope.DEVICE
                ? minDevice(p, value)
                : scope == Scope.BLOCK
                        ? minBlock(p, value)
                        : scope == Scope.SYSTEM ? minSystem(p, value) : minCluster(p, value);
        if (order.acquires()) {
            Fence.acquireRelease(scope);
        }
        return old;
    }

    @InlinePtx("atom.relaxed.cta.min.s64 $0, [$1], $2;")
    private static long minBlock(I64Ptr p, long value) {
        return min(p, value);
    }

    @InlinePtx("atom.relaxed.cluster.min.s64 $0, [$1], $2;")
    private static long minCluster(I64Ptr p, long value) {
        return min(p, value);
    }

    @DeviceFunction("atomicrmw.min.i64")
    private static long minDevice(I64Ptr p, long value) {
        return min(p, value);
    }

    @InlinePtx("atom.relaxed.sys.min.s64 $0, [$1], $2;")
    private static long minSystem(I64Ptr p, long value) {
        return min(p, value);
    }

    private static long min(I64Ptr p, long value) {
        while (true) {
            long old = (long) VOLATILE_LONG.getVolatile(p.segment, p.offset);
            if (VOLATILE_LONG.compareAndSet(p.segment, p.offset, old, Math.min(old, value))) {
                return old;
            }
        }
    }

    static long max(I64Ptr p, long value, Scope scope, Order order) {
        if (order.releases()) {
            Fence.acquireRelease(scope);
        }
        long old = scope == Scope.DEVICE
                ? maxDevice(p, value)
                : scope == Scope.BLOCK
                        ? maxBlock(p, value)
                        : scope == Scope.SYSTEM ? maxSystem(p, value) : maxCluster(p, value);
        if (order.acquires()) {
            Fence.acquireRelease(scope);
        }
        return old;
    }

    @InlinePtx("atom.relaxed.cta.max.s64 $0, [$1], $2;")
    private static long maxBlock(I64Ptr p, long value) {
        return max(p, value);
    }

    @InlinePtx("atom.relaxed.cluster.max.s64 $0, [$1], $2;")
    private static long maxCluster(I64Ptr p, long value) {
        return max(p, value);
    }

    @DeviceFunction("atomicrmw.max.i64")
    private static long maxDevice(I64Ptr p, long value) {
        return max(p, value);
    }

    @InlinePtx("atom.relaxed.sys.max.s64 $0, [$1], $2;")
    private static long maxSystem(I64Ptr p, long value) {
        return max(p, value);
    }

    private static long max(I64Ptr p, long value) {
        while (true) {
            long old = (long) VOLATILE_LONG.getVolatile(p.segment, p.offset);
            if (VOLATILE_LONG.compareAndSet(p.segment, p.offset, old, Math.max(old, value))) {
                return old;
            }
        }
    }

    static long and(I64Ptr p, long value, Scope scope, Order order) {
        if (order.releases()) {
            Fence.acquireRelease(scope);
        }
        long old = scope == Scope.DEVICE
                ? andDevice(p, value)
                : scope == Scope.BLOCK
                        ? andBlock(p, value)
                        : scope == Scope.SYSTEM ? andSystem(p, value) : andCluster(p, value);
        if (order.acquires()) {
            Fence.acquireRelease(scope);
        }
        return old;
    }

    @InlinePtx("atom.relaxed.cta.and.b64 $0, [$1], $2;")
    private static long andBlock(I64Ptr p, long value) {
        return and(p, value);
    }

    @InlinePtx("atom.relaxed.cluster.and.b64 $0, [$1], $2;")
    private static long andCluster(I64Ptr p, long value) {
        return and(p, value);
    }

    @DeviceFunction("atomicrmw.and.i64")
    private static long andDevice(I64Ptr p, long value) {
        return and(p, value);
    }

    @InlinePtx("atom.relaxed.sys.and.b64 $0, [$1], $2;")
    private static long andSystem(I64Ptr p, long value) {
        return and(p, value);
    }

    private static long and(I64Ptr p, long value) {
        return (long) VOLATILE_LONG.getAndBitwiseAnd(p.segment, p.offset, value);
    }

    static long or(I64Ptr p, long value, Scope scope, Order order) {
        if (order.releases()) {
            Fence.acquireRelease(scope);
        }
        long old = scope == Scope.DEVICE
                ? orDevice(p, value)
                : scope == Scope.BLOCK
                        ? orBlock(p, value)
                        : scope == Scope.SYSTEM ? orSystem(p, value) : orCluster(p, value);
        if (order.acquires()) {
            Fence.acquireRelease(scope);
        }
        return old;
    }

    @InlinePtx("atom.relaxed.cta.or.b64 $0, [$1], $2;")
    private static long orBlock(I64Ptr p, long value) {
        return or(p, value);
    }

    @InlinePtx("atom.relaxed.cluster.or.b64 $0, [$1], $2;")
    private static long orCluster(I64Ptr p, long value) {
        return or(p, value);
    }

    @DeviceFunction("atomicrmw.or.i64")
    private static long orDevice(I64Ptr p, long value) {
        return or(p, value);
    }

    @InlinePtx("atom.relaxed.sys.or.b64 $0, [$1], $2;")
    private static long orSystem(I64Ptr p, long value) {
        return or(p, value);
    }

    private static long or(I64Ptr p, long value) {
        return (long) VOLATILE_LONG.getAndBitwiseOr(p.segment, p.offset, value);
    }

    static long xor(I64Ptr p, long value, Scope scope, Order order) {
        if (order.releases()) {
            Fence.acquireRelease(scope);
        }
        long old = scope == Scope.DEVICE
                ? xorDevice(p, value)
                : scope == Scope.BLOCK
                        ? xorBlock(p, value)
                        : scope == Scope.SYSTEM ? xorSystem(p, value) : xorCluster(p, value);
        if (order.acquires()) {
            Fence.acquireRelease(scope);
        }
        return old;
    }

    @InlinePtx("atom.relaxed.cta.xor.b64 $0, [$1], $2;")
    private static long xorBlock(I64Ptr p, long value) {
        return xor(p, value);
    }

    @InlinePtx("atom.relaxed.cluster.xor.b64 $0, [$1], $2;")
    private static long xorCluster(I64Ptr p, long value) {
        return xor(p, value);
    }

    @DeviceFunction("atomicrmw.xor.i64")
    private static long xorDevice(I64Ptr p, long value) {
        return xor(p, value);
    }

    @InlinePtx("atom.relaxed.sys.xor.b64 $0, [$1], $2;")
    private static long xorSystem(I64Ptr p, long value) {
        return xor(p, value);
    }

    private static long xor(I64Ptr p, long value) {
        return (long) VOLATILE_LONG.getAndBitwiseXor(p.segment, p.offset, value);
    }

    static long exch(I64Ptr p, long value, Scope scope, Order order) {
        if (order.releases()) {
            Fence.acquireRelease(scope);
        }
        long old = scope == Scope.DEVICE
                ? exchDevice(p, value)
                : scope == Scope.BLOCK
                        ? exchBlock(p, value)
                        : scope == Scope.SYSTEM ? exchSystem(p, value) : exchCluster(p, value);
        if (order.acquires()) {
            Fence.acquireRelease(scope);
        }
        return old;
    }

    @InlinePtx("atom.relaxed.cta.exch.b64 $0, [$1], $2;")
    private static long exchBlock(I64Ptr p, long value) {
        return exch(p, value);
    }

    @InlinePtx("atom.relaxed.cluster.exch.b64 $0, [$1], $2;")
    private static long exchCluster(I64Ptr p, long value) {
        return exch(p, value);
    }

    @DeviceFunction("atomicrmw.xchg.i64")
    private static long exchDevice(I64Ptr p, long value) {
        return exch(p, value);
    }

    @InlinePtx("atom.relaxed.sys.exch.b64 $0, [$1], $2;")
    private static long exchSystem(I64Ptr p, long value) {
        return exch(p, value);
    }

    private static long exch(I64Ptr p, long value) {
        KernelThread.pause();
        return (long) VOLATILE_LONG.getAndSet(p.segment, p.offset, value);
    }

    static long cas(I64Ptr p, long expected, long value, Scope scope, Order order) {
        if (order.releases()) {
            Fence.acquireRelease(scope);
        }
        long old = scope == Scope.DEVICE
                ? casDevice(p, expected, value)
                : scope == Scope.BLOCK
                        ? casBlock(p, expected, value)
                        : scope == Scope.SYSTEM ? casSystem(p, expected, value) : casCluster(p, expected, value);
        if (order.acquires()) {
            Fence.acquireRelease(scope);
        }
        return old;
    }

    @InlinePtx("atom.relaxed.cta.cas.b64 $0, [$1], $2, $3;")
    private static long casBlock(I64Ptr p, long expected, long value) {
        return cas(p, expected, value);
    }

    @InlinePtx("atom.relaxed.cluster.cas.b64 $0, [$1], $2, $3;")
    private static long casCluster(I64Ptr p, long expected, long value) {
        return cas(p, expected, value);
    }

    @DeviceFunction("cmpxchg.i64")
    private static long casDevice(I64Ptr p, long expected, long value) {
        return cas(p, expected, value);
    }

    @InlinePtx("atom.relaxed.sys.cas.b64 $0, [$1], $2, $3;")
    private static long casSystem(I64Ptr p, long expected, long value) {
        return cas(p, expected, value);
    }

    private static long cas(I64Ptr p, long expected, long value) {
        KernelThread.pause();
        return (long) VOLATILE_LONG.compareAndExchange(p.segment, p.offset, expected, value);
    }

    static double add(F64Ptr p, double value, Scope scope, Order order) {
        if (order.releases()) {
            Fence.acquireRelease(scope);
        }
        double old = scope == Scope.DEVICE
                ? addDevice(p, value)
                : scope == Scope.BLOCK
                        ? addBlock(p, value)
                        : scope == Scope.SYSTEM ? addSystem(p, value) : addCluster(p, value);
        if (order.acquires()) {
            Fence.acquireRelease(scope);
        }
        return old;
    }

    @InlinePtx("atom.relaxed.cta.add.f64 $0, [$1], $2;")
    private static double addBlock(F64Ptr p, double value) {
        return add(p, value);
    }

    @InlinePtx("atom.relaxed.cluster.add.f64 $0, [$1], $2;")
    private static double addCluster(F64Ptr p, double value) {
        return add(p, value);
    }

    @InlinePtx("atom.relaxed.gpu.add.f64 $0, [$1], $2;")
    private static double addDevice(F64Ptr p, double value) {
        return add(p, value);
    }

    @InlinePtx("atom.relaxed.sys.add.f64 $0, [$1], $2;")
    private static double addSystem(F64Ptr p, double value) {
        return add(p, value);
    }

    private static double add(F64Ptr p, double value) {
        while (true) {
            long old = (long) VOLATILE_LONG.getVolatile(p.segment, p.offset);
            double before = Double.longBitsToDouble(old);
            if (VOLATILE_LONG.compareAndSet(p.segment, p.offset, old, Double.doubleToRawLongBits(before + value))) {
                return before;
            }
        }
    }

    static long getAcquire(I64Ptr p, Scope scope) {
        return scope == Scope.DEVICE
                ? acquireDevice(p)
                : scope == Scope.BLOCK ? acquireBlock(p) : scope == Scope.SYSTEM ? acquireSystem(p) : acquireCluster(p);
    }

    @InlinePtx("ld.acquire.cta.b64 $0, [$1];")
    private static long acquireBlock(I64Ptr p) {
        return p.getVolatile(0);
    }

    @InlinePtx("ld.acquire.cluster.b64 $0, [$1];")
    private static long acquireCluster(I64Ptr p) {
        return p.getVolatile(0);
    }

    @InlinePtx("ld.acquire.gpu.b64 $0, [$1];")
    private static long acquireDevice(I64Ptr p) {
        return p.getVolatile(0);
    }

    @InlinePtx("ld.acquire.sys.b64 $0, [$1];")
    private static long acquireSystem(I64Ptr p) {
        return p.getVolatile(0);
    }

    static void setRelease(I64Ptr p, long value, Scope scope) {
        if (scope == Scope.DEVICE) {
            releaseDevice(p, value);
        } else if (scope == Scope.BLOCK) {
            releaseBlock(p, value);
        } else if (scope == Scope.SYSTEM) {
            releaseSystem(p, value);
        } else {
            releaseCluster(p, value);
        }
    }

    @InlinePtx("st.release.cta.b64 [$1], $2;")
    private static void releaseBlock(I64Ptr p, long value) {
        p.setVolatile(0, value);
    }

    @InlinePtx("st.release.cluster.b64 [$1], $2;")
    private static void releaseCluster(I64Ptr p, long value) {
        p.setVolatile(0, value);
    }

    @InlinePtx("st.release.gpu.b64 [$1], $2;")
    private static void releaseDevice(I64Ptr p, long value) {
        p.setVolatile(0, value);
    }

    @InlinePtx("st.release.sys.b64 [$1], $2;")
    private static void releaseSystem(I64Ptr p, long value) {
        p.setVolatile(0, value);
    }
}
