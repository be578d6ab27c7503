// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.bench.operators;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Random;
import org.comm4j.core.Buffer;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.core.World;
import org.comm4j.core.launch.Launcher;
import org.comm4j.cuda.Device;
import org.comm4j.cuda.DeviceArray;
import org.comm4j.device.ShmemCompiler;
import org.comm4j.host.HostShmem;
import org.comm4j.kernel.CompileOptions;
import org.comm4j.kernel.CompiledKernel;
import org.comm4j.kernel.CpuOptions;
import org.comm4j.kernel.GpuKernel;
import org.comm4j.kernel.KernelCompiler;
import org.comm4j.kernel.lang.BF16Ptr;
import org.comm4j.kernel.lang.TensorMap;
import org.comm4j.nvshmem.Nvshmem;
import org.comm4j.test.Natives;

/** Rows of a product, uneven among PEs, beside plain Java on each PE. */
final class GatheredProductProgram {
    private GatheredProductProgram() {}

    public static void main(String[] args) {
        try (World world = World.join();
                Device device = Device.inTurn(world.localRank());
                Nvshmem shmem = Nvshmem.init(world, device);
                KernelCompiler<GpuKernel> compiler = ShmemCompiler.of(shmem, CompileOptions.DEFAULT.withSuffix("a"))) {
            Job job = new Job(shmem.myPe(), shmem.nPes(), 300, 520, 264);
            try (DeviceArray a = put(device, job.a);
                    DeviceArray b = put(device, job.b);
                    DeviceArray maps = device.allocate(DataType.INT8, 2L * TensorMap.BYTES);
                    Symmetric c = new Symmetric(shmem.allocate(DataType.FLOAT32, job.count()))) {
                shmem.barrierAll();
                job.run(compiler, maps, a, b, c.memory);
                shmem.barrierAll();
                job.check(c.memory.toHost());
            }
            System.out.println("passed");
        }
    }

    private record Symmetric(Buffer memory) implements AutoCloseable {
        @Override
        public void close() {
            try {
                ((AutoCloseable) memory).close();
            } catch (RuntimeException e) {
                throw e;
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        }
    }

    private static DeviceArray put(Device device, HostArray content) {
        DeviceArray array = device.allocate(content.type(), content.count());
        array.copyFrom(content);
        return array;
    }

    /** Runs it on so many GPUs; its output. */
    static String launch(int pes) {
        ByteArrayOutputStream output = new ByteArrayOutputStream();
        int code = Launcher.ranks(pes)
                .java(GatheredProductProgram.class.getName())
                .jvmOptions(Natives.passedOn(
                                "org.comm4j.nvshmem.library",
                                "org.comm4j.cuda.library",
                                "org.comm4j.nvrtc.library",
                                "org.comm4j.nvvm.library",
                                "org.comm4j.nvjitlink.library",
                                "org.comm4j.libdevice",
                                "org.comm4j.device.include")
                        .toArray(String[]::new))
                .environment("NVSHMEM_DISABLE_NVLS", "1")
                .environment("NVSHMEM_REMOTE_TRANSPORT", "none")
                .timeout(Duration.ofMinutes(3))
                .output(output, output)
                .run();
        return output.toString(StandardCharsets.UTF_8) + "exit code " + code;
    }

    /** Runs it on the CPU, in the threads of a world. */
    static void simulate(World world) {
        try (HostShmem shmem = HostShmem.init(world);
                KernelCompiler<CompiledKernel> compiler = ShmemCompiler.of(shmem, CpuOptions.fast())) {
            shmem.timeout(Duration.ofSeconds(60));
            Job job = new Job(shmem.myPe(), shmem.nPes(), 3, 18, 24);
            try (Symmetric c = new Symmetric(shmem.allocate(DataType.FLOAT32, job.count()))) {
                HostArray maps = HostArray.allocate(DataType.INT8, 2L * TensorMap.BYTES);
                shmem.barrierAll();
                job.run(compiler, maps, job.a, job.b, c.memory);
                shmem.barrierAll();
                job.check(c.memory.toHost());
                shmem.barrierAll();
            }
        }
    }

    /** A PE's part: PE p has p rows more than {@code rows}. */
    private static final class Job {
        private final int pe;
        private final int pes;
        private final int rows;
        private final int n;
        private final int k;
        private final HostArray a;
        private final HostArray b;

        Job(int pe, int pes, int rows, int n, int k) {
            this.pe = pe;
            this.pes = pes;
            this.rows = rows;
            this.n = n;
            this.k = k;
            a = numbers((long) (rows + pe) * k, pe);
            b = numbers((long) n * k, 100);
        }

        private static HostArray numbers(long count, int seed) {
            HostArray array = HostArray.allocate(DataType.BFLOAT16, count);
            Random random = new Random(seed);
            for (long i = 0; i < count; i++) {
                BF16Ptr.of(array).set(i, random.nextInt(-4, 5) / 4f);
            }
            return array;
        }

        private int first(int of) {
            return of * rows + of * (of - 1) / 2;
        }

        private long count() {
            return (long) first(pes) * n;
        }

        private void run(KernelCompiler<?> compiler, Buffer maps, Buffer left, Buffer right, Buffer c) {
            GatheredProduct.run(compiler, maps, left, right, c, first(pe), rows + pe, n, k);
        }

        private void check(HostArray c) {
            for (int other = 0; other < pes; other++) {
                HostArray theirs = numbers((long) (rows + other) * k, other);
                for (int i = 0; i < rows + other; i++) {
                    for (int j = 0; j < n; j++) {
                        double sum = 0;
                        for (int p = 0; p < k; p++) {
                            sum += (double) BF16Ptr.of(theirs).get((long) i * k + p)
                                    * BF16Ptr.of(b).get((long) j * k + p);
                        }
                        float found = c.getFloat((long) (first(other) + i) * n + j);
                        if (found != (float) sum) {
                            throw new AssertionError("PE " + pe + " has " + found + " from PE " + other + ", row " + i
                                    + ", column " + j + ", not " + sum);
                        }
                    }
                }
            }
        }
    }
}
