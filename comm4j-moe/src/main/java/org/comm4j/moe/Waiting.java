// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.moe;

import java.util.concurrent.locks.LockSupport;
import org.comm4j.kernel.CpuContext;
import org.comm4j.kernel.lang.Gpu;
import org.comm4j.kernel.lang.I32Ptr;
import org.comm4j.kernel.lang.I64Ptr;
import org.comm4j.kernel.lang.I8Ptr;
import org.comm4j.kernel.lang.InlinePtx;
import org.comm4j.kernel.lang.KernelLibrary;
import org.comm4j.kernel.lang.Scope;

/** Waits of kernels for words of other PEs: they end when the time is over, and tell the host for whom they waited. */
@KernelLibrary
final class Waiting {
    /** What is waited for: a PE's counts, its rows, its results, that it comes to a meeting. */
    static final int COUNTS = 1;

    static final int ROWS = 2;
    static final int RESULTS = 3;

    static final int MEETING = 4;

    /** What others write as the status of a PE that they have excluded. */
    static final long EXCLUDED = 1L << 63;

    /** In a report: what was waited for, above the line of memory where its dispatch begins, above the PE. */
    static final int WHAT_SHIFT = 60;

    static final int SLOT_SHIFT = 24;

    private static final long NAP_NANOS = 20_000;

    private Waiting() {}

    /** Returns whether the word has become this epoch; what its writer wrote before is seen then. */
    static boolean flag(MoeSpace space, I32Ptr word, int epoch, int what, int pe) {
        long start = 0;
        int polls = 0;
        while (word.getAcquire(0, Scope.SYSTEM) != epoch) {
            if ((++polls & pollsMask()) == 0) {
                start = lookAround(space, start, what, pe);
                if (start < 0) {
                    return false;
                }
            }
        }
        return true;
    }

    /** Returns whether the word has become this number or one behind it; what its writer wrote before is seen then. */
    static boolean atLeast(MoeSpace space, I32Ptr word, int number, int pe) {
        long start = 0;
        int polls = 0;
        while (word.getAcquire(0, Scope.SYSTEM) - number < 0) {
            if ((++polls & pollsMask()) == 0) {
                start = lookAround(space, start, MEETING, pe);
                if (start < 0) {
                    return false;
                }
            }
        }
        return true;
    }

    /**
     * Returns what a PE wrote with this epoch; below 0 if it did not come.
     *
     * @param found what the word was a moment ago
     */
    static int count(MoeSpace space, I64Ptr word, long found, int epoch, int pe) {
        long start = 0;
        int polls = 0;
        long value = found;
        while ((int) (value >>> 32) != epoch) {
            if ((++polls & pollsMask()) == 0) {
                start = lookAround(space, start, COUNTS, pe);
                if (start < 0) {
                    return -1;
                }
            }
            value = word.getVolatile(0);
        }
        return (int) value;
    }

    /**
     * To be called now and then by who waits.
     *
     * @param start what it has returned before, 0 at first
     * @return below 0 if the time is over
     */
    private static long lookAround(MoeSpace space, long start, int what, int pe) {
        I64Ptr status = space.status();
        long told = status.getVolatile(0);
        if (told == EXCLUDED) {
            space.report().setVolatile(MoeSpace.REPORT_WAIT, EXCLUDED);
        }
        if (told != 0) {
            return -1;
        }
        long now = Gpu.globalTimer();
        long limit = space.limit().getVolatile(0);
        if (start != 0 && limit > 0 && now - start > limit) {
            long code = (long) what << WHAT_SHIFT | space.slot() / MoeMemory.LINE << SLOT_SHIFT | pe;
            // The host, too, finds the first one that is told.
            if (status.atomicCas(0, 0, code) == 0) {
                space.report().setVolatile(MoeSpace.REPORT_WAIT, code);
            }
            return -1;
        }
        nap(space.base(), start, pe);
        return start == 0 ? now : start;
    }

    /**
     * Looks at what is waited for, before somebody looks at the clock: a power of two, less 1. Few on the CPU, where
     * PEs that wait take processors from those that they wait for.
     */
    @InlinePtx(value = "mov.u32 $0, 255;", effects = false)
    private static int pollsMask() {
        return 3;
    }

    /** Others may run. On the CPU, what is waited for may be another process, which may have died. */
    @InlinePtx("nanosleep.u32 40;")
    private static void nap(I8Ptr base, long start, int pe) {
        CpuContext.pause();
        CpuExperts.lookAround(base.memory().address(), start, pe);
        LockSupport.parkNanos(NAP_NANOS);
    }
}
