// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A {@code comm4j} command that runs in a process of its own. */
final class Running {
    /** What a command ended with. */
    record Outcome(int code, String out, String err) {
        List<String> lines() {
            return out.lines().toList();
        }

        /** The rows of a table. */
        List<String[]> rows() {
            return out.lines()
                    .filter(line -> line.matches(" +\\d+ .*"))
                    .map(line -> line.strip().split(" +"))
                    .toList();
        }
    }

    private final List<String> words;
    private final Process process;
    private final Path out;
    private final Path err;

    private Running(ProcessBuilder builder, Path folder) throws IOException {
        this.words = builder.command();
        this.out = Files.createTempFile(folder, "out", "");
        this.err = Files.createTempFile(folder, "err", "");
        this.process =
                builder.redirectOutput(out.toFile()).redirectError(err.toFile()).start();
    }

    /** The process of a command, to be started by {@link #start}. */
    static ProcessBuilder comm4j(List<String> javaOptions, List<String> command) {
        List<String> words = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                // In short lives the first compiler is enough.
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC"));
        words.addAll(javaOptions);
        words.addAll(List.of("-cp", System.getProperty("java.class.path"), Main.class.getName()));
        words.addAll(command);
        return new ProcessBuilder(words);
    }

    /** @param folder where its output goes */
    static Running start(ProcessBuilder builder, Path folder) throws IOException {
        return new Running(builder, folder);
    }

    Outcome end(Duration limit) throws IOException, InterruptedException {
        if (!process.waitFor(limit.toSeconds(), TimeUnit.SECONDS)) {
            process.destroyForcibly();
            throw new AssertionError(words + " does not end: " + Files.readString(out) + Files.readString(err));
        }
        return new Outcome(process.exitValue(), Files.readString(out), Files.readString(err));
    }
}
