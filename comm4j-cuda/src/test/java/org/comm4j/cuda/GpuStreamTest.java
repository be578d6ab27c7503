// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.cuda;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.comm4j.core.DataType;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("gpu")
class GpuStreamTest extends StreamContract {
    @BeforeAll
    static void require() {
        Gpu.require(1);
    }

    @Override
    void hold(CountDownLatch gate) {
        stream.onReached(() -> {
            try {
                gate.await();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        });
    }

    @Override
    void release(CountDownLatch gate) {
        gate.countDown();
    }

    @Test
    void streamsRunBesideEachOther() {
        CountDownLatch gate = new CountDownLatch(1);
        try (Stream other = device.newStream();
                DeviceArray array = device.allocate(DataType.FLOAT32, 1000);
                PinnedArray pinned = device.allocatePinned(DataType.FLOAT32, 1000);
                Event event = device.newEvent()) {
            hold(gate);
            try {
                array.fill(5, other);
                array.copyTo(pinned, other);
                other.synchronize(Duration.ofSeconds(10));
                assertThat(pinned.getFloat(999)).isEqualTo(5);
                assertThat(stream.isDone()).isFalse();
                stream.record(event);
                assertThat(event.isDone()).isFalse();
                other.await(event);
                assertThat(other.isDone()).isFalse();
            } finally {
                gate.countDown();
            }
            other.synchronize();
        }
    }

    @Test
    void aSynchronousCallWaitsForAllStreams() throws InterruptedException {
        CountDownLatch gate = new CountDownLatch(1);
        try (DeviceArray array = device.allocate(DataType.FLOAT32, 1000)) {
            hold(gate);
            array.fill(7, stream);
            AtomicReference<Float> seen = new AtomicReference<>(-1f);
            Thread reader =
                    Thread.ofPlatform().start(() -> seen.set(array.toHost().getFloat(999)));
            Thread.sleep(100);
            float early = seen.get();
            gate.countDown();
            reader.join();
            assertThat(early).as("the reader waits").isEqualTo(-1f);
            assertThat(seen.get()).isEqualTo(7f);
        }
    }

    @Test
    void aTimeIsPlausible() {
        try (DeviceArray a = device.allocate(DataType.INT8, 1 << 28);
                DeviceArray b = device.allocate(DataType.INT8, 1 << 28);
                Event start = device.newTimingEvent();
                Event end = device.newTimingEvent()) {
            b.copyFrom(a, stream);
            stream.record(start);
            for (int i = 0; i < 10; i++) {
                b.copyFrom(a, stream);
            }
            stream.record(end);
            stream.synchronize();
            double gigabytesPerSecond = 10 * (double) (1 << 28) / (end.millisSince(start) * 1e6);
            System.out.printf("device copy: %.0f GB/s read, and as much written%n", gigabytesPerSecond);
            assertThat(gigabytesPerSecond).isBetween(10.0, 10_000.0);
        }
    }
}
