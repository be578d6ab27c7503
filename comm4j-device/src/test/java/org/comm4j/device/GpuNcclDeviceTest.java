// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.comm4j.core.Communicator;
import org.comm4j.core.DataType;
import org.comm4j.core.ReduceOp;
import org.comm4j.core.World;
import org.comm4j.cuda.Cuda;
import org.comm4j.cuda.Device;
import org.comm4j.cuda.DeviceArray;
import org.comm4j.cuda.LaunchConfig;
import org.comm4j.cuda.PreparedLaunch;
import org.comm4j.cuda.Stream;
import org.comm4j.ffi.nccl.LibNccl;
import org.comm4j.kernel.GpuKernel;
import org.comm4j.kernel.KernelCode;
import org.comm4j.kernel.KernelCompiler;
import org.comm4j.nccl.DeviceCommunicator;
import org.comm4j.nccl.DeviceRequirements;
import org.comm4j.nccl.DeviceResource;
import org.comm4j.nccl.Nccl;
import org.comm4j.nccl.NcclCommunicator;
import org.comm4j.nccl.NcclException;
import org.comm4j.nccl.Window;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@link NcclCases} on GPUs: with ranks that are threads, processes, or all one thread's; and what only GPUs have. */
@Tag("gpu")
@Timeout(120)
class GpuNcclDeviceTest {
    /**
     * With {@code -Dcomm4j.gpu.ranks} so many ranks, which then share GPUs (NCCL 2.30, {@code
     * NCCL_MULTI_RANK_GPU_ENABLE=1}).
     */
    private static void require(int ranks) {
        // First: a library that was not found is not looked for again, and others of this JVM say where NCCL is.
        assumeTrue(Cuda.problem() == null, Cuda::problem);
        String problem = Nccl.problem();
        assumeTrue(problem == null, problem);
        int places = Integer.getInteger("comm4j.gpu.ranks", Cuda.deviceCount());
        assumeTrue(places >= ranks, "there are fewer than " + ranks + " GPUs");
        assumeTrue(KernelCode.problem() == null, KernelCode::problem);
    }

    @BeforeEach
    void needsGpus() {
        require(1);
    }

    private interface Body {
        void run(NcclCommunicator communicator);
    }

    private static void ranks(int ranks, Body body) {
        require(ranks);
        World.threads(ranks, world -> {
            try (Device device = Device.inTurn(world.rank());
                    NcclCommunicator communicator = Nccl.communicator(world, device)) {
                communicator.timeout(Duration.ofSeconds(15));
                body.run(communicator);
            }
        });
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 4})
    void threads(int ranks) {
        ranks(ranks, communicator -> {
            AssertionError failed = null;
            for (NcclCases each : NcclCases.values()) {
                try (NcclPlace place = NcclPlace.of(communicator)) {
                    place.nccl().timeout(Duration.ofSeconds(5));
                    each.run(place);
                } catch (Throwable e) {
                    String what = each + " on rank " + communicator.rank() + " of " + ranks + ": " + e;
                    AssertionError error = new AssertionError(what, e);
                    if (failed == null) {
                        failed = error;
                    } else {
                        failed.addSuppressed(error);
                    }
                    System.out.println("failed: " + what);
                }
            }
            if (failed != null) {
                throw failed;
            }
        });
    }

    /** Whether NCCL finds a network that kernels can use; before 2.29.2 only a device communicator tells. */
    private static boolean hasNetwork(NcclCommunicator communicator) {
        if (Nccl.version().minor() < 29) {
            try (NcclCommunicator part = part(communicator);
                    DeviceCommunicator made = part.deviceCommunicator(
                            DeviceRequirements.NONE.network(1, 1, 1).forceNetwork(true))) {
                return made.network().contexts() > 0;
            } catch (NcclException e) {
                System.out.println("NCCL " + Nccl.version() + " says of a network: " + e.getMessage());
                return false;
            }
        }
        return !communicator.properties().ginType().equals("NONE");
    }

    private static NcclCommunicator part(NcclCommunicator communicator) {
        return Objects.requireNonNull(communicator.split(0, communicator.rank()));
    }

    @Test
    void withoutANetworkItSaysSo() {
        ranks(2, communicator -> {
            assumeTrue(!hasNetwork(communicator), "there is a network that kernels can use");
            for (DeviceRequirements each : new DeviceRequirements[] {
                DeviceRequirements.NONE.network(1, 4, 2),
                DeviceRequirements.NONE.resource(DeviceResource.of(0, 1, 1, 0)),
                DeviceRequirements.NONE.forceNetwork(true).network(1, 1, 1)
            }) {
                try (NcclCommunicator part = part(communicator)) {
                    Throwable refused = catchThrowable(() -> NcclDevice.of(part, each));
                    assertThat(refused).isInstanceOfAny(UnsupportedOperationException.class, NcclException.class);
                    System.out.println("NCCL " + Nccl.version() + ": " + refused.getMessage());
                    if (Nccl.version().minor() < 29 && refused instanceof NcclException) {
                        assertThatThrownBy(() -> NcclDevice.of(part, each))
                                .isInstanceOf(IllegalStateException.class)
                                .hasMessageContaining("make another one");
                        assertThatThrownBy(() -> part.registerWindow(part.allocate(DataType.INT8, 4096)))
                                .isInstanceOf(IllegalStateException.class)
                                .hasMessageContaining("make another one");
                    }
                }
            }
            // And everything else goes on.
            try (NcclPlace place = NcclPlace.of(communicator)) {
                NcclCases.BLOCKS_MEET.run(place);
                assertThatThrownBy(() -> place.nccl().gin(0))
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageContaining("DeviceRequirements.network");
            }
        });
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 4})
    void network(int ranks) {
        ranks(ranks, communicator -> {
            assumeTrue(hasNetwork(communicator), "there is no network that kernels can use (GIN)");
            for (GinCases each : GinCases.values()) {
                try (NcclPlace place = NcclPlace.withNetwork(communicator)) {
                    place.nccl().timeout(Duration.ofSeconds(5));
                    each.run(place);
                }
            }
        });
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 4})
    void processes(int ranks) {
        require(ranks);
        String output = NcclProgram.job(ranks, DeviceProgram.GPU, List.of(DeviceProgram.gpuOptions()));
        for (NcclCases each : NcclCases.values()) {
            for (int rank = 0; rank < ranks; rank++) {
                assertThat(output).contains("[" + rank + "] passed " + each + "\n");
            }
        }
        assertThat(output).endsWith("exit code 0\n");
    }

    /** One thread drives all GPUs: their kernels wait for each other. */
    @Test
    void oneThread() {
        int n = Cuda.deviceCount();
        assumeTrue(n > 1, "two GPUs are needed, which no ranks share");
        int count = 10_000;
        List<Device> devices = IntStream.range(0, n).mapToObj(Device::of).toList();
        List<NcclCommunicator> comms = Nccl.initAll(devices.toArray(Device[]::new));
        List<DeviceArray> arrays = new ArrayList<>();
        List<DeviceArray> sums = new ArrayList<>();
        for (NcclCommunicator comm : comms) {
            arrays.add(comm.allocate(DataType.FLOAT32, count));
            sums.add(comm.allocate(DataType.FLOAT32, count));
            arrays.getLast().fill(comm.rank() + 1);
        }
        List<Window> from = Nccl.registerWindows(comms, arrays, Window.Flag.SYMMETRIC);
        List<Window> to = Nccl.registerWindows(comms, sums, Window.Flag.SYMMETRIC);
        DeviceRequirements four = DeviceRequirements.NONE.lsaBarriers(4);
        List<DeviceCommunicator> kernels =
                Nccl.deviceCommunicators(comms, comms.stream().map(_ -> four).toList());
        List<NcclDevice> nccls = kernels.stream().map(NcclDevice::of).toList();
        List<KernelCompiler<GpuKernel>> compilers = new ArrayList<>();
        List<GpuKernel> all = new ArrayList<>();
        List<Stream> streams = new ArrayList<>();
        for (Device device : devices) {
            compilers.add(KernelCompiler.of(device));
            all.add(compilers.getLast().compile(NcclKernels::allReduce));
            streams.add(device.newStream());
        }
        LaunchConfig config = LaunchConfig.grid(4).block(256);
        for (int times = 0; times < 100; times++) {
            for (int i = 0; i < n; i++) {
                NcclDevice nccl = nccls.get(i);
                all.get(i)
                        .launch(
                                config,
                                streams.get(i),
                                nccl.barriers(),
                                nccl.window(from.get(i)),
                                nccl.window(to.get(i)),
                                count);
            }
        }
        for (int i = 0; i < n; i++) {
            nccls.get(i).synchronize(streams.get(i));
            assertThat(sums.get(i).toHost().toFloatArray()).containsOnly(n * (n + 1) / 2f);
        }
        // What was made for one GPU is not for another one, whose driver would end the process's use of it.
        assertThatThrownBy(() -> all.get(1)
                        .launch(
                                config,
                                streams.get(1),
                                nccls.get(0).barriers(),
                                nccls.get(0).window(from.get(0)),
                                nccls.get(0).window(to.get(0)),
                                count))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("is for none of");
        assertThatThrownBy(() -> nccls.get(0).window(from.get(1)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("is of another communicator");
        LsaBarriers barriers = nccls.get(0).barriers();
        kernels.forEach(DeviceCommunicator::close);
        assertThatThrownBy(() -> nccls.get(0).barriers())
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("it is closed");
        try (GpuKernel meet = compilers.get(0).compile(NcclKernels::meet)) {
            assertThatThrownBy(() -> meet.launch(config, streams.get(0), barriers, 0))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("closed");
        }
        nccls.forEach(NcclDevice::close);
        all.forEach(GpuKernel::close);
        compilers.forEach(KernelCompiler::close);
        streams.forEach(Stream::close);
        comms.forEach(Communicator::close);
        devices.forEach(Device::close);
    }

    /** Places are those that NCCL itself tells, where it does; and what is closed is refused. */
    @Test
    void windows() {
        ranks(2, comm -> {
            DeviceArray memory = comm.allocate(DataType.INT8, 1 << 21);
            Window window = comm.registerWindow(memory, Window.Flag.SYMMETRIC);
            DeviceResource exchange = DeviceResource.lowLatencyAllToAll(1, NcclPlace.SLOTS);
            try (NcclPlace place = NcclPlace.of(comm);
                    NcclDevice spare = NcclDevice.of(comm, NcclCases.spare(exchange));
                    Stream stream = comm.device().newStream()) {
                LsaWindow flat = place.nccl().window(window);
                assertThat(flat.size()).isEqualTo(comm.lsaTeam().size());
                assertThat(flat.bytes()).isEqualTo(1 << 21);
                System.out.println("NCCL " + Nccl.version() + ": " + flat + ", "
                        + place.nccl().barriers());
                if (LibNccl.has("ncclGetLsaDevicePointer")) {
                    for (int rank = 0; rank < flat.size(); rank++) {
                        assertThat(flat.flat().address() + rank * flat.stride() + 4096)
                                .isEqualTo(window.lsaAddress(rank, 4096));
                    }
                }
                assertThatThrownBy(() -> NcclDevice.of(comm, DeviceRequirements.NONE.multimem(true)))
                        .isInstanceOf(UnsupportedOperationException.class)
                        .hasMessageContaining("NVLink multicast is not available here");
                assertThatThrownBy(() -> place.nccl().multimem(window))
                        .isInstanceOf(UnsupportedOperationException.class);
                comm.barrier();
                NcclCases.run(place, spare, exchange);
                window.close();
                try (GpuKernel poke = (GpuKernel) place.compiler().compile(NcclKernels::poke)) {
                    LaunchConfig one = LaunchConfig.grid(1).block(1);
                    assertThatThrownBy(() -> poke.launch(one, stream, flat, 0, 0L, 1))
                            .isInstanceOf(IllegalStateException.class)
                            .hasMessageContaining("which is closed");
                }
                assertThatThrownBy(() -> place.nccl().window(window)).isInstanceOf(IllegalStateException.class);
                comm.barrier();
            }
        });
    }

    /** What it costs, for information. */
    @ParameterizedTest
    @ValueSource(ints = {2, 4})
    void costs(int ranks) {
        ranks(ranks, comm -> {
            try (NcclPlace place = NcclPlace.of(comm);
                    Stream stream = comm.device().newStream();
                    GpuKernel rounds = (GpuKernel) place.compiler().compile(NcclKernels::barriers);
                    GpuKernel exchange = (GpuKernel) place.compiler().compile(NcclKernels::exchange);
                    GpuKernel reduce = (GpuKernel) place.compiler().compile(NcclKernels::allReduce)) {
                int times = 20_000;
                LsaBarriers barriers = place.nccl().barriers();
                DeviceArray wrong = (DeviceArray) place.own(DataType.INT32, 1);
                DeviceArray from = (DeviceArray) place.array(DataType.FLOAT32, 1 << 20);
                DeviceArray to = (DeviceArray) place.array(DataType.FLOAT32, 1 << 20);
                LsaWindow x = place.window(from);
                LsaWindow y = place.window(to);
                LowLatencyAllToAll all = place.nccl().allToAll(place.exchange);
                LaunchConfig small = LaunchConfig.grid(1).block(32);
                StringBuilder text = new StringBuilder("costs on " + ranks + " GPUs, NCCL " + Nccl.version() + ", us:");
                for (int warm = 0; warm < 2; warm++) {
                    comm.barrier();
                    long start = System.nanoTime();
                    rounds.launch(small, stream, barriers, times);
                    place.nccl().synchronize(stream);
                    long met = System.nanoTime();
                    exchange.launch(small, stream, all, times, wrong);
                    place.nccl().synchronize(stream);
                    long exchanged = System.nanoTime();
                    if (warm == 1) {
                        text.append(String.format(
                                " barrier %.2f, exchange %.2f",
                                (met - start) / 1e3 / times, (exchanged - met) / 1e3 / times));
                    }
                }
                for (int bytes : new int[] {1 << 10, 1 << 14, 1 << 18, 1 << 22}) {
                    int blocks = Math.clamp(bytes / 4 / 512, 1, NcclPlace.BARRIERS);
                    LaunchConfig config = LaunchConfig.grid(blocks).block(512);
                    DeviceArray some = from.slice(0, bytes / 4);
                    DeviceArray sums = to.slice(0, bytes / 4);
                    PreparedLaunch prepared = reduce.prepare(config, barriers, x, y, bytes / 4);
                    text.append(String.format(
                            ", allReduce of %d KiB %.2f (NCCL's own %.2f)",
                            bytes >> 10,
                            micros(comm, stream, () -> prepared.launch(stream)),
                            micros(comm, stream, () -> comm.allReduce(some, sums, ReduceOp.SUM, stream))));
                    place.nccl().check();
                }
                if (comm.rank() == 0) {
                    System.out.println(text);
                }
                comm.barrier();
            }
        });
    }

    private static double micros(NcclCommunicator comm, Stream stream, Runnable operation) {
        int times = 200;
        double best = Double.MAX_VALUE;
        for (int i = 0; i < 4; i++) {
            comm.barrier();
            long start = System.nanoTime();
            for (int k = 0; k < times; k++) {
                operation.run();
            }
            comm.synchronize(stream);
            best = Math.min(best, (System.nanoTime() - start) / 1e3 / times);
        }
        return best;
    }
}
