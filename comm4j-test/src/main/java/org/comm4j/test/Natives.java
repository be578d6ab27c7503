// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.test;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The folder of unpacked wheels that {@code dev/natives} fills: headers and libraries of NCCL, of NVSHMEM and of CUDA's
 * compilers.
 */
public final class Natives {
    /** The versions of NCCL that are tested, oldest first. */
    public static final List<String> NCCL_VERSIONS = List.of("2.28.9", "2.30.7", "2.31.2", "2.32.3");

    /** The versions of NVSHMEM that are tested, oldest first. */
    public static final List<String> NVSHMEM_VERSIONS = List.of("3.4.5", "3.8.0");

    /** System property that names a library, to the wheel that has it. */
    private static final Map<String, String> WHEELS = Map.of(
            "org.comm4j.nccl.library", "nvidia-nccl-cu13-" + NCCL_VERSIONS.getLast(),
            "org.comm4j.nvshmem.library", "nvidia-nvshmem-cu13-" + NVSHMEM_VERSIONS.getLast(),
            "org.comm4j.nvrtc.library", "nvidia-cuda-nvrtc",
            "org.comm4j.nvjitlink.library", "nvidia-nvjitlink",
            "org.comm4j.nvvm.library", "nvidia-nvvm",
            "org.comm4j.cublas.library", "nvidia-cublas",
            "org.comm4j.cufft.library", "nvidia-cufft",
            "org.comm4j.cblas.library", "scipy-openblas32");

    private Natives() {}

    /** Where the wheels are, or would be. */
    public static Path root() {
        String cache = System.getenv().getOrDefault("XDG_CACHE_HOME", "");
        Path base = cache.isEmpty() ? Path.of(System.getProperty("user.home"), ".cache") : Path.of(cache);
        return base.resolve("comm4j/natives");
    }

    /** What to say in a skipped test. */
    public static String missing(String wheel) {
        return wheel + " is not in " + root() + "; dev/natives fetches it";
    }

    /** The folder of a wheel, by its name with or without the version. */
    public static Optional<Path> find(String wheel) {
        if (!Files.isDirectory(root())) {
            return Optional.empty();
        }
        try (Stream<Path> folders = Files.list(root())) {
            return folders.filter(folder -> folder.getFileName().toString().matches("\\Q" + wheel + "\\E(-[\\d.]+)?"))
                    .max(Comparator.comparing(Path::toString));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * The folder of a wheel that has to be there.
     *
     * @throws IllegalStateException if it is not there
     */
    public static Path folder(String wheel) {
        return find(wheel).orElseThrow(() -> new IllegalStateException(missing(wheel)));
    }

    /** NCCL's library of a version. */
    public static Optional<Path> nccl(String version) {
        return find("nvidia-nccl-cu13-" + version).map(folder -> folder.resolve("nvidia/nccl/lib/libnccl.so.2"));
    }

    /** NVSHMEM's host library of a version. */
    public static Optional<Path> nvshmem(String version) {
        return find("nvidia-nvshmem-cu13-" + version)
                .map(folder -> folder.resolve("nvidia/nvshmem/lib/libnvshmem_host.so.3"));
    }

    /**
     * Folders of CUDA's headers.
     *
     * @throws IllegalStateException if a wheel is not there
     */
    public static List<Path> cudaHeaders() {
        Path cuda = Path.of("nvidia/cu13/include");
        return List.of(
                folder("nvidia-cuda-runtime").resolve(cuda),
                folder("nvidia-cuda-crt").resolve(cuda),
                folder("nvidia-cuda-cccl").resolve(cuda).resolve("cccl"));
    }

    /**
     * Folders of NVSHMEM's headers and of those that they include, as {@code org.comm4j.device.include} wants them.
     *
     * @throws IllegalStateException if a wheel is not there
     */
    public static String nvshmemHeaders(String version) {
        return Stream.concat(
                        Stream.of(folder("nvidia-nvshmem-cu13-" + version).resolve("nvidia/nvshmem/include")),
                        cudaHeaders().stream())
                .map(Path::toString)
                .collect(Collectors.joining(File.pathSeparator));
    }

    /**
     * Makes this JVM take the libraries from there: to be called before the first of their functions. What is set
     * already stays, so that {@code -Dorg.comm4j.nccl.library=} tests another one.
     */
    public static void use() {
        WHEELS.forEach((property, wheel) -> {
            if (System.getProperty(property) == null) {
                find(wheel)
                        .ifPresent(folder ->
                                System.setProperty(property, libraries(folder).toString()));
            }
        });
    }

    /**
     * The options by which another virtual machine gets these system properties, of which this one has some: where
     * libraries are, and the like.
     */
    public static List<String> passedOn(String... properties) {
        return Arrays.stream(properties)
                .filter(property -> System.getProperty(property) != null)
                .map(property -> "-D" + property + "=" + System.getProperty(property))
                .toList();
    }

    private static Path libraries(Path wheel) {
        return Stream.of("nvidia/nccl", "nvidia/nvshmem", "scipy_openblas32")
                .map(wheel::resolve)
                .filter(Files::isDirectory)
                .findFirst()
                .orElse(wheel.resolve("nvidia/cu13"));
    }
}
