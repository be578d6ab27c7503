// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.cli;

import java.io.PrintWriter;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.comm4j.bench.Benchmark;
import org.comm4j.bench.GpuStation;
import org.comm4j.bench.Idle;
import org.comm4j.bench.Measured;
import org.comm4j.bench.Names;
import org.comm4j.bench.Operation;
import org.comm4j.bench.Platform;
import org.comm4j.bench.Report;
import org.comm4j.bench.Row;
import org.comm4j.bench.Settings;
import org.comm4j.bench.Sizes;
import org.comm4j.bench.Station;
import org.comm4j.bench.Table;
import org.comm4j.core.Communicator;
import org.comm4j.core.World;
import org.comm4j.core.spi.Engine;
import org.comm4j.cuda.Cuda;
import org.comm4j.nccl.CtaPolicy;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code comm4j bench}: measures the operations of an engine, with the options and the output of nccl-tests. */
@Command(
        name = "bench",
        description = {
            "Measure communication, with the options and the output of nccl-tests.",
            "OPERATION: put, get, latency, barrier, all_reduce, reduce, broadcast, all_gather, reduce_scatter,"
                    + " alltoall, alltoallv, gather, scatter, sendrecv, hypercube; several with commas between them; or"
                    + " all.",
            "Or a command: nvshmem, device, shmem (other suites), compare (two results), suite (all collectives),"
                    + " kernels, compile, peers (kernels in Java), idle (what a blocked rank costs)."
        },
        footer = {
            "",
            "By default: -b 8 -e 64M -d float; -d, -o and -r can be all; -n as many as fill --block-time,"
                    + " --warmup-time 400, a tenth of it before each size, and one rank for each processor or GPU.",
            "Options are those of nccl-tests 2.19.6, except: -p (communicators of a process are always made at the"
                    + " same time), -D and -V (kernels of nccl-tests' own instead of NCCL), -N 0 (for ever), -o mulsum,"
                    + " and the environment variables NCCL_TESTS_*: ranks are one group, and alltoallv spreads as by"
                    + " default."
        },
        sortOptions = false,
        mixinStandardHelpOptions = true)
final class BenchCommand implements Callable<Integer> {
    static final List<Class<?>> COMMANDS = List.of(
            BenchNvshmemCommand.class,
            BenchDeviceCommand.class,
            BenchShmemCommand.class,
            BenchCompareCommand.class,
            BenchSuiteCommand.class,
            BenchKernelsCommand.class,
            BenchFftCommand.class,
            BenchMatmulCommand.class,
            BenchAttentionCommand.class,
            BenchOperatorsCommand.class,
            BenchMoeCommand.class,
            BenchCompileCommand.class,
            BenchPeersCommand.class,
            IdleCommand.class);

    private static final String NCCL = "nccl";
    private static final String ALL = "all";
    private static final DateTimeFormatter TIMESTAMP = DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss");
    private static final long SMALLEST = 8;
    private static final long LARGEST = 64 << 20;

    @Spec
    private @Nullable CommandSpec spec;

    @Parameters(arity = "0..1", paramLabel = "OPERATION", description = "What to measure.")
    private @Nullable String operation;

    @Mixin
    private BenchOptions options = new BenchOptions();

    @Option(
            names = {"-i", "--stepbytes"},
            paramLabel = "SIZE",
            description = "Each size is so many bytes more than the one before.")
    private @Nullable String stepBytes;

    @Option(
            names = {"-c", "--check"},
            paramLabel = "N",
            defaultValue = "1",
            description = "Calls whose results are checked; 1 by default, 0 for none.")
    private int check;

    @Option(
            names = {"-r", "--root"},
            paramLabel = "RANK",
            defaultValue = "0",
            description = "Root, or all, or -1 for all; 0 by default.")
    private String root = "";

    @Option(
            names = {"-a", "--average"},
            paramLabel = "0..3",
            defaultValue = "1",
            description = "Time shown: 0 rank 0's, 1 the mean of all ranks (default), 2 the shortest, 3 the longest.")
    private int average;

    @Option(
            names = "--block-time",
            paramLabel = "MS",
            defaultValue = "20",
            description = "Length of a timed block in milliseconds where -n is not given; 20 by default.")
    private double blockTime;

    @Option(
            names = "--blocks",
            paramLabel = "N",
            defaultValue = "1",
            description = "Timed blocks, of which the fastest counts: more of them where others use the machine, too.")
    private int blocks;

    @Option(
            names = {"-N", "--run_cycles"},
            paramLabel = "N",
            defaultValue = "1",
            description = "How often everything is measured; 1 by default.")
    private int cycles;

    @Option(names = "--engine", paramLabel = "NAME", description = "The engine to measure; host by default.")
    private @Nullable String engine;

    @Option(names = "--checked", description = "Ranks check that they call the same operations.")
    private boolean checked;

    @Option(names = "--unregistered", description = "Buffers in private memory, which the engine has to copy.")
    private boolean unregistered;

    // ---- GPUs ----

    @Option(
            names = {"-g", "--ngpus"},
            paramLabel = "N",
            description = "GPUs of each thread, called in a group; 1 by default.")
    private @Nullable Integer gpus;

    @Option(
            names = {"-t", "--nthreads"},
            paramLabel = "N",
            description = "Threads of each process that make calls; 1 by default.")
    private @Nullable Integer threads;

    @Option(
            names = {"-R", "--local_register"},
            paramLabel = "0..2",
            description = "Buffers are registered: 0 not (default), 1 with each rank, 2 as symmetric windows.")
    private @Nullable Integer registration;

    @Option(
            names = {"-z", "--blocking"},
            paramLabel = "0..3",
            description =
                    "Whether each call is waited for before the next one: 0 no (default), 1 it is and then all ranks,"
                            + " 2 it is, 3 as 1 but only the call is timed.")
    private @Nullable Integer blocking;

    @Option(
            names = {"-G", "--cudagraph"},
            paramLabel = "N",
            description =
                    "Record -n calls (20 by default) as a graph and launch it so many times; 0 by default: no graph.")
    private @Nullable Integer graphLaunches;

    @Option(
            names = {"-m", "--agg_iters"},
            paramLabel = "N",
            description = "Calls in one group, each with memory of its own; 1 by default.")
    private @Nullable Integer aggregated;

    @Option(
            names = {"-C", "--report_cputime"},
            paramLabel = "0|1",
            description =
                    "Whether times, but not bandwidths, are those until all calls are issued, not until they are done;"
                            + " 0 by default.")
    private @Nullable Integer cpuTime;

    @Option(
            names = {"-T", "--timeout"},
            paramLabel = "S",
            description = "Seconds after which calls that are not done are given up; no limit by default.")
    private @Nullable Integer timeout;

    @Option(
            names = {"-I", "--per_iter_timing"},
            paramLabel = "0|1",
            description = "Whether each of the -n iterations (20 by default) is timed by itself, too, by events in the"
                    + " streams: i_min, i_max, i_p99 (nearest rank) and i_cv%% are of the slowest rank in each; 0"
                    + " by default.")
    private @Nullable Integer perIteration;

    @Option(
            names = {"-K", "--per_iter_skip"},
            paramLabel = "N",
            description = "Iterations that the statistics of -I leave out; 0 by default.")
    private @Nullable Integer skipped;

    @Option(
            names = {"-u", "--unalign"},
            paramLabel = "N",
            description = "Elements by which buffers are moved away from where memory begins; 0 by default.")
    private @Nullable Integer unaligned;

    @Option(
            names = {"-y", "--stream_null"},
            paramLabel = "0|1",
            description = "Whether calls go to the default stream; 0 by default.")
    private @Nullable Integer defaultStream;

    @Option(
            names = {"-x", "--cta_policy"},
            paramLabel = "0..2",
            description = "How NCCL uses multiprocessors: 0 its default, 1 efficiently, 2 none; not set by default.")
    private @Nullable Integer ctaPolicy;

    @Option(
            names = {"-M", "--memory"},
            paramLabel = "0|1",
            description = "Whether the memory taken on a GPU is told; 0 by default.")
    private @Nullable Integer memory;

    @Option(
            names = {"-S", "--report_timestamps"},
            paramLabel = "0|1",
            description = "Whether rows tell when they were measured; 0 by default.")
    private @Nullable Integer timestamps;

    @Override
    public Integer call() {
        CommandSpec command = Objects.requireNonNull(spec);
        Settings settings = settings(command);
        Engine chosen =
                BenchOptions.understood(command, () -> engine == null ? Engine.selected() : Engine.named(engine));
        options.check(
                command,
                String.valueOf(operation),
                settings.operations().stream().anyMatch(Operation::hasSizes));
        boolean onGpus = chosen.name().equals(NCCL);
        if (!onGpus && !settings.issue().equals(Settings.Issue.PLAIN)) {
            throw misunderstood(
                    "-g, -t, -R, -z, -G, -m, -C, -T, -I, -K, -u, -y, -x, -M and -S are for GPUs: --engine " + NCCL);
        }
        Engine ignored = Ranks.ready(chosen);
        if (checked) {
            // For ranks that somebody else started; ours get it from their launcher.
            System.setProperty("comm4j.checked", "1");
        }
        return Ranks.run(
                command,
                "--ranks",
                options.ranks,
                onGpus ? processes(settings) : Math.max(Runtime.getRuntime().availableProcessors(), 2),
                checked,
                (size, _) -> check(settings, size * GpuStation.gpusOfProcess(settings)),
                world -> measure(world, chosen, settings, command.commandLine().getOut()));
    }

    /** One process a GPU, unless a process was told to have several. */
    private static int processes(Settings settings) {
        return GpuStation.gpusOfProcess(settings) > 1 ? 1 : Math.max(Cuda.deviceCount(), 1);
    }

    /** What depends on the number of ranks. */
    private void check(Settings settings, int size) {
        if (settings.root() >= size) {
            throw misunderstood("-r " + root + ": there are ranks 0 to " + (size - 1));
        }
        if (!ALL.equals(operation)) {
            for (Operation each : settings.operations()) {
                String obstacle = each.obstacle(size);
                if (obstacle != null) {
                    throw misunderstood(each + " " + obstacle);
                }
            }
        }
        if (settings.operations().stream().allMatch(Operation::reduces)
                && settings.reductions().stream()
                        .noneMatch(op -> settings.types().stream().anyMatch(op::supports))) {
            throw misunderstood("-o " + words(settings.reductions()) + " is not defined for -d "
                    + words(settings.types()) + "; bitwise reductions are for integers");
        }
    }

    private static String words(List<? extends Enum<?>> values) {
        return values.stream().map(each -> each.name().toLowerCase(Locale.ROOT)).collect(Collectors.joining(","));
    }

    private int measure(World world, Engine chosen, Settings settings, PrintWriter out) {
        if (chosen.name().equals(NCCL)) {
            return GpuStation.run(world, settings, platform -> station -> measure(station, platform, settings, out));
        }
        try (Communicator comm = chosen.communicator(world)) {
            Platform platform = Platform.of(world, chosen.name());
            int code;
            try (Station station = Station.of(world, comm, settings)) {
                code = measure(station, platform, settings, out);
            }
            // Nobody leaves while others still need what is his.
            comm.barrier();
            return code;
        }
    }

    private int measure(Station station, Platform platform, Settings settings, PrintWriter out) {
        boolean prints = station.speaks();
        if (prints) {
            Table.header(platform, settings).forEach(out::println);
        }
        List<Operation> possible = new ArrayList<>();
        for (Operation each : settings.operations()) {
            String obstacle = station.obstacle(each);
            if (obstacle == null || !ALL.equals(operation)) {
                possible.add(each);
            } else if (prints) {
                out.println("#");
                out.println("# " + each + ": left out, it " + obstacle);
            }
        }
        @Nullable Measured[] shown = {null};
        Set<Table.Columns> columns = Table.columns(platform, settings);
        Settings.Details details = settings.issue().details();
        List<Row> rows = Benchmark.run(station, settings.with(possible), row -> {
            if (prints) {
                if (!row.operation().equals(shown[0])) {
                    shown[0] = row.operation();
                    Table.columns(row.operation(), columns).forEach(out::println);
                }
                out.println(Table.row(row, columns)
                        + (details.timestamps()
                                ? "  "
                                        + LocalDateTime.now(ZoneId.systemDefault())
                                                .format(TIMESTAMP)
                                : ""));
            }
        });
        long[] taken = details.memory() ? station.memory() : new long[0];
        if (prints) {
            Table.footer(rows).forEach(out::println);
            if (taken.length > 0) {
                out.println(Table.memory(taken));
            }
            options.write(platform, rows, () -> Report.json(platform, settings, Instant.now(), rows));
        }
        return Table.outOfBounds(rows) == 0 ? 0 : 1;
    }

    // ---- options ----

    private Settings settings(CommandSpec command) {
        String wanted = operation;
        if (wanted == null) {
            throw misunderstood("Missing OPERATION: one of " + Operation.names() + ", or all");
        }
        if (options.factor != null && stepBytes != null) {
            throw misunderstood("-f and -i: sizes grow by a factor or by bytes, not by both");
        }
        if (!(blockTime >= 0.01 && blockTime <= 60_000)) {
            throw misunderstood("--block-time " + blockTime + ": 0.01 to 60000 milliseconds");
        }
        return BenchOptions.understood(
                command,
                () -> new Settings(
                        wanted.equals(ALL)
                                ? List.of(Operation.values())
                                : Stream.of(wanted.split(","))
                                        .map(Operation::named)
                                        .distinct()
                                        .toList(),
                        sizes(),
                        Names.types(options.type("float")),
                        Names.reductions(options.reduction),
                        root.equals(ALL) || root.equals("-1") ? Settings.ALL_ROOTS : number("-r", root),
                        options.iterations == null ? 0 : atLeast(1, "-n", options.iterations),
                        atLeast(0, "-w", options.warmup),
                        options.warmupTime(Settings.WARMUP_TIME),
                        milliseconds(blockTime),
                        atLeast(1, "--blocks", blocks),
                        atLeast(1, "-N", cycles),
                        atLeast(0, "-c", check),
                        Settings.Average.values()[oneOf("-a", average, 0, 3)],
                        !unregistered,
                        issue()));
    }

    private static Duration milliseconds(double number) {
        return Duration.ofNanos((long) (number * 1e6));
    }

    private Settings.Issue issue() {
        return new Settings.Issue(
                oneOf("-t", threads, 1, 1024),
                oneOf("-g", gpus, 1, 1024),
                Settings.Registration.values()[oneOf("-R", registration, 0, 2)],
                Settings.Waiting.values()[oneOf("-z", blocking, 0, 3)],
                atLeast(0, "-G", graphLaunches),
                oneOf("-m", aggregated, 1, 65536),
                oneOf("-C", cpuTime, 0, 1) == 1,
                new Settings.Details(
                        Duration.ofSeconds(atLeast(0, "-T", timeout)),
                        oneOf("-I", perIteration, 0, 1) == 1,
                        atLeast(0, "-K", skipped),
                        oneOf("-u", unaligned, 0, 1 << 20),
                        oneOf("-y", defaultStream, 0, 1) == 1,
                        ctaPolicy == null ? null : CtaPolicy.values()[oneOf("-x", ctaPolicy, 0, 2)],
                        oneOf("-M", memory, 0, 1) == 1,
                        oneOf("-S", timestamps, 0, 1) == 1));
    }

    /** The value of an option, its least one if it was not given. */
    private static int oneOf(String option, @Nullable Integer value, int least, int most) {
        if (value != null && (value < least || value > most)) {
            throw new IllegalArgumentException(option + " " + value + ": a number from " + least + " to " + most);
        }
        return value == null ? least : value;
    }

    /** The same without a limit above. */
    private static int atLeast(int least, String option, @Nullable Integer value) {
        if (value != null && value < least) {
            throw new IllegalArgumentException(option + " " + value + ": at least " + least + " is needed");
        }
        return value == null ? least : value;
    }

    private List<Long> sizes() {
        // One of both alone moves the other's default.
        Long least = options.min();
        Long most = options.max();
        long min = least != null ? least : SMALLEST;
        long max = most != null ? most : Math.max(min, LARGEST);
        if (least == null) {
            min = Math.min(min, max);
        }
        long step = stepBytes == null ? 0 : Sizes.parse(stepBytes);
        if (stepBytes != null && step == 0) {
            throw new IllegalArgumentException("-i " + stepBytes + ": a step is at least 1 byte");
        }
        return Sizes.series(min, max, options.factor == null ? 2 : options.factor, step);
    }

    private static int number(String option, String text) {
        try {
            int number = Integer.parseInt(text);
            if (number >= 0) {
                return number;
            }
        } catch (NumberFormatException e) {
            // Said below.
        }
        throw new IllegalArgumentException(option + " '" + text + "' is not a rank, nor all");
    }

    private ParameterException misunderstood(String message) {
        return new ParameterException(Objects.requireNonNull(spec).commandLine(), message);
    }

    // ---- other commands ----

    /** {@code comm4j bench idle}: what a blocked rank costs. */
    @Command(
            name = "idle",
            description = "Measure how much of a processor a rank uses that is blocked in a barrier.",
            mixinStandardHelpOptions = true)
    static final class IdleCommand implements Callable<Integer> {
        @Spec
        private @Nullable CommandSpec spec;

        @Option(names = "--ranks", paramLabel = "N", defaultValue = "8", description = "Ranks; 8 by default.")
        private int ranks;

        @Option(
                names = "--seconds",
                paramLabel = "S",
                defaultValue = "1",
                description = "How long they are blocked; 1 by default.")
        private double seconds;

        @Override
        public Integer call() {
            CommandSpec command = Objects.requireNonNull(spec);
            if (ranks < 2 || !(seconds > 0 && seconds <= 3600)) {
                throw new ParameterException(
                        command.commandLine(), "idle: at least 2 ranks, and more than 0 seconds, at most 3600");
            }
            PrintWriter out = command.commandLine().getOut();
            return Ranks.run(command, "--ranks", ranks, ranks, false, (_, _) -> {}, world -> {
                try (Communicator comm = Engine.selected().communicator(world)) {
                    Idle.Share share = Idle.measure(comm, seconds);
                    if (world.rank() == 0) {
                        out.println(world.size() + " ranks, "
                                + Runtime.getRuntime().availableProcessors() + " processors, " + share);
                    }
                    comm.barrier();
                    return 0;
                }
            });
        }
    }
}
