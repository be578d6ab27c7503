// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.core.contract.pgas;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.EnumSet;
import java.util.Set;
import org.assertj.core.data.Offset;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.core.Pgas;
import org.comm4j.core.PgasTeam;
import org.comm4j.core.ReduceOp;
import org.comm4j.core.SymmetricBuffer;

/** Collectives of teams. */
final class Collectives {
    /**
     * Of elements of 4 and 8 bytes: among them those with up to 4 KiB and a little more, and with some 100 KiB, where
     * engines change their ways.
     */
    private static final long[] COUNTS = {0, 1, 7, 1000, 1025, 50_021};

    /** What every engine reduces by every operation that is defined for it, but for the average. */
    private static final Set<DataType> EVERYWHERE = EnumSet.of(
            DataType.INT32, DataType.UINT32, DataType.INT64, DataType.UINT64, DataType.FLOAT32, DataType.FLOAT64);

    private Collectives() {}

    private static void number(SymmetricBuffer buffer, long from) {
        HostArray numbers = HostArray.allocate(buffer.type(), buffer.count());
        for (long i = 0; i < numbers.count(); i++) {
            numbers.setLong(i, from + i);
        }
        buffer.copyFrom(numbers);
    }

    private static void assertNumbered(SymmetricBuffer buffer, long at, long count, long from) {
        HostArray here = buffer.slice(at, count).toHost();
        for (long i = 0; i < count; i++) {
            assertThat(here.getLong(i)).isEqualTo(from + i);
        }
    }

    static void broadcasts(Pgas shmem) {
        for (long count : COUNTS) {
            try (SymmetricBuffer from = shmem.allocate(DataType.INT32, count);
                    SymmetricBuffer to = shmem.allocate(DataType.INT32, count)) {
                for (int root = 0; root < shmem.nPes(); root++) {
                    number(from, shmem.myPe() * 10_000L);
                    shmem.world().broadcast(to, from, root);
                    assertNumbered(to, 0, count, root * 10_000L);
                    shmem.world().sync();
                    shmem.world().broadcast(from, from, root);
                    assertNumbered(from, 0, count, root * 10_000L);
                    shmem.world().sync();
                }
            }
        }
    }

    static void fcollects(Pgas shmem) {
        int n = shmem.nPes();
        for (long count : COUNTS) {
            try (SymmetricBuffer from = shmem.allocate(DataType.INT64, count);
                    SymmetricBuffer to = shmem.allocate(DataType.INT64, count * n)) {
                number(from, shmem.myPe() * 10_000L);
                shmem.world().fcollect(to, from);
                for (int pe = 0; pe < n; pe++) {
                    assertNumbered(to, pe * count, count, pe * 10_000L);
                }
                shmem.world().sync();
            }
        }
    }

    static void allToAll(Pgas shmem) {
        int n = shmem.nPes();
        int me = shmem.myPe();
        for (long count : COUNTS) {
            try (SymmetricBuffer from = shmem.allocate(DataType.INT64, count * n);
                    SymmetricBuffer to = shmem.allocate(DataType.INT64, count * n)) {
                number(from, me * 100_000L);
                shmem.world().allToAll(to, from);
                for (int pe = 0; pe < n; pe++) {
                    assertNumbered(to, pe * count, count, pe * 100_000L + me * count);
                }
                shmem.world().sync();
            }
        }
    }

    static void everyReduction(Pgas shmem) {
        int n = shmem.nPes();
        for (DataType type : DataType.values()) {
            try (SymmetricBuffer from = shmem.allocate(type, 5);
                    SymmetricBuffer to = shmem.allocate(type, 5)) {
                from.fill(shmem.myPe() % 2 + 1);
                for (ReduceOp op : ReduceOp.values()) {
                    if (!op.supports(type)) {
                        assertThatThrownBy(() -> shmem.world().reduce(to, from, op))
                                .isInstanceOfAny(IllegalArgumentException.class, UnsupportedOperationException.class);
                        continue;
                    }
                    try {
                        shmem.world().reduce(to, from, op);
                    } catch (UnsupportedOperationException e) {
                        assertThat(EVERYWHERE.contains(type) && op != ReduceOp.AVG)
                                .as(e.toString())
                                .isFalse();
                        continue;
                    }
                    check(to.toHost(), op, n);
                    shmem.world().sync();
                }
            }
        }
    }

    /** Half of the PEs had 1, the others 2. */
    private static void check(HostArray reduced, ReduceOp op, int n) {
        DataType type = reduced.type();
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
        for (int i = 0; i < reduced.count(); i++) {
            double seen = type.isComplex()
                    ? reduced.getReal(i)
                    : type.isInteger() ? reduced.getLong(i) : reduced.getDouble(i);
            assertThat(seen).as(op + " of " + type).isCloseTo(expected, Offset.offset(expected / 8));
        }
    }

    /** To other memory and in place; of all PEs, and of a team without the first. */
    static void largeReductions(Pgas shmem) {
        int n = shmem.nPes();
        for (long count : new long[] {1024, 1025, 100_003}) {
            try (SymmetricBuffer from = shmem.allocate(DataType.INT64, count);
                    SymmetricBuffer to = shmem.allocate(DataType.INT64, count)) {
                reduce(shmem.world(), from, to, shmem.myPe());
                shmem.syncAll();
                if (n > 1) {
                    PgasTeam others = shmem.world().splitStrided(1, 1, n - 1);
                    if (others != null) {
                        reduce(others, from, to, shmem.myPe());
                        others.close();
                    }
                    shmem.syncAll();
                }
            }
        }
    }

    private static void reduce(PgasTeam team, SymmetricBuffer from, SymmetricBuffer to, int mine) {
        long first = 0;
        for (int member = 0; member < team.size(); member++) {
            first += team.worldPe(member);
        }
        number(from, mine);
        team.reduce(to, from, ReduceOp.SUM);
        HostArray sums = to.toHost();
        for (long i = 0; i < sums.count(); i++) {
            assertThat(sums.getLong(i)).isEqualTo(first + i * team.size());
        }
        assertNumbered(from, 0, from.count(), mine);
        team.sync();
        team.reduce(from, from, ReduceOp.SUM);
        assertThat(from.toHost().segment().mismatch(sums.segment())).isEqualTo(-1);
        team.sync();
    }

    static void reduceScatter(Pgas shmem) {
        int n = shmem.nPes();
        for (long count : COUNTS) {
            try (SymmetricBuffer from = shmem.allocate(DataType.FLOAT64, count * n);
                    SymmetricBuffer to = shmem.allocate(DataType.FLOAT64, count)) {
                HostArray numbers = HostArray.allocate(DataType.FLOAT64, from.count());
                for (long i = 0; i < from.count(); i++) {
                    numbers.setDouble(i, (double) i + shmem.myPe());
                }
                from.copyFrom(numbers);
                shmem.world().reduceScatter(to, from, ReduceOp.SUM);
                HostArray part = to.toHost();
                for (long i = 0; i < count; i++) {
                    assertThat(part.getDouble(i)).isEqualTo((shmem.myPe() * count + i) * n + n * (n - 1) / 2.0);
                }
                shmem.world().sync();
            }
        }
    }

    static void ofTeams(Pgas shmem) {
        PgasTeam.Axes<? extends PgasTeam> axes = shmem.world().split2d(2);
        try (PgasTeam x = axes.x();
                PgasTeam y = axes.y();
                SymmetricBuffer from = shmem.allocate(DataType.INT64, 2000);
                SymmetricBuffer to = shmem.allocate(DataType.INT64, 2000)) {
            for (int round = 0; round < 10; round++) {
                for (PgasTeam team : new PgasTeam[] {x, y}) {
                    number(from, shmem.myPe());
                    long expected = 0;
                    for (int member = 0; member < team.size(); member++) {
                        expected += team.worldPe(member) + 1999;
                    }
                    team.reduce(to, from, ReduceOp.SUM);
                    assertThat(to.toHost().getLong(1999)).isEqualTo(expected);
                    // A member of the other team may be quick.
                    shmem.syncAll();
                    int root = round % team.size();
                    team.broadcast(to, from, root);
                    assertThat(to.toHost().getLong(0)).isEqualTo(team.worldPe(root));
                    shmem.syncAll();
                }
            }
        }
    }
}
