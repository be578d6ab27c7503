// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Pipe;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.comm4j.core.DataType;
import org.comm4j.core.World;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The end of the shared memory while something is still using it. */
@Timeout(60)
class CloseTest {
    private static long mappings(long address) throws IOException {
        String start = Long.toHexString(address);
        try (Stream<String> lines = Files.lines(Path.of("/proc/self/maps"))) {
            return lines.filter(line -> line.startsWith(start + "-")).count();
        }
    }

    private interface Closing {
        void run(AutoCloseable closeable, CompletableFuture<Boolean> mayEnd) throws Exception;
    }

    /** While a channel reads into the memory, until it may end. */
    private static void whileAChannelReads(boolean ofCommunicator, Closing closing) throws Exception {
        Pipe pipe = Pipe.open();
        World.threads(2, world -> {
            HostShmem shmem = HostShmem.init(world, 32 << 20);
            HostCommunicator comm = HostCommunicator.of(shmem, true);
            long address = shmem.heap().memory.address();
            if (world.rank() == 1) {
                world.barrier();
                // Whatever holds the other one's memory, it has left.
                assertThatThrownBy(shmem::barrierAll)
                        .hasMessageContaining("rank 0")
                        .hasMessageContaining("has closed");
                world.barrier();
                comm.close();
                return;
            }
            ByteBuffer buffer = comm.allocate(DataType.INT8, 4096).segment().asByteBuffer();
            Thread reader = Thread.ofPlatform().start(() -> {
                try {
                    pipe.source().read(buffer);
                } catch (IOException e) {
                    throw new AssertionError(e);
                }
            });
            while (reader.getState() != Thread.State.RUNNABLE
                    || Stream.of(reader.getStackTrace())
                            .noneMatch(at -> at.getMethodName().equals("read0"))) {
                Thread.onSpinWait();
            }
            CompletableFuture<Boolean> mayEnd = new CompletableFuture<>();
            Thread writer = Thread.ofPlatform().start(() -> {
                try {
                    boolean ignored = mayEnd.join();
                    pipe.sink().write(ByteBuffer.allocate(8));
                } catch (IOException e) {
                    throw new AssertionError(e);
                }
            });
            closing.run(ofCommunicator ? comm : shmem, mayEnd);
            reader.join();
            writer.join();
            world.barrier();
            world.barrier();
            comm.close();
            assertThat(mappings(address)).isZero();
        });
    }

    @Test
    void closingFailsWhileAChannelUsesTheMemoryAndSucceedsAfterwards() throws Exception {
        for (boolean ofCommunicator : new boolean[] {false, true}) {
            whileAChannelReads(ofCommunicator, (closeable, mayEnd) -> {
                assertThatThrownBy(closeable::close)
                        .isInstanceOf(IllegalStateException.class)
                        .hasMessageContainingAll("close", "rank 0 of 2", "channel", "close again");
                mayEnd.complete(true);
                closeable.close();
            });
        }
    }

    @Test
    void closingWaitsForCallsThatEnd() throws Exception {
        whileAChannelReads(false, (closeable, mayEnd) -> {
            HostShmem shmem = (HostShmem) closeable;
            Thread ender = Thread.ofPlatform().start(() -> {
                while (shmem.heap().isOpen()) {
                    Thread.onSpinWait();
                }
                mayEnd.complete(true);
            });
            closeable.close();
            ender.join();
        });
    }

    /**
     * Writers look at the count of sleepers: one that stays behind costs every later step of every rank a system call.
     */
    @Test
    void whoClosesTheHeapEndsItsWaitsAndLeavesNoSleeper() {
        for (int round = 0; round < 10; round++) {
            World.threads(2, world -> {
                HostShmem shmem = HostShmem.init(world, 1 << 20);
                if (world.rank() == 1) {
                    world.barrier();
                    assertThat(shmem.heap().sleepers()).isZero();
                    shmem.close();
                    return;
                }
                CompletableFuture<Throwable> end = new CompletableFuture<>();
                Thread waiter = Thread.ofPlatform().start(() -> {
                    PeerMemory.Wait wait = shmem.memory().newWait("waitUntil", () -> "x == 1");
                    try {
                        while (true) {
                            wait.once();
                        }
                    } catch (Throwable e) {
                        end.complete(e);
                    }
                });
                while (shmem.heap().sleepers() == 0) {
                    Thread.onSpinWait();
                }
                shmem.close();
                waiter.join();
                assertThat(end.join())
                        .isInstanceOf(IllegalStateException.class)
                        .hasMessage(
                                "waitUntil on PE 0 of 2: the heap was closed by another thread while x == 1 was waited for");
                world.barrier();
            });
        }
    }
}
