// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.nccl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.comm4j.nccl.NcclBody.contents;
import static org.comm4j.nccl.NcclBody.sumOfRanks;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import org.comm4j.core.Communicator;
import org.comm4j.core.DataType;
import org.comm4j.core.ReduceOp;
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

/** The less usual functions of NCCL, over real GPUs; what the loaded version lacks is skipped. */
@Tag("gpu")
@Timeout(120)
class GpuSurfaceTest {
    private static final Duration LIMIT = Duration.ofSeconds(20);

    @BeforeEach
    void needsGpus() {
        Gpu.require(2);
    }

    private static void ranks(CommConfig config, NcclBody body) {
        Gpu.ranks(Gpu.count(), config, body);
    }

    private static void needs(String function) {
        assumeTrue(LibNccl.has(function), () -> function + " is newer than the loaded NCCL " + Nccl.version());
    }

    // ---- configurations ----

    /** NCCL itself would refuse a lower bound without an upper one. */
    @Test
    void aLowerBoundAlone() {
        ranks(CommConfig.DEFAULT.name("bounds").minCtas(2), comm -> {
            DeviceArray x = comm.allocate(DataType.FLOAT32, 1000);
            x.fill(comm.rank() + 1);
            comm.allReduce(x, x, ReduceOp.SUM);
            assertThat(contents(x)).containsOnly(sumOfRanks(comm.size()));
        });
    }

    @Test
    void everyCollectiveWithAConfiguration() {
        needs("ncclAllReduceConfig");
        ranks(CommConfig.DEFAULT, comm -> {
            int n = comm.size();
            CollConfig base =
                    CollConfig.DEFAULT.minCtas(1).maxCtas(4).profilerTag(7).vendorOption(77, 1, "ignored");
            ConfiguredOperations ring = comm.with(base.algorithms("ring"));
            ConfiguredOperations plain = comm.with(base);
            DeviceArray x = comm.allocate(DataType.FLOAT32, 1 << 16);
            DeviceArray all = comm.allocate(DataType.FLOAT32, (long) n << 16);
            DeviceArray back = comm.allocate(DataType.FLOAT32, (long) n << 16);
            x.fill(comm.rank() + 1);
            comm.barrier();
            ring.allReduce(x, x, ReduceOp.SUM, comm.own);
            ring.allGather(x, all, comm.own);
            ring.reduceScatter(all, x, ReduceOp.MAX, comm.own);
            ring.broadcast(x, x, 0, comm.own);
            ring.reduce(x, x, ReduceOp.MIN, 0, comm.own);
            plain.allToAll(all, back, comm.own);
            plain.gather(x, comm.rank() == 0 ? all : null, 0, comm.own);
            plain.scatter(comm.rank() == 0 ? all : null, x, 0, comm.own);
            comm.synchronize(comm.own, LIMIT);
            assertThat(contents(x)).containsOnly(sumOfRanks(n));
            assertThat(contents(back)).containsOnly(sumOfRanks(n));
            comm.barrier();
            // On all ranks alike: nothing fits, which NCCL notices before it starts.
            ConfiguredOperations none = comm.with(CollConfig.DEFAULT.algorithms("nosuchalgorithm"));
            assertThatThrownBy(() -> none.allReduce(x, x, ReduceOp.SUM, comm.own))
                    .isInstanceOf(NcclException.class)
                    .hasMessageContaining("allReduce");
        });
    }

    @Test
    void launchEvents() {
        needs("ncclSetEncryption"); // of the same version
        ranks(CommConfig.DEFAULT, comm -> {
            DeviceArray x = comm.allocate(DataType.FLOAT32, 1 << 16);
            x.fill(1);
            comm.barrier();
            try (Event launched = comm.device().newEvent();
                    Stream after = comm.device().newStream()) {
                CountDownLatch gate = new CountDownLatch(1);
                comm.own.onReached(() -> await(gate));
                comm.with(CollConfig.DEFAULT.launchEvent(launched)).allReduce(x, x, ReduceOp.SUM, comm.own);
                // One that nobody records is done.
                assertThat(launched.isDone()).isFalse();
                gate.countDown();
                after.await(launched);
                comm.synchronize(after, LIMIT);
                comm.synchronize(comm.own, LIMIT);
                assertThat(launched.isDone()).isTrue();
                assertThat(contents(x)).containsOnly(comm.size());
            }
            comm.barrier();
        });
    }

    private static void await(CountDownLatch gate) {
        try {
            gate.await();
        } catch (InterruptedException e) {
            throw new AssertionError("nobody knows this thread", e);
        }
    }

    /** One thread drives all GPUs: a configuration for the communicators, sums of one's own, configured calls. */
    @Test
    void oneThread() {
        Gpu.requireOwn();
        int n = Gpu.count();
        Device[] devices = IntStream.range(0, n).mapToObj(Gpu::of).toArray(Device[]::new);
        List<NcclCommunicator> comms =
                Nccl.initAll(CommConfig.DEFAULT.name("one thread").maxCtas(8), devices);
        List<DeviceArray> data = new ArrayList<>();
        for (NcclCommunicator comm : comms) {
            data.add(comm.allocate(DataType.FLOAT32, 4096));
        }
        List<CustomReductions> sums = comms.stream()
                .map(comm -> comm.with(comm.preMulSum(DataType.FLOAT32, comm.rank() + 1)))
                .toList();
        data.forEach(each -> each.fill(1));
        Nccl.group(g -> {
            for (int i = 0; i < n; i++) {
                g.on(sums.get(i), comms.get(i).own).allReduce(data.get(i), data.get(i), ReduceOp.SUM);
            }
        });
        float expected = sumOfRanks(n);
        if (LibNccl.has("ncclAllReduceConfig")) {
            List<ConfiguredOperations> configured = comms.stream()
                    .map(comm -> comm.with(CollConfig.DEFAULT.maxCtas(2)))
                    .toList();
            Nccl.group(g -> {
                for (int i = 0; i < n; i++) {
                    g.on(configured.get(i), comms.get(i).own).allReduce(data.get(i), data.get(i), ReduceOp.SUM);
                }
            });
            expected *= n;
        }
        for (int i = 0; i < n; i++) {
            comms.get(i).synchronize(comms.get(i).own, LIMIT);
            assertThat(contents(data.get(i))).containsOnly(expected);
        }
        // Each GPU for itself, the ranks backwards.
        List<NcclCommunicator> alone = Nccl.split(comms, IntStream.range(0, n).toArray(), new int[n], null);
        List<NcclCommunicator> backwards = Nccl.split(
                comms, new int[n], IntStream.range(0, n).map(i -> -i).toArray(), CommConfig.DEFAULT.name("back"));
        Nccl.group(g -> {
            for (int i = 0; i < n; i++) {
                NcclCommunicator back = backwards.get(i);
                g.on(back, back.own).broadcast(data.get(i), n - 1);
            }
        });
        for (int i = 0; i < n; i++) {
            assertThat(alone.get(i).size()).isEqualTo(1);
            assertThat(backwards.get(i).rank()).isEqualTo(n - 1 - i);
            backwards.get(i).synchronize(backwards.get(i).own, LIMIT);
        }
        alone.forEach(Communicator::close);
        backwards.forEach(Communicator::close);
        List<DeviceRequirements> needs = comms.stream()
                .map(comm -> DeviceRequirements.NONE.resource(DeviceResource.lsaBarriers(comm.lsaTeam(), 4)))
                .toList();
        assertThat(Nccl.deviceCommunicators(comms, needs)).hasSize(n);
        comms.forEach(Communicator::close);
        for (Device device : devices) {
            device.close();
        }
    }

    // ---- one-sided ----

    @Test
    void severalSignalsInOneGroup() {
        needs("ncclPutSignal");
        ranks(CommConfig.DEFAULT, comm -> {
            assumeTrue(comm.properties().hostRma(), "no one-sided communication from the host here");
            DeviceArray memory = comm.allocate(DataType.FLOAT32, 2048);
            Window window = comm.registerWindow(memory, Window.Flag.SYMMETRIC);
            int next = (comm.rank() + 1) % comm.size();
            int previous = (comm.rank() + comm.size() - 1) % comm.size();
            memory.fill(comm.rank() + 1);
            comm.barrier();
            Nccl.group(g -> {
                OneSided ones = g.oneSided(comm, comm.own);
                ones.putSignal(memory.slice(0, 1024), next, window, 1024, 0, 0);
            });
            comm.waitSignals(List.of(new SignalWait(previous)), comm.own);
            comm.synchronize(comm.own, LIMIT);
            assertThat(contents(memory.slice(1024, 1024))).containsOnly(previous + 1);
            comm.barrier();
        });
    }

    // ---- windows and kernels ----

    @Test
    void addresses() {
        needs("ncclWinGetUserPtr");
        ranks(CommConfig.DEFAULT, comm -> {
            DeviceArray memory = comm.allocate(DataType.INT8, 1 << 21);
            Window window = comm.registerWindow(memory, Window.Flag.SYMMETRIC);
            assertThat(window.userAddress()).isEqualTo(memory.address());
            RankTeam lsa = comm.lsaTeam();
            int peer = (comm.rank() + 1) % comm.size();
            if (lsa.size() == comm.size()) {
                long there = window.peerAddress(peer, 4096);
                assertThat(there).isNotZero();
                assertThat(window.lsaAddress(comm.lsaRankOf(lsa, peer), 4096)).isEqualTo(there);
            }
            assertThatThrownBy(() -> window.lsaAddress(lsa.size(), 0)).isInstanceOf(NcclException.class);
            if (LibNccl.has("ncclGetPeerDeviceLeInfo") && !comm.properties().cft()) {
                assertThatThrownBy(() -> window.cftAddress(peer, 0)).isInstanceOf(NcclException.class);
            }
            comm.barrier();
        });
    }

    @Test
    void resourcesForKernels() {
        ranks(CommConfig.DEFAULT, comm -> {
            RankTeam lsa = comm.lsaTeam();
            assertThat(comm.lsaRankOf(comm.worldTeam(), comm.rank())).isEqualTo(lsa.rank());
            DeviceResource memory = DeviceResource.of(1 << 20, 128, 0, 0);
            DeviceResource barriers = DeviceResource.lsaBarriers(lsa, 16);
            DeviceResource exchange = DeviceResource.lowLatencyAllToAll(2, DeviceResource.lowLatencySlots(128, 8));
            DeviceRequirements requirements = DeviceRequirements.NONE
                    .lsaBarriers(2)
                    .resource(memory)
                    .resource(barriers)
                    .resource(exchange)
                    .team(lsa, false);
            try (DeviceCommunicator kernels = comm.deviceCommunicator(requirements)) {
                assertThat(List.of(
                                kernels.allocation(memory).buffer(),
                                kernels.allocation(barriers).buffer(),
                                kernels.allocation(exchange).buffer()))
                        .doesNotHaveDuplicates();
                DeviceAllocation allocation = kernels.allocation(barriers);
                assertThat(allocation.handle().toArray(ValueLayout.JAVA_INT)).containsExactly(allocation.buffer(), 16);
            }
            if (LibNccl.has("ncclAllReduceConfig")) {
                try (DeviceCommunicator kernels = comm.deviceCommunicator(
                        DeviceRequirements.NONE.lsaBarriers(1).runtimeVersion(true))) {
                    assertThat(kernels.struct().byteSize())
                            .isEqualTo(comm.properties().deviceCommunicatorBytes());
                }
            }
            comm.barrier();
        });
    }

    // ---- what NCCL tells ----

    @Test
    void properties() {
        needs("ncclCommQueryProperties");
        ranks(CommConfig.DEFAULT, comm -> {
            CommProperties properties = comm.properties();
            System.out.println(properties);
            assertThat(properties.cudaDevice()).isEqualTo(comm.device().ordinal());
            if (Nccl.version().compareTo(new NcclVersion(2, 31, 2)) >= 0) {
                assertThat(properties.hash()).isNotZero();
                assertThat(properties.ginConnection()).isNotEqualTo("unknown");
                assertThat(properties.deviceCommunicatorBytes()).isPositive();
            }
            comm.barrier();
        });
    }

    @Test
    void parameters() {
        needs("ncclParamBind");
        Nccl.parameters().forEach((key, text) -> {
            NcclParameter parameter = Nccl.parameter(key);
            System.out.println(parameter + " = " + text);
            assertThat(parameter.text()).isEqualTo(text);
        });
    }

    /** NCCL's own service accepts to be watched. */
    @Test
    void monitor() {
        needs("ncclPutSignal"); // of the same version
        ranks(CommConfig.DEFAULT, comm -> {
            comm.barrier();
            if (comm.rank() == 0) {
                List<String> heard = new CopyOnWriteArrayList<>();
                try (Ras.Monitor monitor = Ras.local(Duration.ofSeconds(5)).monitor("all", true, heard::add)) {
                    assertThat(monitor.isRunning()).isTrue();
                }
                assertThatThrownBy(() -> Ras.local(Duration.ofSeconds(5)).ask("NO SUCH COMMAND", false))
                        .hasMessageContaining("ERROR");
            }
            comm.barrier();
        });
    }

    /** A communicator that C code made. */
    @Test
    void adopted() {
        Gpu.requireOwn();
        try (Device device = Device.of(1);
                Device other = Device.of(0);
                Arena arena = Arena.ofConfined()) {
            MemorySegment cell = arena.allocate(ValueLayout.JAVA_LONG);
            device.makeCurrent();
            LibNccl.ncclCommInitAll(cell, 1, arena.allocateFrom(ValueLayout.JAVA_INT, 1));
            NcclComm handle = new NcclComm(cell.get(ValueLayout.JAVA_LONG, 0));
            assertThatThrownBy(() -> Nccl.adopt(handle, other, true)).hasMessageContaining("GPU 1, not on 0");
            try (NcclCommunicator comm = Nccl.adopt(handle, device, true)) {
                DeviceArray x = comm.allocate(DataType.FLOAT32, 10);
                x.fill(3);
                comm.allReduce(x, x, ReduceOp.SUM);
                assertThat(contents(x)).containsOnly(3);
            }
        }
    }
}
