// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.bindgen;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** The folder of unpacked wheels that {@code dev/natives} fills: headers and libraries. */
record Natives(Path root) {
    static Natives standard() {
        String cache = System.getenv("XDG_CACHE_HOME");
        Path base =
                cache == null || cache.isEmpty() ? Path.of(System.getProperty("user.home"), ".cache") : Path.of(cache);
        return new Natives(base.resolve("comm4j/natives"));
    }

    boolean has(String wheel) {
        return find(wheel).isPresent();
    }

    /** Of several versions of a wheel the newest unpacked one; a full name with version names one. */
    Path folder(String wheel) {
        return find(wheel)
                .orElseThrow(() ->
                        new IllegalStateException(wheel + " is not in " + root + ": run dev/natives to fetch it"));
    }

    private Optional<Path> find(String wheel) {
        if (!Files.isDirectory(root)) {
            return Optional.empty();
        }
        try (Stream<Path> folders = Files.list(root)) {
            return folders.filter(folder -> folder.getFileName().toString().matches("\\Q" + wheel + "\\E(-[\\d.]+)?"))
                    .max(Comparator.comparing(Path::toString));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** 13.5 of nvidia-nvvm-13.5.37. */
    static String shortVersion(String wheel, Path folder) {
        String version = folder.getFileName().toString().substring(wheel.length() + 1);
        String[] parts = version.split("\\.");
        return parts[0] + "." + parts[1];
    }

    List<Path> ncclIncludes(String version) {
        Path cccl = folder("nvidia-cuda-cccl").resolve("nvidia/cu13/include");
        return List.of(
                folder("nvidia-nccl-cu13-" + version).resolve("nvidia/nccl/include"),
                folder("nvidia-cuda-runtime").resolve("nvidia/cu13/include"),
                folder("nvidia-cuda-crt").resolve("nvidia/cu13/include"),
                cccl.resolve("cccl"),
                cccl);
    }
}
