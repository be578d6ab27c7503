// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.device;

import java.util.concurrent.locks.LockSupport;
import org.comm4j.kernel.CpuContext;
import org.comm4j.kernel.lang.I32Ptr;
import org.comm4j.kernel.lang.I64Ptr;
import org.comm4j.kernel.lang.InlinePtx;
import org.comm4j.kernel.lang.KernelLibrary;
import org.comm4j.kernel.lang.Long2;

/**
 * Loads and stores that other GPUs take part in: relaxed, of the whole system, in global memory. Each 64 bits of a pair
 * are written and read at once.
 */
@KernelLibrary
final class Wire {
    private static final long NAP_NANOS = 20_000;

    private Wire() {}

    @InlinePtx("{ .reg .b64 a; cvta.to.global.u64 a, $2; ld.relaxed.sys.global.v2.b64 {$0, $1}, [a]; }")
    static Long2 load2(I64Ptr p) {
        return new Long2(p.getVolatile(0), p.getVolatile(1));
    }

    @InlinePtx("{ .reg .b64 a; cvta.to.global.u64 a, $1; st.relaxed.sys.global.v2.b64 [a], {$2, $3}; }")
    static void store2(I64Ptr p, long x, long y) {
        p.setVolatile(0, x);
        p.setVolatile(1, y);
    }

    @InlinePtx("{ .reg .b64 a; cvta.to.global.u64 a, $1; ld.relaxed.sys.global.b32 $0, [a]; }")
    static int load(I32Ptr p) {
        return p.getVolatile(0);
    }

    @InlinePtx("{ .reg .b64 a; cvta.to.global.u64 a, $1; st.relaxed.sys.global.b32 [a], $2; }")
    static void store(I32Ptr p, int value) {
        p.setVolatile(0, value);
    }

    /**
     * Lets others run. On the CPU, what is waited for may be another process, and a long wait is told.
     *
     * @param start when the wait began, in nanoseconds of the clock of all; 0 if it has just begun
     * @param peer who is waited for
     */
    @InlinePtx("nanosleep.u32 40;")
    static void nap(long start, int peer) {
        CpuContext.pause();
        CpuPe.tell(start, peer);
        LockSupport.parkNanos(NAP_NANOS);
    }
}
