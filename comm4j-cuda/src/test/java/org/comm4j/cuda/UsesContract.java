// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.cuda;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.junit.jupiter.api.Test;

/**
 * What blocks on an array waits for the streams that use it, and for no other; what is closed stays until they are
 * done.
 */
abstract class UsesContract extends CudaContract {
    private static final long COUNT = 1000;

    /**
     * Puts work into the stream that does not end before the result is closed. Everything that a test needs of the
     * driver was used before, for some first calls wait for the device.
     */
    abstract Stall stall(Stream stream);

    interface Stall extends AutoCloseable {
        @Override
        void close();
    }

    private static void assertWaits(Stall stall, Runnable body) throws Exception {
        CompletableFuture<Void> end = CompletableFuture.runAsync(body);
        assertThatThrownBy(() -> end.get(200, TimeUnit.MILLISECONDS)).isInstanceOf(TimeoutException.class);
        stall.close();
        end.get(20, TimeUnit.SECONDS);
    }

    private static void assertDoesNotWait(Runnable body) throws Exception {
        CompletableFuture.runAsync(body).get(20, TimeUnit.SECONDS);
    }

    private void withArray(Consumer<DeviceArray> use, boolean waits) throws Exception {
        try (DeviceArray array = device.allocate(DataType.FLOAT32, COUNT);
                DeviceArray other = device.allocate(DataType.FLOAT32, COUNT)) {
            use.accept(array);
            stream.synchronize();
            HostArray host = HostArray.allocate(DataType.FLOAT32, COUNT);
            array.copyTo(host);
            try (Stall stall = stall(stream)) {
                use.accept(array);
                assertDoesNotWait(() -> {
                    other.fill(3);
                    other.slice(1, 7).copyTo(HostArray.allocate(DataType.FLOAT32, 7));
                    other.copyFrom(host);
                    device.allocate(DataType.FLOAT32, COUNT).close();
                });
                if (waits) {
                    assertWaits(stall, () -> array.copyTo(host));
                } else {
                    assertDoesNotWait(() -> array.copyTo(host));
                }
            }
        }
    }

    @Test
    void nobodyWaitsForStreamsThatDoNotUseTheArray() throws Exception {
        withArray(array -> {}, false);
    }

    @Test
    void fillsAreWaitedFor() throws Exception {
        withArray(array -> array.fill(1, stream), true);
    }

    @Test
    void usesOfSlicesAndViewsAreWaitedFor() throws Exception {
        withArray(array -> array.slice(3, 4).view(DataType.INT32).fill(1, stream), true);
    }

    @Test
    void aCopysSourceIsWaitedFor() throws Exception {
        try (DeviceArray target = device.allocate(DataType.FLOAT32, COUNT)) {
            withArray(array -> target.copyFrom(array, stream), true);
        }
    }

    @Test
    void usesThatWereToldAreWaitedFor() throws Exception {
        withArray(array -> array.usedIn(stream), true);
    }

    @Test
    void graphsThatUseTheArrayAreWaitedFor() throws Exception {
        try (Stream recorded = device.newStream();
                DeviceArray used = device.allocate(DataType.FLOAT32, COUNT);
                Graph graph = Graph.capture(recorded, () -> used.fill(4, recorded));
                GraphExec exec = graph.instantiate();
                Graph other = Graph.capture(recorded, () -> used.fill(5, recorded))) {
            // Recording is no use.
            assertDoesNotWait(() -> used.fill(0));
            exec.launch(stream);
            assertThat(used.toHost().getFloat(COUNT - 1)).isEqualTo(4);
            exec.update(other);
            exec.upload(stream);
            stream.synchronize();
            try (Stall stall = stall(stream)) {
                exec.launch(stream);
                assertWaits(
                        stall,
                        () -> assertThat(used.toHost().getFloat(COUNT - 1)).isEqualTo(5));
            }
        }
    }

    /** Two streams are recorded at the same time, one inside the other; each graph knows its own memory. */
    @Test
    void graphsThatAreRecordedTogetherAreToldApart() throws Exception {
        try (Stream outer = device.newStream();
                Stream inner = device.newStream();
                DeviceArray a = device.allocate(DataType.FLOAT32, COUNT);
                DeviceArray b = device.allocate(DataType.FLOAT32, COUNT)) {
            Graph[] second = new Graph[1];
            Graph first = Graph.capture(
                    outer,
                    () -> second[0] = Graph.capture(inner, () -> {
                        a.fill(1, outer);
                        b.fill(2, inner);
                    }));
            try (GraphExec one = first.instantiate();
                    GraphExec other = second[0].instantiate()) {
                one.launch(stream);
                other.launch(inner);
                stream.synchronize();
                inner.synchronize();
                try (Stall stall = stall(stream)) {
                    one.launch(stream);
                    assertDoesNotWait(() -> b.fill(0));
                    assertWaits(stall, () -> assertThat(a.toHost().getFloat(0)).isEqualTo(1));
                }
            }
        }
    }

    @Test
    void aClosedStreamsWorkIsWaitedFor() throws Exception {
        try (DeviceArray array = device.allocate(DataType.FLOAT32, COUNT)) {
            Stream shortLived = device.newStream();
            try (Stall stall = stall(shortLived)) {
                array.fill(6, shortLived);
                shortLived.close();
                assertWaits(
                        stall,
                        () -> assertThat(array.toHost().getFloat(COUNT - 1)).isEqualTo(6));
            }
        }
    }

    /** Closing does not wait, and nobody gets the memory while it is in use. */
    @Test
    @SuppressWarnings("try") // the stall ends before its block
    void closedMemoryStaysUntilItsUsesAreOver() throws Exception {
        DeviceArray array = device.allocate(DataType.FLOAT32, COUNT);
        long address = array.address();
        try (Stall stall = stall(stream)) {
            array.fill(7, stream);
            assertDoesNotWait(array::close);
            assertThat(array.isAlive()).isFalse();
            try (DeviceArray next = device.allocate(DataType.FLOAT32, COUNT)) {
                assertThat(next.address()).isNotEqualTo(address);
                next.fill(1);
                stall.close();
                stream.synchronize(Duration.ofSeconds(20));
                assertThat(next.toHost().getFloat(COUNT - 1)).isEqualTo(1);
            }
        }
    }

    /** A device that is closed waits for what uses its memory, not for what else runs there. */
    @Test
    void aClosedDeviceWaitsForItsMemoryOnly() throws Exception {
        try (Stall stall = stall(stream)) {
            assertDoesNotWait(() -> {
                try (Device again = Device.of(0)) {
                    again.allocate(DataType.FLOAT32, COUNT).fill(1);
                }
            });
            Device again = Device.of(0);
            again.allocate(DataType.FLOAT32, COUNT).usedIn(stream);
            assertWaits(stall, again::close);
        }
    }

    /** An array that is closed in the order of its pool's stream goes back at once, be the stream busy or not. */
    @Test
    @SuppressWarnings("try") // the stall ends before its block
    void pooledMemoryGoesBackInTheOrderOfItsStream() throws Exception {
        try (MemoryPool pool = device.newPool()) {
            pool.allocate(DataType.FLOAT32, COUNT, stream).close();
            stream.synchronize();
            try (Stall stall = stall(stream)) {
                DeviceArray array = pool.allocate(DataType.FLOAT32, COUNT, stream);
                array.fill(8, stream);
                assertDoesNotWait(array::close);
                assertThat(device.heap().pending()).isZero();
                stall.close();
            }
        }
    }
}
