// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.comm4j.core.CommTimeoutException;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.core.World;
import org.comm4j.cuda.Device;
import org.comm4j.cuda.DeviceArray;
import org.comm4j.cuda.PinnedArray;
import org.comm4j.nccl.DeviceCommunicator;
import org.comm4j.nccl.DeviceRequirements;
import org.comm4j.nccl.DeviceResource;
import org.comm4j.nccl.Nccl;
import org.comm4j.nccl.NcclCommunicator;
import org.comm4j.nccl.RankTeam;
import org.comm4j.nccl.Window;

/** The host's side of {@link NcclDevice} on two simulated GPUs, in a process that has loaded the simulation. */
final class NcclSimulatedProgram {
    /** Where the simulation has the window of resources, and how far the ranks' are apart. */
    private static final long BASE = 1L << 44;

    private static final long STRIDE = 2L << 32;

    private NcclSimulatedProgram() {}

    public static void main(String[] args) {
        World.threads(2, world -> {
            try (Device device = Device.of(world.rank());
                    NcclCommunicator comm = Nccl.communicator(world, device);
                    NcclCommunicator other = comm.split(0, -comm.rank())) {
                comm.timeout(Duration.ofSeconds(7));
                arguments(comm);
                refusals(comm, other);
                failures(comm);
                comm.barrier();
            }
        });
        System.out.println("passed");
    }

    @SuppressWarnings("try") // closes twice
    private static void arguments(NcclCommunicator comm) {
        int rank = comm.rank();
        DeviceResource pairs = DeviceResource.lsaBarriers(new RankTeam(1, 0, 2), 3);
        DeviceResource exchange = DeviceResource.lowLatencyAllToAll(2, 10);
        DeviceResource memory = DeviceResource.of(100, 8, 0, 0);
        DeviceRequirements requirements = DeviceRequirements.NONE
                .lsaBarriers(5)
                .resource(pairs)
                .resource(exchange)
                .resource(memory);
        DeviceArray x = comm.allocate(DataType.INT8, 4096);
        Window window = comm.registerWindow(x, Window.Flag.SYMMETRIC);
        try (NcclDevice nccl = NcclDevice.of(comm, requirements)) {
            assertThat(nccl.timeout()).isEqualTo(Duration.ofSeconds(7));
            assertThat(nccl.comm()).isEqualTo(new DeviceComm(rank, 2, rank, 2));
            LsaBarriers barriers = nccl.barriers();
            // Behind the resources, in units of 128 bytes: barriers 48, exchange 2 * 21 * 16, memory 100.
            assertThat(barriers.flat().address()).isEqualTo(BASE + 128 * 8);
            assertThat(barriers.stride()).isEqualTo(STRIDE);
            assertThat(barriers.count()).isEqualTo(5);
            LsaBarriers own = nccl.barriers(pairs);
            // A team of this rank alone, whose first one it is.
            assertThat(own.flat().address()).isEqualTo(BASE + rank * STRIDE);
            assertThat(own.size()).isEqualTo(1);
            assertThat(own.count()).isEqualTo(3);
            assertThat(own.limit().firstRank()).isEqualTo(rank);
            LowLatencyAllToAll all = nccl.allToAll(exchange);
            assertThat(all.flat().address()).isEqualTo(BASE + 128);
            assertThat(all.blocks()).isEqualTo(2);
            assertThat(all.slots()).isEqualTo(10);
            LsaWindow plain = nccl.memory(memory);
            assertThat(plain.flat().address()).isEqualTo(BASE + 128 * 7);
            assertThat(plain.bytes()).isEqualTo(100);
            LsaWindow flat = nccl.window(window);
            assertThat(flat.flat().address() + rank * flat.stride()).isEqualTo(x.address());
            assertThat(flat.bytes()).isEqualTo(4096);
            assertThat(nccl.window(window)).isSameAs(flat);
            LsaWindow part = nccl.part(flat, 1024, 1024);
            assertThat(part.flat().address()).isEqualTo(flat.flat().address() + 1024);
            assertThatThrownBy(() -> nccl.part(flat, 1024, 3073)).isInstanceOf(IndexOutOfBoundsException.class);
            // What a launch looks at.
            DeviceArray behind = (DeviceArray) flat.flat().buffer();
            assertThat(behind.isAlive()).isTrue();
            assertThat(behind.device()).isEqualTo(comm.device());
            window.close();
            assertThat(behind.isAlive()).isFalse();
            assertThat(behind).hasToString("the memory behind " + window + ", which is closed,");
            assertThatThrownBy(() -> nccl.window(window))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("is closed");
            nccl.close();
            assertThat(((DeviceArray) barriers.flat().buffer()).isAlive()).isFalse();
            assertThatThrownBy(nccl::barriers)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("it is closed");
        }
        comm.barrier();
    }

    @SuppressWarnings("try") // closes twice
    private static void refusals(NcclCommunicator comm, NcclCommunicator other) {
        assertThatThrownBy(() -> NcclDevice.of(comm, DeviceRequirements.NONE.network(1, 1, 1)))
                .isInstanceOf(UnsupportedOperationException.class)
                .hasMessageContaining("GIN");
        DeviceArray x = comm.allocate(DataType.INT8, 4096);
        Window foreign = other.registerWindow(x, Window.Flag.SYMMETRIC);
        DeviceResource exchange = DeviceResource.lowLatencyAllToAll(1, 1);
        try (DeviceCommunicator kernels = comm.deviceCommunicator(DeviceRequirements.NONE.resource(exchange));
                NcclDevice nccl = NcclDevice.of(kernels)) {
            assertThatThrownBy(nccl::barriers)
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("no LSA barriers were required")
                    .hasMessageContaining("DeviceRequirements.lsaBarriers");
            assertThatThrownBy(() -> nccl.barriers(exchange))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("is something else");
            assertThatThrownBy(() -> nccl.memory(DeviceResource.of(1, 1, 0, 0)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("was not required");
            assertThatThrownBy(() -> nccl.window(foreign))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("is of another communicator");
            assertThatThrownBy(() -> nccl.window(x))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("registerWindow");
            // Not the caller's to close.
            nccl.close();
            assertThat(kernels.isOpen()).isTrue();
        }
        comm.barrier();
    }

    /** As kernels report it. */
    private static void failures(NcclCommunicator comm) {
        try (NcclDevice nccl = NcclDevice.of(comm, DeviceRequirements.NONE.lsaBarriers(2))) {
            LsaBarriers barriers = nccl.barriers();
            DeviceArray state = (DeviceArray) barriers.limit().state().buffer();
            assertThat(state.toHost().toLongArray()).containsExactly(0, 7_000_000_000L);
            nccl.timeout(Duration.ofMillis(300));
            assertThat(state.toHost().toLongArray()).containsExactly(0, 300_000_000L);
            PinnedArray report = (PinnedArray) barriers.limit().report().buffer();
            report.copyFrom(HostArray.of(WaitLimit.code(WaitLimit.BARRIER, 1, 1)));
            for (Runnable each : new Runnable[] {nccl::check, nccl::barriers}) {
                assertThatThrownBy(each::run)
                        .isInstanceOf(CommTimeoutException.class)
                        .hasMessageContaining("LSA barrier 1 on NcclDevice[rank " + comm.rank() + " of 2]")
                        .hasMessageContaining("PT0.3S for rank 1 in vain");
            }
            report.copyFrom(HostArray.of(WaitLimit.code(WaitLimit.NO_BARRIER, -5, 0)));
            assertThatThrownBy(nccl::check)
                    .isInstanceOf(IndexOutOfBoundsException.class)
                    .hasMessageContaining("LSA barrier -5, which there is not: not so many lsaBarriers were required");
        }
        comm.barrier();
    }
}
