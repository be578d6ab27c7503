// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.device;

import static org.comm4j.core.spi.Arguments.nonNull;

import java.time.Duration;
import java.util.IdentityHashMap;
import java.util.Set;
import java.util.function.BooleanSupplier;
import org.comm4j.core.Buffer;
import org.comm4j.core.CommException;
import org.comm4j.core.CommTimeoutException;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.core.RankFailedException;
import org.comm4j.cuda.Device;
import org.comm4j.cuda.DeviceArray;
import org.comm4j.cuda.PinnedArray;
import org.comm4j.cuda.Stream;
import org.comm4j.kernel.lang.I64Ptr;
import org.comm4j.kernel.lang.I8Ptr;
import org.comm4j.nccl.CommProperties;
import org.comm4j.nccl.DeviceCommunicator;
import org.comm4j.nccl.DeviceNetwork;
import org.comm4j.nccl.DeviceRequirements;
import org.comm4j.nccl.DeviceResource;
import org.comm4j.nccl.LsaBarrierHandle;
import org.comm4j.nccl.LsaMemory;
import org.comm4j.nccl.Nccl;
import org.comm4j.nccl.NcclCommunicator;
import org.comm4j.nccl.NcclVersion;
import org.comm4j.nccl.Window;
import org.jspecify.annotations.Nullable;

/** NCCL's ranks. */
final class GpuNccl extends NcclDevice {
    private static final NcclVersion PROPERTIES_SINCE = new NcclVersion(2, 29, 2);

    /** Before, a barrier over the network had one signal, not one for each rank. */
    private static final NcclVersion SIGNALS_OF_BARRIERS_SINCE = new NcclVersion(2, 30, 7);

    /** How long the host waits beyond what kernels do. */
    private static final Duration GRACE = Duration.ofSeconds(5);

    /**
     * The memory behind a window or a device communicator, on all ranks: alive as long as that is open, and in use when
     * {@code whole} is.
     */
    private static final class Flat extends DeviceArray {
        private final Object of;
        private final BooleanSupplier open;

        Flat(DeviceArray whole, long address, long bytes, Object of, BooleanSupplier open) {
            super(whole, DataType.INT8, address, bytes);
            this.of = of;
            this.open = open;
        }

        @Override
        public boolean isAlive() {
            return super.isAlive() && open.getAsBoolean();
        }

        /** NCCL has mapped it for this device. */
        @Override
        protected void reachFrom(Device other) {
            throw new IllegalArgumentException(
                    this + " was made for kernels of " + device() + ", and is for none of " + other);
        }

        @Override
        public String toString() {
            return "the memory behind " + of + (open.getAsBoolean() ? "" : ", which is closed,");
        }
    }

    private final DeviceCommunicator communicator;
    private final boolean owned;
    private final NcclCommunicator ranks;
    private final DeviceComm comm;
    /** What kernels have waited for in vain, and how long they wait. */
    private final DeviceArray state;

    private final PinnedArray report;
    private final WaitLimit limit;
    private final Memory resources;
    /** Whose places have been read from the GPU. */
    private final IdentityHashMap<Window, LsaWindow> windows = new IdentityHashMap<>();

    /** NCCL's struct, for kernels that use the network. */
    private @Nullable DeviceArray struct;

    private boolean closed;

    GpuNccl(DeviceCommunicator communicator, boolean owned) {
        this.communicator = communicator;
        this.owned = owned;
        this.ranks = communicator.communicator();
        // Before anything is allocated: it may be of a version that is not known.
        LsaMemory memory = communicator.resources();
        Device device = ranks.device();
        this.comm = new DeviceComm(ranks.rank(), ranks.size(), memory.rank(), memory.size());
        this.state = device.allocate(DataType.INT64, 2);
        state.fill(0);
        this.report = device.allocatePinned(DataType.INT64, 1);
        report.fill(0);
        this.limit = limit(I64Ptr.of(state), I64Ptr.of(report));
        this.resources = memory(memory, state, 0, communicator, communicator::isOpen);
        start(ranks.timeout());
    }

    /** With a device communicator of its own, if there is what is required. */
    static GpuNccl required(NcclCommunicator ranks, DeviceRequirements requirements) {
        String operation = "NcclDevice.of(" + requirements + ")";
        if (requirements.needsMultimem()) {
            checkMultimem(operation, ranks);
        }
        if (requirements.needsNetwork()) {
            checkNetwork(operation, ranks);
        }
        DeviceCommunicator made = ranks.deviceCommunicator(requirements);
        try {
            if (requirements.needsNetwork() && usable(operation, made.network()).contexts() == 0) {
                throw noNetwork(operation, "NCCL has connected the ranks of " + ranks + " by no context");
            }
            return new GpuNccl(made, true);
        } catch (UnsupportedOperationException e) {
            made.close();
            throw e;
        }
    }

    /** As far as NCCL tells before a device communicator is made. */
    private static void checkNetwork(String operation, NcclCommunicator ranks) {
        if (Nccl.version().compareTo(PROPERTIES_SINCE) < 0) {
            return;
        }
        CommProperties properties = ranks.properties();
        if (properties.ginType().equals("NONE") && Set.of("NONE", "unknown").contains(properties.railedGinType())) {
            throw noNetwork(operation, "ginType of " + ranks + " is NONE");
        }
    }

    /** What a device communicator got, if kernels in Java can use it. */
    private static DeviceNetwork usable(String operation, DeviceNetwork network) {
        if (network.type().equals("EFA_GDA")) {
            throw new UnsupportedOperationException(
                    operation + ": kernels in Java have no functions for a network of type " + network.type()
                            + "; with NCCL 2.31.2 and newer, DeviceRequirements.networkType(2) asks for the way by the"
                            + " host");
        }
        return network;
    }

    private static UnsupportedOperationException noNetwork(String operation, String why) {
        return new UnsupportedOperationException(
                operation + ": no network that kernels can use (GIN) is available here: "
                        + why
                        + ". It needs InfiniBand, RoCE or another network with a plugin for GIN, and NCCL_GIN_ENABLE"
                        + " not to be 0; the ranks that this GPU reaches are reached by LsaWindow");
    }

    private static void checkMultimem(String operation, NcclCommunicator ranks) {
        String off = "0".equals(System.getenv("NCCL_NVLS_ENABLE"))
                ? "NCCL_NVLS_ENABLE=0"
                : Nccl.version().compareTo(PROPERTIES_SINCE) >= 0
                                && !ranks.properties().multimem()
                        ? "NCCL does not find it between the GPUs of " + ranks
                        : null;
        if (off != null) {
            throw new UnsupportedOperationException(operation + ": NVLink multicast is not available here: " + off
                    + "; loads and stores of " + "LsaWindow.pointer reach the ranks one by one");
        }
    }

    private static Memory memory(LsaMemory memory, DeviceArray whole, long bytes, Object of, BooleanSupplier open) {
        long all = (memory.size() - 1) * memory.stride() + bytes;
        I8Ptr flat = I8Ptr.of(new Flat(whole, memory.base(), all, of, open));
        return new Memory(flat, memory.stride(), memory.rank(), memory.size());
    }

    private void checkOpen(String operation) {
        if (closed || !communicator.isOpen()) {
            throw new IllegalStateException(operation + " on " + this + ": it is closed");
        }
        check();
    }

    @Override
    public DeviceComm comm() {
        return comm;
    }

    @Override
    public LsaBarriers barriers() {
        checkOpen("barriers");
        LsaBarrierHandle handle = communicator.lsaBarriers();
        if (handle.count() == 0) {
            throw notRequired("barriers", "LSA barriers were", "DeviceRequirements.lsaBarriers");
        }
        return barriers(resources.at(offset(handle.buffer())), handle.count(), limit);
    }

    private static long offset(int buffer) {
        return Integer.toUnsignedLong(buffer) * RESOURCE_UNIT;
    }

    @Override
    Memory place(String operation, DeviceResource resource, DeviceResource.Kind kind) {
        checkOpen(operation);
        checked(operation, resource, kind);
        return resources.at(offset(communicator.allocation(resource).buffer()));
    }

    @Override
    WaitLimit limit() {
        return limit;
    }

    @Override
    DeviceNetwork network(String operation) {
        checkOpen(operation);
        return usable(operation + " on " + this, communicator.network());
    }

    @Override
    I8Ptr networkState() {
        synchronized (this) {
            if (struct == null) {
                DeviceArray copy = ranks.device()
                        .allocate(DataType.INT8, communicator.struct().byteSize());
                copy.copyFrom(HostArray.wrap(communicator.struct(), DataType.INT8));
                struct = copy;
            }
            return I8Ptr.of(new Flat(struct, struct.address(), struct.byteSize(), communicator, communicator::isOpen));
        }
    }

    @Override
    public int firstSignal(DeviceResource resource) {
        nonNull(resource, "firstSignal", "resource");
        checkOpen("firstSignal");
        if (resource.kind() == DeviceResource.Kind.NETWORK_BARRIERS
                && Nccl.version().compareTo(SIGNALS_OF_BARRIERS_SINCE) < 0) {
            throw new UnsupportedOperationException("barriers over the network on " + this + " need NCCL "
                    + SIGNALS_OF_BARRIERS_SINCE + " or newer; loaded: " + Nccl.version());
        }
        return communicator.allocation(resource).firstSignal();
    }

    @Override
    public int firstCounter(DeviceResource resource) {
        nonNull(resource, "firstCounter", "resource");
        checkOpen("firstCounter");
        return communicator.allocation(resource).firstCounter();
    }

    @Override
    public GinWindow ginWindow(Window window) {
        nonNull(window, "ginWindow", "window");
        checkWindow("ginWindow", window);
        DeviceArray memory = window.memory();
        // A handle is an address that only NCCL looks behind.
        Flat handle = new Flat(memory, window.handle().address(), 1, window, window::isOpen);
        return new GinWindow(I8Ptr.of(handle), memory.byteSize());
    }

    @Override
    public GinWindow ginWindow(Buffer symmetric) {
        nonNull(symmetric, "ginWindow", "symmetric");
        throw notWindow("ginWindow", symmetric);
    }

    @Override
    public LsaWindow window(Window window) {
        nonNull(window, "window", "window");
        checkWindow("window", window);
        synchronized (windows) {
            LsaWindow known = windows.get(window);
            if (known == null) {
                windows.keySet().removeIf(each -> !each.isOpen());
                long bytes = window.memory().byteSize();
                known = window(memory(window.lsaMemory(), window.memory(), bytes, window, window::isOpen), bytes);
                windows.put(window, known);
            }
            return known;
        }
    }

    private void checkWindow(String operation, Window window) {
        checkOpen(operation);
        if (window.communicator() != ranks) {
            throw new IllegalArgumentException(
                    operation + " on " + this + ": " + window + " is of another communicator");
        }
        if (!window.isOpen()) {
            throw new IllegalStateException(operation + " on " + this + ": " + window + " is closed");
        }
    }

    @Override
    public LsaWindow window(Buffer symmetric) {
        nonNull(symmetric, "window", "symmetric");
        throw notWindow("window", symmetric);
    }

    private IllegalArgumentException notWindow(String operation, Buffer symmetric) {
        return new IllegalArgumentException(operation + " on " + this + ": " + symmetric
                + " is not a window; NcclCommunicator.registerWindow makes one of memory of the GPU");
    }

    @Override
    public I8Ptr multimem(Window window) {
        nonNull(window, "multimem", "window");
        checkWindow("multimem", window);
        checkMultimem("multimem on " + this, ranks);
        LsaMemory memory = new LsaMemory(window.multimemAddress(0), 0, 0, 1);
        return memory(memory, window.memory(), window.memory().byteSize(), window, window::isOpen)
                .flat();
    }

    @Override
    void limit(long nanos) {
        state.slice(1, 1).copyFrom(HostArray.of(nanos));
    }

    @Override
    long reported() {
        return report.getLong(0);
    }

    @Override
    CommException failure(String message, int rank) {
        return ranks.failedRanks().stream()
                .filter(failed -> rank < 0 || failed == rank)
                .findFirst()
                .<CommException>map(failed -> new RankFailedException(failed, message))
                .orElseGet(() -> new CommTimeoutException(message));
    }

    @Override
    public void synchronize(Stream stream) {
        nonNull(stream, "synchronize", "stream");
        Duration most = timeout();
        try {
            ranks.synchronize(
                    stream, most.isZero() ? most : most.multipliedBy(2).plus(GRACE));
        } catch (CommException e) {
            check();
            throw e;
        }
        check();
    }

    @Override
    public synchronized void close() {
        if (!closed) {
            closed = true;
            if (owned) {
                communicator.close();
            }
            state.close();
            report.close();
            if (struct != null) {
                struct.close();
            }
        }
    }

    @Override
    public String toString() {
        return "NcclDevice[rank " + comm.rank() + " of " + comm.size() + (closed ? ", closed]" : "]");
    }
}
