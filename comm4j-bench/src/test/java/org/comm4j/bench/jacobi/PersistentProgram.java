// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.bench.jacobi;

import java.time.Duration;
import org.comm4j.core.CommException;
import org.comm4j.core.HostArray;
import org.comm4j.core.World;
import org.comm4j.cuda.Device;
import org.comm4j.nvshmem.Nvshmem;

/** One process of {@link GpuPersistentTest}. */
final class PersistentProgram {
    /** Columns, rows, iterations, norm every. */
    private static final int[][] CASES = {
        {3, 10, 5, 1},
        {4, 66, 40, 1},
        {121, 40, 90, 1},
        {125, 99, 45, 3},
        {200, 150, 187, 1},
        {1025, 170, 100, 1},
        {700, 531, 1003, 1},
        {5000, 2003, 17, 1}
    };

    private PersistentProgram() {}

    public static void main(String[] args) {
        try (World world = World.join();
                Device device = Device.of(world.localRank());
                Nvshmem shmem = Nvshmem.init(world, device)) {
            if (args[0].equals("death")) {
                death(world, shmem);
            } else {
                for (int[] each : CASES) {
                    JacobiProblem problem = new JacobiProblem(each[0], each[1]);
                    JacobiReference reference = new JacobiReference(problem, each[2]);
                    for (int blocking = 1; blocking <= 8; blocking *= 2) {
                        if (problem.rows() / shmem.nPes() >= blocking) {
                            solves(shmem, problem, reference, each[2], each[3], blocking);
                        }
                    }
                }
                System.out.println("all cases passed");
            }
        } catch (Throwable e) {
            // The others would wait for this one.
            e.printStackTrace();
            Runtime.getRuntime().halt(1);
        }
    }

    private static void solves(
            Nvshmem shmem,
            JacobiProblem problem,
            JacobiReference reference,
            int iterations,
            int normEvery,
            int blocking) {
        String what = problem + ", blocking " + blocking + ", PE " + shmem.myPe() + " of " + shmem.nPes();
        PersistentJacobi jacobi = new PersistentJacobi(problem, iterations, normEvery, -1, blocking);
        try (GpuJacobi.Result result = jacobi.solve(shmem, (iteration, norm) -> {})) {
            for (int i = 0; i < result.norms().length; i++) {
                double expected = Math.sqrt(reference.squaredNorms[i * normEvery]);
                double norm = result.norms()[i];
                if (!(Math.abs(norm - expected) <= 1e-5 * expected + 1e-12)) {
                    throw new AssertionError(
                            what + ": norm of iteration " + i * normEvery + " is " + norm + ", not " + expected);
                }
            }
            if (result.iterations() != iterations || result.norms().length != Math.ceilDiv(iterations, normEvery)) {
                throw new AssertionError(what + ": " + result.iterations() + " iterations");
            }
            GpuSlab slab = result.slab();
            HostArray values = slab.rows(result.grid(), 0, slab.rows()).toHost();
            for (int row = 0; row < slab.rows(); row++) {
                for (int x = 0; x < problem.nx(); x++) {
                    float expected = reference.grid[slab.firstRow() + row][x];
                    float value = values.getFloat((long) row * slab.pitch() + x);
                    if (value != expected) {
                        throw new AssertionError(
                                what + ": " + value + " in row " + row + ", column " + x + ", not " + expected);
                    }
                }
            }
        }
    }

    private static void death(World world, Nvshmem shmem) throws InterruptedException {
        shmem.timeout(Duration.ofSeconds(3));
        // Some minutes.
        PersistentJacobi jacobi = new PersistentJacobi(new JacobiProblem(4096, 4098), 4_000_000, 1, -1, 1);
        world.barrier();
        if (shmem.myPe() == shmem.nPes() - 1) {
            Thread.ofPlatform().daemon().start(() -> {
                try {
                    Thread.sleep(3000);
                } catch (InterruptedException e) {
                    throw new AssertionError(e);
                }
                Runtime.getRuntime().halt(9);
            });
        }
        try (GpuJacobi.Result result = jacobi.solve(shmem, (iteration, norm) -> {})) {
            System.out.println("ended after " + result.iterations() + " iterations");
        } catch (CommException e) {
            System.out.println("noticed: " + e.getMessage());
            System.out.flush();
            Runtime.getRuntime().halt(0);
        }
    }
}
