// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.test;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.opentest4j.TestAbortedException;

/** The C compiler, for what tests need in C. */
public final class Gcc {
    private static final boolean PRESENT = run(List.of("gcc", "--version")) != null;

    private Gcc() {}

    /** Whether there is one. */
    public static boolean isPresent() {
        return PRESENT;
    }

    /** Skips the test where there is none. */
    public static void require() {
        if (!PRESENT) {
            throw new TestAbortedException("there is no gcc to compile the C code of this test");
        }
    }

    /**
     * Compiles a shared library; skips the test where there is no compiler.
     *
     * @param options besides what such a library needs
     */
    public static void sharedLibrary(Path source, Path target, String... options) {
        require();
        try {
            Files.createDirectories(target.toAbsolutePath().getParent());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        List<String> command = new ArrayList<>(List.of("gcc", "-O1", "-shared", "-fPIC", "-pthread"));
        command.addAll(List.of(options));
        command.addAll(List.of("-o", target.toString(), source.toString()));
        compile(command);
    }

    /** The output of a small program; skips the test where there is no compiler. */
    public static String outputOf(String program) {
        require();
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

    /** The output, or null if the program is not there or fails, which it has told then. */
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
