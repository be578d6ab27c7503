// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.bench.jacobi;

import java.time.Duration;
import java.util.Arrays;
import org.comm4j.bench.jacobi.PersistentKernels.Work;
import org.comm4j.core.World;
import org.comm4j.host.HostCommunicator;
import org.comm4j.kernel.CpuOptions;
import org.comm4j.nvshmem.Nvshmem;

/**
 * Solves a {@link JacobiProblem} with communication inside of kernels: one launch on each rank does up to {@value
 * #LAUNCH} iterations, in which warps write halo rows into the neighbours' memory and wait for theirs, without the host
 * and without a barrier ({@link PersistentKernels}). On GPUs that reach each other's memory, or on processors, where
 * the same kernels run thread by thread, over the embedded engine.
 *
 * <p>Grid and norms are those of the other solvers, the grid to the last bit. The host looks at norms after each
 * launch: when one is at most the tolerance, no other launch follows.
 *
 * <p>A kernel waits for another rank's rows no longer than the engine's timeout, 60 s if it has none; then it ends, and
 * the solve fails with an exception that names the rank.
 */
public final class PersistentJacobi {
    /** The most iterations of a launch; a multiple of all blockings. */
    public static final int LAUNCH = 1000;

    private static final Duration USUAL_LIMIT = Duration.ofSeconds(60);

    private final JacobiProblem problem;
    private final int iterations;
    private final int normEvery;
    private final double tolerance;
    private final int blocking;

    /**
     * @param iterations the most iterations, at least 1
     * @param normEvery compute the norm of every so many iterations, at least 1
     * @param tolerance stop when a norm is at most this
     * @param blocking iterations a pass: 1, 2, 4 or 8, and at most the rows of the rank with the fewest
     */
    public PersistentJacobi(JacobiProblem problem, int iterations, int normEvery, double tolerance, int blocking) {
        if (iterations < 1 || normEvery < 1) {
            throw new IllegalArgumentException(
                    "jacobi: " + iterations + " iterations with a norm every " + normEvery + "; both are at least 1");
        }
        this.problem = problem;
        this.iterations = iterations;
        this.normEvery = normEvery;
        this.tolerance = tolerance;
        this.blocking = blocking;
        check(1);
    }

    /**
     * Whether so many ranks can solve this.
     *
     * @throws IllegalArgumentException if not; the message says why
     */
    public void check(int ranks) {
        if (blocking < 1 || blocking > JacobiKernels.MOST_DEPTH || Integer.bitCount(blocking) != 1) {
            throw new IllegalArgumentException(
                    "jacobi: blocking is " + blocking + ", but a kernel's pass has 1, 2, 4 or 8 iterations");
        }
        Slab.check(problem, ranks, blocking);
    }

    /** Iterations a pass. */
    public int blocking() {
        return blocking;
    }

    /** About the bytes of symmetric memory that each of so many ranks needs for a solve. */
    public long bytes(int ranks) {
        return GpuSlab.bytes(problem, blocking, ranks) + GpuPersistentRun.bytes(problem, iterations, ranks);
    }

    /** Collective: solves on all PEs, a GPU each. The listener is called on rank 0. */
    public GpuJacobi.Result solve(Nvshmem shmem, Jacobi.NormListener listener) {
        GpuSlab slab = new GpuSlab(problem, blocking, GpuRanks.of(shmem));
        try (GpuPersistentRun run = new GpuPersistentRun(shmem, slab, iterations)) {
            return solve(run, listener);
        } catch (Throwable e) {
            slab.close();
            throw e;
        }
    }

    /** Collective: the slab of {@code run} is that of the result. */
    GpuJacobi.Result solve(GpuPersistentRun run, Jacobi.NormListener listener) {
        int launch = Math.min(LAUNCH, iterations);
        for (int depth = blocking; depth >= 1; depth /= 2) {
            // The first launch of a kernel loads it.
            launch(run, depth, 0, 0, 0, 1);
        }
        // Connections are made in the first call, for so many numbers.
        run.squares(0, launch);
        Outcome outcome = solve(run, limit(run.shmem.timeout()), listener);
        return new GpuJacobi.Result(
                run.slab, outcome.grid, outcome.norms.iterations, outcome.seconds, outcome.norms.values());
    }

    /** Collective: solves on all ranks, by processors. The listener is called on rank 0. */
    public Jacobi.Result solve(HostCommunicator comm, Jacobi.NormListener listener) {
        return solve(comm, CpuOptions.fast(), listener);
    }

    Jacobi.Result solve(HostCommunicator comm, CpuOptions options, Jacobi.NormListener listener) {
        try (CpuPersistentRun run = new CpuPersistentRun(comm, problem, iterations, blocking, options)) {
            Outcome outcome = solve(run, limit(comm.shmem().timeout()), listener);
            return new Jacobi.Result(
                    run.slab(outcome.grid), outcome.norms.iterations, outcome.seconds, outcome.norms.values());
        }
    }

    /** Collective: a short solve of the same kind, in which everything is loaded. */
    public void warmUp(World world, Nvshmem shmem) {
        new PersistentJacobi(problem, Math.min(iterations, 2 * blocking), 1, -1, blocking)
                .solve(shmem, (iteration, norm) -> {})
                .close();
        world.barrier();
    }

    private static long limit(Duration timeout) {
        return (timeout.isZero() ? USUAL_LIMIT : timeout).toNanos();
    }

    /** The norms so far. */
    private static final class Norms {
        final double[] all;
        int known;
        int iterations;

        Norms(int most) {
            all = new double[most];
        }

        double[] values() {
            return Arrays.copyOf(all, known);
        }
    }

    private record Outcome(int grid, double seconds, Norms norms) {}

    private Outcome solve(PersistentRun run, long limit, Jacobi.NormListener listener) {
        Norms norms = new Norms((iterations - 1) / normEvery + 1);
        int grid = 0;
        int launches = 0;
        boolean converged = false;
        run.barrier();
        long start = System.nanoTime();
        while (norms.iterations < iterations && !converged) {
            int done = norms.iterations;
            int end = done + Math.min(LAUNCH, iterations - done);
            while (done < end) {
                int depth = Math.min(blocking, Integer.highestOneBit(end - done));
                int passes = (end - done) / depth;
                if (launches++ > 0) {
                    // Tiles of another height, or of other columns: everybody begins again.
                    check(run);
                    run.barrier();
                    run.clearProgress();
                    run.barrier();
                }
                launch(run, depth, passes, grid, done, limit);
                grid = (grid + passes) % 2;
                done += depth * passes;
            }
            check(run);
            double[] squares = run.squares(norms.iterations, end - norms.iterations);
            for (int i = Math.ceilDiv(norms.iterations, normEvery) * normEvery; i < end; i += normEvery) {
                double norm = Math.sqrt(squares[i - norms.iterations]);
                norms.all[norms.known++] = norm;
                converged |= norm <= tolerance;
                if (run.rank == 0) {
                    listener.norm(i, norm);
                }
            }
            norms.iterations = end;
        }
        run.barrier();
        return new Outcome(grid, (System.nanoTime() - start) * 1e-9, norms);
    }

    private void launch(PersistentRun run, int depth, int passes, int grid, int iteration, long limit) {
        PersistentTiles tiles = run.tiles(depth);
        run.launch(
                depth,
                tiles,
                new Work(
                        problem.nx(),
                        GpuSlab.pitch(problem),
                        blocking,
                        problem.rowsOf(run.rank, run.size),
                        problem.rowsOf(run.above(), run.size),
                        tiles.across(),
                        tiles.down(),
                        passes,
                        grid,
                        iteration,
                        normEvery,
                        limit));
    }

    private static void check(PersistentRun run) {
        int status = run.status();
        if (status != 0) {
            int missing = status == PersistentKernels.ABOVE_IS_MISSING ? run.above() : run.below();
            throw run.failure("jacobi on rank " + run.rank + " of " + run.size
                    + ": a kernel has waited for the rows of rank " + missing + " in vain");
        }
    }
}
