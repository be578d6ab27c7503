// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.moe;

import org.comm4j.kernel.lang.BlockDim;
import org.comm4j.kernel.lang.BlockIdx;
import org.comm4j.kernel.lang.F32Ptr;
import org.comm4j.kernel.lang.GridDim;
import org.comm4j.kernel.lang.Kernel;
import org.comm4j.kernel.lang.ThreadIdx;

/** Kernels that add what replicas of an expert have. */
final class ReplicaKernels {
    private ReplicaKernels() {}

    /**
     * Adds the elements of all replicas of each local expert, in the order of PEs.
     *
     * @param to by local expert
     * @param from by local expert of each PE, in bytes from the beginning of its memory
     * @param elements of an expert
     */
    @Kernel
    static void sum(MoeSpace space, F32Ptr to, long from, long elements) {
        int first = space.first(space.me());
        long all = space.local(space.me()) * elements;
        long step = (long) GridDim.x() * BlockDim.x();
        for (long i = (long) BlockIdx.x() * BlockDim.x() + ThreadIdx.x(); i < all; i += step) {
            int local = (int) (i / elements);
            int expert = space.expert(first + local);
            int replicas = space.replicas(expert);
            float sum = 0;
            for (int replica = 0; replica < replicas; replica++) {
                int slot = space.replica(expert, replica);
                int pe = space.owner(slot);
                long at = (slot - space.first(pe)) * elements + i - local * elements;
                sum += space.at(pe).plus(from).asF32().get(at);
            }
            to.set(i, sum);
        }
    }
}
