// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.core.launch;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The launcher of an MPI library: what {@code mpiexec} is, as it says itself, and which library belongs to it.
 *
 * @param file the program
 * @param kind whose it is
 * @param version of the launcher, which is the library's
 * @param library the library of the same installation; null if there is none
 */
public record Mpiexec(
        Path file, Kind kind, String version, @Nullable Path library) {

    /** The variable that names a library, its folder, or the folder of an installation. */
    public static final String VARIABLE = "COMM4J_MPI";

    /** Product that a launcher belongs to; a job's library has to be of the same kind. */
    public enum Kind {
        OPEN_MPI("Open MPI", "libmpi.so.40", "libmpi.so.80"),
        MPICH("MPICH", "libmpi.so.12", "libmpich.so.12"),
        INTEL("Intel MPI", "libmpi.so.12", "libmpi.so");

        private final String text;
        private final String soname;
        private final String otherSoname;

        Kind(String text, String soname, String otherSoname) {
            this.text = text;
            this.soname = soname;
            this.otherSoname = otherSoname;
        }

        /** Returns the product's name. */
        public String text() {
            return text;
        }
    }

    /** Where programs are below an installation's folder, and libraries. */
    private static final List<String> PROGRAMS =
            List.of("bin/mpiexec", "bin/mpirun", "mpiexec", "mpirun", "bin/mpirun.openmpi", "bin/mpiexec.mpich");

    private static final List<String> LIBRARIES = List.of("lib", "lib64", "lib/release", "lib/openmpi", "lib/mpich");

    /** Names on the {@code PATH}. */
    private static final List<String> NAMES = List.of("mpiexec", "mpirun", "mpirun.openmpi", "mpiexec.mpich");

    private static final List<String> USUAL_FOLDERS = List.of(
            "/usr/lib64/openmpi",
            "/usr/lib64/mpich",
            "/opt/intel/oneapi/mpi/latest",
            "/usr/local",
            "/opt/openmpi",
            "/usr");

    private static final Map<Kind, Pattern> VERSIONS = new LinkedHashMap<>();

    static {
        VERSIONS.put(Kind.INTEL, Pattern.compile("Intel\\(R\\) MPI Library .*Version (\\S+)"));
        VERSIONS.put(Kind.OPEN_MPI, Pattern.compile("\\((?:Open MPI|OpenRTE)\\) (\\S+)"));
        VERSIONS.put(Kind.MPICH, Pattern.compile("HYDRA build details:\\s+Version:\\s+(\\S+)"));
    }

    /**
     * Returns the launchers of this machine, the first choice first: of the installation that {@value #VARIABLE} names,
     * of {@code MPI_HOME} and {@code I_MPI_ROOT}, of the active Python environment, those on the {@code PATH}, and in
     * usual folders. Each is asked what it is; what does not say it is left out.
     */
    public static List<Mpiexec> all(Map<String, String> environment) {
        Map<Path, Mpiexec> found = new LinkedHashMap<>();
        for (Path candidate : candidates(environment)) {
            try {
                if (Files.isExecutable(candidate) && Files.isRegularFile(candidate)) {
                    Path real = candidate.toRealPath();
                    // Alternatives of one installation are one; a program may be another one by each of its names.
                    if (found.keySet().stream().noneMatch(real::equals)) {
                        Mpiexec launcher = of(candidate);
                        if (launcher != null) {
                            found.put(real, launcher);
                        }
                    }
                }
            } catch (IOException e) {
                // It has gone meanwhile, and others may be there.
                found.remove(candidate);
            }
        }
        return withoutTwins(found.values().stream().toList());
    }

    /** An installation has its launcher under several names that are no links. */
    private static List<Mpiexec> withoutTwins(List<Mpiexec> all) {
        List<Mpiexec> first = new ArrayList<>();
        for (Mpiexec each : all) {
            if (first.stream()
                    .noneMatch(other -> other.kind == each.kind
                            && other.version.equals(each.version)
                            && folder(other.file).equals(folder(each.file)))) {
                first.add(each);
            }
        }
        return first;
    }

    private static List<Path> candidates(Map<String, String> environment) {
        List<Path> candidates = new ArrayList<>();
        Path named = path(environment.get(VARIABLE));
        if (named != null) {
            // A library, a folder with libraries, or an installation.
            Path folder = Files.isDirectory(named) ? named : folder(named);
            for (Path each = folder; each != null && each.getNameCount() > 0; each = each.getParent()) {
                programs(each, candidates);
            }
            // What is named is meant, and nothing else.
            if (candidates.stream().anyMatch(Files::isExecutable)) {
                candidates.sort(Comparator.comparing(each -> !fits(each, named)));
                return candidates;
            }
        }
        for (String variable : List.of("MPI_HOME", "I_MPI_ROOT", "VIRTUAL_ENV", "CONDA_PREFIX")) {
            Path folder = path(environment.get(variable));
            if (folder != null) {
                programs(folder, candidates);
            }
        }
        for (String folder : environment.getOrDefault("PATH", "").split(File.pathSeparator, -1)) {
            Path path = path(folder);
            if (path != null) {
                NAMES.forEach(name -> candidates.add(path.resolve(name)));
            }
        }
        USUAL_FOLDERS.forEach(folder -> programs(Path.of(folder), candidates));
        return candidates;
    }

    /** Returns whether a launcher's library is the one that was named. */
    private static boolean fits(Path candidate, Path library) {
        try {
            Mpiexec launcher = Files.isExecutable(candidate) ? of(candidate) : null;
            return launcher != null
                    && launcher.library != null
                    && (Files.isDirectory(library) || library.toRealPath().equals(launcher.library.toRealPath()));
        } catch (IOException e) {
            return false;
        }
    }

    private static void programs(Path folder, List<Path> candidates) {
        PROGRAMS.forEach(name -> candidates.add(folder.resolve(name)));
    }

    private static @Nullable Path path(@Nullable String text) {
        try {
            return text == null || text.isBlank() ? null : Path.of(text.strip());
        } catch (InvalidPathException e) {
            return null;
        }
    }

    private static Path folder(Path file) {
        Path parent = file.toAbsolutePath().getParent();
        return parent == null ? file : parent;
    }

    /**
     * Returns what a program is, if it is the launcher of an MPI library, and says so within five seconds; else null.
     */
    public static @Nullable Mpiexec of(Path file) {
        String text = outputOf(List.of(file.toString(), "--version"));
        for (Map.Entry<Kind, Pattern> each : VERSIONS.entrySet()) {
            Matcher matcher = each.getValue().matcher(text);
            if (matcher.find()) {
                return new Mpiexec(file, each.getKey(), matcher.group(1), libraryOf(file, each.getKey()));
            }
        }
        return null;
    }

    /** The library in the folders beside a launcher's: a link may lead to it, but its installation is where it lies. */
    private static @Nullable Path libraryOf(Path launcher, Kind kind) {
        try {
            for (Path file : List.of(launcher.toAbsolutePath(), launcher.toRealPath())) {
                Path prefix = folder(file).getParent();
                if (prefix != null) {
                    for (String name : LIBRARIES) {
                        Path library = libraryIn(prefix.resolve(name), kind);
                        if (library != null) {
                            return library;
                        }
                    }
                    // Debian: /usr/lib/x86_64-linux-gnu.
                    try (Stream<Path> triples = Files.list(prefix.resolve("lib"))) {
                        for (Path triple : triples.filter(p -> p.toString().contains("-linux-"))
                                .sorted()
                                .toList()) {
                            Path library = libraryIn(triple, kind);
                            if (library != null) {
                                return library;
                            }
                        }
                    }
                }
            }
        } catch (IOException e) {
            return null;
        }
        return null;
    }

    private static @Nullable Path libraryIn(Path folder, Kind kind) {
        for (String name : List.of(kind.soname, kind.otherSoname)) {
            Path library = folder.resolve(name);
            if (Files.isRegularFile(library)) {
                return library;
            }
        }
        return null;
    }

    /** Returns what a command writes, both streams together; empty if it cannot be run or takes too long. */
    static String outputOf(List<String> command) {
        Process process = null;
        try {
            process = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectInput(ProcessBuilder.Redirect.from(new File("/dev/null")))
                    .start();
            Process started = process;
            Thread limit = Thread.ofPlatform().daemon().start(() -> {
                try {
                    if (!started.waitFor(5, TimeUnit.SECONDS)) {
                        started.destroyForcibly();
                    }
                } catch (InterruptedException e) {
                    // It has ended.
                    return;
                }
            });
            String text = new String(process.getInputStream().readNBytes(64 << 10), StandardCharsets.UTF_8);
            limit.interrupt();
            return text;
        } catch (IOException e) {
            return "";
        } finally {
            if (process != null) {
                process.destroyForcibly();
            }
        }
    }

    /** The first number of the version. */
    public int major() {
        Matcher matcher = Pattern.compile("\\d+").matcher(version);
        return matcher.find() ? Integer.parseInt(matcher.group()) : 0;
    }

    @Override
    public String toString() {
        return kind.text + " " + version + " (" + file + ")";
    }
}
