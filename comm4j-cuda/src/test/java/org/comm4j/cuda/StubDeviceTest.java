// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.cuda;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.comm4j.core.DataType;
import org.comm4j.ffi.cuda.LibCuda;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("stub")
class StubDeviceTest extends DeviceContract {
    @BeforeAll
    static void load() {
        StubDriver.load();
    }

    @Test
    void everyCallMakesItsContextCurrent() {
        try (Device peer = Device.of(1);
                Stream there = peer.newStream();
                DeviceArray a = device.allocate(DataType.INT32, 10);
                DeviceArray b = peer.allocate(DataType.INT32, 10)) {
            // The stub refuses calls in the wrong context.
            for (int i = 0; i < 3; i++) {
                a.fill(1, stream);
                b.fill(2, there);
                StubDriver.disturb();
                a.fill(3);
                StubDriver.disturb();
                there.synchronize();
                StubDriver.disturb();
                assertThat(stream.isDone()).isTrue();
                StubDriver.disturb();
                b.copyFrom(a, there);
                StubDriver.disturb();
                assertThat(device.freeMemory()).isPositive();
                StubDriver.disturb();
            }
        }
    }

    /** Whatever is made and closed, in any order, the driver has as much as before. */
    @Test
    void cyclesLeaveNothingBehind() {
        device.allocate(DataType.INT8, 1).close();
        long before = StubDriver.live();
        for (int i = 0; i < 10_000; i++) {
            try (Stream s = device.newStream();
                    Event event = device.newEvent();
                    DeviceArray array = device.allocate(DataType.FLOAT32, 100);
                    PinnedArray pinned = device.allocatePinned(DataType.FLOAT32, 10)) {
                array.slice(0, 10).copyFrom(pinned, s);
                s.record(event);
            }
        }
        assertThat(StubDriver.live()).isEqualTo(before);
        for (int i = 0; i < 100; i++) {
            Device other = Device.of(1);
            Stream s = other.newStream();
            MemoryPool pool = other.newPool();
            assertThat(pool.allocate(DataType.INT8, 7, s).isAlive()).isTrue();
            assertThat(other.allocatePinned(DataType.INT8, 7).isAlive()).isTrue();
            assertThat(Graph.capture(s, () -> s.onReached(() -> {}))
                            .instantiate()
                            .isOpen())
                    .isTrue();
            assertThat(other.newTimingEvent().isDone()).isTrue();
            other.close();
        }
        assertThat(StubDriver.live()).isEqualTo(before);
        assertThat(HostCallbacks.pending()).isZero();
    }

    @Test
    void aDeviceThatFailsToOpenIsLeftAlone() {
        long before = StubDriver.live();
        StubDriver.fail("cuDeviceGetAttribute", LibCuda.CUDA_ERROR_NOT_SUPPORTED, 3);
        assertThatThrownBy(() -> Device.of(1)).isInstanceOf(CudaException.class);
        assertThat(StubDriver.live()).isEqualTo(before);
    }

    @Test
    void closingGoesOnAfterAFailureAndReportsIt() {
        long before = StubDriver.live();
        Device other = Device.of(1);
        DeviceArray array = other.allocate(DataType.INT8, 7);
        Stream s = other.newStream();
        StubDriver.fail("cuStreamDestroy", LibCuda.CUDA_ERROR_LAUNCH_FAILED, 0);
        assertThatThrownBy(other::close)
                .isInstanceOf(CudaException.class)
                .hasMessageContaining("close a stream failed");
        assertThat(array.isAlive()).isFalse();
        assertThat(s.isOpen()).isFalse();
        assertThat(StubDriver.live())
                .as("only the stream that the driver refused to close")
                .isEqualTo(before + 1);
    }

    @Test
    void aForgottenHandleIsReportedAndNotFreed() throws InterruptedException {
        List<LogRecord> records = Collections.synchronizedList(new ArrayList<>());
        Handler handler = new Handler() {
            @Override
            public void publish(LogRecord event) {
                records.add(event);
            }

            @Override
            public void flush() {}

            @Override
            public void close() {}
        };
        Logger logger = Logger.getLogger("org.comm4j.cuda");
        logger.addHandler(handler);
        logger.setUseParentHandlers(false);
        try {
            device.allocate(DataType.INT8, 1).close();
            long before = StubDriver.live();
            forget();
            for (int i = 0; i < 200 && records.isEmpty(); i++) {
                System.gc();
                Thread.sleep(20);
            }
            assertThat(records).anySatisfy(event -> {
                assertThat(event.getMessage())
                        .isEqualTo("leak: array of 17 x INT8 on device 0 was lost without close()");
                assertThat(event.getThrown().getStackTrace())
                        .anySatisfy(frame -> assertThat(frame.getMethodName()).isEqualTo("forget"));
            });
            assertThat(StubDriver.live()).isEqualTo(before + 1);
        } finally {
            logger.removeHandler(handler);
            logger.setUseParentHandlers(true);
        }
    }

    private void forget() {
        assertThat(device.allocate(DataType.INT8, 17).isAlive()).isTrue();
    }
}
