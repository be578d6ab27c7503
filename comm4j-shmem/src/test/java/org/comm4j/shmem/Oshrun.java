// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.shmem;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Starts PEs as users of an OpenSHMEM library do. */
final class Oshrun {
    private static final long LIMIT_SECONDS = 100;

    private Oshrun() {}

    static void require() {
        boolean present = Arrays.stream(System.getenv().getOrDefault("PATH", "").split(":"))
                .anyMatch(folder -> Files.isExecutable(Path.of(folder, "oshrun")));
        assumeTrue(present, "no oshrun on the PATH; dev/oshmem installs it");
    }

    /**
     * Runs {@code oshrun -n PES java WORDS}.
     *
     * @return the exit code, and all output
     */
    static Map.Entry<Integer, String> run(int pes, String... words) {
        return run(pes, Map.of(), words);
    }

    /** The same with more in the environment. */
    static Map.Entry<Integer, String> run(int pes, Map<String, String> environment, String... words) {
        List<String> command = new ArrayList<>(List.of("oshrun", "-n", Integer.toString(pes)));
        if (pes > Runtime.getRuntime().availableProcessors()) {
            command.add("--oversubscribe");
        }
        command.addAll(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-XX:+UseSerialGC",
                "-cp",
                System.getProperty("java.class.path")));
        command.addAll(List.of(words));
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().put(OpenShmemOptions.VARIABLE, "native");
        builder.environment().putAll(environment);
        // In containers tests are root.
        builder.environment().put("OMPI_ALLOW_RUN_AS_ROOT", "1");
        builder.environment().put("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1");
        try {
            Path output = Files.createTempFile("comm4j-oshrun", ".txt");
            try {
                Process process = builder.redirectOutput(output.toFile()).start();
                boolean ended = process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS);
                if (!ended) {
                    process.destroy();
                    boolean ignored = process.waitFor(10, TimeUnit.SECONDS);
                }
                String text = Files.readString(output, StandardCharsets.UTF_8);
                return Map.entry(
                        ended ? process.exitValue() : -1,
                        ended ? text : text + "not ended after " + LIMIT_SECONDS + " s\n");
            } finally {
                Files.delete(output);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted", e);
        }
    }
}
