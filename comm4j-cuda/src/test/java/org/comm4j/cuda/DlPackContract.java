// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.cuda;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.EnumSet;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.cuda.DlPack.Flag;
import org.comm4j.cuda.DlPack.Form;
import org.comm4j.ffi.NativeMemory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Device memory; {@link DlPackTest} has the host's. */
abstract class DlPackContract extends CudaContract {

    @ParameterizedTest
    @EnumSource
    void deviceMemoryCrossesAndComesBack(Form form) {
        int before = DlPack.lentCount();
        for (DataType type : DataType.values()) {
            try (DeviceArray array = device.allocate(type, 24)) {
                array.copyFrom(numbers(type, 24));
                DeviceArray other = DlPack.take(device, DlPack.lend(array, form, 2, 3, 4), form);
                assertThat(other.address()).isEqualTo(array.address());
                assertThat(other.type()).isEqualTo(type);
                assertThat(other.count()).isEqualTo(24);
                assertThat(other.toHost().segment().mismatch(numbers(type, 24).segment()))
                        .isEqualTo(-1);
                assertThat(DlPack.lentCount()).isEqualTo(before + 1);
                other.close();
                other.close();
                assertThat(DlPack.lentCount()).isEqualTo(before);
            }
        }
    }

    @Test
    void lentMemoryOutlivesItsArrayAndItsDevice() {
        Device owner = Device.of(0);
        DeviceArray array = owner.allocate(DataType.FLOAT32, 10);
        array.fill(7);
        long tensor = DlPack.lend(array, Form.VERSIONED);
        array.close();
        assertThat(array.isAlive()).isFalse();
        owner.close();
        try (DeviceArray taken = DlPack.take(device, tensor, Form.VERSIONED)) {
            assertThat(taken.toHost().toFloatArray()).containsOnly(7);
            taken.fill(8);
        }
        assertThatThrownBy(() -> DlPack.lend(array, Form.VERSIONED))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("freed");
    }

    @Test
    void closingTheDeviceGivesBackWhatItTook() {
        int before = DlPack.lentCount();
        try (DeviceArray array = device.allocate(DataType.FLOAT32, 10)) {
            Device taker = Device.of(0);
            DeviceArray taken = DlPack.take(taker, DlPack.lend(array, Form.LEGACY), Form.LEGACY);
            assertThat(taken.isAlive()).isTrue();
            taker.close();
            assertThat(taken.isAlive()).isFalse();
            assertThat(DlPack.lentCount()).isEqualTo(before);
            assertThat(array.isAlive()).isTrue();
        }
    }

    @Test
    void pinnedMemoryIsTheHosts() {
        int before = DlPack.lentCount();
        PinnedArray pinned = device.allocatePinned(DataType.FLOAT32, 10);
        pinned.fill(3);
        long tensor = DlPack.lend(pinned, Form.VERSIONED);
        assertThatThrownBy(() -> DlPack.take(device, tensor, Form.VERSIONED))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("the host (pinned), not of device 0");
        pinned.close();
        try (Arena arena = Arena.ofConfined()) {
            assertThat(DlPack.takeHost(arena, tensor, Form.VERSIONED).toFloatArray())
                    .containsOnly(3);
        }
        assertThat(DlPack.lentCount()).isEqualTo(before);
    }

    @Test
    void otherDevicesAndReadOnlyMemoryAreRefused() {
        try (DeviceArray array = device.allocate(DataType.FLOAT32, 10)) {
            long tensor = DlPack.lend(array, Form.VERSIONED);
            MemorySegment struct = NativeMemory.at(tensor, 80);
            struct.set(JAVA_INT, 32 + 12, 5);
            assertThatThrownBy(() -> DlPack.take(device, tensor, Form.VERSIONED))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("device 5, not of device 0");
            struct.set(JAVA_INT, 32 + 12, 0);
            struct.set(JAVA_LONG, 24, 1);
            assertThatThrownBy(() -> DlPack.take(device, tensor, Form.VERSIONED))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("read-only");
            DlPack.discard(tensor, Form.VERSIONED);
            long onDevice = DlPack.lend(array, Form.LEGACY);
            try (Arena arena = Arena.ofConfined()) {
                assertThatThrownBy(() -> DlPack.takeHost(arena, onDevice, Form.LEGACY))
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageContaining("device 0, not of the host");
            }
            DlPack.discard(onDevice, Form.LEGACY);
        }
    }

    @Test
    void hostMemoryIsNoDeviceMemory() {
        long tensor = DlPack.lend(HostArray.allocate(DataType.FLOAT32, 4), Form.VERSIONED);
        assertThatThrownBy(() -> DlPack.take(device, tensor, Form.VERSIONED))
                .isInstanceOf(IllegalArgumentException.class);
        // Somebody who says that host memory is device memory.
        NativeMemory.at(tensor, 80).set(JAVA_INT, 32 + 8, DlPack.CUDA);
        assertThatThrownBy(() -> DlPack.take(device, tensor, Form.VERSIONED))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("host memory");
        DlPack.discard(tensor, Form.VERSIONED);
    }

    @Test
    void readOnlyMemoryIsTakenToRead() {
        int before = DlPack.lentCount();
        try (DeviceArray array = device.allocate(DataType.FLOAT32, 10)) {
            array.fill(4);
            long tensor = DlPack.lend(array, Form.VERSIONED, EnumSet.of(Flag.READ_ONLY, Flag.COPIED), 2, 5);
            assertThat(DlPack.flags(tensor, Form.VERSIONED)).containsExactly(Flag.READ_ONLY, Flag.COPIED);
            assertThatThrownBy(() -> DlPack.take(device, tensor, Form.VERSIONED))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("copy it first, or take it to read");
            try (DeviceArray taken = DlPack.takeToRead(device, tensor, Form.VERSIONED)) {
                assertThat(taken.toHost().toFloatArray()).containsOnly(4);
            }
            // Memory that may be written is read as well.
            DlPack.takeToRead(device, DlPack.lend(array, Form.LEGACY), Form.LEGACY)
                    .close();
            assertThat(DlPack.lentCount()).isEqualTo(before);
        }
    }
}
