// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.cuda;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.comm4j.core.DataType;
import org.comm4j.ffi.handle.CUstream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A device is abandoned for the rest of the process, so this is the last of the stub's, which nothing else uses. */
@Timeout(120)
@Tag("stub")
class StubAbandonTest {
    private static final int ORDINAL = 2;
    private static final byte[] IMAGE = ".version 8.0\n.target sm_90\n".getBytes(StandardCharsets.UTF_8);

    @BeforeAll
    static void load() {
        StubDriver.load();
    }

    @Test
    void closingWaitsForNothingAndGivesNothingBack() throws Exception {
        Device device = Device.of(ORDINAL);
        Device closing = Device.of(ORDINAL);
        Stream stream = device.newStream();
        Event event = device.newEvent();
        DeviceArray array = device.allocate(DataType.FLOAT32, 10);
        DeviceArray shareable = device.allocateShareable(DataType.FLOAT32, 10, 0);
        DeviceArray closedBefore = device.allocate(DataType.FLOAT32, 10);
        PinnedArray pinned = device.allocatePinned(DataType.FLOAT32, 10);
        MemoryPool pool = device.newPool();
        DeviceArray pooled = pool.allocate(DataType.FLOAT32, 10, stream);
        CudaModule module = CudaModule.load(device, IMAGE);
        CudaLibrary library = CudaLibrary.load(IMAGE);
        CudaFunction ofLibrary = library.on(closing).function("scale");
        Graph graph = Graph.capture(stream, () -> array.fill(1, stream));
        GraphExec exec = graph.instantiate();
        DeviceArray inUse = closing.allocate(DataType.FLOAT32, 10);
        Stream busy = closing.newStream();

        CUstream handle = stream.handle();
        CUstream busyHandle = busy.handle();
        StubDriver.stall(handle, true);
        StubDriver.stall(busyHandle, true);
        module.function("scale").launch(LaunchConfig.grid(1), stream, array, 10, 2f);
        shareable.fill(1, stream);
        closedBefore.copyFrom(pinned, stream);
        stream.record(event);
        exec.launch(stream);
        closedBefore.close();
        ofLibrary.launch(LaunchConfig.grid(1), busy, inUse, 10, 2f);

        CompletableFuture<Void> close = StubDriver.inThread(closing::close);
        assertThatThrownBy(() -> close.get(200, TimeUnit.MILLISECONDS)).isInstanceOf(TimeoutException.class);
        device.abandon();
        // Who waits already waits no longer.
        close.get(20, TimeUnit.SECONDS);

        long before = StubDriver.live();
        exec.close();
        graph.close();
        library.close();
        module.close();
        pooled.close();
        pool.close();
        pinned.close();
        shareable.close();
        array.close();
        event.close();
        stream.close();
        assertThat(array.isAlive() || pinned.isAlive() || event.isOpen() || stream.isOpen() || module.isOpen())
                .isFalse();
        assertThatIllegalStateException().isThrownBy(() -> array.fill(1)).withMessageContaining("was closed");
        assertThat(StubDriver.live()).isEqualTo(before);

        // It stays so when the work ends after all; new work is as good as ever.
        StubDriver.stall(handle, false);
        StubDriver.stall(busyHandle, false);
        DeviceArray fresh = device.allocate(DataType.INT32, 10);
        fresh.fill(3);
        assertThat(fresh.toHost().getInt(9)).isEqualTo(3);
        assertThat(StubDriver.live()).isEqualTo(before + 1);
        device.close();
        assertThat(device.isOpen()).isFalse();
        try (Device again = Device.of(ORDINAL)) {
            again.synchronize();
        }
        assertThat(StubDriver.live())
                .as("the array, and what keeps the context")
                .isEqualTo(before + 2);
        othersGiveBack();
    }

    /** What that stream uses cannot be given back, and nothing else waits for it. */
    @Test
    void anotherDeviceThatClosesDoesNotWaitForItsStreams() {
        Device abandoned = Device.of(ORDINAL);
        Stream endless = abandoned.newStream();
        CUstream handle = endless.handle();
        Device other = Device.of(0);
        long before = StubDriver.live();
        other.allocate(DataType.INT8, 10).usedIn(endless);
        DeviceArray free = other.allocate(DataType.INT8, 10);
        abandoned.abandon();
        StubDriver.stall(handle, true);
        other.close();
        assertThat(free.isAlive()).isFalse();
        assertThat(StubDriver.live())
                .as("the array that is in use, and its pool")
                .isEqualTo(before + 2);
        StubDriver.stall(handle, false);
    }

    private static void othersGiveBack() {
        long before = StubDriver.live();
        try (Device other = Device.of(0);
                Stream stream = other.newStream();
                DeviceArray array = other.allocate(DataType.INT32, 10);
                CudaLibrary library = CudaLibrary.load(IMAGE)) {
            array.fill(1, stream);
            assertThat(library.on(other).isOpen()).isTrue();
        }
        assertThat(StubDriver.live()).isEqualTo(before);
    }
}
