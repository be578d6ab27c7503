// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.math;

import org.comm4j.kernel.lang.Gpu;
import org.comm4j.kernel.lang.I64Ptr;
import org.comm4j.kernel.lang.Scope;

/** Waits of a kernel for another rank. */
final class PeerWaits {
    /** Looks at what is waited for, before somebody looks at the clock. */
    private static final int POLLS = 256;

    private static final int NAP_NANOS = 40;

    private PeerWaits() {}

    /**
     * Waits until a flag is at least {@code turn}; what was written before it is seen then.
     *
     * @param rank who raises it
     * @param limit nanoseconds; 0 for no limit
     * @param report where it is told who was waited for in vain, after which nobody waits
     * @return whether it is
     */
    static boolean until(I64Ptr flag, long turn, int rank, long limit, I64Ptr report) {
        long start = 0;
        int polls = 0;
        while (flag.getVolatile(0) < turn) {
            if (++polls % POLLS == 0) {
                if (report.getVolatile(0) != 0) {
                    return false;
                }
                long now = Gpu.globalTimer();
                if (start == 0) {
                    start = now;
                } else if (limit > 0 && now - start > limit) {
                    report.setVolatile(0, rank + 1L);
                    return false;
                }
                Gpu.nanosleep(NAP_NANOS);
            }
        }
        return flag.getAcquire(0, Scope.SYSTEM) >= turn;
    }
}
