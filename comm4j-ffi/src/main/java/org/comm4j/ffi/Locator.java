// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.ffi;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.comm4j.ffi.DynamicLoader.LoadException;
import org.comm4j.ffi.NativeLibrary.Found;
import org.comm4j.ffi.NativeLibrary.Place;
import org.jspecify.annotations.Nullable;

/**
 * The search for a library: {@link NativeLibrary} says where, in which order. It ends where the library is found and
 * loads.
 */
final class Locator {
    private static final int PYTHON_SECONDS = 10;

    /** What interpreters behind scripts have said, which takes them a while. */
    private static final Map<Path, Set<Path>> ASKED = new ConcurrentHashMap<>();

    private static final Pattern NUMBER = Pattern.compile("\\d+");

    /** python3.12 before python3.9. */
    private static final Comparator<Path> NEWEST_FIRST = Comparator.comparing(
                    (Path file) -> NUMBER.matcher(file.getFileName().toString())
                            .replaceAll(number -> "%20s".formatted(number.group())))
            .reversed();

    private final LibraryName name;
    private final Surroundings surroundings;
    private final List<Place> places = new ArrayList<>();
    /** Folders of the place that is being looked at. */
    private final Set<Path> unreadable = new LinkedHashSet<>();

    private @Nullable Found found;

    Locator(LibraryName name, Surroundings surroundings) {
        this.name = name;
        this.surroundings = surroundings;
    }

    NativeLibrary locate() {
        String given = surroundings.properties().apply(name.property());
        if (!given.isEmpty()) {
            lookAtInstallation("system property " + name.property(), given);
        } else {
            note("system property " + name.property(), "not set");
            inInstallations();
            inWheels();
            inLoaderPath();
            inUsualFolders();
        }
        return new NativeLibrary(name, places, found);
    }

    private void note(String where, String outcome) {
        places.add(new Place(where, outcome));
        unreadable.clear();
    }

    private void inInstallations() {
        for (String variable : name.variables()) {
            String value = surroundings.variables().apply(variable);
            if (found != null) {
                return;
            }
            if (value.isEmpty()) {
                note(variable, "not set");
            } else {
                lookAtInstallation(variable, value);
            }
            if (variable.equals(MpiLauncher.VARIABLE)) {
                inLaunchersInstallation();
            }
        }
    }

    /** A launcher's library is the one that understands it. */
    private void inLaunchersInstallation() {
        if (found == null && name == LibraryName.MPI) {
            MpiLauncher.ofProcess(surroundings.variables())
                    .ifPresentOrElse(
                            launcher -> lookAt("the launcher " + launcher.file(), launcher.libraries(), nothing()),
                            () -> note("the launcher of this process", "none of MPI"));
        }
    }

    private void lookAtInstallation(String named, String value) {
        String where = named + "=" + value;
        path(where, value)
                .ifPresent(root -> lookAt(where, roots(root), Files.exists(root) ? nothing() : NativeLibrary.ABSENT));
    }

    /** Nothing if the search is over; what is no path is noted. */
    private Optional<Path> path(String where, String text) {
        if (found != null) {
            return Optional.empty();
        }
        Optional<Path> path = Surroundings.path(text);
        if (path.isEmpty()) {
            note(
                    where,
                    NativeLibrary.NO_PATH + " in this process' encoding, " + System.getProperty("sun.jnu.encoding"));
        }
        return path;
    }

    /** The folders of an installation that may have the library, or a file that is it. */
    private static List<Path> roots(Path root) {
        List<Path> folders = new ArrayList<>();
        for (String folder : List.of(
                "", "lib64", "lib", "nvvm/lib64", "nvvm/lib", "targets/x86_64-linux/lib", "targets/sbsa-linux/lib")) {
            folders.add(root.resolve(folder));
        }
        return folders;
    }

    private void inWheels() {
        if (!name.isInWheels() || found != null) {
            return;
        }
        for (String variable : List.of("VIRTUAL_ENV", "CONDA_PREFIX")) {
            String value = surroundings.variables().apply(variable);
            if (!value.isEmpty()) {
                String where = variable + "=" + value;
                path(where, value).ifPresent(prefix -> inSitePackages(where, sitePackages(prefix)));
            }
        }
        if (found == null) {
            executable("python3")
                    .ifPresentOrElse(
                            python -> inSitePackages("wheels of " + python, sitePackagesOf(python)),
                            () -> note("wheels of python3", "no python3 on the PATH"));
        }
        path("wheels of the user", surroundings.home())
                .ifPresent(home -> inSitePackages("wheels of the user", sitePackages(home.resolve(".local"))));
    }

    private void inSitePackages(String where, Set<Path> sites) {
        if (found != null) {
            return;
        }
        List<Path> folders = new ArrayList<>();
        for (Path site : sites) {
            for (Path wheel : children(site.resolve("nvidia"), any -> true)) {
                folders.add(wheel.resolve("lib"));
                folders.add(wheel.resolve("lib64"));
                folders.add(wheel.resolve("nvvm/lib64"));
            }
            name.ownWheels().forEach(wheel -> folders.add(site.resolve(wheel).resolve("lib")));
        }
        String roots = sites.isEmpty() ? "no site-packages" : "no wheel with it in " + listed(sites);
        lookAt(where, folders, roots);
    }

    private Set<Path> sitePackages(Path prefix) {
        Set<Path> sites = new LinkedHashSet<>();
        for (Path python : children(prefix.resolve("lib"), name -> name.startsWith("python3"))) {
            Stream.of("site-packages", "dist-packages")
                    .map(python::resolve)
                    .filter(Files::isDirectory)
                    .forEach(sites::add);
        }
        return sites;
    }

    /**
     * By the folders around the interpreter, which in a virtual environment is a link; a starter script hides those, so
     * that the interpreter itself has to be asked.
     */
    private Set<Path> sitePackagesOf(Path python) {
        try {
            if (isScript(python)) {
                return ASKED.computeIfAbsent(python, Locator::ask);
            }
            Set<Path> sites = new LinkedHashSet<>();
            for (Path interpreter : List.of(python, python.toRealPath())) {
                Path prefix = interpreter.resolve("../..").normalize();
                sites.addAll(sitePackages(prefix));
                if (prefix.equals(surroundings.root().resolve("usr"))) {
                    sites.addAll(sitePackages(prefix.resolve("local")));
                }
            }
            return sites;
        } catch (IOException e) {
            return Set.of();
        }
    }

    private static boolean isScript(Path file) throws IOException {
        try (var in = Files.newInputStream(file)) {
            return in.read() == '#';
        }
    }

    private static Set<Path> ask(Path python) {
        try {
            Process process = new ProcessBuilder(
                            python.toString(),
                            "-c",
                            "import site, sysconfig; print(sysconfig.get_paths()['purelib']);"
                                    + " print('\\n'.join(site.getsitepackages()))")
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            // What is found here is for the whole process, so that an interrupt of this thread must not end it.
            process.onExit()
                    .completeOnTimeout(process, PYTHON_SECONDS, TimeUnit.SECONDS)
                    .join();
            if (process.isAlive()) {
                process.destroyForcibly();
                return Set.of();
            }
            return process.inputReader()
                    .lines()
                    .flatMap(line -> Surroundings.path(line).stream())
                    .filter(Files::isDirectory)
                    .collect(Collectors.toCollection(LinkedHashSet::new));
        } catch (IOException | UncheckedIOException e) {
            return Set.of();
        }
    }

    private Optional<Path> executable(String program) {
        return Stream.of(surroundings.variables().apply("PATH").split(":"))
                .filter(folder -> !folder.isEmpty())
                .flatMap(folder -> Surroundings.path(folder).stream())
                .map(folder -> folder.resolve(program))
                .filter(file -> Files.isRegularFile(file) && Files.isExecutable(file))
                .findFirst();
    }

    private void inLoaderPath() {
        for (String soname : name.sonames()) {
            if (found != null) {
                return;
            }
            String where = "the loader's path (LD_LIBRARY_PATH and the system's folders), " + soname;
            try {
                MemorySegment handle = surroundings.loader().load(soname);
                Path file = DynamicLoader.fileOf(handle).orElse(Path.of(soname));
                note(where, "loaded " + file);
                found = new Found(file, handle);
            } catch (LoadException e) {
                note(where, "" + e.getMessage());
            }
        }
    }

    private void inUsualFolders() {
        for (String folder : name.folders()) {
            Path root = surroundings.root().resolve(folder.substring(1));
            if (found == null) {
                lookAt(root.toString(), roots(root), nothing());
            }
        }
    }

    private String nothing() {
        return "no " + name.sonames().getFirst() + " there, nor in its lib folders";
    }

    /** Loads the first file in these folders that is the library and can be loaded, the newest before others. */
    private void lookAt(String where, List<Path> folders, String absent) {
        List<Path> files = folders.stream()
                .flatMap(folder -> candidate(folder).stream())
                .sorted(Comparator.comparingInt(this::rank))
                .toList();
        for (Path file : files) {
            try {
                MemorySegment handle = surroundings.loader().load(file.toString());
                note(where, "loaded " + file);
                found = new Found(file, handle);
                return;
            } catch (LoadException e) {
                note(where, NativeLibrary.BROKEN + e.getMessage());
            }
        }
        if (files.isEmpty()) {
            note(where, unreadable.isEmpty() ? absent : absent + "; cannot be read: " + listed(unreadable));
        }
    }

    /** The place of its soname among those that the library can have. */
    private int rank(Path file) {
        List<String> sonames = name.sonames();
        for (int i = 0; i < sonames.size(); i++) {
            if (file.getFileName().toString().startsWith(sonames.get(i))) {
                return i;
            }
        }
        return sonames.size();
    }

    /** The library's file in a folder, if any: under its soname, else, where there is none, under any version. */
    private Optional<Path> candidate(Path place) {
        if (Files.isRegularFile(place)) {
            return Optional.of(place);
        }
        Stream<Path> sonames = name.sonames().stream().map(place::resolve).filter(Files::exists);
        Stream<Path> versions = children(place, name.filePattern().asMatchPredicate()).stream();
        return Stream.concat(sonames, versions).findFirst();
    }

    /** What is in a folder under such names, the newest first. */
    private List<Path> children(Path folder, Predicate<String> names) {
        try (Stream<Path> list = Files.list(folder)) {
            return list.filter(file -> names.test(file.getFileName().toString()))
                    .sorted(NEWEST_FIRST)
                    .toList();
        } catch (NoSuchFileException | NotDirectoryException e) {
            return List.of();
        } catch (IOException | UncheckedIOException e) {
            unreadable.add(folder);
            return List.of();
        }
    }

    private static String listed(Set<Path> paths) {
        return String.join(", ", paths.stream().map(Path::toString).toList());
    }
}
