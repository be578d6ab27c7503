// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.cuda;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The C compiler, for what tests need in C. */
final class Gcc {
    private Gcc() {}

    /** Skips the test where there is none. */
    static void require() {
        assumeTrue(run(List.of("gcc", "--version")) != null, "there is no gcc to compile C code of this test");
    }

    static void sharedLibrary(Path source, Path target) {
        try {
            Files.createDirectories(target.toAbsolutePath().getParent());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        compile(List.of(
                "gcc",
                "-Wall",
                "-Werror",
                "-O1",
                "-shared",
                "-fPIC",
                "-pthread",
                "-o",
                target.toString(),
                source.toString()));
    }

    /** The output of a small program. */
    static String outputOf(String program) {
        try {
            Path folder = Files.createTempDirectory("comm4j-gcc");
            Path source = Files.writeString(folder.resolve("probe.c"), program);
            Path binary = folder.resolve("probe");
            compile(List.of("gcc", "-Wall", "-Werror", "-o", binary.toString(), source.toString()));
            String output = run(List.of(binary.toString()));
            Files.delete(source);
            Files.delete(binary);
            Files.delete(folder);
            if (output == null) {
                throw new AssertionError("the program did not run");
            }
            return output;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void compile(List<String> command) {
        if (run(command) == null) {
            throw new AssertionError(String.join(" ", command) + " failed");
        }
    }

    /** The output, or null if the program is not there or fails. */
    private static @Nullable String run(List<String> command) {
        try {
            Process process =
                    new ProcessBuilder(command).redirectErrorStream(true).start();
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            int status = process.waitFor();
            if (status != 0) {
                System.err.println(output);
            }
            return status == 0 ? output : null;
        } catch (IOException e) {
            return null;
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
