// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.cuda;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import org.comm4j.core.DataType;
import org.comm4j.ffi.NativeCallException;
import org.comm4j.ffi.cuda.CUfunction;
import org.comm4j.ffi.cuda.CUmodule;
import org.comm4j.ffi.cuda.LibCuda;

/** Kernels and variables that were loaded onto a device. */
public final class CudaModule implements AutoCloseable {
    private static final int LOG_BYTES = 8192;

    private final Device device;
    private final CUmodule handle;
    private final Resource resource;
    /** Of its kernels. */
    private final Uses uses = new Uses(null);

    private CudaModule(Device device, CUmodule handle) {
        this.device = device;
        this.handle = handle;
        this.resource = Resource.own(
                device,
                "module",
                () -> device.heap()
                        .giveBack(uses, () -> Cuda.run("unload a module", () -> LibCuda.cuModuleUnload(handle))),
                this);
    }

    /**
     * Loads compiled code ({@code cuModuleLoadDataEx}).
     *
     * @param image a cubin or fat binary for the device's architecture, or PTX, which the driver compiles
     * @throws IllegalArgumentException if it is none of these, or was cut off
     * @throws CudaException with what the driver's compiler or linker says
     */
    public static CudaModule load(Device device, byte[] image) {
        device.check();
        checkImage(image);
        String what = "load a module of " + image.length + " bytes on " + device;
        try (Arena arena = Arena.ofConfined()) {
            // One byte more: PTX ends with a zero.
            MemorySegment copy = arena.allocate(image.length + 1L, 16);
            MemorySegment.copy(image, 0, copy, JAVA_BYTE, 0, image.length);
            MemorySegment log = arena.allocate(LOG_BYTES);
            MemorySegment options = arena.allocateFrom(
                    JAVA_INT, LibCuda.CU_JIT_ERROR_LOG_BUFFER, LibCuda.CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES);
            MemorySegment values = arena.allocate(ADDRESS, 2);
            values.set(ADDRESS, 0, log);
            values.set(JAVA_LONG, 8, LOG_BYTES);
            try {
                return new CudaModule(
                        device,
                        new CUmodule(device.longFrom(
                                cell -> LibCuda.cuModuleLoadDataEx(cell, copy.address(), 2, options, values))));
            } catch (NativeCallException e) {
                String text = log.getString(0);
                throw CudaException.of(text.isBlank() ? what : what + " (" + text.strip() + ")", e);
            }
        }
    }

    /** The driver takes no length: what is cut off would be read beyond its end. */
    private static void checkImage(byte[] image) {
        ByteBuffer bytes = ByteBuffer.wrap(image).order(ByteOrder.LITTLE_ENDIAN);
        int magic = image.length < 16 ? 0 : bytes.getInt(0);
        long needed = switch (magic) {
            case 0x464c457f -> elfBytes(bytes);
            case 0xba55ed50 -> Short.toUnsignedLong(bytes.getShort(6)) + bytes.getLong(8);
            default -> isPtx(image) ? image.length : -1;
        };
        if (needed < 0) {
            throw new IllegalArgumentException(
                    "these " + image.length + " bytes are neither a cubin nor a fat binary nor PTX");
        }
        if (needed > image.length) {
            throw new IllegalArgumentException(
                    "this module was cut off: it has " + image.length + " of " + needed + " bytes");
        }
    }

    /** Where the section and program headers of a 64-bit ELF file end. */
    private static long elfBytes(ByteBuffer elf) {
        if (elf.capacity() < 64) {
            return 64;
        }
        long programHeaders = elf.getLong(32) + (long) elf.getShort(54) * elf.getShort(56);
        long sectionHeaders = elf.getLong(40) + (long) elf.getShort(58) * elf.getShort(60);
        return Math.max(programHeaders, sectionHeaders);
    }

    private static boolean isPtx(byte[] image) {
        String start = new String(image, 0, Math.min(image.length, 1 << 16), StandardCharsets.UTF_8);
        return start.contains(".version") && start.contains(".target");
    }

    /**
     * A kernel of this module ({@code cuModuleGetFunction}).
     *
     * @param name as the compiler wrote it: the plain name for {@code extern "C"} kernels, the mangled one for others
     * @throws IllegalArgumentException if there is none of this name
     */
    public Kernel kernel(String name) {
        resource.check();
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment text = arena.allocateFrom(name);
            return new Kernel(
                    this,
                    name,
                    new CUfunction(device.longFrom(cell -> LibCuda.cuModuleGetFunction(cell, handle, text))));
        } catch (NativeCallException e) {
            throw notFound("kernel", name, e);
        }
    }

    /**
     * A {@code __device__} or {@code __constant__} variable of this module, all of it ({@code cuModuleGetGlobal}); it lives as long as
     * the module.
     *
     * @throws IllegalArgumentException if there is none of this name, or its size is no whole number of such elements
     */
    public DeviceArray global(String name, DataType type) {
        resource.check();
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment text = arena.allocateFrom(name);
            MemorySegment size = arena.allocate(JAVA_LONG);
            long address = device.longFrom(cell -> LibCuda.cuModuleGetGlobal(cell, size, handle, text));
            long bytes = size.get(JAVA_LONG, 0);
            if (bytes % type.bytes() != 0) {
                throw new IllegalArgumentException(
                        "the " + bytes + " bytes of " + name + " are no whole number of " + type + " elements");
            }
            return new DeviceArray(device, type, address, bytes / type.bytes(), resource, uses, this);
        } catch (NativeCallException e) {
            throw notFound("variable", name, e);
        }
    }

    private RuntimeException notFound(String kind, String name, NativeCallException e) {
        return e.status() == LibCuda.CUDA_ERROR_NOT_FOUND
                ? new IllegalArgumentException(
                        this + " has no " + kind + " '" + name + "'; C++ mangles names unless they are extern \"C\"", e)
                : CudaException.of("look up " + kind + " " + name + " in " + this, e);
    }

    public Device device() {
        return device;
    }

    /** The driver's module, for calls of other libraries. */
    public CUmodule handle() {
        resource.check();
        return handle;
    }

    /** A kernel of this module is about to be put into {@code stream}. */
    void usedIn(Stream stream) {
        resource.check();
        uses.add(stream);
    }

    void check() {
        resource.check();
    }

    public boolean isOpen() {
        return resource.isOpen();
    }

    /** Unloads the code, when its kernels are done ({@code cuModuleUnload}). */
    @Override
    public void close() {
        resource.close();
    }

    @Override
    public String toString() {
        return "CudaModule[" + device + (isOpen() ? "]" : ", closed]");
    }
}
