// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.shmem;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.comm4j.core.contract.pgas.Data.assertZero;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
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
                assertZero(victim);
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
            otherOperations(shmem);
        }
        assertThatThrownBy(() -> shmem.allocate(DataType.INT32, -1)).isInstanceOf(IllegalArgumentException.class);
        shmem.allocate(DataType.INT32, 10).close();
    }

    /** What one PE calls instead of the others is in the message of all. */
    private static void otherOperations(OpenShmem shmem) {
        boolean odd = shmem.myPe() == shmem.nPes() - 1;
        SymmetricArray a = shmem.allocate(DataType.INT32, 10);
        SymmetricArray b = shmem.allocate(DataType.INT32, 10);
        differ(
                () -> odd ? shmem.allocateAligned(DataType.INT32, 7, 64) : shmem.allocate(DataType.INT32, 7),
                odd
                        ? "PE 0 calls allocate of 7 x INT32 instead"
                        : "calls allocateAligned of 7 x INT32 at a multiple of 64 instead");
        differ(
                () -> shmem.allocateAligned(DataType.INT32, odd ? 7 : 8, 64),
                "calls allocateAligned of " + (odd ? 8 : 7) + " x INT32");
        differ(
                () -> odd ? shmem.reallocate(a, 7) : shmem.allocate(DataType.INT32, 7),
                odd ? "PE 0 calls allocate of 7 x INT32 instead" : "calls reallocate of 10 x INT32 at byte");
        differ(() -> shmem.reallocate(a, odd ? 7 : 8), "to " + (odd ? 8 : 7) + " elements");
        differ(
                () -> shmem.reallocate(odd ? a : b, 7),
                "calls reallocate of 10 x INT32 at byte " + (odd ? b : a).offset());
        differ(
                () -> odd ? shmem.world().splitStrided(0, 1, shmem.nPes()) : shmem.allocate(DataType.INT32, 7),
                odd
                        ? "PE 0 calls another collective method;"
                        : "PE " + (shmem.nPes() - 1) + " calls another collective method instead");
        assertThat(a.isAlive() && b.isAlive()).isTrue();
        a.close();
        b.close();
    }

    private static void differ(Callable<?> call, String words) {
        assertThatThrownBy(call::call)
                .isInstanceOf(CollectiveMismatchException.class)
                .hasMessageContaining(words);
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

    static void shapes(OpenShmem shmem) {
        int next = (shmem.myPe() + 1) % shmem.nPes();
        int before = (shmem.myPe() + shmem.nPes() - 1) % shmem.nPes();
        try (SymmetricArray flat = shmem.allocate(DataType.INT32, 24)) {
            assertThat(flat.shape()).containsExactly(24);
            assertThat(flat.strides()).containsExactly(1);
            SymmetricArray a = flat.reshape(2, 3, 4);
            assertThat(a.shape()).containsExactly(2, 3, 4);
            assertThat(a.strides()).containsExactly(12, 4, 1);
            assertThat(a.index(1, 2, 3)).isEqualTo(23);
            assertThat(a).hasToString("SymmetricArray[2 x 3 x 4 x INT32]");
            shmem.p(a, a.index(1, 0, 2), 100L + shmem.myPe(), next);
            // A column of the second plane, by strides.
            SymmetricArray plane = a.row(1);
            assertThat(plane.shape()).containsExactly(3, 4);
            shmem.iput(plane.slice(3, 9), HostArray.of(7, 8, 9), plane.strides()[0], 1, 3, next);
            shmem.barrierAll();
            assertThat(flat.getLong(14)).isEqualTo(100L + before);
            assertThat(plane.rows(1, 2).toIntArray()).containsExactly(0, 0, 0, 8, 0, 0, 0, 9);
            assertThat(plane.rows(1, 2).shape()).containsExactly(2, 4);
            assertThat(plane.row(2).row(3).count()).isEqualTo(1);
            assertThat(plane.row(2).row(3).shape()).isEmpty();
            assertThat(plane.row(2).row(3).getInt(plane.row(2).row(3).index())).isEqualTo(9);
            assertThat(a.view(DataType.INT64).shape()).containsExactly(12);
            assertThat(a.slice(2, 5).shape()).containsExactly(5);
            assertThat(flat.slice(0, 0).reshape(0, 5).rows(0, 0).count()).isZero();
            assertThatThrownBy(() -> a.index(2, 0, 0)).hasMessageContaining("[2, 0, 0] leave dimension 0");
            assertThatThrownBy(() -> a.index(0, 0)).hasMessageContaining("2 coordinates");
            assertThatThrownBy(() -> a.rows(1, 2)).isInstanceOf(IndexOutOfBoundsException.class);
            assertThatThrownBy(() -> flat.reshape(5, 5)).hasMessageContaining("25 elements, not 24");
            assertThatThrownBy(() -> flat.reshape(1L << 40, 1L << 40)).isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> flat.reshape(-1, -24)).hasMessageContaining("no length");
            shmem.barrierAll();
        }
    }

    static void alignment(OpenShmem shmem) {
        for (long alignment = 1; alignment <= 128; alignment *= 2) {
            try (SymmetricArray a = shmem.allocateAligned(DataType.INT8, 33, alignment)) {
                assertThat(a.address() % alignment).isZero();
                shmem.p(a, 32, alignment, (shmem.myPe() + 1) % shmem.nPes());
                shmem.barrierAll();
                assertThat(a.getLong(32)).isEqualTo((byte) alignment);
            }
        }
        int next = (shmem.myPe() + 1) % shmem.nPes();
        int granted = 0;
        for (long alignment = 256; alignment <= 2 << 20; alignment *= 2) {
            try (SymmetricArray a = shmem.allocateAligned(DataType.FLOAT64, 100, alignment);
                    SymmetricArray b = shmem.allocateAligned(DataType.INT64, 1000, alignment)) {
                assertThat(a.address() % alignment).isZero();
                assertThat(b.address() % alignment).isZero();
                shmem.p(a, 99, (double) alignment, next);
                shmem.put(b, b, next);
                shmem.barrierAll();
                assertThat(a.getDouble(99)).isEqualTo((double) alignment);
                assertThat(a.slice(0, 99).toDoubleArray()).containsOnly(0);
                granted++;
            } catch (SymmetricMemoryException e) {
                assertThat(e).hasMessageContaining("lie alike only up to multiples of");
            }
        }
        // Sandia's heaps lie as they come.
        if (shmem.nPes() == 1 || !shmem.engine().contains("libsma")) {
            assertThat(granted).isEqualTo(14);
        }
        assertThatThrownBy(() -> shmem.allocateAligned(DataType.INT8, 1, 48)).hasMessageContaining("power of two");
        assertThatThrownBy(() -> shmem.allocateAligned(DataType.INT8, 1, 2L << 30))
                .hasMessageContaining("power of two from 1 to 1073741824");
        if (shmem.nPes() > 1) {
            assertThatThrownBy(() -> shmem.allocateAligned(DataType.INT8, 1, shmem.myPe() == 0 ? 8 : 16))
                    .isInstanceOf(CollectiveMismatchException.class);
        }
    }

    static void reallocation(OpenShmem shmem) {
        int next = (shmem.myPe() + 1) % shmem.nPes();
        SymmetricArray small = shmem.allocate(DataType.INT64, 3);
        small.fill(10 + shmem.myPe());
        SymmetricArray large = shmem.reallocate(small, 1000);
        assertThat(small.isAlive()).isFalse();
        shmem.p(large, 0, -1, next);
        shmem.barrierAll();
        assertThat(large.slice(0, 4).toLongArray()).containsExactly(-1, 10 + shmem.myPe(), 10 + shmem.myPe(), 0);
        SymmetricArray least = shmem.reallocate(large, 2);
        assertThat(least.getLong(0)).isEqualTo(-1);
        assertThatThrownBy(() -> shmem.reallocate(large, 5)).hasMessageContaining("was freed");
        assertThatThrownBy(() -> shmem.reallocate(least.slice(1, 1), 5)).hasMessageContaining("front of an allocation");
        if (shmem.nPes() > 1) {
            assertThatThrownBy(() -> shmem.reallocate(least, 5 + shmem.myPe()))
                    .isInstanceOf(CollectiveMismatchException.class);
        }
        assertThat(least.isAlive()).isTrue();
        SymmetricArray aligned = shmem.allocateAligned(DataType.INT64, 5, 128);
        aligned.fill(7);
        assertThatThrownBy(() -> shmem.reallocate(aligned.slice(1, 1), 5))
                .hasMessageContaining("front of an allocation");
        try (SymmetricArray longer = shmem.reallocate(aligned, 6)) {
            assertThat(aligned.isAlive()).isFalse();
            assertThat(longer.toLongArray()).containsExactly(7, 7, 7, 7, 7, 0);
            shmem.barrierAll();
        }
        try (SymmetricArray none = shmem.reallocate(least, 0);
                SymmetricArray hinted = shmem.allocate(DataType.INT64, 1, OpenShmem.Hint.SIGNAL_REMOTE)) {
            assertThat(none.count()).isZero();
            assertThat(hinted.getLong(0)).isZero();
            shmem.barrierAll();
        }
    }

    static void accessible(OpenShmem shmem) {
        try (SymmetricArray a = shmem.allocate(DataType.INT8, 1)) {
            assertThat(shmem.peAccessible(shmem.nPes() - 1)).isTrue();
            assertThat(shmem.peAccessible(shmem.nPes())).isFalse();
            assertThat(shmem.peAccessible(-1)).isFalse();
            assertThat(shmem.addrAccessible(a.slice(0, 1), 0)).isTrue();
            assertThat(shmem.addrAccessible(a, shmem.nPes())).isFalse();
            assertThat(shmem.addrAccessible(HostArray.of(1L), 0)).isFalse();
        }
        SymmetricArray gone = shmem.allocate(DataType.INT8, 1);
        gone.close();
        assertThat(shmem.addrAccessible(gone, 0)).isFalse();
    }
}
