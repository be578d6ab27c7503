// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.bench.prk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.comm4j.core.CommException;
import org.comm4j.core.CommTimeoutException;
import org.comm4j.core.DataType;
import org.comm4j.core.RankFailedException;
import org.comm4j.core.World;
import org.comm4j.core.launch.Launcher;
import org.comm4j.shmem.OpenShmem;
import org.comm4j.shmem.OpenShmemOptions;
import org.comm4j.shmem.SymmetricArray;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class SpinLockTest {
    private static OpenShmem init(World world) {
        return OpenShmem.init(world, OpenShmemOptions.defaults().engine(OpenShmemOptions.Engine.EMBEDDED));
    }

    @Test
    void excludes() {
        int rounds = 2000;
        World.threads(3, world -> {
            try (OpenShmem shmem = init(world);
                    SpinLock lock = new SpinLock(shmem, 1);
                    SymmetricArray counter = shmem.allocate(DataType.INT64, 1)) {
                for (int i = 0; i < rounds; i++) {
                    lock.lock();
                    shmem.p(counter, 0, shmem.g(counter, 0, 0) + 1, 0);
                    lock.unlock();
                }
                shmem.barrierAll();
                assertThat(shmem.g(counter, 0, 0)).isEqualTo(3L * rounds);
                shmem.barrierAll();
            }
        });
    }

    @Test
    void aHolderThatDoesNotUnlockIsNamed() {
        World.threads(2, world -> {
            try (OpenShmem shmem = init(world);
                    SpinLock lock = new SpinLock(shmem, 0)) {
                if (shmem.myPe() == 1) {
                    lock.lock();
                }
                shmem.barrierAll();
                if (shmem.myPe() == 0) {
                    shmem.timeout(Duration.ofMillis(300));
                    assertThatThrownBy(lock::lock)
                            .isInstanceOf(CommTimeoutException.class)
                            .hasMessageContaining("spin lock, held by PE 1, on PE 0 of 2: waited 0.")
                            .hasMessageContaining("timeout 0.3 s");
                    shmem.timeout(Duration.ZERO);
                }
                world.barrier();
                if (shmem.myPe() == 1) {
                    lock.unlock();
                }
                shmem.barrierAll();
            }
        });
    }

    @Test
    void anInterruptedWaiterGivesUp() {
        World.threads(2, world -> {
            try (OpenShmem shmem = init(world);
                    SpinLock lock = new SpinLock(shmem, 0)) {
                if (shmem.myPe() == 1) {
                    lock.lock();
                }
                shmem.barrierAll();
                if (shmem.myPe() == 0) {
                    Thread.currentThread().interrupt();
                    assertThatThrownBy(lock::lock)
                            .isInstanceOf(CommException.class)
                            .hasMessageContaining("spin lock, held by PE 1, on PE 0 of 2: interrupted");
                    assertThat(Thread.interrupted()).isTrue();
                }
                world.barrier();
                if (shmem.myPe() == 1) {
                    lock.unlock();
                }
                shmem.barrierAll();
                lock.lock();
                lock.unlock();
                shmem.barrierAll();
            }
        });
    }

    @Test
    void aHolderThatDiesIsNamed() {
        ByteArrayOutputStream output = new ByteArrayOutputStream();
        int code = Launcher.ranks(2)
                .jvmOptions("-XX:TieredStopAtLevel=1")
                .java(Program.class.getName())
                .keepGoing(true)
                .timeout(Duration.ofSeconds(45))
                .output(output, output)
                .run();
        String text = output.toString(StandardCharsets.UTF_8);
        assertThat(code).as(text).isEqualTo(9);
        assertThat(text).contains("told of 1: refcount's spin lock, held by PE 1, on PE 0 of 2: ");
    }

    /** Its PE 1 dies while it holds the lock. */
    static final class Program {
        private Program() {}

        public static void main(String[] args) {
            try (World world = World.join();
                    OpenShmem shmem = init(world);
                    SpinLock lock = new SpinLock(shmem, 0)) {
                if (shmem.myPe() == 1) {
                    lock.lock();
                }
                shmem.barrierAll();
                if (shmem.myPe() == 1) {
                    Runtime.getRuntime().halt(9);
                }
                lock.lock();
            } catch (RankFailedException e) {
                System.out.println("told of " + e.failedRank() + ": " + e.getMessage());
            }
        }
    }
}
