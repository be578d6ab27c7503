// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.device;

import static org.comm4j.core.spi.Arguments.nonNull;

import java.time.Duration;
import java.util.Objects;
import org.comm4j.core.Buffer;
import org.comm4j.core.CommException;
import org.comm4j.core.spi.Arguments;
import org.comm4j.cuda.Stream;
import org.comm4j.host.HostShmem;
import org.comm4j.kernel.CompileOptions;
import org.comm4j.kernel.lang.I64Ptr;
import org.comm4j.kernel.lang.I8Ptr;
import org.comm4j.nccl.DeviceCommunicator;
import org.comm4j.nccl.DeviceNetwork;
import org.comm4j.nccl.DeviceRequirements;
import org.comm4j.nccl.DeviceResource;
import org.comm4j.nccl.NcclCommunicator;
import org.comm4j.nccl.RankTeam;
import org.comm4j.nccl.Window;

/**
 * NCCL's device communicator for kernels in Java: makes what kernels take as arguments of it, by value, and tells what
 * has gone wrong in them.
 *
 * <pre>{@code
 * @Kernel
 * static void allReduce(LsaBarriers barriers, LsaWindow x, int count) {
 *     barriers.sync(Coop.BLOCK, BlockIdx.x());
 *     ...
 *     float sum = 0;
 *     for (int rank = 0; rank < x.size(); rank++) {
 *         sum += x.pointer(rank).asF32().get(i);
 *     }
 *     ...
 * }
 *
 * try (NcclDevice nccl = NcclDevice.of(comm, DeviceRequirements.NONE.lsaBarriers(16));
 *         GpuKernel kernel = compiler.compile(AllReduce::allReduce)) {
 *     kernel.launch(LaunchConfig.grid(16).block(512), stream, nccl.barriers(), nccl.window(window), n);
 *     nccl.synchronize(stream);
 * }
 * }</pre>
 *
 * <p>Any compiler will do, and nothing is linked, but for kernels that use the {@linkplain Gin network}, which need
 * {@link #withGin}: kernels load and store the memory of the other ranks of the LSA team, those that this GPU reaches,
 * and follow NCCL's conventions of where what is. Fields whose places depend on NCCL's version are read by the host
 * when an argument is made. Kernels that wait for other ranks are launched cooperatively.
 *
 * <p><b>On the CPU</b> the same kernels run over the embedded engine, whose PEs are the ranks and all of one team.
 *
 * <p><b>Lifetimes.</b> A launch with something of a device communicator, window or communicator that was closed is an
 * {@link IllegalStateException}.
 *
 * <p><b>Failures.</b> A kernel waits for another rank at most {@link #timeout}. Then it gives up, and {@link #check}
 * and {@link #synchronize} throw an exception with the rank. What it computes then is undefined; this object, and what
 * it has made, are of no use any more.
 */
public abstract sealed class NcclDevice implements AutoCloseable permits GpuNccl, CpuNccl {
    /** Where NCCL's device code gets resources from: {@code ncclDevResourceHandle_t} counts these. */
    static final long RESOURCE_UNIT = 128;

    private static final Duration DEFAULT_TIMEOUT = Duration.ofSeconds(60);

    private Duration timeout = DEFAULT_TIMEOUT;

    NcclDevice() {}

    // ---- making ----

    /** Of a device communicator that others have made, and close. */
    public static NcclDevice of(DeviceCommunicator communicator) {
        nonNull(communicator, "NcclDevice.of", "communicator");
        return new GpuNccl(communicator, false);
    }

    /**
     * Collective: with a device communicator of its own ({@link NcclCommunicator#deviceCommunicator}).
     *
     * @throws UnsupportedOperationException if something is required that there is not: multicast where NVLink SHARP is
     *     off, or the network where NCCL finds none that kernels can use
     */
    public static NcclDevice of(NcclCommunicator communicator, DeviceRequirements requirements) {
        nonNull(communicator, "NcclDevice.of", "communicator");
        nonNull(requirements, "NcclDevice.of", "requirements");
        return GpuNccl.required(communicator, requirements);
    }

    /**
     * Collective: on the CPU, with each PE for a rank.
     *
     * @throws UnsupportedOperationException if multicast is required
     */
    public static NcclDevice of(HostShmem shmem, DeviceRequirements requirements) {
        nonNull(shmem, "NcclDevice.of", "shmem");
        nonNull(requirements, "NcclDevice.of", "requirements");
        return new CpuNccl(shmem, requirements);
    }

    /**
     * What a compiler for GPUs needs for kernels that use the network, {@link Gin}: {@code KernelCompiler.of(device,
     * NcclDevice.withGin(CompileOptions.DEFAULT))}. NCCL's functions are compiled from the headers of the loaded
     * version, once for a machine.
     *
     * @throws UnsupportedOperationException if headers of NCCL or CUDA are missing, or NCCL's are of another version;
     *     it says where they were looked for
     */
    public static CompileOptions withGin(CompileOptions options) {
        nonNull(options, "withGin", "options");
        return options.with(GinUnit.of(NcclHeaders.folder(), Headers.cuda()));
    }

    // ---- arguments of kernels ----

    /** Who this rank is. */
    public abstract DeviceComm comm();

    /**
     * The barriers that {@link DeviceRequirements#lsaBarriers} has asked for; if it has not, an {@link
     * IllegalArgumentException}.
     */
    public abstract LsaBarriers barriers();

    /**
     * Barriers of a team; an {@link IllegalArgumentException} if this is no resource of {@link
     * DeviceResource#lsaBarriers} that was required.
     */
    public final LsaBarriers barriers(DeviceResource resource) {
        nonNull(resource, "barriers", "resource");
        Memory place = place("barriers", resource, DeviceResource.Kind.LSA_BARRIERS);
        RankTeam team = Objects.requireNonNull(resource.team());
        return barriers(place.of(team), resource.count(), limit(team));
    }

    /**
     * An exchange; an {@link IllegalArgumentException} if this is no resource of {@link
     * DeviceResource#lowLatencyAllToAll} that was required.
     */
    public final LowLatencyAllToAll allToAll(DeviceResource resource) {
        nonNull(resource, "allToAll", "resource");
        Memory place = place("allToAll", resource, DeviceResource.Kind.LOW_LATENCY_ALL_TO_ALL);
        return new LowLatencyAllToAll(
                place.flat,
                place.stride,
                place.rank,
                place.size,
                resource.count(),
                Math.toIntExact(resource.size()),
                limit());
    }

    /**
     * Plain memory, zeros at first; an {@link IllegalArgumentException} if this is no resource of {@link
     * DeviceResource#of} that was required.
     */
    public final LsaWindow memory(DeviceResource resource) {
        nonNull(resource, "memory", "resource");
        return window(place("memory", resource, DeviceResource.Kind.MEMORY), resource.size());
    }

    // ---- the network ----

    /** {@link #gin(int, RankTeam)} of all ranks. */
    public final Gin gin(int context) {
        DeviceComm comm = comm();
        return gin(context, new RankTeam(comm.size(), comm.rank(), 1));
    }

    /**
     * A way over the network to the ranks of a team, if they are among those of {@link
     * DeviceRequirements#networkConnection}.
     *
     * @param context less than {@link #ginContexts}
     * @param team that this rank is in
     * @throws IndexOutOfBoundsException if there is no such context
     * @throws IllegalArgumentException if nothing was required that needs the network
     */
    public final Gin gin(int context, RankTeam team) {
        nonNull(team, "gin", "team");
        DeviceComm comm = comm();
        DeviceNetwork network = network("gin");
        if (network.contexts() == 0) {
            throw notRequired("gin", "contexts for the network were", "DeviceRequirements.network");
        }
        if (context < 0 || context >= network.contexts()) {
            throw new IndexOutOfBoundsException(
                    "gin on " + this + ": context " + context + " is not one of 0 to " + (network.contexts() - 1));
        }
        int first = comm.rank() - team.rank() * team.stride();
        int last = first + (team.size() - 1) * team.stride();
        if (first < 0 || last >= comm.size()) {
            throw new IllegalArgumentException("gin on " + this + ": of " + team + ", ranks " + first + " to " + last
                    + " are not all among the " + comm.size());
        }
        return new Gin(
                networkState(),
                context,
                team.rank(),
                team.size(),
                team.stride(),
                network.signals(),
                network.counters(),
                limit(team));
    }

    /** How many ways there are that do not wait for each other; as many as were required, or fewer. */
    public final int ginContexts() {
        return network("ginContexts").contexts();
    }

    /**
     * The number of the first signal of a resource of {@link DeviceResource#of} that was required with signals; the
     * others come behind it.
     */
    public abstract int firstSignal(DeviceResource resource);

    /**
     * The number of the first counter of a resource of {@link DeviceResource#of} that was required with counters; the
     * others come behind it.
     */
    public abstract int firstCounter(DeviceResource resource);

    /**
     * Barriers over the network.
     *
     * @param gin of the same team
     * @throws IllegalArgumentException if this is no resource of {@link DeviceResource#networkBarriers} that was
     *     required, or of another team
     * @throws UnsupportedOperationException on a GPU before NCCL 2.30.7, whose barriers have other signals
     */
    public final GinBarriers ginBarriers(Gin gin, DeviceResource resource) {
        nonNull(gin, "ginBarriers", "gin");
        nonNull(resource, "ginBarriers", "resource");
        checked("ginBarriers", resource, DeviceResource.Kind.NETWORK_BARRIERS);
        RankTeam team = Objects.requireNonNull(resource.team());
        if (team.rank() != gin.rank() || team.size() != gin.size() || team.stride() != gin.stride()) {
            throw new IllegalArgumentException(
                    "ginBarriers on " + this + ": " + resource + " is not of the team of " + gin);
        }
        return new GinBarriers(gin, firstSignal(resource), resource.count());
    }

    /**
     * A window, for the network.
     *
     * @throws IllegalArgumentException if it is one of another communicator
     * @throws IllegalStateException if it is closed
     */
    public abstract GinWindow ginWindow(Window window);

    /**
     * Memory that all ranks have, for the network: on the CPU, a part of a symmetric array of the embedded engine. On a
     * GPU there are windows for that.
     *
     * @throws IllegalArgumentException if it is other memory
     */
    public abstract GinWindow ginWindow(Buffer symmetric);

    // ---- memory that is loaded and stored ----

    /**
     * A window.
     *
     * @throws IllegalArgumentException if it is one of another communicator
     * @throws IllegalStateException if it is closed
     */
    public abstract LsaWindow window(Window window);

    /**
     * Memory that all ranks have: on the CPU, a part of a symmetric array of the embedded engine. On a GPU there are
     * windows for that.
     *
     * @throws IllegalArgumentException if it is other memory
     */
    public abstract LsaWindow window(Buffer symmetric);

    /**
     * A part of a window, the same one on all ranks or not.
     *
     * @throws IndexOutOfBoundsException if it is not in the window
     */
    public LsaWindow part(LsaWindow window, long offset, long bytes) {
        nonNull(window, "part", "window");
        if (offset < 0 || bytes < 0 || offset > window.bytes() - bytes) {
            throw new IndexOutOfBoundsException("part of a window on " + this + ": " + bytes + " bytes from byte "
                    + offset + " on are not in its " + window.bytes());
        }
        return new LsaWindow(window.flat().plus(offset), window.stride(), window.rank(), window.size(), bytes);
    }

    /**
     * Where kernels reach the windows of all of the LSA team at once ({@code ncclGetLsaMultimemPointer}).
     *
     * @throws UnsupportedOperationException where there is no NVLink multicast, or it was not required
     */
    public abstract I8Ptr multimem(Window window);

    // ---- waiting ----

    /** How long a kernel waits for another rank; that of the communicator, else a minute. */
    public synchronized Duration timeout() {
        return timeout;
    }

    /**
     * Sets how long kernels that have not begun yet wait for another rank; {@link Duration#ZERO}: for good. Waits for
     * what is under way.
     */
    public synchronized void timeout(Duration timeout) {
        limit(Arguments.timeoutNanos(timeout, "timeout"));
        this.timeout = timeout;
    }

    final void start(Duration inherited) {
        timeout(inherited.isZero() ? DEFAULT_TIMEOUT : inherited);
    }

    abstract void limit(long nanos);

    abstract long reported();

    /** What to throw when a kernel has waited for this rank in vain; for any, if it is below 0. */
    abstract CommException failure(String message, int rank);

    /**
     * Throws what kernels that have ended have told.
     *
     * @throws org.comm4j.core.RankFailedException if a kernel has given up because a rank died
     * @throws org.comm4j.core.CommTimeoutException if a kernel has given up and nobody died
     * @throws IndexOutOfBoundsException if a kernel has used a barrier, block or element that there is not
     */
    public void check() {
        long code = reported();
        if (code == 0) {
            return;
        }
        int index = WaitLimit.index(code);
        int rank = WaitLimit.rank(code);
        switch (WaitLimit.what(code)) {
            case WaitLimit.BARRIER ->
                throw failure(
                        "LSA barrier " + index + " on " + this + ": a kernel has waited " + timeout() + " for rank "
                                + rank + " in vain: it must come to the same barriers as often",
                        rank);
            case WaitLimit.ELEMENT ->
                throw failure(
                        "low-latency exchange on " + this + ": a kernel has waited " + timeout() + " for element "
                                + index + " of rank " + rank + " in vain",
                        rank);
            case WaitLimit.NETWORK_BARRIER ->
                throw failure(
                        "network barrier " + index + " on " + this + ": a kernel has waited " + timeout() + " for rank "
                                + rank + " in vain: it must come to the same barriers as often",
                        rank);
            case WaitLimit.SIGNAL ->
                throw failure(
                        "signal " + index + " on " + this + ": a kernel has waited " + timeout() + " in vain", -1);
            case WaitLimit.COUNTER ->
                throw failure(
                        "counter " + index + " on " + this + ": a kernel has waited " + timeout() + " in vain", -1);
            case WaitLimit.NO_PEER -> throw outside("rank " + index + " of the team of a Gin", "ranks");
            case WaitLimit.NO_SIGNAL -> throw outside("signal " + index, "signals");
            case WaitLimit.NO_COUNTER -> throw outside("counter " + index, "counters");
            case WaitLimit.NO_NETWORK_BARRIER -> throw outside("network barrier " + index, "networkBarriers");
            case WaitLimit.NOT_INSIDE ->
                throw new IndexOutOfBoundsException("a kernel on " + this
                        + " has used memory that is not all in its window, from byte " + index + " on");
            case WaitLimit.NO_BARRIER -> throw outside("LSA barrier " + index, "lsaBarriers");
            case WaitLimit.NO_BLOCK -> throw outside("block " + index + " of a low-latency exchange", "blocks");
            case WaitLimit.NO_ELEMENT -> throw outside("element " + index + " of a low-latency exchange", "slots");
            default -> throw outside("rank " + index + " of the team of a low-latency exchange", "ranks");
        }
    }

    private IndexOutOfBoundsException outside(String what, String of) {
        return new IndexOutOfBoundsException("a kernel on " + this + " has used " + what
                + ", which there is not: not so many " + of + " were required");
    }

    /**
     * Waits for the work in {@code stream}, and does {@link #check}; on the CPU there are no streams, and nothing is
     * waited for.
     */
    public abstract void synchronize(Stream stream);

    /**
     * Collective, if it has a device communicator of its own; when no kernel uses it any more. Closing twice is fine.
     */
    @Override
    public abstract void close();

    // ---- how ----

    /** Resources as kernels see them. */
    record Memory(I8Ptr flat, long stride, int rank, int size) {
        /** As a team counts them that this rank is in. */
        Memory of(RankTeam team) {
            return new Memory(
                    flat.plus((rank - (long) team.rank() * team.stride()) * stride),
                    team.stride() * stride,
                    team.rank(),
                    team.size());
        }

        Memory at(long bytes) {
            return new Memory(flat.plus(bytes), stride, rank, size);
        }
    }

    static LsaBarriers barriers(Memory memory, int count, WaitLimit limit) {
        return new LsaBarriers(memory.flat, memory.stride, memory.rank, memory.size, count, limit);
    }

    static LsaWindow window(Memory memory, long bytes) {
        return new LsaWindow(memory.flat, memory.stride, memory.rank, memory.size, bytes);
    }

    /** Where the memory of a resource is; says so if it was not required. */
    abstract Memory place(String operation, DeviceResource resource, DeviceResource.Kind kind);

    /** Of the team of all ranks that are reached. */
    abstract WaitLimit limit();

    /** What there is of the network. */
    abstract DeviceNetwork network(String operation);

    /** What kernels find it by. */
    abstract I8Ptr networkState();

    WaitLimit limit(I64Ptr state, I64Ptr report) {
        DeviceComm comm = comm();
        return new WaitLimit(state, report, comm.rank() - comm.lsaRank(), 1);
    }

    /** Of another team. */
    private WaitLimit limit(RankTeam team) {
        WaitLimit all = limit();
        return new WaitLimit(all.state(), all.report(), comm().rank() - team.rank() * team.stride(), team.stride());
    }

    DeviceResource checked(String operation, DeviceResource resource, DeviceResource.Kind kind) {
        if (resource.kind() != kind) {
            throw new IllegalArgumentException(operation + " on " + this + ": " + resource + " is something else");
        }
        return resource;
    }

    IllegalArgumentException notRequired(String operation, Object what, String how) {
        return new IllegalArgumentException(
                operation + " on " + this + ": no " + what + " required; ask for them with " + how);
    }
}
