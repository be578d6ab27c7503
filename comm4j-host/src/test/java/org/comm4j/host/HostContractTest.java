// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.sun.management.ThreadMXBean;
import java.lang.foreign.Arena;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.comm4j.core.Buffer;
import org.comm4j.core.CollectiveMismatchException;
import org.comm4j.core.CommException;
import org.comm4j.core.Communicator;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.core.PersistentGroup;
import org.comm4j.core.ReduceOp;
import org.comm4j.core.Request;
import org.comm4j.core.World;
import org.comm4j.core.contract.AllocationContract;
import org.comm4j.core.contract.CollectiveContract;
import org.comm4j.core.contract.CommunicatorContract;
import org.comm4j.core.contract.EventContract;
import org.comm4j.core.contract.MessageContract;
import org.comm4j.core.contract.MismatchContract;
import org.comm4j.core.contract.MisuseContract;
import org.comm4j.core.contract.PersistentContract;
import org.comm4j.core.contract.RankBody;
import org.comm4j.core.contract.ShrinkContract;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledIfSystemProperty;

/** The embedded engine does what every engine must do. */
class HostContractTest {
    static void onThreads(int ranks, RankBody body) {
        World.threads(ranks, world -> {
            try (HostCommunicator comm = Host.communicator(world)) {
                body.run(comm);
            }
        });
    }

    /** Memory of a communicator ends with the heap that it is in, if that is closed before. */
    @Test
    void memoryOfAHeapThatIsClosedFirst() {
        World.threads(2, world -> {
            HostShmem shmem = HostShmem.init(world);
            HostCommunicator comm = Host.communicator(shmem);
            HostArray x = comm.allocate(DataType.FLOAT32, 100_000);
            HostArray part = x.slice(5, 9);
            comm.barrier();
            shmem.close();
            assertThat(part.isAlive()).isFalse();
            assertThatThrownBy(() -> part.getFloat(8)).isInstanceOf(IllegalStateException.class);
            assertThatThrownBy(() -> comm.free(x))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContainingAll("free on rank " + world.rank() + " of 2", x.toString(), "was freed");
            comm.close();
        });
    }

    /** An engine that found out in the middle would leave the ranks out of step, and the next results wrong. */
    @Test
    void memoryThatCannotBeUsedIsRefusedBeforeAnythingIsSent() {
        onThreads(2, comm -> {
            HostArray x = HostArray.allocate(DataType.FLOAT32, 100_000);
            HostArray y = HostArray.allocate(DataType.FLOAT32, 100_000);
            HostArray constant = HostArray.wrap(x.segment().asReadOnly(), DataType.FLOAT32);
            x.fill(1);
            if (comm.rank() == 0) {
                try (Arena arena = Arena.ofConfined()) {
                    HostArray mine = HostArray.allocate(arena, DataType.FLOAT32, 100_000);
                    assertThatThrownBy(() -> comm.allReduceAsync(mine, y, ReduceOp.SUM))
                            .isInstanceOf(IllegalArgumentException.class)
                            .hasMessageContainingAll("allReduce on rank 0 of 2", "send", "confined");
                    assertThatThrownBy(() -> CompletableFuture.runAsync(() -> comm.allReduce(x, mine, ReduceOp.SUM))
                                    .join())
                            .hasCauseInstanceOf(IllegalArgumentException.class)
                            .hasMessageContainingAll("recv", "confined");
                }
                assertThatThrownBy(() -> comm.allReduce(y, constant, ReduceOp.SUM))
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageContainingAll("allReduce on rank 0 of 2", "recv", "read-only");
                assertThatThrownBy(() -> comm.group(g -> g.broadcast(y, constant, 0)))
                        .hasMessageContainingAll("recv", "read-only");
            }
            comm.allReduce(constant, y, ReduceOp.SUM);
            assertThat(y.toFloatArray()).containsOnly(2);
            comm.broadcast(comm.rank() == 0 ? constant : y, 0);
            assertThat(y.getFloat(99_999)).isEqualTo(comm.rank() == 0 ? 2 : 1);
        });
    }

    @Test
    void persistentGroupsAllocateNothing() {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        onThreads(2, comm -> {
            Buffer mine = comm.allocate(DataType.FLOAT64, 50);
            Buffer theirs = comm.allocate(DataType.FLOAT64, 50);
            PersistentGroup exchange = comm.persistent(g -> {
                g.send(mine, 1 - comm.rank());
                g.recv(theirs, 1 - comm.rank());
            });
            // The least of several rounds: waits for a rank that is late may allocate.
            long least = Long.MAX_VALUE;
            for (int round = 0; round < 100; round++) {
                comm.barrier();
                long before = threads.getCurrentThreadAllocatedBytes();
                exchange.run();
                exchange.start();
                exchange.await();
                least = Math.min(least, threads.getCurrentThreadAllocatedBytes() - before);
            }
            assertThat(least).isZero();
        });
    }

    /** The memory is there when the call is made, and gone when it is its turn. */
    @Test
    void whoFailsInTheMiddleIsOutOfStep() {
        CompletableFuture<Boolean> isGone = new CompletableFuture<>();
        onThreads(2, comm -> {
            comm.timeout(Duration.ofSeconds(2));
            HostArray x = HostArray.allocate(DataType.FLOAT32, 100_000);
            if (comm.rank() == 1) {
                assertThat(isGone.join()).isTrue();
                comm.barrier();
                assertThatThrownBy(() -> comm.allReduce(x, x, ReduceOp.SUM)).isInstanceOf(CommException.class);
                return;
            }
            Request barrier;
            Request reduced;
            try (Arena arena = Arena.ofShared()) {
                HostArray gone = HostArray.allocate(arena, DataType.FLOAT32, 100_000);
                barrier = comm.barrierAsync();
                reduced = comm.allReduceAsync(x, gone, ReduceOp.SUM);
            }
            isGone.complete(true);
            barrier.await();
            assertThatThrownBy(reduced::await)
                    .isInstanceOf(CommException.class)
                    .hasMessageContainingAll("allReduce on rank 0 of 2", "close this communicator", "closed");
            assertThatThrownBy(comm::barrier)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("out of step");
        });
    }

    /** A split is a collective, too. */
    @Test
    void splitAgainstBarrier() {
        onThreads(3, comm -> {
            comm.timeout(Duration.ofSeconds(60));
            CollectiveMismatchException e = catchThrowableOfType(CollectiveMismatchException.class, () -> {
                if (comm.rank() == 0) {
                    comm.split(0, 0);
                } else {
                    comm.barrier();
                }
            });
            assertThat(e)
                    .hasMessageContaining(comm.rank() == 0 ? "split on rank 0 of " : "barrier on rank " + comm.rank())
                    .hasMessageContaining("rank 0 calls split()")
                    .hasMessageContaining("calls barrier()");
            assertThatThrownBy(() -> comm.split(0, 0))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("out of step")
                    .hasCause(e);
        });
    }

    /** Who does not wait for the odd one hears of it from those who do, whatever it waits for. */
    @Test
    void ranksThatWaitForMessagesGetOutToo() {
        onThreads(3, comm -> {
            comm.timeout(Duration.ofSeconds(60));
            HostArray x = HostArray.allocate(DataType.INT32, 4);
            assertThatThrownBy(() -> {
                        switch (comm.rank()) {
                            case 0 -> comm.allReduce(x, x, ReduceOp.SUM);
                            case 1 -> comm.reduce(x, x, ReduceOp.SUM, 1);
                            default -> comm.recv(x, 0);
                        }
                    })
                    .isInstanceOf(CollectiveMismatchException.class)
                    .hasMessageContaining("rank 0 calls allReduce(4 x INT32, SUM)")
                    .hasMessageContaining("rank 1 calls reduce(4 x INT32, SUM, root 1)");
        });
    }

    @Nested
    class Collectives extends CollectiveContract {
        Collectives() {
            super(HostContractTest::onThreads);
        }
    }

    @Nested
    class Communicators extends CommunicatorContract {
        Communicators() {
            super(HostContractTest::onThreads);
        }
    }

    @Nested
    class Persistent extends PersistentContract {
        Persistent() {
            super(HostContractTest::onThreads);
        }
    }

    @Nested
    class Messages extends MessageContract {
        Messages() {
            super(HostContractTest::onThreads);
        }
    }

    @Nested
    class Misuse extends MisuseContract {
        Misuse() {
            super(HostContractTest::onThreads);
        }
    }

    @Nested
    class Mismatches extends MismatchContract {
        Mismatches() {
            super(HostContractTest::onThreads, false);
        }
    }

    @Nested
    @DisabledIfSystemProperty(named = "comm4j.checked", matches = "1", disabledReason = "checks allocate")
    class Allocations extends AllocationContract {
        Allocations() {
            super(HostContractTest::onThreads);
        }
    }

    @Nested
    class Events extends EventContract {
        Events() {
            super(HostContractTest::onThreads);
        }
    }

    @Nested
    class Shrinks extends ShrinkContract {
        Shrinks() {
            super((world, body) -> body.accept(Host.communicator(world)), Communicator::close, Duration.ofSeconds(20));
        }
    }
}
