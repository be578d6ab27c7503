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
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.comm4j.core.World;
import org.comm4j.cuda.Cuda;
import org.comm4j.cuda.Device;

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
 * @param libraries native libraries that the engine uses, with their versions; empty if none
 * @param pids the ranks' process ids
 * @param places what each rank computes on
 */
public record Platform(
        String host,
        String cpu,
        int processors,
        String jvm,
        String os,
        String engine,
        String origin,
        String libraries,
        List<Long> pids,
        List<String> places) {

    public Platform {
        pids = List.copyOf(pids);
        places = List.copyOf(places);
    }

    /** Collective: what {@code world} runs on, each process being a rank. */
    public static Platform of(World world, String engine) {
        String place = cpuName() + ", " + Runtime.getRuntime().availableProcessors() + " processors";
        return of(world, engine, "", List.of(place));
    }

    /**
     * Collective: what {@code world} runs on.
     *
     * @param places what each of this process's ranks computes on; as many as in every other process
     */
    public static Platform of(World world, String engine, String libraries, List<String> places) {
        String mine = ProcessHandle.current().pid() + "\n" + String.join("\n", places);
        List<Long> pids = new ArrayList<>();
        List<String> all = new ArrayList<>();
        for (byte[] each : world.exchange("bench.platform", mine.getBytes(StandardCharsets.UTF_8))) {
            List<String> lines =
                    new String(each, StandardCharsets.UTF_8).lines().toList();
            for (String place : lines.subList(1, lines.size())) {
                pids.add(Long.valueOf(lines.getFirst()));
                all.add(place);
            }
        }
        return new Platform(
                hostName(),
                cpuName(),
                Runtime.getRuntime().availableProcessors(),
                System.getProperty("java.vm.name") + " " + System.getProperty("java.runtime.version"),
                System.getProperty("os.name") + " " + System.getProperty("os.version") + " "
                        + System.getProperty("os.arch"),
                engine,
                world.origin(),
                libraries,
                pids,
                all);
    }

    /**
     * Collective: what {@code world} runs on, each rank on a GPU.
     *
     * @param library of the engine, with its version
     * @param devices of this process's ranks; as many as in every other process
     */
    static Platform of(World world, String engine, String library, Device... devices) {
        int driver = Cuda.driverVersion();
        return of(
                world,
                engine,
                library + ", CUDA " + driver / 1000 + "." + driver % 1000 / 10,
                Arrays.stream(devices)
                        .map(device ->
                                "device %2d [%s] %s".formatted(device.ordinal(), device.pciBusId(), device.name()))
                        .toList());
    }

    /** Whether ranks are GPUs. */
    public boolean hasGpus() {
        return !libraries.isEmpty();
    }

    /** What the ranks compute on, in a few words for a title. */
    String hardware() {
        String first = places.getFirst();
        return !hasGpus() ? cpu : first.substring(first.indexOf(']') + 1).strip();
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
