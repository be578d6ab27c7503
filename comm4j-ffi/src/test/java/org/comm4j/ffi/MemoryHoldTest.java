// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.ffi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.management.ManagementFactory;
import org.junit.jupiter.api.Test;

class MemoryHoldTest {
    private static final int CALLS = 20_000;

    @Test
    void anArenaCannotBeClosedMeanwhile() {
        Arena arena = Arena.ofShared();
        MemorySegment one = arena.allocate(8);
        try (Arena confined = Arena.ofConfined()) {
            MemorySegment two = confined.allocate(8);
            boolean[] ran = {false};
            MemoryHold.during(one, two, () -> {
                ran[0] = true;
                assertThatThrownBy(arena::close).isInstanceOf(IllegalStateException.class);
                assertThatThrownBy(confined::close).isInstanceOf(IllegalStateException.class);
                MemoryHold.during(
                        two, one, () -> assertThatThrownBy(arena::close).isInstanceOf(IllegalStateException.class));
            });
            assertThat(ran[0]).isTrue();
        }
        arena.close();
        assertThatThrownBy(() -> MemoryHold.during(one, MemorySegment.NULL, () -> {}))
                .isInstanceOf(IllegalStateException.class);
    }

    @Test
    void whatIsThrownComesOut() {
        assertThatThrownBy(() -> MemoryHold.during(MemorySegment.NULL, MemorySegment.NULL, () -> {
                    throw new ArithmeticException("on purpose");
                }))
                .isInstanceOf(ArithmeticException.class)
                .hasMessage("on purpose");
        int[] ran = {0};
        MemoryHold.during(MemorySegment.NULL, MemorySegment.NULL, () -> ran[0]++);
        assertThat(ran[0]).isEqualTo(1);
    }

    @Test
    void memoryIsKeptUntilItIsReleased() {
        Arena arena = Arena.ofShared();
        Runnable release = MemoryHold.keep(arena.allocate(8), MemorySegment.NULL);
        assertThat(release).isNotNull();
        assertThatThrownBy(arena::close).isInstanceOf(IllegalStateException.class);
        release.run();
        MemorySegment gone = arena.allocate(8);
        arena.close();
        assertThat(MemoryHold.keep(gone, MemorySegment.NULL)).isNull();
        try (Arena confined = Arena.ofConfined()) {
            assertThat(MemoryHold.keep(confined.allocate(8), MemorySegment.NULL))
                    .isNull();
        }
    }

    @Test
    void nothingIsAllocated() {
        try (Arena arena = Arena.ofShared()) {
            MemorySegment memory = arena.allocate(8);
            Runnable body = () -> {};
            ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
            long best = Long.MAX_VALUE;
            for (int round = 0; round < 5; round++) {
                long before = threads.getCurrentThreadAllocatedBytes();
                for (int i = 0; i < CALLS; i++) {
                    MemoryHold.during(memory, MemorySegment.NULL, body);
                }
                best = Math.min(best, threads.getCurrentThreadAllocatedBytes() - before);
            }
            assertThat(best).isLessThan(CALLS);
        }
    }
}
