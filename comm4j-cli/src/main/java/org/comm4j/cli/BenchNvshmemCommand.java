// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.cli;

import java.io.PrintWriter;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicReference;
import org.comm4j.bench.Measured;
import org.comm4j.bench.Perftest;
import org.comm4j.bench.PerftestCase;
import org.comm4j.bench.PerftestSettings;
import org.comm4j.bench.PerftestTable;
import org.comm4j.bench.Perftests;
import org.comm4j.bench.Platform;
import org.comm4j.bench.Report;
import org.comm4j.bench.Row;
import org.comm4j.bench.Table;
import org.comm4j.core.World;
import org.comm4j.cuda.Cuda;
import org.comm4j.nvshmem.Nvshmem;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code comm4j bench nvshmem}: NVSHMEM's host perftests. */
@Command(
        name = "nvshmem",
        description = {
            "Measure NVSHMEM, with the options, the defaults and the tables of its host perftests.",
            "TEST: bw, latency, stream_latency, alltoall_on_stream, broadcast_on_stream, fcollect_on_stream,"
                    + " reducescatter_on_stream, reduction_on_stream, barrier_on_stream, barrier_all_on_stream, sync_on_stream,"
                    + " sync_all_on_stream, malloc; and put_signal_on_stream, put_signal_ping_pong_on_stream, init, which it has"
                    + " not; several with commas between them; or all."
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
final class BenchNvshmemCommand implements Callable<Integer> {
    private static final String ALL = "all";
    private static final int ITERATIONS = 10;
    private static final Duration WARMUP_TIME = Duration.ofMillis(400);

    @Spec
    private @Nullable CommandSpec spec;

    @Parameters(paramLabel = "TEST", description = "What to measure.")
    private String test = "";

    @Mixin
    private BenchOptions options = new BenchOptions();

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
        CommandSpec command = Objects.requireNonNull(spec);
        PerftestSettings settings = BenchOptions.understood(command, this::settings);
        options.check(command, test, settings.cases().stream().anyMatch(Measured::hasSizes));
        String problem = Nvshmem.problem();
        if (problem != null) {
            throw new IllegalStateException("engine " + Ranks.NVSHMEM + ": " + problem);
        }
        boolean pairs = settings.cases().stream().allMatch(each -> each.test().isOneSided());
        return Ranks.run(
                command,
                "--ranks",
                options.ranks,
                pairs ? 2 : Math.max(Cuda.deviceCount(), 1),
                false,
                size -> BenchOptions.understood(command, () -> {
                    Perftests.check(settings, size);
                    return size;
                }),
                world -> measure(world, settings, command.commandLine().getOut()));
    }

    private PerftestSettings settings() {
        List<Perftest> tests = new ArrayList<>();
        for (String name : test.split(",")) {
            tests.addAll(Perftest.named(name));
        }
        return new PerftestSettings(
                PerftestCase.of(
                        tests,
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

    private int measure(World world, PerftestSettings settings, PrintWriter out) {
        AtomicReference<@Nullable Platform> where = new AtomicReference<>();
        AtomicReference<@Nullable Measured> shown = new AtomicReference<>();
        List<Row> rows = Perftests.run(world, settings, platform -> {
            where.set(platform);
            if (world.rank() == 0) {
                PerftestTable.header(platform, settings).forEach(out::println);
            }
            return row -> {
                Measured measured = row.operation();
                if (!measured.equals(shown.getAndSet(measured))) {
                    PerftestTable.columns(row).forEach(out::println);
                }
                out.println(PerftestTable.row(row));
                out.flush();
            };
        });
        if (world.rank() == 0) {
            PerftestTable.footer(rows).forEach(out::println);
            out.flush();
            Platform platform = Objects.requireNonNull(where.get());
            options.write(platform, rows, () -> Report.json(platform, settings, Instant.now(), rows));
        }
        return Table.outOfBounds(rows) == 0 ? 0 : 1;
    }
}
