// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.test;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.opentest4j.TestAbortedException;

/** The C compiler, for what tests need in C. */
public final class Gcc {
    private static final @Nullable String VERSION = run(List.of("gcc", "--version"));
    private static final boolean PRESENT = VERSION != null;
    private static final Pattern INCLUDE = Pattern.compile("(?m)^#include \"(.+)\"");

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
     * Makes a shared library; skips the test where there is no compiler. What the build has compiled from the same text
     * by the same command, in whatever process, is not compiled again.
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
        List<String> command = new ArrayList<>(List.of("gcc", "-O0", "-shared", "-fPIC", "-pthread"));
        command.addAll(List.of(options));
        Path folder = compiled();
        if (folder == null) {
            command.addAll(List.of("-o", target.toString(), source.toString()));
            compile(command);
            return;
        }
        try {
            Path library = folder.resolve(digest(command, source) + ".so");
            if (!Files.exists(library)) {
                Files.createDirectories(folder);
                Path unfinished = Files.createTempFile(folder, "unfinished", ".so");
                command.addAll(List.of("-o", unfinished.toString(), source.toString()));
                compile(command);
                // Another process may have done the same: one of two equal files stays.
                Files.move(unfinished, library, StandardCopyOption.ATOMIC_MOVE);
            }
            Files.copy(library, target, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The build's folder of compiled libraries; null outside a source tree. */
    private static @Nullable Path compiled() {
        for (Path folder = Path.of("").toAbsolutePath(); folder != null; folder = folder.getParent()) {
            if (Files.exists(folder.resolve("mvnw"))) {
                return folder.resolve("target/gcc");
            }
        }
        return null;
    }

    /** A name for what the command makes of the source and of all that it includes, by this compiler. */
    private static String digest(List<String> command, Path source) throws IOException {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            digest.update((VERSION + command).getBytes(StandardCharsets.UTF_8));
            add(digest, source);
            return HexFormat.of().formatHex(digest.digest());
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError("every JDK has SHA-256", e);
        }
    }

    private static void add(MessageDigest digest, Path source) throws IOException {
        String text = Files.readString(source);
        digest.update(text.getBytes(StandardCharsets.UTF_8));
        for (MatchResult include : INCLUDE.matcher(text).results().toList()) {
            add(digest, source.resolveSibling(include.group(1)));
        }
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
