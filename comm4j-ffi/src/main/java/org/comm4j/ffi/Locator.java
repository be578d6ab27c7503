// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.ffi;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.comm4j.ffi.DynamicLoader.LoadException;
import org.comm4j.ffi.NativeLibrary.Found;
import org.comm4j.ffi.NativeLibrary.Place;
import org.jspecify.annotations.Nullable;

/** The search for a library: {@link NativeLibrary} says where, in which order. It ends where the library is found and loads. */
final class Locator {
    private static final int PYTHON_SECONDS = 10;

    private final LibraryName name;
    private final Surroundings surroundings;
    private final List<Place> places = new ArrayList<>();
    private @Nullable Found found;

    Locator(LibraryName name, Surroundings surroundings) {
        this.name = name;
        this.surroundings = surroundings;
    }

    NativeLibrary locate() {
        String given = surroundings.properties().apply(name.property());
        if (!given.isEmpty()) {
            lookAt("system property " + name.property() + "=" + given, roots(Path.of(given)));
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
                lookAt(variable + "=" + value, roots(Path.of(value)));
            }
        }
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
                inSitePackages(variable + "=" + value, sitePackages(Path.of(value)));
            }
        }
        if (found == null) {
            executable("python3")
                    .ifPresentOrElse(
                            python -> inSitePackages("wheels of " + python, sitePackagesOf(python)),
                            () -> note("wheels of python3", "no python3 on the PATH"));
        }
        inSitePackages("wheels of the user", sitePackages(surroundings.home().resolve(".local")));
    }

    private void inSitePackages(String where, Set<Path> sites) {
        if (found != null) {
            return;
        }
        List<Path> folders = new ArrayList<>();
        for (Path site : sites) {
            for (Path wheel : children(site.resolve("nvidia"))) {
                folders.add(wheel.resolve("lib"));
                folders.add(wheel.resolve("lib64"));
                folders.add(wheel.resolve("nvvm/lib64"));
            }
        }
        String roots = sites.isEmpty() ? "no site-packages" : "no wheel with it in " + listed(sites);
        lookAt(where, folders, roots);
    }

    private static Set<Path> sitePackages(Path prefix) {
        Set<Path> sites = new LinkedHashSet<>();
        for (Path python : children(prefix.resolve("lib"))) {
            if (python.getFileName().toString().startsWith("python3")) {
                Stream.of("site-packages", "dist-packages")
                        .map(python::resolve)
                        .filter(Files::isDirectory)
                        .forEach(sites::add);
            }
        }
        return sites;
    }

    /** By the folders around the interpreter; a starter script hides those, so that the interpreter itself has to be asked. */
    private Set<Path> sitePackagesOf(Path python) {
        try {
            Path prefix = python.toRealPath().getParent();
            prefix = prefix == null ? null : prefix.getParent();
            if (prefix != null && !isScript(python)) {
                Set<Path> sites = sitePackages(prefix);
                if (prefix.equals(surroundings.root().resolve("usr"))) {
                    sites.addAll(sitePackages(prefix.resolve("local")));
                }
                return sites;
            }
            return ask(python);
        } catch (IOException e) {
            return Set.of();
        }
    }

    private static boolean isScript(Path file) throws IOException {
        try (var in = Files.newInputStream(file)) {
            return in.read() == '#';
        }
    }

    private static Set<Path> ask(Path python) throws IOException {
        Process process = new ProcessBuilder(
                        python.toString(),
                        "-c",
                        "import site, sysconfig; print(sysconfig.get_paths()['purelib']);"
                                + " print('\\n'.join(site.getsitepackages()))")
                .redirectErrorStream(false)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        try {
            if (!process.waitFor(PYTHON_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly();
                return Set.of();
            }
            Set<Path> sites = new LinkedHashSet<>();
            process.inputReader()
                    .lines()
                    .map(Path::of)
                    .filter(Files::isDirectory)
                    .forEach(sites::add);
            return sites;
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
            return Set.of();
        }
    }

    private Optional<Path> executable(String program) {
        return Stream.of(surroundings.variables().apply("PATH").split(":"))
                .filter(folder -> !folder.isEmpty())
                .map(folder -> Path.of(folder, program))
                .filter(Files::isExecutable)
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
                Path file = DynamicLoader.fileOf(soname).orElse(Path.of(soname));
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
                lookAt(root.toString(), roots(root));
            }
        }
    }

    private void lookAt(String where, List<Path> folders) {
        lookAt(where, folders, "no " + name.sonames().getFirst() + " there, nor in its lib folders");
    }

    /** Loads the first file in these folders that is the library and can be loaded. */
    private void lookAt(String where, List<Path> folders, String absent) {
        List<Path> files =
                folders.stream().flatMap(folder -> candidate(folder).stream()).toList();
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
            note(where, absent);
        }
    }

    /** The library's file in a folder, if any: under its soname, else, where there is none, under any version. */
    private Optional<Path> candidate(Path place) {
        if (Files.isRegularFile(place)) {
            return Optional.of(place);
        }
        Stream<Path> sonames = name.sonames().stream().map(place::resolve).filter(Files::exists);
        Stream<Path> versions = children(place).stream()
                .filter(file -> name.filePattern()
                        .matcher(file.getFileName().toString())
                        .matches());
        return Stream.concat(sonames, versions).findFirst();
    }

    private static List<Path> children(Path folder) {
        if (!Files.isDirectory(folder)) {
            return List.of();
        }
        try (Stream<Path> list = Files.list(folder)) {
            return list.sorted(Comparator.reverseOrder()).toList();
        } catch (IOException e) {
            return List.of();
        }
    }

    private static String listed(Set<Path> paths) {
        return String.join(", ", paths.stream().map(Path::toString).toList());
    }
}
