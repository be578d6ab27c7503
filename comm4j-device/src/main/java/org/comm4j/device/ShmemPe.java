// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.device;

import static org.comm4j.core.spi.Arguments.nonNull;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.comm4j.core.Buffer;
import org.comm4j.core.DataType;
import org.comm4j.core.World;
import org.comm4j.cuda.Cuda;
import org.comm4j.cuda.Device;
import org.comm4j.host.HostShmem;
import org.comm4j.kernel.CpuOptions;
import org.comm4j.kernel.KernelCompiler;
import org.comm4j.nvshmem.Nvshmem;
import org.jspecify.annotations.Nullable;

/**
 * This process as a PE of kernels that communicate, for programs that run alike on GPUs and without: symmetric arrays,
 * a compiler, barriers. What only one of the two can do is in {@link Nvshmem} and {@link HostShmem}.
 *
 * <pre>{@code
 * try (World world = World.join();
 *         ShmemPe pe = ShmemPe.of(world);
 *         CompiledKernel ring = pe.compiler().compile(Program::ring)) {
 *     Buffer x = pe.allocate(DataType.FLOAT32, n);
 *     pe.barrier();
 *     ring.launch(LaunchConfig.grid(1).block(256), x, n);
 *     pe.barrier();
 * }
 * }</pre>
 */
public final class ShmemPe implements AutoCloseable {
    private final World world;
    private final @Nullable Nvshmem nvshmem;
    private final @Nullable HostShmem host;
    private final KernelCompiler<?> compiler;
    /** What this has opened, the last one first to be closed. */
    private final List<AutoCloseable> own = new ArrayList<>();

    private boolean closed;

    private ShmemPe(World world, @Nullable Nvshmem nvshmem, @Nullable HostShmem host, KernelCompiler<?> compiler) {
        this.world = world;
        this.nvshmem = nvshmem;
        this.host = host;
        this.compiler = compiler;
    }

    /** Collective: with a GPU for each PE, where all of them have one and NVSHMEM; else on the CPU. */
    public static ShmemPe of(World world) {
        nonNull(world, "ShmemPe.of", "world");
        String problem = problem(world);
        for (byte[] each : world.exchange("comm4j-shmem-pe", problem.getBytes(StandardCharsets.UTF_8))) {
            if (each.length > 0) {
                return onCpu(world, CpuOptions.ofProcess());
            }
        }
        Device device = Device.of(world.localRank());
        ShmemPe pe = onGpu(world, device);
        pe.own.addFirst(device);
        return pe;
    }

    /**
     * Collective: on this GPU, which several PEs of a host may share by CUDA's Multi-Process Service. The device stays
     * open when this is closed.
     */
    public static ShmemPe onGpu(World world, Device device) {
        nonNull(world, "onGpu", "world");
        nonNull(device, "onGpu", "device");
        Nvshmem shmem = Nvshmem.init(world, device);
        ShmemPe pe = new ShmemPe(world, shmem, null, ShmemCompiler.of(shmem));
        pe.own.add(shmem);
        pe.own.add(pe.compiler);
        return pe;
    }

    /** Collective: on the CPU, also where there are GPUs; with {@link CpuOptions#debug} for a debugger. */
    public static ShmemPe onCpu(World world, CpuOptions options) {
        nonNull(options, "onCpu", "options");
        HostShmem shmem = HostShmem.init(world);
        ShmemPe pe = new ShmemPe(world, null, shmem, ShmemCompiler.of(shmem, options));
        pe.own.add(shmem);
        pe.own.add(pe.compiler);
        return pe;
    }

    /** Why this PE has no GPU; empty if it has one. */
    private static String problem(World world) {
        String problem = Nvshmem.problem();
        if (problem != null) {
            return problem;
        }
        return Cuda.deviceCount() < world.localSize() ? "there are fewer GPUs than PEs" : "";
    }

    /** Returns the world whose ranks are the PEs. */
    public World world() {
        return world;
    }

    public int myPe() {
        return nvshmem != null ? nvshmem.myPe() : host().myPe();
    }

    public int nPes() {
        return nvshmem != null ? nvshmem.nPes() : host().nPes();
    }

    public boolean onGpu() {
        return nvshmem != null;
    }

    /** The GPU's name, or {@code CPU}. */
    public String where() {
        return nvshmem != null ? nvshmem.device().name() : "CPU";
    }

    /**
     * For what only GPUs have: streams, teams, atomics of the host.
     *
     * @throws IllegalStateException on the CPU
     */
    public Nvshmem nvshmem() {
        if (nvshmem == null) {
            throw new IllegalStateException(this + " has no NVSHMEM: it is on the CPU");
        }
        return nvshmem;
    }

    /**
     * For what only the CPU has: the heaps of all PEs as memory of this process.
     *
     * @throws IllegalStateException on a GPU
     */
    public HostShmem host() {
        if (host == null) {
            throw new IllegalStateException(this + " has no memory of the host for its heap: it is on a GPU");
        }
        return host;
    }

    /** Of kernels that call {@link Shmem}; a launch returns when the kernel is done. It is closed with this. */
    public KernelCompiler<?> compiler() {
        return compiler;
    }

    /** Collective: zeroed elements that all PEs have; all pass the same. They are freed when this is closed. */
    public Buffer allocate(DataType type, long count) {
        if (nvshmem != null) {
            var array = nvshmem.allocate(type, count);
            own.add(array);
            return array;
        }
        var array = host().allocate(type, count);
        own.add(array);
        return array;
    }

    /**
     * Returns when all PEs have called it. Memory that kernels, launches without a stream, and copies have written
     * before is then as they wrote it, on all PEs.
     */
    public void barrier() {
        if (nvshmem != null) {
            nvshmem.barrierAll();
        } else {
            host().barrierAll();
        }
    }

    /**
     * How long kernels, and this PE itself, wait for other PEs; {@link Duration#ZERO} for good. At first as the world
     * says ({@code COMM4J_TIMEOUT}).
     */
    public void timeout(Duration timeout) {
        if (nvshmem != null) {
            nvshmem.timeout(timeout);
        } else {
            host().timeout(timeout);
        }
    }

    /** Collective: {@link PeerCollectives} of these PEs; closed with this. */
    public PeerCollectives collectives() {
        PeerCollectives peers = nvshmem != null ? PeerCollectives.of(nvshmem) : PeerCollectives.of(host());
        own.add(peers);
        return peers;
    }

    /**
     * Collective: frees what was allocated and ends NVSHMEM or the embedded engine in this process. A second time it
     * does nothing.
     */
    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        RuntimeException failure = null;
        for (AutoCloseable each : own.reversed()) {
            try {
                each.close();
            } catch (Exception e) {
                RuntimeException thrown = e instanceof RuntimeException known ? known : new IllegalStateException(e);
                if (failure == null) {
                    failure = thrown;
                } else {
                    failure.addSuppressed(thrown);
                }
            }
        }
        if (failure != null) {
            throw failure;
        }
    }

    @Override
    public String toString() {
        return "ShmemPe[" + (nvshmem != null ? nvshmem : host) + "]";
    }
}
