// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.bench;

import org.comm4j.core.DataType;
import org.comm4j.core.ReduceOp;
import org.comm4j.shmem.OpenShmem;
import org.comm4j.shmem.SymmetricArray;
import org.comm4j.shmem.Team;

/**
 * The loops of {@link ShmemTest}s on one PE. Each is a method with a loop of its own, as it would stand in a program.
 */
final class ShmemLoops implements AutoCloseable {
    private final OpenShmem shmem;
    private final Team world;
    private final int myPe;
    /** Which PE the one-sided tests are about; −1 for one that waits. */
    private final int partner;

    private final boolean withBarriers;

    private final SymmetricArray sourceBytes;
    private final SymmetricArray destinationBytes;
    /** Of the size that is measured. */
    private SymmetricArray source;

    private SymmetricArray destination;
    /** Of a call of the rate tests, which go through the arrays. */
    private long sizeOfEach;

    /** Collective. */
    ShmemLoops(OpenShmem shmem, long bytes, boolean withBarriers) {
        this.shmem = shmem;
        this.world = shmem.world();
        this.myPe = shmem.myPe();
        int pairs = shmem.nPes() / 2;
        this.partner = myPe < pairs ? myPe + pairs : -1;
        this.withBarriers = withBarriers;
        long rounded = (bytes + Long.BYTES - 1) / Long.BYTES * Long.BYTES;
        this.sourceBytes = shmem.allocate(DataType.UINT8, rounded);
        this.destinationBytes = shmem.allocate(DataType.UINT8, rounded);
        this.source = sourceBytes;
        this.destination = destinationBytes;
    }

    /** What stands at the source of each PE before a call, and what must stand at the destination afterwards. */
    SymmetricArray source() {
        return source;
    }

    SymmetricArray destination() {
        return destination;
    }

    /** Sets what the loops of a test are about. */
    void prepare(ShmemTest test, long size, int iterations, DataType atomicType) {
        int pes = shmem.nPes();
        switch (test.kind()) {
            case LATENCY -> {
                source = sourceBytes.slice(0, size);
                destination = destinationBytes.slice(0, size);
            }
            case RATE -> {
                source = sourceBytes.slice(0, size * iterations);
                destination = destinationBytes.slice(0, size * iterations);
                sizeOfEach = size;
            }
            case ATOMIC -> {
                long bytes = (long) iterations * atomicType.bytes();
                source = sourceBytes.slice(0, bytes).view(atomicType);
                destination = destinationBytes.slice(0, bytes).view(atomicType);
            }
            case COLLECTIVE -> {
                boolean gathers = test == ShmemTest.COLLECT || test == ShmemTest.FCOLLECT;
                long given = size * (test == ShmemTest.ALLTOALL ? pes : 1);
                source = sourceBytes.slice(0, given).view(ShmemSettings.ELEMENT);
                destination =
                        destinationBytes.slice(0, gathers ? size * pes : given).view(ShmemSettings.ELEMENT);
            }
            case BARRIER -> {
                // Moves nothing.
            }
        }
    }

    /** Whether this PE acts in the test, rather than waiting until others have done. */
    boolean acts(ShmemTest test) {
        return test.kind() == ShmemTest.Kind.LATENCY ? myPe == 0 : !test.isOneSided() || partner >= 0;
    }

    /** Collective: so many calls; the nanoseconds that they took on this PE. */
    long run(ShmemTest test, int iterations) {
        shmem.barrierAll();
        long start = System.nanoTime();
        long nanos = acts(test) ? timed(test, iterations) : 0;
        long all = System.nanoTime() - start;
        shmem.barrierAll();
        return withBarriers && test.kind() == ShmemTest.Kind.COLLECTIVE ? all : nanos;
    }

    private long timed(ShmemTest test, int iterations) {
        return switch (test) {
            case PUT -> put(iterations);
            case PUT_NB -> putNbi(iterations);
            case GET -> get(iterations);
            case GET_NB -> getNbi(iterations);
            case PUT_MR -> putRate(iterations);
            case PUT_MR_NB -> putNbiRate(iterations);
            case GET_MR_NB -> getNbiRate(iterations);
            case ATOMIC_SET -> atomicSet(iterations);
            case ATOMIC_INC -> atomicInc(iterations);
            case ATOMIC_ADD -> atomicAdd(iterations);
            case ATOMIC_FETCH -> atomicFetch(iterations);
            case ATOMIC_FETCH_INC -> atomicFetchInc(iterations);
            case ATOMIC_FETCH_ADD -> atomicFetchAdd(iterations);
            case ATOMIC_SWAP -> atomicSwap(iterations);
            case ATOMIC_COMPARE_SWAP -> atomicCompareSwap(iterations);
            case BARRIER -> barrier(iterations);
            case BROADCAST -> broadcast(iterations);
            case COLLECT -> collect(iterations);
            case FCOLLECT -> fcollect(iterations);
            case ALLTOALL -> allToAll(iterations);
            case REDUCE -> reduce(iterations);
        };
    }

    // ---- puts and gets ----

    private long put(int iterations) {
        int pe = 1;
        long start = System.nanoTime();
        for (int i = 0; i < iterations; i++) {
            shmem.put(destination, source, pe);
            shmem.quiet();
        }
        return System.nanoTime() - start;
    }

    private long putNbi(int iterations) {
        int pe = 1;
        long start = System.nanoTime();
        for (int i = 0; i < iterations; i++) {
            shmem.putNbi(destination, source, pe);
            shmem.quiet();
        }
        return System.nanoTime() - start;
    }

    private long get(int iterations) {
        int pe = 1;
        long start = System.nanoTime();
        for (int i = 0; i < iterations; i++) {
            shmem.get(destination, source, pe);
        }
        return System.nanoTime() - start;
    }

    private long getNbi(int iterations) {
        int pe = 1;
        long start = System.nanoTime();
        for (int i = 0; i < iterations; i++) {
            shmem.getNbi(destination, source, pe);
            shmem.quiet();
        }
        return System.nanoTime() - start;
    }

    private long putRate(int iterations) {
        long size = sizeOfEach;
        long start = System.nanoTime();
        for (int i = 0; i < iterations; i++) {
            shmem.put(destination, i * size, source, i * size, size, partner);
        }
        shmem.quiet();
        return System.nanoTime() - start;
    }

    private long putNbiRate(int iterations) {
        long size = sizeOfEach;
        long start = System.nanoTime();
        for (int i = 0; i < iterations; i++) {
            shmem.putNbi(destination, i * size, source, i * size, size, partner);
        }
        shmem.quiet();
        return System.nanoTime() - start;
    }

    private long getNbiRate(int iterations) {
        long size = sizeOfEach;
        long start = System.nanoTime();
        for (int i = 0; i < iterations; i++) {
            shmem.getNbi(destination, i * size, source, i * size, size, partner);
        }
        shmem.quiet();
        return System.nanoTime() - start;
    }

    // ---- atomics ----

    private long atomicSet(int iterations) {
        long start = System.nanoTime();
        for (int i = 0; i < iterations; i++) {
            shmem.atomicSet(destination, i, i, partner);
        }
        return System.nanoTime() - start;
    }

    private long atomicInc(int iterations) {
        long start = System.nanoTime();
        for (int i = 0; i < iterations; i++) {
            shmem.atomicInc(destination, i, partner);
        }
        return System.nanoTime() - start;
    }

    private long atomicAdd(int iterations) {
        long start = System.nanoTime();
        for (int i = 0; i < iterations; i++) {
            shmem.atomicAdd(destination, i, 1, partner);
        }
        return System.nanoTime() - start;
    }

    private long atomicFetch(int iterations) {
        long sum = 0;
        long start = System.nanoTime();
        for (int i = 0; i < iterations; i++) {
            sum += shmem.atomicFetch(destination, i, partner);
        }
        long nanos = System.nanoTime() - start;
        source.setLong(0, sum);
        return nanos;
    }

    private long atomicFetchInc(int iterations) {
        long sum = 0;
        long start = System.nanoTime();
        for (int i = 0; i < iterations; i++) {
            sum += shmem.atomicFetchInc(destination, i, partner);
        }
        long nanos = System.nanoTime() - start;
        source.setLong(0, sum);
        return nanos;
    }

    private long atomicFetchAdd(int iterations) {
        long sum = 0;
        long start = System.nanoTime();
        for (int i = 0; i < iterations; i++) {
            sum += shmem.atomicFetchAdd(destination, i, 1, partner);
        }
        long nanos = System.nanoTime() - start;
        source.setLong(0, sum);
        return nanos;
    }

    private long atomicSwap(int iterations) {
        long sum = 0;
        long start = System.nanoTime();
        for (int i = 0; i < iterations; i++) {
            sum += shmem.atomicSwap(destination, i, i, partner);
        }
        long nanos = System.nanoTime() - start;
        source.setLong(0, sum);
        return nanos;
    }

    private long atomicCompareSwap(int iterations) {
        long sum = 0;
        long start = System.nanoTime();
        for (int i = 0; i < iterations; i++) {
            sum += shmem.atomicCompareSwap(destination, i, 0, i + 1, partner);
        }
        long nanos = System.nanoTime() - start;
        source.setLong(0, sum);
        return nanos;
    }

    // ---- collectives ----

    private long barrier(int iterations) {
        long start = System.nanoTime();
        for (int i = 0; i < iterations; i++) {
            shmem.barrierAll();
        }
        return System.nanoTime() - start;
    }

    private long broadcast(int iterations) {
        long nanos = 0;
        for (int i = 0; i < iterations; i++) {
            long start = System.nanoTime();
            world.broadcast(destination, source, 0);
            nanos += System.nanoTime() - start;
            shmem.barrierAll();
        }
        return nanos;
    }

    private long collect(int iterations) {
        long nanos = 0;
        for (int i = 0; i < iterations; i++) {
            long start = System.nanoTime();
            long ignored = world.collect(destination, source, source.count());
            nanos += System.nanoTime() - start;
            shmem.barrierAll();
        }
        return nanos;
    }

    private long fcollect(int iterations) {
        long nanos = 0;
        for (int i = 0; i < iterations; i++) {
            long start = System.nanoTime();
            world.fcollect(destination, source);
            nanos += System.nanoTime() - start;
            shmem.barrierAll();
        }
        return nanos;
    }

    private long allToAll(int iterations) {
        long nanos = 0;
        for (int i = 0; i < iterations; i++) {
            long start = System.nanoTime();
            world.allToAll(destination, source);
            nanos += System.nanoTime() - start;
            shmem.barrierAll();
        }
        return nanos;
    }

    private long reduce(int iterations) {
        long nanos = 0;
        for (int i = 0; i < iterations; i++) {
            long start = System.nanoTime();
            world.reduce(destination, source, ReduceOp.SUM);
            nanos += System.nanoTime() - start;
            shmem.barrierAll();
        }
        return nanos;
    }

    @Override
    public void close() {
        sourceBytes.close();
        destinationBytes.close();
    }
}
