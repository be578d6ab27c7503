// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.capture;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.security.CodeSource;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.comm4j.kernel.disk.DiskCache;
import org.comm4j.kernel.disk.FileFingerprint;
import org.comm4j.kernel.disk.FileHash;
import org.comm4j.kernel.disk.Sha256;
import org.jspecify.annotations.Nullable;

/**
 * The content of classes, as hashes: two processes have the same class if it has the same content, whatever the size,
 * the date and the place of its file. Only the JDK, which takes too long to read, is known by these. Content is asked
 * for without loading the class, and, as all that a process does whose kernels are in the cache, with little that a JVM
 * has to make when it has just started: no lambdas, and no strings put together by {@code +}.
 */
public final class Content {
    /** The place of a process's start in its {@code stat}, behind the name, and in which parts of a second it is. */
    private static final int START_TIME = 19;

    private static final double TICKS = 100;

    private static final String JAR = "jar:";
    private static final String INSIDE = "!/";
    private static final String MODULES = "jrt:/";

    /** Classes that come together in jars of a version. */
    private static final String OWN = "org.comm4j.";

    /** All classes of the JDK. */
    private static final String JDK = runtime();

    /** The beginning of the process: what was replaced later is not what the class loader has. */
    private static final long BEGIN = begin();

    /** Hashes by file; good as long as that {@link #isOlder}. */
    private static final ConcurrentHashMap<String, String> HASHES = new ConcurrentHashMap<>();

    private Content() {}

    /**
     * Returns that of a class; null if it cannot be told, also if its file has changed since this process began.
     *
     * @param cache where hashes of our own jars are kept, which take long to read
     */
    public static @Nullable String of(Class<?> type, DiskCache cache) {
        if (type.isHidden()) {
            return null;
        }
        if (type.getClassLoader() == null) {
            return JDK;
        }
        URL url = resource(type);
        return isOfItsFile(type, url) ? of(type.getName(), url, cache) : null;
    }

    /** Returns whether a class is of the file that its loader names. A loader may make another one of that name. */
    private static boolean isOfItsFile(Class<?> type, @Nullable URL url) {
        String text = text(url);
        if (text.startsWith(MODULES)) {
            return true;
        }
        CodeSource source = type.getProtectionDomain().getCodeSource();
        Path holder = holder(text);
        Path place = source == null || source.getLocation() == null
                ? null
                : holder(source.getLocation().toString());
        return holder != null && place != null && holder.startsWith(place);
    }

    /**
     * Returns that of the class that a loader knows by a name; null if there is none, or it cannot be told.
     *
     * @param loader null for the one that has the JDK's
     * @param cache where hashes of our own jars are kept
     */
    public static @Nullable String of(@Nullable ClassLoader loader, String name, DiskCache cache) {
        return loader == null ? JDK : of(name, loader.getResource(file(name)), cache);
    }

    private static @Nullable String of(String name, @Nullable URL url, DiskCache cache) {
        if (url == null) {
            return null;
        }
        String text = url.toString();
        if (text.startsWith(MODULES)) {
            return text.startsWith("java.", MODULES.length()) || text.startsWith("jdk.", MODULES.length())
                    ? JDK
                    : read(url);
        }
        Path holder = holder(text);
        if (holder == null || !isOlder(holder)) {
            return null;
        }
        return name.startsWith(OWN) && text.startsWith(JAR) ? ofJar(holder, cache) : read(url);
    }

    /** Returns that of a class file alone, whatever it comes together with; null if there is none. */
    public static @Nullable String ofFile(Class<?> type) {
        URL url = resource(type);
        return url == null ? null : read(url);
    }

    /** Returns that of the classes that are in the Java runtime itself. */
    public static String ofRuntime() {
        return JDK;
    }

    /**
     * Returns when the process began. {@link ProcessHandle} says it to a second, rounded down, but a launcher may start
     * a program some milliseconds after it has compiled it. So this is what Linux says, in hundredths of seconds since
     * it was booted. A JVM needs more than one of these before it comes to the program's classes.
     */
    private static long begin() {
        try {
            String stat = Files.readString(Path.of("/proc/self/stat"));
            String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
            double start = Long.parseLong(fields[START_TIME]) / TICKS;
            // Before the age: a pause between the two makes the process begin too early, never too late.
            long now = System.currentTimeMillis();
            String[] uptime = Files.readString(Path.of("/proc/uptime")).split(" ");
            return now - Math.round((Double.parseDouble(uptime[0]) - start) * 1000);
        } catch (IOException | IllegalArgumentException | IndexOutOfBoundsException e) {
            Optional<Instant> start = ProcessHandle.current().info().startInstant();
            return start.isPresent() ? start.get().toEpochMilli() : 0;
        }
    }

    /** By its version, and by what changes when its file does: that is too large to be read. */
    private static String runtime() {
        String version = Runtime.version().toString();
        String vendor = System.getProperty("java.vendor.version", "");
        FileFingerprint modules = FileFingerprint.of(Path.of(System.getProperty("java.home"), "lib", "modules"));
        return String.join(" ", "jdk", version, vendor, modules == null ? "" : modules.text());
    }

    /** Returns that of the whole jar that has a class; null if it is in a folder, whose classes change one by one. */
    public static @Nullable String ofJar(Class<?> type, DiskCache cache) {
        Path jar = unchangedJar(type);
        return jar == null ? null : ofJar(jar, cache);
    }

    private static @Nullable Path unchangedJar(Class<?> type) {
        String text = url(type);
        Path jar = text.startsWith(JAR) ? holder(text) : null;
        return jar == null || !isOlder(jar) ? null : jar;
    }

    /**
     * Returns that of the whole jar or folder that has a class; null if any of it has changed since the process began.
     * It reads a folder once.
     */
    public static @Nullable String ofWhole(Class<?> type, DiskCache cache) {
        Path folder = folder(type);
        if (folder == null) {
            return ofJar(type, cache);
        }
        return HASHES.computeIfAbsent(folder.toString(), _ -> ofFolder(folder));
    }

    /** Returns whether the jar or folder that has a class is as it was when the process began. */
    public static boolean isUnchanged(Class<?> type) {
        Path folder = folder(type);
        try {
            return folder == null
                    ? unchangedJar(type) != null
                    : files(folder).stream().allMatch(Content::isOlder);
        } catch (IOException | UncheckedIOException e) {
            return false;
        }
    }

    private static List<Path> files(Path folder) throws IOException {
        try (Stream<Path> all = Files.walk(folder)) {
            return all.filter(Files::isRegularFile).sorted().toList();
        }
    }

    /** The folder of a class that is in no jar; null if it is in one. */
    private static @Nullable Path folder(Class<?> type) {
        String text = url(type);
        Path folder = text.startsWith(JAR) ? null : holder(text);
        for (int up = type.getName().split("\\.").length; up > 0 && folder != null; up--) {
            folder = folder.getParent();
        }
        return folder;
    }

    private static String url(Class<?> type) {
        return text(resource(type));
    }

    private static @Nullable URL resource(Class<?> type) {
        ClassLoader loader = type.getClassLoader();
        return loader == null ? null : loader.getResource(file(type.getName()));
    }

    private static String text(@Nullable URL url) {
        return url == null ? "" : url.toString();
    }

    private static @Nullable String ofFolder(Path folder) {
        StringBuilder all = new StringBuilder();
        try {
            for (Path file : files(folder)) {
                all.append(folder.relativize(file)).append(' ').append(Sha256.hex(Files.readAllBytes(file)));
                all.append('\n');
                if (!isOlder(file)) {
                    return null;
                }
            }
        } catch (IOException | UncheckedIOException e) {
            return null;
        }
        return Sha256.hex(all.toString().getBytes(StandardCharsets.UTF_8));
    }

    private static @Nullable String ofJar(Path jar, DiskCache cache) {
        String key = jar.toString();
        String known = HASHES.get(key);
        if (known == null) {
            known = FileHash.of(jar, cache);
            if (known != null) {
                HASHES.put(key, known);
            }
        }
        return known;
    }

    /** Whether a class is the JDK's. */
    public static boolean isJdk(String content) {
        return content.equals(JDK);
    }

    private static String file(String name) {
        return name.replace('.', '/').concat(".class");
    }

    private static @Nullable String read(URL url) {
        String key = url.toString();
        String known = HASHES.get(key);
        if (known == null) {
            try (InputStream in = url.openStream()) {
                known = Sha256.hex(in.readAllBytes());
            } catch (IOException e) {
                return null;
            }
            HASHES.put(key, known);
        }
        return known;
    }

    /** The jar or the class file that a URL is of; null if it is something else. */
    private static @Nullable Path holder(String url) {
        String text = url.startsWith(JAR)
                ? url.substring(JAR.length(), Math.max(url.lastIndexOf(INSIDE), JAR.length()))
                : url;
        try {
            return text.startsWith("file:") ? Path.of(new URI(text)) : null;
        } catch (URISyntaxException | IllegalArgumentException e) {
            return null;
        }
    }

    /** Whether a file is as it was when the process began. Nobody can set the time of change. */
    private static boolean isOlder(Path file) {
        try {
            return Files.getAttribute(file, "unix:ctime") instanceof FileTime changed && changed.toMillis() < BEGIN;
        } catch (IOException | IllegalArgumentException | UnsupportedOperationException e) {
            return false;
        }
    }
}
