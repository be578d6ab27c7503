// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.cuda;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.comm4j.core.spi.Arguments.nonNull;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicInteger;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.ffi.NativeCallException;
import org.comm4j.ffi.cuda.CUmemAccessDesc;
import org.comm4j.ffi.cuda.CUmemLocation;
import org.comm4j.ffi.cuda.CUmemPoolProps;
import org.comm4j.ffi.cuda.LibCuda;
import org.comm4j.ffi.handle.CUmemoryPool;
import org.comm4j.ffi.handle.CUstream;

/**
 * Device memory that is allocated and freed in the order of streams, in about a microsecond and without waiting for the
 * device ({@code cuMemPoolCreate}). Memory that was freed stays in the pool for the next allocation, up to the {@link
 * #releaseThreshold}.
 */
public final class MemoryPool implements AutoCloseable {
    private final Device device;
    private final CUmemoryPool handle;
    private final Resource resource;
    private final Contents contents;

    /** The allocations of a pool, which stays until they are freed. */
    private static final class Contents {
        final AtomicInteger arrays = new AtomicInteger();
        /** The streams in whose order memory comes and goes. */
        final Uses uses = new Uses(null);

        boolean isLent() {
            return arrays.get() > 0;
        }

        boolean isOver() {
            return arrays.get() == 0 && uses.areOver();
        }
    }

    private MemoryPool(Device device, CUmemoryPool handle) {
        this.device = device;
        this.handle = handle;
        this.contents = new Contents();
        this.resource = Resource.foreign(device, "memory pool");
    }

    private MemoryPool(Device device, CUmemoryPool handle, Contents contents, Runnable free) {
        this.device = device;
        this.handle = handle;
        this.contents = contents;
        this.resource = Resource.own(device, "memory pool", free, this);
    }

    static MemoryPool defaultOf(Device device) {
        checkSupported(device);
        return new MemoryPool(device, device.defaultPoolHandle());
    }

    static MemoryPool create(Device device) {
        checkSupported(device);
        Recording.checkOutside("newPool", device);
        device.acquire();
        try {
            CUmemoryPool idle = IdlePools.of(device.ordinal()).take();
            CUmemoryPool handle = idle == null ? newHandle(device) : idle;
            Contents contents = new Contents();
            return new MemoryPool(device, handle, contents, () -> {
                device.heap().later(contents::isOver, () -> recycle(device, handle), contents::isLent);
                device.heap().sweep();
            });
        } finally {
            device.release();
        }
    }

    private static CUmemoryPool newHandle(Device device) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment properties = arena.allocate(CUmemPoolProps.LAYOUT);
            properties.set(JAVA_INT, CUmemPoolProps.allocType, LibCuda.CU_MEM_ALLOCATION_TYPE_PINNED);
            properties.set(JAVA_INT, CUmemPoolProps.handleTypes, LibCuda.CU_MEM_HANDLE_TYPE_NONE);
            putLocation(properties.asSlice(CUmemPoolProps.location), device);
            return new CUmemoryPool(
                    device.longFrom("create a memory pool", cell -> LibCuda.cuMemPoolCreate(cell, properties)));
        }
    }

    private static void recycle(Device device, CUmemoryPool handle) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment none = arena.allocateFrom(JAVA_LONG, 0);
            MemorySegment one = arena.allocateFrom(JAVA_LONG, 1);
            Cuda.run("close a memory pool", () -> {
                LibCuda.cuMemPoolSetAttribute(handle, LibCuda.CU_MEMPOOL_ATTR_RELEASE_THRESHOLD, none.address());
                LibCuda.cuMemPoolTrimTo(handle, 0);
                LibCuda.cuMemPoolSetAttribute(handle, LibCuda.CU_MEMPOOL_ATTR_USED_MEM_HIGH, none.address());
                LibCuda.cuMemPoolSetAttribute(handle, LibCuda.CU_MEMPOOL_ATTR_RESERVED_MEM_HIGH, none.address());
                for (int each = LibCuda.CU_MEMPOOL_ATTR_REUSE_FOLLOW_EVENT_DEPENDENCIES;
                        each <= LibCuda.CU_MEMPOOL_ATTR_REUSE_ALLOW_INTERNAL_DEPENDENCIES;
                        each++) {
                    LibCuda.cuMemPoolSetAttribute(handle, each, one.address());
                }
            });
        }
        IdlePools.of(device.ordinal()).add(handle);
    }

    private static void checkSupported(Device device) {
        device.check();
        if (!device.properties().memoryPools()) {
            throw new UnsupportedOperationException(device + " has no memory pools; use Device.allocate");
        }
    }

    /** A {@code CUmemLocation}: type, then number. */
    static void putLocation(MemorySegment location, Device device) {
        location.set(JAVA_INT, 0, LibCuda.CU_MEM_LOCATION_TYPE_DEVICE);
        location.set(JAVA_INT, 4, device.ordinal());
    }

    /** Returns the driver's pool, for calls of other libraries; {@link #acquire} it for their time. */
    public CUmemoryPool handle() {
        resource.check();
        return handle;
    }

    /**
     * Begins a call of another library that uses the pool, which is there until {@link #release}, whoever closes this.
     *
     * @throws IllegalStateException after close
     */
    public CUmemoryPool acquire() {
        resource.acquire();
        return handle;
    }

    /** Ends what {@link #acquire} began. */
    public void release() {
        resource.release();
    }

    public Device device() {
        return device;
    }

    /**
     * Memory for {@code count} elements, of any content, from this point of the stream on ({@code
     * cuMemAllocFromPoolAsync}). Other streams may use it once they have waited for this one. Closing the array gives
     * the memory back when the streams that use it have passed that ({@code cuMemFreeAsync}); in the order of this
     * stream, if it is used nowhere else.
     *
     * <p>While the stream is {@linkplain Graph#capture recorded}, the memory becomes the graph's, which has it at each
     * launch from here to where the array is closed; close it in the same recording.
     *
     * @throws IllegalArgumentException if {@code count} is negative or too large for any memory, or the stream is
     *     another device's
     * @throws CudaException if the device's memory does not suffice; it says how much there is
     */
    public DeviceArray allocate(DataType type, long count, Stream stream) {
        nonNull(stream, "allocate", "stream");
        if (!stream.device().isSame(device)) {
            throw new IllegalArgumentException("allocate: " + stream + " is not on the device of " + this);
        }
        return allocate(type, count, stream, this);
    }

    /** @param from what to name when memory does not suffice */
    DeviceArray allocate(DataType type, long count, Stream stream, Object from) {
        long bytes = HostArray.bytes(type, count);
        resource.acquire();
        try {
            CUstream queue = stream.acquire();
            try {
                return allocate(type, count, bytes, stream, queue, from);
            } finally {
                stream.release();
            }
        } finally {
            resource.release();
        }
    }

    private DeviceArray allocate(DataType type, long count, long bytes, Stream stream, CUstream queue, Object from) {
        boolean ofGraph = Recording.isUnderWay() && stream.isCapturing();
        contents.uses.add(stream);
        long address;
        try {
            // CUDA has no empty allocations, but arrays can be empty.
            address = device.longFrom(cell -> LibCuda.cuMemAllocFromPoolAsync(cell, Math.max(bytes, 1), handle, queue));
        } catch (NativeCallException e) {
            throw refused(device, type, count, from, e);
        }
        Uses uses = new Uses(stream);
        if (ofGraph) {
            Recording.owns(uses, stream);
        }
        Contents held = contents;
        held.arrays.incrementAndGet();
        return DeviceArray.fresh(
                device,
                type,
                address,
                count,
                uses,
                () -> free(device, held, count + " x " + type, address, stream, queue, ofGraph));
    }

    /** @param ofGraph whether the memory was allocated in a recording; no other can be freed in one */
    private static void free(
            Device device, Contents held, String what, long address, Stream stream, CUstream queue, boolean ofGraph) {
        Tail tail = stream.tail();
        Runnable again = () -> free(device, held, what, address, stream, queue, false);
        if (!ofGraph && tail.isRecorded()) {
            device.heap().later(() -> !tail.isRecorded(), again, () -> false);
            return;
        }
        // Also of a device that is being closed: in the legacy default stream it would not wait for this one's work.
        boolean isOrdered = stream.resource().tryHold();
        if (!isOrdered && !tail.isOver()) {
            // It was closed just now.
            device.heap().later(tail::isOver, again, () -> false);
            return;
        }
        try {
            CUstream order = isOrdered ? queue : new CUstream(LibCuda.CU_STREAM_LEGACY);
            Cuda.run("free " + what, () -> LibCuda.cuMemFreeAsync(address, order));
        } finally {
            if (isOrdered) {
                stream.resource().letGo();
            }
            held.arrays.decrementAndGet();
        }
    }

    /** What to say when memory does not suffice. */
    static CudaException refused(Device device, DataType type, long count, Object from, NativeCallException e) {
        String free = e.status() == LibCuda.CUDA_ERROR_OUT_OF_MEMORY
                ? ", which has " + device.freeMemory() + " of " + device.totalMemory() + " bytes free,"
                : "";
        return CudaException.of(
                "allocate " + count + " x " + type + " (" + HostArray.bytes(type, count) + " bytes) from " + from
                        + free,
                e);
    }

    /** Bytes in use by arrays ({@code cuMemPoolGetAttribute}). */
    public long usedMemory() {
        return attribute(LibCuda.CU_MEMPOOL_ATTR_USED_MEM_CURRENT);
    }

    /** Bytes that the pool has taken from the device, in use or not. */
    public long reservedMemory() {
        return attribute(LibCuda.CU_MEMPOOL_ATTR_RESERVED_MEM_CURRENT);
    }

    /** Returns the most bytes that were in use by arrays at a time, since the pool was made or {@link #resetPeaks}. */
    public long peakUsedMemory() {
        return attribute(LibCuda.CU_MEMPOOL_ATTR_USED_MEM_HIGH);
    }

    /**
     * Returns the most bytes that the pool had taken from the device at a time, since it was made or {@link
     * #resetPeaks}.
     */
    public long peakReservedMemory() {
        return attribute(LibCuda.CU_MEMPOOL_ATTR_RESERVED_MEM_HIGH);
    }

    /** Lets the two peaks begin again from what there is now. */
    public void resetPeaks() {
        attribute(LibCuda.CU_MEMPOOL_ATTR_USED_MEM_HIGH, 0);
        attribute(LibCuda.CU_MEMPOOL_ATTR_RESERVED_MEM_HIGH, 0);
    }

    /**
     * Any property of the driver's list ({@code cuMemPoolGetAttribute}).
     *
     * @param attribute one of {@code LibCuda.CU_MEMPOOL_ATTR_…}
     */
    public long attribute(int attribute) {
        resource.acquire();
        try {
            return device.longFrom(
                    "ask a memory pool for attribute " + attribute,
                    cell -> LibCuda.cuMemPoolGetAttribute(handle, attribute, cell.address()));
        } finally {
            resource.release();
        }
    }

    /**
     * Sets a property of the driver's list ({@code cuMemPoolSetAttribute}), such as how memory that was freed in
     * another stream may be used again ({@code LibCuda.CU_MEMPOOL_ATTR_REUSE_…}: 0 or 1).
     *
     * @throws IllegalArgumentException for another number where only 0 and 1 make sense
     */
    public void attribute(int attribute, long value) {
        resource.check();
        boolean isSwitch = attribute >= LibCuda.CU_MEMPOOL_ATTR_REUSE_FOLLOW_EVENT_DEPENDENCIES
                && attribute <= LibCuda.CU_MEMPOOL_ATTR_REUSE_ALLOW_INTERNAL_DEPENDENCIES;
        if (isSwitch && value != 0 && value != 1) {
            throw new IllegalArgumentException(
                    "attribute " + attribute + " of a memory pool is 0 or 1, and cannot be " + value);
        }
        resource.acquire();
        try (Arena arena = Arena.ofConfined()) {
            // An int for some attributes, a long for others: the first bytes are the same where it is not too large.
            MemorySegment cell = arena.allocateFrom(JAVA_LONG, value);
            device.run(
                    "set attribute " + attribute + " of a memory pool to " + value,
                    () -> LibCuda.cuMemPoolSetAttribute(handle, attribute, cell.address()));
        } finally {
            resource.release();
        }
    }

    /**
     * The number of unused bytes that the pool keeps when a stream or the device is synchronised; 0 at first, which
     * gives all back.
     */
    public void releaseThreshold(long bytes) {
        resource.check();
        if (bytes < 0) {
            throw new IllegalArgumentException("releaseThreshold: " + bytes + " bytes is negative");
        }
        attribute(LibCuda.CU_MEMPOOL_ATTR_RELEASE_THRESHOLD, bytes);
    }

    /** Returns what {@link #releaseThreshold(long)} set. */
    public long releaseThreshold() {
        return attribute(LibCuda.CU_MEMPOOL_ATTR_RELEASE_THRESHOLD);
    }

    /** Gives unused memory back to the device until {@code bytesToKeep} are left ({@code cuMemPoolTrimTo}). */
    public void trim(long bytesToKeep) {
        resource.check();
        if (bytesToKeep < 0) {
            throw new IllegalArgumentException("trim: " + bytesToKeep + " bytes is negative");
        }
        resource.acquire();
        try {
            device.run("trim a memory pool", () -> LibCuda.cuMemPoolTrimTo(handle, bytesToKeep));
        } finally {
            resource.release();
        }
    }

    /**
     * Lets kernels of {@code peer} use this pool's memory ({@code cuMemPoolSetAccess}); {@link Device#enableAccess} is
     * not about pools, but a launch whose argument is memory of the pool does this by itself. Kernels of the pool's own
     * device always may.
     *
     * @throws UnsupportedOperationException if there is no way between the two
     */
    public void enableAccess(Device peer) {
        nonNull(peer, "enableAccess", "peer");
        resource.check();
        peer.check();
        if (peer.isSame(device)) {
            return;
        }
        if (!peer.canAccess(device)) {
            throw new UnsupportedOperationException(peer + " cannot reach the memory of " + device);
        }
        open(peer);
    }

    private void open(Device peer) {
        access(peer, "open a memory pool to ", LibCuda.CU_MEM_ACCESS_FLAGS_PROT_READWRITE);
    }

    /** Lets kernels of {@code peer} use the pool that memory of {@code device} comes from, if it comes from one. */
    static void openTo(Device peer, Device device, long address) {
        long handle = PointerCheck.poolOf(device, address);
        if (handle != 0) {
            MemoryPool its = new MemoryPool(device, new CUmemoryPool(handle));
            if (!its.isAccessibleBy(peer)) {
                its.open(peer);
            }
        }
    }

    /**
     * Takes back what {@link #enableAccess} gave; kernels of {@code peer} that use the pool's memory must be done.
     *
     * @throws IllegalArgumentException for the pool's own device
     */
    public void disableAccess(Device peer) {
        nonNull(peer, "disableAccess", "peer");
        resource.check();
        peer.check();
        if (peer.isSame(device)) {
            throw new IllegalArgumentException("disableAccess: " + this + " is always open to its own device");
        }
        access(peer, "close a memory pool to ", LibCuda.CU_MEM_ACCESS_FLAGS_PROT_NONE);
    }

    private void access(Device peer, String what, int flags) {
        resource.acquire();
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment access = arena.allocate(CUmemAccessDesc.LAYOUT);
            putLocation(access.asSlice(CUmemAccessDesc.location), peer);
            access.set(JAVA_INT, CUmemAccessDesc.flags, flags);
            device.run(what + peer, () -> LibCuda.cuMemPoolSetAccess(handle, access, 1));
        } finally {
            resource.release();
        }
    }

    /** Returns whether kernels of {@code peer} may use this pool's memory ({@code cuMemPoolGetAccess}). */
    public boolean isAccessibleBy(Device peer) {
        nonNull(peer, "isAccessibleBy", "peer");
        peer.check();
        resource.acquire();
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment location = arena.allocate(CUmemLocation.LAYOUT);
            putLocation(location, peer);
            return device.intFrom(
                            "ask who may use a memory pool", cell -> LibCuda.cuMemPoolGetAccess(cell, handle, location))
                    == LibCuda.CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
        } finally {
            resource.release();
        }
    }

    public boolean isOpen() {
        return resource.isOpen();
    }

    /**
     * Gives the pool's memory back, as soon as all its arrays are closed and no call uses it; the driver's pool is the
     * next {@link Device#newPool}'s, or destroyed with the last device object of its GPU ({@code cuMemPoolDestroy}).
     * The default pool stays.
     */
    @Override
    public void close() {
        resource.close();
    }

    @Override
    public String toString() {
        return "MemoryPool[" + device + (isOpen() ? "]" : ", closed]");
    }
}
