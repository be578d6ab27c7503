// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.device;

import org.comm4j.kernel.lang.BlockDim;
import org.comm4j.kernel.lang.Constant;
import org.comm4j.kernel.lang.I64Ptr;
import org.comm4j.kernel.lang.Kernel;
import org.comm4j.kernel.lang.ThreadIdx;

/** What older versions of NVSHMEM have not: the source of a put is used again before the put is complete. */
final class FlushKernels {
    private FlushKernels() {}

    /**
     * Elements for the next PE, and the same with the other sign, from one source, at each scope: 0 is a thread, 1 a
     * warp, 2 a block.
     */
    @Kernel
    static void flush(@Constant int scope, I64Ptr destination, I64Ptr source, long count) {
        int next = (Shmem.myPe() + 1) % Shmem.nPes();
        switch (scope) {
            case 0 -> {
                Shmem.putNbi(destination, source, count, next);
                Shmem.flush();
            }
            case 1 -> {
                ShmemWarp.putNbi(destination, source, count, next);
                ShmemWarp.flush();
            }
            default -> {
                ShmemBlock.putNbi(destination, source, count, next);
                ShmemBlock.flush();
            }
        }
        for (long i = ThreadIdx.x(); i < count; i += BlockDim.x()) {
            source.set(i, -source.get(i));
        }
        switch (scope) {
            case 0 -> Shmem.putNbi(destination.plus(count), source, count, next);
            case 1 -> ShmemWarp.putNbi(destination.plus(count), source, count, next);
            default -> ShmemBlock.putNbi(destination.plus(count), source, count, next);
        }
        Shmem.quiet();
    }
}
