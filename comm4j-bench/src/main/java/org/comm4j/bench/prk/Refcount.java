// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.bench.prk;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import org.comm4j.core.DataType;
import org.comm4j.core.PgasLock;
import org.comm4j.shmem.OpenShmem;
import org.comm4j.shmem.SymmetricArray;
import org.jspecify.annotations.Nullable;

/**
 * All PEs update one pair of counters, each under a lock or by atomic additions, with private work between. Dependent updates turn the pair by one radian, others add 1 to both.
 *
 * @param updates of all PEs
 * @param stream length of the vectors of the private work; 0: none
 * @param atomic additions instead of a lock, which only independent updates can be
 */
public record Refcount(long updates, int stream, boolean dependent, boolean atomic) implements ResearchKernel {
    /** Updates in a pass. */
    private static final int BATCH = 64;

    private static final double EPSILON = 1e-7;

    public Refcount {
        Checks.atLeast("refcount", "the number of counter pair updates", updates, 1);
        Checks.atLeast("refcount", "the length of the private stream", stream, 0);
        if (dependent && atomic) {
            throw new IllegalArgumentException(
                    "refcount: dependent updates change both counters at once, which atomic additions cannot do; use a lock");
        }
    }

    @Override
    public String name() {
        return "refcount";
    }

    @Override
    public String title() {
        return "exclusive access test RefCount, shared counters";
    }

    @Override
    public Map<String, Object> parameters(int pes) {
        Map<String, Object> all = new LinkedHashMap<>();
        all.put("Number of counter pair updates", updates);
        all.put("Length of private stream", stream);
        all.put("Counter access", "contended");
        all.put("Counter pair update type", dependent ? "dependent" : "independent");
        all.put("Counter data type", atomic ? "integer" : "floating point");
        all.put("Mutex type", atomic ? "atomic" : "lock");
        return all;
    }

    /** Each PE makes one update before the clock is started; one more than asked for are made in all. */
    private Parts timed(int pes) {
        return new Parts(updates + 1 - pes, pes);
    }

    @Override
    public void check(int pes) {
        if (updates <= pes) {
            throw new IllegalArgumentException("refcount: " + updates + " updates are too few for " + pes
                    + " PEs, of which each makes one that is not timed; use more updates");
        }
        if (timed(pes).largest() / BATCH > Checks.LARGEST - 2) {
            throw new IllegalArgumentException("refcount: " + updates + " updates are too many; use fewer");
        }
    }

    @Override
    public int[] marks() {
        // On one PE most batches; those that a PE has no part in are empty.
        return new int[] {1, (int) Math.ceilDiv(updates, (long) BATCH) + 1};
    }

    @Override
    public Rate[] rates(int pes, double[] seconds) {
        return new Rate[] {
            new Rate("MCPUPs/s", 1e-6 * (updates - pes) / seconds[0], seconds[0], "Rate (MCPUPs/s): %f time (s): %f")
        };
    }

    @Override
    public Trial prepare(OpenShmem shmem, Totals totals) {
        return new Run(this, shmem, totals);
    }

    private static final class Run implements Trial {
        /** From one counter to the other, which thus are on different pages. */
        private static final int PAGE = 4096 / Double.BYTES;

        private final Refcount kernel;
        private final OpenShmem shmem;
        private final Totals totals;
        private final long timed;
        private final double cosine = Math.cos(1);
        private final double sine = Math.sin(1);
        private final double[] a;
        private final double[] b;
        private final double[] c;
        private final SymmetricArray counters;
        private final PgasLock lock;

        Run(Refcount kernel, OpenShmem shmem, Totals totals) {
            this.kernel = kernel;
            this.shmem = shmem;
            this.totals = totals;
            this.timed = kernel.timed(shmem.nPes()).size(shmem.myPe());
            this.a = new double[kernel.stream];
            this.b = new double[kernel.stream];
            this.c = new double[kernel.stream];
            Arrays.fill(b, 2);
            Arrays.fill(c, 2);
            this.counters = shmem.allocate(kernel.atomic ? DataType.INT64 : DataType.FLOAT64, PAGE + 1);
            this.lock = shmem.newLock();
            if (kernel.atomic) {
                counters.setLong(0, 1);
            } else {
                counters.setDouble(0, 1);
            }
            shmem.barrierAll();
        }

        @Override
        public void pass(int number) {
            if (number == 0) {
                update();
                Triad.triad(a, b, c, a.length);
                return;
            }
            long begin = (number - 1L) * BATCH;
            long end = Math.min(timed, begin + BATCH);
            for (long i = begin; i < end; i++) {
                update();
                Triad.triad(a, b, c, a.length);
            }
        }

        private void update() {
            if (kernel.atomic) {
                shmem.atomicInc(counters, 0, 0);
                shmem.atomicInc(counters, PAGE, 0);
                return;
            }
            lock.lock();
            double one = shmem.gDouble(counters, 0, 0);
            double two = shmem.gDouble(counters, PAGE, 0);
            if (kernel.dependent) {
                shmem.p(counters, 0, cosine * one - sine * two, 0);
                shmem.p(counters, PAGE, sine * one + cosine * two, 0);
            } else {
                shmem.p(counters, 0, one + 1, 0);
                shmem.p(counters, PAGE, two + 1, 0);
            }
            lock.unlock();
        }

        @Override
        public @Nullable String error() {
            shmem.barrierAll();
            double one = kernel.atomic ? shmem.g(counters, 0, 0) : shmem.gDouble(counters, 0, 0);
            double two = kernel.atomic ? shmem.g(counters, PAGE, 0) : shmem.gDouble(counters, PAGE, 0);
            double made = kernel.updates + 1.0;
            double wrongCounter = kernel.dependent
                    ? Math.max(Math.abs(one - Math.cos(made)), Math.abs(two - Math.sin(made)))
                    : Math.max(Math.abs(one - (made + 1)), Math.abs(two - made));
            double wrongStream = 0;
            for (double value : a) {
                wrongStream = Math.max(wrongStream, Math.abs(value - 8 * (timed + 1.0)));
            }
            wrongStream = totals.max(wrongStream);
            if (wrongStream > EPSILON) {
                return "the private work is wrong by " + wrongStream;
            }
            return wrongCounter <= EPSILON
                    ? null
                    : "the counters are " + one + " and " + two + " after " + (kernel.updates + 1) + " updates";
        }

        @Override
        public void close() {
            counters.close();
            lock.close();
        }
    }
}
