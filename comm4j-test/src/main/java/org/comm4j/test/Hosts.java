// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.test;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.opentest4j.TestAbortedException;

/**
 * Several hosts on this machine: Linux network namespaces that are joined by a bridge, in which processes have a host
 * name of their own. Needs root and {@code ip}; a test that opens them is skipped where they cannot be made.
 */
public final class Hosts implements AutoCloseable {
    private static final AtomicInteger SERIAL = new AtomicInteger();

    private final String prefix = "c" + ProcessHandle.current().pid() + "n" + SERIAL.incrementAndGet();
    private final List<String> names = new ArrayList<>();
    private final List<String> spaces = new ArrayList<>();

    private Hosts() {}

    /** Makes {@code count} hosts, at most 200, with addresses of one network. */
    public static Hosts open(int count) {
        Hosts hosts = new Hosts();
        try {
            hosts.make(count);
        } catch (IOException e) {
            hosts.close();
            throw new TestAbortedException("no network namespaces here: " + e.getMessage());
        } catch (RuntimeException | Error e) {
            hosts.close();
            throw e;
        }
        return hosts;
    }

    private void make(int count) throws IOException {
        String bridge = prefix + "s";
        space(bridge);
        run("ip", "-n", bridge, "link", "add", "bridge", "type", "bridge");
        run("ip", "-n", bridge, "link", "set", "bridge", "up");
        for (int host = 0; host < count; host++) {
            String name = prefix + "h" + host;
            space(name);
            names.add(name);
            String port = "port" + host;
            run("ip", "-n", name, "link", "add", "eth0", "type", "veth", "peer", "name", port, "netns", bridge);
            run("ip", "-n", bridge, "link", "set", port, "master", "bridge", "up");
            run("ip", "-n", name, "address", "add", address(host) + "/24", "dev", "eth0");
            run("ip", "-n", name, "link", "set", "eth0", "up");
            run("ip", "-n", name, "link", "set", "lo", "up");
        }
    }

    private void space(String name) throws IOException {
        run("ip", "netns", "add", name);
        spaces.add(name);
    }

    /** How many there are. */
    public int size() {
        return names.size();
    }

    /** The name of a host, from 0 on. */
    public String name(int host) {
        return names.get(host);
    }

    /** Its address in the hosts' network, {@code 10.97.0.0/24}. */
    public String address(int host) {
        return "10.97.0." + (host + 1);
    }

    /** A command on a host; the environment and the folder are this process's unless the builder says otherwise. */
    public ProcessBuilder command(int host, List<String> words) {
        List<String> all = new ArrayList<>(List.of(
                "ip",
                "netns",
                "exec",
                name(host),
                "unshare",
                "-u",
                "sh",
                "-c",
                "hostname \"$0\"; exec \"$@\"",
                name(host)));
        all.addAll(words);
        return new ProcessBuilder(all);
    }

    /**
     * A program in place of {@code ssh} for launchers: options, a host's name or address, and a command, which runs
     * there by the shell.
     */
    public Path remoteShell(Path folder) throws IOException {
        StringBuilder script = new StringBuilder("""
                #!/bin/sh
                while [ "${1#-}" != "$1" ]; do
                    shift
                done
                host=$1
                shift
                case $host in
                """);
        for (int host = 0; host < names.size(); host++) {
            script.append(address(host)).append(") host=").append(name(host)).append(" ;;\n");
        }
        script.append("""
                esac
                exec ip netns exec "$host" unshare -u sh -c "hostname $host; $*"
                """);
        Path file = folder.resolve("remote-shell");
        Files.writeString(file, script);
        return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwx------"));
    }

    /** Takes a host off the network, as if its cable was pulled. */
    public void unplug(int host) {
        try {
            run("ip", "-n", name(host), "link", "set", "eth0", "down");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Ends every process of a host, as if it lost its power. */
    public void kill(int host) {
        kill(name(host));
    }

    /** The processes that run on a host. */
    public List<ProcessHandle> processes(int host) {
        return processes(name(host));
    }

    private static List<ProcessHandle> processes(String space) {
        try {
            return Stream.of(run("ip", "netns", "pids", space).split("\\s+"))
                    .filter(pid -> !pid.isEmpty())
                    .flatMap(pid -> ProcessHandle.of(Long.parseLong(pid)).stream())
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void kill(String space) {
        processes(space).forEach(ProcessHandle::destroyForcibly);
    }

    /** Ends what still runs on the hosts, and removes them. */
    @Override
    public void close() {
        for (String space : spaces.reversed()) {
            try {
                kill(space);
                run("ip", "netns", "delete", space);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        spaces.clear();
    }

    private static String run(String... words) throws IOException {
        Process process = new ProcessBuilder(words).redirectErrorStream(true).start();
        String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
        try {
            if (!process.waitFor(10, TimeUnit.SECONDS) || process.exitValue() != 0) {
                throw new IOException(String.join(" ", words) + ": " + text);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException(String.join(" ", words) + ": interrupted", e);
        }
        return text;
    }
}
