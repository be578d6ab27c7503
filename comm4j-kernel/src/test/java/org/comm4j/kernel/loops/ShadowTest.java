// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.loops;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The cells of memory that a checked launch has. */
class ShadowTest {
    /** A symmetric heap is of terabytes, in each launch, and few bytes of it are touched. */
    @Test
    void aHeapOfTerabytesCostsNothingBeforeItIsTouched() {
        long heap = 1L << 42;
        long before = used();
        Shadow shadow = new Shadow(heap, 1);
        for (long at : new long[] {0, 1L << 20, 1L << 41, heap - 1}) {
            long cell = shadow.cell(at);
            assertThat(shadow.known(cell)).isNull();
            shadow.page(cell)[Shadow.place(cell)] = at + 1;
            assertThat(shadow.known(cell)).isSameAs(shadow.page(cell)).contains(at + 1);
        }
        assertThat(used() - before).isLessThan(64 << 20);
        assertThat(shadow.known(shadow.cell(1L << 40))).isNull();
    }

    private static long used() {
        return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
    }

    /** Pages, and tables of them, end there; none but one cell was touched. */
    @ParameterizedTest
    @ValueSource(longs = {1, 255, 256, 257, 1 << 20, (1 << 20) + 1})
    void theLastCellIsThere(long bytes) {
        Shadow shadow = new Shadow(bytes, 1);
        long last = shadow.cell(bytes - 1);
        long[] page = shadow.page(last);
        page[Shadow.place(last)] = 7;
        shadow.release();
        long[] again = new Shadow(bytes, 1).page(last);
        assertThat(again).containsOnly(0);
    }
}
