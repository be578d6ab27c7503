// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.cuda;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.comm4j.ffi.NativeCallException;
import org.comm4j.ffi.cuda.LibCuda;
import org.jspecify.annotations.Nullable;

/** What the driver knows about an address ({@code cuPointerGetAttribute}), asked before a kernel would crash on it. */
final class PointerCheck {
    private PointerCheck() {}

    /**
     * @throws IllegalArgumentException unless the byte at {@code address} is memory of {@code device}, or managed
     * memory
     */
    static void isOn(Device device, long address, String operation) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment cell = arena.allocate(8, 8);
            int type = attribute(device, cell, LibCuda.CU_POINTER_ATTRIBUTE_MEMORY_TYPE, address);
            boolean managed = attribute(device, cell, LibCuda.CU_POINTER_ATTRIBUTE_IS_MANAGED, address) != 0;
            if (type != LibCuda.CU_MEMORYTYPE_DEVICE && !managed) {
                throw wrong(operation, address, "is host memory, not memory of " + device, null);
            }
            int ordinal = attribute(device, cell, LibCuda.CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL, address);
            if (ordinal != device.ordinal() && !managed) {
                throw wrong(operation, address, "is memory of device " + ordinal + ", not of " + device, null);
            }
        } catch (NativeCallException e) {
            throw wrong(operation, address, "is not memory that CUDA knows: host memory, freed, or out of range", e);
        }
    }

    /** The handle of the pool that the memory at {@code address} comes from; 0 if it comes from none. */
    static long poolOf(Device device, long address) {
        try {
            return device.longFrom(cell -> LibCuda.cuPointerGetAttribute(
                    cell.address(), LibCuda.CU_POINTER_ATTRIBUTE_MEMPOOL_HANDLE, address));
        } catch (NativeCallException e) {
            return 0;
        }
    }

    private static int attribute(Device device, MemorySegment cell, int attribute, long address) {
        cell.fill((byte) 0);
        device.makeCurrent();
        LibCuda.cuPointerGetAttribute(cell.address(), attribute, address);
        return cell.get(JAVA_INT, 0);
    }

    private static IllegalArgumentException wrong(
            String operation, long address, String what, @Nullable Throwable cause) {
        return new IllegalArgumentException(
                operation + ": the address 0x" + Long.toHexString(address) + " " + what, cause);
    }
}
