// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.shmem;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.comm4j.core.DataType;
import org.comm4j.core.ReduceOp;

/** Collectives of teams. */
final class CollectiveCases {
    private static final long[] COUNTS = {0, 1, 7, 1000};

    private CollectiveCases() {}

    private static void number(SymmetricArray array, long from) {
        for (long i = 0; i < array.count(); i++) {
            array.setLong(i, from + i);
        }
    }

    private static void assertNumbered(SymmetricArray array, long at, long count, long from) {
        for (long i = 0; i < count; i++) {
            assertThat(array.getLong(at + i)).isEqualTo(from + i);
        }
    }

    static void collects(OpenShmem shmem) {
        int n = shmem.nPes();
        try (SymmetricArray from = shmem.allocate(DataType.INT64, 10);
                SymmetricArray to = shmem.allocate(DataType.INT64, 10L * n)) {
            for (int round = 0; round < 5; round++) {
                number(from, shmem.myPe() * 100L);
                long all = 0;
                for (int pe = 0; pe < n; pe++) {
                    all += (pe + round) % 4;
                }
                assertThat(shmem.world().collect(to, from, (shmem.myPe() + round) % 4))
                        .isEqualTo(all);
                long at = 0;
                for (int pe = 0; pe < n; pe++) {
                    assertNumbered(to, at, (pe + round) % 4, pe * 100L);
                    at += (pe + round) % 4;
                }
                shmem.world().sync();
            }
            SymmetricArray small = to.slice(0, n - 1);
            assertThatThrownBy(() -> shmem.world().collect(small, from, 1))
                    .isInstanceOf(IndexOutOfBoundsException.class);
            shmem.world().sync();
        }
    }

    static void allToAll(OpenShmem shmem) {
        int n = shmem.nPes();
        int me = shmem.myPe();
        for (long count : COUNTS) {
            try (SymmetricArray from = shmem.allocate(DataType.INT64, count * n * 2);
                    SymmetricArray to = shmem.allocate(DataType.INT64, count * n * 3)) {
                number(from, me * 100_000L);
                shmem.world().allToAll(to, from, count);
                for (int pe = 0; pe < n; pe++) {
                    assertNumbered(to, pe * count, count, pe * 100_000L + me * count);
                }
                shmem.world().sync();
                to.fill(-1);
                shmem.world().sync();
                shmem.world().allToAllStrided(to, from, 3, 2, count);
                for (long i = 0; i < to.count(); i++) {
                    long element = i / 3;
                    long expected = i % 3 != 0 ? -1 : element / count * 100_000L + (me * count + element % count) * 2;
                    assertThat(to.getLong(i)).isEqualTo(expected);
                }
                shmem.world().sync();
            }
        }
    }

    static void everyReduction(OpenShmem shmem) {
        int n = shmem.nPes();
        for (DataType type : DataType.values()) {
            for (ReduceOp op : ReduceOp.values()) {
                try (SymmetricArray from = shmem.allocate(type, 5);
                        SymmetricArray to = shmem.allocate(type, 5)) {
                    from.fill(shmem.myPe() % 2 + 1);
                    if (!op.supports(type)) {
                        assertThatThrownBy(() -> shmem.world().reduce(to, from, op))
                                .isInstanceOf(IllegalArgumentException.class);
                        continue;
                    }
                    shmem.world().reduce(to, from, op);
                    int twos = n / 2;
                    int ones = n - twos;
                    double sum = ones + 2.0 * twos;
                    double expected = switch (op) {
                        case SUM -> sum;
                        case PROD -> 1 << twos;
                        case MIN -> 1;
                        case MAX -> n > 1 ? 2 : 1;
                        case AVG -> type.isInteger() ? Math.floor(sum / n) : sum / n;
                        case BAND -> n > 1 ? 0 : 1;
                        case BOR -> n > 1 ? 3 : 1;
                        case BXOR -> ones % 2 + twos % 2 * 2;
                    };
                    for (int i = 0; i < 5; i++) {
                        double seen =
                                type.isComplex() ? to.getReal(i) : type.isInteger() ? to.getLong(i) : to.getDouble(i);
                        assertThat(seen)
                                .as(op + " of " + type)
                                .isCloseTo(expected, org.assertj.core.data.Offset.offset(expected / 8));
                    }
                    shmem.world().sync();
                }
            }
        }
    }

    static void scans(OpenShmem shmem) {
        long me = shmem.myPe();
        for (long count : COUNTS) {
            try (SymmetricArray from = shmem.allocate(DataType.INT64, count);
                    SymmetricArray to = shmem.allocate(DataType.INT64, count)) {
                number(from, me);
                shmem.world().sumInscan(to, from);
                for (long i = 0; i < count; i++) {
                    assertThat(to.getLong(i)).isEqualTo((me + 1) * i + me * (me + 1) / 2);
                }
                shmem.world().sumExscan(to, from);
                for (long i = 0; i < count; i++) {
                    assertThat(to.getLong(i)).isEqualTo(me * i + me * (me - 1) / 2);
                }
                shmem.world().sumInscan(from, from);
                for (long i = 0; i < count; i++) {
                    assertThat(from.getLong(i)).isEqualTo((me + 1) * i + me * (me + 1) / 2);
                }
                shmem.world().sync();
            }
        }
    }

    /** Back to back, with nothing between that would synchronise. */
    static void flood(OpenShmem shmem) {
        int n = shmem.nPes();
        try (SymmetricArray from = shmem.allocate(DataType.INT64, 3);
                SymmetricArray sums = shmem.allocate(DataType.INT64, 3);
                SymmetricArray all = shmem.allocate(DataType.INT64, 3L * n)) {
            for (int round = 0; round < 200; round++) {
                number(from, round + shmem.myPe());
                shmem.world().reduce(sums, from, ReduceOp.SUM);
                assertThat(sums.getLong(1)).isEqualTo((round + 1L) * n + n * (n - 1) / 2);
                shmem.world().fcollect(all, from);
                assertThat(all.getLong(3L * n - 1)).isEqualTo(round + n - 1 + 2);
                shmem.world().broadcast(sums, from, round % n);
                assertThat(sums.getLong(2)).isEqualTo(round + round % n + 2);
            }
        }
    }
}
