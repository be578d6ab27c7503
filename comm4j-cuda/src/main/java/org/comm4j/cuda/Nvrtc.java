// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.cuda;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.comm4j.core.spi.Arguments.nonNull;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.comm4j.ffi.NativeCallException;
import org.comm4j.ffi.NativeLibrary;
import org.comm4j.ffi.compiler.LibNvrtc;
import org.comm4j.ffi.compiler.NvrtcProgram;
import org.jspecify.annotations.Nullable;

/** CUDA C++ compiled at run time, by the NVRTC library of an installed toolkit or Python wheel. It needs no device. */
public final class Nvrtc {
    private Nvrtc() {}

    /** Returns why nothing can be compiled in this process; null if it can. */
    public static @Nullable String problem() {
        NativeLibrary library = LibNvrtc.library();
        return library.isPresent() ? null : library.problem();
    }

    /**
     * Compiles for a device's architecture.
     *
     * @return a cubin for {@link CudaModule#load}
     * @throws CudaException if the source is wrong, with the compiler's log; also without NVRTC
     */
    public static byte[] compile(String source, String name, Device device, String... options) {
        nonNull(source, "compile", "source");
        nonNull(name, "compile", "name");
        nonNull(device, "compile", "device");
        nonNull(options, "compile", "options");
        return compile(source, name, device.computeCapability().sm(), options);
    }

    /**
     * Compiles for an architecture ({@code nvrtcCompileProgram}).
     *
     * @param source CUDA C++; declare kernels {@code extern "C" __global__} to find them by their plain names
     * @param name the file's name for messages: {@code saxpy.cu}
     * @param architecture {@code sm_90} for a cubin, {@code compute_90} for PTX, which newer devices run, too
     * @param options of NVRTC: {@code -I/path}, {@code -DN=4}, {@code --use_fast_math}
     * @return a cubin or PTX for {@link CudaModule#load}
     * @throws CudaException if the source is wrong, with the compiler's log; also without NVRTC
     */
    public static byte[] compile(String source, String name, String architecture, String... options) {
        nonNull(source, "compile", "source");
        nonNull(name, "compile", "name");
        nonNull(architecture, "compile", "architecture");
        nonNull(options, "compile", "options");
        return compile(source, name, architecture, architecture.startsWith("sm_") ? Result.CUBIN : Result.PTX, options);
    }

    /**
     * Compiles device functions to what nvJitLink joins and inlines: LTO-IR, relocatable ({@code -dlto -rdc=true}).
     *
     * @param architecture {@code sm_90}
     * @param options as of {@link #compile(String, String, String, String...)}
     * @throws CudaException if the source is wrong, with the compiler's log; also without NVRTC
     */
    public static byte[] compileLto(String source, String name, String architecture, String... options) {
        nonNull(source, "compileLto", "source");
        nonNull(name, "compileLto", "name");
        nonNull(architecture, "compileLto", "architecture");
        nonNull(options, "compileLto", "options");
        List<String> all = new ArrayList<>(List.of("-dlto", "-rdc=true"));
        all.addAll(Arrays.asList(options));
        return compile(source, name, architecture, Result.LTO_IR, all.toArray(String[]::new));
    }

    private enum Result {
        CUBIN,
        PTX,
        LTO_IR
    }

    private static byte[] compile(String source, String name, String architecture, Result result, String... options) {
        checkText("source", source);
        checkText("name", name);
        if (!architecture.matches("(sm|compute)_\\d+[a-z]?")) {
            throw new IllegalArgumentException(
                    "there is no architecture '" + architecture + "'; sm_90 and compute_90 are examples");
        }
        for (String option : options) {
            checkText("option", option);
            if (option.startsWith("-arch") || option.startsWith("--gpu-architecture")) {
                throw new IllegalArgumentException(
                        "option " + option + ": the architecture is " + architecture + " already, by its own argument");
            }
        }
        String problem = problem();
        if (problem != null) {
            throw new CudaException("compile " + name + ": " + problem);
        }
        List<String> all = new ArrayList<>(List.of("-arch=" + architecture));
        all.addAll(Arrays.asList(options));
        try (Arena arena = Arena.ofConfined()) {
            return compile(arena, source, name, architecture, result, all);
        }
    }

    private static void checkText(String what, String text) {
        if (text.indexOf('\0') >= 0) {
            throw new IllegalArgumentException(what + " has a zero character, which would end it");
        }
    }

    private static byte[] compile(
            Arena arena, String source, String name, String architecture, Result result, List<String> options) {
        MemorySegment cell = arena.allocate(JAVA_LONG);
        MemorySegment names = arena.allocate(ADDRESS, options.size());
        for (int i = 0; i < options.size(); i++) {
            names.setAtIndex(ADDRESS, i, arena.allocateFrom(options.get(i)));
        }
        try {
            LibNvrtc.nvrtcCreateProgram(
                    cell,
                    arena.allocateFrom(source),
                    arena.allocateFrom(name),
                    0,
                    MemorySegment.NULL,
                    MemorySegment.NULL);
        } catch (NativeCallException e) {
            throw CudaException.withDetail("compile " + name, e, "");
        }
        NvrtcProgram program = new NvrtcProgram(cell.get(JAVA_LONG, 0));
        try {
            LibNvrtc.nvrtcCompileProgram(program, options.size(), names);
            return switch (result) {
                case CUBIN -> code(arena, program, LibNvrtc::nvrtcGetCUBINSize, LibNvrtc::nvrtcGetCUBIN);
                case PTX -> code(arena, program, LibNvrtc::nvrtcGetPTXSize, LibNvrtc::nvrtcGetPTX);
                case LTO_IR -> code(arena, program, LibNvrtc::nvrtcGetLTOIRSize, LibNvrtc::nvrtcGetLTOIR);
            };
        } catch (NativeCallException e) {
            throw CudaException.withDetail(
                    "compile " + name + " for " + architecture, e, known(architecture) + "\n" + log(arena, program));
        } finally {
            LibNvrtc.nvrtcDestroyProgram(cell);
        }
    }

    /** One of the functions that give a result or its size. */
    @FunctionalInterface
    private interface Getter {
        void get(NvrtcProgram program, MemorySegment to);
    }

    private static byte[] code(Arena arena, NvrtcProgram program, Getter size, Getter content) {
        MemorySegment bytes = arena.allocate(JAVA_LONG);
        size.get(program, bytes);
        MemorySegment code = arena.allocate(Math.max(bytes.get(JAVA_LONG, 0), 1));
        content.get(program, code);
        return code.toArray(JAVA_BYTE);
    }

    private static String log(Arena arena, NvrtcProgram program) {
        try {
            MemorySegment size = arena.allocate(JAVA_LONG);
            LibNvrtc.nvrtcGetProgramLogSize(program, size);
            MemorySegment text = arena.allocate(size.get(JAVA_LONG, 0) + 1);
            LibNvrtc.nvrtcGetProgramLog(program, text);
            return text.getString(0).strip();
        } catch (NativeCallException e) {
            return "(no log: " + e.getMessage() + ")";
        }
    }

    /** What the compiler knows instead, if it does not know an architecture. */
    private static String known(String architecture) {
        int[] known = architectures();
        int number = Integer.parseInt(architecture.replaceAll("\\D", ""));
        return Arrays.stream(known).anyMatch(n -> n == number)
                ? ""
                : "; this NVRTC knows "
                        + Arrays.stream(known).mapToObj(n -> "sm_" + n).collect(Collectors.joining(", "));
    }

    /**
     * The architectures that this NVRTC knows, ascending: {@code 90} is {@code sm_90} ({@code nvrtcGetSupportedArchs}).
     */
    static int[] architectures() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment count = arena.allocate(JAVA_INT);
            LibNvrtc.nvrtcGetNumSupportedArchs(count);
            MemorySegment numbers = arena.allocate(JAVA_INT, Math.max(count.get(JAVA_INT, 0), 1));
            LibNvrtc.nvrtcGetSupportedArchs(numbers);
            return numbers.toArray(JAVA_INT);
        }
    }
}
