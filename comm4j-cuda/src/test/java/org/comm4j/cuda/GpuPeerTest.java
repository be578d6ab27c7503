// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.cuda;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.cuda.DlPack.Form;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Two devices. */
@Tag("gpu")
class GpuPeerTest extends CudaContract {
    @SuppressWarnings("NullAway.Init")
    private Device peer;

    @BeforeAll
    static void require() {
        Gpu.require(2);
    }

    @BeforeEach
    void openPeer() {
        peer = Device.of(1);
    }

    @AfterEach
    void closePeer() {
        peer.close();
    }

    @Test
    void dataCrossesWithAndWithoutDirectAccess() {
        HostArray numbers = numbers(DataType.INT8, 1_000_003);
        try (DeviceArray a = device.allocate(DataType.INT8, 1_000_003);
                DeviceArray b = peer.allocate(DataType.INT8, 1_000_003);
                Stream there = peer.newStream()) {
            a.copyFrom(numbers);
            b.copyFrom(a);
            assertThat(b.toHost().segment().mismatch(numbers.segment())).isEqualTo(-1);
            assumeTrue(peer.canAccess(device), "device 1 cannot reach device 0");
            peer.enableAccess(device);
            peer.enableAccess(device);
            b.fill(0);
            b.copyFrom(a, there);
            there.synchronize();
            assertThat(b.toHost().segment().mismatch(numbers.segment())).isEqualTo(-1);
        }
    }

    @Test
    void shareableMemoryIsOpenedToo() {
        assumeTrue(peer.canAccess(device), "device 1 cannot reach device 0");
        HostArray numbers = numbers(DataType.INT8, 1_000_003);
        try (DeviceArray before = device.allocateShareable(DataType.INT8, 1_000_003, 0);
                DeviceArray b = peer.allocate(DataType.INT8, 1_000_003)) {
            peer.enableAccess(device);
            try (DeviceArray after = device.allocateShareable(DataType.INT8, 1_000_003, 0);
                    Stream there = peer.newStream()) {
                for (DeviceArray a : new DeviceArray[] {before, after}) {
                    a.copyFrom(numbers);
                    b.fill(0);
                    // By the other device's copy engine, through its own mapping.
                    b.copyFrom(a, there);
                    there.synchronize();
                    assertThat(b.toHost().segment().mismatch(numbers.segment())).isEqualTo(-1);
                }
            }
        }
    }

    @Test
    void streamsWaitForEventsOfTheOtherDevice() {
        try (Stream there = peer.newStream();
                Event event = device.newEvent();
                DeviceArray a = device.allocate(DataType.FLOAT32, 1 << 22);
                DeviceArray b = peer.allocate(DataType.FLOAT32, 1 << 22)) {
            for (int i = 1; i < 50; i++) {
                a.fill(i, stream);
                stream.record(event);
                there.await(event);
                b.copyFrom(a, there);
                stream.await(there);
            }
            there.synchronize();
            assertThat(b.toHost().getFloat((1 << 22) - 1)).isEqualTo(49);
        }
    }

    @Test
    void threadsAlternateBetweenDevices() {
        try (Stream there = peer.newStream();
                DeviceArray a = device.allocate(DataType.INT32, 100);
                DeviceArray b = peer.allocate(DataType.INT32, 100)) {
            for (int i = 0; i < 100; i++) {
                a.fill(i, stream);
                b.fill(-i, there);
                stream.synchronize();
                there.synchronize();
                assertThat(a.toHost().getInt(99)).isEqualTo(i);
                assertThat(b.toHost().getInt(99)).isEqualTo(-i);
            }
        }
    }

    @Test
    void whatBelongsToTheOtherDeviceIsRefused() {
        try (Stream there = peer.newStream();
                Event event = peer.newTimingEvent();
                DeviceArray a = device.allocate(DataType.FLOAT32, 10);
                DeviceArray b = peer.allocate(DataType.FLOAT32, 10)) {
            assertThatThrownBy(() -> a.fill(1, there)).isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> stream.record(event)).isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> DeviceArray.wrap(device, DataType.FLOAT32, b.address(), 10))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("memory of device 1, not of device 0");
            assertThatThrownBy(() -> Stream.wrap(device, there.handle().address()))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("another context");
            long tensor = DlPack.lend(b, Form.VERSIONED);
            assertThatThrownBy(() -> DlPack.take(device, tensor, Form.VERSIONED))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("device 1, not of device 0");
            DlPack.discard(tensor, Form.VERSIONED);
        }
    }

    @Test
    void poolsAreOpenedToPeers() {
        assumeTrue(peer.canAccess(device), "device 1 cannot reach device 0");
        try (MemoryPool pool = device.newPool();
                DeviceArray b = peer.allocate(DataType.FLOAT32, 10)) {
            assertThat(pool.isAccessibleBy(peer)).isFalse();
            pool.enableAccess(peer);
            assertThat(pool.isAccessibleBy(peer)).isTrue();
            try (DeviceArray a = pool.allocate(DataType.FLOAT32, 10, stream)) {
                a.fill(4, stream);
                stream.synchronize();
                b.copyFrom(a);
                assertThat(b.toHost().getFloat(9)).isEqualTo(4);
            }
            pool.disableAccess(peer);
            assertThat(pool.isAccessibleBy(peer)).isFalse();
        }
    }
}
