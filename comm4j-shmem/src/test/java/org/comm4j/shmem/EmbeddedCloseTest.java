// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.shmem;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.comm4j.core.Comparison;
import org.comm4j.core.DataType;
import org.comm4j.core.World;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The end of the symmetric heap, and of those who have opened it. */
@Timeout(60)
class EmbeddedCloseTest {
    private static OpenShmem init(World world) {
        return OpenShmem.init(world, OpenShmemOptions.defaults().engine(OpenShmemOptions.Engine.EMBEDDED));
    }

    @Test
    void whoHasClosedItCannotUseItWhileAnotherOneCan() {
        World.threads(2, world -> {
            OpenShmem first = init(world);
            OpenShmem second = init(world);
            SymmetricArray array = second.allocate(DataType.INT64, 1);
            second.close();
            second.close();
            assertThat(second.isOpen()).isFalse();
            for (ThrowingCallable call : List.<ThrowingCallable>of(
                    second::barrierAll,
                    second::quiet,
                    second.world()::sync,
                    () -> second.p(array, 0, 1, 0),
                    () -> second.allocate(DataType.INT64, 1),
                    () -> second.waitUntil(array, 0, Comparison.EQ, 0),
                    () -> second.atomicAdd(array, 0, 1, 0))) {
                assertThatThrownBy(call)
                        .isInstanceOf(IllegalStateException.class)
                        .hasMessageContaining("this OpenShmem was closed");
            }
            // The heap and its arrays live as long as somebody has it open.
            assertThat(array.isAlive()).isTrue();
            first.p(array, 0, 5, 1 - first.myPe());
            first.barrierAll();
            assertThat(array.getLong(0)).isEqualTo(5);
            array.close();
            assertThat(OpenShmem.isInitialized(world)).isTrue();
            first.close();
            assertThat(OpenShmem.isInitialized(world)).isFalse();
            assertThat(array.isAlive()).isFalse();
        });
    }

    @Test
    void aWaitEndsWhenAnotherThreadCloses() {
        for (int round = 0; round < 5; round++) {
            World.threads(1, world -> {
                OpenShmem shmem = init(world);
                SymmetricArray flag = shmem.allocate(DataType.INT64, 2);
                CompletableFuture<Throwable> end = new CompletableFuture<>();
                CountDownLatch started = new CountDownLatch(1);
                Thread waiter = Thread.ofPlatform().start(() -> {
                    started.countDown();
                    try {
                        shmem.waitUntil(flag, 0, Comparison.EQ, 1);
                    } catch (Throwable e) {
                        end.complete(e);
                    }
                });
                started.await();
                shmem.close();
                waiter.join();
                assertThat(end.join())
                        .isInstanceOf(IllegalStateException.class)
                        .hasMessageMatching("(?s)wait.* on PE 0 of 1: .*closed.*");
            });
        }
    }
}
