// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.nccl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.comm4j.nccl.NcclBody.contents;
import static org.comm4j.nccl.NcclBody.sumOfRanks;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.comm4j.core.CommTimeoutException;
import org.comm4j.core.DataType;
import org.comm4j.core.ReduceOp;
import org.comm4j.cuda.Device;
import org.comm4j.cuda.DeviceArray;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Communicators that new ranks join, over simulated GPUs: the rank that has the id, those that have none, and the new
 * ones.
 */
@Tag("newest")
@Timeout(60)
class GrowTest {
    private static final Duration LIMIT = Duration.ofSeconds(20);

    @BeforeEach
    void needsTheSimulation() {
        Simulation.requireNewest();
    }

    private static void expectSum(NcclCommunicator comm, int size) {
        assertThat(comm.size()).isEqualTo(size);
        DeviceArray x = comm.allocate(DataType.FLOAT32, 3);
        x.fill(comm.rank() + 1);
        comm.allReduce(x, x, ReduceOp.SUM);
        assertThat(contents(x)).containsOnly(sumOfRanks(size));
    }

    /** From two ranks to four, and to five; the id is rank 1's. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void threeRoles(boolean blocking) throws Exception {
        CommConfig config = CommConfig.DEFAULT.blocking(blocking);
        List<CompletableFuture<UniqueId>> ids = List.of(new CompletableFuture<>(), new CompletableFuture<>());
        List<Future<?>> joining = new ArrayList<>();
        try (var threads = Executors.newCachedThreadPool()) {
            for (int rank = 2; rank < 5; rank++) {
                int mine = rank;
                joining.add(threads.submit(() -> {
                    int size = mine < 4 ? 4 : 5;
                    try (Device device = Device.of(mine);
                            NcclCommunicator first =
                                    Nccl.join(device, ids.get(size - 4).join(), size, mine, config, LIMIT)) {
                        assertThat(first.rank()).isEqualTo(mine);
                        expectSum(first, size);
                        if (mine < 4) {
                            try (NcclCommunicator second = first.grow(5, null, null)) {
                                assertThat(second.rank()).isEqualTo(mine);
                                expectSum(second, 5);
                            }
                        }
                    }
                    return null;
                }));
            }
            Simulation.ranks(2, config, comm -> {
                assertThatThrownBy(() -> comm.grow(2, null, null))
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageContaining("more than 2 ranks");
                comm.timeout(LIMIT);
                NcclCommunicator grown = comm;
                for (int size = 4; size < 6; size++) {
                    UniqueId id = comm.rank() == 1 ? grown.growthId() : null;
                    if (id != null) {
                        ids.get(size - 4).complete(id);
                    }
                    NcclCommunicator larger = grown.grow(size, id, null);
                    assertThat(larger.rank()).isEqualTo(comm.rank());
                    assertThat(larger.timeout()).isEqualTo(LIMIT);
                    expectSum(larger, size);
                    if (size == 5) {
                        larger.close();
                        grown.close();
                    }
                    grown = larger;
                }
                // The first one is as it was.
                expectSum(comm, 2);
            });
            for (Future<?> each : joining) {
                each.get();
            }
        }
    }

    /** New ranks that never come are missed in time; the ranks that were there go on without. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void nobodyJoins(boolean blocking) {
        Simulation.ranks(1, CommConfig.DEFAULT.blocking(blocking), comm -> {
            comm.timeout(Duration.ofMillis(100));
            UniqueId id = comm.growthId();
            assertThatThrownBy(() -> comm.grow(2, id, null))
                    .isInstanceOf(CommTimeoutException.class)
                    .hasMessageContaining("grow(2) on rank 0 of 2")
                    .hasMessageContaining("100 ms");
        });
    }

    @Test
    void impossibleOnes() {
        Simulation.ranks(1, CommConfig.DEFAULT, comm -> {
            UniqueId id = comm.growthId();
            for (int[] wrong : new int[][] {{2, 2}, {2, -1}, {0, 0}}) {
                assertThatThrownBy(() -> Nccl.join(comm.device(), id, wrong[0], wrong[1], CommConfig.DEFAULT, LIMIT))
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageContaining("join: rank " + wrong[1] + " of " + wrong[0]);
            }
            // An id from before a split is not that of the next communicator.
            Objects.requireNonNull(comm.split(0, 0)).close();
            assertThatThrownBy(() -> comm.grow(2, id, null))
                    .isInstanceOf(NcclException.class)
                    .hasMessageContaining("ncclInvalidArgument");
            comm.barrier();
            comm.close();
            assertThatThrownBy(comm::growthId).isInstanceOf(IllegalStateException.class);
            assertThatThrownBy(() -> comm.grow(2, id, null)).isInstanceOf(IllegalStateException.class);
        });
    }
}
