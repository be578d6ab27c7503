// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.nvshmem;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.comm4j.core.CollectiveMismatchException;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.core.SymmetricMemoryException;
import org.comm4j.cuda.DeviceArray;
import org.comm4j.cuda.DlPack;
import org.comm4j.cuda.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The symmetric heap: what is allocated, viewed, freed, on all PEs alike. */
@SuppressWarnings("try") // arrays are closed before their blocks end
class HeapContract {
    /** More bytes than any heap has. */
    private static final long TOO_MUCH = 1L << 40;

    private Nvshmem nvshmem;
    private int me;
    private int n;

    @BeforeEach
    void current() {
        nvshmem = Pes.current();
        me = nvshmem.myPe();
        n = nvshmem.nPes();
    }

    /** The same on all PEs. */
    private void assertSame(long value) {
        byte[] mine = ByteBuffer.allocate(Long.BYTES).putLong(value).array();
        for (byte[] theirs : Pes.world().exchange("same", mine)) {
            assertThat(ByteBuffer.wrap(theirs).getLong()).isEqualTo(value);
        }
    }

    private void assertStillUsable() {
        try (SymmetricArray array = nvshmem.allocate(DataType.INT32, 10)) {
            nvshmem.put(array, array, (me + 1) % n, nvshmem.session.own);
            nvshmem.barrierAll();
            assertSame(array.offset());
        }
    }

    @ParameterizedTest
    @EnumSource
    void arraysAreZeroedAndAtTheSamePlace(DataType type) {
        try (SymmetricArray first = nvshmem.allocate(type, 1);
                SymmetricArray array = nvshmem.allocate(type, 1001)) {
            assertThat(array.count()).isEqualTo(1001);
            assertThat(array.type()).isEqualTo(type);
            assertThat(array.device()).isSameAs(Pes.device());
            assertThat(array.address() % type.alignment()).isZero();
            assertSame(first.offset());
            assertSame(array.offset());
            HostArray bytes = array.view(DataType.UINT8).toHost();
            for (long i = 0; i < bytes.count(); i++) {
                assertThat(bytes.getLong(i)).isZero();
            }
        }
    }

    @Test
    void memoryOfAnyContentIsSymmetricToo() {
        SymmetricArray dirty = nvshmem.allocate(DataType.INT32, 4096);
        dirty.fill(-1);
        dirty.close();
        try (SymmetricArray array = nvshmem.allocateUninitialized(DataType.INT32, 4096);
                SymmetricArray other = nvshmem.allocate(DataType.INT32, 4096)) {
            assertSame(array.offset());
            array.fill(me + 1);
            nvshmem.put(other, array, (me + 1) % n);
            nvshmem.barrierAll();
            assertThat(other.toHost().getInt(4095)).isEqualTo((me + n - 1) % n + 1);
        }
        Assumptions.assumeTrue(n > 1, "one PE agrees with itself");
        assertThatThrownBy(() -> {
                    SymmetricArray ignored = me == 0
                            ? nvshmem.allocate(DataType.INT32, 10)
                            : nvshmem.allocateUninitialized(DataType.INT32, 10);
                })
                .isInstanceOf(CollectiveMismatchException.class)
                .hasMessageContaining("allocateUninitialized");
        assertStillUsable();
    }

    @Test
    void usedMemoryIsZeroedAgain() {
        for (int round = 0; round < 3; round++) {
            try (SymmetricArray array = nvshmem.allocate(DataType.INT32, 4096)) {
                assertThat(array.toHost().getInt(4095)).isZero();
                array.fill(-1);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {8, 256, 4096, 1 << 16, 1 << 21})
    void alignmentIsAsAsked(long alignment) {
        try (SymmetricArray odd = nvshmem.allocate(DataType.INT8, 3);
                SymmetricArray array = nvshmem.allocate(DataType.INT8, 5, alignment)) {
            assertThat(array.address() % alignment).isZero();
            assertThat(odd.offset()).isNotEqualTo(array.offset());
            assertSame(array.offset());
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 1, 3, 24, -8})
    void noSuchAlignment(long alignment) {
        assertThatThrownBy(() -> nvshmem.allocate(DataType.INT8, 5, alignment))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("alignment");
        assertStillUsable();
    }

    @Test
    void noSuchCount() {
        assertThatThrownBy(() -> nvshmem.allocate(DataType.INT32, -1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("-1");
        assertThatThrownBy(() -> nvshmem.allocate(DataType.INT64, Long.MAX_VALUE / 2))
                .isInstanceOf(RuntimeException.class);
        assertThatThrownBy(() -> nvshmem.allocate(null, 1)).isInstanceOf(NullPointerException.class);
        assertStillUsable();
    }

    @Test
    void emptyArraysAreArrays() {
        try (SymmetricArray empty = nvshmem.allocate(DataType.FLOAT64, 0)) {
            assertThat(empty.count()).isZero();
            assertSame(empty.offset());
        }
        assertStillUsable();
    }

    @Test
    void slicesAndViewsAreAtTheSamePlaceToo() {
        try (SymmetricArray array = nvshmem.allocate(DataType.INT64, 100)) {
            SymmetricArray slice = array.slice(10, 20);
            assertThat(slice.offset()).isEqualTo(array.offset() + 80);
            SymmetricArray view = slice.view(DataType.INT16);
            assertThat(view.count()).isEqualTo(80);
            assertThat(view.offset()).isEqualTo(slice.offset());
            // Owns nothing.
            slice.close();
            assertThat(array.isAlive()).isTrue();
            assertThatThrownBy(() -> array.slice(90, 11)).isInstanceOf(IndexOutOfBoundsException.class);
            array.close();
            assertThat(slice.isAlive()).isFalse();
            assertThat(view.isAlive()).isFalse();
        }
    }

    @Test
    void aSymmetricArrayIsADeviceArray() {
        try (SymmetricArray array = nvshmem.allocate(DataType.FLOAT32, 64);
                DeviceArray other = Pes.device().allocate(DataType.FLOAT32, 64);
                Stream stream = Pes.device().newStream()) {
            array.fill(me + 0.5f, stream);
            other.copyFrom(array, stream);
            stream.synchronize();
            assertThat(other.toHost().getFloat(63)).isEqualTo(me + 0.5f);
        }
    }

    @Test
    void theOthersCopiesAreReached() {
        int next = (me + 1) % n;
        Assumptions.assumeTrue(nvshmem.reaches(next), "this GPU does not reach the next one's memory");
        try (SymmetricArray array = nvshmem.allocate(DataType.INT32, 100);
                Stream stream = Pes.device().newStream()) {
            DeviceArray there = nvshmem.ptr(array, next);
            assertThat(there.count()).isEqualTo(100);
            assertThat(there.address() == array.address()).isEqualTo(next == me);
            there.fill(70 + me, stream);
            stream.synchronize();
            nvshmem.barrierAll();
            assertThat(array.toHost().getInt(99)).isEqualTo(70 + (me + n - 1) % n);
            there.close();
            assertThat(array.isAlive()).isTrue();
            array.close();
            assertThat(there.isAlive()).isFalse();
            assertThatThrownBy(() -> nvshmem.ptr(array, next)).isInstanceOf(IllegalStateException.class);
        }
    }

    @Test
    void noPointersToWhatIsNotThere() {
        try (SymmetricArray array = nvshmem.allocate(DataType.INT32, 100)) {
            for (int pe : new int[] {-1, n, Integer.MAX_VALUE}) {
                assertThatThrownBy(() -> nvshmem.ptr(array, pe))
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageContaining("PE " + pe);
                assertThatThrownBy(() -> nvshmem.reaches(pe))
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageContaining("PE " + pe);
            }
            if (Pes.simulated()) {
                assertThatThrownBy(() -> nvshmem.multicast(nvshmem.world(), array))
                        .isInstanceOf(UnsupportedOperationException.class)
                        .hasMessageContaining("multicast");
            }
        }
    }

    @Test
    void memoryComesBack() {
        try (SymmetricArray base = nvshmem.allocate(DataType.INT8, 1)) {
            long first = -1;
            for (int i = 0; i < 200; i++) {
                try (SymmetricArray array = nvshmem.allocate(DataType.INT8, 1 << 16)) {
                    first = first < 0 ? array.offset() - base.offset() : first;
                    assertThat(array.offset() - base.offset()).isEqualTo(first);
                    array.close();
                    array.close();
                    assertThat(array.isAlive()).isFalse();
                }
            }
        }
    }

    /** What an allocation costs beside its zeros. */
    @Test
    void thePesMeetAsRarelyAsCanBe() {
        try (SymmetricArray first = nvshmem.allocate(DataType.INT8, 1);
                SymmetricArray second = nvshmem.allocate(DataType.INT8, 1)) {
            assertThat(first.offset()).isNotEqualTo(second.offset());
            long before = nvshmem.session.agreements();
            SymmetricArray array = nvshmem.allocate(DataType.INT8, 1000);
            assertThat(nvshmem.session.agreements() - before).as("allocate").isEqualTo(1);
            array.close();
            assertThat(nvshmem.session.agreements() - before).as("and free").isEqualTo(2);
            array = nvshmem.allocate(DataType.INT8, 1000);
            assertThat(nvshmem.session.agreements() - before)
                    .as("and allocate what was just freed")
                    .isEqualTo(4);
            array.close();
        }
    }

    /** Those of another PE that is late must not end up in what is allocated there next. */
    @Test
    void latePutsAreOverBeforeTheirPlaceIsUsedAgain() {
        try (Stream stream = Pes.device().newStream();
                SymmetricArray source = nvshmem.allocate(DataType.INT32, 1 << 18)) {
            source.fill(-1);
            for (int round = 0; round < 50; round++) {
                SymmetricArray array = nvshmem.allocate(DataType.INT32, 1 << 18);
                if (me == round % n) {
                    for (int i = 0; i < 8; i++) {
                        nvshmem.put(array, source, (me + 1) % n, stream);
                    }
                }
                array.close();
                try (SymmetricArray next = nvshmem.allocate(DataType.INT32, 1 << 18)) {
                    assertThat(next.toHost().getInt((1 << 18) - 1))
                            .as("round %d", round)
                            .isZero();
                }
            }
        }
    }

    @Test
    void anyOrderWillDoIfItIsTheSame() {
        List<SymmetricArray> arrays = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            arrays.add(nvshmem.allocate(DataType.INT32, 1 + 37 * i));
        }
        Collections.shuffle(arrays, new java.util.Random(3));
        arrays.forEach(SymmetricArray::close);
        assertStillUsable();
    }

    @Test
    void anExhaustedHeapIsStillUsable() {
        for (int round = 0; round < 2; round++) {
            assertThatThrownBy(() -> nvshmem.allocate(DataType.INT64, TOO_MUCH / 8))
                    .isInstanceOf(SymmetricMemoryException.class)
                    .hasMessageContaining(Long.toString(TOO_MUCH / 8))
                    .hasMessageContaining("INT64")
                    .hasMessageContaining("NVSHMEM_SYMMETRIC_SIZE");
            assertStillUsable();
        }
    }

    /** To the last piece, not only one that is too large at once. */
    @Test
    void aFullHeapIsStillUsable() {
        long bytes = Pes.simulated() ? 100L << 20 : 8L << 30;
        List<SymmetricArray> all = new ArrayList<>();
        assertThatThrownBy(() -> {
                    while (all.size() < 64) {
                        all.add(nvshmem.allocate(DataType.INT8, bytes));
                    }
                })
                .isInstanceOf(SymmetricMemoryException.class)
                .hasMessageContaining(Long.toString(bytes));
        assertThat(all).hasSizeGreaterThan(1);
        assertStillUsable();
        SymmetricArray last = all.removeLast();
        last.close();
        nvshmem.allocate(DataType.INT8, bytes).close();
        all.forEach(SymmetricArray::close);
        assertStillUsable();
    }

    /** What another library of the process still has is not taken away, on no PE. */
    @Test
    void lentMemoryIsNotFreed() {
        SymmetricArray array = nvshmem.allocate(DataType.INT32, 100);
        long tensor = me == 0 ? DlPack.lend(array.slice(10, 20), DlPack.Form.LEGACY) : 0;
        for (int round = 0; round < 2; round++) {
            assertThatThrownBy(array::close)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("PE 0 has lent");
            assertThat(array.isAlive()).isTrue();
            array.fill(me);
            nvshmem.put(array, array, (me + 1) % n, nvshmem.session.own);
            nvshmem.barrierAll();
        }
        assertThatThrownBy(nvshmem::close)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("PE 0 has lent");
        assertThat(nvshmem.isOpen()).isTrue();
        // Elsewhere it may be lent again.
        if (me == n - 1) {
            DlPack.discard(DlPack.lend(array, DlPack.Form.LEGACY), DlPack.Form.LEGACY);
        }
        if (me == 0) {
            DlPack.discard(tensor, DlPack.Form.LEGACY);
        }
        array.close();
        assertThat(array.isAlive()).isFalse();
        assertStillUsable();
    }

    @Test
    void freedInOneOrderOnly() {
        Assumptions.assumeTrue(n > 1, "one PE agrees with itself");
        SymmetricArray a = nvshmem.allocate(DataType.INT32, 10);
        SymmetricArray b = nvshmem.allocate(DataType.INT32, 10);
        assertThatThrownBy(() -> (me == 0 ? a : b).close()).isInstanceOf(CollectiveMismatchException.class);
        assertThat(a.isAlive()).isTrue();
        assertThat(b.isAlive()).isTrue();
        a.close();
        b.close();
        assertStillUsable();
    }

    @Test
    void differentArgumentsAreFoundOut() {
        Assumptions.assumeTrue(n > 1, "one PE agrees with itself");
        int last = n - 1;
        assertThatThrownBy(() -> nvshmem.allocate(DataType.INT32, me == last ? 1000 : 2000))
                .isInstanceOf(CollectiveMismatchException.class)
                .hasMessageContaining("1000")
                .hasMessageContaining("2000");
        assertStillUsable();
        assertThatThrownBy(() -> nvshmem.allocate(me == 0 ? DataType.INT32 : DataType.FLOAT32, 1000))
                .isInstanceOf(CollectiveMismatchException.class)
                .hasMessageContaining("FLOAT32");
        assertStillUsable();
        assertThatThrownBy(() -> nvshmem.allocate(DataType.INT32, 1000, me == 0 ? 512 : 1024))
                .isInstanceOf(CollectiveMismatchException.class);
        assertStillUsable();
    }

    @Test
    void whatAStreamStillUsesIsFreedAfterwards() {
        try (Stream stream = Pes.device().newStream()) {
            for (int round = 0; round < 20; round++) {
                SymmetricArray array = nvshmem.allocate(DataType.INT32, 1 << 18);
                SymmetricArray target = nvshmem.allocate(DataType.INT32, 1 << 18);
                for (int i = 0; i < 4; i++) {
                    array.fill(i, stream);
                    nvshmem.put(target, array, (me + 1) % n, stream);
                }
                // The own stream is the one to be waited for; the others' puts, too.
                nvshmem.barrierAll(stream);
                array.close();
                target.close();
            }
        }
    }
}
