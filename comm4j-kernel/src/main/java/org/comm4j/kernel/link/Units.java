// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.link;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.comm4j.cuda.CudaException;
import org.comm4j.cuda.Nvrtc;
import org.comm4j.ffi.LibraryName;
import org.comm4j.ffi.compiler.LibNvJitLink;
import org.comm4j.kernel.DeviceUnit;
import org.comm4j.kernel.capture.Content;
import org.comm4j.kernel.disk.DiskCache;
import org.comm4j.kernel.disk.FileFingerprint;
import org.comm4j.kernel.disk.Sha256;
import org.comm4j.kernel.lang.CudaArch;

/** Device code that is linked in, made ready for the linker. */
final class Units {
    private static final class Include {
        static final Pattern LINE = Pattern.compile("^\\s*#\\s*include\\s*[<\"]([^>\"]+)[>\"]", Pattern.MULTILINE);
    }

    /**
     * A header.
     *
     * @param text its file and the hash of its content
     * @param included what it includes
     */
    private record Header(String text, List<String> included) {}

    /** As long as they are the same files. */
    private static final Map<FileFingerprint, Header> HEADERS = new ConcurrentHashMap<>();

    private Units() {}

    /**
     * What the unit's code depends on: its content, its options, and the headers that it includes, as far as they are
     * in its folders.
     */
    static List<byte[]> identity(DeviceUnit unit, Set<String> functions, ToolVersions versions) {
        List<byte[]> parts = new ArrayList<>();
        if (unit.kind() == DeviceUnit.Kind.ON_DEMAND) {
            DeviceUnit.MadeBy madeBy = unit.madeBy();
            String jar = madeBy == null ? null : Content.ofJar(madeBy.code(), versions.cache());
            if (madeBy == null || jar == null) {
                for (DeviceUnit made : unit.forFunctions(functions)) {
                    parts.addAll(identity(made, functions, versions));
                }
                return parts;
            }
            parts.add(text(jar));
            parts.add(text(madeBy.settings()));
            parts.add(text(functions.toString()));
        }
        parts.add(text(unit.name()));
        parts.add(text(unit.kind().name()));
        parts.add(unit.content());
        if (unit.kind() == DeviceUnit.Kind.SOURCE || unit.kind() == DeviceUnit.Kind.ON_DEMAND) {
            parts.add(text(versions.of(LibraryName.NVRTC)));
            parts.add(text(String.join("\n", unit.options())));
            parts.add(text(unit.includes().toString()));
            parts.add(text(unit.versionHeaders().isEmpty() ? headers(unit).toString() : versionHeaders(unit)));
        }
        return parts;
    }

    private static Set<String> headers(DeviceUnit unit) {
        Set<String> headers = new LinkedHashSet<>();
        if (unit.includes().isEmpty()) {
            return headers;
        }
        Deque<String> open = new ArrayDeque<>(included(new String(unit.content(), StandardCharsets.UTF_8)));
        Set<String> seen = new LinkedHashSet<>(open);
        while (!open.isEmpty()) {
            String name = open.pop();
            for (Path folder : unit.includes()) {
                Path file = folder.resolve(name);
                FileFingerprint stamp = FileFingerprint.of(file);
                Header header = stamp == null ? null : header(stamp);
                if (header != null && headers.add(header.text())) {
                    for (String next : header.included()) {
                        // What is included in quotes is searched for beside the header first.
                        Path beside = file.resolveSibling(next);
                        for (String candidate : List.of(next, beside.toString())) {
                            if (seen.add(candidate)) {
                                open.add(candidate);
                            }
                        }
                    }
                }
            }
        }
        return headers;
    }

    /**
     * Returns these headers by what changes when a file does. CUDA's are large: to read and to hash them took half of
     * the time of a kernel from the cache.
     */
    private static String versionHeaders(DeviceUnit unit) {
        StringBuilder text = new StringBuilder();
        for (String name : unit.versionHeaders()) {
            for (Path folder : unit.includes()) {
                FileFingerprint stamp = FileFingerprint.of(folder.resolve(name));
                if (stamp != null) {
                    text.append(stamp.text()).append('\n');
                    break;
                }
            }
        }
        return text.toString();
    }

    private static Header header(FileFingerprint stamp) {
        Header known = HEADERS.get(stamp);
        if (known == null) {
            byte[] content = read(stamp.file());
            known = new Header(text(stamp.file(), content), included(new String(content, StandardCharsets.ISO_8859_1)));
            HEADERS.put(stamp, known);
        }
        return known;
    }

    private static String text(Path file, byte[] content) {
        return String.join(" ", file.toString(), Sha256.hex(content));
    }

    private static byte[] read(Path file) {
        try {
            return Files.readAllBytes(file);
        } catch (IOException e) {
            return new byte[0];
        }
    }

    private static List<String> included(String source) {
        List<String> names = new ArrayList<>();
        Matcher matcher = Include.LINE.matcher(source);
        while (matcher.find()) {
            names.add(matcher.group(1));
        }
        return names;
    }

    private static byte[] text(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    /** What the linker takes; source is compiled first, unless the cache has it. */
    static JitLink.Input ready(String kernel, DeviceUnit unit, CudaArch arch, DiskCache cache) {
        return switch (unit.kind()) {
            case LTO_IR -> new JitLink.Input(unit.name(), LibNvJitLink.NVJITLINK_INPUT_LTOIR, unit.content());
            case PTX -> {
                // The linker wants the zero that ends a text in C.
                byte[] content = unit.content();
                yield new JitLink.Input(
                        unit.name(),
                        LibNvJitLink.NVJITLINK_INPUT_PTX,
                        java.util.Arrays.copyOf(content, content.length + 1));
            }
            case ON_DEMAND ->
                throw CompilerLog.of(
                        kernel,
                        "looking at device unit " + unit.name(),
                        "what it makes for a kernel's functions is to be made on demand again",
                        null);
            case SOURCE ->
                new JitLink.Input(unit.name(), LibNvJitLink.NVJITLINK_INPUT_LTOIR, compiled(kernel, unit, arch, cache));
        };
    }

    private static byte[] compiled(String kernel, DeviceUnit unit, CudaArch arch, DiskCache cache) {
        List<byte[]> parts = new ArrayList<>(List.of(text("unit 1 " + arch.sm())));
        parts.addAll(identity(unit, Set.of(), ToolVersions.loaded(cache)));
        String key = DiskCache.key(parts);
        byte[] known = cache.get(key);
        if (known != null) {
            return known;
        }
        List<String> options = new ArrayList<>();
        unit.includes().forEach(folder -> options.add("-I" + folder));
        options.addAll(unit.options());
        byte[] made;
        try {
            made = Nvrtc.compileLto(
                    new String(unit.content(), StandardCharsets.UTF_8),
                    unit.name(),
                    arch.sm(),
                    options.toArray(String[]::new));
        } catch (CudaException e) {
            throw CompilerLog.of(kernel, "compiling device unit " + unit.name() + " (NVRTC)", "", e);
        }
        cache.put(key, made);
        return made;
    }
}
