// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.comm4j.bench.jacobi.Jacobi;
import org.comm4j.bench.jacobi.JacobiPicture;
import org.comm4j.bench.jacobi.JacobiProblem;
import org.comm4j.bench.jacobi.Slab;
import org.comm4j.host.Host;
import org.comm4j.host.HostCommunicator;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code comm4j jacobi}: the main job. */
@Command(
        name = "jacobi",
        description = "Solve a Laplace problem by Jacobi iterations on several ranks, and check it against one rank.",
        footer = {
            "",
            "The problem is that of NVIDIA's multi-gpu-programming-models: left and right columns hold",
            "sin(2 pi iy / (ny-1)), top and bottom are periodic. GB/s counts one read and one write of",
            "every point in every iteration, so several iterations a pass can exceed the memory's speed."
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
            description = "Stop when the norm is at most this; default: ${DEFAULT-VALUE}.")
    private double tolerance;

    @Option(
            names = "--blocking",
            paramLabel = "T",
            defaultValue = "1",
            description = "Iterations a pass over memory, 1 to " + Slab.MAX_DEPTH + "; default: ${DEFAULT-VALUE}.")
    private int blocking;

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
        Jacobi jacobi = new Jacobi(problem, iterations, normEvery, tolerance, blocking);
        if (png != null) {
            checkWritable(png);
        }
        return ranks.run(spec, Math.max(1, problem.rows() / blocking), wanted -> jacobi.check(wanted), world -> {
            try (HostCommunicator comm = Host.communicator(world)) {
                return run(comm, problem, jacobi);
            }
        });
    }

    private static void checkWritable(Path file) {
        Path folder = file.toAbsolutePath().getParent();
        if (Files.isDirectory(file)
                || folder == null
                || !Files.isDirectory(folder)
                || !Files.isWritable(Files.exists(file) ? file : folder)) {
            throw new IllegalArgumentException("--png " + file + ": cannot write there"
                    + (folder != null && !Files.isDirectory(folder) ? "; there is no folder " + folder : ""));
        }
    }

    private int run(HostCommunicator comm, JacobiProblem problem, Jacobi jacobi) {
        boolean first = comm.rank() == 0;
        boolean checked = check != null ? check : problem.points() <= CHECKED_POINTS;
        PrintWriter out = spec.commandLine().getOut();
        Progress progress = new Progress(out, first && !csv && Ranks.isTerminal());

        progress.show("compiling", 0, 1);
        jacobi.warmUp(comm);
        Jacobi.Result alone = null;
        if (checked) {
            if (first) {
                alone = jacobi.solveAlone((iteration, norm) -> progress.show("on one rank", iteration, iterations));
            }
            comm.barrier();
        }
        if (first && !csv) {
            progress.clear();
            out.printf(
                    "Jacobi relaxation: %d iterations on %d x %d mesh with norm check every %d iterations%n",
                    iterations, problem.nx(), problem.ny(), normEvery);
        }
        Jacobi.Result result = jacobi.solve(comm, (iteration, norm) -> {
            if (!csv && iteration % PRINT_EVERY == 0) {
                progress.clear();
                out.printf(Locale.ROOT, "%5d, %.6f%n", iteration, norm);
                out.flush();
            }
            progress.show("on all ranks", iteration, iterations);
        });
        progress.clear();
        double difference = checked ? Jacobi.difference(comm, result.slab(), alone == null ? null : alone.slab()) : 0;
        float[][] samples = png == null ? null : JacobiPicture.samples(comm, result.slab());
        if (!first) {
            return 0;
        }
        if (png != null && samples != null) {
            try {
                JacobiPicture.write(
                        png,
                        problem.nx() + " x " + problem.ny() + ", " + result.iterations() + " iterations",
                        samples,
                        result.norms(),
                        normEvery);
            } catch (IOException e) {
                throw new UncheckedIOException(e.getMessage(), e);
            }
        }
        report(out, comm.size(), problem, result, alone, difference);
        return checked && difference != 0 ? 1 : 0;
    }

    private void report(
            PrintWriter out,
            int size,
            JacobiProblem problem,
            Jacobi.Result result,
            Jacobi.@Nullable Result alone,
            double difference) {
        if (csv) {
            out.printf(
                    Locale.ROOT,
                    "host, %d, %d, %d, %d, %d, %d, %f, %f%n",
                    problem.nx(),
                    problem.ny(),
                    result.iterations(),
                    normEvery,
                    size,
                    blocking,
                    result.seconds(),
                    alone == null ? Double.NaN : alone.seconds());
        } else {
            double gigabytes = 8.0 * problem.points() * result.iterations() / result.seconds() * 1e-9;
            out.printf(
                    Locale.ROOT,
                    "%d ranks, %d x %d, %d iterations, %d a pass: %.3f s, %.1f GB/s; ",
                    size,
                    problem.nx(),
                    problem.ny(),
                    result.iterations(),
                    blocking,
                    result.seconds(),
                    gigabytes);
            if (alone == null) {
                out.printf("not checked against one rank (more than %d points; --check does it)%n", CHECKED_POINTS);
            } else {
                out.printf(
                        Locale.ROOT,
                        "1 rank: %.3f s, speed-up %.2f, efficiency %.1f %%%n",
                        alone.seconds(),
                        alone.seconds() / result.seconds(),
                        100 * alone.seconds() / result.seconds() / size);
            }
        }
        out.flush();
        if (alone != null && difference != 0) {
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
