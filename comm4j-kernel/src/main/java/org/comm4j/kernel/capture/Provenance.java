// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.capture;

import java.lang.invoke.MethodType;
import java.lang.reflect.Method;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.comm4j.kernel.disk.DiskCache;
import org.jspecify.annotations.Nullable;

/**
 * The origin of code that was made of a kernel: its method, its constants, and the content of classes. Whoever keeps
 * code for other processes names it by the former, and asks for the latter again before it is used.
 */
public final class Provenance {
    private static final String SEPARATOR = "\t";

    private Provenance() {}

    /**
     * Returns the name of a kernel with its constants, in parts, behind other parts; null if it has none that another
     * process would understand: it has captured something, say, or
     * its class is not of a file.
     */
    public static @Nullable List<byte[]> name(KernelSource source, DiskCache cache, String... first) {
        Method method = source.method();
        if (!source.captured().isEmpty() || Content.of(method.getDeclaringClass(), cache) == null) {
            return null;
        }
        List<String> parts = new ArrayList<>(List.of(first));
        parts.add(Content.ofRuntime());
        parts.add(method.getDeclaringClass().getName());
        parts.add(method.getName());
        parts.add(MethodType.methodType(method.getReturnType(), method.getParameterTypes())
                .descriptorString());
        for (Object constant : source.constants()) {
            String text = text(constant);
            if (text == null) {
                return null;
            }
            parts.add(text);
        }
        List<byte[]> texts = new ArrayList<>();
        for (String part : parts) {
            texts.add(part.getBytes(StandardCharsets.UTF_8));
        }
        return texts;
    }

    /** Returns a constant as text, without a switch over types, for which a JVM makes code. */
    private static @Nullable String text(@Nullable Object constant) {
        if (constant instanceof Enum<?> value) {
            return String.join(" ", value.getDeclaringClass().getName(), value.name());
        }
        if (constant instanceof Float number) {
            return "F".concat(Integer.toString(Float.floatToRawIntBits(number)));
        }
        if (constant instanceof Double number) {
            return "D".concat(Long.toString(Double.doubleToRawLongBits(number)));
        }
        boolean plain = constant instanceof Boolean
                || constant instanceof Character
                || constant instanceof Byte
                || constant instanceof Short
                || constant instanceof Integer
                || constant instanceof Long;
        return constant != null && plain ? String.join(" ", constant.getClass().getName(), constant.toString()) : null;
    }

    /** Returns a line for each class that is not the JDK's; null if the content of one cannot be told. */
    public static @Nullable List<String> classes(KernelSource source, Iterable<Class<?>> classes, DiskCache cache) {
        List<String> lines = new ArrayList<>();
        ClassLoader loader = source.method().getDeclaringClass().getClassLoader();
        for (Class<?> type : classes) {
            if (type.isPrimitive() || type.isArray()) {
                continue;
            }
            String content = Content.of(type, cache);
            if (content == null
                    || !content.equals(Content.of(loader, type.getName(), cache)) && !Content.isJdk(content)) {
                return null;
            }
            if (!Content.isJdk(content)) {
                lines.add(String.join(SEPARATOR, type.getName(), content));
            }
        }
        return lines;
    }

    /** Returns whether the class of such a line has the same content in this process. */
    public static boolean isSame(KernelSource source, String line, DiskCache cache) {
        ClassLoader loader = source.method().getDeclaringClass().getClassLoader();
        int end = line.indexOf(SEPARATOR);
        return line.substring(end + 1).equals(Content.of(loader, line.substring(0, end), cache));
    }
}
