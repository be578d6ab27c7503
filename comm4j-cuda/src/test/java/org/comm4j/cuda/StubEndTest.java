// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.cuda;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.function.BooleanSupplier;
import org.comm4j.core.CommTimeoutException;
import org.comm4j.core.DataType;
import org.comm4j.ffi.handle.CUstream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** How objects end that are in use: by a stream, by a call of another thread, by a recording. */
@Tag("stub")
class StubEndTest extends CudaContract {
    private static final Duration SHORT = Duration.ofMillis(50);

    @BeforeAll
    static void load() {
        StubDriver.load();
    }

    /** Temporaries of an asynchronous step: the driver is not asked about each for each. */
    @Test
    void closingManyArraysAsksTheirStreamOnceEachTime() {
        int count = 200;
        List<DeviceArray> arrays = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            DeviceArray array = device.allocate(DataType.INT8, 16);
            array.usedIn(stream);
            arrays.add(array);
        }
        StubDriver.stall(stream.handle(), true);
        long before = StubDriver.calls("cuStreamQuery");
        arrays.forEach(DeviceArray::close);
        assertThat(StubDriver.calls("cuStreamQuery") - before).isLessThan(4L * count);
        assertThat(device.heap().pending()).isEqualTo(count);
        StubDriver.stall(stream.handle(), false);
        device.allocate(DataType.INT8, 16).close();
        assertThat(device.heap().pending()).isZero();
    }

    @Test
    void closingADeviceHasALimitAndSaysWhatItWaitsFor() {
        long before = StubDriver.live();
        Device other = Device.of(0);
        other.allocate(DataType.FLOAT32, 10).usedIn(stream);
        StubDriver.stall(stream.handle(), true);
        assertThatThrownBy(() -> other.close(SHORT))
                .isInstanceOf(CommTimeoutException.class)
                .hasMessageContaining("device 0 to be closed: 2 arrays, modules or pools")
                .hasMessageContaining("the work of the stream 0x"
                        + Long.toHexString(stream.handle().address()) + " of device 0");
        assertThat(other.isOpen()).isFalse();
        StubDriver.stall(stream.handle(), false);
        other.close();
        assertThat(StubDriver.live()).isEqualTo(before);
    }

    @Test
    void closingADeviceWaitsForCallsOfOtherThreads() throws Exception {
        long before = StubDriver.live();
        Device other = Device.of(0);
        Stream busy = other.newStream();
        CUstream handle = busy.handle();
        StubDriver.stall(handle, true);
        CompletableFuture<Void> wait = inside("cuStreamSynchronize", busy::synchronize);
        assertThatThrownBy(() -> other.close(SHORT))
                .isInstanceOf(CommTimeoutException.class)
                .hasMessageContaining("device 0 to be closed: calls are under way in other threads");
        assertThat(busy.isOpen()).isFalse();
        StubDriver.stall(handle, false);
        wait.join();
        other.close();
        assertThat(StubDriver.live()).isEqualTo(before);
    }

    @Test
    void aStreamThatIsClosedDuringACallGoesAfterThat() throws Exception {
        long before = StubDriver.live();
        Stream busy = device.newStream();
        CUstream handle = busy.handle();
        StubDriver.stall(handle, true);
        CompletableFuture<Void> wait = inside("cuStreamSynchronize", busy::synchronize);
        busy.close();
        assertThat(busy.isOpen()).isFalse();
        assertThatIllegalStateException().isThrownBy(busy::isDone).withMessageContaining("was closed");
        assertThat(StubDriver.live()).isEqualTo(before + 1);
        StubDriver.stall(handle, false);
        wait.join();
        assertThat(StubDriver.live()).isEqualTo(before);
    }

    /** Its owner may destroy it as soon as the wrapper is closed. */
    @Test
    void closingAWrappedStreamWaitsForCallsOfOtherThreads() throws Exception {
        Stream wrapped = Stream.wrap(device, stream.handle().address());
        StubDriver.stall(stream.handle(), true);
        CompletableFuture<Void> wait = inside("cuStreamSynchronize", wrapped::synchronize);
        CompletableFuture<Void> close = StubDriver.inThread(wrapped::close);
        until(() -> !wrapped.isOpen());
        assertThat(close.isDone()).isFalse();
        StubDriver.stall(stream.handle(), false);
        wait.join();
        close.join();
    }

    /** A thread that has come as far as the driver's function. */
    private static CompletableFuture<Void> inside(String function, Runnable body) {
        long before = StubDriver.calls(function);
        CompletableFuture<Void> end = StubDriver.inThread(body);
        until(() -> StubDriver.calls(function) > before);
        return end;
    }

    private static void until(BooleanSupplier condition) {
        Polling.until(condition, Duration.ofSeconds(20), "another thread");
    }

    @Test
    void pinnedMemoryStaysUntilItsStreamsHavePassed() {
        try (DeviceArray array = device.allocate(DataType.INT8, 10)) {
            long before = StubDriver.live();
            PinnedArray pinned = device.allocatePinned(DataType.INT8, 10);
            array.copyFrom(pinned.slice(0, 10), stream);
            StubDriver.stall(stream.handle(), true);
            pinned.close();
            assertThat(pinned.isAlive()).isFalse();
            assertThat(StubDriver.live()).isEqualTo(before + 1);
            StubDriver.stall(stream.handle(), false);
            device.allocate(DataType.INT8, 1).close();
            assertThat(StubDriver.live()).isEqualTo(before);
        }
    }

    /** The recording goes on as if nothing had been tried. */
    @Test
    void whatARecordingCannotTakeIsRefusedBeforeItSpoilsIt() {
        try (DeviceArray array = device.allocate(DataType.INT8, 10);
                Graph graph = Graph.capture(stream, () -> {
                    List<Runnable> refused = List.of(
                            () -> device.allocate(DataType.INT8, 1),
                            () -> device.allocateShareable(DataType.INT8, 1, 0),
                            () -> device.allocatePinned(DataType.INT8, 1),
                            device::newPool,
                            device::synchronize,
                            stream::synchronize,
                            stream::isDone,
                            () -> array.fill(1),
                            array::toHost,
                            device::close);
                    for (Runnable each : refused) {
                        assertThatIllegalStateException()
                                .isThrownBy(each::run)
                                .withMessageContaining("this thread is recording a stream");
                    }
                    array.fill(1, stream);
                })) {
            assertThat(graph.nodeCount()).isEqualTo(1);
            assertThat(device.allocate(DataType.INT8, 1).isAlive()).isTrue();
        }
    }

    /** A capture that nobody can end would keep other streams, and what they use, for ever. */
    @Test
    void aCaptureEndsAlsoWhenItsStreamOrDeviceIsClosed() {
        long before = StubDriver.live();
        for (boolean withDevice : new boolean[] {false, true}) {
            Device other = Device.of(0);
            Stream recorded = other.newStream();
            CountDownLatch closed = new CountDownLatch(1);
            List<CompletableFuture<Void>> close = new ArrayList<>();
            assertThatIllegalStateException()
                    .isThrownBy(() -> Graph.capture(recorded, () -> {
                        close.add(StubDriver.inThread(withDevice ? other::close : recorded::close));
                        until(() -> !recorded.isOpen());
                        closed.countDown();
                    }))
                    .withMessageContaining("closed while it was recorded");
            assertThat(closed.getCount()).isZero();
            close.getFirst().join();
            other.close();
            assertThat(StubDriver.live()).isEqualTo(before);
        }
    }
}
