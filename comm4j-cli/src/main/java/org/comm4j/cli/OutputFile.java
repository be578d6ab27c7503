// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;

/** A file that a command is to write when it has measured: whether it can is found out before. */
final class OutputFile {
    private OutputFile() {}

    /**
     * @param option that names the file
     * @param file null if it was left out
     * @throws ParameterException if it cannot be written
     */
    static void check(CommandSpec command, String option, @Nullable Path file) {
        if (file != null) {
            String problem = problem(file);
            if (problem != null) {
                throw new ParameterException(command.commandLine(), option + " " + file + ": " + problem);
            }
        }
    }

    /** The same for a picture, which is a PNG file whatever its name says. */
    static void checkPicture(CommandSpec command, String option, @Nullable Path file) {
        check(command, option, file);
        // What is no file yet, or any more: a device is as good as a name.
        if (file != null
                && (Files.notExists(file) || Files.isRegularFile(file))
                && !file.toString().toLowerCase(Locale.ROOT).endsWith(".png")) {
            throw new ParameterException(
                    command.commandLine(), option + " " + file + ": pictures are PNG files; name it " + file + ".png");
        }
    }

    private static @Nullable String problem(Path file) {
        Path folder = file.toAbsolutePath().getParent();
        if (Files.isDirectory(file)) {
            return "is a folder, not a file";
        }
        if (folder == null || !Files.isDirectory(folder)) {
            return "there is no folder " + folder;
        }
        // By writing: permissions do not tell it of every file system. Pipes are left alone.
        try {
            if (Files.isRegularFile(file)) {
                Files.newByteChannel(file, StandardOpenOption.WRITE).close();
            } else if (Files.notExists(file)) {
                Files.delete(Files.createTempFile(folder, "comm4j", ""));
            }
            return null;
        } catch (IOException e) {
            return "may not be written";
        }
    }
}
