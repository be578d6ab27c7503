// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.device;

import org.comm4j.kernel.BlockDim;
import org.comm4j.kernel.I64Ptr;
import org.comm4j.kernel.Kernel;
import org.comm4j.kernel.ThreadIdx;
import org.comm4j.kernel.Warp;

/** What older versions of NVSHMEM have not: the source of a put is used again before the put is complete. */
final class FlushKernels {
    private FlushKernels() {}

    /** Two values for the next PE from one source. */
    @Kernel
    static void flushThread(I64Ptr destination, I64Ptr source, long count) {
        int next = (Shmem.myPe() + 1) % Shmem.nPes();
        Shmem.putNbi(destination, source, count, next);
        Shmem.flush();
        for (long i = 0; i < count; i++) {
            source.set(i, -source.get(i));
        }
        Shmem.putNbi(destination.plus(count), source, count, next);
        Shmem.quiet();
    }

    /** The same, by a warp; lane i has element i. */
    @Kernel
    static void flushWarp(I64Ptr destination, I64Ptr source, long count) {
        int next = (Shmem.myPe() + 1) % Shmem.nPes();
        ShmemWarp.putNbi(destination, source, count, next);
        ShmemWarp.flush();
        for (long i = Warp.laneId(); i < count; i += 32) {
            source.set(i, -source.get(i));
        }
        ShmemWarp.putNbi(destination.plus(count), source, count, next);
        Shmem.quiet();
    }

    /** The same, by a block. */
    @Kernel
    static void flushBlock(I64Ptr destination, I64Ptr source, long count) {
        int next = (Shmem.myPe() + 1) % Shmem.nPes();
        ShmemBlock.putNbi(destination, source, count, next);
        ShmemBlock.flush();
        for (long i = ThreadIdx.x(); i < count; i += BlockDim.x()) {
            source.set(i, -source.get(i));
        }
        ShmemBlock.putNbi(destination.plus(count), source, count, next);
        Shmem.quiet();
    }
}
