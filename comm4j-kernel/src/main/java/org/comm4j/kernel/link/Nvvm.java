// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.link;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.comm4j.ffi.NativeCallException;
import org.comm4j.ffi.NativeLibrary;
import org.comm4j.ffi.compiler.LibNvvm;
import org.comm4j.ffi.compiler.NvvmProgram;
import org.jspecify.annotations.Nullable;

/** libNVVM: NVVM IR to LTO-IR. */
final class Nvvm {
    /** Names a {@code libdevice.10.bc} if it is not beside libNVVM. */
    private static final String LIBDEVICE_PROPERTY = "org.comm4j.libdevice";

    private static final String LIBDEVICE = "libdevice.10.bc";

    private Nvvm() {}

    /** NVIDIA's mathematical functions in bitcode, read once. It has to be found only if a kernel needs it. */
    private static final class Libdevice {
        static final @Nullable Path FILE = find();
        static final MemorySegment CONTENT = read();

        private static @Nullable Path find() {
            String property = System.getProperty(LIBDEVICE_PROPERTY);
            if (property != null) {
                return Path.of(property);
            }
            Path library = LibNvvm.library().file();
            try {
                Path folder = library == null ? null : library.toRealPath().getParent();
                for (int up = 0; up < 4 && folder != null; up++, folder = folder.getParent()) {
                    for (String inside : List.of("libdevice", "nvvm/libdevice")) {
                        Path file = folder.resolve(inside).resolve(LIBDEVICE);
                        if (Files.isRegularFile(file)) {
                            return file;
                        }
                    }
                }
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            return null;
        }

        private static MemorySegment read() {
            if (FILE == null) {
                return MemorySegment.NULL;
            }
            try {
                byte[] bytes = Files.readAllBytes(FILE);
                return Arena.global().allocate(bytes.length, 16).copyFrom(MemorySegment.ofArray(bytes));
            } catch (IOException e) {
                throw new UncheckedIOException("libdevice cannot be read from " + FILE, e);
            }
        }
    }

    static @Nullable String problem() {
        NativeLibrary library = LibNvvm.library();
        return library.isPresent() ? null : library.problem();
    }

    /**
     * Checks and compiles.
     *
     * @param kernel for messages
     * @param libdevice whether the module calls functions of libdevice
     */
    static byte[] compile(String kernel, String text, List<String> options, boolean libdevice) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment cell = arena.allocate(JAVA_LONG);
            LibNvvm.nvvmCreateProgram(cell);
            NvvmProgram program = new NvvmProgram(cell.get(JAVA_LONG, 0));
            String stage = "reading its NVVM IR (libNVVM)";
            try {
                byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
                MemorySegment copy = arena.allocate(bytes.length + 1L);
                MemorySegment.copy(bytes, 0, copy, JAVA_BYTE, 0, bytes.length);
                LibNvvm.nvvmAddModuleToProgram(program, copy, bytes.length, arena.allocateFrom(kernel));
                if (libdevice) {
                    stage = "reading libdevice (libNVVM)";
                    if (Libdevice.FILE == null) {
                        throw CompilerLog.of(
                                kernel,
                                stage,
                                "it calls mathematical functions, but there is no nvvm/libdevice/" + LIBDEVICE
                                        + " beside " + LibNvvm.library().file() + "; name it by -D" + LIBDEVICE_PROPERTY
                                        + "=",
                                null);
                    }
                    LibNvvm.nvvmLazyAddModuleToProgram(
                            program, Libdevice.CONTENT, Libdevice.CONTENT.byteSize(), arena.allocateFrom("libdevice"));
                }
                MemorySegment list = CompilerLog.strings(arena, options);
                stage = "checking its NVVM IR (libNVVM)";
                LibNvvm.nvvmVerifyProgram(program, options.size(), list);
                stage = "compiling its NVVM IR (libNVVM " + String.join(" ", options) + ")";
                LibNvvm.nvvmCompileProgram(program, options.size(), list);
                LibNvvm.nvvmGetCompiledResultSize(program, cell);
                MemorySegment result = arena.allocate(Math.max(cell.get(JAVA_LONG, 0), 1));
                LibNvvm.nvvmGetCompiledResult(program, result);
                return result.toArray(JAVA_BYTE);
            } catch (NativeCallException e) {
                String log = CompilerLog.log(
                        size -> LibNvvm.nvvmGetProgramLogSize(program, size),
                        content -> LibNvvm.nvvmGetProgramLog(program, content));
                throw CompilerLog.of(kernel, stage, log, e);
            } finally {
                cell.set(JAVA_LONG, 0, program.address());
                LibNvvm.nvvmDestroyProgram(cell);
            }
        }
    }
}
