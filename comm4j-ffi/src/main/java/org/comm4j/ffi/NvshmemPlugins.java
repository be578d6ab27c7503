// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.ffi;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The libraries that NVSHMEM loads by itself while it is initialised, as they lie beside it: bootstraps, by which the
 * processes find each other, and transports between machines. Looking at them before tells what otherwise ends the
 * process.
 *
 * @param folder of the host library
 * @param all those in the folder, by their names
 */
public record NvshmemPlugins(Path folder, List<Plugin> all) {
    /** The bootstrap that needs neither MPI nor a launcher, and that comm4j uses. */
    private static final String NEEDED = "uid";

    private static final int BOOTSTRAP_NUMBER = 3;

    private static final String REINSTALL = ". Remove all files of NVSHMEM there and reinstall it.";

    /**
     * A plugin's file.
     *
     * @param number of the interface between NVSHMEM and its plugins, as it ends the file's name
     */
    public record Plugin(Kind kind, String name, int number) {
        String file() {
            return "nvshmem_" + kind.word + "_" + name + ".so." + number;
        }
    }

    /** What a plugin is for. */
    public enum Kind {
        BOOTSTRAP("bootstrap"),
        TRANSPORT("transport");

        private final String word;

        Kind(String word) {
            this.word = word;
        }
    }

    private static final Pattern FILE = Pattern.compile("nvshmem_(bootstrap|transport)_(\\w+)\\.so\\.(\\d{1,9})");

    public NvshmemPlugins {
        all = List.copyOf(all);
    }

    /** Those beside the host library. */
    public static NvshmemPlugins beside(Path library) {
        Path absolute = library.toAbsolutePath();
        Path folder = absolute.getParent();
        List<Plugin> plugins = new ArrayList<>();
        if (folder != null && Files.isDirectory(folder)) {
            try (Stream<Path> files = Files.list(folder)) {
                files.map(file -> FILE.matcher(file.getFileName().toString()))
                        .filter(Matcher::matches)
                        .map(file -> new Plugin(
                                file.group(1).equals("bootstrap") ? Kind.BOOTSTRAP : Kind.TRANSPORT,
                                file.group(2),
                                Integer.parseInt(file.group(3))))
                        .sorted((a, b) -> a.file().compareTo(b.file()))
                        .forEach(plugins::add);
            } catch (IOException e) {
                // As if there were none, which is what NVSHMEM will find.
            }
        }
        return new NvshmemPlugins(folder == null ? absolute : folder, plugins);
    }

    /** The names of the plugins of a kind, separated by commas, or "none". */
    public String names(Kind kind) {
        String names = of(kind).map(Plugin::name).distinct().collect(Collectors.joining(", "));
        return names.isEmpty() ? "none" : names;
    }

    private Stream<Plugin> of(Kind kind) {
        return all.stream().filter(plugin -> plugin.kind() == kind);
    }

    /**
     * Why NVSHMEM cannot work with them, or null if nothing speaks against it. Without transports it works within one
     * machine.
     *
     * @param version of the host library, or null if that is unknown
     */
    public @Nullable String problem(@Nullable String version) {
        List<Plugin> needed = of(Kind.BOOTSTRAP)
                .filter(plugin -> plugin.name().equals(NEEDED))
                .toList();
        Plugin expected = new Plugin(Kind.BOOTSTRAP, NEEDED, BOOTSTRAP_NUMBER);
        if (needed.isEmpty()) {
            return "no bootstrap plugin " + expected.file() + " in " + folder + " (bootstraps there: "
                    + names(Kind.BOOTSTRAP)
                    + "). Reinstall NVSHMEM, or point org.comm4j.nvshmem.library to a complete folder of it.";
        }
        if (!needed.contains(expected)) {
            return mismatch(needed.getFirst(), version, BOOTSTRAP_NUMBER);
        }
        for (Plugin plugin : all) {
            if (ElfFile.read(folder.resolve(plugin.file()))
                    .filter(ElfFile::isIncomplete)
                    .isPresent()) {
                return plugin.file() + " in " + folder + " is incomplete" + REINSTALL;
            }
        }
        int number = transportNumber(version);
        List<Plugin> transports = of(Kind.TRANSPORT).toList();
        return number == 0 || transports.isEmpty() || transports.stream().anyMatch(plugin -> plugin.number() == number)
                ? null
                : mismatch(transports.getFirst(), version, number);
    }

    private String mismatch(Plugin found, @Nullable String version, int number) {
        return found.file() + " in " + folder + " belongs to another version than the host library"
                + (version == null ? "" : " " + version) + ", which loads .so." + number
                + REINSTALL;
    }

    /** The number of the transports of a version; 0 for a version that comm4j does not know. */
    private static int transportNumber(@Nullable String version) {
        Matcher minor = Pattern.compile("3\\.([4-8])\\.\\d+").matcher(version == null ? "" : version);
        return minor.matches() ? Integer.parseInt(minor.group(1)) - 1 : 0;
    }
}
