// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.nccl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.comm4j.nccl.NcclBody.contents;
import static org.comm4j.nccl.NcclBody.sumOfRanks;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import org.comm4j.core.CommException;
import org.comm4j.core.CommTimeoutException;
import org.comm4j.core.Communicator;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.core.ReduceOp;
import org.comm4j.core.launch.Launcher;
import org.comm4j.cuda.Device;
import org.comm4j.cuda.DeviceArray;
import org.comm4j.cuda.Graph;
import org.comm4j.cuda.GraphExec;
import org.comm4j.cuda.Stream;
import org.comm4j.ffi.nccl.LibNccl;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What NCCL's communicator has beyond the contract of all engines, over real GPUs, in all ways to drive them. */
@Tag("gpu")
@Timeout(120)
class GpuNcclCommunicatorTest {
    @BeforeEach
    void needsGpus() {
        Gpu.require(2);
    }

    private static void ranks(CommConfig config, NcclBody body) {
        Gpu.ranks(Gpu.count(), config, body);
    }

    // ---- three ways to drive GPUs; threads are the contract's ----

    @Test
    void oneThreadDrivesAllGpus() {
        Gpu.requireOwn();
        int n = Gpu.count();
        List<Device> devices = new ArrayList<>();
        for (int i = 0; i < n; i++) {
            devices.add(Gpu.of(i));
        }
        List<NcclCommunicator> comms = Nccl.initAll(devices.toArray(Device[]::new));
        List<Stream> streams = devices.stream().map(Device::newStream).toList();
        List<DeviceArray> data = new ArrayList<>();
        comms.forEach(c -> data.add(c.allocate(DataType.FLOAT32, 1 << 20)));
        List<Window> windows = Nccl.registerWindows(comms, data, Window.Flag.SYMMETRIC);
        assertThat(windows).hasSize(n);
        for (int round = 0; round < 10; round++) {
            for (int i = 0; i < n; i++) {
                data.get(i).fill(i + 1, streams.get(i));
            }
            Nccl.group(g -> {
                for (int i = 0; i < n; i++) {
                    g.on(comms.get(i), streams.get(i)).allReduce(data.get(i), data.get(i), ReduceOp.SUM);
                }
            });
            for (int i = 0; i < n; i++) {
                comms.get(i).synchronize(streams.get(i), Duration.ofSeconds(20));
                assertThat(contents(data.get(i).slice((1 << 20) - 1, 1))).containsExactly(sumOfRanks(n));
            }
        }
        comms.forEach(Communicator::close);
        assertThat(data).noneMatch(DeviceArray::isAlive);
        streams.forEach(Stream::close);
        devices.forEach(Device::close);
    }

    private final ByteArrayOutputStream output = new ByteArrayOutputStream();

    private int processes(String... arguments) throws Exception {
        List<String> words = new ArrayList<>(List.of(GpuProgram.class.getName()));
        words.addAll(List.of(arguments));
        return Launcher.ranks(Gpu.count())
                .java(words.toArray(String[]::new))
                .timeout(Duration.ofSeconds(90))
                .keepGoing(true)
                .output(output, output)
                .run();
    }

    private String text() {
        return output.toString(StandardCharsets.UTF_8);
    }

    @Test
    void aProcessForEachGpu() throws Exception {
        assertThat(processes("sum")).as(text()).isZero();
        assertThat(text().lines().filter(line -> line.contains("finished as"))).hasSize(Gpu.count());
    }

    /** kill -9 in the middle of a loop: the others say who it was, shrink, and finish with right sums. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void survivorsOfAKilledProcessGoOn(boolean blocking) throws Exception {
        int victim = Gpu.count() - 1;
        assertThat(processes("kill", Integer.toString(victim), Boolean.toString(blocking)))
                .as(text())
                .isEqualTo(137);
        assertThat(text().lines().filter(line -> line.contains("named " + victim + " after ")))
                .as(text())
                .hasSize(Gpu.count() - 1)
                .allSatisfy(line -> assertThat(Integer.parseInt(line.replaceAll(".* after (\\d+) ms.*", "$1")))
                        .isLessThan(20_000));
        assertThat(text().lines()
                        .filter(line -> line.contains(" of " + (Gpu.count() - 1)) && line.contains("finished")))
                .as(text())
                .hasSize(Gpu.count() - 1);
    }

    // ---- streams, graphs, windows ----

    @Test
    void graphs() {
        ranks(CommConfig.DEFAULT, comm -> {
            DeviceArray x = comm.allocate(DataType.FLOAT32, 1000);
            DeviceArray y = comm.allocate(DataType.FLOAT32, 1000);
            // Connections are set up outside of the graph.
            comm.allReduce(x, y, ReduceOp.SUM);
            comm.group(g -> {
                g.send(y, (comm.rank() + 1) % comm.size());
                g.recv(x, (comm.rank() + comm.size() - 1) % comm.size());
            });
            try (Stream stream = comm.device().newStream();
                    Graph graph = Graph.capture(stream, () -> {
                        comm.allReduce(x, y, ReduceOp.SUM, stream);
                        comm.group(
                                g -> {
                                    g.send(y, (comm.rank() + 1) % comm.size());
                                    g.recv(x, (comm.rank() + comm.size() - 1) % comm.size());
                                },
                                stream);
                    });
                    GraphExec exec = graph.instantiate()) {
                x.fill(1);
                for (int i = 0; i < 5; i++) {
                    exec.launch(stream);
                }
                comm.synchronize(stream, Duration.ofSeconds(20));
                assertThat(contents(x)).containsOnly((float) Math.pow(comm.size(), 5));
                comm.barrier();
            }
        });
    }

    /** NCCL waits at the end of a communicator for the graphs that have its work. */
    @Test
    void graphsThatAreStillOpenEndWithTheirCommunicator() {
        ranks(CommConfig.DEFAULT, comm -> {
            NcclCommunicator part = Objects.requireNonNull(comm.split(0, 0));
            DeviceArray x = comm.allocate(DataType.FLOAT32, 1000);
            part.allReduce(x, x, ReduceOp.SUM);
            try (Stream stream = comm.device().newStream()) {
                Graph graph = Graph.capture(stream, () -> part.allReduce(x, x, ReduceOp.SUM, stream));
                Graph group = Graph.capture(stream, () -> part.group(g -> g.allReduce(x, x, ReduceOp.MAX), stream));
                GraphExec exec = graph.instantiate();
                exec.launch(stream);
                stream.synchronize();
                part.close();
                assertThat(graph.isOpen() || group.isOpen() || exec.isOpen()).isFalse();
                assertThatThrownBy(() -> exec.launch(stream)).isInstanceOf(IllegalStateException.class);
            }
            comm.barrier();
        });
    }

    @Test
    void symmetricWindows() {
        ranks(CommConfig.DEFAULT, comm -> {
            DeviceArray x = comm.allocate(DataType.FLOAT32, 1 << 20);
            DeviceArray y = comm.allocate(DataType.FLOAT32, 1 << 20);
            Window a = comm.registerWindow(x, Window.Flag.SYMMETRIC);
            Window b = comm.registerWindow(y, Window.Flag.SYMMETRIC);
            x.fill(comm.rank() + 1);
            comm.allReduce(x, y, ReduceOp.SUM);
            assertThat(contents(y)).containsOnly(sumOfRanks(comm.size()));
            if (LibNccl.has("ncclGetPeerDevicePointer")) {
                assertThat(a.peerAddress(comm.rank(), 0)).isNotZero();
                assertThat(b.lsaAddress(0, 4096)).isNotZero();
            }
            a.close();
            comm.barrier();
        });
    }

    @Test
    void deviceCommunicators() {
        ranks(CommConfig.DEFAULT, comm -> {
            try (DeviceCommunicator forKernels = comm.deviceCommunicator(DeviceRequirements.NONE.lsaBarriers(2))) {
                assertThat(forKernels.struct().byteSize()).isGreaterThanOrEqualTo(200);
            }
            comm.barrier();
        });
    }

    @Test
    void putAndSignal() {
        Assumptions.assumeTrue(
                LibNccl.has("ncclPutSignal"), "put and signal need NCCL 2.29.2, this is " + Nccl.version());
        ranks(CommConfig.DEFAULT, comm -> {
            Assumptions.assumeTrue(comm.properties().hostRma(), "no one-sided communication from the host here");
            DeviceArray memory = comm.allocate(DataType.FLOAT32, 2048);
            Window window = comm.registerWindow(memory, Window.Flag.SYMMETRIC);
            int next = (comm.rank() + 1) % comm.size();
            int previous = (comm.rank() + comm.size() - 1) % comm.size();
            try (Stream stream = comm.device().newStream()) {
                memory.slice(0, 1024).fill(comm.rank() + 1);
                comm.barrier();
                comm.putSignal(memory.slice(0, 1024), next, window, 1024, 0, stream);
                comm.waitSignal(previous, 1, 0, stream);
                comm.synchronize(stream, Duration.ofSeconds(20));
                assertThat(contents(memory.slice(1024, 1024))).containsOnly(previous + 1);
            }
            comm.barrier();
        });
    }

    @Test
    void customSumsAndUnevenParts() {
        ranks(CommConfig.DEFAULT, comm -> {
            DeviceArray x = comm.allocate(DataType.FLOAT32, 100);
            x.fill(1);
            try (PreMulSum sum = comm.preMulSum(DataType.FLOAT32, comm.rank() + 1)) {
                comm.with(sum).allReduce(x, x, comm.own);
                comm.synchronize(comm.own);
                assertThat(contents(x)).containsOnly(sumOfRanks(comm.size()));
            }
            long[] counts = new long[comm.size()];
            long[] offsets = new long[comm.size()];
            counts[0] = 7;
            counts[comm.size() - 1] = 20;
            offsets[comm.size() - 1] = 30;
            x.fill(comm.rank() + 1);
            DeviceArray y = comm.device().allocate(DataType.FLOAT32, counts[comm.rank()]);
            comm.reduceScatterV(x, y, counts, offsets, ReduceOp.SUM);
            for (float value : contents(y)) {
                assertThat(value).isEqualTo(sumOfRanks(comm.size()));
            }
            Registration registration = comm.register(x);
            comm.allReduce(x, x, ReduceOp.MAX);
            assertThat(contents(x)).containsOnly(comm.size());
            registration.close();
        });
    }

    @Test
    void propertiesAndStatistics() {
        ranks(CommConfig.DEFAULT.name("statistics"), comm -> {
            if (LibNccl.has("ncclCommQueryProperties")) {
                assertThat(comm.properties().rank()).isEqualTo(comm.rank());
                assertThat(comm.properties().size()).isEqualTo(comm.size());
            }
            if (LibNccl.has("ncclParamGetAllParameterKeys")) {
                assertThat(Nccl.parameters()).isNotEmpty();
            }
            assertThat(comm.worldTeam()).isEqualTo(new RankTeam(comm.size(), comm.rank(), 1));
            RankTeam lsa = comm.lsaTeam();
            assertThat(comm.rankOf(lsa, lsa.rank())).isEqualTo(comm.rank());
            if (LibNccl.has("ncclCommMemStats")) {
                assertThat(comm.memoryStatistics().total()).isPositive();
            }
            DeviceArray x = comm.allocate(DataType.FLOAT32, 1 << 20);
            assertThat(Nccl.simulate(g -> g.on(comm, comm.own).allReduce(x, x, ReduceOp.SUM)))
                    .isPositive();
            comm.barrier();
            assertThat(comm.error()).isNull();
            String status = Ras.local(Duration.ofSeconds(5)).status();
            assertThat(status).contains("NCCL");
            assertThat(Ras.local(Duration.ofSeconds(5)).statusJson()).contains("{");
            comm.barrier();
        });
    }

    // ---- failure ----

    /** A rank that does not come is reported; the others abort the kernel that waits for it, and go on without it. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void survivorsOfATimeoutShrinkAndGoOn(boolean blocking) {
        CountDownLatch over = new CountDownLatch(Gpu.count() - 1);
        ranks(CommConfig.DEFAULT.blocking(blocking), comm -> {
            DeviceArray x = comm.allocate(DataType.FLOAT32, 1 << 16);
            x.fill(1);
            comm.allReduce(x, x, ReduceOp.SUM);
            int away = comm.size() - 1;
            if (comm.rank() == away) {
                over.await();
                return;
            }
            comm.timeout(Duration.ofMillis(500));
            assertThatThrownBy(() -> comm.allReduce(x, x, ReduceOp.SUM))
                    .isInstanceOf(CommTimeoutException.class)
                    .hasMessageContaining("rank " + comm.rank());
            comm.timeout(Duration.ofSeconds(30));
            try (NcclCommunicator rest = comm.shrink(Shrink.ABORT, away)) {
                x.fill(2);
                rest.allReduce(x, x, ReduceOp.SUM);
                assertThat(contents(x)).containsOnly(2 * rest.size());
            } finally {
                over.countDown();
            }
        });
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void anotherThreadAborts(boolean blocking) {
        CountDownLatch over = new CountDownLatch(Gpu.count() - 1);
        ranks(CommConfig.DEFAULT.blocking(blocking), comm -> {
            DeviceArray x = comm.allocate(DataType.FLOAT32, 1 << 16);
            comm.allReduce(x, x, ReduceOp.SUM);
            if (comm.rank() == 0) {
                over.await();
                return;
            }
            Thread aborter = Thread.ofPlatform().start(() -> {
                try {
                    Thread.sleep(300);
                    comm.abort();
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
            });
            assertThatThrownBy(() -> comm.allReduce(x, x, ReduceOp.SUM))
                    .isInstanceOf(CommException.class)
                    .hasMessageContaining("aborted");
            aborter.join();
            over.countDown();
        });
    }

    /** Calls that would crash C give exceptions, and the communicator works afterwards. */
    @Test
    void misuse() {
        Gpu.requireOwn();
        ranks(CommConfig.DEFAULT, comm -> {
            Device device = comm.device();
            DeviceArray x = device.allocate(DataType.FLOAT32, 8);
            DeviceArray freed = device.allocate(DataType.FLOAT32, 8);
            freed.close();
            Stream closed = device.newStream();
            closed.close();
            int elsewhere = (device.ordinal() + 1) % Gpu.count();
            try (Device other = Gpu.of(elsewhere);
                    DeviceArray there = other.allocate(DataType.FLOAT32, 8);
                    Stream foreign = other.newStream()) {
                assertThatThrownBy(() -> comm.allReduce(x, HostArray.allocate(DataType.FLOAT32, 8), ReduceOp.SUM))
                        .isInstanceOf(IllegalArgumentException.class);
                assertThatThrownBy(() -> comm.allReduce(x, there, ReduceOp.SUM, comm.own))
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageContaining("GPU " + elsewhere);
                assertThatThrownBy(() -> comm.allReduce(x, x, ReduceOp.SUM, foreign))
                        .isInstanceOf(IllegalArgumentException.class);
                assertThatThrownBy(() -> comm.allReduce(freed, freed, ReduceOp.SUM, comm.own))
                        .isInstanceOf(IllegalStateException.class);
                assertThatThrownBy(() -> comm.allReduce(x, x, ReduceOp.SUM, closed))
                        .isInstanceOf(IllegalStateException.class);
                assertThatThrownBy(() -> comm.registerWindow(x.slice(1, 4)))
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageContaining("4096");
                assertThatThrownBy(() -> comm.registerWindow(freed)).isInstanceOf(IllegalStateException.class);
            }
            // From a thread that never saw CUDA.
            Thread.ofPlatform().start(() -> comm.allReduce(x, x, ReduceOp.SUM)).join();
            NcclCommunicator part = comm.split(0, comm.rank());
            part.close();
            assertThatThrownBy(() -> part.allReduce(x, x, ReduceOp.SUM, comm.own))
                    .hasMessageContaining("closed");
            comm.barrier();
        });
    }

    /** One rank is through with a communicator before the other has noticed that it has one. */
    @Test
    void madeAndClosedAtOnce() {
        ranks(CommConfig.DEFAULT, comm -> {
            for (int i = 0; i < 15; i++) {
                Objects.requireNonNull(comm.split(0, 0)).close();
            }
        });
    }

    /** NCCL restores the device that a thread had, which must not be one that is gone. */
    @Test
    void aThreadGoesOnAfterItsDeviceWasClosed() {
        try (Device device = Gpu.of(0);
                NcclCommunicator comm = Nccl.initAll(device).getFirst();
                Stream stream = device.newStream();
                DeviceArray data = device.allocate(DataType.FLOAT32, 1000)) {
            for (int i = 0; i < 3; i++) {
                data.fill(i, stream);
                comm.allReduce(data, data, ReduceOp.SUM, stream);
                // Its context is the thread's from here on, and is gone before the next call.
                try (Device other = Gpu.of(1);
                        DeviceArray there = other.allocate(DataType.FLOAT32, 10)) {
                    there.fill(1);
                }
                comm.allReduce(data, data, ReduceOp.SUM, stream);
                comm.synchronize(stream, Duration.ofSeconds(20));
                assertThat(contents(data.slice(999, 1))).containsExactly(i);
            }
        }
    }

    // ---- growth ----

    /**
     * 10 000 buffers and many communicators, 10 000 with {@code -Dcomm4j.cycles=10000}, leave the GPU's and the host's
     * memory as it was.
     */
    @Test
    @Timeout(1800)
    void nothingIsLeftBehind() throws Exception {
        int cycles = Integer.getInteger("comm4j.cycles", 100);
        // A Java heap that is all there from the beginning, and a malloc without pools for threads, which gives
        // back what is freed: what grows is NCCL's memory and the bindings'.
        int code = Launcher.ranks(Gpu.count())
                .environment("MALLOC_ARENA_MAX", "1")
                .environment("MALLOC_MMAP_THRESHOLD_", "131072")
                .environment("MALLOC_TRIM_THRESHOLD_", "131072")
                .java("-Xms64m", "-Xmx64m", "-XX:+AlwaysPreTouch", GpuGrowth.class.getName(), Integer.toString(cycles))
                .timeout(Duration.ofMinutes(25))
                .output(output, output)
                .run();
        System.out.print(text());
        assertThat(code).as(text()).isZero();
    }
}
