// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.device;

import org.comm4j.core.ReduceOp;
import org.comm4j.kernel.lang.BF16Ptr;
import org.comm4j.kernel.lang.Constant;
import org.comm4j.kernel.lang.F16Ptr;
import org.comm4j.kernel.lang.F32Ptr;
import org.comm4j.kernel.lang.F64Ptr;
import org.comm4j.kernel.lang.I16Ptr;
import org.comm4j.kernel.lang.I32Ptr;
import org.comm4j.kernel.lang.I64Ptr;
import org.comm4j.kernel.lang.I8Ptr;
import org.comm4j.kernel.lang.Kernel;

/** Collectives of a team, at each scope: 0 is a thread, 1 a warp, 2 a block. */
final class CollectiveKernels {
    private CollectiveKernels() {}

    @Kernel
    static void sumBlock(ShmemTeam team, F32Ptr destination, F32Ptr source, long count) {
        ShmemBlock.reduce(team, destination, source, count, ReduceOp.SUM);
    }

    /** An operation that is known only when the kernel runs. */
    @Kernel
    static void reduceBlock(ShmemTeam team, I32Ptr destination, F32Ptr floats, long count, ReduceOp op) {
        ShmemBlock.reduce(team, destination, destination, count, op);
        ShmemBlock.reduceScatter(team, floats, floats, count, op);
    }

    /** A value of this PE and its number, to the greatest value and whose it is. */
    @Kernel
    static void maxLoc(ShmemTeam team, F64Ptr greatest, F64Ptr mine) {
        ShmemBlock.maxLoc(team, greatest, mine);
    }

    @Kernel
    static void reduceI8(
            @Constant int scope,
            @Constant ReduceOp op,
            ShmemTeam team,
            I8Ptr reduced,
            I8Ptr scattered,
            I8Ptr source,
            long count) {
        switch (scope) {
            case 0 -> {
                Shmem.reduce(team, reduced, source, count, op);
                Shmem.reduceScatter(team, scattered, source, count, op);
            }
            case 1 -> {
                ShmemWarp.reduce(team, reduced, source, count, op);
                ShmemWarp.reduceScatter(team, scattered, source, count, op);
            }
            default -> {
                ShmemBlock.reduce(team, reduced, source, count, op);
                ShmemBlock.reduceScatter(team, scattered, source, count, op);
            }
        }
    }

    @Kernel
    static void reduceI16(
            @Constant int scope,
            @Constant ReduceOp op,
            ShmemTeam team,
            I16Ptr reduced,
            I16Ptr scattered,
            I16Ptr source,
            long count) {
        switch (scope) {
            case 0 -> {
                Shmem.reduce(team, reduced, source, count, op);
                Shmem.reduceScatter(team, scattered, source, count, op);
            }
            case 1 -> {
                ShmemWarp.reduce(team, reduced, source, count, op);
                ShmemWarp.reduceScatter(team, scattered, source, count, op);
            }
            default -> {
                ShmemBlock.reduce(team, reduced, source, count, op);
                ShmemBlock.reduceScatter(team, scattered, source, count, op);
            }
        }
    }

    @Kernel
    static void reduceI32(
            @Constant int scope,
            @Constant ReduceOp op,
            ShmemTeam team,
            I32Ptr reduced,
            I32Ptr scattered,
            I32Ptr source,
            long count) {
        switch (scope) {
            case 0 -> {
                Shmem.reduce(team, reduced, source, count, op);
                Shmem.reduceScatter(team, scattered, source, count, op);
            }
            case 1 -> {
                ShmemWarp.reduce(team, reduced, source, count, op);
                ShmemWarp.reduceScatter(team, scattered, source, count, op);
            }
            default -> {
                ShmemBlock.reduce(team, reduced, source, count, op);
                ShmemBlock.reduceScatter(team, scattered, source, count, op);
            }
        }
    }

    @Kernel
    static void reduceI64(
            @Constant int scope,
            @Constant ReduceOp op,
            ShmemTeam team,
            I64Ptr reduced,
            I64Ptr scattered,
            I64Ptr source,
            long count) {
        switch (scope) {
            case 0 -> {
                Shmem.reduce(team, reduced, source, count, op);
                Shmem.reduceScatter(team, scattered, source, count, op);
            }
            case 1 -> {
                ShmemWarp.reduce(team, reduced, source, count, op);
                ShmemWarp.reduceScatter(team, scattered, source, count, op);
            }
            default -> {
                ShmemBlock.reduce(team, reduced, source, count, op);
                ShmemBlock.reduceScatter(team, scattered, source, count, op);
            }
        }
    }

    @Kernel
    static void reduceF16(
            @Constant int scope,
            @Constant ReduceOp op,
            ShmemTeam team,
            F16Ptr reduced,
            F16Ptr scattered,
            F16Ptr source,
            long count) {
        switch (scope) {
            case 0 -> {
                Shmem.reduce(team, reduced, source, count, op);
                Shmem.reduceScatter(team, scattered, source, count, op);
            }
            case 1 -> {
                ShmemWarp.reduce(team, reduced, source, count, op);
                ShmemWarp.reduceScatter(team, scattered, source, count, op);
            }
            default -> {
                ShmemBlock.reduce(team, reduced, source, count, op);
                ShmemBlock.reduceScatter(team, scattered, source, count, op);
            }
        }
    }

    @Kernel
    static void reduceBF16(
            @Constant int scope,
            @Constant ReduceOp op,
            ShmemTeam team,
            BF16Ptr reduced,
            BF16Ptr scattered,
            BF16Ptr source,
            long count) {
        switch (scope) {
            case 0 -> {
                Shmem.reduce(team, reduced, source, count, op);
                Shmem.reduceScatter(team, scattered, source, count, op);
            }
            case 1 -> {
                ShmemWarp.reduce(team, reduced, source, count, op);
                ShmemWarp.reduceScatter(team, scattered, source, count, op);
            }
            default -> {
                ShmemBlock.reduce(team, reduced, source, count, op);
                ShmemBlock.reduceScatter(team, scattered, source, count, op);
            }
        }
    }

    @Kernel
    static void reduceF32(
            @Constant int scope,
            @Constant ReduceOp op,
            ShmemTeam team,
            F32Ptr reduced,
            F32Ptr scattered,
            F32Ptr source,
            long count) {
        switch (scope) {
            case 0 -> {
                Shmem.reduce(team, reduced, source, count, op);
                Shmem.reduceScatter(team, scattered, source, count, op);
            }
            case 1 -> {
                ShmemWarp.reduce(team, reduced, source, count, op);
                ShmemWarp.reduceScatter(team, scattered, source, count, op);
            }
            default -> {
                ShmemBlock.reduce(team, reduced, source, count, op);
                ShmemBlock.reduceScatter(team, scattered, source, count, op);
            }
        }
    }

    @Kernel
    static void reduceF64(
            @Constant int scope,
            @Constant ReduceOp op,
            ShmemTeam team,
            F64Ptr reduced,
            F64Ptr scattered,
            F64Ptr source,
            long count) {
        switch (scope) {
            case 0 -> {
                Shmem.reduce(team, reduced, source, count, op);
                Shmem.reduceScatter(team, scattered, source, count, op);
            }
            case 1 -> {
                ShmemWarp.reduce(team, reduced, source, count, op);
                ShmemWarp.reduceScatter(team, scattered, source, count, op);
            }
            default -> {
                ShmemBlock.reduce(team, reduced, source, count, op);
                ShmemBlock.reduceScatter(team, scattered, source, count, op);
            }
        }
    }

    /** Pieces of the destination: what was broadcast, all that was gathered, what the members have sent. */
    @Kernel
    static void copyI8(@Constant int scope, ShmemTeam team, I8Ptr destination, I8Ptr source, long count) {
        I8Ptr gathered = destination.plus(count);
        I8Ptr sent = gathered.plus(count * team.size());
        switch (scope) {
            case 0 -> {
                Shmem.broadcast(team, destination, source, count, team.size() - 1);
                Shmem.fcollect(team, gathered, source, count);
                Shmem.allToAll(team, sent, source, count);
            }
            case 1 -> {
                ShmemWarp.broadcast(team, destination, source, count, team.size() - 1);
                ShmemWarp.fcollect(team, gathered, source, count);
                ShmemWarp.allToAll(team, sent, source, count);
            }
            default -> {
                ShmemBlock.broadcast(team, destination, source, count, team.size() - 1);
                ShmemBlock.fcollect(team, gathered, source, count);
                ShmemBlock.allToAll(team, sent, source, count);
            }
        }
    }

    /** Pieces of the destination: what was broadcast, all that was gathered, what the members have sent. */
    @Kernel
    static void copyI16(@Constant int scope, ShmemTeam team, I16Ptr destination, I16Ptr source, long count) {
        I16Ptr gathered = destination.plus(count);
        I16Ptr sent = gathered.plus(count * team.size());
        switch (scope) {
            case 0 -> {
                Shmem.broadcast(team, destination, source, count, team.size() - 1);
                Shmem.fcollect(team, gathered, source, count);
                Shmem.allToAll(team, sent, source, count);
            }
            case 1 -> {
                ShmemWarp.broadcast(team, destination, source, count, team.size() - 1);
                ShmemWarp.fcollect(team, gathered, source, count);
                ShmemWarp.allToAll(team, sent, source, count);
            }
            default -> {
                ShmemBlock.broadcast(team, destination, source, count, team.size() - 1);
                ShmemBlock.fcollect(team, gathered, source, count);
                ShmemBlock.allToAll(team, sent, source, count);
            }
        }
    }

    /** Pieces of the destination: what was broadcast, all that was gathered, what the members have sent. */
    @Kernel
    static void copyF32(@Constant int scope, ShmemTeam team, F32Ptr destination, F32Ptr source, long count) {
        F32Ptr gathered = destination.plus(count);
        F32Ptr sent = gathered.plus(count * team.size());
        switch (scope) {
            case 0 -> {
                Shmem.broadcast(team, destination, source, count, team.size() - 1);
                Shmem.fcollect(team, gathered, source, count);
                Shmem.allToAll(team, sent, source, count);
            }
            case 1 -> {
                ShmemWarp.broadcast(team, destination, source, count, team.size() - 1);
                ShmemWarp.fcollect(team, gathered, source, count);
                ShmemWarp.allToAll(team, sent, source, count);
            }
            default -> {
                ShmemBlock.broadcast(team, destination, source, count, team.size() - 1);
                ShmemBlock.fcollect(team, gathered, source, count);
                ShmemBlock.allToAll(team, sent, source, count);
            }
        }
    }

    /** Pieces of the destination: what was broadcast, all that was gathered, what the members have sent. */
    @Kernel
    static void copyF64(@Constant int scope, ShmemTeam team, F64Ptr destination, F64Ptr source, long count) {
        F64Ptr gathered = destination.plus(count);
        F64Ptr sent = gathered.plus(count * team.size());
        switch (scope) {
            case 0 -> {
                Shmem.broadcast(team, destination, source, count, team.size() - 1);
                Shmem.fcollect(team, gathered, source, count);
                Shmem.allToAll(team, sent, source, count);
            }
            case 1 -> {
                ShmemWarp.broadcast(team, destination, source, count, team.size() - 1);
                ShmemWarp.fcollect(team, gathered, source, count);
                ShmemWarp.allToAll(team, sent, source, count);
            }
            default -> {
                ShmemBlock.broadcast(team, destination, source, count, team.size() - 1);
                ShmemBlock.fcollect(team, gathered, source, count);
                ShmemBlock.allToAll(team, sent, source, count);
            }
        }
    }

    /** What the PE before has put is there after a barrier; nobody overwrites it before all have seen it. */
    @Kernel
    static void threadBarriers(ShmemTeam team, I64Ptr mine, I64Ptr out) {
        int next = (Shmem.myPe() + 1) % Shmem.nPes();
        for (int round = 0; round < 20; round++) {
            Shmem.p(mine, 1000L * round + Shmem.myPe(), next);
            Shmem.barrierAll();
            out.set(2L * round, mine.getVolatile(0));
            Shmem.syncAll();
            Shmem.p(mine, -1000L * round - Shmem.myPe(), next);
            Shmem.barrier(team);
            out.set(2L * round + 1, mine.getVolatile(0));
            Shmem.sync(team);
        }
    }

    /** What the PE before has put is there after a barrier; nobody overwrites it before all have seen it. */
    @Kernel
    static void warpBarriers(ShmemTeam team, I64Ptr mine, I64Ptr out) {
        int next = (Shmem.myPe() + 1) % Shmem.nPes();
        for (int round = 0; round < 20; round++) {
            Shmem.p(mine, 1000L * round + Shmem.myPe(), next);
            ShmemWarp.barrierAll();
            out.set(2L * round, mine.getVolatile(0));
            ShmemWarp.syncAll();
            Shmem.p(mine, -1000L * round - Shmem.myPe(), next);
            ShmemWarp.barrier(team);
            out.set(2L * round + 1, mine.getVolatile(0));
            ShmemWarp.sync(team);
        }
    }

    /** What the PE before has put is there after a barrier; nobody overwrites it before all have seen it. */
    @Kernel
    static void blockBarriers(ShmemTeam team, I64Ptr mine, I64Ptr out) {
        int next = (Shmem.myPe() + 1) % Shmem.nPes();
        for (int round = 0; round < 20; round++) {
            Shmem.p(mine, 1000L * round + Shmem.myPe(), next);
            ShmemBlock.barrierAll();
            out.set(2L * round, mine.getVolatile(0));
            ShmemBlock.syncAll();
            Shmem.p(mine, -1000L * round - Shmem.myPe(), next);
            ShmemBlock.barrier(team);
            out.set(2L * round + 1, mine.getVolatile(0));
            ShmemBlock.sync(team);
        }
    }
}
