// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.cli;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import org.comm4j.bench.Measured;
import org.comm4j.bench.Names;
import org.comm4j.bench.Platform;
import org.comm4j.bench.Report;
import org.comm4j.bench.Row;
import org.comm4j.bench.ShmemSettings;
import org.comm4j.bench.ShmemTable;
import org.comm4j.bench.ShmemTest;
import org.comm4j.bench.ShmemTests;
import org.comm4j.core.ReduceOp;
import org.comm4j.core.World;
import org.comm4j.shmem.OpenShmem;
import org.comm4j.shmem.OpenShmemOptions;
import org.comm4j.shmem.OpenShmemOptions.Engine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** {@code comm4j bench shmem}: OSU's micro-benchmarks for OpenSHMEM. */
@Command(
        name = "shmem",
        description = {
            "Measure OpenSHMEM, with the tests, the defaults and the tables of OSU's micro-benchmarks.",
            "TEST: put, put_nb, get, get_nb, put_mr, put_mr_nb, get_mr_nb, atomics (or one of atomic_set, atomic_inc, atomic_add, atomic_fetch,"
                    + " atomic_fetch_inc, atomic_fetch_add, atomic_swap, atomic_compare_swap), barrier, broadcast, collect, fcollect,"
                    + " alltoall, reduce; several with commas between them; or all."
        },
        footer = {
            "",
            "By default: -b 1, of collectives 4, -e 1M; -n 1000 and -w 200, above 8K 100 and 10; message rates -n 500, from 8K on 50; atomics -n 500;"
                    + " -d int64, which is for atomics; collectives are of float; --warmup-time 400; --ranks 2."
        },
        sortOptions = false,
        mixinStandardHelpOptions = true)
final class BenchShmemCommand extends PerftestCommand {
    private static final Duration WARMUP_TIME = Duration.ofMillis(400);
    /** Open MPI's launcher sets it. */
    private static final String STARTED_BY_OPEN_MPI = "OMPI_COMM_WORLD_SIZE";

    @Mixin
    private ShmemEngineOption engine = new ShmemEngineOption();

    @Option(
            names = "--blocks",
            paramLabel = "N",
            defaultValue = "1",
            description = "Timed blocks of -n calls, of which the fastest counts; 1 by default.")
    private int blocks;

    @Option(
            names = "--with-barriers",
            description =
                    "Time collectives together with the barrier after each. Without it, of PEs that share processors each may count its waiting"
                            + " for the others to the barrier.")
    private boolean withBarriers;

    @Option(
            names = "--check",
            negatable = true,
            defaultValue = "true",
            fallbackValue = "true",
            description = "Do each size once more and look at what comes out; done by default.")
    private boolean check;

    @Override
    public Integer call() {
        ShmemSettings settings = BenchOptions.understood(command(), this::settings);
        OpenShmemOptions on = engine.options(command());
        if (on.engine() == Engine.NATIVE && System.getenv(STARTED_BY_OPEN_MPI) == null) {
            throw new ParameterException(
                    command().commandLine(),
                    "--engine native: oshrun starts the PEs: oshrun -n N comm4j bench shmem ..., without --ranks");
        }
        return run(
                settings.tests().stream().anyMatch(Measured::hasSizes),
                false,
                true,
                pes -> ShmemTests.check(settings, pes),
                world -> measure(world, settings, on));
    }

    private int measure(World world, ShmemSettings settings, OpenShmemOptions on) {
        return measure(
                world,
                new Lines(
                        platform -> ShmemTable.header(platform, settings),
                        ShmemTable::columns,
                        row -> ShmemTable.row(row, world.size())),
                rows -> run(world, settings, on, rows),
                (platform, rows) -> Report.json(platform, settings, Instant.now(), rows));
    }

    private static List<Row> run(
            World world, ShmemSettings settings, OpenShmemOptions on, Function<Platform, Consumer<Row>> rows) {
        try (OpenShmem shmem = OpenShmem.init(world, on)) {
            Platform platform = Platform.of(world, shmem.engine());
            return ShmemTests.run(shmem, settings, rows.apply(platform));
        }
    }

    private ShmemSettings settings() {
        Long max = options.max();
        Long min = options.min();
        if (blocks < 1 || options.iterations != null && options.iterations < 1) {
            throw new IllegalArgumentException("--blocks and -n: at least 1");
        }
        if (Names.reductions(options.reduction).size() != 1
                || !Names.reductions(options.reduction).contains(ReduceOp.SUM)) {
            throw new IllegalArgumentException(
                    "-o " + options.reduction + ": reduce measures sum, as OSU's benchmark does");
        }
        return new ShmemSettings(
                tests(ShmemTest::named),
                min,
                max == null ? Math.max(min == null ? 1 : min, ShmemSettings.USUAL_MAX) : max,
                options.factor == null ? 2 : options.factor,
                options.iterations == null ? 0 : options.iterations,
                options.warmup,
                options.warmupTime(WARMUP_TIME),
                blocks,
                Names.types(options.type("int64")).getFirst(),
                withBarriers,
                check);
    }
}
