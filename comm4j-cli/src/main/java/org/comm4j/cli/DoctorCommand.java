// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.cli;

import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.io.PrintWriter;
import java.lang.management.ManagementFactory;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import org.comm4j.core.spi.Engine;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code comm4j doctor}: what this machine offers, for the user and for bug reports. */
@Command(
        name = "doctor",
        description = "Show what this machine offers: JDK, memory, engines.",
        mixinStandardHelpOptions = true)
final class DoctorCommand implements Runnable {
    private static final Path SHARED_MEMORY = Path.of("/dev/shm");

    @Spec
    private @Nullable CommandSpec spec;

    @Override
    public void run() {
        if (spec == null) {
            throw new IllegalStateException("doctor runs as a command only");
        }
        PrintWriter out = spec.commandLine().getOut();
        line(out, "comm4j", Version.current());
        line(out, "java", Runtime.version() + " (" + property("java.vendor") + "), " + property("java.home"));
        line(out, "system", property("os.name") + " " + property("os.version") + ", " + property("os.arch"));
        line(out, "cores", Integer.toString(Runtime.getRuntime().availableProcessors()));
        if (ManagementFactory.getOperatingSystemMXBean() instanceof OperatingSystemMXBean os) {
            line(out, "memory", space(os.getTotalMemorySize(), os.getFreeMemorySize()));
        }
        line(out, "/dev/shm", sharedMemory());
        for (Engine engine : Engine.all()) {
            String problem = engine.problem();
            line(out, "engine", engine.name() + ": " + (problem == null ? "ready" : problem));
        }
    }

    private static void line(PrintWriter out, String name, String value) {
        out.printf("%-9s %s%n", name, value);
    }

    private static String property(String name) {
        return System.getProperty(name, "?");
    }

    private static String sharedMemory() {
        if (!Files.isDirectory(SHARED_MEMORY)) {
            return "not there";
        }
        try {
            FileStore store = Files.getFileStore(SHARED_MEMORY);
            return space(store.getTotalSpace(), store.getUsableSpace())
                    + (Files.isWritable(SHARED_MEMORY) ? "" : ", not writable");
        } catch (IOException e) {
            return "not readable: " + e.getMessage();
        }
    }

    private static String space(long total, long free) {
        return "%.1f GiB, %.1f GiB free".formatted(total / 0x1p30, free / 0x1p30);
    }
}
