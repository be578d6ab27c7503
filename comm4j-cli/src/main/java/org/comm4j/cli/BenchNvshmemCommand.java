// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
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
import org.comm4j.bench.Plot;
import org.comm4j.bench.Report;
import org.comm4j.bench.Row;
import org.comm4j.bench.Sizes;
import org.comm4j.bench.Table;
import org.comm4j.core.World;
import org.comm4j.cuda.Cuda;
import org.comm4j.nvshmem.Nvshmem;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
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
            "Options are those that host perftests heed, except --mmap, --egm and -m. barrier_all_on_stream and sync_all_on_stream"
                    + " make 1000 and 128 calls whatever -n says, and the latter options of stream_latency have names here. With"
                    + " NVSHMEM_MACHINE_READABLE_OUTPUT=1 each number has a line of its own."
        },
        sortOptions = false,
        mixinStandardHelpOptions = true)
final class BenchNvshmemCommand implements Callable<Integer> {
    private static final String ALL = "all";

    @Spec
    private @Nullable CommandSpec spec;

    @Parameters(paramLabel = "TEST", description = "What to measure.")
    private String test = "";

    @Option(
            names = {"-b", "--min_size"},
            paramLabel = "SIZE",
            description = "Smallest size (suffixes K, M, G); 4 by default, of stream_latency 1, of malloc 1G.")
    private @Nullable String minSize;

    @Option(
            names = {"-e", "--max_size"},
            paramLabel = "SIZE",
            description =
                    "Largest size; 4M by default, of stream_latency 128M; of malloc all sizes together, 0.4 of the memory"
                            + " of a GPU.")
    private @Nullable String maxSize;

    @Option(
            names = {"-f", "--step"},
            paramLabel = "N",
            defaultValue = "2",
            description = "Each size is so many times the one before; 2 by default.")
    private int step;

    @Option(
            names = {"-n", "--iters"},
            paramLabel = "N",
            defaultValue = "10",
            description = "Timed calls of each size; 10 by default.")
    private int iterations;

    @Option(
            names = {"-w", "--warmup_iters"},
            paramLabel = "N",
            defaultValue = "5",
            description = "Calls before them; 5 by default.")
    private int warmup;

    @Option(
            names = {"-d", "--datatype"},
            paramLabel = "TYPE",
            defaultValue = "int",
            description = "Element type of collectives; int by default.")
    private String type = "";

    @Option(
            names = {"-o", "--reduce_op"},
            paramLabel = "OP",
            defaultValue = "sum",
            description = "Reduction: min, max, sum, prod, and, or, xor; sum by default.")
    private String reduction = "";

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
            names = "--warmup-time",
            paramLabel = "MS",
            defaultValue = "400",
            description =
                    "How long calls go on before each test, until they are compiled; 400 milliseconds by default.")
    private double warmupTime;

    @Option(
            names = "--check",
            negatable = true,
            defaultValue = "true",
            fallbackValue = "true",
            description = "Call each size once more and look at what comes out; done by default.")
    private boolean check;

    @Option(
            names = "--ranks",
            paramLabel = "N",
            description = "PEs, each a process; 2 by default where all tests are of two PEs, else one for each GPU.")
    private @Nullable Integer ranks;

    @Option(
            names = {"-J", "--json"},
            paramLabel = "FILE",
            description = "Write the results to this file, too.")
    private @Nullable Path json;

    @Option(names = "--png", paramLabel = "FILE", description = "Draw the results.")
    private @Nullable Path png;

    @Override
    public Integer call() {
        CommandSpec command = Objects.requireNonNull(spec);
        PerftestSettings settings;
        try {
            settings = settings();
        } catch (IllegalArgumentException e) {
            throw new ParameterException(command.commandLine(), Objects.requireNonNullElse(e.getMessage(), "?"), e);
        }
        BenchCommand.checkWritable(command, "--json", json);
        BenchCommand.checkWritable(command, "--png", png);
        if (png != null && settings.cases().stream().noneMatch(Measured::hasSizes)) {
            throw new ParameterException(
                    command.commandLine(), "--png: there is nothing to draw, " + test + " has one size only");
        }
        if (ranks != null && ranks < 1) {
            throw new ParameterException(command.commandLine(), "--ranks " + ranks + ": at least 1 is needed");
        }
        String problem = Nvshmem.problem();
        if (problem != null) {
            throw new IllegalStateException("engine " + Ranks.NVSHMEM + ": " + problem);
        }
        boolean pairs = settings.cases().stream().allMatch(each -> each.test().isOneSided());
        return Ranks.run(
                command,
                "--ranks",
                ranks,
                pairs ? 2 : Math.max(Cuda.deviceCount(), 1),
                false,
                size -> check(command, settings, size),
                world -> measure(world, settings, command.commandLine().getOut()));
    }

    private static void check(CommandSpec command, PerftestSettings settings, int size) {
        try {
            Perftests.check(settings, size);
        } catch (IllegalArgumentException e) {
            throw new ParameterException(command.commandLine(), Objects.requireNonNullElse(e.getMessage(), "?"), e);
        }
    }

    private PerftestSettings settings() {
        List<Perftest> tests = new ArrayList<>();
        for (String name : test.split(",")) {
            tests.addAll(Perftest.named(name));
        }
        if (!(warmupTime >= 0 && warmupTime <= 60_000)) {
            throw new IllegalArgumentException("--warmup-time " + warmupTime + ": 0 to 60000 milliseconds");
        }
        return new PerftestSettings(
                PerftestCase.of(
                        tests,
                        choice("--dir", direction, "write", "read"),
                        choice("--issue", issue, "on_stream", "host"),
                        graph),
                minSize == null ? null : Sizes.parse(minSize),
                maxSize == null ? null : Sizes.parse(maxSize),
                step,
                iterations,
                warmup,
                Duration.ofNanos((long) (warmupTime * 1e6)),
                PerftestTable.type(type),
                PerftestTable.reduction(reduction),
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
            write(Objects.requireNonNull(where.get()), settings, rows);
        }
        return Table.outOfBounds(rows) == 0 ? 0 : 1;
    }

    private void write(Platform platform, PerftestSettings settings, List<Row> rows) {
        try {
            if (json != null) {
                Files.writeString(json, Report.json(platform, settings, Instant.now(), rows));
            }
            if (png != null) {
                Plot.write(png, platform, rows);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("cannot write the results: " + e, e);
        }
    }
}
