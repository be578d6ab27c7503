// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.math;

import org.comm4j.kernel.lang.Gpu;
import org.comm4j.kernel.lang.I64Ptr;
import org.comm4j.kernel.lang.Scope;

/** Waits of a kernel for another rank. */
final class PeerWaits {
    /** Looks at what is waited for, before somebody looks at the clock. */
    static final int POLLS = 256;

    /** What {@link #nap} returns when nobody waits any more. */
    static final long IN_VAIN = -1;

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
                start = nap(start, rank, limit, report);
                if (start == IN_VAIN) {
                    return false;
                }
            }
        }
        return flag.getAcquire(0, Scope.SYSTEM) >= turn;
    }

    /**
     * Sleeps for a moment, unless the wait is over without success.
     *
     * @param start when the wait began; 0 at first
     * @return when it began; {@link #IN_VAIN} if the limit is over, which is reported, or somebody has reported so
     */
    static long nap(long start, int rank, long limit, I64Ptr report) {
        if (report.getVolatile(0) != 0) {
            return IN_VAIN;
        }
        long now = Gpu.globalTimer();
        if (start != 0 && limit > 0 && now - start > limit) {
            report.setVolatile(0, rank + 1L);
            return IN_VAIN;
        }
        Gpu.nanosleep(NAP_NANOS);
        return start == 0 ? now : start;
    }
}
