// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.comm4j.core.World;

/**
 * Where a benchmark ran.
 *
 * @param host the machine's name
 * @param cpu the processor's name
 * @param processors how many of them this process may use
 * @param jvm name and version of the JVM
 * @param os name and version of the operating system
 * @param engine the engine's name
 * @param origin who started the ranks, {@link World#origin}
 * @param pids the ranks' process ids
 */
public record Platform(
        String host, String cpu, int processors, String jvm, String os, String engine, String origin, List<Long> pids) {

    public Platform {
        pids = List.copyOf(pids);
    }

    /** Collective: what {@code world} runs on. */
    public static Platform of(World world, String engine) {
        byte[] pid = Long.toString(ProcessHandle.current().pid()).getBytes(StandardCharsets.UTF_8);
        List<Long> pids = world.exchange("bench.pid", pid).stream()
                .map(each -> Long.valueOf(new String(each, StandardCharsets.UTF_8)))
                .toList();
        return new Platform(
                hostName(),
                cpuName(),
                Runtime.getRuntime().availableProcessors(),
                System.getProperty("java.vm.name") + " " + System.getProperty("java.runtime.version"),
                System.getProperty("os.name") + " " + System.getProperty("os.version") + " "
                        + System.getProperty("os.arch"),
                engine,
                world.origin(),
                pids);
    }

    public int ranks() {
        return pids.size();
    }

    private static String hostName() {
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException e) {
            return "localhost";
        }
    }

    private static String cpuName() {
        try (Stream<String> lines = Files.lines(Path.of("/proc/cpuinfo"))) {
            return lines.filter(line -> line.startsWith("model name"))
                    .map(line -> line.substring(line.indexOf(':') + 1).strip())
                    .findFirst()
                    .orElse(System.getProperty("os.arch"));
        } catch (IOException | UncheckedIOException e) {
            // Not Linux.
            return System.getProperty("os.arch");
        }
    }
}
