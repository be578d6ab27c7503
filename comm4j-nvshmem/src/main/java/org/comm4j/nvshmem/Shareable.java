// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.nvshmem;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.comm4j.cuda.Device;
import org.comm4j.cuda.DeviceArray;
import org.comm4j.ffi.NativeCallException;
import org.comm4j.ffi.cuda.CUmemAllocationProp;
import org.comm4j.ffi.cuda.LibCuda;
import org.jspecify.annotations.Nullable;

/**
 * What the driver knows of memory that has an address by {@code cuMemMap}: only that can get a second one, in every
 * process.
 *
 * @param start of the mapping
 * @param bytes of the mapping
 * @param handles the kinds of handles for other processes that it was made with, as bits
 * @param problem why it is no such memory; null if it is
 */
record Shareable(
        long start, long bytes, int handles, @Nullable String problem) {
    /** Of the piece in which {@code address} is. */
    static Shareable of(Device device, long address) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment cells = arena.allocate(2 * Long.BYTES, Long.BYTES);
            MemorySegment properties = arena.allocate(CUmemAllocationProp.LAYOUT);
            device.makeCurrent();
            LibCuda.cuMemGetAddressRange(cells, cells.asSlice(Long.BYTES), address);
            long start = cells.get(JAVA_LONG, 0);
            long bytes = cells.get(JAVA_LONG, Long.BYTES);
            LibCuda.cuMemRetainAllocationHandle(cells, address);
            long handle = cells.get(JAVA_LONG, 0);
            try {
                LibCuda.cuMemGetAllocationPropertiesFromHandle(properties, handle);
            } finally {
                LibCuda.cuMemRelease(handle);
            }
            int handles = properties.get(JAVA_INT, CUmemAllocationProp.requestedHandleTypes);
            return new Shareable(start, bytes, handles, null);
        } catch (NativeCallException e) {
            return new Shareable(
                    address,
                    0,
                    0,
                    "the memory must come from cuMemCreate, such as that of Device.allocateShareable (" + e.getMessage()
                            + ")");
        }
    }

    /**
     * Why a heap cannot take it in; null if it can.
     *
     * @param address of the array
     */
    @Nullable
    String whyNot(long address, DeviceArray memory, Space heap) {
        if (problem != null) {
            return problem;
        }
        if (address != start) {
            return memory + " begins " + (address - start)
                    + " bytes behind the front of its memory, which is taken in whole: pass the array in front";
        }
        if (memory.byteSize() > bytes) {
            return memory + " is made of several pieces of memory, the first of " + bytes
                    + " bytes; only one can be taken in";
        }
        if (bytes % heap.granularity() != 0) {
            return "the " + bytes + " bytes of its memory are no multiple of " + heap.granularity()
                    + ", the granularity of the heap (Nvshmem.granularity; the variable NVSHMEM_CUMEM_GRANULARITY, a"
                    + " power of two of at least 2 MiB, sets it before init)";
        }
        int wanted = heap.handles();
        if (wanted != 0 ? handles != wanted : handles == 0) {
            return "its memory was made for handles of type " + handles + " (CUmemAllocationHandleType), "
                    + (wanted == 0 ? "which other processes cannot have" : "the heap's for " + wanted);
        }
        return heap.hasRoomFor(bytes)
                ? null
                : "its " + bytes + " bytes are more than the heap may still take in (NVSHMEM_MAX_MEMORY_PER_GPU)";
    }
}
