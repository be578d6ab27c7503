// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.ffi;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * What a JVM needs to bear an OpenSHMEM library, arranged before that library is loaded. All of it is seen with the
 * packages of Debian 12 (Open MPI 4.1.4, UCX 1.13.1), what concerns Sandia's with its version 1.5; what the user has
 * set stays as it is.
 *
 * <ul>
 *   <li>UCX would handle SIGSEGV itself, which the JVM needs for its checks of null.
 *   <li>The library's memory hooks call into what is unloaded already when the process ends.
 *   <li>The symmetric heap would be mapped at a fixed address below 4 GiB, over what lies there, which may be Java's
 *   heap.
 *   <li>Everything writable below the symbol {@code _end} counts as the program's static data and is registered. {@code
 *   java} has no such symbol, the library's own is found, and most of
 *       the JVM is below it. So another one comes first, at the beginning of memory. Sandia's library complains if that
 *       or {@code __data_start} is missing.
 * </ul>
 */
public final class OpenshmemProcess {
    /**
     * 16 TiB: above what programs, collectors of garbage and the kernel use of their own accord; the same on all PEs.
     */
    private static final String HEAP_ADDRESS = "17592186044416";

    private OpenshmemProcess() {}

    /**
     * How large the symmetric heap will be. To be called before the library is initialised.
     *
     * @param bytes what the library needs for itself included
     */
    public static void heapBytes(long bytes) {
        // Open MPI does not read the name of the specification, which is the latter.
        OperatingSystem.current().setVariable("SMA_SYMMETRIC_SIZE", Long.toString(bytes));
        OperatingSystem.current().setVariable("SHMEM_SYMMETRIC_SIZE", Long.toString(bytes));
    }

    /**
     * Prepares this process; {@link NativeLibrary} does so before it loads the library. Returns why it cannot be
     * prepared, or null.
     */
    static @Nullable String prepare() {
        if (!"Linux".equals(System.getProperty("os.name")) || machine() < 0) {
            return "cannot load it on " + System.getProperty("os.name") + " on " + System.getProperty("os.arch")
                    + ": comm4j knows it on Linux on x86-64 and AArch64";
        }
        OperatingSystem os = OperatingSystem.current();
        set(os, "UCX_ERROR_SIGNALS", "");
        set(os, "OMPI_MCA_opal_common_ucx_opal_mem_hooks", "0");
        set(os, "OMPI_MCA_sshmem_base_start_address", HEAP_ADDRESS);
        try (Arena arena = Arena.ofConfined()) {
            byte[] library = withSymbols("__data_start", 8, "_end", 16);
            int file = os.createSharedFile("comm4j-end", library.length);
            MemorySegment memory = os.map(file, library.length, arena);
            MemorySegment.copy(library, 0, memory, ValueLayout.JAVA_BYTE, 0, library.length);
            MemorySegment ignored = DynamicLoader.loadForAll(os.sharedPath(file));
            os.closeFile(file);
        } catch (DynamicLoader.LoadException | OperatingSystemException e) {
            return "cannot load the symbols that keep OpenSHMEM from registering the JVM's memory: " + e.getMessage();
        }
        return null;
    }

    private static void set(OperatingSystem os, String name, String value) {
        if (os.variable(name) == null) {
            os.setVariable(name, value);
        }
    }

    /** A shared library for this processor that defines two absolute symbols and nothing else. */
    static byte[] withSymbols(String first, long firstValue, String second, long secondValue) {
        int headers = 64 + 3 * 56;
        int strings = headers;
        byte[] text = ("\0" + first + "\0" + second + "\0").getBytes(StandardCharsets.US_ASCII);
        int symbols = strings + (text.length + 7) / 8 * 8;
        int hash = symbols + 3 * 24;
        int dynamic = hash + 24;
        int end = dynamic + 6 * 16;
        ByteBuffer file = ByteBuffer.allocate(end).order(ByteOrder.nativeOrder());

        // The file: ELF of 64 bits, a shared library.
        boolean little = ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN;
        file.put(new byte[] {0x7f, 'E', 'L', 'F', 2, (byte) (little ? 1 : 2), 1, 0})
                .putLong(0);
        file.putShort((short) 3).putShort(machine()).putInt(1).putLong(0);
        file.putLong(64).putLong(0).putInt(0);
        file.putShort((short) 64).putShort((short) 56).putShort((short) 3);
        file.putShort((short) 64).putShort((short) 0).putShort((short) 0);

        // Segments: all of it, loaded for reading and writing; the dynamic section; a stack that is not executable.
        segment(file, 1, 0, end, 0x1000);
        segment(file, 2, dynamic, end - dynamic, 8);
        segment(file, 0x6474e551, 0, 0, 16);

        file.put(text).position(symbols + 24);
        symbol(file, 1, firstValue);
        symbol(file, first.length() + 2, secondValue);
        // One bucket, which begins with symbol 1 and goes on with 2, of three.
        file.putInt(1).putInt(3).putInt(1).putInt(0).putInt(2).putInt(0);
        long[] entries = {4, hash, 5, strings, 6, symbols, 10, text.length, 11, 24, 0, 0};
        for (long entry : entries) {
            file.putLong(entry);
        }
        return file.array();
    }

    /** Global, absolute. */
    private static void symbol(ByteBuffer file, int name, long value) {
        file.putInt(name)
                .put((byte) 0x10)
                .put((byte) 0)
                .putShort((short) 0xfff1)
                .putLong(value)
                .putLong(0);
    }

    private static void segment(ByteBuffer file, int type, long start, long bytes, long alignment) {
        file.putInt(type).putInt(6);
        file.putLong(start)
                .putLong(start)
                .putLong(start)
                .putLong(bytes)
                .putLong(bytes)
                .putLong(alignment);
    }

    /** ELF's number of this processor; −1 if it is neither. */
    private static short machine() {
        return switch (System.getProperty("os.arch")) {
            case "amd64" -> 62;
            case "aarch64" -> 183;
            default -> -1;
        };
    }
}
