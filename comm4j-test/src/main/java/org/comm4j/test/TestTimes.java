// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.test;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.support.descriptor.ClassSource;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;

/**
 * Durations of test classes. As a listener of JUnit it notes them in the module's {@code target/test-times}, a file for
 * each class; the last module of the build reads those of all modules.
 */
public final class TestTimes implements TestExecutionListener {
    private static final Path FOLDER = Path.of("target", "test-times");
    private static final double TICKS = 100;

    /**
     * Duration of a class.
     *
     * @param type its name
     * @param seconds by the clock
     * @param processor seconds of all processors, of this process and of those that it has started
     */
    public record Time(String type, double seconds, double processor) {
        @Override
        public String toString() {
            return String.format(Locale.ROOT, "%7.1f s  %7.1f s of processors  %s", seconds, processor, type);
        }
    }

    private record Begin(long nanos, double processor) {}

    private final Map<String, Begin> begins = new ConcurrentHashMap<>();

    @Override
    public void executionStarted(TestIdentifier test) {
        if (isClass(test)) {
            begins.put(test.getUniqueId(), new Begin(System.nanoTime(), processor()));
        }
    }

    @Override
    public void executionFinished(TestIdentifier test, TestExecutionResult result) {
        Begin begin = begins.remove(test.getUniqueId());
        if (begin != null && test.getSource().orElseThrow() instanceof ClassSource source) {
            note(new Time(
                    source.getClassName(), (System.nanoTime() - begin.nanos) / 1e9, processor() - begin.processor));
        }
    }

    /** A nested class is part of the one around it. */
    private static boolean isClass(TestIdentifier test) {
        return test.getSource()
                .filter(source -> source instanceof ClassSource type
                        && !type.getClassName().contains("$"))
                .isPresent();
    }

    private static void note(Time time) {
        if (!Files.isDirectory(Path.of("target"))) {
            // Not in a module of the build.
            return;
        }
        try {
            Files.createDirectories(FOLDER);
            Files.writeString(FOLDER.resolve(time.type), time.seconds + " " + time.processor + "\n");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** With processes that have been waited for, which only Linux tells. */
    private static double processor() {
        try {
            String stat = Files.readString(Path.of("/proc/self/stat"));
            String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
            double ticks = 0;
            // utime, stime, cutime and cstime.
            for (int i = 11; i < 15; i++) {
                ticks += Long.parseLong(fields[i]);
            }
            return ticks / TICKS;
        } catch (IOException e) {
            return ManagementFactory.getPlatformMXBean(com.sun.management.OperatingSystemMXBean.class)
                            .getProcessCpuTime()
                    / 1e9;
        }
    }

    /**
     * Returns the durations that the modules in a folder have noted, longest first.
     *
     * @param root the folder of the modules
     * @param begin of the build; what was noted before is left out
     */
    public static List<Time> of(Path root, Instant begin) throws IOException {
        List<Time> times = new ArrayList<>();
        try (Stream<Path> modules = Files.list(root)) {
            for (Path folder : modules.map(module -> module.resolve(FOLDER))
                    .filter(Files::isDirectory)
                    .toList()) {
                try (Stream<Path> files = Files.list(folder)) {
                    for (Path file : files.toList()) {
                        if (Files.getLastModifiedTime(file).toInstant().isBefore(begin)) {
                            continue;
                        }
                        String[] words = Files.readString(file).strip().split(" ");
                        times.add(new Time(
                                file.getFileName().toString(),
                                Double.parseDouble(words[0]),
                                Double.parseDouble(words[1])));
                    }
                }
            }
        }
        times.sort(Comparator.comparingDouble(Time::seconds).reversed());
        return times;
    }
}
