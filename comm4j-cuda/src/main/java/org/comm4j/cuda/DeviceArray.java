// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.cuda;

import java.lang.ref.Reference;
import java.util.Objects;
import org.comm4j.core.Buffer;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.ffi.NativeCallException;
import org.comm4j.ffi.cuda.CUstream;
import org.comm4j.ffi.cuda.LibCuda;

/**
 * A typed run of elements in a device's memory.
 *
 * <p>Methods with a {@link Stream} put work into it and return; the array, and the other side of a copy, must stay open until the
 * stream has passed it. Methods without one wait for all work of the device first, and have finished when they return; they cannot be
 * used while a stream of the device captures a graph.
 */
public final class DeviceArray implements Buffer, AutoCloseable {
    private final Device device;
    private final DataType type;
    private final long address;
    private final long count;
    private final Resource resource;
    /** What owns the memory and must not be lost before this: the whole array, a module; this one itself. */
    private final Object owner;

    /** Memory that is given back by {@code free}. */
    private DeviceArray(Device device, DataType type, long address, long count, Runnable free) {
        this.device = device;
        this.type = type;
        this.address = address;
        this.count = count;
        this.owner = this;
        this.resource = Resource.own(device, "array of " + count + " x " + type, free, this);
    }

    /** Memory that somebody else gives back. */
    private DeviceArray(Device device, DataType type, long address, long count) {
        this.device = device;
        this.type = type;
        this.address = address;
        this.count = count;
        this.owner = this;
        this.resource = Resource.foreign(device, "array of " + count + " x " + type);
    }

    /** A part of something that has a life of its own. */
    DeviceArray(Device device, DataType type, long address, long count, Resource resource, Object owner) {
        this.device = device;
        this.type = type;
        this.address = address;
        this.count = count;
        this.owner = owner;
        this.resource = resource;
    }

    static DeviceArray allocate(Device device, DataType type, long count) {
        device.check();
        long bytes = HostArray.bytes(type, count);
        long address;
        try {
            // CUDA has no empty allocations, but arrays can be empty.
            address = device.longFrom(cell -> LibCuda.cuMemAlloc(cell, Math.max(bytes, 1)));
        } catch (NativeCallException e) {
            throw CudaException.of(
                    "allocate " + count + " x " + type + " (" + bytes + " bytes) on " + device + freeMemory(device, e),
                    e);
        }
        DeviceArray array = new DeviceArray(
                device,
                type,
                address,
                count,
                () -> Cuda.run("free " + count + " x " + type, () -> LibCuda.cuMemFree(address)));
        try {
            Stream stream = device.defaultStream();
            array.fill(0, stream);
            stream.synchronize();
            return array;
        } catch (Throwable e) {
            array.close();
            throw e;
        }
    }

    private static String freeMemory(Device device, NativeCallException e) {
        return e.status() == LibCuda.CUDA_ERROR_OUT_OF_MEMORY
                ? ", which has " + device.freeMemory() + " of " + device.totalMemory() + " bytes free,"
                : "";
    }

    /**
     * A view of device memory that somebody else gives back; {@link #close} leaves it alone. Memory that the host and the devices share
     * (managed memory) is fine, too.
     *
     * @param address of the first element
     * @throws IllegalArgumentException if the range is not memory of {@code device}, as the driver knows it
     *     ({@code cuPointerGetAttribute}), or is not aligned for {@code type}
     */
    public static DeviceArray wrap(Device device, DataType type, long address, long count) {
        checkMemory("wrap", device, type, address, count);
        return new DeviceArray(device, type, address, count);
    }

    /**
     * Like {@link #wrap}, but {@link #close}, or that of the device, gives the memory back.
     *
     * @param free gives the memory back; it runs once, with the device's context current
     */
    public static DeviceArray owned(Device device, DataType type, long address, long count, Runnable free) {
        Objects.requireNonNull(free, "free");
        checkMemory("owned", device, type, address, count);
        return new DeviceArray(device, type, address, count, free);
    }

    /** Memory that the driver has just allocated for us. */
    static DeviceArray fresh(Device device, DataType type, long address, long count, Runnable free) {
        return new DeviceArray(device, type, address, count, free);
    }

    private static void checkMemory(String operation, Device device, DataType type, long address, long count) {
        device.check();
        long bytes = HostArray.bytes(type, count);
        if (address == 0 && bytes > 0) {
            throw new IllegalArgumentException(operation + ": the address of " + count + " x " + type + " is NULL");
        }
        if (address % type.alignment() != 0) {
            throw new IllegalArgumentException(operation + ": the address 0x" + Long.toHexString(address)
                    + " is not aligned to the " + type.alignment() + " bytes that " + type + " needs");
        }
        if (bytes > 0) {
            // Not the allocation's size: neighbouring pieces of mapped memory are several allocations and one range.
            PointerCheck.isOn(device, address, operation);
            PointerCheck.isOn(device, address + bytes - 1, operation);
        }
    }

    // ---- what it is ----

    public Device device() {
        return device;
    }

    @Override
    public DataType type() {
        return type;
    }

    @Override
    public long count() {
        return count;
    }

    /** The address of the first element, for kernels and other libraries. */
    @Override
    public long address() {
        resource.check();
        return address;
    }

    /** A view; closing it does nothing. */
    @Override
    public DeviceArray slice(long offset, long count) {
        if (offset < 0 || count < 0 || offset > this.count - count) {
            throw new IndexOutOfBoundsException("slice of " + count + " elements at " + offset + " leaves " + this);
        }
        return new DeviceArray(device, type, address + offset * type.bytes(), count, resource, owner);
    }

    /**
     * A view of the same bytes as elements of another type; closing it does nothing.
     *
     * @throws IllegalArgumentException if the bytes are no whole number of such elements, or not aligned for them
     */
    public DeviceArray view(DataType other) {
        if (byteSize() % other.bytes() != 0 || address % other.alignment() != 0) {
            throw new IllegalArgumentException(
                    "view: the " + byteSize() + " bytes of " + this + " cannot be seen as elements of " + other);
        }
        return new DeviceArray(device, other, address, byteSize() / other.bytes(), resource, owner);
    }

    // ---- copies ----

    /**
     * Copies all of {@code source}, of this array's type and count, from the host. Host-synchronous.
     *
     * @throws IllegalArgumentException if type or count differ
     */
    @Override
    public void copyFrom(HostArray source) {
        Stream stream = afterAllWork();
        copyFrom(source, stream);
        stream.synchronize();
    }

    /** Copies this array to the host, to a {@code target} of its type and count. Host-synchronous. */
    @Override
    public void copyTo(HostArray target) {
        Stream stream = afterAllWork();
        copyTo(target, stream);
        stream.synchronize();
    }

    /** Copies all of {@code source}, of this array's type and count, which may be on another device. Host-synchronous. */
    public void copyFrom(DeviceArray source) {
        checkPartner("copyFrom", source);
        if (!source.device.isSame(device)) {
            source.device.synchronize();
        }
        Stream stream = afterAllWork();
        copyFrom(source, stream);
        stream.synchronize();
    }

    /**
     * Stream-ordered copy from the host ({@code cuMemcpyHtoDAsync}). Only a {@link PinnedArray} lets it run beside the host; from other
     * memory the driver copies to a buffer of its own first.
     */
    public void copyFrom(HostArray source, Stream stream) {
        checkPartner("copyFrom", source);
        CUstream queue = enter("copyFrom", stream);
        if (count == 0) {
            return;
        }
        try {
            LibCuda.cuMemcpyHtoDAsync(address, source.address(), byteSize(), queue);
        } catch (NativeCallException e) {
            throw CudaException.of("copy of " + source + " to " + this, e);
        } finally {
            Reference.reachabilityFence(source);
        }
    }

    /**
     * Stream-ordered copy to the host ({@code cuMemcpyDtoHAsync}). Only a {@link PinnedArray} lets it run beside the host; the target
     * holds the data when the stream has passed the copy.
     */
    public void copyTo(HostArray target, Stream stream) {
        checkPartner("copyTo", target);
        CUstream queue = enter("copyTo", stream);
        if (count == 0) {
            return;
        }
        try {
            LibCuda.cuMemcpyDtoHAsync(target.address(), address, byteSize(), queue);
        } catch (NativeCallException e) {
            throw CudaException.of("copy of " + this + " to " + target, e);
        } finally {
            Reference.reachabilityFence(target);
        }
    }

    /**
     * Stream-ordered copy between device arrays ({@code cuMemcpyDtoDAsync}), also from another device ({@code cuMemcpyPeerAsync}); the
     * latter goes the direct way after {@link Device#enableAccess}, else through the host.
     *
     * @param stream of this array's device
     * @throws IllegalArgumentException if type or count differ, or the arrays overlap
     */
    public void copyFrom(DeviceArray source, Stream stream) {
        checkPartner("copyFrom", source);
        boolean samePlace = source.device.isSame(device);
        if (samePlace && count > 0 && Math.abs(address - source.address) < byteSize()) {
            throw new IllegalArgumentException("copyFrom: " + source + " overlaps " + this);
        }
        CUstream queue = enter("copyFrom", stream);
        if (count == 0) {
            return;
        }
        try {
            if (samePlace) {
                LibCuda.cuMemcpyDtoDAsync(address, source.address, byteSize(), queue);
            } else {
                LibCuda.cuMemcpyPeerAsync(
                        address, device.context(), source.address, source.device.context(), byteSize(), queue);
            }
        } catch (NativeCallException e) {
            throw CudaException.of("copy of " + source + " to " + this, e);
        }
    }

    private void checkPartner(String operation, Buffer other) {
        if (other.type() != type || other.count() != count) {
            throw new IllegalArgumentException(operation + ": " + other + " has not the type and count of " + this);
        }
        if (!other.isAlive()) {
            throw new IllegalStateException(operation + ": " + other + " was freed");
        }
    }

    /** The default stream, in which work comes after all that was started on the device before, whatever the stream. */
    private Stream afterAllWork() {
        resource.check();
        device.synchronize();
        return device.defaultStream();
    }

    private CUstream enter(String operation, Stream stream) {
        if (!stream.device().isSame(device)) {
            throw new IllegalArgumentException(operation + ": " + stream + " is not on the device of " + this);
        }
        resource.check();
        return stream.enter();
    }

    // ---- fill ----

    /**
     * Sets every element to {@code value}: rounded to nearest for floating-point types, cast to a long and cut to its low bits for
     * integers, with imaginary part 0 for complex types. Host-synchronous.
     */
    @Override
    public void fill(double value) {
        Stream stream = afterAllWork();
        fill(value, stream);
        stream.synchronize();
    }

    /** {@link #fill(double)}, stream-ordered ({@code cuMemsetD8Async} and so on). */
    public void fill(double value, Stream stream) {
        CUstream queue = enter("fill", stream);
        if (count == 0) {
            return;
        }
        try {
            Fill.put(queue, address, count, type, value);
        } catch (NativeCallException e) {
            throw CudaException.of("fill of " + this, e);
        }
    }

    // ---- life ----

    /** Keeps the memory until {@link #giveBackLent}, whoever closes what. */
    void lend() {
        resource.lend();
    }

    void giveBackLent() {
        resource.giveBackLent();
    }

    @Override
    public boolean isAlive() {
        return resource.isOpen();
    }

    /**
     * Frees the memory, slices and views included ({@code cuMemFree}, which waits for the device's work); closing a slice does nothing.
     */
    @Override
    public void close() {
        if (owner == this) {
            resource.close();
        }
    }

    @Override
    public String toString() {
        return "DeviceArray[" + count + " x " + type + " on " + device + (isAlive() ? "]" : ", freed]");
    }
}
