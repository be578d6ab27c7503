// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.cuda;

import static org.comm4j.core.spi.Arguments.nonNull;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.ffi.NativeCallException;
import org.comm4j.ffi.NativeMemory;
import org.comm4j.ffi.cuda.LibCuda;
import org.jspecify.annotations.Nullable;

/**
 * A host array whose memory is locked in place: stream-ordered copies between it and a {@link DeviceArray} are truly
 * asynchronous, and kernels can use its {@link #address} in place. Like a {@link DeviceArray} that is closed, its
 * memory stays until the streams that copy it, or whose kernels have it as an argument, have passed that.
 */
public final class PinnedArray extends HostArray implements AutoCloseable {
    /** The whole array, itself unless this is a slice. */
    private final PinnedArray whole;

    private final Resource resource;
    /** The streams whose copies and kernels use it. */
    private final Uses uses;

    /** The array whose memory this is, which must not be collected before; null if the memory is our own. */
    private final @Nullable HostArray source;

    private PinnedArray(Device device, DataType type, MemorySegment memory, Arena arena) {
        super(type, memory);
        this.whole = this;
        this.source = null;
        Uses its = new Uses(null);
        this.uses = its;
        this.resource = Resource.own(
                device,
                "pinned host memory of " + memory.byteSize() + " bytes",
                () -> device.heap().giveBack(its, () -> giveBack(device, arena)),
                this);
    }

    /**
     * Frees the memory: now, or when a channel that reads or writes there has done so, and somebody allocates or frees.
     */
    private static void giveBack(Device device, Arena arena) {
        device.heap().later(() -> isClosed(device, arena), () -> {}, () -> false);
        device.heap().sweep();
    }

    /** Closing the arena makes sure that no thread reads on while the memory goes. */
    private static boolean isClosed(Device device, Arena arena) {
        device.enter();
        try {
            arena.close();
        } catch (IllegalStateException e) {
            // A channel holds it, or another thread was here first.
            return !arena.scope().isAlive();
        }
        return true;
    }

    private PinnedArray(Device device, HostArray source, Runnable free) {
        super(source.type(), source.segment());
        this.whole = this;
        this.source = source;
        Uses its = new Uses(null);
        this.uses = its;
        this.resource =
                Resource.own(device, "pin of " + source, () -> device.heap().giveBack(its, free), this);
    }

    private PinnedArray(PinnedArray whole, DataType type, MemorySegment part) {
        super(type, part);
        this.whole = whole;
        this.resource = whole.resource;
        this.uses = whole.uses;
        this.source = whole.source;
    }

    static PinnedArray allocate(Device device, DataType type, long count) {
        Recording.checkOutside("allocatePinned", device);
        device.acquire();
        try {
            return allocateIn(device, type, count);
        } finally {
            device.release();
        }
    }

    private static PinnedArray allocateIn(Device device, DataType type, long count) {
        long bytes = HostArray.bytes(type, count);
        String what = "pinned host memory of " + count + " x " + type + " (" + bytes + " bytes)";
        // CUDA has no empty allocations, but arrays can be empty.
        long address = device.longFrom(
                "allocate " + what,
                cell -> LibCuda.cuMemHostAlloc(cell, Math.max(bytes, 1), LibCuda.CU_MEMHOSTALLOC_PORTABLE));
        Arena arena = Arena.ofShared();
        MemorySegment memory = NativeMemory.at(
                address, bytes, arena, () -> Cuda.run("free " + what, () -> LibCuda.cuMemFreeHost(address)));
        memory.fill((byte) 0);
        return new PinnedArray(device, type, memory, arena);
    }

    /** {@link Device#pin}. */
    static PinnedArray pin(Device device, HostArray array) {
        Recording.checkOutside("pin", device);
        device.acquire();
        try {
            return pinIn(device, array);
        } finally {
            device.release();
        }
    }

    private static PinnedArray pinIn(Device device, HostArray array) {
        if (!array.isAlive()) {
            throw new IllegalStateException("pin: " + array + " was freed");
        }
        long address = array.address();
        long bytes = array.segment().byteSize();
        if (bytes == 0) {
            return new PinnedArray(device, array, () -> {});
        }
        int flags = LibCuda.CU_MEMHOSTREGISTER_PORTABLE | LibCuda.CU_MEMHOSTREGISTER_DEVICEMAP;
        device.enter();
        try {
            LibCuda.cuMemHostRegister(address, bytes, flags);
        } catch (NativeCallException e) {
            String where = array + " at 0x" + Long.toHexString(address) + ", " + bytes + " bytes,";
            if (e.status() == LibCuda.CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED) {
                throw new IllegalStateException(
                        "pin: " + where
                                + " is pinned already, or a part of it, or what shares a page with it: pages are"
                                + " pinned whole; pin one array that has all of it, or close the other pin first",
                        e);
            }
            throw CudaException.of(
                    "pin of " + where + " on " + device + " (pages are pinned whole; memory that is mapped from a file"
                            + " or a device, and more than the limit of locked memory, cannot be)",
                    e);
        }
        return new PinnedArray(
                device, array, () -> Cuda.run("unpin " + array, () -> LibCuda.cuMemHostUnregister(address)));
    }

    /** A view; closing it does nothing. */
    @Override
    public PinnedArray slice(long offset, long count) {
        return new PinnedArray(whole, type(), sliceSegment(offset, count));
    }

    @Override
    public PinnedArray view(DataType other) {
        return new PinnedArray(whole, other, viewSegment(other));
    }

    @Override
    public boolean isAlive() {
        return resource.isOpen() && super.isAlive();
    }

    /**
     * Work that uses the array is about to be put into {@code stream}, which the caller has acquired; memory that is
     * not pinned is its arena's.
     */
    static void usedIn(HostArray array, Stream stream) {
        if (array instanceof PinnedArray pinned) {
            pinned.usedIn(stream);
        }
    }

    /** As {@link DeviceArray#usedIn}. */
    public void usedIn(Stream stream) {
        uses.add(nonNull(stream, "usedIn", "stream"));
        // In this order: whoever closes the array looks at its uses after that.
        resource.check();
    }

    /** As {@link DeviceArray#hold}. */
    public void hold() {
        resource.acquire();
    }

    /** As {@link DeviceArray#letGo}. */
    public void letGo() {
        resource.release();
    }

    /** As {@link DeviceArray#keep}. */
    Runnable keep() {
        return resource.keep();
    }

    /**
     * Frees the memory, slices included ({@code cuMemFreeHost}), once no stream or channel reads or writes there any
     * more; does not wait for that. Memory that was pinned where it was stays, and is like any other again ({@code
     * cuMemHostUnregister}).
     */
    @Override
    public void close() {
        if (whole == this) {
            resource.close();
        }
    }
}
