// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.comm4j.bench.prk.Totals;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.core.ReduceOp;
import org.comm4j.shmem.OpenShmem;

/** Runs {@link ShmemTest}s on all PEs. */
public final class ShmemTests {
    private static final int WARMUP_PARTS = 4;
    private static final int MOST_WARMUP_PARTS = 20;
    /**
     * The part of the time that each row is warmed up for: processors that have slept while the compiler was waited
     * for, and caches, are slow at first.
     */
    private static final double ROW_WARMUP = 0.01;

    /** Less than this is no more than what always goes on. */
    private static final double COMPILING_NANOS = 3e6;

    private final OpenShmem shmem;
    private final ShmemSettings settings;
    private final ShmemLoops loops;
    private final Totals totals;

    private ShmemTests(OpenShmem shmem, ShmemSettings settings, ShmemLoops loops, Totals totals) {
        this.shmem = shmem;
        this.settings = settings;
        this.loops = loops;
        this.totals = totals;
    }

    /**
     * Whether the tests can run on so many PEs.
     *
     * @throws IllegalArgumentException if not; the message says why
     */
    public static void check(ShmemSettings settings, int pes) {
        for (ShmemTest test : settings.tests()) {
            if (test.isOneSided() && pes < 2) {
                throw new IllegalArgumentException(test + " needs 2 PEs");
            }
        }
    }

    /**
     * Collective.
     *
     * @param rows gets each row, on PE 0 alone, as soon as there is one
     * @return all of them
     */
    public static List<Row> run(OpenShmem shmem, ShmemSettings settings, Consumer<Row> rows) {
        check(settings, shmem.nPes());
        List<Row> all = new ArrayList<>();
        try (ShmemLoops loops = new ShmemLoops(shmem, settings.largest(shmem.nPes()), settings.withBarriers());
                Totals totals = new Totals(shmem)) {
            ShmemTests tests = new ShmemTests(shmem, settings, loops, totals);
            for (ShmemTest test : settings.tests()) {
                tests.warmUp(test);
                for (long size : settings.sizes(test)) {
                    Row row = tests.measure(test, size);
                    if (shmem.myPe() == 0) {
                        rows.accept(row);
                    }
                    all.add(row);
                }
            }
            // Nobody frees what others still look at.
            shmem.barrierAll();
        }
        return all;
    }

    /**
     * Runs all sizes in turns, and lets the compiler come to an end after each part of the time; goes on until it had
     * nothing to do, because code is compiled anew when other sizes make it go another way.
     */
    private void warmUp(ShmemTest test) {
        long part = settings.warmupTime().toNanos() / WARMUP_PARTS;
        double compiled = 0;
        for (int i = 0; part > 0 && (i < WARMUP_PARTS || compiled > COMPILING_NANOS && i < MOST_WARMUP_PARTS); i++) {
            runAllSizes(test, part);
            compiled = totals.max((double) JvmRest.await());
        }
    }

    private void runAllSizes(ShmemTest test, long nanos) {
        List<Long> sizes = settings.sizes(test);
        long start = System.nanoTime();
        for (int i = 0; i < sizes.size() || totals.nanosSince(start) < nanos; i++) {
            long size = sizes.get(i % sizes.size());
            int iterations = settings.iterations(test, size);
            loops.prepare(test, size, iterations, settings.type());
            long ignored = loops.run(test, iterations);
        }
    }

    private Row measure(ShmemTest test, long size) {
        int iterations = settings.iterations(test, size);
        int warmup = settings.warmup(test, size);
        loops.prepare(test, size, Math.max(iterations, warmup), settings.type());
        long start = System.nanoTime();
        do {
            long ignored = loops.run(test, warmup);
        } while (totals.nanosSince(start) < settings.warmupTime().toNanos() * ROW_WARMUP);
        loops.prepare(test, size, iterations, settings.type());
        double acting = totals.sum(loops.acts(test) ? 1 : 0);
        double least = Double.POSITIVE_INFINITY;
        for (int block = 0; block < settings.blocks(); block++) {
            // The mean of those who do something.
            least = Math.min(least, totals.sum(loops.run(test, iterations) * 1e-9) / acting / iterations);
        }
        long wrong = settings.checked() ? (long) totals.sum((double) wrong(test, iterations)) : Row.UNCHECKED;
        return new Row(
                test,
                size,
                loops.source().count(),
                test.kind() == ShmemTest.Kind.ATOMIC || test.kind() == ShmemTest.Kind.COLLECTIVE
                        ? loops.source().type()
                        : DataType.UINT8,
                test.reduces() ? ReduceOp.SUM : null,
                test == ShmemTest.BROADCAST ? 0 : -1,
                Row.Timing.of(test, size, shmem.nPes(), least, wrong, null),
                null,
                Double.NaN);
    }

    // ---- whether it is right ----

    /** Elements that are not what they must be on this PE after a run. */
    private long wrong(ShmemTest test, int iterations) {
        HostArray source = loops.source();
        HostArray destination = loops.destination();
        int me = shmem.myPe();
        int pes = shmem.nPes();
        for (long i = 0; i < source.count(); i++) {
            set(source, i, given(test, me, i));
        }
        destination.segment().fill((byte) 0);
        boolean reads = test == ShmemTest.GET || test == ShmemTest.GET_NB || test == ShmemTest.GET_MR_NB;
        boolean actor = loops.acts(test);
        long ignored = loops.run(test, iterations);
        int pairs = pes / 2;
        long part = destination.count() / pes;
        return switch (test.kind()) {
            case LATENCY ->
                reads
                        ? actor ? differing(test, 1, 0, 0, destination.count()) : 0
                        : me == 1 ? differing(test, 0, 0, 0, destination.count()) : 0;
            case RATE ->
                reads
                        ? actor ? differing(test, me + pairs, 0, 0, destination.count()) : 0
                        : me >= pairs && me < 2 * pairs ? differing(test, me - pairs, 0, 0, destination.count()) : 0;
            case ATOMIC -> me >= pairs && me < 2 * pairs ? wrongAtomics(test) : actor ? wrongFetched(test) : 0;
            case BARRIER -> 0;
            case COLLECTIVE ->
                switch (test) {
                    case BROADCAST -> differing(test, 0, 0, 0, destination.count());
                    case ALLTOALL -> {
                        long wrong = 0;
                        for (int pe = 0; pe < pes; pe++) {
                            wrong += differing(test, pe, me * part, pe * part, part);
                        }
                        yield wrong;
                    }
                    case REDUCE -> wrongSums(pes);
                    default -> {
                        long wrong = 0;
                        for (int pe = 0; pe < pes; pe++) {
                            wrong += differing(test, pe, 0, pe * part, part);
                        }
                        yield wrong;
                    }
                };
        };
    }

    /**
     * What a PE has at an element of its source: small enough for a byte, and for exact sums of floating-point numbers.
     */
    private static long given(ShmemTest test, int pe, long i) {
        return test.kind() == ShmemTest.Kind.ATOMIC ? 0 : 1 + (pe * 7L + i * 3 + i / 256) % 100;
    }

    private static void set(HostArray array, long i, long value) {
        if (array.type().isFloat()) {
            array.setFloat(i, (float) value);
        } else {
            array.setLong(i, value);
        }
    }

    private static long get(HostArray array, long i) {
        return array.type().isFloat() ? (long) array.getFloat(i) : array.getLong(i);
    }

    /** How many elements from {@code at} on are not those of a PE's source from {@code from} on. */
    private long differing(ShmemTest test, int pe, long from, long at, long count) {
        long wrong = 0;
        for (long i = 0; i < count; i++) {
            wrong += get(loops.destination(), at + i) == given(test, pe, from + i) ? 0 : 1;
        }
        return wrong;
    }

    private long wrongSums(int pes) {
        long wrong = 0;
        for (long i = 0; i < loops.destination().count(); i++) {
            long sum = 0;
            for (int pe = 0; pe < pes; pe++) {
                sum += given(ShmemTest.REDUCE, pe, i);
            }
            wrong += get(loops.destination(), i) == sum ? 0 : 1;
        }
        return wrong;
    }

    private long wrongAtomics(ShmemTest test) {
        long wrong = 0;
        for (long i = 0; i < loops.destination().count(); i++) {
            long right = switch (test) {
                case ATOMIC_FETCH -> 0;
                case ATOMIC_SET, ATOMIC_SWAP -> i;
                case ATOMIC_COMPARE_SWAP -> i + 1;
                default -> 1;
            };
            wrong += loops.destination().getLong(i) == right ? 0 : 1;
        }
        return wrong;
    }

    /** What was there was nothing; the loops leave the sum of it. */
    private long wrongFetched(ShmemTest test) {
        return switch (test) {
            case ATOMIC_SET, ATOMIC_INC, ATOMIC_ADD -> 0;
            default -> loops.source().getLong(0) == 0 ? 0 : 1;
        };
    }
}
