// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.cli;

import java.time.Duration;
import java.time.Instant;
import org.comm4j.bench.Atomic;
import org.comm4j.bench.DeviceCase;
import org.comm4j.bench.DevicePerftest;
import org.comm4j.bench.DevicePerftests;
import org.comm4j.bench.DeviceSettings;
import org.comm4j.bench.DeviceTable;
import org.comm4j.bench.Group;
import org.comm4j.bench.Measured;
import org.comm4j.bench.PerftestTable;
import org.comm4j.bench.Report;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code comm4j bench device}: NVSHMEM's device perftests. */
@Command(
        name = "device",
        description = {
            "Measure communication from inside kernels, in Java, with the options, the defaults and the tables of NVSHMEM's device perftests.",
            "TEST: shmem_put_bw, shmem_get_bw, shmem_st_bw, shmem_p_bw, shmem_g_bw, shmem_atomic_bw, shmem_put_latency, shmem_get_latency,"
                    + " shmem_p_latency, shmem_g_latency, shmem_atomic_latency, shmem_p_ping_pong_latency, shmem_put_ping_pong_latency,"
                    + " shmem_put_signal_ping_pong_latency, shmem_put_atomic_ping_pong_latency, shmem_signal_ping_pong_latency,"
                    + " shmem_atomic_ping_pong_latency, barrier_latency, sync_latency, bcast_latency, fcollect_latency, alltoall_latency,"
                    + " reduction_latency, reducescatter_latency; and what NVSHMEM does not have: flag_ping_pong_latency, first_call, first_kernel, unit,"
                    + " compile, compile_cached, launch; several with commas between them; or all."
        },
        footer = {
            "",
            "By default: -b 4 -e 4M -n 10 -d int --warmup-time 100; 2 PEs where a test is of two, else one for each GPU.",
            "Options are those of NVSHMEM's device perftests, except --msgrate, -i, --mmap, --egm and -m. -o chooses one reduction, where"
                    + " NVSHMEM's programs measure all; -d is for shmem_p_bw and shmem_g_bw only; -n is not for atomic operations one at a time."
                    + " --engine host runs the same kernels on the CPU."
        },
        sortOptions = false,
        mixinStandardHelpOptions = true)
final class BenchDeviceCommand extends PerftestCommand {
    private static final int ITERATIONS = 10;
    private static final Duration WARMUP_TIME = Duration.ofMillis(100);

    @Option(
            names = {"-c", "--ctas"},
            paramLabel = "N",
            defaultValue = "32",
            description = "Blocks of tests of bandwidth; 32 by default.")
    private int blocks;

    @Option(
            names = {"-t", "--threads_per_cta"},
            paramLabel = "N",
            defaultValue = "256",
            description = "Threads of a block; 256 by default.")
    private int threads;

    @Option(
            names = {"-s", "--scope"},
            paramLabel = "S",
            defaultValue = "all",
            description = "Who calls: thread, warp, block; all by default, which is block of shmem_put_bw.")
    private String scope = "";

    @Option(
            names = {"-a", "--atomic_op"},
            paramLabel = "OP",
            defaultValue = "inc",
            description =
                    "Atomic operation: inc, add, and, or, xor, set, swap, fetch_inc, fetch_add, fetch_and, fetch_or, fetch_xor,"
                            + " compare_swap; inc by default.")
    private String atomic = "";

    @Option(names = "--bidir", description = "shmem_put_bw, shmem_get_bw: both PEs do it.")
    private boolean both;

    @Option(
            names = "--engine",
            paramLabel = "E",
            defaultValue = "nvshmem",
            description = "nvshmem, or host for the CPU.")
    private String engine = "";

    @Option(
            names = "--check",
            negatable = true,
            defaultValue = "true",
            fallbackValue = "true",
            description = "Do each size once more and look at what comes out; done by default.")
    private boolean check;

    @Override
    public Integer call() {
        DeviceSettings settings = BenchOptions.understood(command(), this::settings);
        boolean onGpus = BenchOptions.understood(command(), this::onGpus);
        return run(
                settings.cases().stream().anyMatch(Measured::hasSizes),
                onGpus,
                settings.cases().stream().anyMatch(each -> each.test().isOfPairs()),
                size -> DevicePerftests.check(settings, size),
                world -> measure(
                        world,
                        new Lines(
                                platform -> DeviceTable.header(platform, settings),
                                DeviceTable::columns,
                                DeviceTable::row),
                        rows -> DevicePerftests.run(world, settings, onGpus, rows),
                        (platform, rows) -> Report.json(platform, settings, Instant.now(), rows)));
    }

    private boolean onGpus() {
        return switch (engine) {
            case Ranks.NVSHMEM -> true;
            case "host" -> false;
            default -> throw new IllegalArgumentException("--engine " + engine + ": nvshmem, or host for the CPU");
        };
    }

    private DeviceSettings settings() {
        return new DeviceSettings(
                DeviceCase.of(
                        tests(DevicePerftest::named),
                        scope.equals("all") ? null : Group.named(scope),
                        both,
                        Atomic.named(atomic)),
                DeviceSettings.orUsualMin(options.min(), options.max()),
                DeviceSettings.orUsualMax(options.min(), options.max()),
                options.factor == null ? 2 : options.factor,
                options.iterations == null ? ITERATIONS : options.iterations,
                options.warmup,
                options.warmupTime(WARMUP_TIME),
                blocks,
                threads,
                PerftestTable.type(options.type("int")),
                PerftestTable.reduction(options.reduction),
                check);
    }
}
