// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.cuda;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.comm4j.core.DataType;
import org.comm4j.test.Natives;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("gpu")
class GpuKernelTest extends KernelContract {
    private static byte[] cubin = new byte[0];

    @BeforeAll
    static void compile() {
        Gpu.require(1);
        Natives.use();
        assumeTrue(Nvrtc.problem() == null, Nvrtc::problem);
        try (Device device = Device.of(0)) {
            cubin = Nvrtc.compile(SOURCE, "scale.cu", device);
        }
    }

    @Override
    byte[] image() {
        return cubin;
    }

    private CudaFunction kernel(String name, String source) {
        return CudaModule.load(device, Nvrtc.compile(source, name + ".cu", device))
                .function(name);
    }

    @Test
    void ptxIsCompiledByTheDriver() {
        byte[] ptx = Nvrtc.compile(SOURCE, "scale.cu", "compute_90");
        assumeTrue(device.computeCapability().number() >= 90, "the PTX is for compute capability 9.0");
        try (CudaModule fromPtx = CudaModule.load(device, ptx)) {
            fromPtx.function("scale").launch(LaunchConfig.forElements(1000), stream, x, 1000, 2f);
            stream.synchronize();
            assertThat(x.toHost().toFloatArray()).containsOnly(6);
        }
    }

    /** Every block waits for every other one, which ends only if all run at the same time. */
    @Test
    void blocksOfACooperativeLaunchRunTogether() {
        CudaFunction meet = kernel("meet", """
                extern "C" __global__ void meet(unsigned *arrived, unsigned *after) {
                  if (threadIdx.x == 0) {
                    atomicAdd(arrived, 1);
                    while (atomicAdd(arrived, 0) < gridDim.x) {}
                    atomicAdd(after, 1);
                  }
                }
                """);
        int blocks = meet.residentBlocks(256, 0);
        try (DeviceArray counters = device.allocate(DataType.UINT32, 2)) {
            meet.launch(
                    LaunchConfig.grid(blocks).block(256).cooperatively(),
                    stream,
                    counters.slice(0, 1),
                    counters.slice(1, 1));
            stream.synchronize();
            assertThat(counters.toHost().getInt(1)).isEqualTo(blocks);
            assertThatThrownBy(() -> meet.launch(
                            LaunchConfig.grid(blocks + 1).block(256).cooperatively(),
                            stream,
                            counters.slice(0, 1),
                            counters.slice(1, 1)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("only " + blocks + " blocks");
        }
    }

    @Test
    void clustersHaveTheSizeThatWasAskedFor() {
        assumeTrue(device.properties().clusterLaunch(), "the device has no clusters");
        CudaFunction size = kernel("size", """
                extern "C" __global__ void size(unsigned *out) {
                  unsigned n;
                  asm("mov.u32 %0, %%cluster_nctaid.x;" : "=r"(n));
                  out[blockIdx.x] = n;
                }
                """);
        try (DeviceArray out = device.allocate(DataType.UINT32, 16)) {
            for (int cluster : new int[] {1, 2, 8, 16}) {
                size.launch(LaunchConfig.grid(16).block(32).cluster(cluster), stream, out);
                stream.synchronize();
                assertThat(out.toHost().toIntArray()).containsOnly(cluster);
            }
        }
    }

    @Test
    void argumentsOfAllKindsArrive() {
        CudaFunction arguments = kernel("arguments", """
                struct pair { double a; int b; };
                extern "C" __global__ void arguments(double *out, char c, short s, int i, long long l, float f, double d,
                                                     bool t, pair p) {
                  out[0] = c; out[1] = s; out[2] = i; out[3] = l; out[4] = f; out[5] = d; out[6] = t; out[7] = p.a; out[8] = p.b;
                }
                """);
        assertThat(arguments.parameterCount()).isEqualTo(9);
        try (Arena arena = Arena.ofConfined();
                DeviceArray out = device.allocate(DataType.FLOAT64, 9)) {
            MemorySegment pair = arena.allocate(16, 8);
            pair.set(ValueLayout.JAVA_DOUBLE, 0, 8.5);
            pair.set(ValueLayout.JAVA_INT, 8, 9);
            arguments.launch(LaunchConfig.grid(1), stream, out, (byte) -2, (short) 3, 4, 5L, 6.5f, 7.5, true, pair);
            stream.synchronize();
            assertThat(out.toHost().toDoubleArray()).containsExactly(-2, 3, 4, 5, 6.5, 7.5, 1, 8.5, 9);
        }
    }

    @Test
    void aLaunchIsQuick() {
        PreparedLaunch launch = scale.prepare(LaunchConfig.grid(1).block(32), x, 1, 1f);
        double best = Double.MAX_VALUE;
        for (int round = 0; round < 20; round++) {
            stream.synchronize();
            long start = System.nanoTime();
            for (int i = 0; i < 500; i++) {
                launch.launch(stream);
            }
            best = Math.min(best, (System.nanoTime() - start) / 500.0);
        }
        System.out.printf("prepared launch: %.2f microseconds of the host%n", best / 1000);
        assertThat(best).isLessThan(50_000);
    }

    @Test
    void arraysOfAnotherDeviceAreReached() {
        Gpu.require(2);
        try (Device peer = Device.of(1);
                DeviceArray there = peer.allocate(DataType.FLOAT32, 1000)) {
            assumeTrue(device.canAccess(peer), "device 0 cannot reach device 1");
            there.fill(3);
            scale.launch(LaunchConfig.forElements(1000), stream, there, 1000, 2f);
            stream.synchronize();
            assertThat(there.toHost().toFloatArray()).containsOnly(6);
        }
    }
}
