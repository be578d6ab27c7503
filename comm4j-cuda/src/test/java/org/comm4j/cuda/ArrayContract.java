// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.cuda;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.ffi.cuda.LibCuda;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

@SuppressWarnings("try") // arrays are closed before their blocks end
abstract class ArrayContract extends CudaContract {

    private static void assertSame(HostArray actual, HostArray expected) {
        assertThat(MemorySegment.mismatch(
                        actual.segment(), 0, actual.byteSize(), expected.segment(), 0, expected.byteSize()))
                .isEqualTo(-1);
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 1, 2, 3, 255, 4097, 1_000_003})
    void copiesOfOddSizesComeBack(long count) {
        HostArray source = numbers(DataType.INT8, count);
        try (DeviceArray array = device.allocate(DataType.INT8, count);
                DeviceArray second = device.allocate(DataType.INT8, count)) {
            array.copyFrom(source);
            second.copyFrom(array);
            assertSame(second.toHost(), source);
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 1, 1_000_003})
    void shareableMemoryIsLikeAnyOther(long count) {
        try (DeviceArray array = device.allocateShareable(DataType.INT32, count, 0);
                DeviceArray other = device.allocate(DataType.INT32, count)) {
            assertThat(array.count()).isEqualTo(count);
            assertSame(array.toHost(), other.toHost());
            HostArray source = numbers(DataType.INT32, count);
            array.copyFrom(source);
            other.copyFrom(array);
            assertSame(other.toHost(), source);
            array.close();
            assertThat(array.isAlive()).isFalse();
        }
    }

    /** What a library finds out about it that gives it a second address. */
    @Test
    void shareableMemoryIsWholeSteps() {
        try (DeviceArray array = device.allocateShareable(DataType.INT8, (4 << 20) + 1, 4 << 20);
                Arena arena = Arena.ofConfined()) {
            MemorySegment cells = arena.allocate(16, 8);
            device.makeCurrent();
            LibCuda.cuMemGetAddressRange(cells, cells.asSlice(8), array.address() + 100);
            assertThat(cells.get(ValueLayout.JAVA_LONG, 0)).isEqualTo(array.address());
            assertThat(cells.get(ValueLayout.JAVA_LONG, 8)).isEqualTo(8 << 20);
            assertThat(array.address() % (4 << 20)).isZero();
            LibCuda.cuMemRetainAllocationHandle(cells, array.address());
            LibCuda.cuMemRelease(cells.get(ValueLayout.JAVA_LONG, 0));
        }
    }

    @Test
    void shareableMemoryComesBack() {
        long before = device.freeMemory();
        try (DeviceArray array = device.allocateShareable(DataType.INT8, 64 << 20, 0)) {
            assertThat(device.freeMemory()).isLessThanOrEqualTo(before - (64 << 20));
            Runnable giveBack = array.keep();
            array.close();
            assertThat(array.isAlive()).isFalse();
            assertThat(device.freeMemory()).isLessThanOrEqualTo(before - (64 << 20));
            giveBack.run();
            assertThat(device.freeMemory()).isGreaterThan(before - (64 << 20));
        }
    }

    @Test
    void noSuchShareableMemory() {
        assertThatThrownBy(() -> device.allocateShareable(DataType.INT8, 1, 3 << 20))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("3145728");
        assertThatThrownBy(() -> device.allocateShareable(DataType.INT8, -1, 0))
                .isInstanceOf(IllegalArgumentException.class);
        long most = device.totalMemory();
        assertThatThrownBy(() -> device.allocateShareable(DataType.INT8, 2 * most, 0))
                .isInstanceOf(CudaException.class)
                .hasMessageContaining(Long.toString(2 * most));
        device.allocateShareable(DataType.INT8, 1, 0).close();
    }

    @ParameterizedTest
    @EnumSource
    void everyTypeIsCopiedInAStream(DataType type) {
        HostArray source = numbers(type, 1001);
        try (DeviceArray array = device.allocate(type, 1001);
                DeviceArray second = device.allocate(type, 1001);
                PinnedArray pinned = device.allocatePinned(type, 1001);
                PinnedArray back = device.allocatePinned(type, 1001)) {
            pinned.copyFrom(source);
            array.copyFrom(pinned, stream);
            second.copyFrom(array, stream);
            second.copyTo(back, stream);
            stream.synchronize();
            assertSame(back, source);
        }
    }

    @ParameterizedTest
    @EnumSource
    void everyTypeIsFilledAsOnTheHost(DataType type) {
        // 1 for small units, 0.3 and the like for patterns without a shorter period.
        double[] values =
                type.isInteger() ? new double[] {0, 1, -1, 77, 1e9} : new double[] {0, 1, -2.5, 0.3, 1e9, Double.NaN};
        for (long count : new long[] {1, 2, 3, 1000, 65537}) {
            HostArray expected = HostArray.allocate(type, count);
            try (DeviceArray array = device.allocate(type, count)) {
                for (double value : values) {
                    expected.fill(value);
                    array.fill(value);
                    assertSame(array.toHost(), expected);
                    array.fill(0, stream);
                    array.fill(value, stream);
                    stream.synchronize();
                    assertSame(array.toHost(), expected);
                }
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void aSliceIsFilledAndNothingElse(DataType type) {
        HostArray expected = numbers(type, 100);
        expected.slice(7, 31).fill(5);
        try (DeviceArray array = device.allocate(type, 100)) {
            array.copyFrom(numbers(type, 100));
            array.slice(7, 31).fill(5);
            assertSame(array.toHost(), expected);
            assertSame(array.slice(7, 40).slice(1, 31).toHost(), expected.slice(8, 31));
        }
    }

    @Test
    void memoryIsZeroed() {
        device.allocate(DataType.INT32, 1000).fill(7);
        try (DeviceArray array = device.allocate(DataType.FLOAT64, 1000);
                PinnedArray pinned = device.allocatePinned(DataType.FLOAT64, 1000)) {
            assertThat(array.toHost().toDoubleArray()).containsOnly(0);
            assertThat(pinned.toDoubleArray()).containsOnly(0);
        }
    }

    @Test
    void aViewSeesTheSameBytes() {
        try (DeviceArray array = device.allocate(DataType.COMPLEX64, 10)) {
            array.view(DataType.FLOAT32).fill(3);
            HostArray host = array.toHost();
            assertThat(host.getReal(9)).isEqualTo(3);
            assertThat(host.getImaginary(9)).isEqualTo(3);
            assertThat(array.view(DataType.FLOAT32).count()).isEqualTo(20);
            assertThatThrownBy(() -> array.slice(0, 1).view(DataType.COMPLEX128))
                    .isInstanceOf(IllegalArgumentException.class);
            assertThat(array.slice(1, 2).view(DataType.COMPLEX128).count()).isEqualTo(1);
        }
    }

    @Test
    void memoryIsAligned() {
        try (DeviceArray array = device.allocate(DataType.INT8, 1)) {
            assertThat(array.address() % 256).isZero();
        }
    }

    @Test
    void wrongPartnersAreRefused() {
        try (DeviceArray array = device.allocate(DataType.FLOAT32, 10)) {
            assertThatThrownBy(() -> array.copyFrom(HostArray.allocate(DataType.FLOAT32, 9)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("HostArray[9 x FLOAT32]")
                    .hasMessageContaining("DeviceArray[10 x FLOAT32 on device 0]");
            assertThatThrownBy(() -> array.copyTo(HostArray.allocate(DataType.INT32, 10), stream))
                    .isInstanceOf(IllegalArgumentException.class);
            HostArray readOnly = HostArray.wrap(
                    HostArray.allocate(DataType.FLOAT32, 10).segment().asReadOnly(), DataType.FLOAT32);
            assertThatThrownBy(() -> array.copyTo(readOnly))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("copyTo: the memory of " + readOnly + " is read-only");
            array.copyFrom(readOnly);
            assertThatThrownBy(() -> array.slice(0, 6).copyFrom(array.slice(4, 6), stream))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("overlap");
            assertThatThrownBy(() -> array.slice(4, 7)).isInstanceOf(IndexOutOfBoundsException.class);
            assertThatThrownBy(() -> array.slice(-1, 2)).isInstanceOf(IndexOutOfBoundsException.class);
            assertThatThrownBy(() -> array.slice(Long.MAX_VALUE, 2)).isInstanceOf(IndexOutOfBoundsException.class);
            assertThatThrownBy(() -> array.slice(2, Long.MAX_VALUE)).isInstanceOf(IndexOutOfBoundsException.class);
        }
        assertThatThrownBy(() -> device.allocate(DataType.FLOAT64, -1)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> device.allocate(DataType.FLOAT64, Long.MAX_VALUE / 4))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void tooMuchIsAnExceptionThatSaysHowMuchThereIs() {
        assertThatThrownBy(() -> device.allocate(DataType.INT8, 1L << 46))
                .isInstanceOf(CudaException.class)
                .hasMessageContaining("allocate 70368744177664 x INT8 (70368744177664 bytes) from device 0, which has")
                .hasMessageContaining("bytes free")
                .hasMessageContaining("OUT_OF_MEMORY")
                .hasMessageContaining("nvidia-smi");
        try (DeviceArray array = device.allocate(DataType.INT8, 10)) {
            assertThat(array.isAlive()).as("the device works on").isTrue();
        }
    }

    @Test
    void freedMemoryIsRefused() {
        DeviceArray array = device.allocate(DataType.FLOAT32, 10);
        DeviceArray other = device.allocate(DataType.FLOAT32, 10);
        DeviceArray slice = array.slice(2, 3);
        HostArray host = HostArray.allocate(DataType.FLOAT32, 10);
        slice.close();
        assertThat(array.isAlive()).as("closing a slice does nothing").isTrue();
        array.close();
        array.close();
        assertThat(array.isAlive()).isFalse();
        assertThat(slice.isAlive()).isFalse();
        assertThat(array).hasToString("DeviceArray[10 x FLOAT32 on device 0, freed]");
        assertThatThrownBy(array::address).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> array.fill(1)).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> array.fill(1, stream)).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> slice.fill(1, stream)).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> array.copyFrom(host)).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> array.copyTo(host, stream)).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> other.copyFrom(array)).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> other.copyFrom(array, stream))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("freed");
        PinnedArray pinned = device.allocatePinned(DataType.FLOAT32, 10);
        pinned.close();
        assertThatThrownBy(() -> other.copyFrom(pinned, stream)).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> pinned.getFloat(0)).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void closingTheDeviceFreesItsArrays() {
        Device second = Device.of(0);
        DeviceArray array = second.allocate(DataType.FLOAT32, 10);
        second.close();
        second.close();
        assertThat(array.isAlive()).isFalse();
        array.close();
        assertThatThrownBy(() -> array.fill(1)).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> second.allocate(DataType.FLOAT32, 1))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("device 0 was closed");
        assertThatThrownBy(second::newStream).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(second::makeCurrent).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void foreignMemoryIsWrapped() {
        try (DeviceArray array = device.allocate(DataType.FLOAT32, 10)) {
            DeviceArray wrapped = DeviceArray.wrap(device, DataType.FLOAT32, array.address() + 8, 8);
            wrapped.fill(4);
            wrapped.close();
            assertThat(wrapped.isAlive()).isFalse();
            assertThat(array.toHost().toFloatArray()).containsExactly(0, 0, 4, 4, 4, 4, 4, 4, 4, 4);
            boolean[] freed = new boolean[1];
            try (DeviceArray owned =
                    DeviceArray.owned(device, DataType.INT8, array.address(), 40, () -> freed[0] = true)) {
                assertThat(owned.isAlive()).isTrue();
                assertThat(freed[0]).isFalse();
            }
            assertThat(freed[0]).isTrue();
        }
    }

    @Test
    void hostPointersAndMisalignedOnesAreRefused() {
        HostArray host = HostArray.allocate(DataType.FLOAT32, 10);
        assertThatThrownBy(() -> DeviceArray.wrap(device, DataType.FLOAT32, host.address(), 10))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("host memory");
        try (PinnedArray pinned = device.allocatePinned(DataType.FLOAT32, 10)) {
            assertThatThrownBy(() -> DeviceArray.wrap(device, DataType.FLOAT32, pinned.address(), 10))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("host memory");
        }
        assertThatThrownBy(() -> DeviceArray.wrap(device, DataType.FLOAT32, 0, 10))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("NULL");
        try (DeviceArray array = device.allocate(DataType.FLOAT32, 10)) {
            assertThatThrownBy(() -> DeviceArray.wrap(device, DataType.FLOAT32, array.address() + 2, 4))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("aligned");
            assertThatThrownBy(() -> DeviceArray.wrap(device, DataType.INT8, array.address(), 1L << 45))
                    .isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    void poolsGiveMemoryInTheOrderOfAStream() {
        try (MemoryPool pool = device.newPool()) {
            pool.releaseThreshold(1 << 20);
            try (DeviceArray array = pool.allocate(DataType.FLOAT32, 1000, stream)) {
                array.fill(2, stream);
                stream.synchronize();
                assertThat(array.toHost().toFloatArray()).containsOnly(2);
                assertThat(pool.usedMemory()).isGreaterThanOrEqualTo(4000);
                assertThat(pool.reservedMemory()).isGreaterThanOrEqualTo(4000);
            }
            DeviceArray afterStream;
            try (Stream shortLived = device.newStream()) {
                afterStream = pool.allocate(DataType.INT8, 10, shortLived);
                shortLived.synchronize();
            }
            afterStream.close();
            pool.trim(0);
            assertThatThrownBy(() -> pool.trim(-1)).isInstanceOf(IllegalArgumentException.class);
        }
        try (DeviceArray array = device.defaultPool().allocate(DataType.FLOAT32, 10, stream)) {
            assertThat(array.count()).isEqualTo(10);
        }
    }

    /** Memory of whole pages, so that nothing else shares them. */
    private static HostArray pages(Arena arena, int bytes) {
        return HostArray.wrap(arena.allocate(bytes, 4096), DataType.FLOAT32);
    }

    @Test
    void hostMemoryIsPinnedWhereItIs() {
        try (Arena arena = Arena.ofShared();
                DeviceArray there = device.allocate(DataType.FLOAT32, 2048)) {
            HostArray array = pages(arena, 8192);
            array.fill(5);
            PinnedArray pinned = device.pin(array);
            assertThat(pinned.address()).isEqualTo(array.address());
            assertThat(pinned.count()).isEqualTo(2048);
            there.copyFrom(pinned, stream);
            there.slice(0, 1024).copyTo(pinned.slice(1024, 1024), stream);
            stream.synchronize();
            assertThat(array.toFloatArray()).containsOnly(5);
            assertThatThrownBy(() -> device.pin(array))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("pinned already")
                    .hasMessageContaining("pages are pinned whole");
            assertThatThrownBy(() -> device.pin(pinned)).isInstanceOf(IllegalStateException.class);
            pinned.close();
            pinned.close();
            assertThat(pinned.isAlive()).isFalse();
            assertThat(array.toFloatArray()).as("the memory stays").containsOnly(5);
            assertThatThrownBy(() -> there.copyFrom(pinned, stream)).isInstanceOf(IllegalStateException.class);
            // And may be pinned again, also a part of it that begins within a page.
            try (PinnedArray again = device.pin(array.slice(3, 1000))) {
                assertThat(again.isAlive()).isTrue();
            }
        }
    }

    @Test
    void whatCannotBePinnedIsRefused() {
        try (PinnedArray empty = device.pin(HostArray.allocate(DataType.FLOAT32, 0))) {
            assertThat(empty.count()).isZero();
        }
        Arena arena = Arena.ofShared();
        HostArray freed = pages(arena, 4096);
        arena.close();
        assertThatThrownBy(() -> device.pin(freed))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("was freed");
    }

    @Test
    void poolsTellWhatTheyHave() {
        try (MemoryPool pool = device.newPool()) {
            pool.releaseThreshold(3 << 20);
            assertThat(pool.releaseThreshold()).isEqualTo(3 << 20);
            pool.allocate(DataType.FLOAT32, 1000, stream).close();
            stream.synchronize();
            assertThat(pool.peakReservedMemory()).isGreaterThanOrEqualTo(pool.reservedMemory());
            pool.resetPeaks();
            assertThat(pool.peakUsedMemory()).isGreaterThanOrEqualTo(0);
            pool.attribute(LibCuda.CU_MEMPOOL_ATTR_REUSE_ALLOW_OPPORTUNISTIC, 0);
            assertThat(pool.isAccessibleBy(device)).isTrue();
            assertThatThrownBy(() -> pool.disableAccess(device)).isInstanceOf(IllegalArgumentException.class);
            // Its low half is 0, which would do the contrary.
            assertThatThrownBy(() -> pool.attribute(LibCuda.CU_MEMPOOL_ATTR_REUSE_ALLOW_OPPORTUNISTIC, 1L << 32))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("4294967296");
            assertThatThrownBy(() -> pool.attribute(LibCuda.CU_MEMPOOL_ATTR_USED_MEM_HIGH, 77))
                    .isInstanceOf(CudaException.class);
        }
    }
}
