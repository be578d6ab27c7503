// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.nccl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Objects;
import org.comm4j.core.DataType;
import org.comm4j.cuda.DeviceArray;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * NCCL goes on knowing the address of what was registered: memory freed meanwhile, and allocated anew, would be taken
 * for the old one.
 */
class KeptMemoryTest {
    private static final long COUNT = 5000;

    private interface Way {
        AutoCloseable register(NcclCommunicator comm, DeviceArray memory);
    }

    private static final List<Way> WAYS = List.of(
            NcclCommunicator::register,
            (comm, memory) -> comm.registerWindow(memory, Window.Flag.SYMMETRIC),
            (comm, memory) ->
                    Nccl.registerWindows(List.of(comm), List.of(memory)).getFirst());

    @BeforeEach
    void needsTheSimulation() {
        Simulation.require();
    }

    @Test
    void memoryStaysUntilTheLastRegistrationIsClosed() {
        Simulation.ranks(1, CommConfig.DEFAULT, comm -> {
            for (Way way : WAYS) {
                DeviceArray memory = comm.allocate(DataType.INT8, COUNT);
                long bytes = Simulation.get("bytes");
                AutoCloseable first = way.register(comm, memory);
                AutoCloseable second = way.register(comm, memory);
                memory.close();
                assertThat(memory.isAlive()).isFalse();
                first.close();
                first.close();
                assertThat(Simulation.get("bytes")).isEqualTo(bytes);
                second.close();
                assertThat(Simulation.get("bytes")).isEqualTo(bytes - COUNT);
            }
        });
    }

    @Test
    void theEndOfTheCommunicatorIsTheEndOfAll() {
        Simulation.ranks(1, CommConfig.DEFAULT, comm -> {
            for (boolean aborts : new boolean[] {false, true}) {
                long bytes = Simulation.get("bytes");
                NcclCommunicator part = Objects.requireNonNull(comm.split(0, 0));
                for (Way way : WAYS) {
                    DeviceArray memory = part.allocate(DataType.INT8, COUNT);
                    way.register(part, memory);
                    memory.close();
                }
                Window window = part.registerWindow(part.allocate(DataType.INT8, COUNT));
                DeviceCommunicator kernels = part.deviceCommunicator(DeviceRequirements.NONE);
                if (aborts) {
                    part.abort();
                }
                part.close();
                assertThatThrownBy(window::handle)
                        .isInstanceOf(IllegalStateException.class)
                        .hasMessageContaining("is closed");
                assertThatThrownBy(kernels::struct).isInstanceOf(IllegalStateException.class);
                assertThat(Simulation.get("bytes")).isEqualTo(bytes);
            }
        });
    }
}
