// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.link;

import java.nio.charset.StandardCharsets;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.comm4j.ffi.LibraryName;
import org.comm4j.ffi.NativeLibrary;
import org.comm4j.kernel.disk.DiskCache;
import org.comm4j.kernel.disk.FileFingerprint;
import org.jspecify.annotations.Nullable;

/**
 * Versions of NVIDIA's compilers. Loading one takes longer than everything else that a kernel from the cache needs, so
 * the cache keeps which file a process with such an environment has found: as long as that file is the same, it is this
 * version. One that is installed in addition, where it would be found first, counts as soon as something has to be
 * compiled.
 */
final class ToolVersions {
    /** What decides which file is found, beside the library's own property. */
    private static final List<String> VARIABLES =
            List.of("CUDA_HOME", "CUDA_PATH", "CONDA_PREFIX", "VIRTUAL_ENV", "PATH", "LD_LIBRARY_PATH", "HOME");

    /** As they were when they were loaded. */
    private static final Map<LibraryName, String> LOADED = new ConcurrentHashMap<>();

    private final DiskCache cache;
    private final boolean load;

    private ToolVersions(DiskCache cache, boolean load) {
        this.cache = cache;
        this.load = load;
    }

    /** Returns where they are kept. */
    DiskCache cache() {
        return cache;
    }

    /**
     * As the cache says; libraries that it does not know are loaded, unless it is {@linkplain DiskCache#onlyRead() only
     * read}.
     */
    static ToolVersions kept(DiskCache cache) {
        return new ToolVersions(cache, false);
    }

    /** Those that are loaded. */
    static ToolVersions loaded(DiskCache cache) {
        return new ToolVersions(cache, true);
    }

    /** A library's version, and what else changes when its file does. */
    String of(LibraryName name) {
        List<byte[]> parts = new ArrayList<>();
        parts.add(text("library 3"));
        parts.add(text(name.name()));
        parts.add(text(System.getProperty(name.property(), "")));
        for (String variable : VARIABLES) {
            parts.add(text(System.getenv().getOrDefault(variable, "")));
        }
        String key = DiskCache.key(parts);
        byte[] kept = cache.get(key);
        if (kept != null && !load) {
            String[] lines = new String(kept, StandardCharsets.UTF_8).split("\n", 2);
            if (lines.length == 2 && lines[1].equals(identity(lines[0], lines[1].split(" ", 2)[0]))) {
                return lines[1];
            }
        }
        if (cache.isOnlyRead()) {
            return "unknown";
        }
        NativeLibrary library = NativeLibrary.of(name);
        Path file = library.file();
        String version = String.valueOf(library.version()).replace(' ', '_');
        String now = file == null ? null : identity(file.toString(), version);
        if (file == null || now == null) {
            return version + " " + file;
        }
        String before = LOADED.putIfAbsent(name, now);
        String identity = before == null ? now : before;
        byte[] entry = text(file + "\n" + identity);
        if (!Arrays.equals(kept, entry)) {
            cache.put(key, entry);
        }
        return identity;
    }

    private static @Nullable String identity(String file, String version) {
        try {
            FileFingerprint stamp = FileFingerprint.of(Path.of(file));
            return stamp == null ? null : String.join(" ", version, stamp.text());
        } catch (InvalidPathException e) {
            return null;
        }
    }

    private static byte[] text(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
