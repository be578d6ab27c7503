// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.bench.jacobi;

import java.util.Arrays;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CyclicBarrier;

/**
 * Speed of the numerical core alone, ranks being threads of this process. Arguments: ranks nx ny iterations blocking.
 * Prints one line in the format of {@code jacobi.c}: name, ranks, nx, ny, iterations, blocking, seconds, Gpoint/s,
 * first and last norm.
 */
public final class JacobiSpeed {

    private JacobiSpeed() {}

    public static void main(String[] args) throws InterruptedException {
        int ranks = Integer.parseInt(args[0]);
        JacobiProblem problem = new JacobiProblem(Integer.parseInt(args[1]), Integer.parseInt(args[2]));
        int iterations = Integer.parseInt(args[3]);
        int depth = Integer.parseInt(args[4]);

        // The same methods on a small grid first, so that the compiler is done when the clock starts.
        solve(new JacobiProblem(Math.min(problem.nx(), 2100), 32 * ranks + 2), ranks, 2000 * depth, depth);
        Result result = solve(problem, ranks, iterations, depth);
        System.out.printf(
                "java %d %d %d %d %d %.6f %.3f %.6f %.6f%n",
                ranks,
                problem.nx(),
                problem.ny(),
                iterations,
                depth,
                result.seconds,
                problem.points() * (double) iterations / result.seconds * 1e-9,
                result.norms[0],
                result.norms[iterations - 1]);
    }

    private record Result(double seconds, double[] norms) {}

    private static Result solve(JacobiProblem problem, int ranks, int iterations, int depth)
            throws InterruptedException {
        Slab[] slabs = new Slab[ranks];
        Arrays.setAll(slabs, rank -> new Slab(problem, rank, ranks, depth));
        HaloExchange[] halos = ranks == 1 ? new HaloExchange[] {new OwnHalo()} : ThreadHalo.of(slabs);
        double[][] norms = new double[ranks][iterations];
        long[] begin = new long[ranks];
        long[] end = new long[ranks];
        CyclicBarrier barrier = new CyclicBarrier(ranks);
        Thread[] threads = new Thread[ranks];
        for (int rank = 0; rank < ranks; rank++) {
            int me = rank;
            threads[rank] = Thread.ofPlatform().start(() -> {
                await(barrier);
                begin[me] = System.nanoTime();
                iterate(slabs[me], halos[me], norms[me], depth);
                end[me] = System.nanoTime();
            });
        }
        for (Thread thread : threads) {
            thread.join();
        }
        double[] total = new double[iterations];
        for (double[] some : norms) {
            for (int i = 0; i < iterations; i++) {
                total[i] += some[i];
            }
        }
        Arrays.setAll(total, i -> Math.sqrt(total[i]));
        long nanos = Arrays.stream(end).max().getAsLong()
                - Arrays.stream(begin).min().getAsLong();
        return new Result(nanos * 1e-9, total);
    }

    /** Iterates {@code squaredNorms.length} times, {@code depth} at a time. */
    static void iterate(Slab slab, HaloExchange halo, double[] squaredNorms, int depth) {
        int total = squaredNorms.length;
        slab.start(halo, Math.min(depth, total));
        for (int done = 0; done < total; ) {
            int now = Math.min(depth, total - done);
            slab.sweep(now, squaredNorms, done, halo, Math.min(depth, total - done - now));
            done += now;
        }
    }

    private static void await(CyclicBarrier barrier) {
        try {
            barrier.await();
        } catch (InterruptedException | BrokenBarrierException e) {
            throw new IllegalStateException("a rank's thread was interrupted before it began", e);
        }
    }
}
