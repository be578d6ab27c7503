// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.bind;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Folders of CUDA's headers: of a toolkit, or of NVIDIA's wheels in a Python environment. */
public final class CudaHeaders {
    private static final String MARK = "cuda_runtime.h";

    private CudaHeaders() {}

    /**
     * Returns the folders of headers, CCCL's behind the others.
     *
     * @param given a toolkit or a folder of headers; null looks at {@code CUDA_HOME}, {@code CUDA_PATH},
     *     {@code /usr/local/cuda} and the wheels of {@code VIRTUAL_ENV}, {@code CONDA_PREFIX} and {@code ~/.local}
     * @param others folders that the user names, too; those with CUDA's headers need nothing else
     * @throws IllegalArgumentException if they are not found; the message names what was looked at
     */
    public static List<Path> find(@Nullable Path given, List<Path> others) {
        return find(given, others, name -> System.getenv().getOrDefault(name, ""), Path.of("/"));
    }

    static List<Path> find(@Nullable Path given, List<Path> others, UnaryOperator<String> variables, Path root) {
        if (given == null && others.stream().anyMatch(CudaHeaders::hasHeaders)) {
            return List.of();
        }
        List<Path> candidates = new ArrayList<>();
        if (given != null) {
            candidates.add(given);
        } else {
            for (String variable : List.of("CUDA_HOME", "CUDA_PATH")) {
                if (!variables.apply(variable).isEmpty()) {
                    candidates.add(Path.of(variables.apply(variable)));
                }
            }
            candidates.add(root.resolve("usr/local/cuda"));
            for (String variable : List.of("VIRTUAL_ENV", "CONDA_PREFIX")) {
                if (!variables.apply(variable).isEmpty()) {
                    candidates.addAll(wheels(Path.of(variables.apply(variable))));
                }
            }
            if (!variables.apply("HOME").isEmpty()) {
                candidates.addAll(wheels(Path.of(variables.apply("HOME"), ".local")));
            }
        }
        List<Path> looked = new ArrayList<>();
        for (Path candidate : candidates) {
            for (Path folder : List.of(candidate.resolve("include"), candidate)) {
                looked.add(folder);
                if (hasHeaders(folder)) {
                    return Files.isDirectory(folder.resolve("cccl"))
                            ? List.of(folder, folder.resolve("cccl"))
                            : List.of(folder);
                }
            }
        }
        throw new IllegalArgumentException("no headers of CUDA (" + MARK + "); looked in "
                + looked.stream().map(Path::toString).collect(Collectors.joining(", "))
                + "; --cuda says where they are; \"pip install nvidia-cuda-runtime nvidia-cuda-crt nvidia-cuda-cccl\""
                + " brings them without a toolkit");
    }

    private static boolean hasHeaders(Path folder) {
        return Files.isRegularFile(folder.resolve(MARK));
    }

    /** Returns the folders {@code nvidia/cu13} of the site-packages below a prefix. */
    private static List<Path> wheels(Path prefix) {
        List<Path> folders = new ArrayList<>();
        if (Files.isDirectory(prefix.resolve("lib"))) {
            try (DirectoryStream<Path> pythons = Files.newDirectoryStream(prefix.resolve("lib"), "python3*")) {
                pythons.forEach(python -> folders.add(python.resolve("site-packages/nvidia/cu13")));
            } catch (IOException e) {
                throw new IllegalArgumentException(prefix.resolve("lib") + " cannot be read: " + e.getMessage(), e);
            }
        }
        folders.sort(null);
        return folders;
    }
}
