// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.nccl;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Objects;
import org.comm4j.core.DataType;
import org.comm4j.core.ReduceOp;
import org.comm4j.core.World;
import org.comm4j.cuda.Device;
import org.comm4j.cuda.DeviceArray;

/** A rank in a process of its own that makes and closes buffers and communicators, {@code CYCLES} of these; ends with 1 if memory grew. */
final class GpuGrowth {
    private static final long MOST_ON_DEVICE = 64 << 20;

    /** Pieces of some 36 MiB come and go now and then, in C, too; two of them have been seen to come between the first and the last look. */
    private static final long MOST_ON_HOST = 128 << 20;

    /** What is left of each shows in every quarter of them, so also in the two in which the least comes. */
    private static final int MOST_OF_ONE = 20 << 10;

    private GpuGrowth() {}

    public static void main(String[] args) throws IOException, InterruptedException {
        int cycles = Integer.parseInt(args[0]);
        boolean grew;
        try (World world = World.join();
                Device device = Gpu.of(world.localRank());
                NcclCommunicator comm = Nccl.communicator(world, device, CommConfig.DEFAULT)) {
            cycle(comm);
            comm.barrier();
            long free = device.freeMemory();
            for (int i = 0; i < 10_000; i++) {
                device.allocate(DataType.FLOAT32, 1 << 18).close();
            }
            for (int i = 0; i < 500; i++) {
                comm.allocate(DataType.FLOAT32, 1 << 18).close();
            }
            comm.barrier();
            long byBuffers = free - device.freeMemory();
            // What the first ones leave is kept for the next: threads' stacks, arenas of malloc, compiled code.
            for (int i = 0; i < cycles / 2; i++) {
                cycle(comm);
            }
            long[] quarters = new long[4];
            for (int quarter = 0; quarter < 4; quarter++) {
                long resident = residentBytes();
                for (int i = 0; i < cycles / 4; i++) {
                    cycle(comm);
                }
                quarters[quarter] = residentBytes() - resident;
            }
            comm.barrier();
            long onDevice = free - device.freeMemory();
            long onHost = Arrays.stream(quarters).sum();
            System.out.printf(
                    "%d communicators: %d KiB more on the host (a quarter of them: %s), %d on the device (%d after buffers)%n",
                    cycles,
                    onHost >> 10,
                    Arrays.toString(
                            Arrays.stream(quarters).map(each -> each >> 10).toArray()),
                    onDevice >> 10,
                    byBuffers >> 10);
            Arrays.sort(quarters);
            grew = onHost > MOST_ON_HOST
                    || quarters[1] > (long) MOST_OF_ONE * cycles / 4
                    || onDevice > MOST_ON_DEVICE
                    || byBuffers > MOST_ON_DEVICE;
        }
        System.exit(grew ? 1 : 0);
    }

    private static void cycle(NcclCommunicator comm) {
        try (NcclCommunicator part = Objects.requireNonNull(comm.split(0, 0))) {
            DeviceArray x = part.allocate(DataType.FLOAT32, 1000);
            part.registerWindow(x);
            part.allReduce(x, x, ReduceOp.SUM);
        }
    }

    /** Of this process, as Linux counts. */
    private static long residentBytes() throws IOException, InterruptedException {
        // What is freed with Java objects: the cleaner needs a moment.
        System.gc();
        Thread.sleep(100);
        return 4096L
                * Long.parseLong(Files.readString(Path.of("/proc/self/statm")).split(" ")[1]);
    }
}
