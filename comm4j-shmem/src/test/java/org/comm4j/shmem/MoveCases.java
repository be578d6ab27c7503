// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.shmem;

import static org.assertj.core.api.Assertions.assertThat;
import static org.comm4j.core.contract.pgas.Data.assertSame;
import static org.comm4j.core.contract.pgas.Data.cut;
import static org.comm4j.core.contract.pgas.Data.random;

import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;

/** Puts and gets. */
final class MoveCases {
    private MoveCases() {}

    static void blocks(OpenShmem shmem) {
        int next = (shmem.myPe() + 1) % shmem.nPes();
        int before = (shmem.myPe() + shmem.nPes() - 1) % shmem.nPes();
        for (int size : new int[] {1, 2, 3, 4, 8}) {
            try (SymmetricArray a = shmem.allocate(DataType.INT8, 100)) {
                HostArray mine = random(DataType.INT8, 100, shmem.myPe());
                HostArray theirs = random(DataType.INT8, 100, before);
                shmem.ibput(a, mine, size + 3, size + 1, size, 7, next);
                shmem.barrierAll();
                for (int block = 0; block < 7; block++) {
                    assertSame(a.slice(block * (size + 3L), size), theirs.slice(block * (size + 1L), size));
                    assertSame(a.slice(block * (size + 3L) + size, 3), HostArray.allocate(DataType.INT8, 3));
                }
                HostArray got = HostArray.allocate(DataType.INT8, 100);
                shmem.ibget(got, a, size + 1, size + 3, size, 7, next);
                for (int block = 0; block < 7; block++) {
                    assertSame(got.slice(block * (size + 1L), size), mine.slice(block * (size + 1L), size));
                }
                shmem.barrierAll();
            }
        }
    }

    static void singleValues(OpenShmem shmem) {
        int me = shmem.myPe();
        int next = (me + 1) % shmem.nPes();
        for (DataType type : DataType.values()) {
            try (SymmetricArray a = shmem.allocate(type, 5)) {
                if (type.isComplex()) {
                    shmem.pComplex(a, 3, 1.5 + me, -me, next);
                    assertThat(shmem.gComplex(a, 3, next)).containsExactly(1.5 + me, -me);
                } else if (type.isInteger()) {
                    shmem.p(a, 3, -2 - me, next);
                    assertThat(shmem.g(a, 3, next)).isEqualTo(cut(type, -2 - me));
                } else {
                    shmem.p(a, 3, 1.5 + me % 2, next);
                    assertThat(shmem.gDouble(a, 3, next)).isEqualTo(1.5 + me % 2);
                }
                shmem.barrierAll();
                for (int i = 0; i < 5; i++) {
                    if (i != 3) {
                        assertSame(a.slice(i, 1), HostArray.allocate(type, 1));
                    }
                }
                shmem.barrierAll();
            }
        }
    }

    static void contexts(OpenShmem shmem) {
        int next = (shmem.myPe() + 1) % shmem.nPes();
        int before = (shmem.myPe() + shmem.nPes() - 1) % shmem.nPes();
        try (SymmetricArray a = shmem.allocate(DataType.INT64, 300)) {
            for (int i = 0; i < 300; i++) {
                Context.Option[] options = switch (i % 4) {
                    case 0 -> new Context.Option[] {};
                    case 1 -> new Context.Option[] {Context.Option.SERIALIZED};
                    case 2 -> new Context.Option[] {Context.Option.PRIVATE};
                    default -> new Context.Option[] {Context.Option.NOSTORE, Context.Option.SERIALIZED};
                };
                try (Context context = shmem.newContext(options)) {
                    context.p(a, i, shmem.myPe() + i, next);
                    context.fence();
                    context.atomicAdd(a, i, 1000, next);
                    context.quiet();
                }
            }
            shmem.barrierAll();
            for (int i = 0; i < 300; i++) {
                assertThat(a.getLong(i)).isEqualTo(before + i + 1000);
            }
            shmem.barrierAll();
        }
    }

    /** More than may be under way at once, of arrays that nobody else keeps, apart in contexts. */
    static void later(OpenShmem shmem) {
        int n = shmem.nPes();
        int next = (shmem.myPe() + 1) % n;
        int count = 3000;
        try (SymmetricArray a = shmem.allocate(DataType.INT64, 2L * count);
                Context other = shmem.newContext()) {
            shmem.sessionStart();
            for (int i = 0; i < count; i++) {
                shmem.putNbi(a.slice(i, 1), HostArray.of(10L + i), next);
                other.putNbi(a.slice(count + i, 1), HostArray.of(20L + i), next);
            }
            shmem.sessionStop();
            shmem.peQuiet(next);
            other.peQuiet(next, shmem.myPe());
            HostArray[] got = new HostArray[count];
            for (int i = 0; i < count; i++) {
                got[i] = HostArray.of(0L);
                if (i % 2 == 0) {
                    shmem.getNbi(got[i], a.slice(i * 2L, 1), next);
                } else {
                    other.getNbi(got[i], a.slice(i * 2L, 1), next);
                }
            }
            shmem.quiet();
            other.quiet();
            for (int i = 0; i < count; i++) {
                assertThat(got[i].getLong(0)).isEqualTo(i * 2 < count ? 10 + i * 2 : 20 + i * 2 - count);
            }
            shmem.barrierAll();
        }
    }
}
