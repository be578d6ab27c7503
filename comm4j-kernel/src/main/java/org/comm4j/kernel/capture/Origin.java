// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.capture;

import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Where a class file lies, and what changes when the file does: place, size and date. It is asked for without loading the class, and, as all that a
 * process does whose kernels are in the cache, with little that a JVM has to make when it has just started: no lambdas, and no strings put together by {@code +}.
 */
public final class Origin {
    private static final String JAR = "jar:";
    private static final String INSIDE = "!/";
    private static final String MODULES = "jrt:";

    /** All classes of the JDK, and of modules that were linked into it. */
    private static final String JDK = runtime();

    /** What was replaced later is not what the class loader has. The system says when the process began, in seconds, which is early enough. */
    private static final long BEGIN = ProcessHandle.current()
            .info()
            .startInstant()
            .map(Instant::toEpochMilli)
            .orElse(0L);

    private Origin() {}

    /** Of a class; null if it cannot be told whether it has changed, also if it has since this process began. */
    public static @Nullable String of(Class<?> type) {
        return type.isHidden() ? null : of(type.getClassLoader(), type.getName());
    }

    /**
     * Of the class that a loader knows by a name.
     *
     * @param loader null for the one that has the JDK's
     */
    public static @Nullable String of(@Nullable ClassLoader loader, String name) {
        if (loader == null) {
            return JDK;
        }
        URL url = loader.getResource(file(name));
        String text = url == null ? "" : url.toString();
        if (text.startsWith(MODULES)) {
            return JDK;
        }
        boolean inJar = text.startsWith(JAR);
        if (inJar) {
            text = text.substring(JAR.length(), Math.max(text.lastIndexOf(INSIDE), JAR.length()));
        }
        return text.startsWith("file:") ? stamp(text) : null;
    }

    /** Of the classes that are in the Java runtime itself. */
    public static String ofRuntime() {
        return JDK;
    }

    private static String runtime() {
        String version = Runtime.version().toString();
        FileStamp modules = FileStamp.of(Path.of(System.getProperty("java.home"), "lib", "modules"));
        return modules == null ? String.join(" ", "jdk", version) : String.join(" ", "jdk", version, modules.text());
    }

    /** Of the jar that has a class; null if it is in a folder, where its neighbours change without it. */
    public static @Nullable String ofJar(Class<?> type) {
        ClassLoader loader = type.getClassLoader();
        URL url = loader == null ? null : loader.getResource(file(type.getName()));
        return url != null && url.toString().startsWith(JAR) ? of(type) : null;
    }

    /** Whether a class is the JDK's. */
    public static boolean isJdk(String origin) {
        return origin.equals(JDK);
    }

    private static String file(String name) {
        return name.replace('.', '/').concat(".class");
    }

    private static @Nullable String stamp(String uri) {
        try {
            Path file = Path.of(new URI(uri));
            if (!(Files.getAttribute(file, "unix:ctime") instanceof FileTime changed) || changed.toMillis() >= BEGIN) {
                return null;
            }
            FileStamp stamp = FileStamp.of(file);
            return stamp == null ? null : stamp.text();
        } catch (IOException | URISyntaxException | IllegalArgumentException | UnsupportedOperationException e) {
            return null;
        }
    }
}
