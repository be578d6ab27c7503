// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.core.World;
import org.comm4j.cuda.Device;
import org.comm4j.cuda.LaunchConfig;
import org.comm4j.cuda.PreparedLaunch;
import org.comm4j.cuda.Stream;
import org.comm4j.kernel.CompileOptions;
import org.comm4j.kernel.GpuKernel;
import org.comm4j.kernel.KernelCompileException;
import org.comm4j.kernel.KernelCompiler;
import org.comm4j.nvshmem.Nvshmem;
import org.comm4j.nvshmem.SymmetricArray;
import org.comm4j.test.Natives;

/** How kernels are connected with NVSHMEM, and what happens in the wrong order; on real GPUs as on simulated ones. */
final class LifeProgram {
    private static final LaunchConfig ONE = LaunchConfig.grid(1).block(64);
    private static final int COUNT = 1000;

    private LifeProgram() {}

    private static boolean isSimulated() {
        return Boolean.getBoolean("comm4j.simulated");
    }

    /** Of modules, where that can be asked. */
    private static void counts(int connected, int loaded) {
        if (isSimulated()) {
            assertThat(SimulatedGpus.get("modules")).as("connected").isEqualTo(connected);
            assertThat(SimulatedGpus.get("loaded")).as("loaded").isEqualTo(loaded);
        }
    }

    public static void main(String[] args) throws Exception {
        if (isSimulated()) {
            // The compilers are real.
            Natives.use();
        }
        try (World world = World.join();
                Device device = Gpus.of(world);
                Stream stream = device.newStream()) {
            Nvshmem shmem = Nvshmem.init(world, device);
            KernelCompiler<GpuKernel> compiler = ShmemCompiler.of(shmem);
            SymmetricArray source = shmem.allocate(DataType.FLOAT32, COUNT);
            SymmetricArray destination = shmem.allocate(DataType.FLOAT32, COUNT);
            source.fill(world.rank() + 1);
            int before = isSimulated() ? (int) SimulatedGpus.get("loaded") : 0;

            // From the first to the last launch.
            GpuKernel put = compiler.compile(Ring::put);
            counts(1, before + 1);
            shmem.barrierAll();
            put.launch(ONE, destination, source, (long) COUNT);
            shmem.barrierAll();
            HostArray arrived = destination.toHost();
            int previous = (world.rank() + world.size() - 1) % world.size();
            assertThat(arrived.getFloat(0)).isEqualTo(previous + 1f);
            assertThat(arrived.getFloat(COUNT - 1)).isEqualTo(previous + 1f);
            put.close();
            put.close();
            counts(0, before);
            assertThatThrownBy(() -> put.launch(ONE, destination, source, (long) COUNT))
                    .isInstanceOf(IllegalStateException.class);
            System.out.println("passed closed");

            // Kernels that wait need all their blocks at the same time.
            try (GpuKernel exchange = compiler.compile(Ring::exchange);
                    SymmetricArray signals = shmem.allocate(DataType.INT64, 1)) {
                assertThatThrownBy(() -> exchange.launch(
                                LaunchConfig.grid(1_000_000).block(64), stream, destination, source, 1L, signals, 1L))
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageMatching("(?s).*only \\d+ blocks of this shape run at the same time.*");
                assertThat(exchange.prepare(ONE, destination, source, 1L, signals, 1L)
                                .config()
                                .cooperative())
                        .isTrue();
            }
            counts(0, before);
            System.out.println("passed cooperative");

            // Without the connection.
            KernelCompiler<GpuKernel> plain = KernelCompiler.of(device);
            assertThatThrownBy(() -> plain.compile(Ring::put))
                    .isInstanceOf(KernelCompileException.class)
                    .hasMessageContaining("device unit nvshmem");
            KernelCompiler<GpuKernel> unconnected =
                    KernelCompiler.of(device, ShmemCompiler.codeOptions(CompileOptions.DEFAULT));
            assertThatThrownBy(() -> unconnected.compile(Ring::put))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("ShmemCompiler.of(Nvshmem)");
            counts(0, before);
            System.out.println("passed unconnected");

            // Everything ends with NVSHMEM.
            GpuKernel late = compiler.compile(Ring::put);
            PreparedLaunch prepared = late.prepare(ONE, destination, source, (long) COUNT);
            prepared.launch(stream);
            shmem.synchronize(stream);
            destination.close();
            source.close();
            shmem.close();
            if (isSimulated()) {
                assertThat(SimulatedGpus.get("modules")).isZero();
            }
            assertThatThrownBy(() -> prepared.launch(stream)).isInstanceOf(IllegalStateException.class);
            assertThatThrownBy(() -> late.launch(ONE, stream, destination, source, (long) COUNT))
                    .isInstanceOf(IllegalStateException.class);
            assertThatThrownBy(() -> compiler.compile(Ring::put)).isInstanceOf(IllegalStateException.class);
            late.close();
            System.out.println("passed ended");
        } catch (Throwable e) {
            e.printStackTrace();
            System.out.flush();
            Runtime.getRuntime().halt(1);
        }
    }
}
