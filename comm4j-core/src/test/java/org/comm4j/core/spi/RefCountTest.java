// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.core.spi;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class RefCountTest {
    private final AtomicInteger destroyed = new AtomicInteger();
    private final RefCount count = new RefCount(destroyed::incrementAndGet);

    @Test
    void closingWithoutUsersDestroysAtOnceAndOnce() {
        assertThat(count.close()).isTrue();
        assertThat(count.close()).isFalse();
        assertThat(destroyed).hasValue(1);
        assertThat(count.isOpen()).isFalse();
        assertThat(count.isDestroyed()).isTrue();
        assertThat(count.acquire() || count.enter()).isFalse();
        assertThat(destroyed).hasValue(1);
    }

    @Test
    void theLastUserDestroys() {
        assertThat(count.acquire() && count.enter()).isTrue();
        assertThat(count.users()).isEqualTo(2);
        assertThat(count.close()).isTrue();
        assertThat(count.acquire()).as("nobody comes in any more").isFalse();
        count.retain();
        assertThat(count).hasToString("closed, used by 3");
        count.release();
        count.release();
        assertThat(count.isEntered()).isTrue();
        assertThat(destroyed).hasValue(0);
        count.exit();
        assertThat(destroyed).hasValue(1);
        assertThat(count.isEntered() || !count.isDestroyed()).isFalse();
    }

    @Test
    void onlyWhoEntersHasEntered() {
        assertThat(count.acquire()).isTrue();
        assertThat(count.isEntered()).isFalse();
        for (int i = 0; i < 2; i++) {
            assertThat(count.enter()).isTrue();
        }
        count.exit();
        assertThat(count.isEntered()).isTrue();
        count.exit();
        assertThat(count.isEntered()).isFalse();
        assertThat(count).hasToString("open, used by 1");
    }

    @Test
    void whatUsersSeeIsNeverDestroyed() throws Exception {
        for (int round = 0; round < 200; round++) {
            AtomicBoolean isThere = new AtomicBoolean(true);
            AtomicInteger ends = new AtomicInteger();
            RefCount shared = new RefCount(() -> {
                isThere.set(false);
                ends.incrementAndGet();
            });
            CyclicBarrier start = new CyclicBarrier(3);
            AtomicInteger wrong = new AtomicInteger();
            List<Thread> threads = new ArrayList<>();
            for (int i = 0; i < 2; i++) {
                boolean enters = i == 0;
                threads.add(Thread.ofPlatform().start(() -> {
                    meet(start);
                    while (enters ? shared.enter() : shared.acquire()) {
                        if (!isThere.get()) {
                            wrong.incrementAndGet();
                        }
                        if (enters) {
                            shared.exit();
                        } else {
                            shared.release();
                        }
                    }
                }));
            }
            meet(start);
            Thread.yield();
            assertThat(shared.close()).isTrue();
            for (Thread each : threads) {
                each.join();
            }
            assertThat(wrong).hasValue(0);
            assertThat(ends).hasValue(1);
        }
    }

    private static void meet(CyclicBarrier start) {
        try {
            start.await();
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }
}
