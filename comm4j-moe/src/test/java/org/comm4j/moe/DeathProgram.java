// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.moe;

import java.util.BitSet;
import java.util.concurrent.locks.LockSupport;
import org.comm4j.core.Buffer;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.core.RankFailedException;
import org.comm4j.core.World;
import org.comm4j.cuda.Device;
import org.comm4j.device.ShmemPe;
import org.comm4j.kernel.CpuOptions;

/**
 * Rank 1 is killed while the others wait for it in a dispatch or a combine, or before they combine. They say what they
 * were told, exclude it, and go on.
 */
final class DeathProgram {
    private static final MoeShape SHAPE =
            MoeShape.experts(6).perToken(2).hidden(8).tokens(4).input(DataType.FLOAT32);

    private DeathProgram() {}

    /** {@code gpu} or {@code cpu}, where rank 1 is killed, and how many operations the others do without it. */
    public static void main(String[] args) throws Exception {
        World world = World.join();
        ShmemPe pe = args[0].equals(MoeProgram.GPU)
                ? ShmemPe.onGpu(world, Device.inTurn(world.localRank()))
                : ShmemPe.onCpu(world, CpuOptions.fast());
        run(pe, args[1], Integer.parseInt(args[2]));
    }

    private static void run(ShmemPe pe, String where, int operations) throws Exception {
        ExpertParallel ep = ExpertParallel.of(pe, SHAPE, MoeOptions.DEFAULT);
        Buffer x = pe.allocate(DataType.FLOAT32, 32);
        Buffer chosen = pe.allocate(DataType.INT32, 8);
        chosen.copyFrom(HostArray.of(0, 1, 2, 3, 4, 5, 0, 1));
        // Everything is compiled and loaded before.
        long start = System.nanoTime();
        ep.combine(Sums.into(pe.allocate(DataType.FLOAT32, 32)), ep.dispatch(x, chosen, 4));
        System.out.println("first operation took " + (System.nanoTime() - start) / 1_000_000 + " ms");
        Routed routed = where.equals("dispatch") ? null : ep.dispatch(x, chosen, 4);
        pe.barrier();
        if (pe.myPe() == 1) {
            // The others are in their kernels.
            Thread.sleep(where.equals("between") ? 0 : 700);
            String kill = "echo killed at $(date +%s%3N); kill -9 "
                    + ProcessHandle.current().pid();
            new ProcessBuilder("sh", "-c", kill).inheritIO().start().waitFor();
        }
        Thread.ofPlatform().daemon().start(() -> hear(pe.world()));
        if (where.equals("between")) {
            Thread.sleep(300);
        }
        try {
            if (routed == null) {
                ep.dispatch(x, chosen, 4);
            } else {
                ep.combine(Sums.into(x), routed);
            }
            System.out.println("nothing was thrown");
        } catch (RankFailedException e) {
            System.out.println("told at " + System.currentTimeMillis() + ": " + e);
            ep.exclude(e.failedRank());
            goOn(pe, ep, operations);
        }
    }

    /** Says when the rendezvous has told of the death. */
    private static void hear(World world) {
        while (world.failedRanks().isEmpty()) {
            LockSupport.parkNanos(1_000_000);
        }
        System.out.println("heard at " + System.currentTimeMillis());
    }

    private static void goOn(ShmemPe pe, ExpertParallel ep, int operations) {
        BitSet dead = new BitSet();
        dead.set(1);
        SurvivingLayer layer = new SurvivingLayer(pe, ep, SHAPE, MoeOptions.DEFAULT, MoeOracle.even(6, 3), dead);
        for (int i = 0; i < operations; i++) {
            layer.operation(i);
        }
        ep.close();
        System.out.println("right operations: " + operations);
    }
}
