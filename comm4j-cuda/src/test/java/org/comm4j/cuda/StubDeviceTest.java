// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.cuda;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.nio.channels.Pipe;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.comm4j.core.CommException;
import org.comm4j.core.DataType;
import org.comm4j.ffi.cuda.LibCuda;
import org.comm4j.ffi.handle.CUstream;
import org.comm4j.test.Nightly;
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
        for (int i = 0; i < Nightly.times(3000, 10_000); i++) {
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

    /**
     * Others know the streams in which their memory was used, also those that end with their device without being
     * closed.
     */
    @Test
    void aDeviceThatClosesIsNotAskedAboutItsStreamsAnyMore() {
        long before = StubDriver.live();
        try (DeviceArray array = device.allocate(DataType.FLOAT32, 10)) {
            Device peer = Device.of(1);
            DeviceArray there = peer.allocate(DataType.FLOAT32, 10);
            there.copyFrom(array);
            Stream foreign = peer.newStream();
            Stream wrapped = Stream.wrap(peer, foreign.handle().address());
            there.copyFrom(array, wrapped);
            peer.close();
            array.fill(1);
            assertThat(array.toHost().getFloat(9)).isEqualTo(1);
        }
        device.allocate(DataType.FLOAT32, 10).close();
        assertThat(StubDriver.live()).as("the pool and its stream").isEqualTo(before + 2);
    }

    /** As for that of its own streams. */
    @Test
    void aDeviceThatClosesWaitsForForeignStreamsUseOfOthersMemory() {
        Device peer = Device.of(1);
        DeviceArray array = device.allocate(DataType.FLOAT32, 10);
        Stream foreign = Device.of(1).newStream();
        Stream wrapped = Stream.wrap(peer, foreign.handle().address());
        array.usedIn(wrapped);
        CUstream handle = foreign.handle();
        StubDriver.stall(handle, true);
        CompletableFuture<Void> close = StubDriver.inThread(peer::close);
        try {
            assertThatThrownBy(() -> close.get(200, TimeUnit.MILLISECONDS)).isInstanceOf(TimeoutException.class);
        } finally {
            StubDriver.stall(handle, false);
        }
        close.join();
        foreign.device().close();
        array.close();
        assertThat(device.heap().pending()).isZero();
    }

    @Test
    void whatIsNotTheDevicesCanBeClosedAfterIt() {
        long before = StubDriver.live();
        Device peer = Device.of(1);
        DeviceArray array = peer.allocate(DataType.INT8, 10);
        DeviceArray view = DeviceArray.wrap(peer, DataType.INT8, array.address(), 10);
        Stream wrapped = Stream.wrap(peer, peer.newStream().handle().address());
        MemoryPool pool = peer.defaultPool();
        view.usedIn(wrapped);
        peer.close();
        view.close();
        wrapped.close();
        pool.close();
        assertThat(view.isAlive() || wrapped.isOpen() || pool.isOpen()).isFalse();
        assertThat(StubDriver.live()).isEqualTo(before);
    }

    /** An interrupt ends the wait, not the work: the device can be closed again. */
    @Test
    void aCloseThatWasInterruptedIsRepeated() {
        long before = StubDriver.live();
        Device other = Device.of(0);
        DeviceArray array = other.allocate(DataType.FLOAT32, 10);
        array.usedIn(stream);
        StubDriver.stall(stream.handle(), true);
        Thread.currentThread().interrupt();
        assertThatThrownBy(other::close).isInstanceOf(CommException.class).hasMessageContaining("interrupted");
        assertThat(Thread.interrupted()).isTrue();
        assertThat(other.isOpen()).isFalse();
        assertThat(array.isAlive()).isFalse();
        StubDriver.stall(stream.handle(), false);
        other.close();
        other.close();
        assertThat(StubDriver.live()).isEqualTo(before);
    }

    @Test
    void whatWasKeptIsGivenBackOnce() {
        device.allocate(DataType.INT8, 1).close();
        long before = StubDriver.live();
        DeviceArray array = device.allocate(DataType.INT8, 10);
        Runnable giveBack = array.keep();
        giveBack.run();
        assertThatThrownBy(giveBack::run)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("array of 10 x INT8 on device 0 was given back already");
        assertThat(StubDriver.live()).as("the array").isEqualTo(before + 1);
        array.fill(1);
        array.close();
        assertThat(StubDriver.live()).isEqualTo(before);
    }

    /** Memory that a channel writes to stays until it has done so. */
    @Test
    void pinnedMemoryThatAChannelUsesGoesBackLater() throws Exception {
        long before = StubDriver.live();
        for (boolean withDevice : new boolean[] {false, true}) {
            Pipe pipe = Pipe.open();
            Device other = Device.of(0);
            PinnedArray pinned = other.allocatePinned(DataType.INT8, 4);
            CompletableFuture<Integer> read = reading(pipe, pinned);
            CompletableFuture<Void> close = StubDriver.inThread(withDevice ? other::close : pinned::close);
            if (withDevice) {
                assertThatThrownBy(() -> close.get(200, TimeUnit.MILLISECONDS)).isInstanceOf(TimeoutException.class);
            } else {
                close.join();
                pinned.close();
            }
            assertThat(pinned.isAlive()).isFalse();
            assertThat(StubDriver.live()).as("the memory and its device").isEqualTo(before + 2);
            pipe.sink().write(ByteBuffer.wrap(new byte[] {1, 2, 3}));
            assertThat(read.join()).isEqualTo(3);
            close.join();
            other.close();
            assertThat(pinned.segment().scope().isAlive()).isFalse();
            assertThat(StubDriver.live()).isEqualTo(before);
            pipe.sink().close();
            pipe.source().close();
        }
    }

    /** A thread that waits for bytes in the array's memory. */
    private static CompletableFuture<Integer> reading(Pipe pipe, PinnedArray array) throws InterruptedException {
        ByteBuffer target = array.segment().asByteBuffer();
        CompletableFuture<Integer> end = new CompletableFuture<>();
        Thread reader = Thread.ofPlatform().daemon().start(() -> {
            try {
                end.complete(pipe.source().read(target));
            } catch (Throwable e) {
                end.completeExceptionally(e);
            }
        });
        while (!isInside(reader, "sun.nio.ch.IOUtil")) {
            Thread.sleep(1);
        }
        Thread.sleep(50);
        return end;
    }

    private static boolean isInside(Thread thread, String className) {
        return Arrays.stream(thread.getStackTrace())
                .anyMatch(frame -> frame.getClassName().equals(className));
    }

    @Test
    void aVirtualThreadThatWaitsForTheDeviceLeavesItsCarrierToOthers() throws Exception {
        StubDriver.stall(stream.handle(), true);
        CUstream handle = stream.handle();
        List<Thread> waiting = new ArrayList<>();
        for (int i = 0; i < Runtime.getRuntime().availableProcessors(); i++) {
            waiting.add(Thread.ofVirtual().start(device::synchronize));
        }
        Thread.sleep(100);
        Thread other = Thread.ofVirtual().start(() -> StubDriver.stall(handle, false));
        boolean hasRun = other.join(Duration.ofSeconds(5));
        StubDriver.stall(handle, false);
        for (Thread each : waiting) {
            each.join();
        }
        assertThat(hasRun).isTrue();
    }
}
