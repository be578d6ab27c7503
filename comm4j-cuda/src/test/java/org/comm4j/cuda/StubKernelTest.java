// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.cuda;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import org.comm4j.core.DataType;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("stub")
class StubKernelTest extends KernelContract {
    @BeforeAll
    static void loadDriver() {
        StubDriver.load();
    }

    @Override
    byte[] image() {
        return ".version 8.0\n.target sm_90\n".getBytes(StandardCharsets.UTF_8);
    }

    @Test
    void arraysOfPeersAreMadeAccessible() {
        try (Device peer = Device.of(1);
                DeviceArray there = peer.allocate(DataType.FLOAT32, 10)) {
            long before = StubDriver.calls("cuCtxEnablePeerAccess");
            scale.launch(LaunchConfig.forElements(10), stream, there, 10, 2f);
            scale.launch(LaunchConfig.forElements(10), stream, there, 10, 2f);
            assertThat(StubDriver.calls("cuCtxEnablePeerAccess")).isEqualTo(before + 1);
            try (Stream wrong = peer.newStream()) {
                assertThatThrownBy(() -> scale.launch(LaunchConfig.grid(1), wrong, there, 10, 2f))
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageContaining("is not on the device of CudaFunction[scale on device 0]");
            }
        }
    }

    /** A pool that the user made, too, which is not opened by what opens the device's own. */
    @Test
    void arraysOfPoolsOfPeersAreMadeAccessible() {
        try (Device peer = Device.of(1);
                Stream there = peer.newStream();
                MemoryPool pool = peer.newPool();
                DeviceArray array = pool.allocate(DataType.FLOAT32, 10, there)) {
            array.fill(3, there);
            there.synchronize();
            assertThat(pool.isAccessibleBy(device)).isFalse();
            scale.launch(LaunchConfig.forElements(8), stream, array.slice(2, 8), 8, 2f);
            assertThat(pool.isAccessibleBy(device)).isTrue();
            stream.synchronize();
            assertThat(array.toHost().toFloatArray()).containsExactly(3, 3, 6, 6, 6, 6, 6, 6, 6, 6);
        }
    }

    private static long calls(Runnable body) {
        long before = StubDriver.calls("");
        body.run();
        return StubDriver.calls("") - before;
    }

    /** The context, which other libraries change, and the launch. */
    @Test
    void aLaunchIsTwoCallsOfTheDriver() {
        LaunchConfig shape = LaunchConfig.grid(2).block(256);
        PreparedLaunch prepared = scale.prepare(shape, x, 10, 2f);
        assertThat(calls(() -> prepared.launch(stream))).isEqualTo(2);
        assertThat(calls(() -> prepared.set(2, 1f).launch(stream))).isEqualTo(2);
        assertThat(calls(() -> scale.launch(shape, stream, x, 10, 2f))).isEqualTo(2);
        // How many blocks run at the same time is asked once for a shape of them, whatever their number.
        scale.launch(shape.cooperatively(), stream, x, 10, 2f);
        LaunchConfig more = LaunchConfig.grid(3).block(256).cooperatively();
        assertThat(calls(() -> scale.launch(more, stream, x, 10, 2f))).isEqualTo(2);
        LaunchConfig other = LaunchConfig.grid(3).block(128).cooperatively();
        assertThat(calls(() -> scale.launch(other, stream, x, 10, 2f))).isEqualTo(4);
        assertThatThrownBy(
                        () -> scale.launch(LaunchConfig.grid(1 << 20).block(128).cooperatively(), stream, x, 10, 2f))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("blocks of this shape run at the same time");
    }

    /** Launches, copies and events in steady state take nothing from the heap. */
    @Test
    void hotCallsAllocateNothing() {
        PreparedLaunch launch = scale.prepare(LaunchConfig.forElements(10), x, 10, 2f);
        try (Event event = device.newEvent();
                DeviceArray y = device.allocate(DataType.FLOAT32, 1000);
                PinnedArray pinned = device.allocatePinned(DataType.FLOAT32, 1000);
                Graph graph = Graph.capture(stream, () -> y.fill(0, stream));
                GraphExec exec = graph.instantiate()) {
            Runnable calls = () -> {
                launch.set(2, 1f).set(0, x).launch(stream);
                y.copyFrom(pinned, stream);
                y.copyFrom(x, stream);
                y.copyTo(pinned, stream);
                stream.record(event);
                stream.await(event);
                exec.launch(stream);
                if (!stream.isDone()) {
                    stream.synchronize();
                }
            };
            ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
            long least = Long.MAX_VALUE;
            for (int round = 0; round < 20 && least > 0; round++) {
                long before = threads.getCurrentThreadAllocatedBytes();
                for (int i = 0; i < 2000; i++) {
                    calls.run();
                }
                least = Math.min(least, threads.getCurrentThreadAllocatedBytes() - before);
            }
            assertThat(least).as("bytes of heap for 2000 rounds").isLessThan(2000);
        }
    }

    @Test
    void aVariableThatIsNotAlignedForItsElementsIsRefused() {
        assertThat(module.global("odd", DataType.INT16).count()).isEqualTo(4);
        assertThatThrownBy(() -> module.global("odd", DataType.FLOAT32))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("odd")
                .hasMessageContaining("FLOAT32");
    }

    /** The compiler's log may fill its buffer to the last byte. */
    @Test
    void anEndlessLogIsCut() {
        byte[] image = ".version 8.0\n.target sm_90\nendless".getBytes(StandardCharsets.UTF_8);
        assertThatThrownBy(() -> CudaModule.load(device, image))
                .isInstanceOf(CudaException.class)
                .hasMessageContaining("(xxx");
    }
}
