// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.nccl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;
import static org.comm4j.nccl.NcclBody.contents;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.comm4j.core.CommTimeoutException;
import org.comm4j.core.CommunicationEvent;
import org.comm4j.core.Communicator;
import org.comm4j.core.DataType;
import org.comm4j.core.ReduceOp;
import org.comm4j.core.World;
import org.comm4j.cuda.Device;
import org.comm4j.cuda.DeviceArray;
import org.comm4j.cuda.Event;
import org.comm4j.cuda.Stream;
import org.comm4j.ffi.handle.NcclComm;
import org.comm4j.ffi.nccl.LibNccl;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What NCCL has since 2.29, over simulated GPUs. */
@Tag("newest")
class NewestTest {
    @BeforeEach
    void needsTheSimulation() {
        Simulation.requireNewest();
    }

    private static void ranks(int ranks, CommConfig config, NcclBody body) {
        Simulation.ranks(ranks, config, body);
    }

    private static void ranks(int ranks, NcclBody body) {
        ranks(ranks, CommConfig.DEFAULT, body);
    }

    // ---- configuration of single calls ----

    @Test
    void everyCollectiveWithAConfiguration() {
        CollConfig config = CollConfig.DEFAULT
                .minCtas(3)
                .maxCtas(5)
                .algorithms("ring")
                .ctaPolicy(CtaPolicy.EFFICIENCY, CtaPolicy.ZERO)
                .profilerTag(77)
                .vendorOption(10, 2, 5)
                .vendorOption(10, 3, "text")
                .vendorOption(10, 2, 6);
        ranks(2, comm -> {
            long before = Simulation.get("collCalls");
            comm.barrier();
            Stream stream = comm.own;
            DeviceArray two = comm.allocate(DataType.FLOAT32, 2);
            DeviceArray four = comm.allocate(DataType.FLOAT32, 4);
            ConfiguredOperations configured = comm.with(config);
            two.fill(comm.rank() + 1);
            comm.barrier();
            configured.allReduce(two, two, ReduceOp.SUM, stream);
            configured.reduce(two, two, ReduceOp.MAX, 0, stream);
            configured.broadcast(two, two, 0, stream);
            configured.allGather(two, four, stream);
            configured.reduceScatter(four, two, ReduceOp.SUM, stream);
            configured.gather(two, comm.rank() == 0 ? four : null, 0, stream);
            configured.scatter(comm.rank() == 0 ? four : null, two, 0, stream);
            comm.synchronize(stream);
            assertThat(contents(two)).containsExactly(6, 6);
            four.fill(10 * comm.rank());
            DeviceArray swapped = comm.allocate(DataType.FLOAT32, 4);
            configured.allToAll(four, swapped, stream);
            comm.synchronize(stream);
            assertThat(contents(swapped)).containsExactly(0, 0, 10, 10);
            comm.barrier();
            assertThat(Simulation.get("collCalls")).isEqualTo(before + 2 * 8);
            assertThat(Simulation.get("collMinCTAs")).isEqualTo(3);
            assertThat(Simulation.get("collPolicy")).isEqualTo(3);
            assertThat(Simulation.get("collTag")).isEqualTo(77);
            assertThat(Simulation.get("collOptions")).isEqualTo(2);
            assertThat(Simulation.get("collVendors")).isEqualTo(10 * 2 + 10 * 3);
            comm.barrier();
        });
    }

    /** NCCL scales the average of one rank, which it cannot do with every type that it adds. */
    @Test
    void theAverageOfOneRank() {
        ranks(1, comm -> {
            DeviceArray x = comm.allocate(DataType.FLOAT8_E4M3, 2);
            x.fill(3);
            comm.with(CollConfig.DEFAULT).allReduce(x, x, ReduceOp.AVG, comm.own);
            comm.synchronize(comm.own);
            assertThat(x.toHost().getFloat(1)).isEqualTo(3);
            assertThat(Simulation.get("lastReduction")).isEqualTo(LibNccl.ncclSum);
        });
    }

    @Test
    void launchEvents() {
        ranks(2, comm -> {
            DeviceArray x = comm.allocate(DataType.FLOAT32, 2);
            Event event = comm.device().newEvent();
            try (Event timing = comm.device().newTimingEvent();
                    Stream after = comm.device().newStream()) {
                comm.barrier();
                long events = Simulation.get("collEvents");
                comm.barrier();
                ConfiguredOperations configured = comm.with(CollConfig.DEFAULT.launchEvent(event));
                configured.allReduce(x, x, ReduceOp.SUM, comm.own);
                after.await(event);
                comm.synchronize(after);
                assertThat(event.isDone()).isTrue();
                Nccl.group(g -> g.on(configured, comm.own).allReduce(x, x, ReduceOp.SUM));
                comm.barrier();
                // An event that nobody records is done, too.
                assertThat(Simulation.get("collEvents")).isEqualTo(events + 2 * 2);
                comm.barrier();
                assertThatThrownBy(() -> CollConfig.DEFAULT.launchEvent(timing))
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageContaining("measures time");
            }
            ConfiguredOperations late = comm.with(CollConfig.DEFAULT.launchEvent(event));
            event.close();
            assertThatThrownBy(() -> late.allReduce(x, x, ReduceOp.SUM, comm.own))
                    .isInstanceOf(IllegalStateException.class);
            try (Device elsewhere = Device.of(5);
                    Event there = elsewhere.newEvent()) {
                assertThatThrownBy(() -> comm.with(CollConfig.DEFAULT.launchEvent(there)))
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageContaining("GPU 5");
            }
            comm.barrier();
        });
    }

    /** One thread drives all GPUs, with configurations, sums of its own, puts and signals. */
    @Test
    void groupsOfEverything() {
        int n = 3;
        List<Device> devices = new ArrayList<>();
        for (int i = 0; i < n; i++) {
            devices.add(Device.of(i));
        }
        List<NcclCommunicator> comms = Nccl.initAll(devices.toArray(Device[]::new));
        List<Stream> streams = devices.stream().map(Device::newStream).toList();
        List<DeviceArray> data =
                comms.stream().map(c -> c.allocate(DataType.FLOAT32, 2)).toList();
        List<Window> windows = Nccl.registerWindows(comms, data, Window.Flag.SYMMETRIC);
        List<ConfiguredOperations> configured = comms.stream()
                .map(c -> c.with(CollConfig.DEFAULT.profilerTag(5)))
                .toList();
        List<CustomReductions> sums = comms.stream()
                .map(c -> c.with(c.preMulSum(DataType.FLOAT32, c.rank() + 1)))
                .toList();
        data.forEach(each -> each.fill(1));
        Nccl.group(g -> {
            for (int i = 0; i < n; i++) {
                g.on(configured.get(i), streams.get(i)).allReduce(data.get(i), data.get(i), ReduceOp.SUM);
            }
        });
        assertThat(Simulation.get("collTag")).isEqualTo(5);
        Nccl.group(g -> {
            for (int i = 0; i < n; i++) {
                g.on(sums.get(i), streams.get(i)).allReduce(data.get(i), data.get(i), ReduceOp.SUM);
            }
        });
        for (int i = 0; i < n; i++) {
            comms.get(i).synchronize(streams.get(i));
            assertThat(contents(data.get(i))).containsExactly(3 * 6, 3 * 6);
            data.get(i).fill(i);
        }
        // Each puts its first number into the second place of the next one.
        Nccl.group(g -> {
            for (int i = 0; i < n; i++) {
                OneSided ones = g.oneSided(comms.get(i), streams.get(i));
                ones.putSignal(data.get(i).slice(0, 1), (i + 1) % n, windows.get(i), 1, 2, 1);
                ones.signal((i + 2) % n, 0, 0);
            }
        });
        Nccl.group(g -> {
            for (int i = 0; i < n; i++) {
                OneSided ones = g.oneSided(comms.get(i), streams.get(i));
                ones.waitSignals(List.of(new SignalWait((i + n - 1) % n, 1, 2, 1), new SignalWait((i + 1) % n)));
            }
        });
        for (int i = 0; i < n; i++) {
            comms.get(i).synchronize(streams.get(i));
            assertThat(contents(data.get(i))).containsExactly(i, (i + n - 1) % n);
        }
        List<DeviceCommunicator> kernels = Nccl.deviceCommunicators(
                comms,
                comms.stream()
                        .map(c -> DeviceRequirements.NONE.resource(DeviceResource.lsaBarriers(c.lsaTeam(), 1)))
                        .toList());
        assertThat(kernels).hasSize(n);
        assertThat(kernels.get(2).struct().get(ValueLayout.JAVA_INT, 8)).isEqualTo(2);
        assertThatThrownBy(() -> Nccl.deviceCommunicators(comms, List.of(DeviceRequirements.NONE)))
                .hasMessageContaining("1 requirements for 3");
        Stream stream = streams.getFirst();
        DeviceArray x = data.getFirst();
        NcclCommunicator comm = comms.getFirst();
        try (Event event = devices.getFirst().newEvent();
                Event another = devices.getFirst().newEvent()) {
            ConfiguredOperations a =
                    comm.with(CollConfig.DEFAULT.launchEvent(event).cgaClusterSize(2));
            ConfiguredOperations b = comm.with(CollConfig.DEFAULT.launchEvent(another));
            ConfiguredOperations c = comm.with(CollConfig.DEFAULT.cgaClusterSize(4));
            assertThatThrownBy(() -> Nccl.group(g -> {
                        g.on(a, stream).broadcast(x, 0);
                        g.on(b, stream).broadcast(x, 0);
                    }))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("launch events");
            assertThatThrownBy(() -> Nccl.group(g -> {
                        g.on(a, stream).broadcast(x, 0);
                        g.on(c, stream).broadcast(x, 0);
                    }))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("cluster sizes");
        }
        assertThatThrownBy(() ->
                        Nccl.group(g -> g.on(configured.getFirst(), stream).send(x, 1)))
                .isInstanceOf(UnsupportedOperationException.class)
                .hasMessageContaining("send");
        assertThatThrownBy(() -> Nccl.group(g -> g.on(sums.getFirst(), stream).allReduce(x, x, ReduceOp.MAX)))
                .isInstanceOf(UnsupportedOperationException.class)
                .hasMessageContaining("SUM");
        assertThatThrownBy(() -> Nccl.group(g -> g.on(sums.getFirst(), stream).broadcast(x, 0)))
                .isInstanceOf(UnsupportedOperationException.class)
                .hasMessageContaining("broadcast");
        assertThatThrownBy(() ->
                        Nccl.group(g -> g.oneSided(comms.getFirst(), stream).putSignal(x, 1, windows.get(1), 0, 0, 0)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("another communicator");
        // What was closed after its put was collected: nothing of the group starts.
        Window closed = comm.registerWindow(comm.allocate(DataType.FLOAT32, 2));
        DeviceArray freed = comm.allocate(DataType.FLOAT32, 2);
        long puts = Simulation.count("ncclPutSignal");
        long broadcasts = Simulation.count("ncclBroadcast");
        assertThatThrownBy(() -> Nccl.group(g -> {
                    g.on(comm, stream).broadcast(x, 0);
                    g.oneSided(comm, stream).putSignal(x, 1, closed, 0, 0, 0);
                    closed.close();
                }))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("is closed");
        assertThatThrownBy(() -> Nccl.group(g -> {
                    g.on(comm, stream).broadcast(x, 0);
                    g.oneSided(comm, stream).putSignal(freed, 1, windows.getFirst(), 0, 0, 0);
                    freed.close();
                }))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("was closed");
        assertThat(Simulation.count("ncclPutSignal")).isEqualTo(puts);
        assertThat(Simulation.count("ncclBroadcast")).isEqualTo(broadcasts);
        // What was made for one group does not add to the next one of this thread.
        OneSided[] kept = new OneSided[1];
        Nccl.group(g -> kept[0] = g.oneSided(comm, stream));
        assertThatThrownBy(() -> Nccl.group(g -> kept[0].signal(1, 0, 0)))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("the group has ended");
        assertThatThrownBy(() -> Nccl.group(g -> g.oneSided(comm, stream).putSignal(null, 1, closed, 0, 0, 0)))
                .isInstanceOf(NullPointerException.class)
                .hasMessageContaining("putSignal on rank 0 of 3");
        Simulation.fail("ncclSignal", LibNccl.ncclInvalidArgument, 1);
        assertThatThrownBy(() ->
                        Nccl.group(g -> g.oneSided(comms.getFirst(), stream).signal(1, 0, 0)))
                .isInstanceOf(NcclException.class)
                .hasMessageContaining("signal(peer 1, signal 0 of context 0)");
        comms.forEach(Communicator::close);
        streams.forEach(Stream::close);
        devices.forEach(Device::close);
    }

    // ---- one-sided ----

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void putAndSignal(boolean blocking) {
        ranks(3, CommConfig.DEFAULT.blocking(blocking).rmaContexts(2).rmaSignals(4), comm -> {
            DeviceArray memory = comm.allocate(DataType.COMPLEX64, 8);
            Window window = comm.registerWindow(memory, Window.Flag.SYMMETRIC);
            memory.fill(comm.rank() + 1);
            comm.barrier();
            int next = (comm.rank() + 1) % 3;
            int previous = (comm.rank() + 2) % 3;
            comm.putSignal(memory.slice(0, 2), next, window, 6, 3, 1, comm.own);
            comm.signal(previous, 0, comm.own);
            comm.waitSignals(List.of(new SignalWait(previous, 1, 3, 1), new SignalWait(next)), comm.own);
            comm.synchronize(comm.own);
            assertThat(memory.slice(6, 2).toHost().getReal(1)).isEqualTo(previous + 1);
            comm.barrier();
            assertThatThrownBy(() -> comm.signal(next, -1, comm.own)).hasMessageContaining("negative");
            assertThatThrownBy(() -> comm.signal(3, 0, comm.own)).hasMessageContaining("peer 3");
            assertThatThrownBy(() -> comm.waitSignals(List.of(), comm.own)).hasMessageContaining("nothing");
            assertThatThrownBy(() -> comm.waitSignal(next, 0, 0, comm.own)).hasMessageContaining("at least 1");
            assertThatThrownBy(() -> comm.putSignal(memory, next, window, 1, 0, comm.own))
                    .isInstanceOf(IndexOutOfBoundsException.class);
            comm.barrier();
        });
    }

    @Test
    void everyCallIsRecorded(@TempDir Path folder) throws IOException {
        Path file = folder.resolve("calls.jfr");
        try (Recording recording = new Recording()) {
            recording.enable(CommunicationEvent.NAME);
            recording.start();
            ranks(1, comm -> {
                DeviceArray x = comm.allocate(DataType.FLOAT32, 4);
                Window window = comm.registerWindow(x, Window.Flag.SYMMETRIC);
                PreMulSum sum = comm.preMulSum(DataType.FLOAT32, 2);
                try (Stream stream = comm.device().newStream()) {
                    comm.allReduce(x, x, ReduceOp.SUM, stream);
                    comm.with(CollConfig.DEFAULT).broadcast(x, x, 0, stream);
                    comm.with(sum).allReduce(x, x, stream);
                    comm.putSignal(x.slice(0, 2), 0, window, 2, 0, stream);
                    comm.signal(0, 0, stream);
                    comm.waitSignal(0, 2, 0, stream);
                    Nccl.group(g -> {
                        g.on(comm, stream).allGather(x, x);
                        g.oneSided(comm, stream).signal(0, 0, 0);
                    });
                    comm.barrierAsync().await();
                    comm.barrier();
                    comm.synchronize(stream);
                    assertThat(stream.toString()).isNotBlank();
                    // What failed is what somebody looks for.
                    Simulation.fail("ncclBroadcast", LibNccl.ncclInvalidArgument, 3);
                    assertThatThrownBy(() -> comm.broadcast(x, 0, stream)).isInstanceOf(NcclException.class);
                    assertThatThrownBy(() -> comm.broadcast(x, 0)).isInstanceOf(NcclException.class);
                    assertThatThrownBy(() -> comm.group(g -> g.broadcast(x, 0), stream))
                            .isInstanceOf(NcclException.class);
                }
            });
            recording.stop();
            recording.dump(file);
        }
        List<RecordedEvent> events = RecordingFile.readAllEvents(file).stream()
                .filter(event -> event.getEventType().getName().equals(CommunicationEvent.NAME))
                .sorted(Comparator.comparing(RecordedEvent::getStartTime))
                .toList();
        assertThat(events)
                .extracting(
                        event -> event.getString("operation"),
                        event -> event.getInt("peer"),
                        event -> event.getString("dataType"),
                        event -> event.getString("reduceOp"),
                        event -> event.getLong("bytes"))
                .containsExactly(
                        tuple("allReduce", -1, "FLOAT32", "SUM", 16L),
                        tuple("broadcast", 0, "FLOAT32", "", 16L),
                        tuple("allReduce", -1, "FLOAT32", "SUM", 16L),
                        tuple("putSignal", 0, "FLOAT32", "", 8L),
                        tuple("signal", 0, "", "", 0L),
                        tuple("waitSignals", -1, "", "", 0L),
                        tuple("allGather", -1, "FLOAT32", "", 16L),
                        tuple("signal", 0, "", "", 0L),
                        tuple("barrier", -1, "", "", 0L),
                        tuple("barrier", -1, "", "", 0L),
                        tuple("broadcast", 0, "FLOAT32", "", 16L),
                        tuple("broadcast", 0, "FLOAT32", "", 16L),
                        tuple("broadcast", 0, "FLOAT32", "", 16L));
        assertThat(events.subList(0, 10))
                .allSatisfy(event -> assertThat(event.getString("outcome")).isEmpty());
        assertThat(events.subList(10, 13))
                .allSatisfy(event -> assertThat(event.getString("outcome"))
                        .startsWith("NcclException: ")
                        .contains("broadcast"));
        assertThat(events).allSatisfy(event -> {
            assertThat(event.getString("stream")).startsWith("Stream[");
            assertThat(event.getString("engine")).isEqualTo("nccl");
            assertThat(event.getInt("size")).isEqualTo(1);
        });
    }

    // ---- windows and what kernels need ----

    @Test
    void addresses() {
        ranks(2, comm -> {
            DeviceArray memory = comm.allocate(DataType.INT8, 100);
            Window window = comm.registerWindow(memory, Window.Flag.SYMMETRIC, Window.Flag.STRICT_ORDERING);
            comm.barrier();
            assertThat(window.userAddress()).isEqualTo(memory.address());
            assertThat(window.peerAddress(comm.rank(), 7)).isEqualTo(memory.address() + 7);
            assertThat(window.lsaAddress(1 - comm.rank(), 0)).isNotIn(0L, memory.address());
            assertThat(window.multimemAddress(9)).isEqualTo(0x6000000000L + 9);
            assertThat(window.cftAddress(1, 8)).isEqualTo(new CftAddress(101, 8));
            assertThat(window.cftAddress(comm.cftTeam(CftTeam.FLAT), 1, 8)).isEqualTo(new CftAddress(221, 8));
            assertThat(window.cftMultimemAddress(99)).isEqualTo(new CftAddress(1000, 99));
            assertThat(comm.cftTeam(CftTeam.HIERARCHICAL_LSA).size()).isEqualTo(1);
            assertThat(comm.cftMultimemTeam()).isEqualTo(comm.worldTeam());
            assertThatThrownBy(() -> window.cftMultimemAddress(100)).isInstanceOf(IndexOutOfBoundsException.class);
            assertThatThrownBy(() -> window.peerAddress(2, 0)).hasMessageContaining("peer 2");
            assertThatThrownBy(() -> window.lsaAddress(5, 0)).isInstanceOf(NcclException.class);
            assertThatThrownBy(() -> window.cftAddress(new RankTeam(2, 0, 1), 2, 0))
                    .hasMessageContaining("2 is not a rank");
            assertThatThrownBy(() -> comm.registerWindow(memory, Window.Flag.SYMMETRIC, Window.Flag.GIN_ONLY))
                    .isInstanceOf(IllegalArgumentException.class);
            comm.barrier();
            window.close();
            assertThatThrownBy(window::userAddress).hasMessageContaining("closed");
            comm.barrier();
        });
    }

    @Test
    void resourcesForKernels() {
        ranks(2, comm -> {
            RankTeam all = comm.worldTeam();
            assertThat(comm.lsaTeam()).isEqualTo(all);
            assertThat(comm.railTeam()).isEqualTo(new RankTeam(1, 0, 2));
            assertThat(comm.rankOf(all, 1)).isEqualTo(1);
            assertThat(comm.lsaRankOf(all, 0)).isZero();
            DeviceResource memory = DeviceResource.of(1000, 512, 3, 5);
            DeviceResource barriers = DeviceResource.lsaBarriers(all, 4);
            DeviceResource network = DeviceResource.networkBarriers(all, 4);
            DeviceRequirements requirements = DeviceRequirements.NONE
                    .network(4, 10, 20)
                    .lsaBarriers(2)
                    .resource(memory)
                    .resource(barriers)
                    .resource(network)
                    .team(all, true);
            DeviceArray data = comm.allocate(DataType.INT8, 100);
            Window window = comm.registerWindow(data);
            DeviceCommunicator kernels = comm.deviceCommunicator(requirements);
            DeviceAllocation first = kernels.allocation(memory);
            assertThat(first.firstSignal()).isEqualTo(10);
            assertThat(first.firstCounter()).isEqualTo(20);
            DeviceAllocation second = kernels.allocation(barriers);
            assertThat(second.buffer()).isEqualTo(8);
            assertThat(second.handle().toArray(ValueLayout.JAVA_INT)).containsExactly(8, 4);
            assertThat(kernels.allocation(network).firstSignal()).isEqualTo(13);
            assertThat(kernels.resources()).isEqualTo(new LsaMemory(1L << 44, 2L << 32, comm.rank(), 2));
            assertThat(kernels.lsaBarriers().count()).isEqualTo(2);
            LsaMemory flat = window.lsaMemory();
            assertThat(flat.base() + comm.rank() * flat.stride()).isEqualTo(data.address());
            assertThat(window.multimemAddress(kernels, all, 5)).isEqualTo(0x7000000000L + 2 + 5);
            assertThatThrownBy(() -> kernels.allocation(DeviceResource.of(1, 1, 0, 0)))
                    .hasMessageContaining("not required");
            assertThatThrownBy(() -> window.multimemAddress(kernels, comm.railTeam(), 0))
                    .hasMessageContaining("not required");
            kernels.close();
            assertThatThrownBy(() -> window.multimemAddress(kernels, all, 0)).hasMessageContaining("closed");
            // As large as the loaded NCCL wants it.
            DeviceCommunicator runtime = comm.deviceCommunicator(DeviceRequirements.NONE.runtimeVersion(true));
            assertThat(runtime.struct().byteSize()).isEqualTo(300);
            // Only what is created from here on fails, on either rank.
            comm.barrier();
            Simulation.fail("ncclDevCommCreate", LibNccl.ncclInvalidUsage, 2);
            comm.barrier();
            assertThatThrownBy(() -> comm.deviceCommunicator(requirements)).isInstanceOf(NcclException.class);
        });
        assertThat(Simulation.get("deviceComms")).isZero();
    }

    @Test
    void everyProperty() {
        ranks(2, comm -> {
            CommProperties properties = comm.properties();
            assertThat(properties)
                    .isEqualTo(new CommProperties(
                            comm.rank(),
                            2,
                            comm.rank(),
                            comm.rank(),
                            true,
                            false,
                            "GDAKI",
                            1,
                            true,
                            "99",
                            4711,
                            2,
                            "FULL",
                            List.of("PROXY", "GDAKI", "60"),
                            300,
                            true,
                            false,
                            true));
        });
    }

    // ---- the process ----

    @ParameterizedTest
    @CsvSource({
        "SIM_I8, INT8, -8",
        "SIM_I16, INT16, -1600",
        "SIM_I32, INT32, -320000",
        "SIM_I64, INT64, -64000000000",
        "SIM_U8, UINT8, 200",
        "SIM_U16, UINT16, 60000",
        "SIM_U32, UINT32, 4000000000",
        "SIM_U64, UINT64, -1"
    })
    void integerParameters(String key, NcclParameter.Type type, long value) {
        NcclParameter parameter = Nccl.parameter(key);
        assertThat(parameter.type()).isEqualTo(type);
        assertThat(parameter.longValue()).isEqualTo(value);
        assertThat(parameter.text())
                .isEqualTo(type == NcclParameter.Type.UINT64 ? Long.toUnsignedString(value) : "" + value);
        assertThatThrownBy(parameter::booleanValue).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(parameter::stringValue).hasMessageContaining(key);
    }

    @Test
    void otherParameters() {
        Map<String, String> all = Nccl.parameters();
        assertThat(all).hasSize(10).containsEntry("SIM_TEXT", "some text");
        NcclParameter text = Nccl.parameter("SIM_TEXT");
        assertThat(text.type()).isEqualTo(NcclParameter.Type.TEXT);
        assertThat(text.stringValue()).isEqualTo("some text");
        assertThat(text.bytes()).hasSize(10).endsWith(0);
        NcclParameter truth = Nccl.parameter("SIM_BOOL");
        assertThat(truth.type()).isEqualTo(NcclParameter.Type.OTHER);
        assertThat(truth.booleanValue()).isTrue();
        assertThatThrownBy(truth::longValue).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> Nccl.parameter("SIM"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("SIM_TEXT");
        Simulation.fail("ncclParamBind", LibNccl.ncclSystemError, 1);
        assertThatThrownBy(() -> Nccl.parameter("SIM_I8")).isInstanceOf(NcclException.class);
        Simulation.fail("ncclParamGet", LibNccl.ncclInvalidArgument, 100);
        assertThatThrownBy(truth::bytes).isInstanceOf(NcclException.class);
        Simulation.fail("ncclParamGet", 0, 0);
        long dumps = Simulation.get("dumps");
        Nccl.printParameters();
        assertThat(Simulation.get("dumps")).isEqualTo(dumps + 1);
    }

    @Test
    void encryption() {
        Nccl.encryption("a key that all of the processes share");
        assertThat(Simulation.get("encryption")).isEqualTo(LibNccl.NCCL_ENCRYPTION_MODE_PSK);
        Nccl.encryption(null);
        assertThat(Simulation.get("encryption")).isZero();
        assertThatThrownBy(() -> Nccl.encryption("short")).isInstanceOf(IllegalArgumentException.class);
        Simulation.fail("ncclSetEncryption", LibNccl.ncclInvalidUsage, 1);
        assertThatThrownBy(() -> Nccl.encryption(null))
                .isInstanceOf(NcclException.class)
                .hasMessageContaining("ncclInvalidUsage");
    }

    // ---- communicators of others, and larger ones ----

    @Test
    void aCommunicatorThatAnotherLibraryMade() {
        try (Device device = Device.of(2);
                Device other = Device.of(3);
                Arena arena = Arena.ofConfined()) {
            MemorySegment cell = arena.allocate(ValueLayout.JAVA_LONG);
            device.makeCurrent();
            LibNccl.ncclCommInitAll(cell, 1, arena.allocateFrom(ValueLayout.JAVA_INT, 2));
            NcclComm handle = new NcclComm(cell.get(ValueLayout.JAVA_LONG, 0));
            assertThatThrownBy(() -> Nccl.adopt(handle, other, true))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("GPU 2, not on 3");
            assertThatThrownBy(() -> Nccl.adopt(NcclComm.NULL, device, true)).hasMessageContaining("NULL");
            long destroyed;
            try (NcclCommunicator comm = Nccl.adopt(handle, device, true)) {
                DeviceArray x = comm.allocate(DataType.FLOAT32, 3);
                x.fill(4);
                comm.allReduce(x, x, ReduceOp.SUM);
                assertThat(contents(x)).containsOnly(4);
                destroyed = Simulation.count("ncclCommDestroy");
            }
            assertThat(Simulation.count("ncclCommDestroy")).isEqualTo(destroyed + 1);
        }
    }

    // ---- the end ----

    /**
     * Since 2.31 a rank that destroys its communicator waits for all others of the host to do so, and one that has
     * aborted it never comes.
     */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    @Timeout(60)
    void aRankThatAbortsKeepsNobodyFromClosing(boolean before) {
        Simulation.set("destroyWaits", 1);
        try {
            ranks(3, comm -> {
                for (int aborting = 0; aborting < 3; aborting++) {
                    NcclCommunicator part = Objects.requireNonNull(comm.split(0, comm.rank()));
                    if (comm.rank() == aborting) {
                        if (!before) {
                            // The others are on their way by then.
                            sleep(100);
                        }
                        part.abort();
                    }
                    if (before) {
                        comm.barrier();
                    }
                    part.close();
                    comm.barrier();
                }
            });
        } finally {
            Simulation.set("destroyWaits", 0);
        }
    }

    /**
     * One that just stays away for longer than anybody waits: the call is left alone, and goes on when the other comes.
     */
    @Test
    @Tag("nightly")
    @Timeout(60)
    void aRankThatStaysAwayKeepsNobodyFromClosingForEver() {
        Simulation.set("destroyWaits", 1);
        try {
            ranks(2, comm -> {
                NcclCommunicator part = Objects.requireNonNull(comm.split(0, comm.rank()));
                part.timeout(Duration.ofMillis(200));
                if (comm.rank() == 0) {
                    long start = System.nanoTime();
                    part.close();
                    assertThat(Duration.ofNanos(System.nanoTime() - start))
                            .isBetween(Duration.ofMillis(200), Duration.ofSeconds(30));
                }
                comm.barrier();
                part.close();
                comm.barrier();
            });
        } finally {
            Simulation.set("destroyWaits", 0);
        }
    }

    /** Ranks without a world, threads of this process: they tell each other directly. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    @Timeout(60)
    void aNeighbourThatAbortsKeepsNobodyFromClosing(boolean blocking) {
        Simulation.set("destroyWaits", 1);
        try {
            UniqueId id = UniqueId.create();
            CommConfig config = CommConfig.DEFAULT.blocking(blocking);
            World.threads(2, world -> {
                try (Device device = Device.of(world.rank());
                        NcclCommunicator comm = Nccl.communicator(
                                device, 2, world.rank(), List.of(id), config, Duration.ofSeconds(20))) {
                    comm.barrier();
                    if (comm.rank() == 1) {
                        // The other one is on its way by then.
                        sleep(100);
                        comm.abort();
                    }
                    assertThat(secondsToClose(comm)).isLessThan(4);
                }
            });
        } finally {
            Simulation.set("destroyWaits", 0);
        }
    }

    /** A rank that has given up gets its communicator late, and aborts it: the others hear of that, too. */
    @Test
    @Timeout(60)
    void aNeighbourThatGaveUpKeepsNobodyFromClosing() {
        Simulation.set("destroyWaits", 1);
        try {
            UniqueId id = UniqueId.create();
            World.threads(3, world -> {
                try (Device device = Device.of(world.rank())) {
                    if (world.rank() == 1) {
                        assertThatThrownBy(() -> Nccl.communicator(
                                        device, 3, 1, List.of(id), CommConfig.DEFAULT, Duration.ofMillis(100)))
                                .isInstanceOf(CommTimeoutException.class);
                    } else {
                        // Rank 0 waits from the beginning, rank 2 comes last.
                        sleep(world.rank() * 250L);
                        NcclCommunicator comm = Nccl.communicator(
                                device, 3, world.rank(), List.of(id), CommConfig.DEFAULT, Duration.ofSeconds(20));
                        assertThat(secondsToClose(comm)).isLessThan(4);
                    }
                }
            });
        } finally {
            Simulation.set("destroyWaits", 0);
        }
    }

    /** Another thread than the one that made and used them, or the same: no rank can wait for the next one. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    @Timeout(60)
    void oneThreadClosesAllRanksOfItsProcess(boolean another) {
        Simulation.set("destroyWaits", 1);
        try (Device first = Device.of(0);
                Device second = Device.of(1);
                Device third = Device.of(2)) {
            List<NcclCommunicator> comms = Nccl.initAll(first, second, third);
            Runnable close = () -> {
                for (NcclCommunicator comm : comms) {
                    assertThat(secondsToClose(comm)).isLessThan(2);
                }
            };
            if (another) {
                CompletableFuture.runAsync(close, task -> Thread.ofPlatform().start(task))
                        .join();
            } else {
                close.run();
            }
        } finally {
            Simulation.set("destroyWaits", 0);
        }
    }

    @Test
    @Timeout(60)
    void oneThreadThatAbortsOneOfItsRanksClosesTheOthers() {
        Simulation.set("destroyWaits", 1);
        try (Device first = Device.of(0);
                Device second = Device.of(1)) {
            List<NcclCommunicator> comms = Nccl.initAll(first, second);
            comms.getFirst().abort();
            assertThat(secondsToClose(comms.getLast())).isLessThan(4);
            assertThat(secondsToClose(comms.getFirst())).isLessThan(4);
        } finally {
            Simulation.set("destroyWaits", 0);
        }
    }

    /** A rank of a process of which nothing is known never comes: the call is left alone. */
    @Test
    @Timeout(60)
    void aRankOfWhichNothingIsKnownKeepsNobodyFromClosingForEver() {
        long comms = Simulation.get("comms");
        Simulation.set("destroyWaits", 1);
        try (Device device = Device.of(0);
                Arena arena = Arena.ofConfined()) {
            MemorySegment cells = arena.allocate(ValueLayout.JAVA_LONG, 2);
            LibNccl.ncclCommInitAll(cells, 2, arena.allocateFrom(ValueLayout.JAVA_INT, 0, 1));
            NcclCommunicator comm = Nccl.adopt(new NcclComm(cells.get(ValueLayout.JAVA_LONG, 0)), device, true);
            comm.timeout(Duration.ofMillis(200));
            CompletableFuture<Long> closing = CompletableFuture.supplyAsync(
                    () -> secondsToClose(comm), task -> Thread.ofPlatform().start(task));
            sleep(1000);
            // Nothing touches what is being destroyed, and nothing waits for it.
            long revokes = Simulation.count("ncclCommRevoke");
            long aborts = Simulation.count("ncclCommAbort");
            assertThatThrownBy(comm::error).isInstanceOf(IllegalStateException.class);
            assertThatThrownBy(comm::revoke).isInstanceOf(IllegalStateException.class);
            comm.abort();
            assertThat(closing).isNotDone();
            assertThat(closing.join()).isLessThan(30);
            assertThat(Simulation.count("ncclCommRevoke")).isEqualTo(revokes);
            assertThat(Simulation.count("ncclCommAbort")).isEqualTo(aborts);
            LibNccl.ncclCommDestroy(new NcclComm(cells.getAtIndex(ValueLayout.JAVA_LONG, 1)));
            // The call that was left alone ends now, and is nothing that later tests count.
            while (Simulation.get("comms") > comms) {
                Thread.onSpinWait();
            }
        } finally {
            Simulation.set("destroyWaits", 0);
        }
    }

    private static long secondsToClose(NcclCommunicator comm) {
        long start = System.nanoTime();
        comm.close();
        return Duration.ofNanos(System.nanoTime() - start).toSeconds();
    }

    private static void sleep(long millis) {
        try {
            Thread.sleep(millis);
        } catch (InterruptedException e) {
            throw new AssertionError("nobody knows this thread", e);
        }
    }
}
