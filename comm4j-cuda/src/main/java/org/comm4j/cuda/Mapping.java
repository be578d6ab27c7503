// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.cuda;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.ffi.NativeCallException;
import org.comm4j.ffi.cuda.CUmemAccessDesc;
import org.comm4j.ffi.cuda.CUmemAllocationProp;
import org.comm4j.ffi.cuda.LibCuda;

/**
 * Physical memory of a device at an address of its own ({@code cuMemCreate}, {@code cuMemMap}): other processes can map
 * it, and libraries can give it further addresses. Who may use it is a property of the address, told for each device.
 */
final class Mapping {
    private final Device device;
    private final long address;
    private final long bytes;

    private Mapping(Device device, long address, long bytes) {
        this.device = device;
        this.address = address;
        this.bytes = bytes;
    }

    /**
     * Makes the memory, open to its own device.
     *
     * @param granularity the size is rounded up to a multiple of this, and of the driver's
     * @throws NativeCallException if the device's memory does not suffice
     */
    static Mapping create(Device device, DataType type, long count, long granularity) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment properties = properties(device, arena);
            long step = Math.max(granularity, granularity(device, properties));
            long bytes = Math.max(1, HostArray.bytes(type, count));
            long all = bytes > Long.MAX_VALUE - step ? bytes : (bytes + step - 1) / step * step;
            long handle = device.longFrom(cell -> LibCuda.cuMemCreate(cell, all, properties, 0));
            try {
                return map(device, handle, all, step);
            } finally {
                // The mapping keeps the memory.
                LibCuda.cuMemRelease(handle);
            }
        }
    }

    private static MemorySegment properties(Device device, Arena arena) {
        MemorySegment properties = arena.allocate(CUmemAllocationProp.LAYOUT);
        properties.set(JAVA_INT, CUmemAllocationProp.type, LibCuda.CU_MEM_ALLOCATION_TYPE_PINNED);
        properties.set(
                JAVA_INT, CUmemAllocationProp.requestedHandleTypes, LibCuda.CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR);
        MemoryPool.putLocation(properties.asSlice(CUmemAllocationProp.location), device);
        if (device.attribute(LibCuda.CU_DEVICE_ATTRIBUTE_GPU_DIRECT_RDMA_WITH_CUDA_VMM_SUPPORTED) != 0) {
            properties.set(JAVA_BYTE, CUmemAllocationProp.allocFlags_gpuDirectRDMACapable, (byte) 1);
        }
        return properties;
    }

    private static long granularity(Device device, MemorySegment properties) {
        return device.longFrom(cell ->
                LibCuda.cuMemGetAllocationGranularity(cell, properties, LibCuda.CU_MEM_ALLOC_GRANULARITY_RECOMMENDED));
    }

    private static Mapping map(Device device, long handle, long bytes, long alignment) {
        long address = device.longFrom(cell -> LibCuda.cuMemAddressReserve(cell, bytes, alignment, 0, 0));
        try {
            LibCuda.cuMemMap(address, bytes, 0, handle, 0);
            Mapping mapping = new Mapping(device, address, bytes);
            try {
                mapping.open(device);
                return mapping;
            } catch (Throwable e) {
                LibCuda.cuMemUnmap(address, bytes);
                throw e;
            }
        } catch (Throwable e) {
            LibCuda.cuMemAddressFree(address, bytes);
            throw e;
        }
    }

    long address() {
        return address;
    }

    /** Lets kernels of {@code peer} use it. */
    void open(Device peer) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment access = arena.allocate(CUmemAccessDesc.LAYOUT);
            MemoryPool.putLocation(access.asSlice(CUmemAccessDesc.location), peer);
            access.set(JAVA_INT, CUmemAccessDesc.flags, LibCuda.CU_MEM_ACCESS_FLAGS_PROT_READWRITE);
            device.run("open memory to " + peer, () -> LibCuda.cuMemSetAccess(address, bytes, access, 1));
        }
    }

    void free() {
        LibCuda.cuMemUnmap(address, bytes);
        LibCuda.cuMemAddressFree(address, bytes);
    }
}
