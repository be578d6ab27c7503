// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.cli;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.comm4j.bench.Measured;
import org.comm4j.bench.Perftest;
import org.comm4j.bench.PerftestCase;
import org.comm4j.bench.PerftestSettings;
import org.comm4j.bench.PerftestTable;
import org.comm4j.bench.Perftests;
import org.comm4j.bench.Report;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code comm4j bench nvshmem}: NVSHMEM's host perftests. */
@Command(
        name = "nvshmem",
        description = {
            "Measure NVSHMEM, with the options, the defaults and the tables of its host perftests.",
            "TEST: bw, latency, stream_latency, alltoall_on_stream, broadcast_on_stream, fcollect_on_stream,"
                    + " reducescatter_on_stream, reduction_on_stream, barrier_on_stream, barrier_all_on_stream, sync_on_stream,"
                    + " sync_all_on_stream, malloc; and what NVSHMEM does not have: put_signal_on_stream,"
                    + " put_signal_ping_pong_on_stream, init; several with commas between them; or all."
        },
        footer = {
            "",
            "By default: -b 4 -e 4M, of stream_latency -b 1 -e 128M, of malloc from 1G on all sizes together 0.4 of the memory of a GPU; -n 10 -d int"
                    + " --warmup-time 400, and 2 PEs where all tests are of two, else one for each GPU. -o is min, max, sum, prod, and, or or xor.",
            "Options are those that host perftests heed, except --mmap, --egm and -m. barrier_all_on_stream and sync_all_on_stream"
                    + " make 1000 and 128 calls whatever -n says, and the latter options of stream_latency have names here. With"
                    + " NVSHMEM_MACHINE_READABLE_OUTPUT=1 each number has a line of its own."
        },
        sortOptions = false,
        mixinStandardHelpOptions = true)
final class BenchNvshmemCommand extends PerftestCommand {
    private static final String ALL = "all";
    private static final int ITERATIONS = 10;
    private static final Duration WARMUP_TIME = Duration.ofMillis(400);

    @Option(
            names = "--dir",
            paramLabel = "D",
            defaultValue = "write",
            description = "bw, latency, stream_latency: write, which is put, by default; read, which is get; or all.")
    private String direction = "";

    @Option(
            names = "--issue",
            paramLabel = "I",
            defaultValue = "on_stream",
            description = "bw, latency: on_stream by default; host; or all.")
    private String issue = "";

    @Option(names = "--cudagraph", description = "Collectives: record all calls of a size as a graph and launch that.")
    private boolean graph;

    @Option(
            names = "--blocks",
            paramLabel = "N",
            defaultValue = "1",
            description = "stream_latency: blocks of the kernel between the calls; 1 by default.")
    private int blocks;

    @Option(
            names = "--threads",
            paramLabel = "N",
            defaultValue = "32",
            description = "stream_latency: threads of each of them; 32 by default.")
    private int threads;

    @Option(
            names = "--cycles",
            paramLabel = "N",
            defaultValue = "1",
            description = "stream_latency: clock cycles that it takes at least; 1 by default.")
    private long cycles;

    @Option(
            names = "--check",
            negatable = true,
            defaultValue = "true",
            fallbackValue = "true",
            description = "Call each size once more and look at what comes out; done by default.")
    private boolean check;

    @Override
    public Integer call() {
        PerftestSettings settings = BenchOptions.understood(command(), this::settings);
        return run(
                settings.cases().stream().anyMatch(Measured::hasSizes),
                true,
                settings.cases().stream().allMatch(each -> each.test().isOneSided()),
                size -> Perftests.check(settings, size),
                world -> measure(
                        world,
                        new Lines(
                                platform -> PerftestTable.header(platform, settings),
                                PerftestTable::columns,
                                PerftestTable::row),
                        rows -> Perftests.run(world, settings, rows),
                        (platform, rows) -> Report.json(platform, settings, Instant.now(), rows)));
    }

    private PerftestSettings settings() {
        return new PerftestSettings(
                PerftestCase.of(
                        tests(Perftest::named),
                        choice("--dir", direction, "write", "read"),
                        choice("--issue", issue, "on_stream", "host"),
                        graph),
                options.min(),
                options.max(),
                options.factor == null ? 2 : options.factor,
                options.iterations == null ? ITERATIONS : options.iterations,
                options.warmup,
                options.warmupTime(WARMUP_TIME),
                PerftestTable.type(options.type("int")),
                PerftestTable.reduction(options.reduction),
                check,
                new PerftestSettings.Busy(blocks, threads, cycles));
    }

    /** False for the first of two words, true for the second one. */
    private static List<Boolean> choice(String option, String word, String first, String second) {
        if (word.equals(ALL)) {
            return List.of(false, true);
        }
        if (word.equals(first) || word.equals(second)) {
            return List.of(word.equals(second));
        }
        throw new IllegalArgumentException(option + " '" + word + "': " + first + ", " + second + " or " + ALL);
    }
}
