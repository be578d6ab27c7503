// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.nccl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.comm4j.nccl.NcclBody.contents;
import static org.comm4j.nccl.NcclBody.sumOfRanks;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.comm4j.core.CommTimeoutException;
import org.comm4j.core.DataType;
import org.comm4j.core.ReduceOp;
import org.comm4j.core.World;
import org.comm4j.cuda.Device;
import org.comm4j.cuda.DeviceArray;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Communicators from several ids, revoked, suspended and finished ones, over simulated GPUs. */
@Timeout(60)
class LifeTest {
    @BeforeEach
    void needsTheSimulation() {
        Simulation.require();
    }

    private static void expectSum(NcclCommunicator comm) {
        DeviceArray x = comm.allocate(DataType.FLOAT32, 3);
        x.fill(comm.rank() + 1);
        comm.allReduce(x, x, ReduceOp.SUM);
        assertThat(contents(x)).containsOnly(sumOfRanks(comm.size()));
    }

    /** Thousands of ranks start faster with several ids, of which all ranks have all. */
    @Test
    void severalIds() {
        List<UniqueId> ids = List.of(UniqueId.create(), UniqueId.create(), UniqueId.create());
        World.threads(3, world -> {
            try (Device device = Device.of(world.rank());
                    NcclCommunicator comm = Nccl.communicator(
                            device, 3, world.rank(), ids, CommConfig.DEFAULT, Duration.ofSeconds(20))) {
                assertThat(comm.rank()).isEqualTo(world.rank());
                expectSum(comm);
                assertThatThrownBy(
                                () -> Nccl.communicator(device, 2, 0, ids, CommConfig.DEFAULT, Duration.ofSeconds(20)))
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageContaining("3 ids for 2 ranks");
            }
        });
        assertThat(Simulation.get("lastIds")).isEqualTo(3);
    }

    /** Another thread ends what a rank waits for; what is left of the communicator is enough for its successors. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void revoked(boolean blocking) {
        CountDownLatch over = new CountDownLatch(2);
        Simulation.ranks(3, CommConfig.DEFAULT.blocking(blocking), comm -> {
            comm.barrier();
            if (comm.rank() == 2) {
                over.await();
                return;
            }
            DeviceArray x = comm.allocate(DataType.FLOAT32, 4);
            comm.allReduce(x, x, ReduceOp.SUM, comm.own);
            assertThat(comm.own.isDone()).isFalse();
            CompletableFuture.runAsync(comm::revoke).join();
            // The stream is free, and nothing can be added.
            comm.synchronize(comm.own, Duration.ofSeconds(20));
            assertThatThrownBy(() -> comm.allReduce(x, x, ReduceOp.SUM, comm.own))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("revoked");
            assertThatThrownBy(comm::barrier).hasMessageContaining("revoked");
            assertThatThrownBy(() -> comm.group(g -> g.broadcast(x, 0))).hasMessageContaining("revoked");
            assertThatThrownBy(comm::resume)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("revoked");
            assertThatThrownBy(comm::barrier).hasMessageContaining("revoked");
            try (NcclCommunicator rest = comm.shrink(Shrink.DEFAULT, 2)) {
                expectSum(rest);
            }
            over.countDown();
        });
    }

    /** Only what was suspended can be resumed: a failure, a revocation and the end are for good. */
    @Test
    void resumedOutOfTurn() {
        CountDownLatch over = new CountDownLatch(1);
        Simulation.ranks(2, CommConfig.DEFAULT, comm -> {
            assertThatThrownBy(comm::resume)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("not suspended");
            comm.suspend();
            comm.resume();
            assertThatThrownBy(comm::resume).hasMessageContaining("not suspended");
            expectSum(comm);
            NcclCommunicator finished = Objects.requireNonNull(comm.split(0, 0));
            finished.finish();
            assertThatThrownBy(finished::resume).hasMessageContaining("finished");
            assertThatThrownBy(finished::barrier).hasMessageContaining("finished");
            finished.close();
            comm.suspend();
            assertThatThrownBy(comm::suspend).hasMessageContaining("resume it first");
            comm.resume();
            if (comm.rank() == 1) {
                over.await();
                return;
            }
            comm.timeout(Duration.ofMillis(50));
            assertThatThrownBy(comm::barrier).isInstanceOf(CommTimeoutException.class);
            assertThatThrownBy(comm::resume).hasMessageContaining("out of step");
            assertThatThrownBy(comm::barrier).hasMessageContaining("out of step");
            over.countDown();
        });
    }

    @Test
    void whatNcclHolds() {
        Simulation.ranks(1, CommConfig.DEFAULT, comm -> {
            assertThat(comm.memoryStatistics()).isEqualTo(new MemoryStatistics(1000, false, 3000, 4000));
            comm.abort();
            assertThatThrownBy(comm::memoryStatistics).isInstanceOf(IllegalStateException.class);
            assertThatThrownBy(comm::suspend).isInstanceOf(IllegalStateException.class);
            assertThatThrownBy(comm::resume).hasMessageContaining("aborted");
            assertThatThrownBy(comm::revoke).hasMessageContaining("aborted");
            assertThatThrownBy(comm::error).hasMessageContaining("aborted");
        });
    }
}
