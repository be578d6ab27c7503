// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.cuda;

import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThat;

import org.comm4j.core.DataType;
import org.comm4j.cuda.DlPack.Form;
import org.comm4j.ffi.Callbacks;
import org.comm4j.ffi.NativeMemory;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("stub")
class StubDlPackTest extends DlPackContract {
    @BeforeAll
    static void load() {
        StubDriver.load();
    }

    @Test
    void nothingStaysBehind() {
        long before = StubDriver.live();
        Device owner = Device.of(1);
        long closedFirst = DlPack.lend(owner.allocate(DataType.INT8, 5), Form.VERSIONED);
        long closedLast = DlPack.lend(owner.allocate(DataType.INT8, 5), Form.LEGACY);
        DlPack.discard(closedLast, Form.LEGACY);
        owner.close();
        assertThat(StubDriver.live())
                .as("the lent array, its pool and its context")
                .isEqualTo(before + 3);
        DlPack.discard(closedFirst, Form.VERSIONED);
        assertThat(StubDriver.live()).isEqualTo(before);
    }

    /**
     * Other libraries call the deleter wherever they are; from a callback in a stream somebody else gives the memory
     * back.
     */
    @Test
    void aTensorComesBackFromACallback() throws InterruptedException {
        device.allocate(DataType.INT8, 1).close();
        long before = StubDriver.live();
        DeviceArray array = device.allocate(DataType.INT8, 5);
        long tensor = DlPack.lend(array, Form.LEGACY);
        array.close();
        long deleter = NativeMemory.at(tensor, 64).get(JAVA_LONG, 56);
        stream.onReached(() -> Callbacks.call(deleter, tensor));
        stream.synchronize();
        for (int i = 0; i < 1000 && StubDriver.live() != before; i++) {
            Thread.sleep(10);
        }
        assertThat(StubDriver.live()).isEqualTo(before);
    }
}
