// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.ffi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MemoryCopyTest {
    private static final long LARGE = MemoryCopy.LARGE;
    private static final long SIZE = 3 << 20;

    /** The same as the JVM's copy does, also between unaligned places and places that overlap. */
    @ParameterizedTest
    @ValueSource(longs = {0, 1, 7, LARGE - 1, LARGE, LARGE + 1, 2 * LARGE + 3, (5 << 19) - 1, 5 << 19})
    void copiesAsTheJvmDoes(long bytes) {
        try (Arena arena = Arena.ofConfined()) {
            for (long toAt : new long[] {0, 1, 63, 64, 100, LARGE, LARGE + 5}) {
                MemorySegment memory = random(arena);
                MemorySegment expected = arena.allocate(SIZE).copyFrom(memory);
                MemorySegment.copy(expected, 64, expected, toAt, bytes);
                MemoryCopy.copy(memory, 64, memory, toAt, bytes);
                assertThat(memory.mismatch(expected)).as("to " + toAt).isEqualTo(-1);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {8, LARGE, 5 << 19})
    void whatTheJvmRefusesIsRefused(long bytes) {
        MemorySegment closed;
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment from = random(arena);
            MemorySegment to = arena.allocate(SIZE);
            assertThatExceptionOfType(IndexOutOfBoundsException.class)
                    .isThrownBy(() -> MemoryCopy.copy(from, SIZE - bytes + 1, to, 0, bytes));
            assertThatExceptionOfType(IndexOutOfBoundsException.class)
                    .isThrownBy(() -> MemoryCopy.copy(from, 0, to, SIZE - bytes + 1, bytes));
            assertThatExceptionOfType(IndexOutOfBoundsException.class)
                    .isThrownBy(() -> MemoryCopy.copy(from, -1, to, 0, bytes));
            assertThatIllegalArgumentException().isThrownBy(() -> MemoryCopy.copy(from, 0, to.asReadOnly(), 0, bytes));
            assertThat(to.get(ValueLayout.JAVA_BYTE, 0)).isZero();
            closed = from;
        }
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment other = arena.allocate(SIZE);
            assertThatIllegalStateException().isThrownBy(() -> MemoryCopy.copy(closed, 0, other, 0, bytes));
            assertThatIllegalStateException().isThrownBy(() -> MemoryCopy.copy(other, 0, closed, 0, bytes));
        }
    }

    private static MemorySegment random(Arena arena) {
        byte[] bytes = new byte[(int) SIZE];
        new Random(SIZE).nextBytes(bytes);
        return arena.allocate(SIZE, 64).copyFrom(MemorySegment.ofArray(bytes));
    }
}
