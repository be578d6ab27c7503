// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.cuda;

import static org.comm4j.core.spi.Arguments.nonNull;

import java.lang.ref.Reference;
import org.comm4j.core.Buffer;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.core.spi.DeviceMemory;
import org.comm4j.ffi.NativeAccess;
import org.comm4j.ffi.NativeCallException;
import org.comm4j.ffi.cuda.LibCuda;
import org.comm4j.ffi.handle.CUstream;
import org.jspecify.annotations.Nullable;

/**
 * A typed run of elements in a device's memory.
 *
 * <p>Methods with a {@link Stream} put work into it and return. Methods without one wait first for the streams in which
 * this array, a slice or a view of it has been used, and have finished when they return. Copies, fills, kernels that
 * got the array as an argument, collectives and graphs of all these are such uses; what reaches the memory by its mere
 * {@link #address} is not known here, unless {@link #usedIn} tells. Nothing else of the device is waited for: a kernel
 * there may be waiting for another rank.
 */
public class DeviceArray implements DeviceMemory, AutoCloseable {
    private final Device device;
    private final DataType type;
    private final long address;
    private final long count;
    private final Resource resource;
    private final Uses uses;
    /** What owns the memory and must not be lost before this: the whole array, a module. Null for this one itself. */
    private final @Nullable Object owner;
    /** Whether closing gives the memory back. */
    private final boolean owned;

    /** Memory of its own. */
    private DeviceArray(Device device, DataType type, long address, long count, Uses uses, Runnable free) {
        this.device = device;
        this.type = type;
        this.address = address;
        this.count = count;
        this.owner = null;
        this.owned = true;
        this.uses = uses;
        this.resource =
                Resource.own(device, what(type, count), () -> device.heap().giveBack(uses, free), this);
    }

    /** Memory of something that has a life of its own, or, if {@code owner} is null, of nobody here. */
    DeviceArray(
            Device device,
            DataType type,
            long address,
            long count,
            Resource resource,
            Uses uses,
            @Nullable Object owner) {
        this.device = device;
        this.type = type;
        this.address = address;
        this.count = count;
        this.owner = owner;
        this.owned = false;
        this.uses = uses;
        this.resource = resource;
    }

    /**
     * Memory that a subclass gives back in its own way: it overrides {@link #close}, and calls {@link #release} when
     * the memory goes.
     *
     * @throws IllegalCallerException if the subclass's module has no {@linkplain NativeAccess native access}
     */
    protected DeviceArray(Device device, DataType type, long address, long count) {
        this(device, type, address, count, Resource.foreign(device, what(type, count)), new Uses(null), null);
        checkSubclass();
    }

    /**
     * Other elements that live as long as {@code whole}, and are in use when it is: a part of it, or the same memory
     * elsewhere.
     *
     * @throws IllegalCallerException if the subclass's module has no {@linkplain NativeAccess native access}
     */
    protected DeviceArray(DeviceArray whole, DataType type, long address, long count) {
        this(whole.device, type, address, count, whole.resource, whole.uses, whole.owner == null ? whole : whole.owner);
        checkSubclass();
    }

    private void checkSubclass() {
        if (getClass() != DeviceArray.class) {
            NativeAccess.check(getClass().getModule(), "a subclass of DeviceArray");
        }
    }

    private static String what(DataType type, long count) {
        return "array of " + count + " x " + type;
    }

    /**
     * Returns a view of device memory that somebody else gives back; {@link #close} leaves it alone. Memory that the
     * host and the devices share (managed memory) is fine, too.
     *
     * @param address of the first element
     * @throws IllegalArgumentException if the range is not memory of {@code device}, as the driver knows it
     *     ({@code cuPointerGetAttribute}), or is not aligned for {@code type}
     * @throws IllegalCallerException if the caller's module has no {@linkplain NativeAccess native access}
     */
    public static DeviceArray wrap(Device device, DataType type, long address, long count) {
        nonNull(device, "DeviceArray.wrap", "device");
        NativeAccess.checkCaller("DeviceArray.wrap");
        checkMemory("wrap", device, type, address, count);
        return new DeviceArray(
                device, type, address, count, Resource.foreign(device, what(type, count)), new Uses(null), null);
    }

    /**
     * Like {@link #wrap}, but {@link #close}, or that of the device, gives the memory back.
     *
     * @param free gives the memory back; it runs once, with the device's context current, when no stream uses the
     *     memory any more
     * @throws IllegalCallerException if the caller's module has no {@linkplain NativeAccess native access}
     */
    public static DeviceArray owned(Device device, DataType type, long address, long count, Runnable free) {
        nonNull(device, "owned", "device");
        nonNull(free, "owned", "free");
        NativeAccess.checkCaller("DeviceArray.owned");
        device.acquire();
        try {
            checkMemory("owned", device, type, address, count);
            return fresh(device, type, address, count, new Uses(null), free);
        } finally {
            device.release();
        }
    }

    /**
     * Memory that the driver has just allocated for us, on a device that the caller has acquired since before.
     *
     * @param uses none yet; it knows the stream in whose order {@code free} gives the memory back, if it does
     */
    static DeviceArray fresh(Device device, DataType type, long address, long count, Uses uses, Runnable free) {
        return new DeviceArray(device, type, address, count, uses, free);
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

    /** Returns the address of the first element, for kernels and other libraries. */
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
        return part(type, address + offset * type.bytes(), count);
    }

    /**
     * A view of the same bytes as elements of another type; closing it does nothing.
     *
     * @throws IllegalArgumentException if the bytes are no whole number of such elements, or not aligned for them
     */
    @Override
    public DeviceArray view(DataType other) {
        nonNull(other, "view", "other");
        if (byteSize() % other.bytes() != 0 || address % other.alignment() != 0) {
            throw new IllegalArgumentException(
                    "view: the " + byteSize() + " bytes of " + this + " cannot be seen as elements of " + other);
        }
        return part(other, address, byteSize() / other.bytes());
    }

    /** What {@link #slice} and {@link #view} return; the range was checked. */
    protected DeviceArray part(DataType type, long address, long count) {
        return new DeviceArray(this, type, address, count);
    }

    /**
     * Lets kernels of another device load and store it. A subclass whose memory they cannot reach throws an {@link
     * IllegalArgumentException}.
     */
    protected void reachFrom(Device other) {
        // Its pool is there as long as it is.
        resource.acquire();
        try {
            other.enableAccess(device);
            MemoryPool.openTo(other, device, address);
        } finally {
            resource.release();
        }
    }

    // ---- copies ----

    /**
     * Copies all of {@code source}, of this array's type and count, from the host. Host-synchronous.
     *
     * @throws IllegalArgumentException if type or count differ
     */
    @Override
    public void copyFrom(HostArray source) {
        Stream stream = afterUses("copyFrom");
        copyFrom(source, stream);
        stream.synchronize();
    }

    /** Copies this array to the host, to a {@code target} of its type and count. Host-synchronous. */
    @Override
    public void copyTo(HostArray target) {
        Stream stream = afterUses("copyTo");
        copyTo(target, stream);
        stream.synchronize();
    }

    /**
     * Copies all of {@code source}, of this array's type and count, which may be on another device. Host-synchronous.
     */
    public void copyFrom(DeviceArray source) {
        checkPartner("copyFrom", source);
        Recording.checkOutside("copyFrom", this);
        source.uses.await();
        Stream stream = afterUses("copyFrom");
        copyFrom(source, stream);
        stream.synchronize();
    }

    /**
     * Stream-ordered copy from the host ({@code cuMemcpyHtoDAsync}). Only a {@link PinnedArray} lets it run beside the
     * host; from other memory the driver copies to a buffer of its own first.
     */
    public void copyFrom(HostArray source, Stream stream) {
        nonNull(stream, "copyFrom", "stream");
        checkPartner("copyFrom", source);
        begin("copyFrom", stream);
        try {
            PinnedArray.usedIn(source, stream);
            Recording.takes(source, stream);
            CUstream queue = stream.enter();
            if (count > 0) {
                LibCuda.cuMemcpyHtoDAsync(address, source.segment(), byteSize(), queue);
            }
        } catch (NativeCallException e) {
            throw CudaException.of("copy of " + source + " to " + this, e);
        } catch (IllegalStateException e) {
            throw freed("copyFrom", source, e);
        } finally {
            stream.release();
            Reference.reachabilityFence(source);
        }
    }

    /**
     * Stream-ordered copy to the host ({@code cuMemcpyDtoHAsync}). Only a {@link PinnedArray} lets it run beside the
     * host; the target holds the data when the stream has passed the copy.
     */
    public void copyTo(HostArray target, Stream stream) {
        nonNull(stream, "copyTo", "stream");
        checkPartner("copyTo", target);
        if (target.segment().isReadOnly()) {
            throw new IllegalArgumentException("copyTo: the memory of " + target + " is read-only");
        }
        begin("copyTo", stream);
        try {
            PinnedArray.usedIn(target, stream);
            Recording.takes(target, stream);
            CUstream queue = stream.enter();
            if (count > 0) {
                LibCuda.cuMemcpyDtoHAsync(target.segment(), address, byteSize(), queue);
            }
        } catch (NativeCallException e) {
            throw CudaException.of("copy of " + this + " to " + target, e);
        } catch (IllegalStateException e) {
            throw freed("copyTo", target, e);
        } finally {
            stream.release();
            Reference.reachabilityFence(target);
        }
    }

    /**
     * Stream-ordered copy between device arrays ({@code cuMemcpyDtoDAsync}), also from another device ({@code
     * cuMemcpyPeerAsync}); the latter goes the direct way after {@link Device#enableAccess}, else through the host.
     *
     * @param stream of this array's device
     * @throws IllegalArgumentException if type or count differ, or the arrays overlap
     */
    public void copyFrom(DeviceArray source, Stream stream) {
        nonNull(stream, "copyFrom", "stream");
        checkPartner("copyFrom", source);
        boolean samePlace = source.device.isSame(device);
        if (samePlace && count > 0 && Math.abs(address - source.address) < byteSize()) {
            throw new IllegalArgumentException("copyFrom: " + source + " overlaps " + this);
        }
        begin("copyFrom", stream);
        try {
            source.usedIn(stream);
            CUstream queue = stream.enter();
            if (count == 0) {
                return;
            }
            if (samePlace) {
                LibCuda.cuMemcpyDtoDAsync(address, source.address, byteSize(), queue);
            } else {
                LibCuda.cuMemcpyPeerAsync(
                        address, device.context(), source.address, source.device.context(), byteSize(), queue);
            }
        } catch (NativeCallException e) {
            throw CudaException.of("copy of " + source + " to " + this, e);
        } finally {
            stream.release();
        }
    }

    private void checkPartner(String operation, Buffer other) {
        if (other == null) {
            throw new NullPointerException(operation + ": the other array of " + this + " is null");
        }
        if (other.type() != type || other.count() != count) {
            throw new IllegalArgumentException(
                    operation + ": " + other + " does not have the type and count of " + this);
        }
        if (!other.isAlive()) {
            throw new IllegalStateException(operation + ": " + other + " was freed");
        }
        // Its own thread could close it while the driver copies.
        if (other instanceof HostArray array && !array.segment().isAccessibleBy(Thread.currentThread())) {
            throw new IllegalArgumentException(operation + ": the memory of " + array
                    + " is that of another thread (a confined arena); take Arena.ofShared() or Arena.ofAuto()");
        }
    }

    /** By another thread, which has closed a shared arena after it was looked at; the call itself keeps it open. */
    private static IllegalStateException freed(String operation, HostArray array, IllegalStateException e) {
        return array.isAlive() ? e : new IllegalStateException(operation + ": " + array + " was freed", e);
    }

    /** The default stream, when the uses of the array so far are over. */
    private Stream afterUses(String operation) {
        resource.check();
        Recording.checkOutside(operation, this);
        uses.await();
        return device.defaultStream();
    }

    /** Begins a call that puts work into the stream; {@link Stream#release} ends it. */
    private void begin(String operation, Stream stream) {
        if (!stream.device().isSame(device)) {
            throw new IllegalArgumentException(operation + ": " + stream + " is not on the device of " + this);
        }
        CUstream ignored = stream.acquire();
        try {
            usedIn(stream);
        } catch (Throwable e) {
            stream.release();
            throw e;
        }
    }

    /**
     * Tells the array that work which uses it is put into {@code stream} by somebody else, who got its address: what
     * blocks on the array then waits for that stream, and the memory is not given back before. The stream may be of
     * another device. If other threads may close the array, the stream is {@linkplain Stream#acquire acquired} before,
     * and released when the work is put in.
     */
    public void usedIn(Stream stream) {
        nonNull(stream, "usedIn", "stream");
        uses.add(stream);
        // In this order: whoever closes the array looks at its uses after that.
        resource.check();
    }

    /**
     * Begins a call of another library that uses the memory and has finished when it returns. The memory is there until
     * {@link #letGo}, which has to follow on every path, whoever closes this. Allocates nothing and never waits.
     *
     * @throws IllegalStateException after close
     */
    public void hold() {
        resource.acquire();
    }

    /**
     * Ends what {@link #hold} began; if the array was closed meanwhile, the last one to do so gives the memory back.
     */
    public void letGo() {
        resource.release();
    }

    @Override
    public void during(Runnable body) {
        nonNull(body, "during", "body");
        Recording.checkOutside("during", this);
        hold();
        try {
            uses.await();
            device.makeCurrent();
            body.run();
        } finally {
            letGo();
        }
    }

    /** Bytes of {@linkplain Device#allocatePinned pinned} memory of this array's device. */
    @Override
    public HostArray pinned(long bytes) {
        return device.allocatePinned(DataType.UINT8, bytes);
    }

    Uses uses() {
        resource.check();
        return uses;
    }

    // ---- fill ----

    /**
     * Sets every element to {@code value}: rounded to nearest for floating-point types, cast to a long and cut to its
     * low bits for integers, with imaginary part 0 for complex types. Host-synchronous.
     */
    @Override
    public void fill(double value) {
        Stream stream = afterUses("fill");
        fill(value, stream);
        stream.synchronize();
    }

    /** {@link #fill(double)}, stream-ordered ({@code cuMemsetD8Async} and so on). */
    public void fill(double value, Stream stream) {
        nonNull(stream, "fill", "stream");
        begin("fill", stream);
        try {
            CUstream queue = stream.enter();
            if (count > 0) {
                Fill.put(queue, address, count, type, value);
            }
        } catch (NativeCallException e) {
            throw CudaException.of("fill of " + this, e);
        } finally {
            stream.release();
        }
    }

    // ---- life ----

    /**
     * Marks the memory of this array, its slices and views, as gone: a subclass is about to give it back, or has lost
     * it. Waits for calls that are putting work which uses it into streams; whether that work is done, {@link
     * #isUnused} tells.
     */
    protected final void release() {
        resource.close();
        Recording.ends(uses);
        uses.awaitCalls(this);
    }

    /**
     * For a subclass that cannot wait until everybody has returned what was lent ({@link DlPack}, {@link #keep}), of
     * the array, its slices and views: nothing can be lent from now on; false if something is lent, and nothing has
     * changed.
     */
    protected final boolean retire() {
        return resource.retire();
    }

    /** Takes {@link #retire} back. */
    protected final void unretire() {
        resource.unretire();
    }

    /**
     * Whether the work that was put into streams so far, and uses the memory, is done: it could be given back. Never
     * waits.
     */
    protected final boolean isUnused() {
        return uses.areOver();
    }

    /**
     * Keeps the memory until the result runs, once, whoever closes what: for libraries that know its address. The array
     * itself can be closed, and be used no more, meanwhile.
     *
     * @throws IllegalStateException after close; the result, when it runs again
     */
    @Override
    public Runnable keep() {
        return resource.keep();
    }

    @Override
    public boolean isAlive() {
        return resource.isOpen();
    }

    /**
     * Frees the memory, slices and views included, as soon as the streams have passed what uses it; does not wait for
     * that. Closing a slice does nothing.
     */
    @Override
    @SuppressWarnings("ReferenceEquality") // this very object, not one like it
    public void close() {
        if (owner == null) {
            resource.close();
            if (!owned) {
                uses.awaitCalls(this);
            }
        }
    }

    @Override
    public String toString() {
        return "DeviceArray[" + count + " x " + type + " on " + device + (isAlive() ? "]" : ", freed]");
    }
}
