// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.lang;

import static org.comm4j.kernel.lang.Ptr.VOLATILE_INT;

import org.comm4j.kernel.cpu.KernelThread;

/**
 * Atomic instructions on 32 bits, for each scope. Orders stronger than relaxed are made with fences before and after:
 * together they order what the instruction alone would. Those of {@link Scope#DEVICE} are the compiler's own, so that
 * it sees where they are in shared memory, whose instructions are faster.
 */
final class Atomic32 {
    private Atomic32() {}

    static int add(I32Ptr p, int value, Scope scope, Order order) {
        if (order.releases()) {
            Fence.acquireRelease(scope);
        }
        int old = scope == Scope.DEVICE
                ? addDevice(p, value)
                : scope == Scope.BLOCK
                        ? addBlock(p, value)
                        : scope == Scope.SYSTEM ? addSystem(p, value) : addCluster(p, value);
        if (order.acquires()) {
            Fence.acquireRelease(scope);
        }
        return old;
    }

    @InlinePtx("atom.relaxed.cta.add.u32 $0, [$1], $2;")
    private static int addBlock(I32Ptr p, int value) {
        return add(p, value);
    }

    @InlinePtx("atom.relaxed.cluster.add.u32 $0, [$1], $2;")
    private static int addCluster(I32Ptr p, int value) {
        return add(p, value);
    }

    @DeviceFunction("atomicrmw.add.i32")
    private static int addDevice(I32Ptr p, int value) {
        return add(p, value);
    }

    @InlinePtx("atom.relaxed.sys.add.u32 $0, [$1], $2;")
    private static int addSystem(I32Ptr p, int value) {
        return add(p, value);
    }

    private static int add(I32Ptr p, int value) {
        return (int) VOLATILE_INT.getAndAdd(p.segment, p.offset, value);
    }

    static int min(I32Ptr p, int value, Scope scope, Order order) {
        if (order.releases()) {
            Fence.acquireRelease(scope);
        }
        int old = scope == Scope.DEVICE
                ? minDevice(p, value)
                : scope == Scope.BLOCK
                        ? minBlock(p, value)
                        : scope == Scope.SYSTEM ? minSystem(p, value) : minCluster(p, value);
        if (order.acquires()) {
            Fence.acquireRelease(scope);
        }
        return old;
    }

    @InlinePtx("atom.relaxed.cta.min.s32 $0, [$1], $2;")
    private static int minBlock(I32Ptr p, int value) {
        return min(p, value);
    }

    @InlinePtx("atom.relaxed.cluster.min.s32 $0, [$1], $2;")
    private static int minCluster(I32Ptr p, int value) {
        return min(p, value);
    }

    @DeviceFunction("atomicrmw.min.i32")
    private static int minDevice(I32Ptr p, int value) {
        return min(p, value);
    }

    @InlinePtx("atom.relaxed.sys.min.s32 $0, [$1], $2;")
    private static int minSystem(I32Ptr p, int value) {
        return min(p, value);
    }

    private static int min(I32Ptr p, int value) {
        while (true) {
            int old = (int) VOLATILE_INT.getVolatile(p.segment, p.offset);
            if (VOLATILE_INT.compareAndSet(p.segment, p.offset, old, Math.min(old, value))) {
                return old;
            }
        }
    }

    static int max(I32Ptr p, int value, Scope scope, Order order) {
        if (order.releases()) {
            Fence.acquireRelease(scope);
        }
        int old = scope == Scope.DEVICE
                ? maxDevice(p, value)
                : scope == Scope.BLOCK
                        ? maxBlock(p, value)
                        : scope == Scope.SYSTEM ? maxSystem(p, value) : maxCluster(p, value);
        if (order.acquires()) {
            Fence.acquireRelease(scope);
        }
        return old;
    }

    @InlinePtx("atom.relaxed.cta.max.s32 $0, [$1], $2;")
    private static int maxBlock(I32Ptr p, int value) {
        return max(p, value);
    }

    @InlinePtx("atom.relaxed.cluster.max.s32 $0, [$1], $2;")
    private static int maxCluster(I32Ptr p, int value) {
        return max(p, value);
    }

    @DeviceFunction("atomicrmw.max.i32")
    private static int maxDevice(I32Ptr p, int value) {
        return max(p, value);
    }

    @InlinePtx("atom.relaxed.sys.max.s32 $0, [$1], $2;")
    private static int maxSystem(I32Ptr p, int value) {
        return max(p, value);
    }

    private static int max(I32Ptr p, int value) {
        while (true) {
            int old = (int) VOLATILE_INT.getVolatile(p.segment, p.offset);
            if (VOLATILE_INT.compareAndSet(p.segment, p.offset, old, Math.max(old, value))) {
                return old;
            }
        }
    }

    static int and(I32Ptr p, int value, Scope scope, Order order) {
        if (order.releases()) {
            Fence.acquireRelease(scope);
        }
        int old = scope == Scope.DEVICE
                ? andDevice(p, value)
                : scope == Scope.BLOCK
                        ? andBlock(p, value)
                        : scope == Scope.SYSTEM ? andSystem(p, value) : andCluster(p, value);
        if (order.acquires()) {
            Fence.acquireRelease(scope);
        }
        return old;
    }

    @InlinePtx("atom.relaxed.cta.and.b32 $0, [$1], $2;")
    private static int andBlock(I32Ptr p, int value) {
        return and(p, value);
    }

    @InlinePtx("atom.relaxed.cluster.and.b32 $0, [$1], $2;")
    private static int andCluster(I32Ptr p, int value) {
        return and(p, value);
    }

    @DeviceFunction("atomicrmw.and.i32")
    private static int andDevice(I32Ptr p, int value) {
        return and(p, value);
    }

    @InlinePtx("atom.relaxed.sys.and.b32 $0, [$1], $2;")
    private static int andSystem(I32Ptr p, int value) {
        return and(p, value);
    }

    private static int and(I32Ptr p, int value) {
        return (int) VOLATILE_INT.getAndBitwiseAnd(p.segment, p.offset, value);
    }

    static int or(I32Ptr p, int value, Scope scope, Order order) {
        if (order.releases()) {
            Fence.acquireRelease(scope);
        }
        int old = scope == Scope.DEVICE
                ? orDevice(p, value)
                : scope == Scope.BLOCK
                        ? orBlock(p, value)
                        : scope == Scope.SYSTEM ? orSystem(p, value) : orCluster(p, value);
        if (order.acquires()) {
            Fence.acquireRelease(scope);
        }
        return old;
    }

    @InlinePtx("atom.relaxed.cta.or.b32 $0, [$1], $2;")
    private static int orBlock(I32Ptr p, int value) {
        return or(p, value);
    }

    @InlinePtx("atom.relaxed.cluster.or.b32 $0, [$1], $2;")
    private static int orCluster(I32Ptr p, int value) {
        return or(p, value);
    }

    @DeviceFunction("atomicrmw.or.i32")
    private static int orDevice(I32Ptr p, int value) {
        return or(p, value);
    }

    @InlinePtx("atom.relaxed.sys.or.b32 $0, [$1], $2;")
    private static int orSystem(I32Ptr p, int value) {
        return or(p, value);
    }

    private static int or(I32Ptr p, int value) {
        return (int) VOLATILE_INT.getAndBitwiseOr(p.segment, p.offset, value);
    }

    static int xor(I32Ptr p, int value, Scope scope, Order order) {
        if (order.releases()) {
            Fence.acquireRelease(scope);
        }
        int old = scope == Scope.DEVICE
                ? xorDevice(p, value)
                : scope == Scope.BLOCK
                        ? xorBlock(p, value)
                        : scope == Scope.SYSTEM ? xorSystem(p, value) : xorCluster(p, value);
        if (order.acquires()) {
            Fence.acquireRelease(scope);
        }
        return old;
    }

    @InlinePtx("atom.relaxed.cta.xor.b32 $0, [$1], $2;")
    private static int xorBlock(I32Ptr p, int value) {
        return xor(p, value);
    }

    @InlinePtx("atom.relaxed.cluster.xor.b32 $0, [$1], $2;")
    private static int xorCluster(I32Ptr p, int value) {
        return xor(p, value);
    }

    @DeviceFunction("atomicrmw.xor.i32")
    private static int xorDevice(I32Ptr p, int value) {
        return xor(p, value);
    }

    @InlinePtx("atom.relaxed.sys.xor.b32 $0, [$1], $2;")
    private static int xorSystem(I32Ptr p, int value) {
        return xor(p, value);
    }

    private static int xor(I32Ptr p, int value) {
        return (int) VOLATILE_INT.getAndBitwiseXor(p.segment, p.offset, value);
    }

    static int exch(I32Ptr p, int value, Scope scope, Order order) {
        if (order.releases()) {
            Fence.acquireRelease(scope);
        }
        int old = scope == Scope.DEVICE
                ? exchDevice(p, value)
                : scope == Scope.BLOCK
                        ? exchBlock(p, value)
                        : scope == Scope.SYSTEM ? exchSystem(p, value) : exchCluster(p, value);
        if (order.acquires()) {
            Fence.acquireRelease(scope);
        }
        return old;
    }

    @InlinePtx("atom.relaxed.cta.exch.b32 $0, [$1], $2;")
    private static int exchBlock(I32Ptr p, int value) {
        return exch(p, value);
    }

    @InlinePtx("atom.relaxed.cluster.exch.b32 $0, [$1], $2;")
    private static int exchCluster(I32Ptr p, int value) {
        return exch(p, value);
    }

    @DeviceFunction("atomicrmw.xchg.i32")
    private static int exchDevice(I32Ptr p, int value) {
        return exch(p, value);
    }

    @InlinePtx("atom.relaxed.sys.exch.b32 $0, [$1], $2;")
    private static int exchSystem(I32Ptr p, int value) {
        return exch(p, value);
    }

    private static int exch(I32Ptr p, int value) {
        KernelThread.pause();
        return (int) VOLATILE_INT.getAndSet(p.segment, p.offset, value);
    }

    static int cas(I32Ptr p, int expected, int value, Scope scope, Order order) {
        if (order.releases()) {
            Fence.acquireRelease(scope);
        }
        int old = scope == Scope.DEVICE
                ? casDevice(p, expected, value)
                : scope == Scope.BLOCK
                        ? casBlock(p, expected, value)
                        : scope == Scope.SYSTEM ? casSystem(p, expected, value) : casCluster(p, expected, value);
        if (order.acquires()) {
            Fence.acquireRelease(scope);
        }
        return old;
    }

    @InlinePtx("atom.relaxed.cta.cas.b32 $0, [$1], $2, $3;")
    private static int casBlock(I32Ptr p, int expected, int value) {
        return cas(p, expected, value);
    }

    @InlinePtx("atom.relaxed.cluster.cas.b32 $0, [$1], $2, $3;")
    private static int casCluster(I32Ptr p, int expected, int value) {
        return cas(p, expected, value);
    }

    @DeviceFunction("cmpxchg.i32")
    private static int casDevice(I32Ptr p, int expected, int value) {
        return cas(p, expected, value);
    }

    @InlinePtx("atom.relaxed.sys.cas.b32 $0, [$1], $2, $3;")
    private static int casSystem(I32Ptr p, int expected, int value) {
        return cas(p, expected, value);
    }

    private static int cas(I32Ptr p, int expected, int value) {
        KernelThread.pause();
        return (int) VOLATILE_INT.compareAndExchange(p.segment, p.offset, expected, value);
    }

    static int inc(I32Ptr p, int value, Scope scope, Order order) {
        if (order.releases()) {
            Fence.acquireRelease(scope);
        }
        int old = scope == Scope.DEVICE
                ? incDevice(p, value)
                : scope == Scope.BLOCK
                        ? incBlock(p, value)
                        : scope == Scope.SYSTEM ? incSystem(p, value) : incCluster(p, value);
        if (order.acquires()) {
            Fence.acquireRelease(scope);
        }
        return old;
    }

    @InlinePtx("atom.relaxed.cta.inc.u32 $0, [$1], $2;")
    private static int incBlock(I32Ptr p, int value) {
        return inc(p, value);
    }

    @InlinePtx("atom.relaxed.cluster.inc.u32 $0, [$1], $2;")
    private static int incCluster(I32Ptr p, int value) {
        return inc(p, value);
    }

    @InlinePtx("atom.relaxed.gpu.inc.u32 $0, [$1], $2;")
    private static int incDevice(I32Ptr p, int value) {
        return inc(p, value);
    }

    @InlinePtx("atom.relaxed.sys.inc.u32 $0, [$1], $2;")
    private static int incSystem(I32Ptr p, int value) {
        return inc(p, value);
    }

    private static int inc(I32Ptr p, int value) {
        while (true) {
            int old = (int) VOLATILE_INT.getVolatile(p.segment, p.offset);
            if (VOLATILE_INT.compareAndSet(
                    p.segment, p.offset, old, Integer.compareUnsigned(old, value) >= 0 ? 0 : old + 1)) {
                return old;
            }
        }
    }

    static int dec(I32Ptr p, int value, Scope scope, Order order) {
        if (order.releases()) {
            Fence.acquireRelease(scope);
        }
        int old = scope == Scope.DEVICE
                ? decDevice(p, value)
                : scope == Scope.BLOCK
                        ? decBlock(p, value)
                        : scope == Scope.SYSTEM ? decSystem(p, value) : decCluster(p, value);
        if (order.acquires()) {
            Fence.acquireRelease(scope);
        }
        return old;
    }

    @InlinePtx("atom.relaxed.cta.dec.u32 $0, [$1], $2;")
    private static int decBlock(I32Ptr p, int value) {
        return dec(p, value);
    }

    @InlinePtx("atom.relaxed.cluster.dec.u32 $0, [$1], $2;")
    private static int decCluster(I32Ptr p, int value) {
        return dec(p, value);
    }

    @InlinePtx("atom.relaxed.gpu.dec.u32 $0, [$1], $2;")
    private static int decDevice(I32Ptr p, int value) {
        return dec(p, value);
    }

    @InlinePtx("atom.relaxed.sys.dec.u32 $0, [$1], $2;")
    private static int decSystem(I32Ptr p, int value) {
        return dec(p, value);
    }

    private static int dec(I32Ptr p, int value) {
        while (true) {
            int old = (int) VOLATILE_INT.getVolatile(p.segment, p.offset);
            if (VOLATILE_INT.compareAndSet(
                    p.segment, p.offset, old, old == 0 || Integer.compareUnsigned(old, value) > 0 ? value : old - 1)) {
                return old;
            }
        }
    }

    static float add(F32Ptr p, float value, Scope scope, Order order) {
        if (order.releases()) {
            Fence.acquireRelease(scope);
        }
        float old = scope == Scope.DEVICE
                ? addDevice(p, value)
                : scope == Scope.BLOCK
                        ? addBlock(p, value)
                        : scope == Scope.SYSTEM ? addSystem(p, value) : addCluster(p, value);
        if (order.acquires()) {
            Fence.acquireRelease(scope);
        }
        return old;
    }

    @InlinePtx("atom.relaxed.cta.add.f32 $0, [$1], $2;")
    private static float addBlock(F32Ptr p, float value) {
        return add(p, value);
    }

    @InlinePtx("atom.relaxed.cluster.add.f32 $0, [$1], $2;")
    private static float addCluster(F32Ptr p, float value) {
        return add(p, value);
    }

    @InlinePtx("atom.relaxed.gpu.add.f32 $0, [$1], $2;")
    private static float addDevice(F32Ptr p, float value) {
        return add(p, value);
    }

    @InlinePtx("atom.relaxed.sys.add.f32 $0, [$1], $2;")
    private static float addSystem(F32Ptr p, float value) {
        return add(p, value);
    }

    private static float add(F32Ptr p, float value) {
        while (true) {
            int old = (int) VOLATILE_INT.getVolatile(p.segment, p.offset);
            float before = Float.intBitsToFloat(old);
            if (VOLATILE_INT.compareAndSet(p.segment, p.offset, old, Float.floatToRawIntBits(before + value))) {
                return before;
            }
        }
    }

    static int getAcquire(I32Ptr p, Scope scope) {
        return scope == Scope.DEVICE
                ? acquireDevice(p)
                : scope == Scope.BLOCK ? acquireBlock(p) : scope == Scope.SYSTEM ? acquireSystem(p) : acquireCluster(p);
    }

    @InlinePtx("ld.acquire.cta.b32 $0, [$1];")
    private static int acquireBlock(I32Ptr p) {
        return p.getVolatile(0);
    }

    @InlinePtx("ld.acquire.cluster.b32 $0, [$1];")
    private static int acquireCluster(I32Ptr p) {
        return p.getVolatile(0);
    }

    @InlinePtx("ld.acquire.gpu.b32 $0, [$1];")
    private static int acquireDevice(I32Ptr p) {
        return p.getVolatile(0);
    }

    @InlinePtx("ld.acquire.sys.b32 $0, [$1];")
    private static int acquireSystem(I32Ptr p) {
        return p.getVolatile(0);
    }

    static void setRelease(I32Ptr p, int value, Scope scope) {
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

    @InlinePtx("st.release.cta.b32 [$1], $2;")
    private static void releaseBlock(I32Ptr p, int value) {
        p.setVolatile(0, value);
    }

    @InlinePtx("st.release.cluster.b32 [$1], $2;")
    private static void releaseCluster(I32Ptr p, int value) {
        p.setVolatile(0, value);
    }

    @InlinePtx("st.release.gpu.b32 [$1], $2;")
    private static void releaseDevice(I32Ptr p, int value) {
        p.setVolatile(0, value);
    }

    @InlinePtx("st.release.sys.b32 [$1], $2;")
    private static void releaseSystem(I32Ptr p, int value) {
        p.setVolatile(0, value);
    }

    @InlinePtx("atom.relaxed.gpu.add.noftz.f16x2 $0, [$1], $2;")
    static int addHalf2(I32Ptr p, int value) {
        while (true) {
            int old = (int) VOLATILE_INT.getVolatile(p.segment, p.offset);
            int sum = new Half2(old).add(new Half2(value)).bits();
            if (VOLATILE_INT.compareAndSet(p.segment, p.offset, old, sum)) {
                return old;
            }
        }
    }

    /** By comparing and swapping: an instruction for it begins with sm_90. */
    static int addBfloat162(I32Ptr p, int value) {
        int old = p.getVolatile(0);
        while (true) {
            int seen = cas(p, old, new BFloat162(old).add(new BFloat162(value)).bits(), Scope.DEVICE, Order.RELAXED);
            if (seen == old) {
                return old;
            }
            old = seen;
        }
    }
}
