// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.device;

import org.comm4j.kernel.lang.I64Ptr;
import org.comm4j.kernel.lang.KernelLibrary;

/**
 * Barriers of a team of ranks over the network, in a kernel: an argument by value, made by {@link
 * NcclDevice#ginBarriers}. They use signals as NCCL's {@code ncclGinBarrierSession} does.
 *
 * <p>A barrier, by its number, is used by one group of threads of each rank at a time, most often by the block of the
 * same number.
 *
 * @param gin of the team
 * @param firstSignal of the first barrier; each has one for each rank of the team
 * @param count how many barriers there are
 */
@KernelLibrary
public record GinBarriers(Gin gin, int firstSignal, int count) {
    /** {@link #sync(Coop, int, boolean, boolean)} with both. */
    public boolean sync(Coop coop, int index) {
        return sync(coop, index, true, true);
    }

    /**
     * Waits until all ranks of the team have come ({@code ncclGinBarrierSession::sync}).
     *
     * @param index of the barrier
     * @param puts whether what others have put to this rank before through the same context is there then ({@code
     *     ncclGinFenceLevel::Put})
     * @param gets whether what this rank has got before is there then ({@code ncclGinFenceLevel::Get})
     * @return whether all came; false when one did not in time, or there is no such barrier, which {@link
     *     NcclDevice#check} then says
     */
    public boolean sync(Coop coop, int index, boolean puts, boolean gets) {
        coop.sync();
        if (index < 0 || index >= count) {
            gin.limit().report(WaitLimit.NO_NETWORK_BARRIER, index, gin.rank());
            coop.sync();
            return false;
        }
        int first = firstSignal + index * gin.size();
        if (puts && !GinFunctions.ordered(gin.comm(), gin.context())) {
            gin.flush(coop);
        }
        // What this rank has put to itself is waited for, too. It comes last.
        int peers = puts ? gin.size() : gin.size() - 1;
        for (int i = coop.rank(); i < peers; i += coop.size()) {
            gin.signal(Coop.THREAD, peer(i), first + gin.rank());
        }
        boolean met = true;
        for (int i = coop.rank(); i < peers; i += coop.size()) {
            met &= await(peer(i), first + peer(i), index);
        }
        if (gets) {
            gin.flush(coop);
        }
        return coop.all(met);
    }

    /** The i-th rank after this one. */
    private int peer(int i) {
        int peer = gin.rank() + 1 + i;
        return peer < gin.size() ? peer : peer - gin.size();
    }

    private boolean await(int peer, int signal, int index) {
        // NCCL's own barriers count in the lower half.
        I64Ptr shadow = gin.shadow(signal);
        int next = shadow.asI32().get(0) + 1;
        long start = 0;
        int polls = 0;
        while ((int) gin.readSignal(signal) - next < 0) {
            if (++polls % WaitLimit.POLLS == 0) {
                start = gin.limit().lookAround(start, WaitLimit.NETWORK_BARRIER, index, peer);
                if (start < 0) {
                    return false;
                }
            }
        }
        shadow.asI32().set(0, next);
        return true;
    }
}
