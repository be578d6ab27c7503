// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.cuda;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.ffi.cuda.LibCuda;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("stub")
class StubArrayTest extends ArrayContract {
    @BeforeAll
    static void load() {
        StubDriver.load();
    }

    @Test
    void aZeroFillIsOneCallWhateverTheType() {
        try (DeviceArray array = device.allocate(DataType.COMPLEX128, 100)) {
            long before = StubDriver.calls("cuMemcpyDtoDAsync");
            array.fill(0, stream);
            assertThat(StubDriver.calls("cuMemcpyDtoDAsync")).isEqualTo(before);
        }
    }

    @Test
    void anEmptyArrayNeedsNoCopy() {
        long before = StubDriver.calls("cuMemcpyHtoDAsync");
        try (DeviceArray array = device.allocate(DataType.INT32, 0)) {
            array.copyFrom(HostArray.allocate(DataType.INT32, 0));
            array.fill(1);
        }
        assertThat(StubDriver.calls("cuMemcpyHtoDAsync")).isEqualTo(before);
    }

    /** A call of another library that uses the memory is under way in another thread. */
    @Test
    void memoryThatIsHeldStaysUntilItIsLetGo() {
        long before = StubDriver.live();
        DeviceArray array = device.allocate(DataType.FLOAT32, 10);
        PinnedArray pinned = device.allocatePinned(DataType.FLOAT32, 10);
        long live = StubDriver.live();
        DeviceArray part = array.slice(2, 3);
        part.hold();
        pinned.hold();
        array.close();
        pinned.close();
        assertThat(StubDriver.live()).isEqualTo(live).isGreaterThan(before);
        assertThatThrownBy(part::hold).isInstanceOf(IllegalStateException.class).hasMessageContaining("was closed");
        part.letGo();
        pinned.letGo();
        assertThat(StubDriver.live()).isLessThan(live);
    }

    @Test
    void memoryOfAnotherThreadIsRefused() throws Exception {
        try (Arena confined = Arena.ofConfined();
                DeviceArray array = device.allocate(DataType.FLOAT32, 4)) {
            HostArray host = HostArray.allocate(confined, DataType.FLOAT32, 4);
            array.copyFrom(host);
            Throwable[] failures = new Throwable[2];
            Thread other = Thread.ofPlatform().start(() -> {
                failures[0] = catchThrowable(() -> array.copyFrom(host, stream));
                failures[1] = catchThrowable(() -> array.copyTo(host));
            });
            other.join();
            assertThat(failures)
                    .allSatisfy(failure -> assertThat(failure)
                            .isInstanceOf(IllegalArgumentException.class)
                            .hasMessageContaining("confined arena"));
        }
    }

    @Test
    void anErrorSaysWhatWasTriedAndWhatToDo() {
        try (DeviceArray array = device.allocate(DataType.FLOAT32, 10)) {
            StubDriver.fail("cuMemcpyHtoDAsync", LibCuda.CUDA_ERROR_ILLEGAL_ADDRESS, 0);
            assertThatThrownBy(() -> array.copyFrom(HostArray.allocate(DataType.FLOAT32, 10), stream))
                    .isInstanceOf(CudaException.class)
                    .hasMessageContaining(
                            "copy of HostArray[10 x FLOAT32] to DeviceArray[10 x FLOAT32 on device 0] failed")
                    .hasMessageContaining("CUDA_ERROR_ILLEGAL_ADDRESS = 700")
                    .hasMessageContaining("an error of the stub")
                    .hasMessageContaining("compute-sanitizer")
                    .extracting(e -> ((CudaException) e).status())
                    .isEqualTo(700);
        }
    }

    @Test
    void aFailedZeroFillFreesTheMemory() {
        device.allocate(DataType.INT8, 1).close();
        long before = StubDriver.live();
        StubDriver.fail("cuMemsetD8Async", LibCuda.CUDA_ERROR_LAUNCH_FAILED, 0);
        assertThatThrownBy(() -> device.allocate(DataType.FLOAT32, 10)).isInstanceOf(CudaException.class);
        assertThat(StubDriver.live()).isEqualTo(before);
    }

    @Test
    void shareableMemoryThatFailsOnTheWayIsFreed() {
        device.allocateShareable(DataType.INT8, 1, 0).close();
        long before = StubDriver.live();
        for (String function : new String[] {"cuMemAddressReserve", "cuMemMap", "cuMemSetAccess", "cuMemsetD8Async"}) {
            StubDriver.fail(function, LibCuda.CUDA_ERROR_OUT_OF_MEMORY, 0);
            assertThatThrownBy(() -> device.allocateShareable(DataType.FLOAT32, 10, 0))
                    .as(function)
                    .isInstanceOf(CudaException.class);
            assertThat(StubDriver.live()).as(function).isEqualTo(before);
        }
    }

    @Test
    void shareableMemoryIsOpenedToPeers() {
        try (Device peer = Device.of(1);
                DeviceArray early = device.allocateShareable(DataType.INT8, 1, 0)) {
            assertThat(isOpen(early, 1)).isFalse();
            peer.enableAccess(device);
            assertThat(isOpen(early, 1)).isTrue();
            try (DeviceArray late = device.allocateShareable(DataType.INT8, 1, 0)) {
                assertThat(isOpen(late, 1)).isTrue();
            }
            long before = StubDriver.live();
            // The first one opens it to its own device.
            StubDriver.fail("cuMemSetAccess", LibCuda.CUDA_ERROR_OUT_OF_MEMORY, 1);
            assertThatThrownBy(() -> device.allocateShareable(DataType.INT8, 1, 0))
                    .isInstanceOf(CudaException.class)
                    .hasMessageContaining("open memory to");
            assertThat(StubDriver.live()).isEqualTo(before);
        }
    }

    private boolean isOpen(DeviceArray array, int ordinal) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment flags = arena.allocate(8, 8);
            MemorySegment location =
                    arena.allocateFrom(ValueLayout.JAVA_INT, LibCuda.CU_MEM_LOCATION_TYPE_DEVICE, ordinal);
            device.makeCurrent();
            LibCuda.cuMemGetAccess(flags, location, array.address());
            return flags.get(ValueLayout.JAVA_LONG, 0) == LibCuda.CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
        }
    }

    @Test
    void aFailedFreeIsReportedOnce() {
        DeviceArray array = device.allocate(DataType.FLOAT32, 10);
        StubDriver.fail("cuMemFreeAsync", LibCuda.CUDA_ERROR_LAUNCH_FAILED, 0);
        assertThatThrownBy(array::close)
                .isInstanceOf(CudaException.class)
                .hasMessageContaining("free 10 x FLOAT32 failed");
        array.close();
        assertThat(array.isAlive()).isFalse();
    }

    @Test
    void thePeersMemoryIsCopiedAndItsStreamsRefused() {
        try (Device peer = Device.of(1);
                Stream there = peer.newStream();
                DeviceArray a = device.allocate(DataType.FLOAT32, 10);
                DeviceArray b = peer.allocate(DataType.FLOAT32, 10)) {
            a.fill(3);
            b.copyFrom(a, there);
            there.synchronize();
            assertThat(b.toHost().getFloat(9)).isEqualTo(3);
            b.fill(4);
            a.copyFrom(b);
            assertThat(a.toHost().getFloat(9)).isEqualTo(4);
            assertThatThrownBy(() -> a.fill(1, there))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("Stream[device 1")
                    .hasMessageContaining("DeviceArray[10 x FLOAT32 on device 0]");
            assertThatThrownBy(() -> DeviceArray.wrap(device, DataType.FLOAT32, b.address(), 10))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("memory of device 1, not of device 0");
            device.enableAccess(peer);
            device.enableAccess(peer);
            assertThat(device.canAccess(peer)).isTrue();
            MemoryPool pool = device.newPool();
            assertThat(pool.isAccessibleBy(peer)).isFalse();
            pool.enableAccess(peer);
            assertThat(pool.isAccessibleBy(peer)).isTrue();
            pool.disableAccess(peer);
            assertThat(pool.isAccessibleBy(peer)).isFalse();
            // Its own memory is open to a device as it is.
            assertThat(device.canAccess(device)).isTrue();
            device.enableAccess(device);
            pool.enableAccess(device);
            assertThat(pool.isAccessibleBy(device)).isTrue();
        }
    }

    @Test
    void pinsAreGivenBack() {
        long before = StubDriver.live();
        try (Arena arena = Arena.ofShared()) {
            HostArray array = HostArray.wrap(arena.allocate(4096, 4096), DataType.INT8);
            Device other = Device.of(1);
            PinnedArray pinned = other.pin(array);
            assertThat(StubDriver.live()).as("the device and the pin").isEqualTo(before + 2);
            other.close();
            assertThat(pinned.isAlive()).isFalse();
            assertThat(StubDriver.live()).isEqualTo(before);
            StubDriver.fail("cuMemHostRegister", LibCuda.CUDA_ERROR_OUT_OF_MEMORY, 0);
            assertThatThrownBy(() -> device.pin(array))
                    .isInstanceOf(CudaException.class)
                    .hasMessageContaining("pin of HostArray[4096 x INT8] at 0x")
                    .hasMessageContaining("4096 bytes, on device 0")
                    .hasMessageContaining("limit of locked memory");
        }
    }
}
