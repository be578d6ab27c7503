// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.moe;

import org.comm4j.core.CommException;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.core.World;
import org.comm4j.device.ShmemPe;
import org.comm4j.kernel.CpuOptions;

/** Rank 1 is killed while the others wait for it in a dispatch or a combine; they say what they were told. */
final class DeathProgram {
    private DeathProgram() {}

    public static void main(String[] args) throws Exception {
        World world = World.join();
        ShmemPe pe = ShmemPe.onCpu(world, CpuOptions.fast());
        MoeShape shape = MoeShape.experts(6).perToken(2).hidden(8).tokens(4).input(DataType.FLOAT32);
        ExpertParallel ep = ExpertParallel.of(pe, shape, MoeOptions.DEFAULT);
        HostArray x = HostArray.allocate(DataType.FLOAT32, 32);
        HostArray chosen = HostArray.of(0, 1, 2, 3, 4, 5, 0, 1);
        Routed routed = args[0].equals("combine") ? ep.dispatch(x, chosen, 4) : null;
        pe.barrier();
        if (pe.myPe() == 1) {
            // The others are in their kernels.
            Thread.sleep(700);
            new ProcessBuilder(
                            "kill", "-9", Long.toString(ProcessHandle.current().pid()))
                    .inheritIO()
                    .start()
                    .waitFor();
        }
        long start = System.nanoTime();
        try {
            if (routed == null) {
                ep.dispatch(x, chosen, 4);
            } else {
                ep.combine(Sums.into(x), routed);
            }
            System.out.println("nothing was thrown");
        } catch (CommException e) {
            System.out.println("told after " + (System.nanoTime() - start) / 1_000_000 + " ms: " + e);
        }
    }
}
