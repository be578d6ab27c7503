// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.device;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.module.ModuleDescriptor.Version;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.comm4j.core.DataType;
import org.comm4j.kernel.lang.DeviceFunction;

/** The names in C of {@link NvshmemFunctions}, and the versions of NVSHMEM that have them. */
final class Declared {
    private static final Pattern PARAMETER = Pattern.compile("\\$(\\d+)");
    private static final String VERSION_HEADER = "non_abi/nvshmem_version.h";
    private static final Pattern VERSION = Pattern.compile("#define NVSHMEM_VENDOR_(MAJOR|MINOR|PATCH)_VERSION (\\d+)");

    /** All, and the first versions that have them; empty if all that can be used have. */
    private static final Map<String, String> SINCE = since();

    private Declared() {}

    static Set<String> names() {
        return SINCE.keySet();
    }

    /** Those that a version has. */
    static List<String> namesIn(Version version) {
        return SINCE.keySet().stream().filter(name -> isIn(name, version)).toList();
    }

    private static boolean isIn(String name, Version version) {
        String since = SINCE.getOrDefault(name, "");
        return since.isEmpty() || version.compareTo(Version.parse(since)) >= 0;
    }

    /**
     * Looks at what a kernel calls.
     *
     * @param includes with the headers of NVSHMEM
     * @return their version
     * @throws UnsupportedOperationException if the version lacks one of the functions
     */
    static Version require(Set<String> called, List<Path> includes) {
        Path folder = includes.stream()
                .filter(each -> Files.isRegularFile(each.resolve(VERSION_HEADER)))
                .findFirst()
                .orElseThrow(() -> new UnsupportedOperationException("NVSHMEM's headers are not in " + includes));
        Version version = version(folder.resolve(VERSION_HEADER));
        for (String name : called) {
            if (!isIn(name, version)) {
                throw new UnsupportedOperationException(name + " needs NVSHMEM " + SINCE.get(name)
                        + " or newer; this is " + version + ", whose headers are in " + folder);
            }
        }
        return version;
    }

    private static Version version(Path header) {
        String text;
        try {
            text = Files.readString(header);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        Map<String, String> parts = new TreeMap<>();
        VERSION.matcher(text).results().forEach(each -> parts.put(each.group(1), each.group(2)));
        // In alphabetical order, too.
        return Version.parse(String.join(".", parts.values()));
    }

    private static Map<String, String> since() {
        Map<String, String> all = new TreeMap<>();
        for (Method method : NvshmemFunctions.class.getDeclaredMethods()) {
            DeviceFunction function = method.getAnnotation(DeviceFunction.class);
            if (function != null) {
                Since since = method.getAnnotation(Since.class);
                names(function, method).forEach(name -> all.put(name, since == null ? "" : since.value()));
            }
        }
        return Collections.unmodifiableMap(all);
    }

    /** All that the name of a function can become. */
    static List<String> names(DeviceFunction function, Method method) {
        List<String> names = new ArrayList<>(List.of(function.value()));
        Matcher parameter = PARAMETER.matcher(function.value());
        while (parameter.find()) {
            Class<?> type = method.getParameterTypes()[Integer.parseInt(parameter.group(1)) - 1];
            List<String> words = words(function.words(), type.isEnum() ? type : DataType.class);
            names = names.stream()
                    .flatMap(name -> words.stream().map(word -> name.replace(parameter.group(), word)))
                    .distinct()
                    .toList();
        }
        return names;
    }

    private static List<String> words(String words, Class<?> constants) {
        List<String> names = Arrays.stream(constants.getEnumConstants())
                .map(each -> ((Enum<?>) each).name())
                .toList();
        return Arrays.stream(words.split(", "))
                .map(each -> each.split(" "))
                .filter(pair -> names.contains(pair[0]))
                .map(pair -> pair[1])
                .toList();
    }
}
