// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.device;

import java.io.IOException;
import java.time.Duration;
import java.util.Objects;
import org.comm4j.core.Buffer;
import org.comm4j.core.CommException;
import org.comm4j.core.Comparison;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.core.World;
import org.comm4j.cuda.CudaException;
import org.comm4j.cuda.Device;
import org.comm4j.cuda.LaunchConfig;
import org.comm4j.cuda.Stream;
import org.comm4j.host.HostShmem;
import org.comm4j.kernel.CompileOptions;
import org.comm4j.kernel.CompiledKernel;
import org.comm4j.kernel.CpuOptions;
import org.comm4j.kernel.GpuKernel;
import org.comm4j.kernel.KernelCompiler;
import org.comm4j.kernel.lang.I64Ptr;
import org.comm4j.kernel.lang.Kernel;
import org.comm4j.nvshmem.Nvshmem;
import org.jspecify.annotations.Nullable;

/**
 * What the PEs of {@link DeviceFaultContract} do. The arguments say where, what goes wrong, and which PE is to blame.
 */
final class FaultProgram {
    static final Duration LIMIT = Duration.ofSeconds(1);

    private static final LaunchConfig ONE = LaunchConfig.grid(1).block(1);
    private static final LaunchConfig BLOCK = LaunchConfig.grid(1).block(64);
    private static final int ROUNDS = 1_000_000_000;

    private FaultProgram() {}

    /** Spins in the kernel, for what the PE before this one does not send. */
    @Kernel
    static void await(I64Ptr signal) {
        Shmem.signalWaitUntil(signal, Comparison.EQ, 4711);
    }

    /** Meets the others, again and again. */
    @Kernel
    static void meet(I64Ptr count, int rounds) {
        for (int i = 0; i < rounds; i++) {
            ShmemBlock.syncAll();
            count.set(0, i);
        }
    }

    @Kernel
    static void toPe(I64Ptr destination, int pe) {
        Shmem.p(destination, 1L, pe);
    }

    /** Where the program runs. */
    private record Place(
            World world,
            @Nullable Nvshmem nvshmem,
            @Nullable HostShmem host,
            KernelCompiler<?> compiler) {
        private HostShmem onCpu() {
            return Objects.requireNonNull(host);
        }

        Nvshmem onGpu() {
            return Objects.requireNonNull(nvshmem);
        }

        int myPe() {
            return nvshmem != null ? nvshmem.myPe() : onCpu().myPe();
        }

        Buffer allocate(long count) {
            return nvshmem != null ? nvshmem.allocate(DataType.INT64, count) : onCpu().allocate(DataType.INT64, count);
        }

        void timeout(Duration timeout) {
            if (nvshmem != null) {
                nvshmem.timeout(timeout);
            } else {
                onCpu().timeout(timeout);
            }
        }

        void barrier() {
            if (nvshmem != null) {
                nvshmem.barrierAll();
            } else {
                onCpu().barrierAll();
            }
        }

        void close() {
            if (nvshmem != null) {
                nvshmem.close();
            } else {
                onCpu().close();
            }
        }
    }

    public static void main(String[] args) {
        World world = World.join();
        if (args[0].equals(DeviceProgram.GPU)) {
            Device device = Gpus.of(world);
            Nvshmem shmem = Nvshmem.init(world, device);
            CompileOptions options = CompileOptions.DEFAULT.withChecks();
            run(new Place(world, shmem, null, ShmemCompiler.of(shmem, options)), args[1], Integer.parseInt(args[2]));
            try {
                device.close();
            } catch (CudaException e) {
                System.out.println("device: " + e.getMessage());
            }
        } else {
            HostShmem shmem = HostShmem.init(world);
            KernelCompiler<?> compiler = ShmemCompiler.of(shmem, CpuOptions.fast());
            run(new Place(world, null, shmem, compiler), args[1], Integer.parseInt(args[2]));
        }
        System.out.println("survived");
        world.close();
    }

    private static void run(Place place, String fault, int culprit) {
        boolean guilty = place.myPe() == culprit;
        try (CompiledKernel await = place.compiler().compile(FaultProgram::await);
                CompiledKernel meet = place.compiler().compile(FaultProgram::meet);
                CompiledKernel toPe = place.compiler().compile(FaultProgram::toPe)) {
            Buffer word = place.allocate(1);
            place.barrier();
            if (guilty && fault.startsWith("killed")) {
                // The others are in their kernels.
                Thread.ofPlatform().daemon().start(() -> {
                    sleep(1500);
                    die();
                });
            }
            long start = System.nanoTime();
            try {
                switch (fault) {
                    case "killed in a wait" -> await.launch(ONE, word);
                    case "killed in a meeting" -> meet.launch(BLOCK, word, ROUNDS);
                    case "killed, in a stream" -> {
                        Nvshmem shmem = place.onGpu();
                        try (Stream stream = shmem.device().newStream()) {
                            ((GpuKernel) await).launch(ONE, stream, word);
                            shmem.synchronize(stream);
                        }
                    }
                    case "absent from a wait" -> absent(place, guilty, () -> await.launch(ONE, word));
                    case "absent from a meeting" -> absent(place, guilty, () -> meet.launch(BLOCK, word, 10));
                    case "no such PE" -> toPe.launch(ONE, word, culprit);
                    case "elsewhere" -> {
                        Buffer own = place.nvshmem() != null
                                ? place.onGpu().device().allocate(DataType.INT64, 1)
                                : HostArray.allocate(DataType.INT64, 1);
                        toPe.launch(ONE, own, culprit);
                    }
                    default -> throw new IllegalArgumentException(fault);
                }
                System.out.println("nothing was thrown");
            } catch (CommException e) {
                long millis = (System.nanoTime() - start) / 1_000_000;
                System.out.println("told after " + millis + " ms: " + said(e));
            }
        } catch (CudaException e) {
            // Where a kernel has failed, the driver says so to everything.
            System.out.println("still: " + e.getMessage());
        }
        long end = System.nanoTime();
        try {
            place.close();
        } catch (CommException e) {
            System.out.println("end: " + e.getMessage());
        }
        System.out.println("closed after " + (System.nanoTime() - end) / 1_000_000 + " ms");
    }

    private static String said(Throwable e) {
        StringBuilder text = new StringBuilder();
        for (Throwable each = e; each != null; each = each.getCause()) {
            text.append(each).append(" / ");
        }
        return text.toString().replace('\n', ' ');
    }

    private static void absent(Place place, boolean guilty, Runnable launch) {
        place.timeout(LIMIT);
        try {
            if (!guilty) {
                launch.run();
            }
        } finally {
            // The absent one lives, and does something else, until the others have been told.
            place.world().barrier();
        }
    }

    private static void sleep(long millis) {
        try {
            Thread.sleep(millis);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Without any end that Java could run. */
    private static void die() {
        try {
            new ProcessBuilder(
                            "kill", "-9", Long.toString(ProcessHandle.current().pid()))
                    .inheritIO()
                    .start()
                    .waitFor();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
