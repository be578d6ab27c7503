// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.comm4j.bench.jacobi.GpuJacobi;
import org.comm4j.bench.jacobi.GpuRanks;
import org.comm4j.bench.jacobi.HostRanks;
import org.comm4j.bench.jacobi.Jacobi;
import org.comm4j.bench.jacobi.JacobiPicture;
import org.comm4j.bench.jacobi.JacobiProblem;
import org.comm4j.bench.jacobi.MessageRanks;
import org.comm4j.bench.jacobi.PersistentJacobi;
import org.comm4j.bench.jacobi.ShmemRanks;
import org.comm4j.bench.jacobi.Slab;
import org.comm4j.core.CommException;
import org.comm4j.core.Communicator;
import org.comm4j.core.World;
import org.comm4j.cuda.Cuda;
import org.comm4j.cuda.Device;
import org.comm4j.host.Host;
import org.comm4j.host.HostCommunicator;
import org.comm4j.mpi.Mpi;
import org.comm4j.mpi.MpiEngine;
import org.comm4j.nccl.Nccl;
import org.comm4j.nccl.NcclCommunicator;
import org.comm4j.nccl.NcclEngine;
import org.comm4j.nvshmem.Nvshmem;
import org.comm4j.nvshmem.NvshmemOptions;
import org.comm4j.shmem.OpenShmem;
import org.comm4j.shmem.OpenShmemOptions;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code comm4j jacobi}: the main job. */
@Command(
        name = "jacobi",
        description = "Solve a Laplace problem by Jacobi iterations on several ranks, and check it against one rank.",
        footer = {
            "",
            "The problem is that of NVIDIA's multi-gpu-programming-models: left and right columns hold"
                    + " sin(2 pi iy / (ny-1)), top and bottom are periodic. GB/s counts one read and one write of"
                    + " every point in every iteration, so several iterations a pass can exceed the memory's speed."
        },
        mixinStandardHelpOptions = true)
final class JacobiCommand implements Callable<Integer> {
    /** Larger grids are not solved a second time on one rank, unless asked for. */
    private static final long CHECKED_POINTS = 1L << 28;

    private static final int PRINT_EVERY = 100;

    @Mixin
    private Ranks ranks = new Ranks();

    @Option(
            names = "--nx",
            paramLabel = "N",
            defaultValue = "4096",
            description = "Columns; default: ${DEFAULT-VALUE}.")
    private int nx;

    @Option(names = "--ny", paramLabel = "N", defaultValue = "4096", description = "Rows; default: ${DEFAULT-VALUE}.")
    private int ny;

    @Option(
            names = {"--iters", "--niter"},
            paramLabel = "N",
            defaultValue = "1000",
            description = "Most iterations; default: ${DEFAULT-VALUE}.")
    private int iterations;

    @Option(
            names = "--nccheck",
            paramLabel = "N",
            defaultValue = "1",
            description = "Compute the norm of every N-th iteration; default: ${DEFAULT-VALUE}.")
    private int normEvery;

    @Option(
            names = "--tol",
            paramLabel = "X",
            defaultValue = "1e-8",
            description =
                    "Stop when the norm is at most this; default: ${DEFAULT-VALUE}. That is noticed at the end of a"
                            + " pass; on GPUs later, since many passes are under way at once; with --persistent at the end"
                            + " of a kernel, after "
                            + PersistentJacobi.LAUNCH + " iterations.")
    private double tolerance;

    @Option(
            names = "--blocking",
            paramLabel = "T",
            description = "Iterations a pass over memory, 1 to " + Slab.MAX_DEPTH
                    + "; on GPUs and with --persistent 1, 2, 4 or 8. Default: 1, on GPUs the most that each"
                    + " rank has rows for.")
    private @Nullable Integer blocking;

    @Option(
            names = "--overlap",
            description = "GPUs: compute the rows that neighbours need first; they travel during the others.")
    private boolean overlap;

    @Option(names = "--graph", description = "GPUs: record some iterations as a graph and launch that.")
    private boolean graph;

    @Option(
            names = "--persistent",
            description =
                    "Engine nvshmem: one kernel does all iterations and exchanges halo rows by itself. Engine host:"
                            + " the same kernels on processors, thread by thread; slow, for small grids.")
    private boolean persistent;

    @Option(names = "--threads", description = "GPUs, engine nccl: ranks are threads of this process.")
    private boolean threads;

    @Option(names = "--csv", description = "Print one line as NVIDIA's program does, and nothing else.")
    private boolean csv;

    @Option(names = "--png", paramLabel = "FILE", description = "Draw the solution and the convergence.")
    private @Nullable Path png;

    @Option(
            names = "--check",
            negatable = true,
            description = "Solve on one rank, too, and compare; default: up to " + CHECKED_POINTS + " points.")
    private @Nullable Boolean check;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() {
        // Wrong values are reported here, once, before any rank is started.
        JacobiProblem problem = new JacobiProblem(nx, ny);
        if (!(tolerance >= 0)) {
            throw new ParameterException(spec.commandLine(), "--tol " + tolerance + ": a norm is at least 0");
        }
        String engine = ranks.engine(spec, Ranks.SHMEM);
        if (persistent && (overlap || graph)) {
            throw new ParameterException(
                    spec.commandLine(),
                    "--persistent: there is one kernel, which computes while rows travel; --overlap and --graph are"
                            + " for many");
        }
        if (persistent && List.of(NcclEngine.NAME, Ranks.SHMEM, MpiEngine.NAME).contains(engine)) {
            throw new ParameterException(
                    spec.commandLine(),
                    "--persistent: kernels reach other GPUs with --engine " + Ranks.NVSHMEM
                            + "; host has them on processors");
        }
        if (engine.equals(NcclEngine.NAME) || engine.equals(Ranks.NVSHMEM)) {
            return callOnGpus(problem, engine);
        }
        if (overlap || graph || threads) {
            throw new ParameterException(
                    spec.commandLine(),
                    "--overlap, --graph and --threads are for GPUs: --engine " + NcclEngine.NAME + " or "
                            + Ranks.NVSHMEM);
        }
        int depth = blocking == null ? 1 : blocking;
        Jacobi jacobi = new Jacobi(problem, iterations, normEvery, tolerance, depth);
        PersistentJacobi kernels =
                persistent ? new PersistentJacobi(problem, iterations, normEvery, tolerance, depth) : null;
        OutputFile.checkPicture(spec, "--png", png);
        int usual = Math.min(
                Math.max(1, problem.rows() / Math.max(1, depth)),
                Runtime.getRuntime().availableProcessors());
        return ranks.run(spec, usual, (wanted, _) -> jacobi.check(wanted), world -> {
            if (engine.equals(MpiEngine.NAME)) {
                try (Communicator comm = Mpi.communicator(world)) {
                    HostRanks together = new MessageRanks(comm);
                    return run(together, problem, jacobi, norms -> jacobi.solve(together, norms), "", depth);
                }
            }
            OpenShmemOptions options = OpenShmemOptions.defaults();
            try (OpenShmem shmem = OpenShmem.init(
                    world, engine.equals(Ranks.SHMEM) ? options : options.engine(OpenShmemOptions.Engine.EMBEDDED))) {
                HostRanks together = new ShmemRanks(shmem, engine);
                if (kernels == null) {
                    return run(together, problem, jacobi, norms -> jacobi.solve(together, norms), "", depth);
                }
                try (HostCommunicator comm = Host.communicator(world)) {
                    return run(together, problem, jacobi, norms -> kernels.solve(comm, norms), "_persistent", depth);
                }
            }
        });
    }

    private int callOnGpus(JacobiProblem problem, String engine) {
        if (threads && engine.equals(Ranks.NVSHMEM)) {
            throw new ParameterException(
                    spec.commandLine(), "--threads: NVSHMEM has one PE a process; " + NcclEngine.NAME + " has them");
        }
        OutputFile.checkPicture(spec, "--png", png);
        int usual = Math.clamp(
                problem.rows() / (blocking == null ? 1 : Math.max(1, blocking)), 1, Math.max(1, Cuda.deviceCount()));
        Ranks.Check check = (wanted, here) -> {
            gpuJacobi(problem, wanted).check(wanted);
            if (persistent) {
                kernels(problem, wanted).check(wanted);
            }
            Ranks.checkGpus(spec, here, engine.equals(Ranks.NVSHMEM));
        };
        if (!threads) {
            return ranks.run(spec, usual, check, world -> runOnGpu(world, problem, engine));
        }
        int wanted = ranks.count(usual);
        check.accept(wanted, wanted);
        AtomicInteger code = new AtomicInteger();
        World.threads(wanted, world -> code.accumulateAndGet(runOnGpu(world, problem, engine), Math::max));
        return code.get();
    }

    private GpuJacobi gpuJacobi(JacobiProblem problem, int wanted) {
        return new GpuJacobi(problem, iterations, normEvery, tolerance, depth(problem, wanted), overlap, graph);
    }

    private PersistentJacobi kernels(JacobiProblem problem, int wanted) {
        return new PersistentJacobi(problem, iterations, normEvery, tolerance, depth(problem, wanted));
    }

    private int depth(JacobiProblem problem, int wanted) {
        return blocking == null ? GpuJacobi.bestBlocking(problem, wanted) : blocking;
    }

    private int runOnGpu(World world, JacobiProblem problem, String engine) {
        GpuJacobi jacobi = gpuJacobi(problem, world.size());
        boolean nvshmem = engine.equals(Ranks.NVSHMEM);
        try (Device device = nvshmem ? Device.inTurn(world.localRank()) : Device.of(world.localRank())) {
            if (nvshmem) {
                PersistentJacobi kernels = persistent ? kernels(problem, world.size()) : null;
                long bytes = kernels == null ? jacobi.bytes(world.size()) : kernels.bytes(world.size());
                NvshmemOptions options = NvshmemOptions.DEFAULT.symmetricSize(bytes);
                try (Nvshmem shmem = Nvshmem.init(world, device, options)) {
                    if (kernels == null) {
                        return run(world, GpuRanks.of(shmem), problem, jacobi);
                    }
                    kernels.warmUp(world, shmem);
                    return run(
                            world,
                            GpuRanks.of(shmem),
                            problem,
                            jacobi,
                            "_persistent",
                            norms -> kernels.solve(shmem, norms));
                }
            }
            try (NcclCommunicator comm = Nccl.communicator(world, device)) {
                return run(world, GpuRanks.of(comm), problem, jacobi);
            }
        }
    }

    private int run(World world, GpuRanks gpus, JacobiProblem problem, GpuJacobi jacobi) {
        jacobi.warmUp(world, gpus);
        String kind = (overlap ? "_overlap" : "") + (jacobi.recorded() ? "_graph" : "");
        return run(world, gpus, problem, jacobi, kind, norms -> jacobi.solve(world, gpus, norms));
    }

    /** @param jacobi solves on one of the ranks */
    private int run(
            World world,
            GpuRanks gpus,
            JacobiProblem problem,
            GpuJacobi jacobi,
            String kind,
            Function<Jacobi.NormListener, GpuJacobi.Result> solve) {
        boolean first = gpus.rank() == 0;
        boolean checked = check != null ? check : problem.points() <= CHECKED_POINTS;
        PrintWriter out = spec.commandLine().getOut();
        Progress progress = new Progress(out, first && !csv && Ranks.isTerminal());
        GpuJacobi.Result alone = checked ? alone(world, gpus, jacobi, progress) : null;
        head(out, progress, first, problem);
        if (first && graph && !jacobi.recorded()) {
            spec.commandLine()
                    .getErr()
                    .println("comm4j: jacobi: no graph: " + iterations + " iterations are fewer than --nccheck "
                            + normEvery);
        }
        double difference;
        float[][] samples;
        try (GpuJacobi.Result result = solve.apply(norms(out, progress))) {
            progress.clear();
            difference = checked ? GpuJacobi.difference(world, result, alone) : 0;
            samples = png == null ? null : JacobiPicture.samples(world, result);
            if (first) {
                Outcome outcome = new Outcome(
                        gpus.engine() + kind,
                        jacobi.blocking(),
                        result.iterations(),
                        result.seconds(),
                        result.norms(),
                        alone == null ? Double.NaN : alone.seconds());
                draw(problem, outcome, samples);
                report(out, gpus.size(), problem, outcome, difference);
            }
        } finally {
            if (alone != null) {
                alone.close();
            }
        }
        return difference != 0 ? 1 : 0;
    }

    /**
     * Collective: the solution on one GPU, of rank 0; null on others. These wait for it, so they hear of a failure,
     * too.
     */
    private GpuJacobi.@Nullable Result alone(World world, GpuRanks gpus, GpuJacobi jacobi, Progress progress) {
        GpuJacobi.Result alone = null;
        RuntimeException failure = null;
        if (gpus.rank() == 0) {
            try {
                alone = jacobi.solveAlone(
                        gpus.device(), (iteration, norm) -> progress.show("on one rank", iteration, iterations));
            } catch (RuntimeException e) {
                failure = e;
            }
        }
        String mine = failure == null ? "" : String.valueOf(failure.getMessage());
        byte[] told = world.exchange("jacobi.alone", mine.getBytes(StandardCharsets.UTF_8))
                .getFirst();
        if (failure != null) {
            throw failure;
        }
        if (told.length > 0) {
            throw new CommException("rank 0 cannot solve it alone: " + new String(told, StandardCharsets.UTF_8));
        }
        return alone;
    }

    /** What a solve gave, whatever the engine. */
    private record Outcome(
            String name, int blocking, int iterations, double seconds, double[] norms, double secondsAlone) {}

    /**
     * @param solve on all of the ranks
     * @param kind what comes behind the engine's name in results
     */
    private int run(
            HostRanks together,
            JacobiProblem problem,
            Jacobi jacobi,
            Function<Jacobi.NormListener, Jacobi.Result> solve,
            String kind,
            int depth) {
        boolean first = together.rank() == 0;
        boolean checked = check != null ? check : problem.points() <= CHECKED_POINTS;
        PrintWriter out = spec.commandLine().getOut();
        Progress progress = new Progress(out, first && !csv && Ranks.isTerminal());

        progress.show("compiling", 0, 1);
        jacobi.warmUp(together);
        Jacobi.Result alone = null;
        if (checked) {
            if (first) {
                alone = jacobi.solveAlone((iteration, norm) -> progress.show("on one rank", iteration, iterations));
            }
            together.barrier();
        }
        head(out, progress, first, problem);
        Jacobi.NormListener norms = norms(out, progress);
        Jacobi.Result result = solve.apply(norms);
        progress.clear();
        double difference =
                checked ? Jacobi.difference(together, result.slab(), alone == null ? null : alone.slab()) : 0;
        float[][] samples = png == null ? null : JacobiPicture.samples(together, result.slab());
        if (!first) {
            return 0;
        }
        Outcome outcome = new Outcome(
                together.engine() + kind,
                depth,
                result.iterations(),
                result.seconds(),
                result.norms(),
                alone == null ? Double.NaN : alone.seconds());
        draw(problem, outcome, samples);
        report(out, together.size(), problem, outcome, difference);
        return checked && difference != 0 ? 1 : 0;
    }

    private void head(PrintWriter out, Progress progress, boolean first, JacobiProblem problem) {
        if (first && !csv) {
            progress.clear();
            out.printf(
                    "Jacobi relaxation: %d iterations on %d x %d mesh with norm check every %d iterations%n",
                    iterations, problem.nx(), problem.ny(), normEvery);
        }
    }

    private Jacobi.NormListener norms(PrintWriter out, Progress progress) {
        return (iteration, norm) -> {
            if (!csv && iteration % PRINT_EVERY == 0) {
                progress.clear();
                out.printf(Locale.ROOT, "%5d, %.6f%n", iteration, norm);
                out.flush();
            }
            progress.show("on all ranks", iteration, iterations);
        };
    }

    private void draw(JacobiProblem problem, Outcome outcome, float @Nullable [][] samples) {
        if (png == null || samples == null) {
            return;
        }
        try {
            JacobiPicture.write(
                    png,
                    problem.nx() + " x " + problem.ny() + ", " + outcome.iterations() + " iterations",
                    samples,
                    outcome.norms(),
                    normEvery);
        } catch (IOException e) {
            throw new UncheckedIOException(e.getMessage(), e);
        }
    }

    private void report(PrintWriter out, int size, JacobiProblem problem, Outcome outcome, double difference) {
        boolean checked = !Double.isNaN(outcome.secondsAlone());
        if (csv) {
            out.printf(
                    Locale.ROOT,
                    "%s, %d, %d, %d, %d, %d, %d, %f, %f%n",
                    outcome.name(),
                    problem.nx(),
                    problem.ny(),
                    outcome.iterations(),
                    normEvery,
                    size,
                    outcome.blocking(),
                    outcome.seconds(),
                    outcome.secondsAlone());
        } else {
            double gigabytes = 8.0 * problem.points() * outcome.iterations() / outcome.seconds() * 1e-9;
            out.printf(
                    Locale.ROOT,
                    "%d ranks, %d x %d, %d iterations, %d a pass: %.3f s, %.1f GB/s; ",
                    size,
                    problem.nx(),
                    problem.ny(),
                    outcome.iterations(),
                    outcome.blocking(),
                    outcome.seconds(),
                    gigabytes);
            if (!checked) {
                out.printf(
                        "not checked against one rank (%s)%n",
                        check == null ? "more than " + CHECKED_POINTS + " points; --check does it" : "--no-check");
            } else {
                out.printf(
                        Locale.ROOT,
                        "1 rank: %.3f s, speed-up %.2f, efficiency %.1f %%; %s%n",
                        outcome.secondsAlone(),
                        outcome.secondsAlone() / outcome.seconds(),
                        100 * outcome.secondsAlone() / outcome.seconds() / size,
                        difference == 0 ? "same solution" : "DIFFERENT SOLUTION");
            }
        }
        out.flush();
        if (checked && difference != 0) {
            spec.commandLine()
                    .getErr()
                    .println("comm4j: jacobi: the solution on " + size
                            + " ranks is not that of one rank; largest difference " + difference);
        }
    }

    /** A line that says how far a solve is, on terminals only, at most ten times a second. */
    private static final class Progress {
        private static final long INTERVAL = 100_000_000;

        private final PrintWriter out;
        private final boolean shown;
        private long last = System.nanoTime() - INTERVAL;
        private boolean visible;

        Progress(PrintWriter out, boolean shown) {
            this.out = out;
            this.shown = shown;
        }

        void show(String phase, int done, int total) {
            long now = System.nanoTime();
            if (shown && now - last >= INTERVAL) {
                last = now;
                visible = true;
                out.printf("\033[K%s: %d of %d iterations, %d %%\r", phase, done, total, 100L * done / total);
                out.flush();
            }
        }

        void clear() {
            if (visible) {
                visible = false;
                out.print("\033[K\r");
                out.flush();
            }
        }
    }
}
