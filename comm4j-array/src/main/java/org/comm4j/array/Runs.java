// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.array;

import java.util.Arrays;

/** The contiguous runs of a rank's part, as numbers: local offset, global offset, count. */
final class Runs {
    private long[] numbers = new long[48];
    private int used;

    Runs(Layout layout, int rank) {
        this(layout, rank, 0, Long.MAX_VALUE);
    }

    /** Those of the elements {@code from} to {@code to} of a part; local offsets count from the first one. */
    Runs(Layout layout, int rank, long from, long to) {
        layout.runs(rank, (local, global, count) -> {
            long begin = Math.max(local, from);
            long end = Math.min(local + count, to);
            if (begin < end) {
                add(begin - from, global + begin - local, end - begin);
            }
        });
    }

    private void add(long local, long global, long count) {
        if (used == numbers.length) {
            numbers = Arrays.copyOf(numbers, 2 * used);
        }
        numbers[used++] = local;
        numbers[used++] = global;
        numbers[used++] = count;
    }

    /** Adds the pieces of this part that another one has, too, to those of a rank. */
    void meet(Runs other, Packing plan, int rank) {
        int a = 0;
        int b = 0;
        while (a < used && b < other.used) {
            long start = Math.max(numbers[a + 1], other.numbers[b + 1]);
            long ownEnd = numbers[a + 1] + numbers[a + 2];
            long otherEnd = other.numbers[b + 1] + other.numbers[b + 2];
            long end = Math.min(ownEnd, otherEnd);
            if (start < end) {
                plan.add(rank, numbers[a] + start - numbers[a + 1], end - start);
            }
            if (ownEnd <= otherEnd) {
                a += 3;
            } else {
                b += 3;
            }
        }
    }
}
