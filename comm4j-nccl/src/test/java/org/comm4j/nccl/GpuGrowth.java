// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.nccl;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import org.comm4j.core.DataType;
import org.comm4j.core.ReduceOp;
import org.comm4j.core.World;
import org.comm4j.cuda.Device;
import org.comm4j.cuda.DeviceArray;

/**
 * A rank in a process of its own that makes and closes buffers and communicators, {@code CYCLES} of these; ends with 1
 * if memory grew.
 */
final class GpuGrowth {
    private static final long MOST_ON_DEVICE = 64 << 20;

    /** With a malloc that gives back what is freed; what is left of a communicator is then measured in bytes. */
    private static final long MOST_ON_HOST = 2 << 20;

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
            long resident = residentBytes();
            for (int i = 0; i < cycles; i++) {
                cycle(comm);
            }
            long onHost = residentBytes() - resident;
            comm.barrier();
            long onDevice = free - device.freeMemory();
            System.out.printf(
                    "%d communicators: %d KiB more on the host, %d on the device (%d after buffers)%n",
                    cycles, onHost >> 10, onDevice >> 10, byBuffers >> 10);
            grew = onHost > MOST_ON_HOST || onDevice > MOST_ON_DEVICE || byBuffers > MOST_ON_DEVICE;
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
