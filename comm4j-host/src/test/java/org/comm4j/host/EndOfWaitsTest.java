// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.comm4j.core.CommException;
import org.comm4j.core.CommTimeoutException;
import org.comm4j.core.Communicator;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.core.RankFailedException;
import org.comm4j.core.ReduceOp;
import org.comm4j.core.World;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** How waits end that nobody answers, with ranks that are threads; what needs processes is in {@link FaultTest}. */
@Timeout(60)
class EndOfWaitsTest {
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final Set<BlockedOperation> ALL = EnumSet.allOf(BlockedOperation.class);

    private static void assertOutOfStep(BlockedOperations operations, BlockedOperation operation) {
        if (!operation.waitsForMemory()) {
            assertThatThrownBy(() -> operation.repeat(operations.environment(operation), 1))
                    .as(operation.name())
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("out of step");
        }
    }

    /** What ends one rank is in the exceptions of those that wait for it, as far as it is not too long. */
    @Test
    void whatOneRankThrowsIsToldToTheOthers() {
        String[] told = new String[3];
        assertThatThrownBy(() -> World.threads(3, true, world -> {
                    try (Communicator comm = Host.communicator(world)) {
                        HostArray one = HostArray.of(1L);
                        if (world.rank() == 1) {
                            throw new OutOfMemoryError("rank 1 has no room for " + "x".repeat(2000));
                        }
                        try {
                            comm.allReduce(one, one, ReduceOp.SUM);
                        } catch (RankFailedException e) {
                            assertThat(e.failedRank()).isEqualTo(1);
                            told[world.rank()] = e.getMessage();
                        }
                    }
                }))
                .isInstanceOf(OutOfMemoryError.class);
        for (int rank : new int[] {0, 2}) {
            assertThat(told[rank])
                    .contains(
                            "allReduce on rank " + rank + " of 3: rank 1 ",
                            "OutOfMemoryError: rank 1 has no room for x")
                    .hasSizeBetween(1000, 1300);
        }
    }

    @Test
    void aTimeoutSaysWhoWaitedForWhom() {
        World.threads(2, world -> {
            try (BlockedOperations operations = new BlockedOperations(world, 1)) {
                if (world.rank() == 0) {
                    operations.start(ALL, Duration.ofMillis(100));
                    Map<BlockedOperation, BlockedOperations.Outcome> outcomes = operations.outcomes(PATIENCE);
                    assertThat(outcomes).hasSize(ALL.size());
                    outcomes.forEach((operation, outcome) -> {
                        assertThat(outcome.thrown())
                                .as(operation.name())
                                .isInstanceOf(CommTimeoutException.class)
                                .hasMessageContaining(operation.waitsForMemory() ? "PE 0 of 2" : "rank 0 of 2")
                                .hasMessageContaining("0 of 2: waited ")
                                .hasMessageContaining("no rank died")
                                .hasMessageContaining("timeout 0.1 s")
                                .hasMessageMatching(
                                        operation.waitsForMemory()
                                                ? ".*SymmetricArray\\[2 x INT64\\] to be EQ 7.*"
                                                : ".*for rank 1 of 2 in vain.*");
                        String method = operation.name().split("_")[0].toLowerCase(Locale.ROOT);
                        assertThat(outcome.thrown().getMessage().toLowerCase(Locale.ROOT))
                                .contains(method.equals("team") ? "sync" : method);
                        assertOutOfStep(operations, operation);
                    });
                }
                world.barrier();
            }
        });
    }

    @Test
    void anInterruptEndsEveryWait() {
        World.threads(2, world -> {
            try (BlockedOperations operations = new BlockedOperations(world, 1)) {
                if (world.rank() == 0) {
                    Set<BlockedOperation> interruptible =
                            EnumSet.complementOf(EnumSet.of(BlockedOperation.ALL_REDUCE_ASYNC));
                    operations.start(interruptible, null);
                    operations.interrupt();
                    operations.outcomes(PATIENCE).forEach((operation, outcome) -> {
                        assertThat(outcome.thrown())
                                .as(operation.name())
                                .isExactlyInstanceOf(CommException.class)
                                .hasMessageContaining("interrupted while it waited for")
                                .hasMessageContaining("0 of 2");
                        assertOutOfStep(operations, operation);
                    });
                }
                world.barrier();
            }
        });
    }

    @Test
    void whoLeavesIsNamedToThoseThatWaitForIt() {
        World.threads(2, world -> {
            BlockedOperations operations = new BlockedOperations(world, 1);
            if (world.rank() == 0) {
                operations.start(ALL, null);
                world.barrier();
                operations
                        .outcomes(PATIENCE)
                        .forEach((operation, outcome) -> assertThat(outcome.thrown())
                                .as(operation.name())
                                .isInstanceOfSatisfying(
                                        RankFailedException.class,
                                        e -> assertThat(e.failedRank()).isEqualTo(1))
                                .hasMessageContaining("0 of 2: rank 1 (process")
                                .hasMessageContaining("has closed already"));
            } else {
                world.barrier();
            }
            operations.close();
            operations.close();
        });
    }

    @Test
    void aWaitForMemoryGoesOnWhileAnyOtherRankIsThere() {
        World.threads(3, world -> {
            try (BlockedOperations operations = new BlockedOperations(world, 1)) {
                BlockedOperation.Environment e = operations.environment(BlockedOperation.AWAIT);
                if (world.rank() == 1) {
                    e.close();
                } else if (world.rank() == 0) {
                    Words.await(e.shmem, e.flags, 0, 3);
                } else {
                    // Longer than it takes the waiting rank to find that one of the others is gone.
                    Thread.sleep(500);
                    Words.store(e.shmem, e.flags, 0, 3, 0);
                }
                world.barrier();
            }
        });
    }

    @Test
    void whatArrivedBeforeItsSenderLeftIsReceived() {
        World.threads(2, world -> {
            HostCommunicator comm = Host.communicator(world);
            if (world.rank() == 1) {
                comm.send(HostArray.of(1, 2, 3), 0);
                comm.allReduce(HostArray.of(1), HostArray.of(0), ReduceOp.SUM);
                comm.close();
                world.barrier();
            } else {
                comm.allReduce(HostArray.of(1), HostArray.of(0), ReduceOp.SUM);
                world.barrier();
                HostArray received = HostArray.allocate(DataType.INT32, 3);
                comm.recv(received, 1);
                assertThat(received.toIntArray()).containsExactly(1, 2, 3);
                assertThatThrownBy(comm::barrier)
                        .isInstanceOf(RankFailedException.class)
                        .hasMessageContaining("has closed already");
                comm.close();
            }
        });
    }

    /** A transfer of many pieces takes longer than the timeout, but no piece does. */
    @Test
    void aTimeoutIsForWaitingNotForWorking() {
        World.threads(2, world -> {
            try (HostCommunicator comm = Host.communicator(world)) {
                comm.timeout(Duration.ofMillis(400));
                int count = 16 << 10;
                HostArray array = HostArray.allocate(DataType.INT8, 8L * 3 * count);
                if (world.rank() == 0) {
                    for (int i = 0; i < 8 * 3; i++) {
                        comm.send(array.slice((long) i * count, count), 1);
                        Thread.sleep(50);
                    }
                } else {
                    comm.group(g -> {
                        for (int i = 0; i < 8 * 3; i++) {
                            g.recv(array.slice((long) i * count, count), 0);
                        }
                    });
                }
                comm.barrier();
            }
        });
    }

    @Test
    void aHeapThatAnotherThreadClosesEndsTheWait() {
        World.threads(2, world -> {
            HostShmem shmem = HostShmem.init(world);
            SymmetricArray flag = shmem.allocate(DataType.INT64, 1);
            if (world.rank() == 0) {
                Thread closing = Thread.ofPlatform().start(() -> {
                    world.barrier();
                    shmem.close();
                });
                assertThatThrownBy(() -> Words.await(shmem, flag, 0, 1)).isInstanceOf(IllegalStateException.class);
                // Where the memory goes away in the middle of an access, HotSpot also marks the thread as interrupted
                // (it
                // delivers an asynchronous exception). That may come late, so the thread is joined first.
                boolean ignored = Thread.interrupted();
                closing.join();
            } else {
                world.barrier();
                world.barrier();
                shmem.close();
                return;
            }
            world.barrier();
        });
    }
}
