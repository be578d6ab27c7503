// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.function.Function;
import org.comm4j.bench.Operation;
import org.comm4j.bench.Settings.Registration;
import org.comm4j.bench.Statistic;
import org.comm4j.bench.Suite;
import org.comm4j.core.spi.Engine;
import org.comm4j.cuda.Cuda;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code comm4j bench suite}: all collectives of GPUs in all modes, beside nccl-tests where its programs are. */
@Command(
        name = "suite",
        description = {
            "Measure all collectives of GPUs in all modes, in turn with nccl-tests where its programs are, and write a table.",
            "What FOLDER has already is not measured again, so that several short runs make a long one."
        },
        sortOptions = false,
        mixinStandardHelpOptions = true)
final class BenchSuiteCommand implements Callable<Integer> {
    private static final String USUAL =
            "all_reduce,all_gather,reduce_scatter,broadcast,reduce,alltoall,sendrecv,gather,scatter";

    @Spec
    private @Nullable CommandSpec spec;

    @Parameters(
            paramLabel = "FOLDER",
            description = "Where results go: table.md, summary.json, and what the programs wrote.")
    private @Nullable Path folder;

    @Option(
            names = "--nccl-tests",
            paramLabel = "FOLDER",
            description = "The programs of nccl-tests; without it comm4j is measured alone.")
    private @Nullable Path ncclTests;

    @Option(
            names = "--mpi-nccl-tests",
            paramLabel = "FOLDER",
            description = "Those that were built with MPI, for a process a GPU; the same folder by default.")
    private @Nullable Path mpiNcclTests;

    @Option(
            names = "--launcher",
            paramLabel = "COMMAND",
            defaultValue = "",
            description =
                    "What starts the latter, such as 'mpirun -np %%n'; the number of processes comes last where there is"
                            + " no %%n. Without it that mode is measured for comm4j alone.")
    private String launcher = "";

    @Option(
            names = "--again",
            description =
                    "Measure nccl-tests once more in each round and lay it beside itself in a second table, which tells how much"
                            + " a row can tell on this machine.")
    private boolean again;

    @Option(names = "--gpus", paramLabel = "N", description = "How many GPUs are used; all by default.")
    private @Nullable Integer gpus;

    @Option(
            names = "--operations",
            paramLabel = "LIST",
            defaultValue = USUAL,
            description = "What is measured: " + USUAL + " by default.")
    private String operations = USUAL;

    @Option(
            names = "--modes",
            paramLabel = "LIST",
            defaultValue = "threads,group,processes",
            description = "Who makes the calls: threads,group,processes by default.")
    private String modes = "";

    @Option(
            names = {"-R", "--registrations"},
            paramLabel = "LIST",
            defaultValue = "0,2",
            description = "How buffers are registered, as of bench; 0,2 by default.")
    private String registrations = "";

    @Option(
            names = "--options",
            paramLabel = "WORDS",
            defaultValue = "-b 8 -e 128M -f 4 -n 50 -w 5 -N 3 -c 0",
            description = "What both programs get; '-b 8 -e 128M -f 4 -n 50 -w 5 -N 3 -c 0' by default.")
    private String options = "";

    @Option(names = "--rounds", paramLabel = "N", defaultValue = "1", description = "Runs of each; 1 by default.")
    private int rounds;

    @Option(
            names = "--of",
            paramLabel = "STATISTIC",
            defaultValue = "median",
            description =
                    "What of all runs goes into the table: median or least; median by default. Least is for machines whose"
                            + " processors are shared with others.")
    private String statistic = "";

    @Option(
            names = "--minutes",
            paramLabel = "M",
            defaultValue = "0",
            description = "Nothing is begun that would probably not end before; no limit by default.")
    private double minutes;

    @Option(
            names = "--timeout",
            paramLabel = "S",
            defaultValue = "120",
            description = "Seconds after which a program is ended and counts as failed; 120 by default.")
    private int timeout;

    @Override
    public Integer call() throws IOException {
        CommandSpec command = Objects.requireNonNull(spec);
        Suite.Plan plan = BenchOptions.understood(command, this::plan);
        String problem = Engine.named("nccl").problem();
        if (problem != null) {
            throw new IllegalStateException("engine nccl: " + problem);
        }
        PrintWriter err = command.commandLine().getErr();
        boolean succeeded = Suite.run(plan, Ranks::command, line -> {
            err.println("suite: " + line);
            err.flush();
        });
        command.commandLine().getOut().print(Files.readString(plan.out().resolve("table.md")));
        command.commandLine().getOut().flush();
        return succeeded ? 0 : 1;
    }

    private Suite.Plan plan() {
        Path out = Objects.requireNonNull(folder);
        if (Files.exists(out) && !Files.isDirectory(out)) {
            throw new IllegalArgumentException(out + " is not a folder");
        }
        if (!(minutes >= 0 && minutes < 10_000) || timeout < 1) {
            throw new IllegalArgumentException("--minutes " + minutes + ", --timeout " + timeout + ": not a time");
        }
        List<Operation> wanted = list(operations, Operation::named);
        for (Operation operation : wanted) {
            if (operation.isOneSided() || operation == Operation.BARRIER) {
                throw new IllegalArgumentException(operation + " is not what nccl-tests measures");
            }
        }
        return new Suite.Plan(
                gpus == null ? Math.max(Cuda.deviceCount(), 1) : gpus,
                wanted,
                list(modes, Suite.Mode::named),
                list(registrations, BenchSuiteCommand::registration),
                Arrays.asList(options.strip().split(" +")),
                rounds,
                Statistic.named(statistic),
                Duration.ofMillis((long) (minutes * 60_000)),
                Duration.ofSeconds(timeout),
                out,
                peer(wanted));
    }

    private Suite.@Nullable Peer peer(List<Operation> wanted) {
        Path programs = ncclTests;
        if (programs == null) {
            return null;
        }
        for (Operation operation : wanted) {
            if (!Files.isExecutable(programs.resolve(operation + "_perf"))) {
                throw new IllegalArgumentException("--nccl-tests " + programs + ": there is no program " + operation
                        + "_perf; build nccl-tests, or leave it out with --operations");
            }
        }
        return new Suite.Peer(programs, mpiNcclTests == null ? programs : mpiNcclTests, launcher, again);
    }

    private static Registration registration(String text) {
        for (Registration each : Registration.values()) {
            if (text.equals("" + each.ordinal())) {
                return each;
            }
        }
        throw new IllegalArgumentException("-R " + text + ": 0, 1 and 2 are there, with commas between them");
    }

    private static <T> List<T> list(String text, Function<String, T> reading) {
        List<T> list = new ArrayList<>();
        for (String word : text.split(",")) {
            list.add(reading.apply(word.strip()));
        }
        return list;
    }
}
