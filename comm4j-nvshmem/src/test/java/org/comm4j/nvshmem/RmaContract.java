// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.nvshmem;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.comm4j.core.Buffer;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.cuda.DeviceArray;
import org.comm4j.cuda.PinnedArray;
import org.comm4j.cuda.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Puts and gets: every type, with and without a stream, odd and empty sizes, strides, single values. */
class RmaContract {
    private static final int[] SIZES = {0, 1, 2, 3, 17, 1000, 4099};
    private static final int MOST = 4099;
    private static final int GUARD = 5;

    /** How an operation is called. */
    enum Way {
        HOST,
        STREAM,
        NBI,
        NBI_STREAM
    }

    private final Nvshmem shmem = Pes.current();
    private final int me = shmem.myPe();
    private final int n = shmem.nPes();
    private final int next = (me + 1) % n;
    private final int previous = (me + n - 1) % n;
    private Stream stream;

    @BeforeEach
    void stream() {
        stream = shmem.device().newStream();
    }

    @AfterEach
    void end() {
        shmem.synchronize(stream);
        stream.close();
        shmem.barrierAll();
    }

    /** All that was started is done here, and all PEs are that far. */
    private void settle() {
        shmem.quiet(stream);
        shmem.synchronize(stream);
        shmem.quiet();
        shmem.barrierAll();
    }

    private void put(Way way, SymmetricArray destination, Buffer source, long count, int pe) {
        switch (way) {
            case HOST -> shmem.put(destination, source, count, pe);
            case STREAM -> shmem.put(destination, source, count, pe, stream);
            case NBI -> shmem.putNbi(destination, source, count, pe);
            case NBI_STREAM -> shmem.putNbi(destination, source, count, pe, stream);
        }
    }

    private void get(Way way, Buffer destination, SymmetricArray source, long count, int pe) {
        switch (way) {
            case HOST -> shmem.get(destination, source, count, pe);
            case STREAM -> shmem.get(destination, source, count, pe, stream);
            case NBI -> shmem.getNbi(destination, source, count, pe);
            case NBI_STREAM -> shmem.getNbi(destination, source, count, pe, stream);
        }
    }

    /** {@code front}, and behind it what {@code whole} has there. */
    private static HostArray changed(HostArray whole, HostArray front) {
        HostArray result = HostArray.allocate(whole.type(), whole.count());
        result.copyFrom(whole);
        result.slice(0, front.count()).copyFrom(front);
        return result;
    }

    @ParameterizedTest
    @EnumSource
    void putOfEveryType(DataType type) {
        try (SymmetricArray to = shmem.allocate(type, MOST + GUARD);
                SymmetricArray from = shmem.allocate(type, MOST)) {
            int time = 0;
            for (Way way : Way.values()) {
                for (int count : SIZES) {
                    HostArray before = Data.bits(type, MOST + GUARD, me, ++time);
                    to.copyFrom(before);
                    from.slice(0, count).copyFrom(Data.bits(type, count, me, -time));
                    shmem.barrierAll();
                    put(way, to, from, count, next);
                    settle();
                    HostArray expected = changed(before, Data.bits(type, count, previous, -time));
                    Data.assertSame(to.toHost(), expected, way + " put of " + count);
                }
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void getOfEveryType(DataType type) {
        try (SymmetricArray to = shmem.allocate(type, MOST + GUARD);
                SymmetricArray from = shmem.allocate(type, MOST)) {
            int time = 0;
            for (Way way : Way.values()) {
                for (int count : SIZES) {
                    HostArray before = Data.bits(type, MOST + GUARD, me, ++time);
                    to.copyFrom(before);
                    from.slice(0, count).copyFrom(Data.bits(type, count, me, -time));
                    shmem.barrierAll();
                    get(way, to, from, count, next);
                    settle();
                    HostArray expected = changed(before, Data.bits(type, count, next, -time));
                    Data.assertSame(to.toHost(), expected, way + " get of " + count);
                }
            }
        }
    }

    /** The array forms take their own length. */
    @Test
    void wholeArrays() {
        try (SymmetricArray to = shmem.allocate(DataType.INT32, 20);
                SymmetricArray from = shmem.allocate(DataType.INT32, 20)) {
            for (Way way : Way.values()) {
                HostArray data = Data.bits(DataType.INT32, 7, me, way.ordinal());
                from.fill(0);
                from.slice(3, 7).copyFrom(data);
                to.fill(way.ordinal());
                shmem.barrierAll();
                switch (way) {
                    case HOST -> shmem.put(to, from.slice(3, 7), next);
                    case STREAM -> shmem.put(to, from.slice(3, 7), next, stream);
                    case NBI -> shmem.putNbi(to, from.slice(3, 7), next);
                    case NBI_STREAM -> shmem.putNbi(to, from.slice(3, 7), next, stream);
                }
                settle();
                HostArray there = to.toHost();
                Data.assertSame(there.slice(0, 7), Data.bits(DataType.INT32, 7, previous, way.ordinal()), "put");
                assertThat(there.getInt(7)).isEqualTo(way.ordinal());
                shmem.barrierAll();
                switch (way) {
                    case HOST -> shmem.get(to.slice(10, 7), from.slice(3, 10), next);
                    case STREAM -> shmem.get(to.slice(10, 7), from.slice(3, 10), next, stream);
                    case NBI -> shmem.getNbi(to.slice(10, 7), from.slice(3, 10), next);
                    case NBI_STREAM -> shmem.getNbi(to.slice(10, 7), from.slice(3, 10), next, stream);
                }
                settle();
                there = to.toHost();
                Data.assertSame(there.slice(10, 7), Data.bits(DataType.INT32, 7, next, way.ordinal()), "get");
                assertThat(there.getInt(9)).isEqualTo(way.ordinal());
                shmem.barrierAll();
            }
        }
    }

    /** The side of this PE may be memory of any kind. */
    @ParameterizedTest
    @EnumSource
    void memoryOfThisSide(Way way) {
        int count = 333;
        try (SymmetricArray there = shmem.allocate(DataType.FLOAT64, count);
                DeviceArray plain = shmem.device().allocate(DataType.FLOAT64, count);
                PinnedArray pinned = shmem.device().allocatePinned(DataType.FLOAT64, count)) {
            HostArray pageable = HostArray.allocate(DataType.FLOAT64, count);
            int time = 100 * way.ordinal();
            for (Buffer here : List.<Buffer>of(plain, pinned, pageable)) {
                time++;
                here.copyFrom(Data.bits(DataType.FLOAT64, count, me, time));
                shmem.barrierAll();
                put(way, there, here, count, next);
                settle();
                Data.assertSame(there.toHost(), Data.bits(DataType.FLOAT64, count, previous, time), "put from " + here);
                here.fill(0);
                get(way, here, there, count, next);
                settle();
                Data.assertSame(here.toHost(), Data.bits(DataType.FLOAT64, count, me, time), "get to " + here);
                shmem.barrierAll();
            }
        }
    }

    /** Every PE to every PE, all at once. */
    @Test
    void fromAllToAll() {
        int count = 513;
        try (SymmetricArray to = shmem.allocate(DataType.INT16, (long) n * count);
                SymmetricArray from = shmem.allocate(DataType.INT16, (long) n * count)) {
            from.copyFrom(Data.bits(DataType.INT16, (long) n * count, me, 0));
            shmem.barrierAll();
            for (int pe = 0; pe < n; pe++) {
                put(
                        Way.values()[pe % 4],
                        to.slice((long) me * count, count),
                        from.slice((long) pe * count, count),
                        count,
                        pe);
            }
            settle();
            HostArray got = to.toHost();
            for (int pe = 0; pe < n; pe++) {
                Data.assertSame(
                        got.slice((long) pe * count, count),
                        Data.bits(DataType.INT16, (long) n * count, pe, 0).slice((long) me * count, count),
                        "from PE " + pe);
            }
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"INT8", "FLOAT8_E5M2", "BFLOAT16", "INT32", "COMPLEX64", "FLOAT64", "COMPLEX128"})
    void strides(DataType type) {
        Random random = new Random(Data.seed());
        int room = 2000;
        try (SymmetricArray to = shmem.allocate(type, room);
                SymmetricArray from = shmem.allocate(type, room)) {
            for (int time = 1; time <= 12; time++) {
                int toStride = time == 1 ? 1 : 1 + random.nextInt(9);
                int fromStride = time <= 2 ? 1 : 1 + random.nextInt(9);
                int count = time == 3 ? 0 : random.nextInt(1 + (room - 1) / Math.max(toStride, fromStride));
                HostArray before = Data.bits(type, room, me, time);
                to.copyFrom(before);
                from.copyFrom(Data.bits(type, room, me, -time));
                shmem.barrierAll();
                boolean get = time % 2 == 0;
                if (get && time % 4 == 0) {
                    shmem.iget(to, from, toStride, fromStride, count, next, stream);
                } else if (get) {
                    shmem.iget(to, from, toStride, fromStride, count, next);
                } else if (time % 4 == 1) {
                    shmem.iput(to, from, toStride, fromStride, count, next, stream);
                } else {
                    shmem.iput(to, from, toStride, fromStride, count, next);
                }
                settle();
                HostArray source = Data.bits(type, room, get ? next : previous, -time);
                for (int i = 0; i < count; i++) {
                    before.slice((long) i * toStride, 1).copyFrom(source.slice((long) i * fromStride, 1));
                }
                Data.assertSame(
                        to.toHost(),
                        before,
                        (get ? "iget of " : "iput of ") + count + " with strides " + toStride + ", " + fromStride);
            }
        }
    }

    private static List<DataType> scalars() {
        List<DataType> types = new ArrayList<>(List.of(DataType.values()));
        types.removeIf(DataType::isComplex);
        return types;
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void singleValues(boolean onStream) {
        for (DataType type : scalars()) {
            try (SymmetricArray x = shmem.allocate(type, 3)) {
                HostArray sample = Data.bits(DataType.INT64, 1, me, type.ordinal());
                long whole = sample.getLong(0);
                double real = 1 + me / 4.0;
                if (type.isInteger()) {
                    if (onStream) {
                        shmem.p(x, 1, whole, next, stream);
                    } else {
                        shmem.p(x, 1, whole, next);
                    }
                } else if (onStream) {
                    shmem.p(x, 1, real, next, stream);
                } else {
                    shmem.p(x, 1, real, next);
                }
                settle();
                HostArray expected = HostArray.allocate(type, 3);
                HostArray mine = HostArray.allocate(type, 1);
                if (type.isInteger()) {
                    expected.setLong(
                            1,
                            Data.bits(DataType.INT64, 1, previous, type.ordinal())
                                    .getLong(0));
                    mine.setLong(0, whole);
                    assertThat(onStream ? shmem.g(x, 1, next, stream) : shmem.g(x, 1, next))
                            .as("g of %s", type)
                            .isEqualTo(mine.getLong(0));
                } else {
                    expected.setDouble(1, 1 + previous / 4.0);
                    mine.setDouble(0, real);
                    assertThat(onStream ? shmem.gDouble(x, 1, next, stream) : shmem.gDouble(x, 1, next))
                            .as("g of %s", type)
                            .isEqualTo(mine.getDouble(0));
                }
                Data.assertSame(x.toHost(), expected, "p");
                shmem.barrierAll();
            }
        }
    }

    /** A value that was put into a stream behind others comes behind them. */
    @Test
    void singleValuesKeepTheOrderOfTheStream() {
        try (SymmetricArray x = shmem.allocate(DataType.INT32, 1)) {
            for (int i = 1; i <= 100; i++) {
                shmem.p(x, 0, i, next, stream);
            }
            assertThat(shmem.g(x, 0, next, stream)).isEqualTo(100);
            shmem.barrierAll();
        }
    }

    // ---- what is refused, before C can end the process ----

    @Test
    void noSuchPe() {
        try (SymmetricArray x = shmem.allocate(DataType.INT32, 4)) {
            for (int pe : new int[] {-1, n, Integer.MAX_VALUE}) {
                assertThatThrownBy(() -> shmem.put(x, x, pe))
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageContaining("put on PE " + me + " of " + n)
                        .hasMessageContaining("PE " + pe + " is not one of 0 to " + (n - 1));
                assertThatThrownBy(() -> shmem.getNbi(x, x, pe, stream)).isInstanceOf(IllegalArgumentException.class);
                assertThatThrownBy(() -> shmem.iput(x, x, 1, 1, 1, pe)).isInstanceOf(IllegalArgumentException.class);
                assertThatThrownBy(() -> shmem.p(x, 0, 1, pe)).isInstanceOf(IllegalArgumentException.class);
                assertThatThrownBy(() -> shmem.g(x, 0, pe)).isInstanceOf(IllegalArgumentException.class);
            }
        }
    }

    @Test
    void sizesAndTypesThatDoNotFit() {
        try (SymmetricArray x = shmem.allocate(DataType.INT32, 4);
                SymmetricArray y = shmem.allocate(DataType.INT32, 5);
                SymmetricArray z = shmem.allocate(DataType.FLOAT32, 4)) {
            assertThatThrownBy(() -> shmem.put(x, y, next))
                    .isInstanceOf(IndexOutOfBoundsException.class)
                    .hasMessageContaining("5 elements leave destination SymmetricArray[4 x INT32");
            assertThatThrownBy(() -> shmem.get(y, x, next)).isInstanceOf(IndexOutOfBoundsException.class);
            assertThatThrownBy(() -> shmem.put(y, x, 5, next)).isInstanceOf(IndexOutOfBoundsException.class);
            assertThatThrownBy(() -> shmem.put(y, x, -1, next)).isInstanceOf(IndexOutOfBoundsException.class);
            assertThatThrownBy(() -> shmem.put(y, HostArray.of(1, 2), 3, next))
                    .isInstanceOf(IndexOutOfBoundsException.class);
            assertThatThrownBy(() -> shmem.put(x, z, next))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("does not have the type of SymmetricArray[4 x INT32");
            assertThatThrownBy(() -> shmem.p(x, 4, 1, next)).isInstanceOf(IndexOutOfBoundsException.class);
            assertThatThrownBy(() -> shmem.p(x, 0, 1.0, next)).isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> shmem.p(z, 0, 1, next)).isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> shmem.gDouble(x, 0, next)).isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    void stridesThatAreNone() {
        try (SymmetricArray x = shmem.allocate(DataType.INT32, 10);
                SymmetricArray y = shmem.allocate(DataType.INT32, 10)) {
            assertThatThrownBy(() -> shmem.iput(x, y, 0, 1, 3, next))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("the stride 0 of destination is not between 1 and 536870911");
            assertThatThrownBy(() -> shmem.iput(x, y, 1, -1, 3, next)).isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> shmem.iget(x, y, 1, 1L << 40, 1, next))
                    .isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> shmem.iget(x, y, 4, 1, 4, next)).isInstanceOf(IndexOutOfBoundsException.class);
            assertThatThrownBy(() -> shmem.iget(x, y, 1, 4, 4, next, stream))
                    .isInstanceOf(IndexOutOfBoundsException.class);
            assertThatThrownBy(() -> shmem.iget(x, y, 1, 1, -4, next)).isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    void overlapOnThisPe() {
        try (SymmetricArray x = shmem.allocate(DataType.INT32, 10)) {
            assertThatThrownBy(() -> shmem.put(x.slice(1, 5), x.slice(0, 5), me))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("overlaps");
            // The very same place is where it is already, as in a ring of one.
            x.copyFrom(Data.bits(DataType.INT32, 10, me, 1));
            shmem.put(x, x, me);
            Data.assertSame(x.toHost(), Data.bits(DataType.INT32, 10, me, 1), "put to itself");
        }
    }

    @Test
    void arraysThatAreGone() {
        SymmetricArray gone = shmem.allocate(DataType.INT32, 4);
        gone.close();
        try (SymmetricArray x = shmem.allocate(DataType.INT32, 4)) {
            assertThatThrownBy(() -> shmem.put(gone, x, next))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("freed");
            assertThatThrownBy(() -> shmem.put(x, gone, next, stream)).isInstanceOf(IllegalStateException.class);
            DeviceArray plain = shmem.device().allocate(DataType.INT32, 4);
            plain.close();
            assertThatThrownBy(() -> shmem.put(x, plain, next)).isInstanceOf(IllegalStateException.class);
        }
    }
}
