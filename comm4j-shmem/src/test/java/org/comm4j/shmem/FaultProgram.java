// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.shmem;

import java.time.Duration;
import java.util.function.Supplier;
import org.comm4j.core.CollectiveMismatchException;
import org.comm4j.core.CommException;
import org.comm4j.core.Comparison;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.core.PgasLock;
import org.comm4j.core.RankFailedException;
import org.comm4j.core.ReduceOp;
import org.comm4j.core.SymmetricMemoryException;
import org.comm4j.core.World;

/** What the PEs of {@link EmbeddedFaultTest} and {@link NativeFaultTest} do: the first argument says what. */
final class FaultProgram {
    private static final int VICTIM = 1;

    private FaultProgram() {}

    public static void main(String[] args) throws Exception {
        try (World world = World.join()) {
            switch (args[0]) {
                case "die" -> die(world, args[1]);
                case "init" -> init(world);
                case "twice" -> twice(world);
                case "small-heap" -> smallHeap(world);
                case "null-checks" -> nullChecks(world);
                case "exit" -> globalExit(world);
                case "mismatch" -> mismatch(world);
                case "serve" -> serve(world);
                case "no-close" -> OpenShmem.init(world).barrierAll();
                default -> throw new IllegalArgumentException(args[0]);
            }
        }
    }

    /** PE 1 calls something else than the others. */
    private static void mismatch(World world) {
        try (OpenShmem shmem = OpenShmem.init(world)) {
            shmem.timeout(Duration.ofSeconds(10));
            boolean other = shmem.myPe() == VICTIM;
            Team all = shmem.world();
            SymmetricArray a = shmem.allocate(DataType.INT64, 100);
            SymmetricArray b = shmem.allocate(DataType.INT64, 100);
            refused(() -> all.reduce(a, b, other ? 5 : 4, ReduceOp.SUM));
            refused(() -> all.reduce(a, b, other ? 0 : 4, ReduceOp.SUM));
            refused(() -> all.reduce(a, b, 4, other ? ReduceOp.MAX : ReduceOp.SUM));
            refused(() -> all.reduce(other ? a.slice(4, 4) : a.slice(0, 4), b.slice(0, 4), ReduceOp.SUM));
            refused(() -> all.broadcast(a, b, other ? 1 : 0));
            refused(() -> all.fcollect(a, b, other ? 2 : 1));
            refused(() -> all.allToAllStrided(a, b, other ? 2 : 1, 1, 3));
            refused(() -> {
                if (other) {
                    shmem.barrierAll();
                } else {
                    all.sumInscan(a, b, 4);
                }
            });
            refused(() -> {
                if (other) {
                    shmem.barrierAll();
                } else {
                    SymmetricArray ignored = shmem.allocate(DataType.INT64, 1);
                }
            });
            // Nothing has moved, and the team can still be used.
            b.fill(1);
            shmem.barrierAll();
            long given = all.collect(a, b, other ? 2 : 1);
            shmem.barrierAll();
            System.out.println(given + " given, then " + a.getLong(4));
        }
    }

    private static void refused(Runnable call) {
        try {
            call.run();
            System.out.println("not refused");
        } catch (CollectiveMismatchException e) {
            System.out.println("refused: " + e.getMessage());
        }
    }

    /** One PE dies while the others are busy with it. */
    @SuppressWarnings("CatchAndPrintStackTrace") // what it says is what the test looks at
    private static void die(World world, String operation) throws InterruptedException {
        OpenShmem shmem = OpenShmem.init(world);
        SymmetricArray a = shmem.allocate(DataType.INT64, 1000);
        PgasLock lock = shmem.newLock();
        if (shmem.myPe() == VICTIM) {
            lock.lock();
        }
        shmem.barrierAll();
        if (shmem.myPe() == VICTIM) {
            Thread.sleep(300);
            Runtime.getRuntime().halt(9);
        }
        long start = System.nanoTime();
        try {
            HostArray mine = HostArray.allocate(DataType.INT64, 1000);
            long end = start + Duration.ofSeconds(20).toNanos();
            switch (operation) {
                case "wait" -> shmem.waitUntil(a, 0, Comparison.NE, 0);
                case "barrier" -> shmem.barrierAll();
                case "reduce" -> {
                    while (System.nanoTime() < end) {
                        shmem.world().reduce(a, a, ReduceOp.MAX);
                    }
                }
                case "lock" -> lock.lock();
                case "allocateAligned" -> {
                    while (System.nanoTime() < end) {
                        shmem.allocateAligned(DataType.INT8, 100, 128).close();
                    }
                }
                case "reallocate" -> {
                    SymmetricArray moved = a;
                    while (System.nanoTime() < end) {
                        moved = shmem.reallocate(moved, 1000 + moved.count() % 100);
                    }
                }
                case "put" -> {
                    while (System.nanoTime() < end && world.failedRanks().isEmpty()) {
                        shmem.put(a, mine, VICTIM);
                    }
                    // Its memory is still there; what it would have to do is not done.
                    shmem.put(a, mine, VICTIM);
                    shmem.world().sync();
                }
                default -> throw new IllegalArgumentException(operation);
            }
            System.out.println("nothing noticed");
        } catch (RankFailedException e) {
            System.out.println("told of " + e.failedRank() + ": " + e.getMessage());
        } catch (CommException e) {
            System.out.println("told otherwise: " + e);
        }
        shmem.close();
        System.out.println("survived");
    }

    private static void init(World world) {
        try (OpenShmem shmem = OpenShmem.init(world)) {
            System.out.println("made " + shmem);
        } catch (SymmetricMemoryException e) {
            System.out.println("refused: " + e.getMessage());
        }
    }

    private static void twice(World world) {
        OpenShmem first = OpenShmem.init(world);
        SymmetricArray sum = first.allocate(DataType.INT64, 1);
        try (OpenShmem second = OpenShmem.init(world)) {
            second.atomicInc(sum, 0, 0);
            second.barrierAll();
        }
        System.out.println(OpenShmem.isInitialized(world) + " sum " + first.g(sum, 0, 0));
        try {
            OpenShmem.init(world, OpenShmemOptions.defaults().heapBytes(12345));
        } catch (IllegalArgumentException e) {
            System.out.println(e.getMessage());
        }
        first.barrierAll();
        first.close();
        first.close();
        System.out.println("then " + OpenShmem.isInitialized(world));
        init(world);
    }

    private static void smallHeap(World world) {
        try (OpenShmem shmem = OpenShmem.init(world)) {
            SymmetricArray kept = shmem.allocate(DataType.INT8, 1_000_000);
            kept.fill(7);
            exhausted(() -> shmem.allocate(DataType.INT8, 5_000_000));
            exhausted(() -> shmem.allocateAligned(DataType.INT8, 5_000_000, 128));
            exhausted(() -> shmem.allocateAligned(DataType.INT8, Long.MAX_VALUE, 128));
            exhausted(() -> shmem.reallocate(kept, 5_000_000));
            if (kept.getLong(999_999) != 7) {
                throw new AssertionError("what could not be moved has changed");
            }
            for (int i = 0; i < 10; i++) {
                shmem.allocate(DataType.INT8, 1_500_000).close();
                shmem.allocateAligned(DataType.INT8, 1_500_000, 128).close();
            }
            shmem.reallocate(kept, 1_500_000).close();
            System.out.println("goes on");
            shmem.barrierAll();
        }
    }

    private static void exhausted(Supplier<SymmetricArray> allocation) {
        try {
            System.out.println("allocated " + allocation.get());
        } catch (SymmetricMemoryException e) {
            System.out.println("exhausted: " + e.getMessage());
        }
    }

    /** The virtual machine notices a null by a signal, which must be its own. */
    private static void nullChecks(World world) {
        try (OpenShmem shmem = OpenShmem.init(world)) {
            int caught = 0;
            for (int i = 0; i < 50_000; i++) {
                try {
                    caught += length(i % 1000 == 0 ? null : new int[1]) - 1;
                } catch (NullPointerException e) {
                    caught++;
                }
            }
            System.out.println("caught " + caught);
            shmem.barrierAll();
        }
    }

    @SuppressWarnings("NullAway") // that is the point
    private static int length(int[] array) {
        return array.length;
    }

    /** PE 0 waits while others work on its memory, which over some networks only its own library can do. */
    private static void serve(World world) {
        try (OpenShmem shmem = OpenShmem.init(world);
                SymmetricArray sum = shmem.allocate(DataType.INT64, 2)) {
            int rounds = 1000;
            if (shmem.myPe() != 0) {
                for (int i = 0; i < rounds; i++) {
                    long ignored = shmem.atomicFetchAdd(sum, 0, 1, 0);
                    shmem.putNbi(sum.slice(1, 1), HostArray.of(i + 1L), 0);
                    shmem.fence();
                }
                shmem.quiet();
            }
            shmem.waitUntil(sum, 0, Comparison.EQ, shmem.myPe() == 0 ? rounds * (shmem.nPes() - 1L) : 0);
            shmem.barrierAll();
            System.out.println(shmem.reaches(shmem.nPes() - 1) + " served " + shmem.g(sum, 1, 0));
        }
    }

    private static void globalExit(World world) throws InterruptedException {
        OpenShmem shmem = OpenShmem.init(world);
        shmem.barrierAll();
        if (shmem.myPe() == VICTIM) {
            shmem.globalExit(7);
        }
        Thread.sleep(20_000);
    }
}
