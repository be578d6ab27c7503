// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.cuda;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.comm4j.core.spi.Arguments.nonNull;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.comm4j.core.spi.RefCount;
import org.comm4j.ffi.NativeCallException;
import org.comm4j.ffi.cuda.LibCuda;
import org.comm4j.ffi.handle.CUkernel;
import org.comm4j.ffi.handle.CUlibrary;
import org.comm4j.ffi.handle.CUmodule;

/**
 * Kernels and variables that belong to no device: loaded once, used on as many devices as there are. {@link #on} gives
 * what a device has of them, where the code arrives when it is first asked for. Variables exist once on each device.
 */
public final class CudaLibrary implements AutoCloseable {
    private final CUlibrary handle;
    private final String name;
    /** Holds the log: the driver writes there whenever it compiles for a device. */
    private final Arena arena;

    private final MemorySegment log;
    /** Guarded by this object. */
    private final Map<Device, CudaModule> modules = new HashMap<>();
    /** Calls that are under way, devices where its kernels may run, each {@link #keep}. */
    private final RefCount users = new RefCount(this::giveBack);
    /** An object of its own, so that it outlives this one. */
    private final AtomicBoolean isOpen = new AtomicBoolean(true);

    private CudaLibrary(CUlibrary handle, String name, Arena arena, MemorySegment log) {
        this.handle = handle;
        this.name = name;
        this.arena = arena;
        this.log = log;
        Leaks.watch(this, name, isOpen::get);
    }

    /**
     * Loads compiled code ({@code cuLibraryLoadData}).
     *
     * @param image a cubin, a fat binary that has code for all devices that are used, or PTX, which the driver compiles
     *     for each
     * @throws IllegalArgumentException if it is none of these, or was cut off
     * @throws CudaException with what the driver's compiler or linker says
     */
    public static CudaLibrary load(byte[] image) {
        nonNull(image, "CudaLibrary.load", "image");
        HostCallbacks.checkOutside();
        Cuda.require();
        CodeImage.check(image);
        String name = "library of " + image.length + " bytes";
        Arena arena = Arena.ofShared();
        try (Arena local = Arena.ofConfined()) {
            MemorySegment copy = CodeImage.copy(image, local);
            CodeImage.Log log = CodeImage.log(arena);
            try {
                long address = Cuda.longFrom(cell -> LibCuda.cuLibraryLoadData(
                        cell,
                        copy.address(),
                        log.options(),
                        log.values(),
                        log.count(),
                        MemorySegment.NULL,
                        MemorySegment.NULL,
                        0));
                return new CudaLibrary(new CUlibrary(address), name, arena, log.text());
            } catch (NativeCallException e) {
                throw CudaException.of(CodeImage.withLog("load a " + name, log.text()), e);
            }
        } catch (Throwable e) {
            arena.close();
            throw e;
        }
    }

    /**
     * Returns what {@code device} has of this library ({@code cuLibraryGetModule}); the same object each time. Closing
     * it does nothing: the library closes it.
     *
     * @throws CudaException if there is no code for this device's architecture; it says which one that is
     */
    public CudaModule on(Device device) {
        nonNull(device, "on", "device");
        acquire();
        try {
            device.acquire();
            try {
                return moduleOn(device);
            } finally {
                device.release();
            }
        } finally {
            release();
        }
    }

    private synchronized CudaModule moduleOn(Device device) {
        // Devices come and go; what was on those whose context is gone is so, too, unless its kernels may still run.
        modules.keySet().removeIf(each -> each.users().isDestroyed() && !each.isAbandoned());
        return modules.computeIfAbsent(device, this::module);
    }

    private CudaModule module(Device device) {
        log.set(JAVA_BYTE, 0, (byte) 0);
        try {
            long address = device.longFrom(cell -> LibCuda.cuLibraryGetModule(cell, handle));
            return new CudaModule(device, new CUmodule(address), this);
        } catch (NativeCallException e) {
            throw CudaException.of(
                    CodeImage.withLog("load a " + name + " on " + device, log) + CodeImage.architecture(device, e), e);
        }
    }

    /**
     * Returns the names of all kernels, as the compiler wrote them ({@code cuLibraryEnumerateKernels}).
     *
     * @throws UnsupportedOperationException if the driver is older than CUDA 12.4
     */
    public List<String> kernelNames() {
        acquire();
        try {
            return CodeImage.names(
                    "list the kernels of a " + name,
                    cell -> LibCuda.cuLibraryGetKernelCount(cell, handle),
                    (cells, count) -> LibCuda.cuLibraryEnumerateKernels(cells, count, handle),
                    (cell, kernel) -> LibCuda.cuKernelGetName(cell, new CUkernel(kernel)));
        } finally {
            release();
        }
    }

    /** Writes the function of this name in the current context; the failure as the driver gave it. */
    void function(MemorySegment cell, MemorySegment kernelName) {
        LibCuda.cuLibraryGetKernel(cell, handle, kernelName);
        LibCuda.cuKernelGetFunction(cell, new CUkernel(cell.get(JAVA_LONG, 0)));
    }

    /**
     * The address and the bytes of the variable of this name in the current context; the failure as the driver gave it.
     */
    void global(MemorySegment address, MemorySegment bytes, MemorySegment variableName) {
        LibCuda.cuLibraryGetGlobal(address, bytes, handle, variableName);
    }

    /** Returns the driver's library, for calls of other libraries; {@link #acquire} it for their time. */
    public CUlibrary handle() {
        if (!users.isOpen()) {
            throw closed();
        }
        return handle;
    }

    private IllegalStateException closed() {
        return new IllegalStateException("this " + name + " was closed");
    }

    /**
     * Begins a call of another library that uses this one, which is there until {@link #release}, whoever closes it.
     *
     * @throws IllegalStateException after close
     */
    public CUlibrary acquire() {
        if (!users.acquire()) {
            throw closed();
        }
        return handle;
    }

    /** Ends what {@link #acquire} began. */
    public void release() {
        users.release();
    }

    public boolean isOpen() {
        return users.isOpen();
    }

    /** Unloads the code from all devices, when its kernels are done ({@code cuLibraryUnload}). */
    @Override
    public void close() {
        HostCallbacks.checkOutside();
        if (!isOpen.compareAndSet(true, false)) {
            return;
        }
        // This thread, until all devices know.
        boolean ignored = users.acquire() && users.close();
        try {
            for (CudaModule part : parts()) {
                users.retain();
                part.detach(users::release);
            }
        } finally {
            users.release();
        }
    }

    private synchronized List<CudaModule> parts() {
        return List.copyOf(modules.values());
    }

    /** As {@link CudaModule#keep}. */
    public Runnable keep() {
        acquire();
        return Resource.once(name, users::release);
    }

    /** By the last user. */
    private void giveBack() {
        if (isOnAbandonedDevice()) {
            return;
        }
        try {
            Cuda.run("unload a " + name, () -> LibCuda.cuLibraryUnload(handle));
        } finally {
            arena.close();
        }
    }

    private synchronized boolean isOnAbandonedDevice() {
        return modules.keySet().stream().anyMatch(Device::isAbandoned);
    }

    @Override
    public String toString() {
        return "CudaLibrary[" + name + (isOpen() ? "]" : ", closed]");
    }
}
