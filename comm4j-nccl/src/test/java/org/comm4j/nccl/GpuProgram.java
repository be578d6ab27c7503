// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.nccl;

import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import org.comm4j.core.CommException;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.core.RankFailedException;
import org.comm4j.core.ReduceOp;
import org.comm4j.core.World;
import org.comm4j.cuda.Device;
import org.comm4j.cuda.DeviceArray;
import org.comm4j.cuda.Stream;

/**
 * Ranks in processes of their own: {@code sum}, or {@code kill VICTIM BLOCKING} for one that dies in the middle of a
 * loop.
 */
final class GpuProgram {
    private static final int COUNT = 1 << 20;
    private static final int DEATH = 200;
    private static final int END = 400;

    private GpuProgram() {}

    public static void main(String[] args) {
        try (World world = World.join();
                Device device = Gpu.of(world.localRank());
                Stream stream = device.newStream()) {
            boolean kill = args[0].equals("kill");
            int victim = kill ? Integer.parseInt(args[1]) : -1;
            CommConfig config = CommConfig.DEFAULT.blocking(!kill || Boolean.parseBoolean(args[2]));
            loop(world, device, stream, config, victim);
        }
    }

    private static void loop(World world, Device device, Stream stream, CommConfig config, int victim) {
        NcclCommunicator comm = Nccl.communicator(world, device, config);
        comm.timeout(Duration.ofSeconds(20));
        try (DeviceArray x = device.allocate(DataType.FLOAT32, COUNT)) {
            for (int i = 0; i < END; i++) {
                if (world.rank() == victim && i == DEATH) {
                    kill(ProcessHandle.current().pid());
                }
                x.fill(world.rank() + 1, stream);
                long start = System.nanoTime();
                try {
                    comm.allReduce(x, x, ReduceOp.SUM, stream);
                    comm.synchronize(stream);
                } catch (RankFailedException e) {
                    System.out.println("named " + e.failedRank() + " after " + (System.nanoTime() - start) / 1_000_000
                            + " ms: " + e.getMessage());
                    NcclCommunicator rest = comm.shrink();
                    comm.close();
                    comm = rest;
                    i--;
                    continue;
                } catch (CommException e) {
                    System.out.println("unnamed: " + e);
                    throw e;
                }
                check(world, comm, x, i, i >= DEATH ? victim : -1);
            }
            System.out.println("finished as " + comm.rank() + " of " + comm.size());
        } finally {
            comm.close();
        }
    }

    private static void check(World world, NcclCommunicator comm, DeviceArray x, int round, int without) {
        int expected = world.size() * (world.size() + 1) / 2 - (without + 1);
        HostArray host = x.toHost();
        for (long i : new long[] {0, COUNT / 2, COUNT - 1}) {
            if (comm.size() == world.size() == (without >= 0) || host.getFloat(i) != expected) {
                throw new AssertionError("round " + round + " of " + comm.size() + " ranks: " + host.getFloat(i)
                        + " instead of " + expected);
            }
        }
    }

    private static void kill(long pid) {
        try {
            new ProcessBuilder(Arrays.asList("kill", "-9", Long.toString(pid)))
                    .start()
                    .waitFor();
            Thread.sleep(10_000);
        } catch (IOException | InterruptedException e) {
            Runtime.getRuntime().halt(137);
        }
    }
}
