// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.nccl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.comm4j.nccl.NcclBody.contents;

import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.comm4j.core.CommException;
import org.comm4j.core.CommTimeoutException;
import org.comm4j.core.Communicator;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.core.Operations;
import org.comm4j.core.RankFailedException;
import org.comm4j.core.ReduceOp;
import org.comm4j.core.spi.Engine;
import org.comm4j.cuda.Device;
import org.comm4j.cuda.DeviceArray;
import org.comm4j.cuda.Stream;
import org.comm4j.ffi.nccl.LibNccl;
import org.comm4j.test.Nightly;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What NCCL's communicator has beyond the contract of all engines, over simulated GPUs. */
class NcclCommunicatorTest {
    @BeforeEach
    void needsTheSimulation() {
        Simulation.require();
    }

    @AfterEach
    void noErrorsLeft() {
        Simulation.set("asyncError", 0);
        Simulation.set("noWindows", 0);
        Simulation.set("noop", 0);
        Simulation.lastError("");
    }

    private static void ranks(int ranks, CommConfig config, NcclBody body) {
        Simulation.ranks(ranks, config, body);
    }

    private static void ranks(int ranks, NcclBody body) {
        ranks(ranks, CommConfig.DEFAULT, body);
    }

    private static DeviceArray floats(Device device, float... values) {
        DeviceArray array = device.allocate(DataType.FLOAT32, values.length);
        array.copyFrom(HostArray.of(values));
        return array;
    }

    private static List<Device> devices(int count) {
        List<Device> devices = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            devices.add(Device.of(i));
        }
        return devices;
    }

    // ---- one thread, several GPUs ----

    @Test
    void oneThreadDrivesAllGpus() {
        List<Device> devices = devices(3);
        List<NcclCommunicator> comms = Nccl.initAll(devices.toArray(Device[]::new));
        List<DeviceArray> data = new ArrayList<>();
        List<Stream> streams = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            assertThat(comms.get(i).rank()).isEqualTo(i);
            assertThat(comms.get(i).size()).isEqualTo(3);
            data.add(floats(devices.get(i), i + 1, 10 * i));
            streams.add(devices.get(i).newStream());
        }
        for (int round = 0; round < 3; round++) {
            Nccl.group(g -> {
                for (int i = 0; i < 3; i++) {
                    g.on(comms.get(i), streams.get(i)).allReduce(data.get(i), data.get(i), ReduceOp.SUM);
                }
            });
            for (int i = 0; i < 3; i++) {
                comms.get(i).synchronize(streams.get(i));
            }
        }
        for (DeviceArray each : data) {
            assertThat(contents(each)).containsExactly(6 * 9, 30 * 9);
        }
        assertThat(Nccl.simulate(
                        g -> g.on(comms.get(0), streams.get(0)).allReduce(data.get(0), data.get(0), ReduceOp.SUM)))
                .isEqualTo(12.5f);
        List<DeviceArray> windowed = new ArrayList<>();
        comms.forEach(c -> windowed.add(c.allocate(DataType.INT8, 100)));
        List<Window> windows = Nccl.registerWindows(comms, windowed, Window.Flag.SYMMETRIC);
        assertThat(windows).extracting(Window::memory).isEqualTo(windowed);
        comms.forEach(Communicator::close);
        streams.forEach(Stream::close);
        data.forEach(DeviceArray::close);
        devices.forEach(Device::close);
        assertThat(Nccl.initAll()).isEmpty();
        try (Device device = Device.of(0)) {
            assertThatThrownBy(() -> Nccl.initAll(device, device)).hasMessageContaining("GPU 0 is given twice");
        }
    }

    @Test
    void oneThreadWithAConfiguration() {
        List<Device> devices = devices(2);
        Device[] both = devices.toArray(Device[]::new);
        List<NcclCommunicator> comms =
                Nccl.initAll(CommConfig.DEFAULT.name("all").minCtas(2), both);
        assertThat(comms).extracting(Communicator::rank).containsExactly(0, 1);
        assertThat(Simulation.get("configBytes")).isEqualTo(80);
        DeviceArray x = floats(devices.get(0), 1);
        DeviceArray y = floats(devices.get(1), 2);
        Nccl.group(g -> {
            g.on(comms.get(0), comms.get(0).own).allReduce(x, x, ReduceOp.SUM);
            g.on(comms.get(1), comms.get(1).own).allReduce(y, y, ReduceOp.SUM);
        });
        comms.forEach(comm -> comm.synchronize(comm.own));
        assertThat(contents(y)).containsExactly(3);
        List<NcclCommunicator> parts = Nccl.split(comms, new int[] {3, -1}, new int[2], null);
        assertThat(parts.get(0).size()).isEqualTo(1);
        assertThat(parts.get(1)).isNull();
        List<NcclCommunicator> swapped =
                Nccl.split(comms, new int[2], new int[] {1, 0}, CommConfig.DEFAULT.name("swapped"));
        assertThat(swapped).extracting(Communicator::rank).containsExactly(1, 0);
        Nccl.group(g -> {
            g.on(swapped.get(0), swapped.get(0).own).broadcast(x, 1);
            g.on(swapped.get(1), swapped.get(1).own).broadcast(y, 1);
        });
        swapped.forEach(comm -> comm.synchronize(comm.own));
        assertThatThrownBy(() -> Nccl.split(comms, new int[1], new int[2], null))
                .hasMessageContaining("1 colors and 2 keys for 2");
        assertThatThrownBy(() -> Nccl.split(comms, new int[] {-2, 0}, new int[2], null))
                .hasMessageContaining("color -2");
        assertThatThrownBy(() -> Nccl.split(comms, new int[2], new int[2], CommConfig.DEFAULT.blocking(false)))
                .hasMessageContaining("a thread for each");
        parts.getFirst().close();
        swapped.forEach(Communicator::close);
        assertThatThrownBy(() -> Nccl.initAll(CommConfig.DEFAULT.blocking(false), both))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("a thread for each");
        assertThatThrownBy(() -> Nccl.initAll(CommConfig.DEFAULT.rmaSignals(2), both))
                .isInstanceOf(UnsupportedOperationException.class)
                .hasMessageContaining("2.31.2");
        comms.forEach(Communicator::close);
        x.close();
        y.close();
        devices.forEach(Device::close);
    }

    /**
     * Groups of one communicator that are open at the same time: of another thread, inside of another one, and with
     * many streams.
     */
    @Test
    void groupsDoNotTakeEachOthersCalls() {
        ranks(1, comm -> {
            int streams = 20;
            int[] values = IntStream.rangeClosed(1, 2 * streams + 3).toArray();
            DeviceArray x = comm.allocate(DataType.INT32, values.length);
            DeviceArray y = comm.allocate(DataType.INT32, values.length);
            x.copyFrom(HostArray.of(values));
            List<Stream> others = IntStream.range(0, streams)
                    .mapToObj(i -> comm.device.newStream())
                    .toList();
            for (int round = 0; round < 3; round++) {
                y.fill(0);
                Nccl.group(g -> {
                    for (int i = 0; i < streams; i++) {
                        copy(g.on(comm, others.get(i)), x, y, i);
                    }
                    Operations outer = g.on(comm, comm.own);
                    copy(outer, x, y, streams);
                    inAnotherThread(() -> Nccl.group(h -> copy(h.on(comm, comm.own), x, y, streams + 1)));
                    assertThatThrownBy(() -> Nccl.group(h -> copy(h.on(comm, comm.own), x, y, streams + 2)))
                            .isInstanceOf(IllegalStateException.class)
                            .hasMessageContaining("the body of a group is running");
                    copy(outer, x, y, streams + 2);
                    for (int i = streams + 3; i < values.length; i++) {
                        copy(outer, x, y, i);
                    }
                });
                others.forEach(Stream::synchronize);
                comm.own.synchronize();
                assertThat(y.toHost().toIntArray()).isEqualTo(values);
            }
            others.forEach(Stream::close);
        });
    }

    /** Element {@code i}, by a broadcast of the only rank. */
    private static void copy(Operations operations, DeviceArray from, DeviceArray to, int i) {
        operations.broadcast(from.slice(i, 1), to.slice(i, 1), 0);
    }

    private static void inAnotherThread(Runnable body) {
        CompletableFuture.runAsync(body, task -> Thread.ofPlatform().start(task))
                .join();
    }

    @Test
    void aGroupWhoseBodyThrowsStartsNothing() {
        ranks(2, comm -> {
            DeviceArray x = comm.allocate(DataType.INT32, 4);
            comm.barrier();
            long before = Simulation.count("ncclAllReduce");
            comm.barrier();
            assertThatThrownBy(() -> comm.group(
                            g -> {
                                g.allReduce(x, x, ReduceOp.SUM);
                                g.allReduce(x, x.slice(0, 2), ReduceOp.SUM);
                            },
                            comm.own))
                    .isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> Nccl.group(g -> {
                        g.on(comm, comm.own).allReduce(x, x, ReduceOp.SUM);
                        throw new IllegalStateException("mine");
                    }))
                    .hasMessage("mine");
            comm.barrier();
            assertThat(Simulation.count("ncclAllReduce") - before).isLessThanOrEqualTo(4);
        });
    }

    /** Calls that NCCL refuses leave a communicator that works. */
    @Test
    void aGroupOfWhichSomethingWasClosedStartsNothing() {
        ranks(2, comm -> {
            DeviceArray x = comm.allocate(DataType.FLOAT32, 2);
            DeviceArray freed = comm.allocate(DataType.FLOAT32, 2);
            DeviceArray y = comm.allocate(DataType.FLOAT32, 2);
            PreMulSum sum = comm.preMulSum(DataType.FLOAT32, 2);
            comm.barrier();
            long before = Simulation.count("ncclBroadcast");
            comm.barrier();
            assertThatThrownBy(() -> comm.group(g -> {
                        g.broadcast(x, 0);
                        g.broadcast(freed, 0);
                        freed.close();
                    }))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("was closed");
            assertThatThrownBy(() -> Nccl.group(g -> {
                        g.on(comm, comm.own).broadcast(x, 0);
                        g.on(comm.with(sum), comm.own).reduce(y, y, ReduceOp.SUM, 0);
                        sum.close();
                    }))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("closed");
            comm.barrier();
            assertThat(Simulation.count("ncclBroadcast")).isEqualTo(before);
            comm.barrier();
            comm.broadcast(x, 0);
        });
    }

    @Test
    void refusedCalls() {
        try (Device device = Device.of(0);
                Stream stream = device.newStream();
                DeviceArray x = device.allocate(DataType.FLOAT32, 8)) {
            NcclCommunicator comm = Nccl.initAll(device).getFirst();
            Simulation.lastError("something about a root");
            Simulation.fail("ncclBroadcast", LibNccl.ncclInvalidArgument, 1);
            assertThatThrownBy(() -> comm.broadcast(x, 0, stream))
                    .isInstanceOf(NcclException.class)
                    .hasMessageContaining("broadcast")
                    .hasMessageContaining("8 x FLOAT32")
                    .hasMessageContaining("rank 0 of 1 (GPU 0)")
                    .hasMessageContaining("ncclInvalidArgument")
                    .hasMessageContaining("something about a root")
                    .hasMessageContaining("simulation")
                    .satisfies(e -> assertThat(((NcclException) e).status()).isEqualTo(LibNccl.ncclInvalidArgument));
            comm.broadcast(x, 0, stream);
            long starts = Simulation.count("ncclGroupStart");
            Simulation.fail("ncclReduce", LibNccl.ncclInvalidUsage, 1);
            assertThatThrownBy(() -> comm.group(
                            g -> {
                                g.broadcast(x.slice(0, 4), 0);
                                g.reduce(x.slice(4, 4), x.slice(4, 4), ReduceOp.SUM, 0);
                            },
                            stream))
                    .isInstanceOf(NcclException.class)
                    .hasMessageContaining("reduce");
            assertThat(Simulation.count("ncclGroupStart")).isEqualTo(starts + 1);
            assertThat(Simulation.count("ncclGroupEnd")).isEqualTo(Simulation.count("ncclGroupStart"));
            comm.allReduce(x, x, ReduceOp.SUM);
            // What failed in the middle leaves nobody knows what.
            Simulation.fail("ncclAllReduce", LibNccl.ncclInternalError, 1);
            assertThatThrownBy(() -> comm.allReduce(x, x, ReduceOp.SUM, stream)).isInstanceOf(NcclException.class);
            assertThatThrownBy(() -> comm.allReduce(x, x, ReduceOp.SUM, stream))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("out of step");
            comm.close();
            assertThat(Simulation.count("ncclCommAbort")).isPositive();
        }
    }

    // ---- memory, windows, custom sums ----

    @Test
    void windows() {
        ranks(2, comm -> {
            DeviceArray memory = comm.allocate(DataType.FLOAT32, 4096);
            Window window = comm.registerWindow(memory, Window.Flag.SYMMETRIC);
            assertThat(window.memory()).isSameAs(memory);
            assertThat(window.handle().isNull()).isFalse();
            Registration registration = comm.register(memory.slice(0, 10));
            registration.close();
            registration.close();
            assertThatThrownBy(() -> comm.registerWindow(memory.slice(1, 10)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("multiple of 4096");
            assertThatThrownBy(() -> comm.registerWindow(memory, Window.Flag.GIN_ONLY))
                    .isInstanceOf(UnsupportedOperationException.class)
                    .hasMessageContaining("2.32.3");
            comm.barrier();
            Simulation.set("noWindows", 1);
            comm.barrier();
            assertThatThrownBy(() -> comm.registerWindow(memory))
                    .isInstanceOf(UnsupportedOperationException.class)
                    .hasMessageContaining("makes no windows here");
            comm.barrier();
            long before = Simulation.count("ncclCommWindowDeregister");
            comm.barrier();
            window.close();
            window.close();
            assertThatThrownBy(window::handle).hasMessageContaining("closed");
            comm.barrier();
            assertThat(Simulation.count("ncclCommWindowDeregister")).isEqualTo(before + 2);
        });
    }

    @Test
    void functionsThatTheLibraryLacksSayWhatIsNeeded() {
        ranks(1, comm -> {
            assertThatThrownBy(comm::properties)
                    .isInstanceOf(UnsupportedOperationException.class)
                    .hasMessageContaining("2.29.2")
                    .hasMessageContaining("simulation");
            assertThatThrownBy(() -> comm.with(CollConfig.DEFAULT))
                    .isInstanceOf(UnsupportedOperationException.class)
                    .hasMessageContaining("2.31.2");
            DeviceArray x = comm.allocate(DataType.INT8, 10);
            Window window = comm.registerWindow(x);
            assertThatThrownBy(() -> comm.putSignal(x, 0, window, 0, 0, comm.own))
                    .hasMessageContaining("2.29.2");
            assertThatThrownBy(() -> comm.putSignal(x, 0, window, 1, 0, comm.own))
                    .isInstanceOf(IndexOutOfBoundsException.class);
            assertThatThrownBy(() -> comm.putSignal(x, 1, window, 0, 0, comm.own))
                    .hasMessageContaining("peer 1");
            Map<ThrowingCallable, String> newer = Map.of(
                    window::userAddress,
                    "2.29.2",
                    () -> window.peerAddress(0, 0),
                    "2.29.2",
                    () -> window.lsaAddress(0, 0),
                    "2.29.2",
                    () -> window.cftAddress(0, 0),
                    "2.31.2",
                    () -> comm.cftTeam(CftTeam.FLAT),
                    "2.31.2",
                    () -> comm.waitSignals(List.of(new SignalWait(0)), comm.own),
                    "2.29.2",
                    () -> comm.deviceCommunicator(DeviceRequirements.NONE.worldBarriers(1)),
                    "2.30.3",
                    () -> Nccl.parameter("NCCL_DEBUG"),
                    "2.30.4",
                    () -> Nccl.encryption("x".repeat(32)),
                    "2.32.3");
            newer.forEach((call, version) -> assertThatThrownBy(call)
                    .isInstanceOf(UnsupportedOperationException.class)
                    .hasMessageContaining("needs NCCL " + version + " or newer; loaded: 2.28.9"));
            // None of these leaves the communicator out of step.
            comm.barrier();
        });
    }

    /** The structs of 2.28, which have nothing in common with later ones. */
    @Test
    @SuppressWarnings("try") // closes twice
    void resourcesForKernels() {
        ranks(2, comm -> {
            RankTeam all = comm.worldTeam();
            DeviceResource memory = DeviceResource.of(10, 8, 1, 2);
            DeviceResource barriers = DeviceResource.lsaBarriers(all, 3);
            DeviceRequirements requirements = DeviceRequirements.NONE
                    .network(4, 6, 7)
                    .lsaBarriers(5)
                    .resource(memory)
                    .resource(barriers)
                    .team(all, false);
            try (DeviceCommunicator kernels = comm.deviceCommunicator(requirements)) {
                assertThat(kernels.struct().byteSize()).isEqualTo(200);
                assertThat(kernels.struct().get(ValueLayout.JAVA_INT, 4)).isEqualTo(2);
                assertThat(kernels.allocation(memory).firstSignal()).isEqualTo(6);
                assertThat(kernels.allocation(memory).firstCounter()).isEqualTo(7);
                assertThat(kernels.allocation(barriers).handle().toArray(ValueLayout.JAVA_INT))
                        .containsExactly(1, 3);
                assertThat(kernels.resources()).isEqualTo(new LsaMemory(1L << 44, 2L << 32, comm.rank(), 2));
                assertThat(kernels.lsaBarriers()).isEqualTo(new LsaBarrierHandle(2, 5));
                assertThat(kernels.isOpen()).isTrue();
                kernels.close();
                assertThat(kernels.isOpen()).isFalse();
                assertThatThrownBy(kernels::resources).isInstanceOf(IllegalStateException.class);
            }
            comm.barrier();
        });
    }

    @Test
    void memoryForKernels() {
        ranks(2, comm -> {
            DeviceArray x = comm.allocate(DataType.INT8, 4096);
            Window window = comm.registerWindow(x, Window.Flag.SYMMETRIC);
            LsaMemory memory = window.lsaMemory();
            assertThat(memory).isEqualTo(new LsaMemory(memory.base(), 1L << 32, comm.rank(), 2));
            assertThat(memory.base() + memory.rank() * memory.stride()).isEqualTo(x.address());
            assertThat(window.isOpen()).isTrue();
            window.close();
            assertThat(window.isOpen()).isFalse();
            assertThatThrownBy(window::lsaMemory).isInstanceOf(IllegalStateException.class);
            comm.barrier();
        });
    }

    @Test
    void everyRankItsOwnFactor() {
        ranks(2, comm -> {
            try (DeviceArray x = floats(comm.device(), 1, 10)) {
                PreMulSum sum = comm.preMulSum(DataType.FLOAT32, comm.rank() + 2);
                CustomReductions reductions = comm.with(sum);
                reductions.allReduce(x, x, comm.own);
                comm.synchronize(comm.own);
                assertThat(contents(x)).containsExactly(5, 50);
                DeviceArray longs = comm.allocate(DataType.INT64, 2);
                assertThatThrownBy(() -> reductions.allReduce(longs, longs, comm.own))
                        .hasMessageContaining("INT64");
                assertThatThrownBy(() -> comm.preMulSum(DataType.INT16, 1)).hasMessageContaining("INT16");
                sum.close();
                assertThatThrownBy(() -> reductions.allReduce(x, x, comm.own)).hasMessageContaining("closed");
            }
        });
    }

    @Test
    void reduceScatterV() {
        long[] counts = {1, 0, 3};
        long[] offsets = {3, 0, 0};
        ranks(3, comm -> {
            try (DeviceArray send = floats(comm.device(), 1, 2, 3, 4 * (comm.rank() + 1));
                    DeviceArray recv = comm.device().allocate(DataType.FLOAT32, counts[comm.rank()])) {
                comm.reduceScatterV(send, recv, counts, offsets, ReduceOp.SUM);
                float[][] expected = {{24}, {}, {3, 6, 9}};
                assertThat(contents(recv)).containsExactly(expected[comm.rank()]);
                comm.reduceScatterV(send, recv, counts, offsets, ReduceOp.MAX, comm.own);
                comm.synchronize(comm.own);
                float[][] largest = {{12}, {}, {1, 2, 3}};
                assertThat(contents(recv)).containsExactly(largest[comm.rank()]);
                assertThatThrownBy(() -> comm.reduceScatterV(send, recv, counts, new long[2], ReduceOp.SUM))
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageContaining("3 counts and 2 offsets");
                assertThatThrownBy(() -> comm.reduceScatterV(
                                send, recv, new long[] {2, 2, 2}, new long[] {0, 1, 3}, ReduceOp.SUM))
                        .hasMessageContaining("rank 2");
            }
        });
    }

    /** What names no stream works with what the caller has started before, whatever the stream. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void callsWithoutAStreamComeAfterWorkInOthers(boolean blocking) {
        ranks(2, CommConfig.DEFAULT.blocking(blocking), comm -> {
            DeviceArray x = comm.allocate(DataType.FLOAT32, 2);
            DeviceArray y = comm.allocate(DataType.FLOAT32, 2);
            for (int way = 0; way < 3; way++) {
                x.fill(0);
                comm.barrier();
                try (Stream stream = comm.device().newStream()) {
                    CountDownLatch free = new CountDownLatch(1);
                    stream.onReached(() -> {
                        try {
                            free.await();
                        } catch (InterruptedException e) {
                            throw new IllegalStateException(e);
                        }
                    });
                    x.fill(comm.rank() + 1, stream);
                    Thread later = Thread.startVirtualThread(() -> {
                        LockSupport.parkNanos(Duration.ofMillis(50).toNanos());
                        free.countDown();
                    });
                    switch (way) {
                        case 0 -> comm.allReduce(x, y, ReduceOp.SUM);
                        case 1 -> comm.group(g -> g.allReduce(x, y, ReduceOp.SUM));
                        default -> comm.allReduceAsync(x, y, ReduceOp.SUM).await();
                    }
                    assertThat(contents(y)).as("way %d", way).containsExactly(3, 3);
                    later.join();
                }
            }
        });
    }

    // ---- failure ----

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void survivorsOfATimeoutShrinkAndGoOn(boolean blocking) {
        CountDownLatch over = new CountDownLatch(2);
        ranks(3, CommConfig.DEFAULT.blocking(blocking), comm -> {
            DeviceArray x = comm.allocate(DataType.FLOAT32, 4);
            x.fill(1);
            comm.allReduce(x, x, ReduceOp.SUM);
            if (comm.rank() == 1) {
                // As good as dead.
                over.await();
                return;
            }
            comm.timeout(Duration.ofMillis(100));
            assertThatThrownBy(() -> comm.allReduce(x, x, ReduceOp.SUM))
                    .isInstanceOf(CommTimeoutException.class)
                    .hasMessageContaining("allReduce")
                    .hasMessageContaining("4 x FLOAT32")
                    .hasMessageContaining("rank " + comm.rank() + " of 3")
                    .hasMessageContaining("100 ms");
            assertThatThrownBy(() -> comm.shrink(Shrink.DEFAULT, 1)).isInstanceOf(IllegalStateException.class);
            // The ranks come when their own waits have ended, which a busy machine puts apart.
            Duration limit = Duration.ofSeconds(20);
            comm.timeout(limit);
            try (NcclCommunicator rest = comm.shrink(Shrink.ABORT, 1)) {
                assertThat(rest.size()).isEqualTo(2);
                assertThat(rest.rank()).isEqualTo(comm.rank() / 2);
                assertThat(rest.timeout()).isEqualTo(limit);
                x.fill(2);
                rest.allReduce(x, x, ReduceOp.SUM);
                assertThat(contents(x)).containsExactly(4, 4, 4, 4);
            } finally {
                over.countDown();
            }
            assertThatThrownBy(comm::barrier).hasMessageContaining("revoked");
        });
    }

    /** A rank that dies is named to those that wait for it, and they go on without it. */
    @Test
    void survivorsOfADeathShrinkAndGoOn() {
        AtomicReference<Throwable> seen = new AtomicReference<>();
        assertThatThrownBy(() -> ranks(2, comm -> {
                    DeviceArray x = comm.allocate(DataType.FLOAT32, 4);
                    comm.barrier();
                    if (comm.rank() == 1) {
                        comm.abort();
                        throw new IllegalStateException("rank 1 dies");
                    }
                    // The dying rank's world interrupts this thread, so another one waits.
                    Thread survivor = Thread.ofPlatform().start(() -> {
                        try {
                            assertThatThrownBy(() -> comm.allReduce(x, x, ReduceOp.SUM))
                                    .isInstanceOf(RankFailedException.class)
                                    .hasMessageContaining(
                                            "rank 1 is gone (it has thrown java.lang.IllegalStateException: rank 1"
                                                    + " dies)")
                                    .hasMessageContaining("shrink(ABORT, 1)")
                                    .satisfies(e -> assertThat(((RankFailedException) e).failedRank())
                                            .isEqualTo(1));
                            assertThat(comm.failedRanks()).containsExactly(1);
                            try (NcclCommunicator rest = comm.shrink(Shrink.ABORT, 1)) {
                                x.fill(3);
                                rest.allReduce(x, x, ReduceOp.SUM);
                                assertThat(contents(x)).containsOnly(3);
                                assertThat(rest.failedRanks()).isEmpty();
                            }
                        } catch (Throwable e) {
                            seen.set(e);
                        }
                    });
                    joinThoughInterrupted(survivor);
                }))
                .hasMessage("rank 1 dies");
        assertThat(seen.get()).isNull();
    }

    /** The world interrupts its ranks when one of them throws; the thread's result is wanted all the same. */
    private static void joinThoughInterrupted(Thread thread) {
        boolean ended = false;
        while (!ended) {
            try {
                thread.join();
                ended = true;
            } catch (InterruptedException e) {
                ended = false;
            }
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void anotherThreadAborts(boolean blocking) {
        CountDownLatch over = new CountDownLatch(1);
        ranks(2, CommConfig.DEFAULT.blocking(blocking), comm -> {
            if (comm.rank() == 1) {
                over.await();
                return;
            }
            DeviceArray x = comm.allocate(DataType.FLOAT32, 4);
            var request = comm.allReduceAsync(x, x, ReduceOp.SUM);
            Thread aborter = Thread.ofPlatform().start(() -> {
                try {
                    Thread.sleep(100);
                    comm.abort();
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
            });
            assertThatThrownBy(() -> comm.allReduce(x, x, ReduceOp.SUM))
                    .isInstanceOf(CommException.class)
                    .hasMessageContaining("aborted");
            aborter.join();
            assertThat(request.isDone()).isTrue();
            assertThatThrownBy(request::await).hasMessageContaining("aborted");
            comm.abort();
            assertThatThrownBy(comm::barrier)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("aborted");
            assertThatThrownBy(comm::handle).isInstanceOf(IllegalStateException.class);
            over.countDown();
        });
    }

    @Test
    void whatNcclNoticesEndsTheWait() {
        CountDownLatch over = new CountDownLatch(1);
        ranks(2, comm -> {
            if (comm.rank() == 1) {
                over.await();
                return;
            }
            DeviceArray x = comm.allocate(DataType.FLOAT32, 4);
            comm.allReduce(x, x, ReduceOp.SUM, comm.own);
            Simulation.lastError("connection to the other side was closed");
            Simulation.set("asyncError", LibNccl.ncclInternalError);
            assertThat(comm.error()).contains("ncclInternalError").contains("was closed");
            assertThatThrownBy(() -> comm.synchronize(comm.own))
                    .isInstanceOf(NcclException.class)
                    .hasMessageContaining("ncclInternalError")
                    .hasMessageContaining("connection to the other side was closed")
                    .hasMessageContaining("rank 0 of 2");
            Simulation.set("asyncError", 0);
            assertThatThrownBy(comm::barrier).hasMessageContaining("out of step");
            over.countDown();
        });
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void creationHasALimit(boolean blocking) {
        try (Device device = Device.of(0)) {
            long comms = Simulation.get("comms");
            assertThatThrownBy(() -> Nccl.communicator(
                            device,
                            2,
                            0,
                            List.of(UniqueId.create()),
                            CommConfig.DEFAULT.blocking(blocking),
                            Duration.ofMillis(150)))
                    .isInstanceOf(CommTimeoutException.class)
                    .hasMessageContaining("150 ms")
                    .hasMessageContaining("rank 0 of 2");
            // What does not block is given up entirely; what does goes on waiting.
            assertThat(Simulation.get("comms")).isEqualTo(blocking ? comms + 1 : comms);
        }
    }

    @Test
    void impossibleCommunicators() {
        try (Device device = Device.of(0)) {
            UniqueId id = UniqueId.create();
            assertThat(UniqueId.of(id.toBytes())).isEqualTo(id);
            assertThatThrownBy(() -> UniqueId.of(new byte[3])).hasMessageContaining("128");
            assertThatThrownBy(() -> Nccl.communicator(device, 2, 2, List.of(id), CommConfig.DEFAULT, Duration.ZERO))
                    .isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> Nccl.communicator(device, 2, 0, List.of(), CommConfig.DEFAULT, Duration.ZERO))
                    .isInstanceOf(IllegalArgumentException.class);
            Simulation.fail("ncclCommInitRankScalable", LibNccl.ncclSystemError, 1);
            assertThatThrownBy(() -> Nccl.communicator(device, 1, 0, List.of(id), CommConfig.DEFAULT, Duration.ZERO))
                    .isInstanceOf(NcclException.class)
                    .hasMessageContaining("ncclSystemError");
        }
    }

    // ---- misuse ----

    @Test
    void misuse() {
        ranks(2, comm -> {
            Device device = comm.device();
            DeviceArray x = device.allocate(DataType.FLOAT32, 8);
            DeviceArray freed = device.allocate(DataType.FLOAT32, 8);
            freed.close();
            Stream closed = device.newStream();
            closed.close();
            try (Device other = Device.of(5);
                    DeviceArray elsewhere = other.allocate(DataType.FLOAT32, 8);
                    Stream foreign = other.newStream()) {
                assertThatThrownBy(() -> comm.allReduce(x, HostArray.allocate(DataType.FLOAT32, 8), ReduceOp.SUM))
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageContaining("not in the memory of a GPU");
                assertThatThrownBy(() -> comm.allReduce(x, elsewhere, ReduceOp.SUM, comm.own))
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageContaining("GPU 5");
                assertThatThrownBy(() -> comm.allReduce(x, x, ReduceOp.SUM, foreign))
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageContaining("GPU 5");
                assertThatThrownBy(() -> comm.allReduce(freed, freed, ReduceOp.SUM, comm.own))
                        .isInstanceOf(IllegalStateException.class)
                        .hasMessageContaining("freed");
                assertThatThrownBy(() -> comm.allReduce(x, x, ReduceOp.SUM, closed))
                        .isInstanceOf(IllegalStateException.class);
                assertThatThrownBy(() -> comm.allReduce(x, x, ReduceOp.SUM, null))
                        .isInstanceOf(NullPointerException.class)
                        .hasMessageContaining("stream");
                assertThatThrownBy(() -> comm.allReduce(x, x, ReduceOp.BAND, comm.own))
                        .isInstanceOf(IllegalArgumentException.class);
                DeviceArray ints = device.allocate(DataType.INT32, 2);
                assertThatThrownBy(() -> comm.allReduce(ints, ints, ReduceOp.BAND, comm.own))
                        .isInstanceOf(UnsupportedOperationException.class)
                        .hasMessageContaining("NCCL has no BAND");
                assertThatThrownBy(() -> comm.send(x, comm.rank(), comm.own)).hasMessageContaining("inside a group");
                assertThatThrownBy(() -> comm.shrink(Shrink.DEFAULT)).hasMessageContaining("at least one");
                assertThatThrownBy(() -> comm.shrink(Shrink.DEFAULT, comm.rank()))
                        .hasMessageContaining("itself");
                assertThatThrownBy(() -> comm.shrink(Shrink.DEFAULT, 7)).hasMessageContaining("not a rank");
                assertThatThrownBy(() -> comm.split(-2, 0)).hasMessageContaining("color -2");
            }
            comm.barrier();
        });
    }

    @Test
    void suspendedAndFinished() {
        ranks(2, comm -> {
            assertThat(comm.memoryStatistics().total()).isPositive();
            comm.suspend();
            assertThatThrownBy(comm::barrier).hasMessageContaining("suspended");
            comm.resume();
            comm.barrier();
            comm.finish();
            assertThatThrownBy(comm::barrier).hasMessageContaining("finished");
        });
    }

    @Test
    void theEngineIsFoundByName() {
        assertThat(Engine.named("nccl").problem()).isNull();
        assertThat(Nccl.version()).hasToString("2.28.9");
    }

    /** Nothing is left behind: memory, streams, events, communicators. */
    @Test
    void manyCommunicatorsAndBuffers() {
        ranks(2, comm -> comm.barrier());
        long streams = Simulation.get("streams");
        long events = Simulation.get("events");
        long bytes = Simulation.get("bytes");
        long comms = Simulation.get("comms");
        ranks(2, comm -> {
            DeviceArray x = comm.allocate(DataType.FLOAT32, 4);
            for (int i = 0; i < Nightly.times(60, 200); i++) {
                try (NcclCommunicator part = comm.split(0, 0)) {
                    DeviceArray y = part.allocate(DataType.FLOAT32, 100);
                    part.registerWindow(y);
                    part.allReduceAsync(y, y, ReduceOp.SUM);
                    part.preMulSum(DataType.FLOAT32, 2);
                }
            }
            for (int i = 0; i < Nightly.times(1000, 5000); i++) {
                comm.allocate(DataType.FLOAT32, 10).close();
            }
            comm.allReduce(x, x, ReduceOp.SUM);
        });
        assertThat(Simulation.get("comms")).isEqualTo(comms);
        assertThat(Simulation.get("bytes")).isEqualTo(bytes);
        assertThat(Simulation.get("events")).isEqualTo(events);
        assertThat(Simulation.get("streams")).isLessThanOrEqualTo(streams + 2);
    }
}
