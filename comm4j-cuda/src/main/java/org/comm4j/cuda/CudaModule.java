// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.cuda;

import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.comm4j.core.spi.Arguments.nonNull;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import org.comm4j.core.DataType;
import org.comm4j.ffi.NativeCallException;
import org.comm4j.ffi.cuda.LibCuda;
import org.comm4j.ffi.handle.CUfunction;
import org.comm4j.ffi.handle.CUmodule;
import org.jspecify.annotations.Nullable;

/** Kernels and variables that were loaded onto a device. */
public final class CudaModule implements AutoCloseable {
    private static final String KERNEL = "kernel";

    /** Names that a message lists, at most. */
    private static final int MOST_NAMES = 20;

    private final Device device;
    private final CUmodule handle;
    private final Resource resource;
    /** Of its kernels. */
    private final Uses uses = Uses.ofCode();
    /** What this is a part of; null for a module of its own. */
    private final @Nullable CudaLibrary library;

    private CudaModule(Device device, CUmodule handle) {
        this.device = device;
        this.handle = handle;
        this.library = null;
        this.resource = Resource.own(
                device,
                "module",
                () -> device.heap()
                        .giveBack(uses, () -> Cuda.run("unload a module", () -> LibCuda.cuModuleUnload(handle))),
                this);
    }

    /** What a device has of a library, which gives it back. */
    CudaModule(Device device, CUmodule handle, CudaLibrary library) {
        this.device = device;
        this.handle = handle;
        this.library = library;
        this.resource = Resource.foreign(device, "module of a library");
    }

    /**
     * Loads compiled code ({@code cuModuleLoadDataEx}).
     *
     * @param image a cubin or fat binary for the device's architecture, or PTX, which the driver compiles
     * @throws IllegalArgumentException if it is none of these, or was cut off
     * @throws CudaException with what the driver's compiler or linker says
     */
    public static CudaModule load(Device device, byte[] image) {
        nonNull(device, "CudaModule.load", "device");
        nonNull(image, "CudaModule.load", "image");
        CodeImage.check(image);
        device.acquire();
        String what = "load a module of " + image.length + " bytes on " + device;
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment copy = CodeImage.copy(image, arena);
            CodeImage.Log log = CodeImage.log(arena);
            try {
                return new CudaModule(
                        device,
                        new CUmodule(device.longFrom(cell -> LibCuda.cuModuleLoadDataEx(
                                cell, copy.address(), log.count(), log.options(), log.values()))));
            } catch (NativeCallException e) {
                throw CudaException.of(CodeImage.withLog(what, log.text()) + CodeImage.architecture(device, e), e);
            }
        } finally {
            device.release();
        }
    }

    /**
     * Returns a kernel of this module ({@code cuModuleGetFunction}; {@code cuLibraryGetKernel} and {@code
     * cuKernelGetFunction} for one of a library).
     *
     * @param name as the compiler wrote it: the plain name for {@code extern "C"} kernels, the mangled one for others
     * @throws IllegalArgumentException if there is none of this name
     */
    public CudaFunction function(String name) {
        nonNull(name, "function", "name");
        CUmodule ignored = acquire();
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment text = text(arena, name);
            return new CudaFunction(this, name, new CUfunction(device.longFrom(cell -> {
                if (library == null) {
                    LibCuda.cuModuleGetFunction(cell, handle, text);
                } else {
                    library.function(cell, text);
                }
            })));
        } catch (NativeCallException e) {
            throw notFound(KERNEL, name, e);
        } finally {
            release();
        }
    }

    /**
     * Returns a {@code __device__} or {@code __constant__} variable of this module, all of it ({@code
     * cuModuleGetGlobal}, {@code cuLibraryGetGlobal}); it lives as long as the module.
     *
     * @throws IllegalArgumentException if there is none of this name, or its bytes are no whole number of such
     *     elements, or not aligned for them
     */
    public DeviceArray global(String name, DataType type) {
        nonNull(name, "global", "name");
        nonNull(type, "global", "type");
        CUmodule ignored = acquire();
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment text = text(arena, name);
            MemorySegment size = arena.allocate(JAVA_LONG);
            long address = device.longFrom(cell -> {
                if (library == null) {
                    LibCuda.cuModuleGetGlobal(cell, size, handle, text);
                } else {
                    library.global(cell, size, text);
                }
            });
            long bytes = size.get(JAVA_LONG, 0);
            if (bytes % type.bytes() != 0 || address % type.alignment() != 0) {
                throw new IllegalArgumentException("the " + bytes + " bytes of " + name + " at 0x"
                        + Long.toHexString(address) + " are no whole number of " + type
                        + " elements, or not aligned for them");
            }
            return new DeviceArray(device, type, address, bytes / type.bytes(), resource, uses, this);
        } catch (NativeCallException e) {
            throw notFound("variable", name, e);
        } finally {
            release();
        }
    }

    /** In C a name ends at the first zero: another one would be found. */
    private static MemorySegment text(Arena arena, String name) {
        if (name.indexOf('\0') >= 0) {
            throw new IllegalArgumentException(
                    "a name with a zero in it is none in C: '" + name.replace('\0', '?') + "'");
        }
        return arena.allocateFrom(name);
    }

    private RuntimeException notFound(String kind, String name, NativeCallException e) {
        if (e.status() != LibCuda.CUDA_ERROR_NOT_FOUND) {
            return CudaException.of(
                    "look up " + kind + " " + name + " in " + this + CodeImage.architecture(device, e), e);
        }
        return new IllegalArgumentException(
                this + " has no " + kind + " '" + name + "'; C++ mangles names unless they are extern \"C\""
                        + (kind.equals(KERNEL) ? existing() : ""),
                e);
    }

    /** For a message: what there is instead, if the driver can tell. */
    private String existing() {
        List<String> names;
        try {
            names = kernelNames();
        } catch (CudaException | UnsupportedOperationException e) {
            return "";
        }
        return names.isEmpty()
                ? "; it has no kernels at all"
                : "; it has " + String.join(", ", names.subList(0, Math.min(names.size(), MOST_NAMES)))
                        + (names.size() > MOST_NAMES ? " and " + (names.size() - MOST_NAMES) + " more" : "");
    }

    /**
     * Returns the names of all kernels, as the compiler wrote them ({@code cuModuleEnumerateFunctions}).
     *
     * @throws UnsupportedOperationException if the driver is older than CUDA 12.4
     */
    public List<String> kernelNames() {
        CUmodule ignored = acquire();
        try {
            if (library != null) {
                return library.kernelNames();
            }
            device.enter();
            return CodeImage.names(
                    "list the kernels of a module",
                    cell -> LibCuda.cuModuleGetFunctionCount(cell, handle),
                    (cells, count) -> LibCuda.cuModuleEnumerateFunctions(cells, count, handle),
                    (cell, function) -> LibCuda.cuFuncGetName(cell, new CUfunction(function)));
        } finally {
            release();
        }
    }

    public Device device() {
        return device;
    }

    /** Returns the driver's module, for calls of other libraries; {@link #acquire} it for their time. */
    public CUmodule handle() {
        resource.check();
        return handle;
    }

    /**
     * Begins a call of another library that uses the module, which is there until {@link #release}, whoever closes
     * what.
     *
     * @throws IllegalStateException after close
     */
    public CUmodule acquire() {
        resource.acquire();
        if (library != null) {
            try {
                library.acquire();
            } catch (IllegalStateException e) {
                resource.release();
                throw e;
            }
        }
        return handle;
    }

    /** Ends what {@link #acquire} began. */
    public void release() {
        if (library != null) {
            library.release();
        }
        resource.release();
    }

    /** A kernel of this module is about to be put into {@code stream}, which the caller has acquired. */
    void usedIn(Stream stream) {
        uses.add(stream);
        // In this order: whoever closes the module looks at its uses after that.
        resource.check();
    }

    void check() {
        resource.check();
    }

    public boolean isOpen() {
        return resource.isOpen();
    }

    /**
     * Unloads the code, when its kernels are done ({@code cuModuleUnload}). What a device has of a library closes with
     * that only.
     */
    @Override
    public void close() {
        if (library == null) {
            resource.close();
        }
    }

    /**
     * Keeps the code loaded, whoever closes this, until the returned action has been run, once: for libraries that
     * change what is loaded, and change it back.
     *
     * @throws IllegalStateException after close
     */
    public Runnable keep() {
        if (library != null) {
            resource.check();
            return library.keep();
        }
        return resource.keep();
    }

    /**
     * Its library closes: it cannot be used any more.
     *
     * @param free runs when its kernels are done
     */
    void detach(Runnable free) {
        resource.close();
        if (!device.users().retain()) {
            // What was on it is gone.
            free.run();
            return;
        }
        try {
            device.heap().giveBack(uses, free);
        } finally {
            device.users().release();
        }
    }

    @Override
    public String toString() {
        return "CudaModule[" + device + (isOpen() ? "]" : ", closed]");
    }
}
