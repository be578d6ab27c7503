// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.core.contract;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.comm4j.core.launch.Mpiexec;
import org.comm4j.test.Hosts;

/** A Java program on several hosts, which the launcher of an MPI library starts there by a remote shell. */
public final class HostsRun {
    /** What lets the launchers of Open MPI run for root. */
    public static final Map<String, String> AS_ROOT = Map.of(
            "OMPI_ALLOW_RUN_AS_ROOT",
            "1",
            "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM",
            "1",
            "PRTE_ALLOW_RUN_AS_ROOT",
            "1",
            "PRTE_ALLOW_RUN_AS_ROOT_CONFIRM",
            "1");

    /** First version of Open MPI whose launcher is PRRTE's. */
    private static final int PRRTE = 5;

    private final Hosts hosts;
    private final Process process;
    private final StringBuilder said = new StringBuilder();
    private final Thread reader;

    private HostsRun(Hosts hosts, Process process) {
        this.hosts = hosts;
        this.process = process;
        this.reader = Thread.ofPlatform().daemon().start(this::read);
    }

    /**
     * Starts a program, whose launcher runs on host 0. Only {@code environment} is set of comm4j's variables.
     *
     * @param folder for the remote shell
     * @param perHost ranks on each host
     * @param words options of the virtual machine, the class, and its arguments
     */
    public static HostsRun start(
            Hosts hosts,
            Path folder,
            Mpiexec launcher,
            int perHost,
            Map<String, String> environment,
            List<String> words) {
        List<String> java = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path")));
        java.addAll(words);
        return command(hosts, folder, launcher, perHost, environment, java);
    }

    /** Starts any program in the same way. */
    public static HostsRun command(
            Hosts hosts,
            Path folder,
            Mpiexec launcher,
            int perHost,
            Map<String, String> environment,
            List<String> command) {
        try {
            List<String> all = launcher(hosts, hosts.remoteShell(folder).toString(), launcher, perHost);
            all.addAll(command);
            ProcessBuilder builder = hosts.command(0, all).redirectErrorStream(true);
            builder.environment().keySet().removeIf(name -> name.startsWith("COMM4J_"));
            builder.environment().putAll(AS_ROOT);
            builder.environment().putAll(environment);
            return new HostsRun(hosts, builder.start());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static List<String> launcher(Hosts hosts, String shell, Mpiexec launcher, int perHost) {
        int ranks = perHost * hosts.size();
        List<String> addresses =
                IntStream.range(0, hosts.size()).mapToObj(hosts::address).toList();
        List<String> words = new ArrayList<>(List.of(launcher.file().toString()));
        if (launcher.kind() != Mpiexec.Kind.OPEN_MPI) {
            words.addAll(List.of("-launcher", "ssh", "-launcher-exec", shell, "-iface", "eth0"));
            words.addAll(List.of("-hosts", String.join(",", addresses), "-ppn", "" + perHost, "-n", "" + ranks));
            return words;
        }
        if (launcher.major() < PRRTE) {
            words.addAll(List.of("--mca", "plm", "rsh", "--mca", "plm_rsh_agent", shell));
            words.addAll(List.of("--mca", "oob_tcp_if_include", "eth0"));
        } else {
            words.addAll(List.of("--prtemca", "plm", "ssh", "--prtemca", "plm_ssh_agent", shell));
            words.addAll(List.of("--prtemca", "prte_if_include", "eth0"));
        }
        words.addAll(List.of("--mca", "btl_tcp_if_include", "eth0", "-n", "" + ranks, "--host"));
        words.add(String.join(
                ",", addresses.stream().map(each -> each + ":" + perHost).toList()));
        return words;
    }

    private void read() {
        try (var lines = process.inputReader(StandardCharsets.UTF_8).lines()) {
            lines.forEach(line -> {
                synchronized (said) {
                    said.append(line).append('\n');
                    said.notifyAll();
                }
            });
        }
    }

    /** What has been said so far, both streams together. */
    public String text() {
        synchronized (said) {
            return said.toString();
        }
    }

    /** Waits until so many lines contain {@code part}. */
    public void awaitLines(int count, String part, int seconds) {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
        synchronized (said) {
            while (said.toString().lines().filter(line -> line.contains(part)).count() < count) {
                assertThat(System.nanoTime() - end).as(said.toString()).isNegative();
                try {
                    said.wait(100);
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                    throw new AssertionError("interrupted", e);
                }
            }
        }
    }

    /** Ends the launcher as a user or the system does who is in a hurry. */
    public void killLauncher() {
        // The process is "ip", which has become the launcher.
        process.destroyForcibly();
    }

    /** Waits for the end of the launcher, and returns its exit code. */
    public int end(int seconds) {
        try {
            assertThat(process.waitFor(seconds, TimeUnit.SECONDS))
                    .as("the launcher does not end on " + hosts.size() + " hosts; it said:\n" + text())
                    .isTrue();
            reader.join(1000);
            return process.exitValue();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted", e);
        } finally {
            process.destroyForcibly();
        }
    }
}
