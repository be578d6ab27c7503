// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.cuda;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.comm4j.core.DataType;
import org.comm4j.ffi.cuda.LibCuda;
import org.junit.jupiter.api.Test;

abstract class DeviceContract extends CudaContract {

    @Test
    void aDeviceSaysWhatItIs() {
        assertThat(Cuda.deviceCount()).isPositive();
        assertThat(Cuda.driverVersion()).isGreaterThanOrEqualTo(12000);
        assertThat(device.ordinal()).isZero();
        assertThat(device.name()).isNotBlank();
        assertThat(device.pciBusId()).matches("[0-9a-fA-F]{4,8}:[0-9a-fA-F]{2}:[0-9a-fA-F]{2}\\.[0-9]");
        assertThat(device.uuid()).matches("GPU-[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}");
        assertThat(device.computeCapability().major()).isGreaterThanOrEqualTo(5);
        DeviceProperties properties = device.properties();
        assertThat(properties.warpSize()).isEqualTo(32);
        assertThat(properties.maxThreadsPerBlock()).isEqualTo(1024);
        assertThat(properties.multiprocessors()).isPositive();
        assertThat(properties.maxSharedBytesPerBlock()).isGreaterThanOrEqualTo(properties.sharedBytesPerBlock());
        assertThat(device.attribute(LibCuda.CU_DEVICE_ATTRIBUTE_WARP_SIZE)).isEqualTo(32);
        assertThat(device.freeMemory()).isPositive().isLessThanOrEqualTo(device.totalMemory());
        assertThat(device).hasToString("device 0");
        device.synchronize();
    }

    @Test
    void thereAreOnlySoManyDevices() {
        assertThatThrownBy(() -> Device.of(-1)).isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> Device.of(Cuda.deviceCount()))
                .isInstanceOf(IndexOutOfBoundsException.class)
                .hasMessageContaining("CUDA_VISIBLE_DEVICES");
    }

    @Test
    void ranksShareDevicesInTurn() {
        int count = Cuda.deviceCount();
        for (int rank : new int[] {0, count - 1, count, 3 * count + 1}) {
            try (Device each = Device.inTurn(rank)) {
                assertThat(each.ordinal()).as("rank " + rank).isEqualTo(rank % count);
            }
        }
    }

    @Test
    void twoObjectsOfOneDeviceWorkTogether() {
        try (Device again = Device.of(0);
                Stream other = again.newStream();
                DeviceArray array = device.allocate(DataType.INT32, 10)) {
            array.fill(3, other);
            other.synchronize();
            assertThat(array.toHost().getInt(9)).isEqualTo(3);
            assertThat(again.context()).isEqualTo(device.context());
        }
        try (DeviceArray array = device.allocate(DataType.INT32, 10)) {
            assertThat(array.isAlive())
                    .as("closing the other object does no harm")
                    .isTrue();
            array.fill(1);
        }
    }
}
