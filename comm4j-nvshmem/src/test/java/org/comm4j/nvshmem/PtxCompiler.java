// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.nvshmem;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import org.comm4j.ffi.NativeCallException;
import org.comm4j.ffi.compiler.LibNvJitLink;
import org.comm4j.ffi.compiler.NvJitLinkHandle;
import org.comm4j.test.Natives;

/** NVIDIA's compiler of PTX, which is also in the driver; no GPU is needed for it. */
final class PtxCompiler {
    private PtxCompiler() {}

    /** What it makes of kernels for a GPU, with their names in it; skips the test where there is no compiler. */
    static String compiled(String ptx, String architecture) {
        Natives.use();
        assumeTrue(
                LibNvJitLink.library().isPresent(),
                () -> LibNvJitLink.library().problem() + " dev/natives fetches it for tests");
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment cell = arena.allocate(JAVA_LONG);
            MemorySegment options = arena.allocate(ADDRESS);
            options.set(ADDRESS, 0, arena.allocateFrom("-arch=" + architecture));
            LibNvJitLink.nvJitLinkCreate(cell, 1, options);
            NvJitLinkHandle linker = new NvJitLinkHandle(cell.get(JAVA_LONG, 0));
            byte[] text = ptx.getBytes(StandardCharsets.US_ASCII);
            MemorySegment copy = arena.allocate(text.length + 1L);
            copy.copyFrom(MemorySegment.ofArray(text));
            try {
                LibNvJitLink.nvJitLinkAddData(
                        linker,
                        LibNvJitLink.NVJITLINK_INPUT_PTX,
                        copy.address(),
                        text.length + 1L,
                        arena.allocateFrom("kernels"));
                LibNvJitLink.nvJitLinkComplete(linker);
            } catch (NativeCallException e) {
                throw new AssertionError(log(arena, linker) + ptx, e);
            }
            LibNvJitLink.nvJitLinkGetLinkedCubinSize(linker, cell);
            byte[] cubin = new byte[Math.toIntExact(cell.get(JAVA_LONG, 0))];
            MemorySegment image = arena.allocate(cubin.length);
            LibNvJitLink.nvJitLinkGetLinkedCubin(linker, image.address());
            MemorySegment.copy(image, 0, MemorySegment.ofArray(cubin), 0, cubin.length);
            cell.set(JAVA_LONG, 0, linker.address());
            LibNvJitLink.nvJitLinkDestroy(cell);
            return new String(cubin, StandardCharsets.ISO_8859_1);
        }
    }

    private static String log(Arena arena, NvJitLinkHandle linker) {
        MemorySegment size = arena.allocate(JAVA_LONG);
        LibNvJitLink.nvJitLinkGetErrorLogSize(linker, size);
        MemorySegment log = arena.allocate(size.get(JAVA_LONG, 0) + 1);
        LibNvJitLink.nvJitLinkGetErrorLog(linker, log);
        return log.getString(0);
    }
}
