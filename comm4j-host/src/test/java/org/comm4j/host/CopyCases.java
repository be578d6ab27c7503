// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.host;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.util.SplittableRandom;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;

/** Put and get. */
final class CopyCases {
    private CopyCases() {}

    /** What PE {@code pe} sends: other bytes on each PE and for each purpose. */
    private static HostArray data(DataType type, long count, int pe, int purpose) {
        HostArray array = HostArray.allocate(type, count);
        byte[] bytes = new byte[(int) array.byteSize()];
        new SplittableRandom(OneSidedContract.SEED + pe * 1009L + purpose).nextBytes(bytes);
        MemorySegment.copy(bytes, 0, array.segment(), JAVA_BYTE, 0, bytes.length);
        return array;
    }

    private static void assertSame(HostArray actual, HostArray expected) {
        assertThat(actual.segment().mismatch(expected.segment()))
                .as("first different byte of " + actual)
                .isEqualTo(-1);
    }

    static void everyType(HostShmem shmem) {
        int n = shmem.nPes();
        int me = shmem.myPe();
        for (DataType type : DataType.values()) {
            for (int count : new int[] {1, 2, 3, 17, 1001}) {
                try (SymmetricArray array = shmem.allocate(type, count + 2)) {
                    for (int distance = 0; distance < Math.min(n, 3); distance++) {
                        int to = (me + distance) % n;
                        int from = (me - distance + n) % n;
                        shmem.put(array.slice(1, count), data(type, count, me, distance), to);
                        shmem.barrierAll();
                        assertSame(array.slice(1, count), data(type, count, from, distance));
                        assertSame(array.slice(0, 1), HostArray.allocate(type, 1));
                        assertSame(array.slice(count + 1, 1), HostArray.allocate(type, 1));
                        HostArray got = HostArray.allocate(type, count);
                        shmem.get(got, array.slice(1, count), to);
                        assertSame(got, data(type, count, me, distance));
                        HostArray some = HostArray.allocate(type, count);
                        shmem.get(some, array.slice(1, count), count / 2, to);
                        assertSame(some.slice(0, count / 2), got.slice(0, count / 2));
                        assertSame(
                                some.slice(count / 2, count - count / 2), HostArray.allocate(type, count - count / 2));
                        shmem.barrierAll();
                    }
                }
            }
        }
    }

    static void large(HostShmem shmem) {
        int n = shmem.nPes();
        long count = (5 << 20) + 12_345;
        try (SymmetricArray array = shmem.allocate(DataType.UINT8, count)) {
            int to = (shmem.myPe() + 1) % n;
            int from = (shmem.myPe() + n - 1) % n;
            HostArray mine = data(DataType.UINT8, count, shmem.myPe(), 7);
            shmem.put(array, mine, to);
            shmem.barrierAll();
            assertSame(array, data(DataType.UINT8, count, from, 7));
            HostArray got = HostArray.allocate(DataType.UINT8, count);
            shmem.get(got, array, to);
            assertSame(got, mine);
            shmem.barrierAll();
            // From one symmetric array to another.
            try (SymmetricArray other = shmem.allocate(DataType.UINT8, count)) {
                shmem.put(other, array, from);
                shmem.barrierAll();
                assertSame(other, mine);
            }
        }
    }

    static void strided(HostShmem shmem) {
        int n = shmem.nPes();
        int me = shmem.myPe();
        int to = (me + 1) % n;
        int from = (me + n - 1) % n;
        int[] strides = {1, 2, 3, 7};
        for (DataType type : DataType.values()) {
            for (int destinationStride : strides) {
                for (int sourceStride : strides) {
                    int count = 13;
                    int longest = 12 * 7 + 1;
                    try (SymmetricArray array = shmem.allocate(type, longest)) {
                        shmem.iput(array, data(type, longest, me, 3), destinationStride, sourceStride, count, to);
                        shmem.barrierAll();
                        HostArray sent = data(type, longest, from, 3);
                        HostArray expected = HostArray.allocate(type, longest);
                        for (int i = 0; i < count; i++) {
                            expected.slice((long) i * destinationStride, 1)
                                    .copyFrom(sent.slice((long) i * sourceStride, 1));
                        }
                        assertSame(array, expected);

                        HostArray got = HostArray.allocate(type, longest);
                        shmem.iget(
                                got,
                                array,
                                /* destinationStride= */ sourceStride,
                                /* sourceStride= */ destinationStride,
                                count,
                                to);
                        HostArray mine = data(type, longest, me, 3);
                        for (int i = 0; i < longest; i++) {
                            boolean copied = i % sourceStride == 0 && i / sourceStride < count;
                            assertSame(got.slice(i, 1), copied ? mine.slice(i, 1) : HostArray.allocate(type, 1));
                        }
                        shmem.barrierAll();
                    }
                }
            }
        }
    }

    static void singleElements(HostShmem shmem) {
        int n = shmem.nPes();
        int to = (shmem.myPe() + 1) % n;
        long[] values = {
            0,
            1,
            -1,
            0x7f,
            0x80,
            0xff,
            0x7fff,
            0x8000,
            0xffff,
            0x7fff_ffffL,
            0x8000_0000L,
            0xffff_ffffL,
            Long.MAX_VALUE,
            Long.MIN_VALUE,
            0x0123_4567_89ab_cdefL
        };
        for (DataType type : DataType.values()) {
            if (!type.isInteger()) {
                continue;
            }
            try (SymmetricArray array = shmem.allocate(type, values.length)) {
                for (int i = 0; i < values.length; i++) {
                    shmem.p(array, i, values[i], to);
                }
                shmem.barrierAll();
                HostArray model = HostArray.allocate(type, values.length);
                for (int i = 0; i < values.length; i++) {
                    model.setLong(i, values[i]);
                    assertThat(array.getLong(i)).isEqualTo(model.getLong(i));
                    assertThat(shmem.g(array, i, to)).isEqualTo(model.getLong(i));
                }
                shmem.barrierAll();
            }
        }
        double[] numbers = {0, -0.0, 1.5, Float.MAX_VALUE, Double.MIN_VALUE, Double.NEGATIVE_INFINITY, Double.NaN};
        for (DataType type : new DataType[] {DataType.FLOAT32, DataType.FLOAT64}) {
            try (SymmetricArray array = shmem.allocate(type, numbers.length)) {
                for (int i = 0; i < numbers.length; i++) {
                    shmem.p(array, i, numbers[i], to);
                }
                shmem.barrierAll();
                for (int i = 0; i < numbers.length; i++) {
                    double expected = type == DataType.FLOAT32 ? (float) numbers[i] : numbers[i];
                    assertThat(Double.valueOf(array.getDouble(i))).isEqualTo(Double.valueOf(expected));
                    assertThat(Double.valueOf(shmem.gDouble(array, i, to))).isEqualTo(Double.valueOf(expected));
                }
                shmem.barrierAll();
            }
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

    /** Floods of small puts, round after round, so that a lost or late one shows. */
    static void everybodyToEverybody(HostShmem shmem) {
        int n = shmem.nPes();
        int each = 16;
        try (SymmetricArray array = shmem.allocate(DataType.INT64, (long) n * each)) {
            for (int round = 1; round <= 50; round++) {
                for (int i = 0; i < each; i++) {
                    for (int pe = 0; pe < n; pe++) {
                        shmem.put(
                                array.slice((long) shmem.myPe() * each + i, 1),
                                HostArray.of(round * 1_000_000L + shmem.myPe() * 1000L + i),
                                pe);
                    }
                }
                shmem.barrierAll();
                for (int pe = 0; pe < n; pe++) {
                    for (int i = 0; i < each; i++) {
                        assertThat(array.getLong((long) pe * each + i)).isEqualTo(round * 1_000_000L + pe * 1000L + i);
                    }
                }
                shmem.barrierAll();
            }
        }
    }
}
