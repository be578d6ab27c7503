// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.cuda;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import org.comm4j.core.DataType;
import org.comm4j.ffi.cuda.LibCuda;
import org.comm4j.ffi.handle.CUstream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("stub")
class StubGraphTest extends GraphContract {
    @BeforeAll
    static void load() {
        StubDriver.load();
    }

    @Test
    void aFailedCallbackIsForgotten() {
        int before = HostCallbacks.pending();
        StubDriver.fail("cuLaunchHostFunc", LibCuda.CUDA_ERROR_LAUNCH_FAILED, 0);
        assertThatThrownBy(() -> stream.onReached(() -> {})).isInstanceOf(CudaException.class);
        assertThat(HostCallbacks.pending()).isEqualTo(before);
    }

    @Test
    void whatDiffersIsSaid() {
        try (DeviceArray a = device.allocate(DataType.FLOAT32, 10);
                PinnedArray pinned = device.allocatePinned(DataType.FLOAT32, 10);
                Graph one = Graph.capture(stream, () -> a.fill(1, stream));
                Graph two = Graph.capture(stream, () -> a.copyTo(pinned, stream));
                GraphExec exec = one.instantiate()) {
            assertThatThrownBy(() -> exec.update(two))
                    .isInstanceOf(CudaException.class)
                    .hasMessageContaining("(other nodes, or another order of them)");
        }
    }

    /**
     * The driver cannot tell of a stream that is recorded whether the work before is done; asking it makes the
     * recording fail.
     */
    @Test
    void whatWasClosedIsLeftAloneWhileItsStreamIsRecorded() {
        try (DeviceArray other = device.allocate(DataType.INT8, 10)) {
            DeviceArray used = device.allocate(DataType.INT8, 10);
            used.fill(1, stream);
            CUstream handle = stream.handle();
            StubDriver.stall(handle, true);
            try {
                used.close();
                assertThat(device.heap().pending()).isEqualTo(1);
                try (Graph graph = Graph.capture(stream, () -> {
                    StubDriver.inThread(() -> device.allocate(DataType.INT8, 1).close())
                            .join();
                    assertThat(device.heap().pending()).as("it is in use yet").isEqualTo(1);
                    other.fill(2, stream);
                })) {
                    assertThat(graph.nodeCount()).isEqualTo(1);
                }
            } finally {
                StubDriver.stall(handle, false);
            }
            device.allocate(DataType.INT8, 1).close();
            assertThat(device.heap().pending()).isZero();
        }
    }

    /** Who waits for an array does not spoil what another thread records: it waits for that, too. */
    @Test
    void whoWaitsForAStreamThatIsRecordedWaitsForTheEndOfThat() throws Exception {
        try (DeviceArray array = device.allocate(DataType.INT8, 10)) {
            array.fill(1, stream);
            List<CompletableFuture<Void>> others = new ArrayList<>();
            try (Graph graph = Graph.capture(stream, () -> {
                others.add(StubDriver.inThread(() -> array.fill(2)));
                assertThatThrownBy(() -> others.getFirst().get(200, TimeUnit.MILLISECONDS))
                        .isInstanceOf(TimeoutException.class);
                array.fill(3, stream);
            })) {
                assertThat(graph.nodeCount()).isEqualTo(1);
            }
            others.getFirst().get(20, TimeUnit.SECONDS);
            assertThat(array.toHost().getInt(9)).isEqualTo(2);
        }
    }

    /** Waiting for oneself would never end. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void whoRecordsCannotWaitForTheRecordedStream(boolean virtual) {
        try (DeviceArray array = device.allocate(DataType.INT8, 10)) {
            array.fill(1, stream);
            AtomicReference<Throwable> failure = new AtomicReference<>();
            Thread.Builder builder = virtual ? Thread.ofVirtual() : Thread.ofPlatform();
            Thread thread = builder.start(() -> {
                try {
                    Graph.capture(stream, () -> array.fill(2)).close();
                } catch (IllegalStateException e) {
                    failure.set(e);
                }
            });
            assertThat(thread.join(Duration.ofSeconds(20))).isTrue();
            assertThat(failure.get()).hasMessageContaining("only stream-ordered work");
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /** A graph can free its own memory only. */
    @Test
    void anArrayThatIsClosedWhileItsStreamIsRecordedIsFreedAfterThat() {
        try (MemoryPool pool = device.newPool()) {
            long before = StubDriver.live();
            DeviceArray array = pool.allocate(DataType.INT8, 10, stream);
            try (Graph graph = Graph.capture(stream, array::close)) {
                assertThat(graph.nodeCount()).isZero();
            }
            assertThat(array.isAlive()).isFalse();
            device.allocate(DataType.INT8, 1).close();
            assertThat(device.heap().pending()).isZero();
            assertThat(StubDriver.live()).as("the device's pool and its stream").isEqualTo(before + 2);
        }
    }

    @Test
    void memoryOfTheGraphItselfComesAndGoesWithEachLaunch() {
        try (MemoryPool pool = device.newPool();
                DeviceArray result = device.allocate(DataType.FLOAT32, 10)) {
            long before = StubDriver.live();
            Graph graph = Graph.capture(stream, () -> {
                try (DeviceArray temporary = pool.allocate(DataType.FLOAT32, 10, stream)) {
                    temporary.fill(5, stream);
                    result.copyFrom(temporary, stream);
                }
            });
            try (graph;
                    GraphExec exec = graph.instantiate()) {
                for (int i = 0; i < 2; i++) {
                    result.fill(0);
                    exec.launch(stream);
                    assertThat(result.toHost().getFloat(9)).isEqualTo(5);
                }
            }
            assertThat(StubDriver.live()).isEqualTo(before);
        }
    }

    /** Looking after streams of other devices, which used the memory, does not send the launch there. */
    @Test
    void aLaunchIsInItsContextWhoeverUsedTheMemoryBefore() {
        try (Device peer = Device.of(1);
                DeviceArray array = device.allocate(DataType.FLOAT32, 10);
                Graph graph = Graph.capture(stream, () -> array.fill(1, stream));
                GraphExec exec = graph.instantiate()) {
            Stream there = peer.newStream();
            CUstream handle = there.handle();
            array.usedIn(there);
            StubDriver.stall(handle, true);
            there.close();
            StubDriver.stall(handle, false);
            exec.launch(stream);
            assertThat(array.toHost().getFloat(9)).isEqualTo(1);
        }
    }

    @Test
    void whatALaunchedGraphContainsIsInTheGraphThatRecordsTheLaunch() {
        Recorded owner = new Recorded();
        try (DeviceArray array = device.allocate(DataType.FLOAT32, 10);
                Graph inner = Graph.capture(stream, () -> {
                    owner.in(stream);
                    array.fill(1, stream);
                });
                GraphExec exec = inner.instantiate()) {
            Graph outer = Graph.capture(stream, () -> exec.launch(stream));
            assertThat(outer.nodeCount()).isPositive();
            owner.closeGraphs();
            assertThat(outer.isOpen()).isFalse();
        }
    }

    @Test
    void theBodysExceptionIsNotReplaced() {
        RuntimeException mine = new RuntimeException("of the body");
        assertThatThrownBy(() -> Graph.capture(stream, () -> {
                    StubDriver.fail("cuCtxSetCurrent", LibCuda.CUDA_ERROR_CONTEXT_IS_DESTROYED, 0);
                    throw mine;
                }))
                .isSameAs(mine)
                .satisfies(e -> assertThat(e.getSuppressed()).hasSize(1));
    }

    @Test
    void aGraphThatCannotBeClosedDoesNotKeepOthersOpen() {
        Recorded owner = new Recorded();
        Graph one = Graph.capture(stream, () -> owner.in(stream));
        Graph two = Graph.capture(stream, () -> owner.in(stream));
        StubDriver.fail("cuGraphDestroy", LibCuda.CUDA_ERROR_INVALID_VALUE, 0);
        assertThatThrownBy(owner::closeGraphs).isInstanceOf(CudaException.class).hasMessageContaining("close a graph");
        assertThat(one.isOpen() || two.isOpen()).isFalse();
    }
}
