// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.operator.solver;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import org.comm4j.operator.Ranks;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Iterations on processors allocate neither on the heap nor off it. */
class IterationMemoryTest {
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void iterationsAllocateNothingOnTheHeap(int ranks) {
        Ranks.run(ranks, backend -> IterationMemory.check(backend, IterationMemory::onHeap, "bytes on the heap"));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void iterationsAllocateNothingOffTheHeap(int ranks) {
        Ranks.run(ranks, backend -> IterationMemory.check(backend, IterationMemory::offHeap, "bytes off the heap"));
    }

    /** The count is of what it says. */
    @Test
    void segmentsAreCounted() {
        long before = IterationMemory.offHeap();
        try (Arena arena = Arena.ofConfined()) {
            assertThat(arena.allocate(64 << 20).byteSize()).isEqualTo(64 << 20);
            // The JVM's compilers take and give back memory meanwhile.
            assertThat(IterationMemory.offHeap() - before).isGreaterThanOrEqualTo(32 << 20);
        }
    }
}
