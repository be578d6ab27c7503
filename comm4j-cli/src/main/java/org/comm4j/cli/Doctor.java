// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.cli;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.management.ManagementFactory;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.comm4j.bind.Binder;
import org.comm4j.core.launch.Mpiexec;
import org.comm4j.core.spi.Engine;
import org.comm4j.cuda.Cuda;
import org.comm4j.ffi.LibraryName;
import org.comm4j.ffi.NativeCallException;
import org.comm4j.ffi.NativeLibrary;
import org.comm4j.ffi.NativeLibrary.Place;
import org.comm4j.ffi.NvshmemPlugins;
import org.comm4j.ffi.NvshmemPlugins.Kind;
import org.comm4j.ffi.cuda.LibCuda;
import org.comm4j.mpi.Mpi;
import org.comm4j.nvshmem.Nvshmem;
import org.comm4j.shmem.OpenShmem;
import org.comm4j.shmem.OpenShmemOptions;
import org.jspecify.annotations.Nullable;

/** Facts about this machine and verdicts on what runs on it, as tables. */
final class Doctor {
    /** nvJitLink 13.5, as one number. */
    private static final int SOUND_COMPILER = 1305;

    private static final Path SHARED_MEMORY = Path.of("/dev/shm");
    private static final String LOOKED_AT = " Looked at:";

    /** Sections that say what can be used here, the most important first. */
    static final List<Supplier<Section>> VERDICTS = List.of(
            Doctor::engines, Doctor::kernels, Doctor::openshmem, Doctor::nvshmem, MoeDoctor::section, Doctor::mpi);

    private Doctor() {}

    /**
     * A table.
     *
     * @param name in JSON
     */
    record Section(String name, List<String> header, List<List<String>> rows) {}

    static Map<String, String> machine() {
        Map<String, String> facts = new LinkedHashMap<>();
        facts.put("comm4j", Version.current());
        facts.put("java", Runtime.version() + " (" + property("java.vendor") + "), " + property("java.home"));
        facts.put("system", property("os.name") + " " + property("os.version") + ", " + property("os.arch"));
        facts.put("cores", Integer.toString(Runtime.getRuntime().availableProcessors()));
        if (ManagementFactory.getOperatingSystemMXBean() instanceof OperatingSystemMXBean os) {
            facts.put("memory", space(os.getTotalMemorySize(), os.getFreeMemorySize()));
        }
        facts.put("/dev/shm", sharedMemory());
        return facts;
    }

    private static Section engines() {
        return new Section(
                "engines",
                List.of("engine", "verdict"),
                Engine.all().stream()
                        .map(engine -> List.of(engine.name(), verdict(engine.problem())))
                        .toList());
    }

    /** In one line; where it was looked for is said apart. */
    static String verdict(@Nullable String problem) {
        if (problem == null) {
            return "ready";
        }
        String line = problem.lines().findFirst().orElse("not ready");
        return line.endsWith(LOOKED_AT) ? line.substring(0, line.length() - LOOKED_AT.length()) : line;
    }

    // ---- libraries ----

    private static List<NativeLibrary> all() {
        return Arrays.stream(LibraryName.values()).map(NativeLibrary::of).toList();
    }

    static List<NativeLibrary> missing() {
        return all().stream().filter(library -> !library.isPresent()).toList();
    }

    static Section libraries() {
        return new Section(
                "libraries",
                List.of("library", "version", "file"),
                all().stream()
                        .map(library -> List.of(
                                library.name().text(),
                                Objects.requireNonNullElse(library.versionText(), library.isPresent() ? "?" : "-"),
                                library.isPresent() ? String.valueOf(library.file()) : "none"))
                        .toList());
    }

    /**
     * Returns what works, but not as it should: files that were passed over, and libraries that others could exchange.
     */
    static List<String> warnings() {
        List<NativeLibrary> present =
                all().stream().filter(NativeLibrary::isPresent).toList();
        Stream<String> passedOver = present.stream()
                .flatMap(library -> library.places().stream())
                .filter(Place::isWrong)
                .map(place -> "passed over: " + place)
                .distinct();
        Stream<String> writable = present.stream()
                .filter(library -> library.danger() != null)
                .map(library -> "others could exchange " + library.name().text() + ": " + library.danger());
        Stream<String> old = present.stream()
                .filter(library -> library.name() == LibraryName.NVJITLINK)
                .flatMap(library -> oldCompiler(library.version()).stream());
        return Stream.of(passedOver, writable, old).flatMap(each -> each).toList();
    }

    /** Returns what to say of an nvJitLink whose compiler is known to get kernels wrong. */
    static Optional<String> oldCompiler(@Nullable String version) {
        Matcher numbers = Pattern.compile("(\\d+)\\.(\\d+).*").matcher(Objects.requireNonNullElse(version, ""));
        if (!numbers.matches()
                || Integer.parseInt(numbers.group(1)) * 100 + Integer.parseInt(numbers.group(2)) >= SOUND_COMPILER) {
            return Optional.empty();
        }
        return Optional.of(
                "nvJitLink " + version + " computes some absolute values and casts to short wrongly. comm4j avoids"
                        + " the cases that are known; 13.5 has none of them: pip install -U nvidia-nvjitlink");
    }

    /** Returns the MPI libraries of this machine, and the launchers that belong to them, the first choice first. */
    private static Section mpi() {
        return mpi(Mpiexec.all(System.getenv()));
    }

    static Section mpi(List<Mpiexec> launchers) {
        List<List<String>> rows = new ArrayList<>();
        for (Mpiexec each : launchers) {
            rows.add(List.of(
                    each.kind().text() + " " + each.version(),
                    each.file().toString(),
                    each.library() == null ? "none beside it" : each.library().toString(),
                    each.library() == null
                            ? "starts ranks; the library is missing"
                            : rows.isEmpty() ? "starts ranks of run --engine mpi" : "by " + Mpiexec.VARIABLE));
        }
        if (rows.isEmpty()) {
            rows.add(List.of("none", "-", "-", "no ranks on several hosts; install Open MPI or MPICH"));
        }
        return new Section("mpi", List.of("MPI", "launcher", "library", "verdict"), rows);
    }

    /** Returns the verdict on NVSHMEM, found out without initialising it: that ends the process where it fails. */
    private static Section nvshmem() {
        NativeLibrary library = NativeLibrary.of(LibraryName.NVSHMEM);
        Path file = library.file();
        if (file == null) {
            return new Section(
                    "nvshmem", List.of("nvshmem", "verdict"), List.of(List.of("-", verdict(library.problem()))));
        }
        NvshmemPlugins plugins = NvshmemPlugins.beside(file);
        return new Section(
                "nvshmem",
                List.of("nvshmem", "bootstraps", "transports", "verdict"),
                List.of(List.of(
                        Objects.requireNonNullElse(library.version(), "?"),
                        plugins.names(Kind.BOOTSTRAP),
                        plugins.names(Kind.TRANSPORT),
                        verdict(Nvshmem.problem()))));
    }

    /** The engines of OpenSHMEM. */
    private static Section openshmem() {
        NativeLibrary library = NativeLibrary.of(LibraryName.OPENSHMEM);
        return new Section(
                "openshmem",
                List.of("openshmem", "version", "verdict"),
                List.of(
                        List.of(
                                OpenShmemOptions.Engine.EMBEDDED.toString(),
                                OpenShmem.MAJOR_VERSION + "." + OpenShmem.MINOR_VERSION,
                                verdict(Engine.named("host").problem())),
                        List.of(
                                OpenShmemOptions.Engine.NATIVE.toString(),
                                Objects.requireNonNullElse(library.version(), "-"),
                                verdict(OpenShmem.nativeProblem())),
                        List.of(
                                OpenShmemOptions.Engine.MPI.toString(),
                                OpenShmem.MAJOR_VERSION + "." + OpenShmem.MINOR_VERSION,
                                verdict(Mpi.problem()))));
    }

    /** What kernels in Java can do here, by the libraries of NVIDIA that they go through. */
    private static Section kernels() {
        String missing = Stream.of(LibraryName.NVVM, LibraryName.NVJITLINK)
                .filter(name -> !NativeLibrary.of(name).isPresent())
                .map(name -> "no " + name.text())
                .collect(Collectors.joining(", "));
        boolean source = NativeLibrary.of(LibraryName.NVRTC).isPresent();
        String clang = Binder.clang();
        return new Section(
                "kernels",
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
                                                : "LTO-IR and PTX only: no " + LibraryName.NVRTC.text()),
                        List.of(
                                "of CUDA headers",
                                clang == null
                                        ? "no clang for comm4j bind; install it, or name it in CLANG"
                                        : "by comm4j bind, with " + clang)));
    }

    // ---- devices ----

    /** What the driver says without starting anything on a device. */
    static Section devices() {
        String problem = Cuda.problem();
        List<String> header = List.of("device", "name", "memory", "capability", "PCI");
        if (problem != null) {
            return new Section("devices", List.of("device", "verdict"), List.of(List.of("none", verdict(problem))));
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
            return new Section("devices", header, rows);
        } catch (NativeCallException | UnsupportedOperationException e) {
            return new Section(
                    "devices",
                    List.of("device", "verdict"),
                    List.of(List.of("?", "devices could not be asked: " + e.getMessage())));
        }
    }

    private static int attribute(MemorySegment cell, int attribute, int device) {
        LibCuda.cuDeviceGetAttribute(cell, attribute, device);
        return cell.get(JAVA_INT, 0);
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
