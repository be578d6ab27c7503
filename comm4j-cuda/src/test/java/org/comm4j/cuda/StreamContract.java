// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.cuda;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.logging.Logger;
import org.comm4j.core.CommTimeoutException;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.ffi.cuda.LibCuda;
import org.junit.jupiter.api.Test;

abstract class StreamContract extends CudaContract {

    @Test
    void prioritiesAreMovedIntoTheRange() {
        int[] range = device.streamPriorities();
        assertThat(range[0]).isLessThan(range[1]);
        try (Stream high = device.newStream(range[0]);
                Stream beyond = device.newStream(-1000);
                Stream low = device.newStream(1000)) {
            assertThat(high.priority()).isEqualTo(range[0]);
            assertThat(beyond.priority()).isEqualTo(range[0]);
            assertThat(low.priority()).isEqualTo(range[1]);
        }
    }

    @Test
    void eventsOrderStreamsAndMeasureTime() {
        try (Stream other = device.newStream();
                Event start = device.newTimingEvent();
                Event end = device.newTimingEvent();
                DeviceArray array = device.allocate(DataType.FLOAT32, 1 << 20);
                DeviceArray copy = device.allocate(DataType.FLOAT32, 1 << 20)) {
            stream.record(start);
            array.fill(3, stream);
            stream.record(end);
            other.await(end);
            copy.copyFrom(array, other);
            stream.await(other);
            copy.fill(4, stream);
            stream.synchronize();
            assertThat(other.isDone()).isTrue();
            assertThat(end.isDone()).isTrue();
            assertThat(copy.toHost().getFloat(12345)).isEqualTo(4);
            assertThat(end.millisSince(start)).isBetween(0f, 10_000f);
            end.synchronize();
            end.synchronize(Duration.ofSeconds(10));
        }
    }

    @Test
    void timeIsOnlyMeasuredByEventsMadeForIt() {
        try (Event plain = device.newEvent();
                Event timing = device.newTimingEvent();
                Event never = device.newTimingEvent()) {
            stream.record(plain);
            stream.record(timing);
            stream.synchronize();
            assertThatThrownBy(() -> timing.millisSince(plain))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("newTimingEvent");
            assertThatThrownBy(() -> timing.millisSince(never))
                    .isInstanceOf(CudaException.class)
                    .hasMessageContaining("recorded");
            assertThat(never.isDone())
                    .as("an event that was never recorded is done")
                    .isTrue();
        }
    }

    @Test
    void callbacksRunInOrderAndWhatTheyThrowStaysThere() throws InterruptedException {
        List<Integer> seen = Collections.synchronizedList(new ArrayList<>());
        int before = HostCallbacks.pending();
        AtomicInteger reported = new AtomicInteger();
        Logger logger = Logger.getLogger("org.comm4j.cuda");
        logger.setFilter(event -> {
            reported.incrementAndGet();
            return false;
        });
        for (int i = 0; i < 100; i++) {
            int number = i;
            stream.onReached(() -> {
                seen.add(number);
                if (number % 10 == 0) {
                    throw new IllegalStateException("thrown on purpose by a test");
                }
                if (number % 10 == 5) {
                    throw new AssertionError("thrown on purpose by a test");
                }
            });
        }
        stream.synchronize();
        logger.setFilter(null);
        assertThat(reported).as("exceptions in the log").hasValue(20);
        assertThat(seen).hasSize(100).isSorted();
        assertThat(HostCallbacks.pending()).isEqualTo(before);
        CountDownLatch reached = new CountDownLatch(1);
        stream.onReached(reached::countDown);
        reached.await();
    }

    @Test
    void cudaFromACallbackIsAnExceptionThere() {
        isRefusedInACallback(device::freeMemory);
        isRefusedInACallback(device::totalMemory);
        isRefusedInACallback(() -> device.attribute(LibCuda.CU_DEVICE_ATTRIBUTE_WARP_SIZE));
    }

    /** What cannot be given back there is not lost. */
    @Test
    void closingInACallbackIsAnExceptionThereAndLeavesTheArrayOpen() {
        DeviceArray array = device.allocate(DataType.INT32, 4);
        isRefusedInACallback(array::close);
        assertThat(array.isAlive()).isTrue();
        array.close();
        assertThat(array.isAlive()).isFalse();
    }

    private void isRefusedInACallback(Runnable call) {
        AtomicReference<Throwable> failure = new AtomicReference<>();
        stream.onReached(() -> {
            try {
                call.run();
            } catch (RuntimeException e) {
                failure.set(e);
            }
        });
        stream.synchronize();
        assertThat(failure.get())
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("a callback in a stream must not call CUDA");
    }

    @Test
    void copiesOfNothingSayWhichArrayIsMissing() {
        try (DeviceArray array = device.allocate(DataType.INT32, 4)) {
            assertThatThrownBy(() -> array.copyFrom((DeviceArray) null, stream))
                    .isInstanceOf(NullPointerException.class)
                    .hasMessageContaining("copyFrom")
                    .hasMessageContaining("4 x INT32");
            assertThatThrownBy(() -> array.copyTo((HostArray) null, stream))
                    .isInstanceOf(NullPointerException.class)
                    .hasMessageContaining("copyTo");
        }
    }

    @Test
    void workGoesFromEveryThread() throws InterruptedException {
        int threads = 8;
        AtomicReference<Throwable> failure = new AtomicReference<>();
        AtomicInteger done = new AtomicInteger();
        List<Thread> all = new ArrayList<>();
        for (int t = 0; t < threads; t++) {
            int number = t;
            Thread.Builder builder = t % 2 == 0 ? Thread.ofPlatform() : Thread.ofVirtual();
            all.add(builder.start(() -> {
                try (Stream own = device.newStream();
                        DeviceArray array = device.allocate(DataType.INT32, 1000)) {
                    for (int round = 0; round < 20; round++) {
                        array.fill(number + round, own);
                        own.synchronize();
                        Thread.yield();
                        if (array.toHost().getInt(999) != number + round) {
                            throw new AssertionError("thread " + number + " reads another value than it wrote");
                        }
                    }
                    done.incrementAndGet();
                } catch (Throwable e) {
                    failure.set(e);
                }
            }));
        }
        for (Thread thread : all) {
            thread.join();
        }
        assertThat(failure.get()).isNull();
        assertThat(done).hasValue(threads);
    }

    @Test
    void foreignStreamsAreWrapped() {
        try (Stream wrapped = Stream.wrap(device, stream.handle().address());
                DeviceArray array = device.allocate(DataType.INT32, 10)) {
            array.fill(1, wrapped);
            wrapped.synchronize();
            assertThat(array.toHost().getInt(9)).isEqualTo(1);
        }
        assertThat(stream.isDone())
                .as("closing the wrapper leaves the stream alone")
                .isTrue();
        assertThat(Stream.wrap(device, 0)).hasToString("Stream[device 0, default]");
        Stream.wrap(device, 1).synchronize();
        assertThatThrownBy(() -> Stream.wrap(device, 2))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("per-thread");
    }

    @Test
    void closedStreamsAndEventsAreRefused() {
        Stream closed = device.newStream();
        Event event = device.newEvent();
        closed.close();
        closed.close();
        assertThat(closed).hasToString("Stream[device 0, closed]");
        try (DeviceArray array = device.allocate(DataType.INT32, 1)) {
            assertThatThrownBy(() -> array.fill(1, closed))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("this stream on device 0 was closed");
        }
        assertThatThrownBy(closed::synchronize).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> closed.synchronize(Duration.ofSeconds(1))).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(closed::isDone).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(closed::handle).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> closed.record(event)).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> closed.onReached(() -> {})).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> Graph.capture(closed, () -> {})).isInstanceOf(IllegalStateException.class);
        event.close();
        assertThatThrownBy(() -> stream.record(event)).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> stream.await(event)).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(event::isDone).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> stream.synchronize(Duration.ofSeconds(-1)))
                .isInstanceOf(IllegalArgumentException.class);
    }

    /** A stream that cannot go on until the latch opens. */
    @Test
    void aWaitEndsAtItsTimeout() {
        CountDownLatch gate = new CountDownLatch(1);
        hold(gate);
        try {
            assertThat(stream.isDone()).isFalse();
            long start = System.nanoTime();
            assertThatThrownBy(() -> stream.synchronize(Duration.ofMillis(100)))
                    .isInstanceOf(CommTimeoutException.class)
                    .hasMessageContaining("Stream[device 0")
                    .hasMessageContaining("timeout 0.100 s");
            assertThat(System.nanoTime() - start).isGreaterThanOrEqualTo(100_000_000);
        } finally {
            release(gate);
        }
        stream.synchronize(Duration.ofSeconds(30));
    }

    /** Lets the stream wait for the gate. */
    abstract void hold(CountDownLatch gate);

    abstract void release(CountDownLatch gate);

    @Test
    void devicesAreNeitherOpenedNorClosedInACallback() {
        isRefusedInACallback(() -> Device.of(0).close());
        Device other = Device.of(0);
        DeviceArray array = other.allocate(DataType.INT32, 4);
        isRefusedInACallback(other::close);
        assertThat(other.isOpen() && array.isAlive()).isTrue();
        other.close();
        assertThat(other.isOpen() || array.isAlive()).isFalse();
    }

    @Test
    void whatWasLentIsNotGivenBackInACallback() {
        int before = DlPack.lentCount();
        DeviceArray array = device.allocate(DataType.INT32, 4);
        Runnable giveBack = array.keep();
        long tensor = DlPack.lend(array, DlPack.Form.LEGACY);
        isRefusedInACallback(giveBack);
        isRefusedInACallback(() -> DlPack.discard(tensor, DlPack.Form.LEGACY));
        assertThat(DlPack.lentCount()).isEqualTo(before + 1);
        array.close();
        DlPack.discard(tensor, DlPack.Form.LEGACY);
        giveBack.run();
        assertThat(DlPack.lentCount()).isEqualTo(before);
    }
}
