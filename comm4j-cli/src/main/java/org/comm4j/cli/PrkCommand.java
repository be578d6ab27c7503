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
import java.util.concurrent.Callable;
import org.comm4j.bench.DevicePe;
import org.comm4j.bench.Platform;
import org.comm4j.bench.Report;
import org.comm4j.bench.prk.Branch;
import org.comm4j.bench.prk.Dgemm;
import org.comm4j.bench.prk.OnGpus;
import org.comm4j.bench.prk.Pipeline;
import org.comm4j.bench.prk.Prk;
import org.comm4j.bench.prk.PrkPicture;
import org.comm4j.bench.prk.PrkTable;
import org.comm4j.bench.prk.RandomAccess;
import org.comm4j.bench.prk.Reduce;
import org.comm4j.bench.prk.Refcount;
import org.comm4j.bench.prk.ResearchKernel;
import org.comm4j.bench.prk.Sparse;
import org.comm4j.bench.prk.Stencil;
import org.comm4j.bench.prk.SynchGlobal;
import org.comm4j.bench.prk.Transpose;
import org.comm4j.bench.prk.Triad;
import org.comm4j.core.World;
import org.comm4j.cuda.Cuda;
import org.comm4j.nvshmem.Nvshmem;
import org.comm4j.shmem.OpenShmem;
import org.comm4j.shmem.OpenShmemOptions;
import org.comm4j.shmem.OpenShmemOptions.Engine;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code comm4j prk}: the Parallel Research Kernels over OpenSHMEM. */
@Command(
        name = "prk",
        description =
                "Run the Parallel Research Kernels over OpenSHMEM, with the parameters, the verification and the output of the reference's programs.",
        synopsisSubcommandLabel = "KERNEL",
        sortOptions = false,
        mixinStandardHelpOptions = true,
        subcommands = {
            PrkCommand.TransposeCommand.class,
            PrkCommand.StencilCommand.class,
            PrkCommand.PipelineCommand.class,
            PrkCommand.TriadCommand.class,
            PrkCommand.DgemmCommand.class,
            PrkCommand.RandomCommand.class,
            PrkCommand.ReduceCommand.class,
            PrkCommand.SynchGlobalCommand.class,
            PrkCommand.SparseCommand.class,
            PrkCommand.BranchCommand.class,
            PrkCommand.RefcountCommand.class,
            PrkCommand.AllCommand.class
        })
final class PrkCommand implements Runnable {
    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public void run() {
        throw new ParameterException(
                spec.commandLine(),
                "Missing KERNEL: one of " + String.join(", ", spec.subcommands().keySet()));
    }

    /** Where kernels run, and what becomes of what they measure. */
    static final class Options {
        @Option(
                names = {"-n", "--ranks"},
                paramLabel = "N",
                description = "Number of PEs; default: one for each processor.")
        private @Nullable Integer ranks;

        @Option(
                names = "--engine",
                paramLabel = "E",
                description = ShmemEngineOption.DESCRIPTION
                        + " nvshmem: on GPUs, by kernels that communicate by themselves; there are " + OnGpus.NAMES
                        + ".")
        private @Nullable String engine;

        @Option(
                names = "--warmup-time",
                paramLabel = "MS",
                defaultValue = "500",
                description =
                        "How long a run that does not count goes on before, so that loops are compiled, in milliseconds; 0: none; default: ${DEFAULT-VALUE}.")
        private int warmUp;

        @Option(
                names = {"-J", "--json"},
                paramLabel = "FILE",
                description = "Write the results to this file, too.")
        private @Nullable Path json;

        /** @param png null, or where to draw */
        int run(CommandSpec command, List<ResearchKernel> kernels, @Nullable Path png) {
            boolean onGpus = Ranks.NVSHMEM.equals(engine);
            OpenShmemOptions options = onGpus
                    ? OpenShmemOptions.defaults()
                    : ShmemEngineOption.options(command, engine, ", " + Ranks.NVSHMEM);
            OutputFile.check(command, "--json", json);
            OutputFile.checkPicture(command, "--png", png);
            if (warmUp < 0) {
                throw new ParameterException(command.commandLine(), "--warmup-time " + warmUp + ": at least 0");
            }
            if (ranks != null && ranks < 1) {
                throw new ParameterException(command.commandLine(), "-n " + ranks + ": at least 1 PE is needed");
            }
            if (onGpus) {
                return runOnGpus(command, kernels);
            }
            // A library's PEs are there already, or there is one: only the embedded engine's are started here.
            boolean starts = options.engine() != Engine.NATIVE;
            boolean single = kernels.size() == 1;
            return Ranks.run(
                    command,
                    "-n",
                    starts ? ranks : null,
                    starts ? Runtime.getRuntime().availableProcessors() : 1,
                    false,
                    (pes, _) -> {
                        if (!starts && ranks != null && ranks != pes) {
                            throw new ParameterException(
                                    command.commandLine(),
                                    "--engine native: oshrun starts the PEs: oshrun -n " + ranks
                                            + " comm4j prk ..., without -n");
                        }
                        if (single) {
                            ResearchKernel ignored =
                                    BenchOptions.understood(command, () -> checked(kernels.getFirst(), pes));
                        }
                    },
                    world -> run(command, world, options, kernels, png));
        }

        private int runOnGpus(CommandSpec command, List<ResearchKernel> kernels) {
            if (kernels.size() > 1 || !(kernels.getFirst() instanceof OnGpus kernel)) {
                throw new ParameterException(
                        command.commandLine(), "--engine nvshmem: kernels for GPUs are " + OnGpus.NAMES);
            }
            if (kernel instanceof Transpose transpose && transpose.allToAll()) {
                throw new ParameterException(
                        command.commandLine(), "--alltoall: the kernel for GPUs reads the others' memory");
            }
            String problem = Nvshmem.problem();
            if (problem != null) {
                throw new IllegalStateException("engine nvshmem: " + problem);
            }
            return Ranks.run(
                    command,
                    "-n",
                    ranks,
                    Cuda.deviceCount(),
                    false,
                    (pes, here) -> {
                        ResearchKernel ignored = BenchOptions.understood(command, () -> checked(kernel, pes));
                        Ranks.checkGpus(command, here, true);
                    },
                    world -> DevicePe.run(world, true, kernel.symmetricBytes(world.size()), (pe, platform) -> {
                        Prk.Outcome outcome = Prk.run(
                                world,
                                pe,
                                kernel,
                                platform.engine(),
                                Duration.ofMillis(warmUp),
                                command.commandLine().getOut());
                        if (world.rank() == 0) {
                            write(platform, List.of(outcome), null);
                        }
                        return outcome.isRight() ? 0 : 1;
                    }));
        }

        private static ResearchKernel checked(ResearchKernel kernel, int pes) {
            kernel.check(pes);
            return kernel;
        }

        private int run(
                CommandSpec command,
                World world,
                OpenShmemOptions options,
                List<ResearchKernel> kernels,
                @Nullable Path png) {
            PrintWriter out = command.commandLine().getOut();
            List<Prk.Outcome> outcomes = new ArrayList<>();
            PrkTable table = new PrkTable();
            Platform platform;
            boolean first = world.rank() == 0;
            try (OpenShmem shmem = OpenShmem.init(world, options)) {
                platform = Platform.of(world, shmem.options().engine().toString());
                for (ResearchKernel kernel : kernels) {
                    try {
                        kernel.check(shmem.nPes());
                    } catch (IllegalArgumentException e) {
                        // One of many: the others may be possible.
                        if (first) {
                            out.println("Left out: " + e.getMessage());
                            out.println();
                        }
                        table.leftOut(kernel, String.valueOf(e.getMessage()));
                        continue;
                    }
                    Prk.Outcome outcome = Prk.run(shmem, kernel, Duration.ofMillis(warmUp), out);
                    outcomes.add(outcome);
                    table.add(outcome);
                    if (first && kernels.size() > 1) {
                        out.println();
                    }
                }
                shmem.barrierAll();
            }
            if (first) {
                if (kernels.size() > 1) {
                    table.print(out);
                }
                write(platform, outcomes, png);
            }
            return outcomes.stream().allMatch(Prk.Outcome::isRight) ? 0 : 1;
        }

        private void write(Platform platform, List<Prk.Outcome> outcomes, @Nullable Path png) {
            try {
                if (json != null) {
                    Files.writeString(json, Report.kernels(platform, Instant.now(), outcomes));
                }
                if (png != null) {
                    String where = platform.ranks() + (platform.ranks() == 1 ? " PE" : " PEs") + ", engine "
                            + platform.engine() + ", " + platform.cpu();
                    PrkPicture.write(png, where, outcomes);
                }
            } catch (IOException e) {
                throw new UncheckedIOException("cannot write the results: " + e, e);
            }
        }
    }

    /** What the commands of single kernels have in common. */
    abstract static class KernelCommand implements Callable<Integer> {
        @Mixin
        private Options options = new Options();

        @Spec
        private CommandSpec spec = CommandSpec.create();

        /** @throws IllegalArgumentException if parameters are wrong */
        abstract ResearchKernel kernel();

        @Override
        public final Integer call() {
            return options.run(spec, List.of(BenchOptions.understood(spec, this::kernel)), null);
        }
    }

    @Command(
            name = "transpose",
            description = "B += A^T, then A += 1: every PE sends a block to every other one.",
            sortOptions = false,
            mixinStandardHelpOptions = true)
    static final class TransposeCommand extends KernelCommand {
        @Parameters(index = "0", arity = "0..1", paramLabel = "ITERATIONS", defaultValue = "100")
        private int iterations;

        @Parameters(index = "1", arity = "0..1", paramLabel = "ORDER", defaultValue = "1024")
        private int order;

        @Parameters(
                index = "2",
                arity = "0..1",
                paramLabel = "TILE",
                defaultValue = "32",
                description = "Tile of the local transpose; 0: none.")
        private int tile;

        @Option(names = "--alltoall", description = "All blocks in one all-to-all, instead of puts with flags.")
        private boolean allToAll;

        @Override
        ResearchKernel kernel() {
            return new Transpose(iterations, order, tile, allToAll);
        }
    }

    @Command(
            name = "stencil",
            description = "A star-shaped stencil on a square grid in tiles: PEs exchange halos.",
            sortOptions = false,
            mixinStandardHelpOptions = true)
    static final class StencilCommand extends KernelCommand {
        @Parameters(index = "0", arity = "0..1", paramLabel = "ITERATIONS", defaultValue = "100")
        private int iterations;

        @Parameters(index = "1", arity = "0..1", paramLabel = "SIZE", defaultValue = "1000")
        private int size;

        @Option(
                names = "--radius",
                paramLabel = "R",
                defaultValue = "2",
                description = "Points on each side; default: ${DEFAULT-VALUE}.")
        private int radius;

        @Override
        ResearchKernel kernel() {
            return new Stencil(iterations, size, radius);
        }
    }

    @Command(
            name = "p2p",
            description = "A wave front through a grid: each PE hands single values to the next one.",
            sortOptions = false,
            mixinStandardHelpOptions = true)
    static final class PipelineCommand extends KernelCommand {
        @Parameters(index = "0", arity = "0..1", paramLabel = "ITERATIONS", defaultValue = "100")
        private int iterations;

        @Parameters(index = "1", arity = "0..1", paramLabel = "M", defaultValue = "1024")
        private int m;

        @Parameters(index = "2", arity = "0..1", paramLabel = "N", defaultValue = "1024")
        private int n;

        @Parameters(
                index = "3",
                arity = "0..1",
                paramLabel = "GROUP",
                defaultValue = "1",
                description = "Lines that are handed over together; the reference calls more than 1 cheating.")
        private int group;

        @Override
        ResearchKernel kernel() {
            return new Pipeline(iterations, m, n, group);
        }
    }

    @Command(
            name = "nstream",
            description = "a += b + 3 c: the bandwidth of memory.",
            sortOptions = false,
            mixinStandardHelpOptions = true)
    static final class TriadCommand extends KernelCommand {
        @Parameters(index = "0", arity = "0..1", paramLabel = "ITERATIONS", defaultValue = "20")
        private int iterations;

        @Parameters(index = "1", arity = "0..1", paramLabel = "LENGTH", defaultValue = "16777216")
        private long length;

        @Parameters(index = "2", arity = "0..1", paramLabel = "OFFSET", defaultValue = "0")
        private int offset;

        @Override
        ResearchKernel kernel() {
            return new Triad(iterations, length, offset);
        }
    }

    @Command(
            name = "dgemm",
            description = "C += A B of dense matrices in blocks: PEs get panels from each other.",
            sortOptions = false,
            mixinStandardHelpOptions = true)
    static final class DgemmCommand extends KernelCommand {
        @Parameters(index = "0", arity = "0..1", paramLabel = "ITERATIONS", defaultValue = "10")
        private int iterations;

        @Parameters(index = "1", arity = "0..1", paramLabel = "ORDER", defaultValue = "1024")
        private int order;

        @Parameters(
                index = "2",
                arity = "0..1",
                paramLabel = "BLOCK",
                defaultValue = "64",
                description = "Columns of a panel; 0: as many as there are.")
        private int block;

        @Override
        ResearchKernel kernel() {
            return new Dgemm(iterations, order, block);
        }
    }

    @Command(
            name = "random",
            description = "Updates of a table in places that nobody foresees; needs a power of two of PEs.",
            sortOptions = false,
            mixinStandardHelpOptions = true)
    static final class RandomCommand extends KernelCommand {
        @Parameters(index = "0", arity = "0..1", paramLabel = "RATIO", defaultValue = "16")
        private int ratio;

        @Parameters(index = "1", arity = "0..1", paramLabel = "LOG2_SIZE", defaultValue = "20")
        private int logSize;

        @Option(
                names = "--lookahead",
                paramLabel = "N",
                defaultValue = "1024",
                description = "Numbers that a PE makes before it sends them; default: ${DEFAULT-VALUE}.")
        private int lookahead;

        @Override
        ResearchKernel kernel() {
            return new RandomAccess(ratio, logSize, lookahead);
        }
    }

    @Command(
            name = "reduce",
            description = "The sum of all PEs' vectors.",
            sortOptions = false,
            mixinStandardHelpOptions = true)
    static final class ReduceCommand extends KernelCommand {
        @Parameters(index = "0", arity = "0..1", paramLabel = "ITERATIONS", defaultValue = "100")
        private int iterations;

        @Parameters(index = "1", arity = "0..1", paramLabel = "LENGTH", defaultValue = "1048576")
        private int length;

        @Override
        ResearchKernel kernel() {
            return new Reduce(iterations, length);
        }
    }

    @Command(
            name = "synch_global",
            description = "Strings of digits that all PEs exchange and shuffle: the time of a global synchronisation.",
            sortOptions = false,
            mixinStandardHelpOptions = true)
    static final class SynchGlobalCommand extends KernelCommand {
        @Parameters(index = "0", arity = "0..1", paramLabel = "ITERATIONS", defaultValue = "100000")
        private int iterations;

        @Parameters(index = "1", arity = "0..1", paramLabel = "LENGTH", defaultValue = "1680")
        private int length;

        @Override
        ResearchKernel kernel() {
            return new SynchGlobal(iterations, length);
        }
    }

    @Command(
            name = "sparse",
            description = "A sparse matrix times a vector that all PEs collect.",
            sortOptions = false,
            mixinStandardHelpOptions = true)
    static final class SparseCommand extends KernelCommand {
        @Parameters(index = "0", arity = "0..1", paramLabel = "ITERATIONS", defaultValue = "20")
        private int iterations;

        @Parameters(index = "1", arity = "0..1", paramLabel = "LOG2_GRID", defaultValue = "9")
        private int logGrid;

        @Parameters(index = "2", arity = "0..1", paramLabel = "RADIUS", defaultValue = "4")
        private int radius;

        @Override
        ResearchKernel kernel() {
            return new Sparse(iterations, logGrid, radius);
        }
    }

    @Command(
            name = "branch",
            description = "Loops with a branch, and the same without.",
            sortOptions = false,
            mixinStandardHelpOptions = true)
    static final class BranchCommand extends KernelCommand {
        @Parameters(index = "0", arity = "0..1", paramLabel = "ITERATIONS", defaultValue = "2000")
        private int iterations;

        @Parameters(index = "1", arity = "0..1", paramLabel = "LENGTH", defaultValue = "100000")
        private int length;

        @Parameters(
                index = "2",
                arity = "0..1",
                paramLabel = "TYPE",
                defaultValue = "vector_go",
                description = "vector_go, vector_stop, no_vector or ins_heavy.")
        private String type = "";

        @Override
        ResearchKernel kernel() {
            return new Branch(iterations, length, Branch.Kind.named(type));
        }
    }

    @Command(
            name = "refcount",
            description = "A pair of counters that all PEs update, one at a time.",
            sortOptions = false,
            mixinStandardHelpOptions = true)
    static final class RefcountCommand extends KernelCommand {
        @Parameters(index = "0", arity = "0..1", paramLabel = "UPDATES", defaultValue = "1000000")
        private long updates;

        @Parameters(
                index = "1",
                arity = "0..1",
                paramLabel = "STREAM",
                defaultValue = "0",
                description = "Length of the vectors of the private work between updates.")
        private int stream;

        @Option(
                names = "--dependent",
                description = "An update turns the pair by one radian instead of adding 1 to both.")
        private boolean dependent;

        @Option(names = "--uncontended", description = "Each PE has a pair of its own, and makes all the updates.")
        private boolean uncontended;

        @Option(
                names = "--mutex",
                paramLabel = "M",
                defaultValue = "spin",
                description =
                        "spin: a lock that whoever finds it free takes, as OpenMP's; lock: OpenSHMEM's, which goes round; atomic: atomic additions instead; none; default: ${DEFAULT-VALUE}.")
        private String mutex = "";

        @Override
        ResearchKernel kernel() {
            return new Refcount(updates, stream, dependent, !uncontended, Refcount.Mutex.named(mutex));
        }
    }

    @Command(
            name = "all",
            description = "All kernels with their usual parameters; those that cannot run on so many PEs are left out.",
            sortOptions = false,
            mixinStandardHelpOptions = true)
    static final class AllCommand implements Callable<Integer> {
        @Mixin
        private Options options = new Options();

        @Option(names = "--png", paramLabel = "FILE", description = "Draw the rates.")
        private @Nullable Path png;

        @Spec
        private CommandSpec spec = CommandSpec.create();

        @Override
        public Integer call() {
            List<ResearchKernel> kernels = new ArrayList<>();
            spec.parent().subcommands().forEach((name, command) -> {
                if (command.getCommandSpec().userObject() instanceof KernelCommand each) {
                    // Parsing nothing gives each parameter its default.
                    command.parseArgs();
                    kernels.add(each.kernel());
                }
            });
            return options.run(spec, kernels, png);
        }
    }
}
