// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.host;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import org.comm4j.core.CollectiveMismatchException;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.core.SymmetricMemoryException;
import org.comm4j.ffi.OperatingSystem;

/** The symmetric heap. */
final class MemoryCases {
    private MemoryCases() {}

    private static void assertZero(HostArray array) {
        assertThat(firstNonZero(array.segment())).as(array.toString()).isEqualTo(-1);
    }

    private static long firstNonZero(MemorySegment segment) {
        for (long i = 0; i < segment.byteSize(); i++) {
            if (segment.get(JAVA_BYTE, i) != 0) {
                return i;
            }
        }
        return -1;
    }

    private static void dirty(HostArray array) {
        array.segment().fill((byte) 0x5a);
    }

    static void zeroedAtTheSamePlace(HostShmem shmem) {
        for (int round = 0; round < 3; round++) {
            List<SymmetricArray> arrays = new ArrayList<>();
            for (DataType type : DataType.values()) {
                for (long count : new long[] {1, 7, 1000, 5000}) {
                    arrays.add(shmem.allocate(type, count));
                }
            }
            Set<Long> places = new HashSet<>();
            for (SymmetricArray array : arrays) {
                assertThat(array.address() % 64).isZero();
                assertZero(array);
                for (long[] words : shmem.world().exchange("test", 0, array.offset(), array.count())) {
                    assertThat(words).containsExactly(array.offset(), array.count());
                }
                assertThat(places.add(array.offset())).isTrue();
            }
            for (SymmetricArray array : arrays) {
                dirty(array);
            }
            arrays.forEach(SymmetricArray::close);
            arrays.forEach(SymmetricArray::close);
        }
    }

    static void zeroedBeforeAnyPut(HostShmem shmem) {
        int n = shmem.nPes();
        for (int round = 0; round < 100; round++) {
            // Small, of a few pages, and large enough for large pages now and then.
            long count = round % 50 == 49 ? 200_000 : 100 + 37L * round;
            try (SymmetricArray array = shmem.allocate(DataType.INT64, count)) {
                for (int i = 0; i < n; i++) {
                    int pe = (shmem.myPe() + i) % n;
                    shmem.ptr(array, pe).setLong(shmem.myPe() * 3L, shmem.myPe() + 1L);
                }
                shmem.barrierAll();
                long[] expected = new long[(int) count];
                for (int pe = 0; pe < n; pe++) {
                    expected[pe * 3] = pe + 1L;
                }
                assertThat(Arrays.mismatch(array.toLongArray(), expected)).isEqualTo(-1);
                shmem.barrierAll();
                dirty(array);
            }
        }
    }

    static void emptyArrays(HostShmem shmem) {
        int next = (shmem.myPe() + 1) % shmem.nPes();
        try (SymmetricArray empty = shmem.allocate(DataType.FLOAT32, 0)) {
            assertThat(shmem.ptr(empty, next).count()).isZero();
            assertThat(empty.slice(0, 0).count()).isZero();
        }
    }

    static void directAccess(HostShmem shmem) {
        int n = shmem.nPes();
        try (SymmetricArray array = shmem.allocate(DataType.INT32, n)) {
            assertThat(shmem.ptr(array, shmem.myPe()).address()).isEqualTo(array.address());
            for (int pe = 0; pe < n; pe++) {
                shmem.ptr(array, pe).setInt(shmem.myPe(), 10 * shmem.myPe() + pe);
            }
            shmem.barrierAll();
            for (int pe = 0; pe < n; pe++) {
                assertThat(array.getInt(pe)).isEqualTo(10 * pe + shmem.myPe());
                assertThat(shmem.ptr(array.slice(shmem.myPe(), 1), pe).toIntArray())
                        .containsExactly(10 * shmem.myPe() + pe);
            }
            shmem.barrierAll();
        }
    }

    static void differentArguments(HostShmem shmem) {
        if (shmem.nPes() == 1) {
            return;
        }
        int odd = shmem.nPes() - 1;
        boolean isOdd = shmem.myPe() == odd;
        assertThatThrownBy(() -> shmem.allocate(DataType.INT32, isOdd ? 11 : 10).close())
                .isInstanceOf(CollectiveMismatchException.class)
                .hasMessageContaining("allocate")
                .hasMessageContaining("on PE " + shmem.myPe() + " of " + shmem.nPes())
                .hasMessageContaining(isOdd ? "PE 0 allocates 10 x INT32" : "PE " + odd + " allocates 11 x INT32");
        assertThatThrownBy(() -> shmem.allocate(isOdd ? DataType.INT64 : DataType.INT32, 10)
                        .close())
                .isInstanceOf(CollectiveMismatchException.class)
                .hasMessageContaining("INT");
        try (SymmetricArray array = shmem.allocate(DataType.INT32, 10)) {
            assertZero(array);
        }
    }

    /** The same allocations on all PEs, freed by each in an order of its own. */
    static void allocateAndFreeForLong(HostShmem shmem) {
        SplittableRandom together = OneSidedContract.random(1);
        SplittableRandom alone = OneSidedContract.random(1000 + shmem.myPe());
        long first;
        try (SymmetricArray probe = shmem.allocate(DataType.INT8, 3 << 20)) {
            first = probe.offset();
        }
        for (int cycle = 0; cycle < 40; cycle++) {
            List<SymmetricArray> arrays = new ArrayList<>();
            int number = 1 + together.nextInt(12);
            for (int i = 0; i < number; i++) {
                SymmetricArray array = shmem.allocate(DataType.INT8, together.nextLong(20_000));
                assertZero(array);
                dirty(array);
                arrays.add(array);
            }
            while (!arrays.isEmpty()) {
                arrays.remove(alone.nextInt(arrays.size())).close();
            }
        }
        try (SymmetricArray probe = shmem.allocate(DataType.INT8, 3 << 20)) {
            assertThat(probe.offset()).as("the heap is whole again").isEqualTo(first);
        }
    }

    static void memoryGoesBack(HostShmem shmem) throws IOException {
        if (shmem.nPes() > 4) {
            return;
        }
        long before = 0;
        for (int round = 0; round < 4; round++) {
            try (SymmetricArray array = shmem.allocate(DataType.INT8, 12 << 20)) {
                array.segment().fill((byte) 1);
                shmem.barrierAll();
            }
            // The last one to free gives back what all had; behind the barrier that has happened.
            shmem.barrierAll();
            long now = sharedResident();
            if (round == 0) {
                before = now;
            }
            assertThat(now).as("resident after round " + round).isLessThan(before + (8 << 20));
            shmem.barrierAll();
        }
    }

    /** Bytes of shared memory that this process has mapped and that exist. */
    private static long sharedResident() throws IOException {
        return Files.readAllLines(Path.of("/proc/self/status")).stream()
                .filter(line -> line.startsWith("RssShmem:"))
                .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")) << 10)
                .findFirst()
                .orElseThrow();
    }

    static void freeingWaitsForNobody(HostShmem shmem) {
        int n = shmem.nPes();
        try (SymmetricArray signal = shmem.allocate(DataType.INT64, 1)) {
            SymmetricArray array = shmem.allocate(DataType.INT64, 10);
            if (shmem.myPe() == 0) {
                // Nobody else can be here yet: all wait for this PE.
                array.close();
                for (int pe = 1; pe < n; pe++) {
                    Words.store(shmem, signal, 0, 1, pe);
                }
            } else {
                Words.await(shmem, signal, 0, 1);
                // Its memory is still there for those that have not freed it.
                HostArray there = shmem.ptr(array, 0);
                there.setLong(shmem.myPe(), 100 + shmem.myPe());
                assertThat(there.getLong(shmem.myPe())).isEqualTo(100 + shmem.myPe());
                array.close();
            }
            try (SymmetricArray again = shmem.allocate(DataType.INT64, 10)) {
                assertThat(again.offset()).isEqualTo(array.offset());
                assertZero(again);
                assertThat(array.isAlive()).isFalse();
                assertThat(again.isAlive()).isTrue();
            }
        }
    }

    static void exhaustedHeap(HostShmem shmem) {
        long size = 4 << 20;
        try (HostShmem small = HostShmem.init(shmem.heap().world(), size)) {
            SymmetricArray half = small.allocate(DataType.INT8, size / 4);
            for (int i = 0; i < 3; i++) {
                assertThatThrownBy(() -> small.allocate(DataType.INT8, size).close())
                        .isInstanceOf(SymmetricMemoryException.class)
                        .hasMessageContaining("allocate of " + size + " x INT8")
                        .hasMessageContaining("heap of 4.0 MiB")
                        .hasMessageContaining("COMM4J_HEAP_SIZE");
            }
            assertThatThrownBy(() -> small.allocate(DataType.COMPLEX128, Long.MAX_VALUE / 16)
                            .close())
                    .isInstanceOf(SymmetricMemoryException.class);
            if (small.nPes() > 1) {
                freedBySome(small, half, size - 64);
            }
            half.close();
            try (SymmetricArray all = small.allocate(DataType.INT8, size - 64)) {
                assertZero(all);
            }
            small.barrierAll();
        }
    }

    /** It is not free yet; who wonders why is told who holds it. */
    private static void freedBySome(HostShmem shmem, SymmetricArray array, long count) {
        if (shmem.myPe() == 0) {
            array.close();
        }
        assertThatThrownBy(() -> shmem.allocate(DataType.INT8, count).close())
                .isInstanceOf(SymmetricMemoryException.class)
                .hasMessageContaining(shmem.myPe() == 0 ? "1.0 MiB that this PE has freed" : "allocate")
                .hasMessageContaining(shmem.myPe() == 0 ? "PE 1 among them" : "allocate");
        // Until all have looked.
        shmem.barrierAll();
    }

    static void moreThanTheMachineHas(HostShmem shmem) {
        long tooMuch = OperatingSystem.current().totalMemory() / shmem.nPes() - (1 << 20);
        for (int i = 0; i < 2; i++) {
            assertThatThrownBy(() -> shmem.allocate(DataType.INT8, tooMuch).close())
                    .isInstanceOf(SymmetricMemoryException.class)
                    .hasMessageContaining("allocate of " + tooMuch + " x INT8 on PE " + shmem.myPe())
                    .hasMessageContaining("this machine has only");
        }
        try (SymmetricArray array = shmem.allocate(DataType.INT8, 1 << 20)) {
            assertZero(array);
        }
    }
}
