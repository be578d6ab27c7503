// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.link;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.comm4j.ffi.NativeCallException;
import org.comm4j.ffi.NativeLibrary;
import org.comm4j.ffi.compiler.LibNvJitLink;
import org.comm4j.ffi.compiler.NvJitLinkHandle;
import org.jspecify.annotations.Nullable;

/** nvJitLink: several LTO-IR and PTX modules to one piece of machine code. */
final class JitLink {
    private JitLink() {}

    /**
     * Something that is to be linked.
     *
     * @param name for messages
     * @param type one of {@code LibNvJitLink.NVJITLINK_INPUT_…}
     */
    record Input(String name, int type, byte[] content) {}

    static @Nullable String problem() {
        NativeLibrary library = LibNvJitLink.library();
        return library.isPresent() ? null : library.problem();
    }

    /**
     * Links.
     *
     * @param ptx whether PTX is wanted instead of machine code
     */
    static byte[] link(String kernel, List<Input> inputs, List<String> options, boolean ptx) {
        try (Arena arena = Arena.ofConfined()) {
            List<String> all = new ArrayList<>(options);
            if (ptx) {
                all.add("-ptx");
            }
            MemorySegment cell = arena.allocate(JAVA_LONG);
            try {
                LibNvJitLink.nvJitLinkCreate(cell, all.size(), CompilerLog.strings(arena, all));
            } catch (NativeCallException e) {
                throw CompilerLog.of(kernel, "linking (nvJitLink " + String.join(" ", all) + ")", "", e);
            }
            NvJitLinkHandle handle = new NvJitLinkHandle(cell.get(JAVA_LONG, 0));
            String stage = "linking (nvJitLink)";
            try {
                for (Input input : inputs) {
                    stage = "linking " + input.name() + " (nvJitLink)";
                    MemorySegment copy = arena.allocate(input.content().length + 1L, 16);
                    MemorySegment.copy(input.content(), 0, copy, JAVA_BYTE, 0, input.content().length);
                    LibNvJitLink.nvJitLinkAddData(
                            handle,
                            input.type(),
                            copy.address(),
                            input.content().length,
                            arena.allocateFrom(input.name()));
                }
                stage = "linking (nvJitLink " + String.join(" ", all) + ")";
                LibNvJitLink.nvJitLinkComplete(handle);
                if (ptx) {
                    LibNvJitLink.nvJitLinkGetLinkedPtxSize(handle, cell);
                } else {
                    LibNvJitLink.nvJitLinkGetLinkedCubinSize(handle, cell);
                }
                MemorySegment code = arena.allocate(Math.max(cell.get(JAVA_LONG, 0), 1), 16);
                if (ptx) {
                    LibNvJitLink.nvJitLinkGetLinkedPtx(handle, code);
                } else {
                    LibNvJitLink.nvJitLinkGetLinkedCubin(handle, code.address());
                }
                return code.toArray(JAVA_BYTE);
            } catch (NativeCallException e) {
                throw CompilerLog.of(kernel, stage, logs(handle), e);
            } finally {
                cell.set(JAVA_LONG, 0, handle.address());
                LibNvJitLink.nvJitLinkDestroy(cell);
            }
        }
    }

    private static String logs(NvJitLinkHandle handle) {
        String errors = CompilerLog.log(
                size -> LibNvJitLink.nvJitLinkGetErrorLogSize(handle, size),
                content -> LibNvJitLink.nvJitLinkGetErrorLog(handle, content));
        String notes = CompilerLog.log(
                size -> LibNvJitLink.nvJitLinkGetInfoLogSize(handle, size),
                content -> LibNvJitLink.nvJitLinkGetInfoLog(handle, content));
        return (errors + "\n" + notes).strip();
    }
}
