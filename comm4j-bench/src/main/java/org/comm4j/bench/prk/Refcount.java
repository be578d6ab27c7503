// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.bench.prk;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.comm4j.core.DataType;
import org.comm4j.core.PgasLock;
import org.comm4j.shmem.OpenShmem;
import org.comm4j.shmem.SymmetricArray;
import org.jspecify.annotations.Nullable;

/**
 * All PEs update one pair of counters, each under a lock or by atomic additions, with private work between. Dependent
 * updates turn the pair by one radian, others add 1 to both.
 *
 * @param updates of all PEs; of each PE if the counters are not contended
 * @param stream length of the vectors of the private work; 0: none
 * @param contended one pair for all PEs; else each has its own
 */
public record Refcount(long updates, int stream, boolean dependent, boolean contended, Mutex mutex)
        implements ResearchKernel {
    /** What keeps updates apart. */
    public enum Mutex {
        /** Whoever finds it free takes it, as with OpenMP's locks. */
        SPIN,
        /** OpenSHMEM's lock, which goes round in the order in which PEs come. */
        LOCK,
        /** Atomic additions, which only independent updates can be. */
        ATOMIC,
        /** Nothing, which only counters without contention can do with. */
        NONE;

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }

        /**
         * With this name.
         *
         * @throws IllegalArgumentException if there is none
         */
        public static Mutex named(String name) {
            return Stream.of(values())
                    .filter(mutex -> mutex.toString().equals(name))
                    .findFirst()
                    .orElseThrow(() -> new IllegalArgumentException("refcount: there is no mutex '" + name
                            + "'; there are "
                            + Stream.of(values()).map(Mutex::toString).collect(Collectors.joining(", "))));
        }
    }

    /** Updates in a pass. */
    private static final int BATCH = 64;

    private static final double EPSILON = 1e-7;

    public Refcount {
        Checks.atLeast("refcount", "the number of counter pair updates", updates, 1);
        Checks.atLeast("refcount", "the length of the private stream", stream, 0);
        if (dependent && mutex == Mutex.ATOMIC) {
            throw new IllegalArgumentException(
                    "refcount: dependent updates change both counters at once, which atomic additions cannot do; use a lock");
        }
        if (contended && mutex == Mutex.NONE) {
            throw new IllegalArgumentException(
                    "refcount: updates of contended counters get lost without a mutex; use spin, lock or atomic, or counters without contention");
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
        all.put("Counter access", contended ? "contended" : "uncontended");
        all.put("Counter pair update type", dependent ? "dependent" : "independent");
        all.put("Counter data type", mutex == Mutex.ATOMIC ? "integer" : "floating point");
        all.put("Mutex type", mutex == Mutex.SPIN ? "lock (spin)" : mutex);
        return all;
    }

    /**
     * The updates of a PE within the time. Each makes one before; one more than asked for are made of a pair in all.
     */
    private long timed(int pes, int pe) {
        return contended ? new Parts(updates + 1 - pes, pes).size(pe) : updates;
    }

    @Override
    public void check(int pes) {
        if (contended && updates <= pes) {
            throw new IllegalArgumentException("refcount: " + updates + " updates are too few for " + pes
                    + " PEs, of which each makes one that is not timed; use more updates");
        }
        if (timed(pes, 0) / BATCH > Checks.LARGEST - 2) {
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
            new Rate(
                    "MCPUPs/s",
                    1e-6 * (contended ? updates - pes : updates * pes) / seconds[0],
                    seconds[0],
                    "Rate (MCPUPs/s): %f time (s): %f")
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
        /** Where they are. */
        private final int home;

        private final boolean atomic;
        private final @Nullable PgasLock lock;
        private final @Nullable SpinLock spin;

        Run(Refcount kernel, OpenShmem shmem, Totals totals) {
            this.kernel = kernel;
            this.shmem = shmem;
            this.totals = totals;
            this.timed = kernel.timed(shmem.nPes(), shmem.myPe());
            this.a = new double[kernel.stream];
            this.b = new double[kernel.stream];
            this.c = new double[kernel.stream];
            Arrays.fill(b, 2);
            Arrays.fill(c, 2);
            this.home = kernel.contended ? 0 : shmem.myPe();
            this.atomic = kernel.mutex == Mutex.ATOMIC;
            this.counters = shmem.allocate(atomic ? DataType.INT64 : DataType.FLOAT64, PAGE + 1);
            this.lock = kernel.mutex == Mutex.LOCK ? shmem.newLock() : null;
            this.spin = kernel.mutex == Mutex.SPIN ? new SpinLock(shmem, home) : null;
            if (atomic) {
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
            if (atomic) {
                shmem.atomicInc(counters, 0, home);
                shmem.atomicInc(counters, PAGE, home);
            } else if (spin != null) {
                spin.lock();
                updateLocked();
                spin.unlock();
            } else if (lock != null) {
                lock.lock();
                updateLocked();
                lock.unlock();
            } else {
                updateLocked();
            }
        }

        private void updateLocked() {
            double one = shmem.gDouble(counters, 0, home);
            double two = shmem.gDouble(counters, PAGE, home);
            if (kernel.dependent) {
                shmem.p(counters, 0, cosine * one - sine * two, home);
                shmem.p(counters, PAGE, sine * one + cosine * two, home);
            } else {
                shmem.p(counters, 0, one + 1, home);
                shmem.p(counters, PAGE, two + 1, home);
            }
        }

        @Override
        public @Nullable String error() {
            shmem.barrierAll();
            double one = atomic ? shmem.g(counters, 0, home) : shmem.gDouble(counters, 0, home);
            double two = atomic ? shmem.g(counters, PAGE, home) : shmem.gDouble(counters, PAGE, home);
            double made = kernel.updates + 1.0;
            double wrongCounter = kernel.dependent
                    ? Math.max(Math.abs(one - Math.cos(made)), Math.abs(two - Math.sin(made)))
                    : Math.max(Math.abs(one - (made + 1)), Math.abs(two - made));
            wrongCounter = totals.max(wrongCounter);
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
                    : "a counter is wrong by " + wrongCounter + " after " + (kernel.updates + 1) + " updates";
        }

        @Override
        public void close() {
            counters.close();
            if (lock != null) {
                lock.close();
            }
            if (spin != null) {
                spin.close();
            }
        }
    }
}
