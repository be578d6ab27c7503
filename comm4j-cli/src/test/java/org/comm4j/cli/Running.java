// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.comm4j.test.Hosts;
import org.comm4j.test.Natives;

/** A {@code comm4j} command that runs in a process of its own, or {@linkplain #here in this one}. */
final class Running {
    private static final Path MPIEXEC = Path.of("/usr/bin/mpiexec.mpich");

    /**
     * The line that java prints where the environment has options for it, as the build gives to all these processes.
     */
    private static final Pattern NOTE = Pattern.compile("(?m)^(\\[\\d+] )?NOTE: Picked up JDK_JAVA_OPTIONS: .*\\R");

    static {
        // Libraries are looked for once in a process, by the first command that needs them.
        Natives.use();
    }

    /** What a command ended with. */
    record Outcome(int code, String out, String err) {
        Outcome {
            err = NOTE.matcher(err).replaceAll("");
        }

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

    /**
     * Runs a command in this process, for which no virtual machine has to start. More ranks than one are processes all
     * the same. Not for {@code run -n 1}, whose rank writes where this process does.
     */
    @SuppressWarnings("SystemOut") // where commands print
    static synchronized Outcome here(List<String> words) {
        PrintStream outBefore = System.out;
        PrintStream errBefore = System.err;
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        System.setOut(new PrintStream(out, true, UTF_8));
        System.setErr(new PrintStream(err, true, UTF_8));
        try {
            int code = Main.execute(
                    new PrintWriter(System.out, true, UTF_8),
                    new PrintWriter(System.err, true, UTF_8),
                    words.toArray(String[]::new));
            return new Outcome(code, out.toString(UTF_8), err.toString(UTF_8));
        } finally {
            System.setOut(outBefore);
            System.setErr(errBefore);
        }
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

    /**
     * Runs {@code java} with these words as PEs of a real OpenSHMEM library; skips the test where there is none.
     *
     * @param folder where its output goes
     */
    static Outcome oshrun(Path folder, int pes, String... words) throws IOException, InterruptedException {
        boolean present = Arrays.stream(System.getenv().getOrDefault("PATH", "").split(":"))
                .anyMatch(each -> Files.isExecutable(Path.of(each, "oshrun")));
        assumeTrue(present, "no oshrun on the PATH; dev/oshmem installs it");
        List<String> command = new ArrayList<>(List.of(
                "oshrun",
                "--oversubscribe",
                "-n",
                Integer.toString(pes),
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path")));
        command.addAll(List.of(words));
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.environment()
                .putAll(Map.of(
                        "COMM4J_SHMEM", "native",
                        // In containers tests are root.
                        "OMPI_ALLOW_RUN_AS_ROOT", "1",
                        "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1"));
        return start(builder, folder).end(Duration.ofMinutes(2));
    }

    /**
     * Runs {@code java} with these words on hosts by the launcher of Debian's MPICH, with no variable of comm4j's but
     * those of {@code environment}; skips the test where there is none.
     *
     * @param folder where its output goes
     * @param perHost processes on each host
     */
    static Outcome onHosts(Hosts hosts, Path folder, int perHost, Map<String, String> environment, String... words)
            throws IOException, InterruptedException {
        assumeTrue(Files.isExecutable(MPIEXEC), MPIEXEC + " is not here; dev/mpi installs it");
        List<String> addresses =
                IntStream.range(0, hosts.size()).mapToObj(hosts::address).toList();
        List<String> all = new ArrayList<>(List.of(MPIEXEC.toString(), "-launcher", "ssh", "-launcher-exec"));
        all.addAll(List.of(hosts.remoteShell(folder).toString(), "-iface", "eth0"));
        all.addAll(List.of("-hosts", String.join(",", addresses), "-ppn", "" + perHost));
        all.addAll(List.of("-n", "" + perHost * hosts.size()));
        all.addAll(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path")));
        all.addAll(List.of(words));
        ProcessBuilder builder = hosts.command(0, all);
        builder.environment().keySet().removeIf(each -> each.startsWith("COMM4J_"));
        builder.environment().putAll(environment);
        return start(builder, folder).end(Duration.ofSeconds(80));
    }

    /**
     * Hides the MPI libraries of the machine: {@code comm4j doctor} asks each of them, in a process of its own.
     *
     * @param folder gets a launcher of none
     */
    static void withoutMpi(ProcessBuilder builder, Path folder) throws IOException {
        Path launcher = folder.resolve("nompi/bin/mpiexec");
        Files.createDirectories(launcher.getParent());
        Files.writeString(launcher, "#!/bin/sh\nexit 1\n");
        if (!launcher.toFile().setExecutable(true)) {
            throw new IOException(launcher + " cannot be made executable");
        }
        builder.environment().put("COMM4J_MPI", folder.resolve("nompi").toString());
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
