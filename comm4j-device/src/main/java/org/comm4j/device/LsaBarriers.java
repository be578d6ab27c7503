// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.device;

import org.comm4j.kernel.lang.I32Ptr;
import org.comm4j.kernel.lang.I8Ptr;
import org.comm4j.kernel.lang.KernelLibrary;
import org.comm4j.kernel.lang.Order;
import org.comm4j.kernel.lang.Scope;

/**
 * Barriers of the ranks of an LSA team, or of some of them, in a kernel: an argument by value, made by {@link
 * NcclDevice#barriers}. They lie in memory as those of NCCL's {@code ncclLsaBarrierSession} do.
 *
 * <p>A barrier, by its number, is used by one group of threads of each rank at a time, most often by the block of the
 * same number. {@code coop} and {@code order} are constants; all threads of {@code coop} call with the same arguments.
 *
 * @param flat where rank 0's begin
 * @param stride bytes from one rank's to the next one's
 * @param rank of this GPU among those that meet
 * @param size how many meet
 * @param count how many barriers there are
 * @param limit of waiting
 */
@KernelLibrary
public record LsaBarriers(I8Ptr flat, long stride, int rank, int size, int count, WaitLimit limit) {
    /** {@link #sync(Coop, int, Order)} with {@link Order#ACQ_REL}. */
    public boolean sync(Coop coop, int index) {
        return sync(coop, index, Order.ACQ_REL);
    }

    /**
     * Waits until all ranks have come ({@code ncclLsaBarrierSession::sync}).
     *
     * @param index of the barrier
     * @param order what the threads wrote before is seen by who comes out of it with {@code ACQUIRE} if they came with
     *     {@code RELEASE}
     * @return whether all came; false when one did not in time, or there is no such barrier, which {@link
     *     NcclDevice#check} then says
     */
    public boolean sync(Coop coop, int index, Order order) {
        arrive(coop, index, order);
        return await(coop, index, order);
    }

    /**
     * Tells the other ranks that this one has come, and goes on ({@code ncclLsaBarrierSession::arrive}); {@link #await}
     * follows.
     */
    public void arrive(Coop coop, int index, Order order) {
        coop.sync();
        if (index >= 0 && index < count) {
            int epoch = epoch(index).get(0) + 1;
            for (int i = coop.rank(); i < size - 1; i += coop.size()) {
                I32Ptr inbox = inbox(other(i), index, rank);
                if (order == Order.RELEASE || order == Order.ACQ_REL) {
                    inbox.setRelease(0, epoch, Scope.SYSTEM);
                } else {
                    Wire.store(inbox, epoch);
                }
            }
        }
    }

    /**
     * Waits until the others have come, after {@link #arrive} with the same arguments ({@code
     * ncclLsaBarrierSession::wait}); returns what {@link #sync} does.
     */
    public boolean await(Coop coop, int index, Order order) {
        if (index < 0 || index >= count) {
            limit.report(WaitLimit.NO_BARRIER, index, rank);
            coop.sync();
            return false;
        }
        int epoch = epoch(index).get(0) + 1;
        boolean met = true;
        for (int i = coop.rank(); i < size - 1; i += coop.size()) {
            int peer = other(i);
            met &= await(inbox(rank, index, peer), epoch, index, peer, order);
        }
        met = coop.all(met);
        // All have read it, and nobody does so again before the next arrive has begun.
        if (coop.rank() == 0) {
            epoch(index).set(0, epoch);
        }
        return met;
    }

    private boolean await(I32Ptr inbox, int epoch, int index, int peer, Order order) {
        boolean acquires = order == Order.ACQUIRE || order == Order.ACQ_REL;
        long start = 0;
        int polls = 0;
        // The other one may be further; epochs begin anew after 2^32.
        while ((acquires ? inbox.getAcquire(0, Scope.SYSTEM) : Wire.load(inbox)) - epoch < 0) {
            if (++polls % WaitLimit.POLLS == 0) {
                start = limit.lookAround(start, WaitLimit.BARRIER, index, peer);
                if (start < 0) {
                    return false;
                }
            }
        }
        return true;
    }

    /** The i-th rank that is not this one. */
    private int other(int i) {
        return i < rank ? i : i + 1;
    }

    /** How often a barrier has been passed: behind those of the barriers that use multicast. */
    private I32Ptr epoch(int index) {
        return place(rank, count + index);
    }

    /**
     * Where a peer writes to which epoch it has come: behind the epochs, and the counters of the barriers that use
     * multicast.
     */
    private I32Ptr inbox(int owner, int index, int peer) {
        return place(owner, 3L * count + (long) index * size + peer);
    }

    private I32Ptr place(int owner, long word) {
        return flat.plus(owner * stride + 4 * word).asI32();
    }
}
