// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.nccl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import org.comm4j.core.CommTimeoutException;
import org.comm4j.core.DataType;
import org.comm4j.cuda.Device;
import org.comm4j.cuda.DeviceArray;
import org.comm4j.cuda.Stream;
import org.comm4j.ffi.nccl.LibNccl;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Puts and signals that cannot be, and how they fail, over simulated GPUs. */
@Tag("newest")
class OneSidedTest {
    @BeforeEach
    void needsTheSimulation() {
        Simulation.requireNewest();
    }

    @Test
    void impossibleOnes() {
        Simulation.ranks(1, CommConfig.DEFAULT, comm -> {
            DeviceArray memory = comm.allocate(DataType.FLOAT32, 2048);
            Window window = comm.registerWindow(memory.slice(0, 1024), Window.Flag.SYMMETRIC);
            Stream own = comm.own;
            long puts = Simulation.count("ncclPutSignal");
            assertThatThrownBy(() -> comm.putSignal(memory.slice(1000, 30), 0, window, 0, 0, own))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("putSignal on rank 0 of 1")
                    .hasMessageContaining("30 x FLOAT32")
                    .hasMessageContaining("leaves it");
            for (long offset : new long[] {-1, 1000, Long.MIN_VALUE, Long.MAX_VALUE}) {
                assertThatThrownBy(() -> comm.putSignal(memory.slice(0, 30), 0, window, offset, 0, own))
                        .isInstanceOf(IndexOutOfBoundsException.class);
            }
            try (Device other = Device.of(5);
                    DeviceArray elsewhere = other.allocate(DataType.FLOAT32, 8);
                    Stream foreign = other.newStream()) {
                assertThatThrownBy(() -> comm.putSignal(elsewhere, 0, window, 0, 0, own))
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageContaining("GPU 5");
                assertThatThrownBy(() -> comm.signal(0, 0, foreign)).hasMessageContaining("GPU 5");
                assertThatThrownBy(() -> comm.registerWindow(elsewhere)).hasMessageContaining("GPU 5");
                assertThatThrownBy(() -> comm.register(elsewhere)).hasMessageContaining("GPU 5");
            }
            assertThat(Simulation.count("ncclPutSignal")).isEqualTo(puts);
            // A window of all of it makes the first one possible.
            comm.registerWindow(memory, Window.Flag.SYMMETRIC);
            comm.putSignal(memory.slice(1000, 30), 0, window, 0, 0, own);
            comm.waitSignal(0, 1, 0, own);
            comm.synchronize(own);
            window.close();
            assertThatThrownBy(() -> comm.putSignal(memory.slice(0, 1), 0, window, 0, 0, own))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("is closed");
        });
    }

    /** What fails after it was begun leaves the communicator out of step, in whatever way the failure is noticed. */
    @Test
    void failures() {
        for (boolean blocking : new boolean[] {true, false}) {
            Simulation.ranks(1, CommConfig.DEFAULT.blocking(blocking), comm -> {
                if (blocking) {
                    Simulation.fail("ncclSignal", LibNccl.ncclInternalError, 1);
                } else {
                    Simulation.set("asyncError", LibNccl.ncclInternalError);
                }
                assertThatThrownBy(() -> comm.signal(0, 0, comm.own))
                        .isInstanceOf(NcclException.class)
                        .hasMessageContaining("signal(peer 0, signal 0 of context 0) on rank 0 of 1")
                        .hasMessageContaining("ncclInternalError");
                Simulation.set("asyncError", 0);
                assertThatThrownBy(() -> comm.signal(0, 0, comm.own))
                        .isInstanceOf(IllegalStateException.class)
                        .hasMessageContaining("out of step");
            });
        }
    }

    /**
     * A signal that does not come ends the wait for the stream at its limit; it can come, and be waited for,
     * afterwards.
     */
    @Test
    void aSignalThatIsLate() {
        Simulation.ranks(1, CommConfig.DEFAULT, comm -> {
            comm.waitSignals(List.of(new SignalWait(0)), comm.own);
            assertThatThrownBy(() -> comm.synchronize(comm.own, Duration.ofMillis(50)))
                    .isInstanceOf(CommTimeoutException.class)
                    .hasMessageContaining("50 ms");
            try (Stream other = comm.device.newStream()) {
                comm.signal(0, 0, other);
                comm.synchronize(comm.own, Duration.ofSeconds(10));
            }
        });
    }
}
