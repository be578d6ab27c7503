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
import java.util.ArrayList;
import java.util.List;
import org.comm4j.ffi.NativeCallException;
import org.comm4j.ffi.NativeMemory;
import org.comm4j.ffi.cuda.LibCuda;

/**
 * Compiled code, as modules and libraries are loaded from it: whether it is some, what the driver says about it, what
 * is in it.
 */
final class CodeImage {
    private static final int LOG_BYTES = 8192;

    private CodeImage() {}

    /**
     * The driver takes no length: what is cut off would be read beyond its end.
     *
     * @throws IllegalArgumentException if the bytes are no cubin, fat binary or PTX, or not all of it
     */
    static void check(byte[] image) {
        ByteBuffer bytes = ByteBuffer.wrap(image).order(ByteOrder.LITTLE_ENDIAN);
        int magic = image.length < 16 ? 0 : bytes.getInt(0);
        long needed = switch (magic) {
            case 0x464c457f -> elfBytes(bytes);
            case 0xba55ed50 -> unsigned(bytes, 6) + bytes.getLong(8);
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
        long programHeaders = elf.getLong(32) + unsigned(elf, 54) * unsigned(elf, 56);
        long sectionHeaders = elf.getLong(40) + unsigned(elf, 58) * unsigned(elf, 60);
        return Math.max(programHeaders, sectionHeaders);
    }

    private static long unsigned(ByteBuffer bytes, int at) {
        return Short.toUnsignedLong(bytes.getShort(at));
    }

    private static boolean isPtx(byte[] image) {
        String start = new String(image, 0, Math.min(image.length, 1 << 16), StandardCharsets.UTF_8);
        return start.contains(".version") && start.contains(".target");
    }

    /** The bytes as the driver wants them: PTX ends with a zero. */
    static MemorySegment copy(byte[] image, Arena arena) {
        MemorySegment copy = arena.allocate(image.length + 1L, 16);
        MemorySegment.copy(image, 0, copy, JAVA_BYTE, 0, image.length);
        return copy;
    }

    /** Options by which the driver's compiler writes its errors to {@code text}. */
    record Log(MemorySegment text, MemorySegment options, MemorySegment values, int count) {}

    static Log log(Arena arena) {
        // With an end, also when the driver fills it.
        MemorySegment text = arena.allocate(LOG_BYTES + 1L);
        MemorySegment options = arena.allocateFrom(
                JAVA_INT, LibCuda.CU_JIT_ERROR_LOG_BUFFER, LibCuda.CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES);
        MemorySegment values = arena.allocate(ADDRESS, 2);
        values.set(ADDRESS, 0, text);
        values.set(JAVA_LONG, 8, LOG_BYTES);
        return new Log(text, options, values, 2);
    }

    static String withLog(String what, MemorySegment log) {
        String text = log.getString(0);
        return text.isBlank() ? what : what + " (" + text.strip() + ")";
    }

    /** What to compile for, where that is what was wrong. */
    static String architecture(Device device, NativeCallException e) {
        return e.status() == LibCuda.CUDA_ERROR_NO_BINARY_FOR_GPU
                ? ", which needs code for " + device.computeCapability().sm() + " or PTX,"
                : "";
    }

    /** Writes handles into so many cells. */
    @FunctionalInterface
    interface Enumeration {
        void run(MemorySegment cells, int count);
    }

    /** Writes the address of a handle's name into a cell. */
    @FunctionalInterface
    interface Naming {
        void run(MemorySegment cell, long handle);
    }

    /** The names of all functions of something; what it calls needs CUDA 12.4. */
    static List<String> names(String what, Cuda.CellCall count, Enumeration enumeration, Naming naming) {
        try (Arena arena = Arena.ofConfined()) {
            int functions = Cuda.intFrom(what, count);
            MemorySegment cells = arena.allocate(JAVA_LONG, Math.max(functions, 1));
            enumeration.run(cells, functions);
            MemorySegment cell = arena.allocate(JAVA_LONG);
            List<String> names = new ArrayList<>();
            for (int i = 0; i < functions; i++) {
                naming.run(cell, cells.getAtIndex(JAVA_LONG, i));
                names.add(String.valueOf(NativeMemory.string(cell.get(JAVA_LONG, 0))));
            }
            return names.stream().sorted().toList();
        } catch (NativeCallException e) {
            throw CudaException.of(what, e);
        }
    }
}
