// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.device;

import org.comm4j.core.ReduceOp;
import org.comm4j.kernel.Constant;
import org.comm4j.kernel.F32Ptr;
import org.comm4j.kernel.F64Ptr;
import org.comm4j.kernel.I16Ptr;
import org.comm4j.kernel.I32Ptr;
import org.comm4j.kernel.I64Ptr;
import org.comm4j.kernel.I8Ptr;
import org.comm4j.kernel.Kernel;

/** Collectives of a team. */
final class CollectiveKernels {
    private CollectiveKernels() {}

    @Kernel
    static void sumBlock(ShmemTeam team, F32Ptr destination, F32Ptr source, long count) {
        ShmemBlock.reduce(team, destination, source, count, ReduceOp.SUM);
    }

    @Kernel
    static void maxWarp(ShmemTeam team, I64Ptr destination, I64Ptr source, long count) {
        ShmemWarp.reduce(team, destination, source, count, ReduceOp.MAX);
    }

    @Kernel
    static void xor(ShmemTeam team, I32Ptr destination, I32Ptr source, long count) {
        Shmem.reduce(team, destination, source, count, ReduceOp.BXOR);
    }

    @Kernel
    static void reduceScatter(
            @Constant ReduceOp op, ShmemTeam team, F64Ptr destination, F64Ptr source, long count) {
        ShmemBlock.reduceScatter(team, destination, source, count, op);
    }

    @Kernel
    static void broadcast(ShmemTeam team, I16Ptr destination, I16Ptr source, long count, int root) {
        ShmemBlock.broadcast(team, destination, source, count, root);
    }

    @Kernel
    static void fcollect(ShmemTeam team, F32Ptr destination, F32Ptr source, long count) {
        ShmemBlock.fcollect(team, destination, source, count);
    }

    @Kernel
    static void allToAll(ShmemTeam team, I8Ptr destination, I8Ptr source, long count) {
        ShmemBlock.allToAll(team, destination, source, count);
    }

    @Kernel
    static void barriers(I64Ptr out) {
        ShmemTeam world = ShmemTeam.world();
        Shmem.p(out, world.rank() + 1L, (world.rank() + 1) % world.size());
        ShmemBlock.barrierAll();
        long seen = out.getVolatile(0);
        ShmemBlock.syncAll();
        Shmem.p(out, 10 * seen, (world.rank() + 1) % world.size());
        ShmemBlock.barrier(world);
        out.set(1, out.getVolatile(0));
        ShmemBlock.sync(world);
    }
}
