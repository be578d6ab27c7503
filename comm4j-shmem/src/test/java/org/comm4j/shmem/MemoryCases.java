// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.shmem;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.comm4j.core.CollectiveMismatchException;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.core.SymmetricMemoryException;

/** Symmetric memory. */
final class MemoryCases {
    private MemoryCases() {}

    static void emptyArrays(OpenShmem shmem) {
        try (SymmetricArray a = shmem.allocate(DataType.FLOAT64, 0);
                SymmetricArray b = shmem.allocate(DataType.FLOAT64, 0)) {
            shmem.put(a, HostArray.allocate(DataType.FLOAT64, 0), shmem.nPes() - 1);
            shmem.get(HostArray.allocate(DataType.FLOAT64, 0), a, 0);
            shmem.world().broadcast(a, b, 0);
            assertThat(shmem.world().collect(a, b, 0)).isZero();
        }
    }

    static void slicesAndViews(OpenShmem shmem) {
        int next = (shmem.myPe() + 1) % shmem.nPes();
        try (SymmetricArray a = shmem.allocate(DataType.INT64, 8)) {
            SymmetricArray halves = a.slice(2, 4).view(DataType.INT32);
            assertThat(halves.count()).isEqualTo(8);
            shmem.p(halves, 3, -1, next);
            shmem.barrierAll();
            assertThat(a.getLong(3)).isEqualTo(0xffff_ffff_0000_0000L);
            assertThat(a.toLongArray()).contains(0, org.assertj.core.data.Index.atIndex(2));
            SymmetricArray odd = a.view(DataType.INT8).slice(1, 16);
            assertThatThrownBy(() -> odd.view(DataType.INT64)).hasMessageContaining("aligned");
            assertThatThrownBy(() -> a.slice(1, 8)).isInstanceOf(IndexOutOfBoundsException.class);
        }
    }

    static void allocateAndFreeForLong(OpenShmem shmem) {
        List<SymmetricArray> kept = new ArrayList<>();
        for (int i = 0; i < 400; i++) {
            kept.add(shmem.allocate(DataType.INT8, 1 + i * 7919L % 50_000));
            if (kept.size() > 10) {
                SymmetricArray victim = kept.remove(i * 31 % kept.size());
                assertThat(victim.toByteArray()).containsOnly(0);
                victim.fill(1);
                victim.close();
            }
        }
        kept.forEach(SymmetricArray::close);
        // All of it is free again.
        long most = 8 << 20;
        for (int i = 0; i < 20; i++) {
            shmem.allocate(DataType.INT8, most).close();
        }
    }

    static void freeingWaitsForNobody(OpenShmem shmem) {
        SymmetricArray a = shmem.allocate(DataType.INT64, 10);
        a.fill(7);
        shmem.barrierAll();
        if (shmem.myPe() == 0) {
            a.close();
            a.close();
            assertThat(a.isAlive()).isFalse();
        } else {
            assertThat(shmem.g(a, 9, 0)).isEqualTo(7);
        }
        try (SymmetricArray b = shmem.allocate(DataType.INT64, 10)) {
            if (shmem.nPes() > 1) {
                assertThat(b.offset()).isNotEqualTo(a.offset());
            }
            shmem.barrierAll();
        }
        if (shmem.myPe() != 0) {
            assertThat(a.getLong(0)).isEqualTo(7);
            a.close();
        }
    }

    static void differentAllocations(OpenShmem shmem) {
        if (shmem.nPes() > 1) {
            assertThatThrownBy(() -> shmem.allocate(DataType.INT32, 10 + shmem.myPe()))
                    .isInstanceOf(CollectiveMismatchException.class)
                    .hasMessageContaining("allocate of " + (10 + shmem.myPe()) + " x INT32 on PE " + shmem.myPe());
            assertThatThrownBy(() -> shmem.allocate(shmem.myPe() == 0 ? DataType.INT32 : DataType.FLOAT32, 10))
                    .isInstanceOf(CollectiveMismatchException.class);
        }
        assertThatThrownBy(() -> shmem.allocate(DataType.INT32, -1)).isInstanceOf(IllegalArgumentException.class);
        shmem.allocate(DataType.INT32, 10).close();
    }

    static void exhaustedHeap(OpenShmem shmem) {
        assertThatThrownBy(() -> shmem.allocate(DataType.INT64, 1L << 50))
                .isInstanceOf(SymmetricMemoryException.class)
                .hasMessageContaining("allocate of " + (1L << 50) + " x INT64");
        try (SymmetricArray a = shmem.allocate(DataType.INT64, 1000)) {
            assertThat(a.toLongArray()).containsOnly(0);
        }
    }

    static void pointers(OpenShmem shmem) {
        try (SymmetricArray a = shmem.allocate(DataType.INT64, 4)) {
            a.fill(shmem.myPe());
            shmem.barrierAll();
            for (int pe = 0; pe < shmem.nPes(); pe++) {
                HostArray there = shmem.ptr(a.slice(1, 2), pe);
                assertThat(there == null).isEqualTo(!shmem.reaches(pe));
                if (there != null) {
                    assertThat(there.toLongArray()).containsExactly(pe, pe);
                }
            }
            assertThat(shmem.reaches(shmem.myPe())).isTrue();
            assertThat(shmem.shared().memberOf(shmem.myPe()))
                    .isEqualTo(shmem.shared().rank());
            for (int member = 0; member < shmem.shared().size(); member++) {
                assertThat(shmem.shared().ptr(a, member)).isNotNull();
            }
            shmem.barrierAll();
        }
    }
}
