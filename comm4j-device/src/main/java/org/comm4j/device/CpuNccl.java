// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.device;

import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.comm4j.core.spi.Arguments.nonNull;

import java.lang.foreign.MemorySegment;
import java.util.IdentityHashMap;
import java.util.Objects;
import java.util.function.BooleanSupplier;
import org.comm4j.core.Buffer;
import org.comm4j.core.CommException;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.cuda.Stream;
import org.comm4j.host.HostShmem;
import org.comm4j.host.SymmetricArray;
import org.comm4j.kernel.lang.I64Ptr;
import org.comm4j.kernel.lang.I8Ptr;
import org.comm4j.nccl.DeviceNetwork;
import org.comm4j.nccl.DeviceRequirements;
import org.comm4j.nccl.DeviceResource;
import org.comm4j.nccl.Window;

/** The embedded engine's PEs, with memory as NCCL has it. */
final class CpuNccl extends NcclDevice {
    /** The memory of a symmetric array on all PEs. */
    private static final class Flat extends HostArray {
        private final Object of;
        private final BooleanSupplier open;

        Flat(MemorySegment all, Object of, BooleanSupplier open) {
            super(DataType.INT8, all);
            this.of = of;
            this.open = open;
        }

        @Override
        public boolean isAlive() {
            return super.isAlive() && open.getAsBoolean();
        }

        @Override
        public String toString() {
            return "the memory behind " + of + (isAlive() ? "" : ", which is closed,");
        }
    }

    /** Where a resource's memory begins, and its signals and counters. */
    private record Place(long memory, int signal, int counter) {}

    private final HostShmem shmem;
    private final SymmetricArray space;
    private final Memory resources;
    private final IdentityHashMap<DeviceResource, Place> places = new IdentityHashMap<>();
    private final DeviceNetwork network;
    /** Where the signals and counters are. */
    private final long networkPlace;

    private final int barriers;
    private final HostArray state = HostArray.allocate(DataType.INT64, 2);
    private final HostArray report = HostArray.allocate(DataType.INT64, 1);
    private final WaitLimit limit;
    private volatile boolean closed;

    CpuNccl(HostShmem shmem, DeviceRequirements requirements) {
        String operation = "NcclDevice.of(" + requirements + ")";
        if (requirements.needsMultimem()) {
            throw new UnsupportedOperationException(
                    operation + ": NVLink multicast is not available here: there is none on the CPU");
        }
        this.shmem = shmem;
        this.barriers = requirements.lsaBarriers();
        long bytes = unit(barrierBytes(barriers, shmem.nPes()));
        int signals = requirements.networkSignals();
        int counters = requirements.networkCounters();
        for (DeviceResource resource : requirements.resources()) {
            places.put(resource, new Place(bytes, signals, counters));
            signals += resource.signals();
            counters += resource.counters();
            bytes += unit(
                    switch (resource.kind()) {
                        case LSA_BARRIERS ->
                            barrierBytes(
                                    resource.count(),
                                    Objects.requireNonNull(resource.team()).size());
                        case LOW_LATENCY_ALL_TO_ALL -> LowLatencyAllToAll.bytes(resource.count(), resource.size());
                        default -> resource.size();
                    });
        }
        int contexts = requirements.needsNetwork() ? requirements.networkContexts() : 0;
        this.network = new DeviceNetwork(contexts, signals, counters, contexts == 0 ? "NONE" : "CPU");
        this.networkPlace = bytes;
        bytes += Long.BYTES * GinFunctions.words(contexts, signals, counters);
        this.space = shmem.allocate(DataType.INT8, Math.max(bytes, 1));
        space.fill(0);
        MemorySegment words = space.segment().asSlice(networkPlace);
        words.setAtIndex(JAVA_LONG, GinFunctions.STRIDE, shmem.memory().stride());
        words.setAtIndex(JAVA_LONG, GinFunctions.SIGNALS, signals);
        words.setAtIndex(JAVA_LONG, GinFunctions.COUNTERS, counters);
        this.resources = memory(space, this, () -> !closed && space.isAlive());
        this.limit = limit(I64Ptr.of(state), I64Ptr.of(report));
        start(shmem.timeout());
        // Others write to it from here on.
        shmem.barrierAll();
    }

    private static long unit(long bytes) {
        return (bytes + RESOURCE_UNIT - 1) / RESOURCE_UNIT * RESOURCE_UNIT;
    }

    private static long barrierBytes(int count, int size) {
        return 4L * count * (3 + size);
    }

    private Memory memory(HostArray mine, Object of, BooleanSupplier open) {
        MemorySegment all = shmem.memory().onAll(mine.segment());
        return new Memory(I8Ptr.of(new Flat(all, of, open)), shmem.memory().stride(), shmem.myPe(), shmem.nPes());
    }

    private void checkOpen(String operation) {
        if (closed || !shmem.memory().isOpen()) {
            throw new IllegalStateException(operation + " on " + this + ": it is closed");
        }
        check();
    }

    @Override
    public DeviceComm comm() {
        return new DeviceComm(shmem.myPe(), shmem.nPes(), shmem.myPe(), shmem.nPes());
    }

    @Override
    public LsaBarriers barriers() {
        checkOpen("barriers");
        if (barriers == 0) {
            throw notRequired("barriers", "LSA barriers were", "DeviceRequirements.lsaBarriers");
        }
        return barriers(resources, barriers, limit);
    }

    @Override
    Memory place(String operation, DeviceResource resource, DeviceResource.Kind kind) {
        return resources.at(place(operation, checked(operation, resource, kind)).memory);
    }

    private Place place(String operation, DeviceResource resource) {
        nonNull(resource, operation, "resource");
        checkOpen(operation);
        Place place = places.get(resource);
        if (place == null) {
            throw new IllegalArgumentException(operation + ": " + resource + " was not required of " + this);
        }
        return place;
    }

    @Override
    WaitLimit limit() {
        return limit;
    }

    @Override
    DeviceNetwork network(String operation) {
        checkOpen(operation);
        return network;
    }

    @Override
    I8Ptr networkState() {
        return mine(resources).plus(networkPlace);
    }

    /** This rank's. */
    private static I8Ptr mine(Memory memory) {
        return memory.flat().plus(memory.rank() * memory.stride());
    }

    @Override
    public int firstSignal(DeviceResource resource) {
        return place("firstSignal", resource).signal;
    }

    @Override
    public int firstCounter(DeviceResource resource) {
        return place("firstCounter", resource).counter;
    }

    @Override
    public GinWindow ginWindow(Window window) {
        throw gpuMemory("ginWindow", window);
    }

    @Override
    public GinWindow ginWindow(Buffer symmetric) {
        return new GinWindow(mine(memory("ginWindow", symmetric)), symmetric.byteSize());
    }

    private IllegalArgumentException gpuMemory(String operation, Window window) {
        nonNull(window, operation, "window");
        return new IllegalArgumentException(operation + " on " + this + ": " + window + " is memory of a GPU");
    }

    @Override
    public LsaWindow window(Window window) {
        throw gpuMemory("window", window);
    }

    @Override
    public LsaWindow window(Buffer symmetric) {
        return window(memory("window", symmetric), symmetric.byteSize());
    }

    private Memory memory(String operation, Buffer symmetric) {
        nonNull(symmetric, operation, "symmetric");
        checkOpen(operation);
        if (!(symmetric instanceof HostArray array) || !shmem.memory().isSymmetric(array.segment())) {
            throw new IllegalArgumentException(
                    operation + " on " + this + ": " + symmetric + " is not in the symmetric heap of " + shmem);
        }
        if (!array.isAlive()) {
            throw new IllegalStateException(operation + " on " + this + ": " + symmetric + " was freed");
        }
        return memory(array, array, array::isAlive);
    }

    @Override
    public I8Ptr multimem(Window window) {
        throw new UnsupportedOperationException(
                "multimem on " + this + ": NVLink multicast is not available here: there is none on the CPU");
    }

    @Override
    void limit(long nanos) {
        state.segment().set(JAVA_LONG, Long.BYTES, nanos);
    }

    @Override
    long reported() {
        return report.getLong(0);
    }

    @Override
    CommException failure(String message, int rank) {
        return CpuPe.inVain(shmem, message);
    }

    @Override
    public void synchronize(Stream stream) {
        throw new UnsupportedOperationException(
                "synchronize on " + this + ": there are no streams on the CPU; check()");
    }

    @Override
    public synchronized void close() {
        if (!closed) {
            closed = true;
            if (shmem.memory().isOpen()) {
                space.close();
            }
        }
    }

    @Override
    public String toString() {
        return "NcclDevice[rank " + shmem.myPe() + " of " + shmem.nPes() + (closed ? ", closed]" : "]");
    }
}
