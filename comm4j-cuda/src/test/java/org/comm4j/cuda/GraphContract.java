// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.cuda;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.ref.WeakReference;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

abstract class GraphContract extends CudaContract {

    @Test
    void recordedWorkRunsAtEachLaunch() {
        try (DeviceArray a = device.allocate(DataType.FLOAT64, 1000);
                DeviceArray b = device.allocate(DataType.FLOAT64, 1000);
                GraphExec exec = instantiated(() -> {
                    a.fill(0.3, stream);
                    b.copyFrom(a, stream);
                })) {
            assertThat(b.toHost().getDouble(999)).as("nothing ran yet").isEqualTo(0);
            exec.upload(stream);
            for (int i = 0; i < 3; i++) {
                b.fill(0);
                exec.launch(stream);
                stream.synchronize();
                assertThat(b.toHost().getDouble(999)).isEqualTo(0.3);
            }
        }
    }

    /** The recording itself is closed. */
    private GraphExec instantiated(Runnable body) {
        try (Graph graph = Graph.capture(stream, body)) {
            assertThat(graph.nodeCount()).isGreaterThanOrEqualTo(3);
            return graph.instantiate();
        }
    }

    @Test
    void parametersAreUpdatedAndOtherWorkIsRefused() {
        try (DeviceArray a = device.allocate(DataType.FLOAT32, 1000);
                DeviceArray b = device.allocate(DataType.FLOAT32, 1000);
                Graph first = Graph.capture(stream, () -> a.fill(1, stream));
                Graph second = Graph.capture(stream, () -> b.fill(2, stream));
                Graph other = Graph.capture(stream, () -> {
                    a.fill(1, stream);
                    b.copyFrom(a, stream);
                });
                GraphExec exec = first.instantiate()) {
            exec.update(second);
            exec.launch(stream);
            stream.synchronize();
            assertThat(a.toHost().getFloat(0)).isEqualTo(0);
            assertThat(b.toHost().getFloat(999)).isEqualTo(2);
            assertThatThrownBy(() -> exec.update(other))
                    .isInstanceOf(CudaException.class)
                    .hasMessageContaining("update of GraphExec[device 0]");
            exec.launch(stream);
            stream.synchronize();
        }
    }

    @Test
    void aCallbackRunsAtEachLaunchAndIsDroppedWithTheGraph() {
        AtomicInteger runs = new AtomicInteger();
        int before = HostCallbacks.pending();
        Graph graph = Graph.capture(stream, () -> stream.onReached(runs::incrementAndGet));
        GraphExec exec = graph.instantiate();
        assertThat(runs).hasValue(0);
        for (int i = 0; i < 5; i++) {
            exec.launch(stream);
        }
        stream.synchronize();
        assertThat(runs).hasValue(5);
        graph.close();
        exec.launch(stream);
        stream.synchronize();
        assertThat(runs).hasValue(6);
        exec.close();
        awaitPending(before);
    }

    /** The driver may drop a graph's things a little later. */
    private static void awaitPending(int expected) {
        for (int i = 0; i < 1000 && HostCallbacks.pending() != expected; i++) {
            try {
                Thread.sleep(10);
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        }
        assertThat(HostCallbacks.pending()).isEqualTo(expected);
    }

    @Test
    void anExceptionInTheBodyLeavesTheStreamUsable() {
        RuntimeException mine = new RuntimeException("of the body");
        assertThatThrownBy(() -> Graph.capture(stream, () -> {
                    throw mine;
                }))
                .isSameAs(mine);
        assertThat(stream.isCapturing()).isFalse();
        try (DeviceArray a = device.allocate(DataType.FLOAT32, 10)) {
            a.fill(1, stream);
            stream.synchronize();
        }
    }

    @Test
    void aStreamThatIsClosedMeanwhileIsAnException() {
        Stream other = device.newStream();
        assertThatThrownBy(() -> Graph.capture(other, other::close)).isInstanceOf(IllegalStateException.class);
        RuntimeException mine = new RuntimeException("of the body");
        Stream another = device.newStream();
        assertThatThrownBy(() -> Graph.capture(another, () -> {
                    another.close();
                    throw mine;
                }))
                .isSameAs(mine);
    }

    @Test
    void waitingInsideOfACaptureIsRefused() {
        assertThatThrownBy(() -> Graph.capture(stream, stream::synchronize))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("only stream-ordered work");
        assertThat(stream.isCapturing()).isFalse();
        stream.synchronize();
    }

    @Test
    void aStreamIsRecordedOnceAndTheDefaultStreamNever() {
        assertThatThrownBy(() -> Graph.capture(device.defaultStream(), () -> {}))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("newStream");
        try (Graph graph = Graph.capture(stream, () -> {
            assertThat(stream.isCapturing()).isTrue();
            assertThatThrownBy(() -> Graph.capture(stream, () -> {})).isInstanceOf(IllegalStateException.class);
        })) {
            assertThat(graph.nodeCount()).isZero();
        }
    }

    @Test
    void aVirtualThreadCanCapture() throws InterruptedException {
        AtomicInteger runs = new AtomicInteger();
        Thread.ofVirtual()
                .start(() -> {
                    try (Graph graph = Graph.capture(stream, () -> {
                                Thread.yield();
                                stream.onReached(runs::incrementAndGet);
                                Thread.yield();
                            });
                            GraphExec exec = graph.instantiate()) {
                        exec.launch(stream);
                        stream.synchronize();
                    }
                })
                .join();
        assertThat(runs).hasValue(1);
    }

    @Test
    void closedGraphsAreRefused() {
        Graph graph = Graph.capture(stream, () -> {});
        GraphExec exec = graph.instantiate();
        graph.close();
        graph.close();
        assertThatThrownBy(graph::instantiate).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(graph::nodeCount).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> exec.update(graph)).isInstanceOf(IllegalStateException.class);
        exec.close();
        exec.close();
        assertThatThrownBy(() -> exec.launch(stream))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("instantiated graph on device 0 was closed");
        assertThat(exec).hasToString("GraphExec[device 0, closed]");
    }

    /** The driver keeps the addresses of host memory, so somebody has to keep that memory. */
    @Test
    void hostMemoryStaysAsLongAsAGraphUsesIt() throws InterruptedException {
        int before = HostCallbacks.pending();
        try (DeviceArray array = device.allocate(DataType.FLOAT32, 10)) {
            CapturedCopy copy = captureCopy(array);
            WeakReference<HostArray> host = copy.host();
            GraphExec exec = copy.graph().instantiate();
            copy.graph().close();
            for (int i = 0; i < 20; i++) {
                System.gc();
                Thread.sleep(10);
            }
            assertThat(host.get()).isNotNull();
            exec.launch(stream);
            assertThat(array.toHost().getFloat(9)).isEqualTo(9);
            exec.close();
        }
        awaitPending(before);
    }

    private record CapturedCopy(Graph graph, WeakReference<HostArray> host) {}

    /** Captures a copy from host memory that nothing but the graph refers to afterwards. */
    private CapturedCopy captureCopy(DeviceArray array) {
        HostArray host = HostArray.of(0, 1, 2, 3, 4, 5, 6, 7, 8, 9f);
        Graph graph = Graph.capture(stream, () -> array.copyFrom(host, stream));
        return new CapturedCopy(graph, new WeakReference<>(host));
    }

    @Test
    void hostMemoryThatIsGoneIsNotCopied() {
        try (DeviceArray array = device.allocate(DataType.FLOAT32, 10)) {
            PinnedArray pinned = device.allocatePinned(DataType.FLOAT32, 10);
            try (Graph graph = Graph.capture(stream, () -> array.copyTo(pinned, stream));
                    GraphExec exec = graph.instantiate()) {
                exec.launch(stream);
                stream.synchronize();
                pinned.close();
                assertThatThrownBy(() -> exec.launch(stream))
                        .isInstanceOf(IllegalStateException.class)
                        .hasMessageContaining("launch of GraphExec[device 0]")
                        .hasMessageContaining("PinnedArray[10 x FLOAT32, freed]")
                        .hasMessageContaining("was freed");
            }
        }
    }

    /** The address may be another array's by now. */
    @Test
    void whatUsesAClosedArrayIsNotLaunched() {
        DeviceArray array = device.allocate(DataType.FLOAT32, 10);
        try (DeviceArray other = device.allocate(DataType.FLOAT32, 10);
                Graph graph = Graph.capture(stream, () -> other.copyFrom(array, stream));
                GraphExec exec = graph.instantiate()) {
            exec.launch(stream);
            Runnable giveBack = array.keep();
            array.close();
            // Its memory is still there.
            exec.launch(stream);
            stream.synchronize();
            giveBack.run();
            assertRefused(exec);
            assertRefused(graph);
        }
    }

    @Test
    void whatUsesAnArrayThatWasClosedWhileRecordingIsNotLaunched() {
        DeviceArray array = device.allocate(DataType.FLOAT32, 10);
        try (Graph graph = Graph.capture(stream, () -> {
            array.fill(1, stream);
            array.close();
        })) {
            assertRefused(graph);
        }
    }

    /** As of a symmetric heap. */
    @Test
    void memoryOfASubclassThatWasReleasedIsNotUsedByLaunches() {
        class Released extends DeviceArray {
            Released(DeviceArray whole) {
                super(whole.device(), whole.type(), whole.address(), whole.count());
            }

            @Override
            public void close() {
                release();
            }
        }
        try (DeviceArray whole = device.allocate(DataType.FLOAT32, 10)) {
            Released array = new Released(whole);
            try (Graph graph = Graph.capture(stream, () -> array.slice(2, 3).fill(1, stream));
                    GraphExec exec = graph.instantiate()) {
                exec.launch(stream);
                array.close();
                assertRefused(exec);
            }
        }
    }

    /** The driver would read the functions of kernels that are unloaded. */
    @Test
    void whatUsesAnUnloadedModuleIsNotInstantiated(@TempDir Path folder) {
        CudaModule module = CudaModule.load(device, CloseContract.PTX);
        try (DeviceArray array = device.allocate(DataType.FLOAT32, 10);
                Graph graph = Graph.capture(
                        stream,
                        () -> module.function("scale").launch(LaunchConfig.forElements(10), stream, array, 10, 2f));
                GraphExec exec = graph.instantiate()) {
            module.close();
            assertRefused(graph);
            assertRefused(exec);
            assertRefused("update of GraphExec[device 0] from Graph[device 0]", () -> exec.update(graph));
            assertRefused("upload of GraphExec[device 0]", () -> exec.upload(stream));
            assertRefused("writeDot Graph[device 0]", () -> graph.writeDot(folder.resolve("graph.dot")));
        }
    }

    private static void assertRefused(Graph graph) {
        assertRefused("instantiate Graph[device 0]", graph::instantiate);
    }

    private static void assertRefused(String operation, ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining(operation)
                .hasMessageContaining("closed")
                .hasMessageContaining("record it again");
    }

    private void assertRefused(GraphExec exec) {
        assertRefused("launch of GraphExec[device 0]", () -> exec.launch(stream));
    }

    @Test
    void anUpdateMakesUpForAClosedArray() {
        DeviceArray array = device.allocate(DataType.FLOAT32, 10);
        try (DeviceArray other = device.allocate(DataType.FLOAT32, 10);
                Graph first = Graph.capture(stream, () -> array.fill(1, stream));
                Graph second = Graph.capture(stream, () -> other.fill(2, stream));
                GraphExec exec = first.instantiate()) {
            array.close();
            assertRefused(exec);
            exec.update(second);
            exec.launch(stream);
            assertThat(other.toHost().getFloat(9)).isEqualTo(2);
        }
    }
}
