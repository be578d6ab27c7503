// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.device;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.comm4j.ffi.nccl.LibNccl;
import org.comm4j.nccl.Nccl;
import org.comm4j.nccl.NcclVersion;
import org.jspecify.annotations.Nullable;

/**
 * NCCL's headers with its device code, as one text that NVRTC takes. They are written for nvcc with a C++ compiler
 * behind it: they include headers of the system, which may not be on the user's machine, and say after a struct that it
 * is packed, where NVRTC pays no attention to it. So each header is put where it is included first, those of the system
 * are left out (the text before has what is needed of them), and attributes are put in front of the struct.
 */
final class NcclHeaders {
    private static final Pattern INCLUDE =
            Pattern.compile("^[ \\t]*#[ \\t]*include[ \\t]*([<\"])([^>\"]+)[>\"].*$", Pattern.MULTILINE);

    /** Attributes behind the brace that ends a struct. */
    private static final Pattern ATTRIBUTES =
            Pattern.compile("\\}((?:\\s*__attribute__\\s*\\(\\((?:[^(){};]|\\([^(){};]*\\))*\\)\\))+)");

    private static final Pattern STRUCT = Pattern.compile("\\b(struct|union)\\b");

    /** In branches for other sizes the length is 0, which C++ does not have. */
    private static final Pattern PARTS = Pattern.compile("\\[sizeof\\(T\\) ?/ ?(\\d+)]");

    /** CUDA's own are there; the driver's needs the system's. */
    private static final Pattern KEPT = Pattern.compile("(cuda(?!\\.h)|cooperative_groups).*");

    /**
     * Amazon's way to its network, which is written in a dialect of C++ that NVRTC does not have; and what is for
     * Windows.
     */
    private static final Pattern LEFT_OUT = Pattern.compile(".*(efa_gda|gin_win_stub).*");

    private static final Pattern VERSION = Pattern.compile("#define\\s+NCCL_VERSION_CODE\\s+(\\d+)");

    /** Device communicators have the layout of this version, or of an older one that is loaded. */
    private static final NcclVersion NEWEST = of(LibNccl.NCCL_VERSION_CODE);

    private final Path folder;
    private final Set<Path> seen = new HashSet<>();

    private NcclHeaders(Path folder) {
        this.folder = folder;
    }

    /**
     * The folder of the headers of the library that is loaded.
     *
     * @throws UnsupportedOperationException if there is none; it says where it was looked for
     */
    static Path folder() {
        // Before it is loaded, nobody knows its file.
        NcclVersion loaded = Nccl.version();
        Path library = LibNccl.library().file();
        List<Path> candidates = new ArrayList<>(Headers.given());
        if (library != null) {
            Path lib = library.toAbsolutePath().getParent();
            // Of a wheel, or where packages are installed; Debian's libraries are in a folder for the processor.
            for (Path each = lib; each != null && each.getParent() != null; each = each.getParent()) {
                candidates.add(each.resolveSibling("include"));
            }
        }
        Path found = candidates.stream()
                .filter(each -> Files.isRegularFile(each.resolve("nccl_device/gin.h")))
                .findFirst()
                .orElseThrow(() -> new UnsupportedOperationException(
                        "kernels that use the network (GIN) are compiled with NCCL's headers, but there is no"
                                + " nccl_device/gin.h; looked in " + candidates + ". They come with NCCL's wheel or"
                                + " development package; name their folder by -D" + Headers.PROPERTY + "="));
        NcclVersion headers = version(found);
        if (loaded.compareTo(NEWEST) > 0) {
            throw new UnsupportedOperationException(
                    "kernels that use the network (GIN) take NCCL's own struct, of which " + "comm4j knows that of "
                            + NEWEST + " and older versions; loaded: " + loaded);
        }
        if (!headers.equals(loaded)) {
            throw new UnsupportedOperationException(
                    "kernels that use the network (GIN) are compiled with NCCL's headers,"
                            + " which have to be of the same version as the library: those in " + found + " are of "
                            + headers
                            + ", and " + library + " is of " + loaded);
        }
        return found;
    }

    /** Of the headers in a folder: {@code NCCL_VERSION_CODE}. */
    static NcclVersion version(Path folder) {
        Matcher matcher = VERSION.matcher(read(folder.resolve("nccl.h")));
        if (!matcher.find()) {
            throw new UnsupportedOperationException(folder.resolve("nccl.h") + " does not say its version");
        }
        return of(Integer.parseInt(matcher.group(1)));
    }

    private static NcclVersion of(int code) {
        return new NcclVersion(code / 10_000, code / 100 % 100, code % 100);
    }

    /** Headers, and what they include. */
    static String text(Path folder, String... names) {
        NcclHeaders headers = new NcclHeaders(folder.toAbsolutePath().normalize());
        StringBuilder text = new StringBuilder();
        for (String name : names) {
            text.append(headers.inline(headers.folder.resolve(name)));
        }
        return text.toString();
    }

    private String inline(Path file) {
        if (LEFT_OUT.matcher(folder.relativize(file).toString()).matches() || !seen.add(file)) {
            return "";
        }
        return INCLUDE.matcher(structs(PARTS.matcher(read(file)).replaceAll("[(sizeof(T) + $1 - 1) / $1]")))
                .replaceAll(include ->
                        Matcher.quoteReplacement(included(file, include.group(1), include.group(2), include.group())));
    }

    private String included(Path by, String quote, String name, String line) {
        if (quote.equals("<")) {
            return KEPT.matcher(name).matches() ? line : "";
        }
        Path header = Stream.of(by.resolveSibling(name), folder.resolve(name))
                .map(Path::normalize)
                .filter(Files::isRegularFile)
                .findFirst()
                .orElse(null);
        return header == null ? line : inline(header);
    }

    /** {@code struct { … } __attribute__((packed)) x;} becomes {@code struct __attribute__((packed)) { … } x;}. */
    private static String structs(String text) {
        StringBuilder moved = new StringBuilder(text);
        for (Matcher end = ATTRIBUTES.matcher(moved); end.find(); end = ATTRIBUTES.matcher(moved)) {
            String attributes = end.group(1);
            moved.delete(end.start(1), end.end(1));
            Integer keyword = keyword(moved, begin(moved, end.start()));
            if (keyword != null) {
                moved.insert(keyword, " " + attributes.strip());
            }
        }
        return moved.toString();
    }

    /** The brace that this one ends. */
    private static int begin(CharSequence text, int end) {
        int open = 0;
        for (int i = end; i >= 0; i--) {
            open += text.charAt(i) == '}' ? 1 : text.charAt(i) == '{' ? -1 : 0;
            if (open == 0) {
                return i;
            }
        }
        throw new UnsupportedOperationException("a header of NCCL has a brace that ends nothing");
    }

    /** Behind the {@code struct} or {@code union} that is last before a brace. */
    private static @Nullable Integer keyword(CharSequence text, int brace) {
        return STRUCT.matcher(text.subSequence(0, brace))
                .results()
                .map(java.util.regex.MatchResult::end)
                .reduce((_, last) -> last)
                .orElse(null);
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException("reading a header of NCCL", e);
        }
    }
}
