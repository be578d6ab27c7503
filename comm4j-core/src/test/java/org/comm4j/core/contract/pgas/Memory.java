// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.core.contract.pgas;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.comm4j.core.contract.pgas.Data.assertZero;

import java.util.ArrayList;
import java.util.List;
import org.comm4j.core.CollectiveMismatchException;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.core.Pgas;
import org.comm4j.core.SymmetricBuffer;

/** Symmetric memory. */
final class Memory {
    private Memory() {}

    static void zeroedAtTheSamePlace(Pgas shmem) {
        for (int round = 0; round < 3; round++) {
            try (SymmetricBuffer a = shmem.allocate(DataType.INT32, 1001);
                    SymmetricBuffer offsets = shmem.allocate(DataType.INT64, shmem.nPes())) {
                assertZero(a.toHost());
                for (int pe = 0; pe < shmem.nPes(); pe++) {
                    shmem.p(offsets, shmem.myPe(), a.offset(), pe);
                }
                shmem.barrierAll();
                assertThat(offsets.toHost().toLongArray()).containsOnly(a.offset());
                a.fill(round + 1);
                shmem.barrierAll();
            }
        }
    }

    /** A put right after the allocation must not be overwritten by somebody's zeros. */
    static void zeroedBeforeAnyPut(Pgas shmem) {
        int next = (shmem.myPe() + 1) % shmem.nPes();
        int before = (shmem.myPe() + shmem.nPes() - 1) % shmem.nPes();
        for (int round = 1; round <= 30; round++) {
            try (SymmetricBuffer a = shmem.allocate(DataType.INT64, 64)) {
                shmem.p(a, 63, shmem.myPe() * 1000L + round, next);
                shmem.barrierAll();
                assertThat(shmem.g(a, 63, shmem.myPe())).isEqualTo(before * 1000L + round);
                shmem.barrierAll();
            }
        }
    }

    static void emptyArrays(Pgas shmem) {
        try (SymmetricBuffer a = shmem.allocate(DataType.FLOAT64, 0);
                SymmetricBuffer b = shmem.allocate(DataType.FLOAT64, 0)) {
            shmem.put(a, HostArray.allocate(DataType.FLOAT64, 0), shmem.nPes() - 1);
            shmem.get(HostArray.allocate(DataType.FLOAT64, 0), a, 0);
            shmem.world().broadcast(a, b, 0);
        }
    }

    static void slicesAndViews(Pgas shmem) {
        int next = (shmem.myPe() + 1) % shmem.nPes();
        try (SymmetricBuffer a = shmem.allocate(DataType.INT64, 8)) {
            SymmetricBuffer halves = a.slice(2, 4).view(DataType.INT32);
            assertThat(halves.count()).isEqualTo(8);
            assertThat(halves.offset()).isEqualTo(a.offset() + 16);
            shmem.p(halves, 3, -1, next);
            shmem.barrierAll();
            assertThat(a.toHost().toLongArray()).containsExactly(0, 0, 0, 0xffff_ffff_0000_0000L, 0, 0, 0, 0);
            SymmetricBuffer odd = a.view(DataType.INT8).slice(1, 16);
            assertThatThrownBy(() -> odd.view(DataType.INT64)).isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> a.slice(1, 8)).isInstanceOf(IndexOutOfBoundsException.class);
            shmem.barrierAll();
        }
    }

    static void allocateAndFreeForLong(Pgas shmem) {
        List<SymmetricBuffer> kept = new ArrayList<>();
        for (int i = 0; i < 60; i++) {
            kept.add(shmem.allocate(DataType.INT8, 1 + i * 7919L % 50_000));
            if (kept.size() > 10) {
                SymmetricBuffer victim = kept.remove(i * 31 % kept.size());
                assertZero(victim.toHost());
                victim.fill(1);
                victim.close();
            }
        }
        kept.forEach(SymmetricBuffer::close);
    }

    static void differentAllocations(Pgas shmem) {
        if (shmem.nPes() > 1) {
            assertThatThrownBy(() -> shmem.allocate(DataType.INT64, shmem.myPe() == 0 ? 3 : 4))
                    .isInstanceOf(CollectiveMismatchException.class);
        }
        shmem.allocate(DataType.INT64, 3).close();
    }
}
