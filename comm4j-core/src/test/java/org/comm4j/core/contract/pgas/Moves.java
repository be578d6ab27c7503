// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.core.contract.pgas;

import static org.assertj.core.api.Assertions.assertThat;
import static org.comm4j.core.contract.pgas.Data.assertSame;
import static org.comm4j.core.contract.pgas.Data.cut;
import static org.comm4j.core.contract.pgas.Data.random;

import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.core.Pgas;
import org.comm4j.core.SymmetricBuffer;

/** Puts and gets. */
final class Moves {
    private Moves() {}

    static void everyType(Pgas shmem) {
        int me = shmem.myPe();
        int n = shmem.nPes();
        for (DataType type : DataType.values()) {
            for (long count : new long[] {0, 1, 3, 1000}) {
                try (SymmetricBuffer a = shmem.allocate(type, count)) {
                    for (int hop = 0; hop < n; hop++) {
                        int to = (me + hop) % n;
                        int from = (me + n - hop) % n;
                        HostArray mine = random(type, count, me);
                        shmem.put(a, mine, to);
                        shmem.barrierAll();
                        assertSame(a.toHost(), random(type, count, from));
                        HostArray got = HostArray.allocate(type, count);
                        shmem.get(got, a, to);
                        assertSame(got, mine);
                        shmem.barrierAll();
                        HostArray later = random(type, count, me + 100);
                        shmem.putNbi(a, later, to);
                        shmem.quiet();
                        HostArray again = HostArray.allocate(type, count);
                        shmem.getNbi(again, a, to);
                        shmem.quiet();
                        assertSame(again, later);
                        shmem.barrierAll();
                    }
                }
            }
        }
    }

    static void large(Pgas shmem) {
        long count = (2 << 20) + 7;
        int next = (shmem.myPe() + 1) % shmem.nPes();
        try (SymmetricBuffer a = shmem.allocate(DataType.INT8, count)) {
            HostArray mine = random(DataType.INT8, count, shmem.myPe());
            shmem.put(a, mine, next);
            shmem.barrierAll();
            HostArray got = HostArray.allocate(DataType.INT8, count);
            shmem.get(got, a, next);
            assertSame(got, mine);
            shmem.barrierAll();
        }
    }

    static void symmetricOnBothSides(Pgas shmem) {
        int next = (shmem.myPe() + 1) % shmem.nPes();
        int before = (shmem.myPe() + shmem.nPes() - 1) % shmem.nPes();
        try (SymmetricBuffer a = shmem.allocate(DataType.FLOAT32, 500);
                SymmetricBuffer b = shmem.allocate(DataType.FLOAT32, 500)) {
            a.copyFrom(random(DataType.FLOAT32, 500, shmem.myPe()));
            shmem.put(b.slice(100, 400), a, 300, next);
            shmem.barrierAll();
            HostArray got = b.toHost();
            assertSame(
                    got.slice(100, 300), random(DataType.FLOAT32, 500, before).slice(0, 300));
            assertSame(got.slice(400, 100), HostArray.allocate(DataType.FLOAT32, 100));
            shmem.get(b, a, next);
            assertSame(b.toHost(), random(DataType.FLOAT32, 500, next));
            shmem.barrierAll();
        }
    }

    static void fromAndToTheMiddle(Pgas shmem) {
        int n = shmem.nPes();
        int me = shmem.myPe();
        for (DataType type : DataType.values()) {
            try (SymmetricBuffer a = shmem.allocate(type, 20);
                    SymmetricBuffer b = shmem.allocate(type, 20)) {
                for (int hop = 0; hop < n; hop++) {
                    int to = (me + hop) % n;
                    int from = (me + n - hop) % n;
                    HostArray before = random(type, 20, me + 50);
                    HostArray mine = random(type, 20, me);
                    a.copyFrom(before);
                    shmem.barrierAll();
                    shmem.put(a, 3, mine, 7, 5, to);
                    shmem.putNbi(a, 19, mine, 1, 1, to);
                    shmem.put(a, 20, mine, 20, 0, to);
                    shmem.barrierAll();
                    HostArray theirs = random(type, 20, from);
                    HostArray here = a.toHost();
                    assertSame(here.slice(0, 3), before.slice(0, 3));
                    assertSame(here.slice(3, 5), theirs.slice(7, 5));
                    assertSame(here.slice(8, 11), before.slice(8, 11));
                    assertSame(here.slice(19, 1), theirs.slice(1, 1));

                    HostArray got = random(type, 20, me + 70);
                    shmem.get(got, 9, a, 2, 6, to);
                    shmem.getNbi(got, 0, a, 19, 1, to);
                    shmem.get(got, 20, a, 0, 0, to);
                    shmem.quiet();
                    HostArray there = random(type, 20, to + 50);
                    assertSame(got.slice(0, 1), mine.slice(1, 1));
                    assertSame(got.slice(1, 8), random(type, 20, me + 70).slice(1, 8));
                    assertSame(got.slice(9, 1), there.slice(2, 1));
                    assertSame(got.slice(10, 5), mine.slice(7, 5));
                    assertSame(got.slice(15, 5), random(type, 20, me + 70).slice(15, 5));

                    shmem.barrierAll();
                    b.copyFrom(mine);
                    shmem.put(a, 0, b, 4, 2, to);
                    shmem.barrierAll();
                    assertSame(a.toHost().slice(0, 2), theirs.slice(4, 2));
                    shmem.barrierAll();
                }
            }
        }
    }

    static void strided(Pgas shmem) {
        int next = (shmem.myPe() + 1) % shmem.nPes();
        int before = (shmem.myPe() + shmem.nPes() - 1) % shmem.nPes();
        for (DataType type :
                new DataType[] {DataType.INT8, DataType.INT16, DataType.FLOAT32, DataType.INT64, DataType.COMPLEX128}) {
            try (SymmetricBuffer a = shmem.allocate(type, 40)) {
                HostArray mine = random(type, 40, shmem.myPe());
                HostArray theirs = random(type, 40, before);
                shmem.iput(a, mine, 3, 2, 13, next);
                shmem.barrierAll();
                HostArray here = a.toHost();
                for (int i = 0; i < 40; i++) {
                    HostArray expected =
                            i % 3 == 0 && i / 3 < 13 ? theirs.slice(i / 3 * 2L, 1) : HostArray.allocate(type, 1);
                    assertSame(here.slice(i, 1), expected);
                }
                HostArray got = HostArray.allocate(type, 40);
                shmem.iget(got, a, 2, 3, 13, next);
                for (int i = 0; i < 13; i++) {
                    assertSame(got.slice(2L * i, 1), mine.slice(2L * i, 1));
                    assertSame(got.slice(2L * i + 1, 1), HostArray.allocate(type, 1));
                }
                shmem.iput(a, mine, 1, 1, 0, next);
                shmem.barrierAll();
            }
        }
    }

    static void singleValues(Pgas shmem) {
        int me = shmem.myPe();
        int next = (me + 1) % shmem.nPes();
        for (DataType type : DataType.values()) {
            if (type.isComplex()) {
                continue;
            }
            try (SymmetricBuffer a = shmem.allocate(type, 5)) {
                if (type.isInteger()) {
                    shmem.p(a, 3, -2 - me, next);
                    shmem.quiet();
                    assertThat(shmem.g(a, 3, next)).isEqualTo(cut(type, -2 - me));
                } else {
                    shmem.p(a, 3, 1.5 + me % 2, next);
                    shmem.quiet();
                    assertThat(shmem.gDouble(a, 3, next)).isEqualTo(1.5 + me % 2);
                }
                shmem.barrierAll();
                HostArray here = a.toHost();
                for (int i = 0; i < 5; i++) {
                    if (i != 3) {
                        assertSame(here.slice(i, 1), HostArray.allocate(type, 1));
                    }
                }
                shmem.barrierAll();
            }
        }
    }

    static void everybodyToEverybody(Pgas shmem) {
        int n = shmem.nPes();
        int me = shmem.myPe();
        try (SymmetricBuffer a = shmem.allocate(DataType.INT64, n)) {
            for (int round = 0; round < 50; round++) {
                for (int pe = 0; pe < n; pe++) {
                    shmem.p(a, me, round * 1000L + me * 10L + pe, pe);
                }
                shmem.barrierAll();
                long[] here = a.toHost().toLongArray();
                for (int pe = 0; pe < n; pe++) {
                    assertThat(here[pe]).isEqualTo(round * 1000L + pe * 10L + me);
                }
                shmem.barrierAll();
            }
        }
    }
}
