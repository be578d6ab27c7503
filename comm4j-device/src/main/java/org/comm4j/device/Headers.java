// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.device;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.comm4j.ffi.compiler.LibNvrtc;
import org.comm4j.ffi.nvshmem.LibNvshmem;
import org.jspecify.annotations.Nullable;

/**
 * Where the headers are that NVSHMEM's device code is compiled from. NVSHMEM's are those beside its library, so that
 * the versions agree. CUDA's come from a toolkit, or from the Python wheels {@code nvidia-cuda-runtime}, {@code
 * nvidia-cuda-crt} and {@code nvidia-cuda-cccl}.
 */
final class Headers {
    /** Names folders of headers, with the system's separator of paths, to be searched first. */
    static final String PROPERTY = "org.comm4j.device.include";

    private static final String NVSHMEM = "device/nvshmem_defines.h";
    private static final List<String> CUDA = List.of("cuda_runtime.h", "crt/host_defines.h", "cuda/std/type_traits");

    private final Supplier<@Nullable Path> library;
    /** Whether NVRTC may be loaded to find out where it is. */
    private final boolean compiler;

    private final List<Path> candidates = new ArrayList<>();
    private final List<Path> found = new ArrayList<>();
    /** How many of {@link #more} have been looked at. */
    private int asked;

    /** @param library the headers beside it are searched first; loaded only if they are needed */
    private Headers(Supplier<@Nullable Path> library, boolean compiler) {
        this.library = library;
        this.compiler = compiler;
    }

    /**
     * All folders.
     *
     * @throws UnsupportedOperationException if headers are missing; it says which, and where they were looked for
     */
    static List<Path> folders() {
        return folders(() -> LibNvshmem.library().file(), List.of(NVSHMEM), true);
    }

    /** {@link #folders}, as far as they are found without NVRTC, which takes time to load. */
    static List<Path> foldersWithoutCompiler() {
        return folders(() -> LibNvshmem.library().file(), List.of(NVSHMEM), false);
    }

    /** CUDA's alone. */
    static List<Path> cuda() {
        return folders(() -> null, List.of(), true);
    }

    /** What {@link #PROPERTY} names. */
    static List<Path> given() {
        List<Path> folders = new ArrayList<>();
        for (String folder : System.getProperty(PROPERTY, "").split(File.pathSeparator)) {
            if (!folder.isEmpty()) {
                folders.add(Path.of(folder));
            }
        }
        return folders;
    }

    private static List<Path> folders(Supplier<@Nullable Path> library, List<String> others, boolean compiler) {
        Headers headers = new Headers(library, compiler);
        headers.candidates.addAll(given());
        for (String header : others) {
            headers.need(header);
        }
        for (String header : CUDA) {
            headers.need(header);
        }
        return List.copyOf(headers.found);
    }

    /**
     * Adds where to look if that is not enough; whether there was anything left. NVRTC, which takes time to load, is
     * asked for last.
     */
    private boolean more() {
        switch (asked++) {
            case 0 -> beside(library.get(), "include");
            case 1 -> toolkit(System.getenv("CUDA_HOME"));
            case 2 -> toolkit(System.getenv("CUDA_PATH"));
            case 3 -> toolkit("/usr/local/cuda");
            case 4 -> beside(compiler ? LibNvrtc.library().file() : null, "include");
            default -> {
                return false;
            }
        }
        return true;
    }

    private void toolkit(@Nullable String folder) {
        if (folder != null && !folder.isEmpty()) {
            with(Path.of(folder, "include"));
        }
    }

    /** CUDA keeps its C++ library in a folder of its own. */
    private void with(Path folder) {
        candidates.add(folder);
        candidates.add(folder.resolve("cccl"));
    }

    /**
     * Of a library in {@code lib} of a wheel or toolkit; and those of the wheels beside it, however they were unpacked.
     */
    private void beside(@Nullable Path library, String name) {
        Path lib = library == null ? null : library.toAbsolutePath().getParent();
        if (lib == null || lib.getParent() == null) {
            return;
        }
        with(lib.resolveSibling(name));
        for (String wheel : List.of("cu13", "cuda_runtime", "cuda_nvcc", "cuda_cccl", "cuda_crt")) {
            with(lib.getParent().resolveSibling(wheel).resolve(name));
        }
    }

    private static @Nullable Path with(String header, List<Path> folders) {
        for (Path folder : folders) {
            if (Files.isRegularFile(folder.resolve(header))) {
                return folder;
            }
        }
        return null;
    }

    private void need(String header) {
        if (with(header, found) != null) {
            return;
        }
        Path folder = with(header, candidates);
        while (folder == null && more()) {
            folder = with(header, candidates);
        }
        if (folder == null) {
            throw new UnsupportedOperationException(
                    "kernels that call NVSHMEM or NCCL are compiled with headers, but there is no " + header
                            + "; looked in "
                            + candidates.stream().distinct().map(Path::toString).collect(Collectors.joining(", "))
                            + ". Install a CUDA toolkit or the wheels nvidia-cuda-runtime, nvidia-cuda-crt and"
                            + " nvidia-cuda-cccl, or name folders by -D" + PROPERTY + "=");
        }
        found.add(folder);
    }
}
