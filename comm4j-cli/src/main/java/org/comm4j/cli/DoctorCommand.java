// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.cli;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.io.PrintWriter;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.management.ManagementFactory;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.comm4j.core.spi.Engine;
import org.comm4j.cuda.Cuda;
import org.comm4j.ffi.LibraryName;
import org.comm4j.ffi.NativeCallException;
import org.comm4j.ffi.NativeLibrary;
import org.comm4j.ffi.NativeLibrary.Place;
import org.comm4j.ffi.NvshmemPlugins;
import org.comm4j.ffi.NvshmemPlugins.Kind;
import org.comm4j.ffi.cuda.LibCuda;
import org.comm4j.nvshmem.Nvshmem;
import org.comm4j.shmem.OpenShmem;
import org.comm4j.shmem.OpenShmemOptions;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code comm4j doctor}: what this machine offers, for the user and for bug reports. */
@Command(
        name = "doctor",
        description = "Show what this machine offers: JDK, memory, native libraries, GPUs, engines.",
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
        libraries(out);
        nvshmem(out);
        openshmem(out);
        kernels(out);
        devices(out);
        out.println();
        table(
                out,
                List.of("engine", "verdict"),
                Engine.all().stream()
                        .map(engine -> List.of(engine.name(), verdict(engine.problem())))
                        .toList());
    }

    /** In one line; where it was looked for stands above already. */
    private static String verdict(@Nullable String problem) {
        if (problem == null) {
            return "ready";
        }
        String line = problem.lines().findFirst().orElse("not ready");
        return line.endsWith(" Looked at:") ? line.substring(0, line.lastIndexOf(" Looked at:")) : line;
    }

    /** What was found, and for what was not, everywhere that it was looked for. */
    private static void libraries(PrintWriter out) {
        List<NativeLibrary> libraries =
                Arrays.stream(LibraryName.values()).map(NativeLibrary::of).toList();
        out.println();
        table(
                out,
                List.of("library", "version", "file"),
                libraries.stream()
                        .map(library -> List.of(
                                library.name().text(),
                                Objects.requireNonNullElse(library.version(), library.isPresent() ? "?" : "-"),
                                library.isPresent() ? String.valueOf(library.file()) : "none"))
                        .toList());
        List<String> wrong = libraries.stream()
                .filter(NativeLibrary::isPresent)
                .flatMap(library -> library.places().stream())
                .filter(Place::isWrong)
                .map(Place::toString)
                .distinct()
                .toList();
        if (!wrong.isEmpty()) {
            out.println();
            out.println("Passed over:");
            wrong.forEach(place -> out.println("  " + place));
        }
        List<String> dangers = libraries.stream()
                .map(library -> library.danger() == null ? "" : library.name().text() + ": " + library.danger())
                .filter(danger -> !danger.isEmpty())
                .toList();
        if (!dangers.isEmpty()) {
            out.println();
            out.println("Others could exchange:");
            dangers.forEach(danger -> out.println("  " + danger));
        }
        for (NativeLibrary library : libraries) {
            if (!library.isPresent()) {
                out.println();
                out.println(library.problem());
                out.println("Looked at:");
                library.places().forEach(place -> out.println("  " + place));
            }
        }
    }

    /** What NVSHMEM would do when it is initialised, found out without it: it ends the process where it cannot. */
    private static void nvshmem(PrintWriter out) {
        NativeLibrary library = NativeLibrary.of(LibraryName.NVSHMEM);
        Path file = library.file();
        out.println();
        if (file == null) {
            table(out, List.of("nvshmem", "verdict"), List.of(List.of("-", verdict(library.problem()))));
            return;
        }
        NvshmemPlugins plugins = NvshmemPlugins.beside(file);
        table(
                out,
                List.of("nvshmem", "bootstraps", "transports", "verdict"),
                List.of(List.of(
                        Objects.requireNonNullElse(library.version(), "?"),
                        plugins.names(Kind.BOOTSTRAP),
                        plugins.names(Kind.TRANSPORT),
                        verdict(Nvshmem.problem()))));
    }

    /** The engines of OpenSHMEM. */
    private static void openshmem(PrintWriter out) {
        NativeLibrary library = NativeLibrary.of(LibraryName.OPENSHMEM);
        out.println();
        table(
                out,
                List.of("openshmem", "version", "verdict"),
                List.of(
                        List.of(
                                OpenShmemOptions.Engine.EMBEDDED.toString(),
                                OpenShmem.MAJOR_VERSION + "." + OpenShmem.MINOR_VERSION,
                                verdict(Engine.named("host").problem())),
                        List.of(
                                OpenShmemOptions.Engine.NATIVE.toString(),
                                Objects.requireNonNullElse(library.version(), "-"),
                                verdict(OpenShmem.nativeProblem()))));
    }

    /** What kernels in Java can do here, by the libraries of NVIDIA that they go through. */
    private static void kernels(PrintWriter out) {
        out.println();
        String missing = Stream.of(LibraryName.NVVM, LibraryName.NVJITLINK)
                .filter(name -> !NativeLibrary.of(name).isPresent())
                .map(name -> "no " + name.text())
                .collect(Collectors.joining(", "));
        boolean source = NativeLibrary.of(LibraryName.NVRTC).isPresent();
        table(
                out,
                List.of("kernels in Java", "verdict"),
                List.of(
                        List.of("on the CPU", "ready"),
                        List.of(
                                "for GPUs",
                                missing.isEmpty()
                                        ? "compiled here"
                                                + (Cuda.problem() == null ? "" : ", but there is no GPU to run them")
                                        : "not compiled: " + missing),
                        List.of(
                                "with CUDA C++",
                                !missing.isEmpty()
                                        ? "not compiled"
                                        : source
                                                ? "compiled here"
                                                : "LTO-IR and PTX only: no " + LibraryName.NVRTC.text())));
    }

    /** What the driver says without starting anything on a device. */
    private static void devices(PrintWriter out) {
        out.println();
        String problem = Cuda.problem();
        if (problem != null) {
            table(out, List.of("device", "verdict"), List.of(List.of("none", verdict(problem))));
            return;
        }
        List<List<String>> rows = new ArrayList<>();
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment cell = arena.allocate(JAVA_LONG);
            MemorySegment text = arena.allocate(256);
            for (int ordinal = 0; ordinal < Cuda.deviceCount(); ordinal++) {
                LibCuda.cuDeviceGet(cell, ordinal);
                int device = cell.get(JAVA_INT, 0);
                LibCuda.cuDeviceGetName(text, (int) text.byteSize(), device);
                String name = text.getString(0);
                LibCuda.cuDeviceGetPCIBusId(text, (int) text.byteSize(), device);
                String place = text.getString(0);
                LibCuda.cuDeviceTotalMem(cell, device);
                rows.add(List.of(
                        Integer.toString(ordinal),
                        name,
                        "%.1f GiB".formatted(cell.get(JAVA_LONG, 0) / 0x1p30),
                        attribute(cell, LibCuda.CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, device)
                                + "."
                                + attribute(cell, LibCuda.CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, device),
                        place));
            }
            table(out, List.of("device", "name", "memory", "capability", "PCI"), rows);
        } catch (NativeCallException | UnsupportedOperationException e) {
            out.println("devices could not be asked: " + e.getMessage());
        }
    }

    private static int attribute(MemorySegment cell, int attribute, int device) {
        LibCuda.cuDeviceGetAttribute(cell, attribute, device);
        return cell.get(JAVA_INT, 0);
    }

    /** Columns as wide as what is in them, the last one without an end. */
    private static void table(PrintWriter out, List<String> header, List<List<String>> rows) {
        List<List<String>> all = new ArrayList<>(rows);
        all.addFirst(header);
        for (List<String> row : all) {
            StringBuilder line = new StringBuilder();
            for (int column = 0; column < row.size(); column++) {
                int index = column;
                int width = column == row.size() - 1
                        ? 0
                        : 2
                                + all.stream()
                                        .mapToInt(each -> each.get(index).length())
                                        .max()
                                        .orElse(0);
                line.append(row.get(column));
                line.repeat(' ', Math.max(0, width - row.get(column).length()));
            }
            out.println(line);
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
