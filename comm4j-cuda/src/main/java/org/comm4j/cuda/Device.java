// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.cuda;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.comm4j.core.spi.Arguments.nonNull;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.Collections;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import org.comm4j.core.CommException;
import org.comm4j.core.CommTimeoutException;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.core.spi.RefCount;
import org.comm4j.core.spi.Rehearsal;
import org.comm4j.ffi.NativeCallException;
import org.comm4j.ffi.cuda.LibCuda;
import org.comm4j.ffi.handle.CUcontext;
import org.comm4j.ffi.handle.CUmemoryPool;
import org.jspecify.annotations.Nullable;

/**
 * A GPU. It works in the device's primary context, the one that the CUDA run-time library, NCCL and NVSHMEM use, which
 * it keeps alive until {@link #close}. Several objects for one device, and several threads using one object, are fine.
 *
 * <p>Streams, arrays and so on that were made here belong to the device and are closed with it.
 */
public final class Device implements AutoCloseable {
    private final int ordinal;
    private final int handle;
    private final CUcontext context;
    private final String name;
    private final ComputeCapability computeCapability;
    private final DeviceProperties properties;
    private final Set<Resource> resources = ConcurrentHashMap.newKeySet();

    /** Devices whose memory this one has been given access to; asking the driver again would cost an exception. */
    private final Set<Device> reached = Collections.synchronizedSet(Collections.newSetFromMap(new WeakHashMap<>()));

    private final DeviceHeap heap = new DeviceHeap(this);
    private final Stream legacy;

    /** The ends of streams that somebody may ask for: they know the end of the device. */
    private final Set<Tail> tails = Collections.synchronizedSet(Collections.newSetFromMap(new WeakHashMap<>()));

    /** What keeps the context: calls that are under way, objects that were made here, what was closed and is in use. */
    private final RefCount users = new RefCount(this::letContextGo);

    private final ReentrantLock closing = new ReentrantLock();
    /** Whether a close that is not complete keeps the context; guarded by {@link #closing}. */
    private boolean isClosing;

    /** How many contexts were let go. */
    private static final AtomicLong RELEASED = new AtomicLong();

    /** Devices of this process with work that may never end, by their numbers. */
    private static final Set<Integer> ABANDONED = ConcurrentHashMap.newKeySet();

    private Device(int ordinal, int handle, CUcontext context) {
        this.ordinal = ordinal;
        this.handle = handle;
        this.context = context;
        this.name = text("ask for the name", 256, text -> LibCuda.cuDeviceGetName(text, 256, handle));
        this.computeCapability = new ComputeCapability(
                attribute(LibCuda.CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR),
                attribute(LibCuda.CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR));
        this.properties = DeviceProperties.of(this);
        this.legacy = Stream.legacy(this);
    }

    /**
     * Returns the devices in turn, for ranks that may be more than there are devices: those that share one need CUDA's
     * Multi-Process Service ({@code nvidia-cuda-mps-control -d}) where their kernels wait for each other's.
     *
     * @param localRank from 0, among the ranks of this host
     * @throws CommException without a driver
     */
    public static Device inTurn(int localRank) {
        return of(localRank % Math.max(1, Cuda.deviceCount()));
    }

    /**
     * Opens a device ({@code cuDevicePrimaryCtxRetain}).
     *
     * @param ordinal from 0, among the devices that {@code CUDA_VISIBLE_DEVICES} leaves
     * @throws IndexOutOfBoundsException if there is no such device
     * @throws CommException without a driver
     */
    public static Device of(int ordinal) {
        Cuda.require();
        if (ordinal < 0 || ordinal >= Cuda.deviceCount()) {
            throw new IndexOutOfBoundsException("there is no device " + ordinal + ": this process sees "
                    + Cuda.deviceCount() + " (CUDA_VISIBLE_DEVICES decides)");
        }
        Rehearsal.begin(Rehearsal.DEVICE);
        String what = "open device " + ordinal;
        int handle = Cuda.intFrom(what, cell -> LibCuda.cuDeviceGet(cell, ordinal));
        long context = Cuda.longFrom(what, cell -> LibCuda.cuDevicePrimaryCtxRetain(cell, handle));
        IdlePools.of(ordinal).open();
        try {
            return new Device(ordinal, handle, new CUcontext(context));
        } catch (Throwable e) {
            IdlePools.of(ordinal).close();
            LibCuda.cuDevicePrimaryCtxRelease(handle);
            throw e;
        }
    }

    // ---- what it is ----

    /** Returns the number of this device in this process, from 0; what {@link #of} was given. */
    public int ordinal() {
        return ordinal;
    }

    /** Returns the product's name: {@code NVIDIA H200} ({@code cuDeviceGetName}). */
    public String name() {
        return name;
    }

    public ComputeCapability computeCapability() {
        return computeCapability;
    }

    public DeviceProperties properties() {
        return properties;
    }

    /**
     * Any property of the driver's list ({@code cuDeviceGetAttribute}).
     *
     * @param attribute one of {@code LibCuda.CU_DEVICE_ATTRIBUTE_…}
     */
    public int attribute(int attribute) {
        return Cuda.intFrom(
                "ask " + this + " for attribute " + attribute,
                cell -> LibCuda.cuDeviceGetAttribute(cell, attribute, handle));
    }

    /** Returns where it is plugged in: {@code 0000:19:00.0} ({@code cuDeviceGetPCIBusId}). */
    public String pciBusId() {
        return text("ask for the PCI bus id", 32, text -> LibCuda.cuDeviceGetPCIBusId(text, 32, handle));
    }

    /**
     * Returns what no other device in the world has, in the form of nvidia-smi: {@code GPU-6e3c…} ({@code
     * cuDeviceGetUuid}).
     */
    public String uuid() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment bytes = arena.allocate(16);
            Cuda.run("ask for the UUID of " + this, () -> LibCuda.cuDeviceGetUuid(bytes, handle));
            String digits = HexFormat.of().formatHex(bytes.toArray(JAVA_BYTE));
            return "GPU-" + digits.replaceFirst("(.{8})(.{4})(.{4})(.{4})(.{12})", "$1-$2-$3-$4-$5");
        }
    }

    /** Returns the bytes of memory on the device ({@code cuDeviceTotalMem}). */
    public long totalMemory() {
        return Cuda.longFrom("ask " + this + " for its memory", cell -> LibCuda.cuDeviceTotalMem(cell, handle));
    }

    /** Returns the bytes of memory that nobody uses at the moment ({@code cuMemGetInfo}). */
    public long freeMemory() {
        return longFrom("ask for free memory", cell -> LibCuda.cuMemGetInfo(cell, cell.asSlice(Long.BYTES)));
    }

    // ---- other devices ----

    /**
     * Returns whether kernels and copies of this device can reach the memory of {@code peer} ({@code
     * cuDeviceCanAccessPeer}); its own they can.
     */
    public boolean canAccess(Device peer) {
        nonNull(peer, "canAccess", "peer");
        return peer.ordinal == ordinal
                || Cuda.intFrom(
                                "ask " + this + " whether it reaches " + peer,
                                cell -> LibCuda.cuDeviceCanAccessPeer(cell, handle, peer.handle))
                        != 0;
    }

    /**
     * Lets kernels of this device use the memory of {@code peer}, and copies take the direct way
     * ({@code cuCtxEnablePeerAccess}); for the whole process and until it ends. Doing so again does nothing,
     * nor does it for the device itself.
     *
     * @throws UnsupportedOperationException if there is no way between the two
     */
    public void enableAccess(Device peer) {
        nonNull(peer, "enableAccess", "peer");
        peer.check();
        check();
        if (isSame(peer) || reached.contains(peer)) {
            return;
        }
        if (!canAccess(peer)) {
            throw new UnsupportedOperationException(
                    this + " cannot reach the memory of " + peer + "; nvidia-smi topo -p2p r shows which devices can");
        }
        enter();
        try {
            LibCuda.cuCtxEnablePeerAccess(peer.context, 0);
        } catch (NativeCallException e) {
            if (e.status() != LibCuda.CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED) {
                throw CudaException.of("enable access of " + this + " to " + peer, e);
            }
        }
        peer.heap.openTo(this);
        reached.add(peer);
    }

    // ---- the context ----

    /** Returns the primary context. */
    public CUcontext context() {
        check();
        return context;
    }

    /**
     * Makes the primary context current on the calling thread ({@code cuCtxSetCurrent}), for calls of other libraries
     * that follow at once. Everything in this package does so by itself. A virtual thread that blocks in between loses
     * it.
     */
    public void makeCurrent() {
        acquire();
        try {
            enter();
        } finally {
            release();
        }
    }

    /**
     * Begins a call of another library that needs the context, which is there until {@link #release}, whoever closes
     * this.
     *
     * @throws IllegalStateException after close
     */
    public void acquire() {
        if (!users.acquire()) {
            throw new IllegalStateException(this + " was closed");
        }
    }

    /** Ends what {@link #acquire} began. */
    public void release() {
        users.release();
    }

    RefCount users() {
        return users;
    }

    /** By somebody who has it acquired, or an object of it: another user, also while it is being closed. */
    void retain() {
        if (!users.retain()) {
            throw new AssertionError("the context of " + this + " is gone");
        }
    }

    /**
     * Returns how often this process has let go the primary context of a device. While that is the same, the context
     * that a thread had made current still exists, and {@link #makeCurrent} need not be called again for libraries that
     * only want that.
     */
    public static long releasedContexts() {
        return RELEASED.get();
    }

    /**
     * {@link #makeCurrent} for use in clean-up, when this object may be closed already. Nothing that can block comes
     * between this and the call that needs it, or a virtual thread might go on elsewhere.
     */
    void enter() {
        HostCallbacks.checkOutside();
        try {
            LibCuda.cuCtxSetCurrent(context);
        } catch (NativeCallException e) {
            throw CudaException.of("make the context of " + this + " current", e);
        }
    }

    /**
     * Waits for all work on the device, of all streams ({@code cuCtxSynchronize}), and for the end of what other
     * threads record.
     *
     * @throws IllegalStateException if this thread records a stream
     */
    public void synchronize() {
        Recording.checkOutside("synchronize", this);
        if (!Thread.currentThread().isVirtual()) {
            await();
            return;
        }
        // Whether a whole device is done cannot be asked, and waiting in C would hold up the carrier.
        FutureTask<?> wait = new FutureTask<>(this::await, null);
        Thread.ofPlatform().daemon().name("comm4j waits for " + this).start(wait);
        Polling.until(wait::isDone, Duration.ZERO, this);
        if (wait.state() == Future.State.FAILED && wait.exceptionNow() instanceof RuntimeException e) {
            throw e;
        }
    }

    private void await() {
        // No capture begins during the last step: with these first it is short, also when the work needs other threads.
        Tail[] known;
        synchronized (tails) {
            known = tails.toArray(Tail[]::new);
        }
        for (Tail tail : known) {
            tail.await();
        }
        Polling.until(
                () -> Captures.of(this).tryOutside(() -> run("synchronise", LibCuda::cuCtxSynchronize)),
                Polling.LIMIT,
                this + ", a stream of which another thread records (Graph.capture)");
    }

    /** @throws IllegalStateException after close */
    void check() {
        if (!isOpen()) {
            throw new IllegalStateException(this + " was closed");
        }
    }

    boolean isSame(Device other) {
        return ordinal == other.ordinal;
    }

    /** By the last user. */
    private void letContextGo() {
        if (!isAbandoned()) {
            RELEASED.incrementAndGet();
            Cuda.run("release " + this, () -> {
                LibCuda.cuCtxSetCurrent(context);
                IdlePools.of(ordinal).close();
                LibCuda.cuDevicePrimaryCtxRelease(handle);
            });
        }
    }

    // ---- what it makes ----

    /**
     * Returns a stream that does not wait for the legacy default stream, nor that one for it ({@code
     * cuStreamCreateWithPriority}).
     */
    public Stream newStream() {
        return newStream(0);
    }

    /**
     * Returns a stream whose waiting blocks go before or after those of other streams.
     *
     * @param priority lower numbers go first; numbers outside of {@link #streamPriorities} are moved to its nearest end
     */
    public Stream newStream(int priority) {
        return Stream.create(this, priority);
    }

    /**
     * Returns the legacy default stream: it waits for the streams of other libraries that are not non-blocking, and
     * they for it.
     */
    public Stream defaultStream() {
        check();
        return legacy;
    }

    /**
     * Returns the range of priorities, greatest first: {@code [-5, 0]} ({@code cuCtxGetStreamPriorityRange}).
     *
     * @return two numbers: the greatest priority, which is the smaller number, and the least
     */
    public int[] streamPriorities() {
        int least = intFrom("ask for priorities", cell -> LibCuda.cuCtxGetStreamPriorityRange(cell, cell.asSlice(8)));
        int greatest =
                intFrom("ask for priorities", cell -> LibCuda.cuCtxGetStreamPriorityRange(cell.asSlice(8), cell));
        return new int[] {greatest, least};
    }

    /**
     * Returns an event that cannot measure time, which makes it cheaper ({@code cuEventCreate} with {@code
     * DISABLE_TIMING}).
     */
    public Event newEvent() {
        return Event.create(this, false);
    }

    /** Returns an event that can measure time ({@code cuEventCreate}). */
    public Event newTimingEvent() {
        return Event.create(this, true);
    }

    /**
     * Returns zeroed memory for {@code count} elements, aligned to 256 bytes at least. It comes from a {@link
     * MemoryPool} of this object; where a library needs memory of another origin, {@link DeviceArray#owned} takes it.
     *
     * @throws IllegalArgumentException if {@code count} is negative or too large for any memory
     * @throws CudaException if the device's memory does not suffice; it says how much there is
     */
    public DeviceArray allocate(DataType type, long count) {
        check();
        return heap.allocate(type, count);
    }

    /**
     * Returns zeroed memory that other processes can map, as some libraries want it before they make it reachable for
     * others ({@code cuMemCreate} with a POSIX file descriptor as handle, {@code cuMemMap}); else {@link #allocate} is
     * faster. It is as open to {@link #enableAccess other devices} as other memory.
     *
     * @param granularity the memory behind the array is a multiple of it, and begins at one: a power of two, or 0 for
     *     the driver's (2 MiB)
     * @throws IllegalArgumentException if {@code count} is negative or too large for any memory, or {@code granularity}
     *     no power of two
     * @throws UnsupportedOperationException if the device has no such memory
     * @throws CudaException if the device's memory does not suffice; it says how much there is
     */
    public DeviceArray allocateShareable(DataType type, long count, long granularity) {
        check();
        if (granularity < 0 || Long.bitCount(granularity) > 1) {
            throw new IllegalArgumentException(
                    "allocateShareable on " + this + ": granularity " + granularity + " is no power of two");
        }
        if (attribute(LibCuda.CU_DEVICE_ATTRIBUTE_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR_SUPPORTED) == 0) {
            throw new UnsupportedOperationException(
                    "allocateShareable: " + this + " has no memory that other processes can map by file descriptors");
        }
        return heap.allocateShareable(type, count, granularity);
    }

    /**
     * Returns zeroed host memory that is locked in place, so that copies to and from this device, and every other one,
     * are really asynchronous and run at full speed ({@code cuMemHostAlloc}, portable).
     */
    public PinnedArray allocatePinned(DataType type, long count) {
        return PinnedArray.allocate(this, type, count);
    }

    /**
     * Locks the memory of a host array in place where it is ({@code cuMemHostRegister}, portable), which makes it as
     * good as {@link #allocatePinned}'s without a copy, for this device and every other one. It takes some milliseconds
     * for a gigabyte. The driver locks whole pages (4 KiB on most machines), so the array may begin and end anywhere,
     * but two arrays that share a page may not be pinned at the same time.
     *
     * @param array any host memory: of an arena, of the embedded engine's shared memory, mapped from another library.
     *     It must not be freed before the result is closed: close its arena after that
     * @return the same memory as a pinned array; closing it unlocks the memory, which stays
     * @throws IllegalStateException if the memory, or a page of it, is pinned already, or was freed
     * @throws CudaException if the driver cannot lock it
     */
    public PinnedArray pin(HostArray array) {
        nonNull(array, "pin", "array");
        if (array instanceof PinnedArray) {
            throw new IllegalStateException("pin: " + array + " is pinned already");
        }
        return PinnedArray.pin(this, array);
    }

    /** Returns the pool from which the CUDA run-time library allocates, too; it lives as long as the process. */
    public MemoryPool defaultPool() {
        return MemoryPool.defaultOf(this);
    }

    /** Returns a new pool of memory for {@linkplain MemoryPool#allocate stream-ordered allocation}. */
    public MemoryPool newPool() {
        return MemoryPool.create(this);
    }

    DeviceHeap heap() {
        return heap;
    }

    CUmemoryPool defaultPoolHandle() {
        return new CUmemoryPool(
                longFrom("ask for the default pool", cell -> LibCuda.cuDeviceGetDefaultMemPool(cell, handle)));
    }

    // ---- calls of the driver outside of hot paths ----

    /** A call of the driver with the context current. */
    void run(String operation, Cuda.Call call) {
        acquire();
        try {
            enter();
            call.run();
        } catch (NativeCallException e) {
            throw CudaException.of(operation + " on " + this, e);
        } finally {
            release();
        }
    }

    long longFrom(String operation, Cuda.CellCall call) {
        return Cuda.longFrom(operation + " on " + this, current(call));
    }

    int intFrom(String operation, Cuda.CellCall call) {
        return Cuda.intFrom(operation + " on " + this, current(call));
    }

    /**
     * {@link #longFrom(String, Cuda.CellCall)} for what remains to be done when this is closed, by somebody who keeps
     * the context.
     */
    long longFromClosed(String operation, Cuda.CellCall call) {
        return Cuda.longFrom(operation + " on " + this, cell -> {
            enter();
            call.run(cell);
        });
    }

    /** The answer as the driver gave it; the failure, too. */
    long longFrom(Cuda.CellCall call) {
        return Cuda.longFrom(current(call));
    }

    private Cuda.CellCall current(Cuda.CellCall call) {
        return cell -> {
            acquire();
            try {
                enter();
                call.run(cell);
            } finally {
                release();
            }
        };
    }

    private String text(String operation, int bytes, Cuda.CellCall call) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment text = arena.allocate(bytes);
            Cuda.run(operation + " of device " + ordinal, () -> call.run(text));
            return text.getString(0);
        }
    }

    // ---- the end ----

    void add(Resource resource) {
        resources.add(resource);
        if (!isOpen()) {
            resource.close();
            check();
        }
    }

    /** The stream's end is to be told when this device closes. */
    void watch(Tail tail) {
        tails.add(tail);
    }

    void remove(Resource resource) {
        resources.remove(resource);
    }

    public boolean isOpen() {
        return users.isOpen();
    }

    /**
     * Says that work on this device may never end, as of a kernel that waits for a process that died. From now on, in
     * all of this process and for all objects of this device, closing waits for nothing of the device and gives nothing
     * of it back, neither memory nor streams nor code, because the driver would wait for that work. What was closed
     * cannot be used any more, as always; the end of the process gives it back. This cannot be undone.
     *
     * <p>New work is not refused, and other streams go on: results can still be fetched. What waits for the whole
     * device, as {@link #synchronize}, may wait for ever. Other devices are not affected.
     */
    public void abandon() {
        ABANDONED.add(ordinal);
    }

    /** What {@link #abandon} says. */
    boolean isAbandoned() {
        return ABANDONED.contains(ordinal);
    }

    /**
     * Closes everything that was made here and is still open, and lets the primary context go
     * ({@code cuDevicePrimaryCtxRelease}). Waits for calls that are under way in other threads, for work in progress
     * that uses its memory, and for channels that read or write {@linkplain #allocatePinned pinned} memory; five
     * minutes at most, or as long as {@code COMM4J_TIMEOUT} says. Arrays that are lent to others by {@link DlPack} stay
     * until they come back, and what a stream of an {@linkplain #abandon abandoned} device uses stays to the end of the
     * process.
     *
     * @throws CommTimeoutException when the time is over; it says what was waited for, and closing again goes on
     * @throws CommException if the thread is interrupted while it waits; closing again goes on
     * @throws IllegalStateException while this thread {@linkplain Graph#capture records} a stream, which has to end
     *     first
     */
    @Override
    public void close() {
        close(Polling.LIMIT);
    }

    void close(Duration limit) {
        HostCallbacks.checkOutside();
        if (Recording.isByThisThread()) {
            throw new IllegalStateException("close of " + this
                    + ": this thread is recording a stream (Graph.capture); close the device after the capture");
        }
        closing.lock();
        try {
            if (users.acquire()) {
                isClosing = true;
                users.close();
            }
            closeAll(limit);
        } finally {
            closing.unlock();
        }
    }

    private void closeAll(Duration limit) {
        RuntimeException failure = null;
        if (!isAbandoned()) {
            // No new calls can begin; those that are under way may put in more work.
            Polling.until(this::isIdle, limit, this + " to be closed: calls are under way in other threads");
            // As long as all streams are there: one that was wrapped may be one of ours.
            for (Tail tail : tails.toArray(Tail[]::new)) {
                failure = also(failure, tail::close);
            }
        }
        // What was made last may use what was made before.
        List<Resource> newestFirst = resources.stream()
                .sorted(Comparator.comparingLong((Resource r) -> r.number).reversed())
                .toList();
        for (Resource resource : newestFirst) {
            failure = also(failure, resource::close);
        }
        failure = also(failure, () -> heap.close(limit));
        if (isClosing && !isAbandoned() && !heap.isInUse()) {
            isClosing = false;
            failure = also(failure, users::release);
        }
        if (failure != null) {
            throw failure;
        }
    }

    /** Whether no other thread is in a call that uses what is closed. */
    private boolean isIdle() {
        return isAbandoned() || (!users.isEntered() && resources.stream().noneMatch(Resource::isInCall));
    }

    /** Runs the step; the first failure of several takes the others along. */
    static @Nullable RuntimeException also(@Nullable RuntimeException failure, Runnable step) {
        try {
            step.run();
        } catch (RuntimeException e) {
            if (failure == null) {
                return e;
            }
            failure.addSuppressed(e);
        }
        return failure;
    }

    @Override
    public String toString() {
        return "device " + ordinal;
    }
}
