// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.device;

import org.comm4j.kernel.CpuContext;
import org.comm4j.kernel.lang.DeviceFunction;
import org.comm4j.kernel.lang.Gpu;
import org.comm4j.kernel.lang.I64Ptr;
import org.comm4j.kernel.lang.KernelLibrary;

/**
 * How long kernels wait for another rank, and where they tell the host that one did not come. Kernels that have given
 * up once do not wait again.
 *
 * @param state of this GPU: what was waited for in vain, 0 as long as nothing was; the limit in nanoseconds, 0 for none
 * @param report of the host: what was waited for in vain
 * @param firstRank the rank in the communicator of rank 0 of the team
 * @param rankStep from one rank of the team to the next
 */
@KernelLibrary
public record WaitLimit(I64Ptr state, I64Ptr report, int firstRank, int rankStep) {
    /**
     * What is reported: a rank did not come to a barrier, or did not send an element; or there is no such barrier,
     * block or element.
     */
    static final int BARRIER = 1;

    static final int ELEMENT = 2;
    static final int NO_BARRIER = 3;
    static final int NO_BLOCK = 4;
    static final int NO_ELEMENT = 5;
    static final int NO_RANK = 6;

    /**
     * Of the network: a signal or counter did not grow, a rank did not come to a barrier; or there is no such thing.
     */
    static final int SIGNAL = 7;

    static final int COUNTER = 8;
    static final int NETWORK_BARRIER = 9;
    static final int NO_PEER = 10;
    static final int NO_SIGNAL = 11;
    static final int NO_COUNTER = 12;
    static final int NO_NETWORK_BARRIER = 13;
    static final int NOT_INSIDE = 14;

    /** Looks at what is waited for, before somebody looks at the clock. */
    static final int POLLS = 256;

    private static final int INDEX_BITS = 32;
    private static final int RANK_BITS = 24;

    /** Something that happened: what, the number of the barrier or element, the rank. */
    static long code(int what, int index, int rank) {
        return (long) what << (INDEX_BITS + RANK_BITS) | (long) rank << INDEX_BITS | index & 0xffff_ffffL;
    }

    static int what(long code) {
        return (int) (code >>> (INDEX_BITS + RANK_BITS));
    }

    static int index(long code) {
        return (int) code;
    }

    static int rank(long code) {
        return (int) (code >>> INDEX_BITS) & (1 << RANK_BITS) - 1;
    }

    /** Tells the host; the first one who does is heard. */
    void report(int what, int index, int member) {
        long code = code(what, index, firstRank + member * rankStep);
        if (state.atomicCas(0, 0, code) == 0) {
            report.setVolatile(0, code);
        }
    }

    /**
     * To be called now and then by who waits.
     *
     * @param start what it has returned before, 0 at first
     * @return below 0 if the time is over
     */
    long lookAround(long start, int what, int index, int member) {
        waits();
        if (state.getVolatile(0) != 0) {
            return -1;
        }
        long now = Gpu.globalTimer();
        long limit = state.getVolatile(1);
        if (start != 0 && limit > 0 && now - start > limit) {
            report(what, index, member);
            return -1;
        }
        Wire.nap(start, firstRank + member * rankStep);
        return start == 0 ? now : start;
    }

    /** Says of a kernel that it waits for blocks of others, so that all of its own have to run. */
    @DeviceFunction(value = "llvm.donothing", cooperative = true)
    private static void waits() {
        CpuContext.pause();
    }
}
