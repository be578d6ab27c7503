// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.comm4j.kernel.capture.Content;
import org.comm4j.kernel.capture.KernelSource;
import org.comm4j.kernel.capture.Provenance;
import org.comm4j.kernel.disk.DiskCache;
import org.comm4j.kernel.frontend.Frontend;
import org.comm4j.kernel.ir.Type;
import org.comm4j.kernel.lang.CudaArch;
import org.comm4j.kernel.lang.Kernel;
import org.comm4j.kernel.launch.Parameter;
import org.jspecify.annotations.Nullable;

/**
 * What earlier processes have found out about kernels, in the disk cache, so that a process whose kernels are there
 * translates nothing: that alone would take longer, when its own code is not compiled yet, than all the rest of a first
 * call. An entry is good as long as all classes that the translation looked at have the same content ({@link Content}).
 * Not kept are kernels whose code depends on more than classes: on values of fields, or on what a lambda has captured.
 */
final class TranslationCache {
    /** Raised when the same classes give something else. */
    private static final String VERSION = "remembered kernel 5";

    private static final String SEPARATOR = "\t";

    private final DiskCache cache;
    private final KernelSource source;
    private final String key;

    private TranslationCache(DiskCache cache, KernelSource source, String key) {
        this.cache = cache;
        this.source = source;
        this.key = key;
    }

    /** Null if there is nothing to be remembered of such a kernel. */
    static @Nullable TranslationCache of(DiskCache cache, KernelSource source, CudaArch arch, CompileOptions options) {
        String compiler = Content.ofJar(TranslationCache.class, cache);
        if (compiler == null) {
            return null;
        }
        List<byte[]> name = Provenance.name(
                source,
                cache,
                VERSION,
                compiler,
                String.join(
                        " ",
                        arch.sm(),
                        String.valueOf(options.checked()),
                        String.valueOf(options.lines()),
                        options.math().name()));
        return name == null ? null : new TranslationCache(cache, source, DiskCache.key(name));
    }

    /** Keeps it for other processes, if that can be done. */
    void keep(KernelMetadata facts, Frontend.Result result) {
        List<String> lines = new ArrayList<>();
        lines.add(facts.symbol());
        lines.add(facts.math().name() + " " + facts.cooperative() + " " + facts.awaitsPrevious() + " "
                + facts.maxThreads() + " " + facts.sharedArrays());
        lines.add(String.join(" ", facts.units()));
        lines.add(String.join(" ", facts.functions()));
        lines.add(facts.hash());
        lines.add("" + facts.parameters().size());
        for (Parameter parameter : facts.parameters()) {
            lines.add(
                    String.join(SEPARATOR, parameter.type().getName(), "" + parameter.restricted(), parameter.name()));
        }
        lines.add("" + facts.memory().size());
        for (Type type : facts.memory()) {
            StringBuilder text = new StringBuilder();
            if (!write(type, text)) {
                return;
            }
            lines.add(text.toString());
        }
        if (result.readsFields()) {
            return;
        }
        List<String> classes = Provenance.classes(source, result.classes(), cache);
        if (classes == null) {
            return;
        }
        lines.addAll(classes);
        cache.put(key, String.join("\n", lines).getBytes(StandardCharsets.UTF_8));
    }

    /** What was kept, if it is still good. */
    @Nullable
    KernelMetadata recall() {
        byte[] kept = cache.get(key);
        if (kept == null) {
            return null;
        }
        try {
            return read(new String(kept, StandardCharsets.UTF_8).split("\n", -1));
        } catch (IllegalArgumentException | IndexOutOfBoundsException damaged) {
            return null;
        }
    }

    /** What an entry of these lines says, if it is good. */
    @Nullable
    KernelMetadata read(String... lines) {
        Map<String, Class<?>> types = new HashMap<>();
        for (Class<?> type : source.method().getParameterTypes()) {
            types.put(type.getName(), type);
        }
        int at = 5;
        List<Parameter> parameters = new ArrayList<>();
        for (int left = Integer.parseInt(lines[at++]); left > 0; left--) {
            String[] words = lines[at++].split(SEPARATOR, -1);
            Class<?> type = types.get(words[0]);
            if (type == null) {
                return null;
            }
            parameters.add(new Parameter(words[2], type, Boolean.parseBoolean(words[1]), null));
        }
        List<Type> memory = new ArrayList<>();
        for (int left = Integer.parseInt(lines[at++]); left > 0; left--) {
            memory.add(new Reader(lines[at++]).type());
        }
        for (; at < lines.length; at++) {
            if (!Provenance.isSame(source, lines[at], cache)) {
                return null;
            }
        }
        String[] words = lines[1].split(" ");
        return new KernelMetadata(
                lines[0],
                Kernel.Math.valueOf(words[0]),
                Boolean.parseBoolean(words[1]),
                Boolean.parseBoolean(words[2]),
                Integer.parseInt(words[3]),
                Integer.parseInt(words[4]),
                words(lines[2]),
                new TreeSet<>(words(lines[3])),
                lines[4],
                parameters,
                memory);
    }

    private static List<String> words(String line) {
        return line.isEmpty() ? List.of() : Arrays.asList(line.split(" "));
    }

    /** Whether there is a text for it: scalars by name, {@code *} for an address, {@code name(…,…)} for a struct. */
    private static boolean write(Type type, StringBuilder text) {
        switch (type) {
            case Type.Scalar scalar -> text.append(scalar.name());
            case Type.Pointer pointer when pointer.equals(Type.Pointer.GENERIC) -> text.append('*');
            case Type.Struct struct -> {
                text.append(struct.name()).append('(');
                for (Type field : struct.fields()) {
                    if (!write(field, text)) {
                        return false;
                    }
                    text.append(',');
                }
                text.append(')');
            }
            default -> {
                return false;
            }
        }
        return true;
    }

    private static final class Reader {
        private final String text;
        private int at;

        Reader(String text) {
            this.text = text;
        }

        Type type() {
            if (text.charAt(at) == '*') {
                at++;
                return Type.Pointer.GENERIC;
            }
            int begin = at;
            while (at < text.length() && "(,".indexOf(text.charAt(at)) < 0) {
                at++;
            }
            String name = text.substring(begin, at);
            if (at == text.length() || text.charAt(at) == ',') {
                return Type.Scalar.valueOf(name);
            }
            List<Type> fields = new ArrayList<>();
            for (at++; text.charAt(at) != ')'; at++) {
                fields.add(type());
            }
            at++;
            return new Type.Struct(name, fields);
        }
    }
}
