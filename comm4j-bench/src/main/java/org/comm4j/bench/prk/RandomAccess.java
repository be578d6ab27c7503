// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.bench.prk;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import org.comm4j.core.Comparison;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.core.SignalOp;
import org.comm4j.shmem.OpenShmem;
import org.comm4j.shmem.SymmetricArray;
import org.jspecify.annotations.Nullable;

/**
 * Table[r mod size] ^= r for a sequence of random numbers r, twice the same sequence, which leaves the table as it was.
 * Each PE has a part of the table and makes some of the numbers, which it sends in buckets to the PEs that have their
 * places.
 *
 * @param ratio numbers for each element of the table
 * @param logSize the binary logarithm of the table's size
 * @param lookahead numbers that a PE makes before it sends them
 */
public record RandomAccess(int ratio, int logSize, int lookahead) implements ResearchKernel {
    /** x⁶⁴ = x² + x + 1. */
    private static final long POLYNOMIAL = 7;

    private static final long PERIOD = 1317624576693539401L;
    private static final long SEED = 834568137686317453L;

    public RandomAccess {
        powerOfTwo("the update ratio", ratio);
        powerOfTwo("the length of the lookahead", lookahead);
        if (logSize < 1 || logSize > 40) {
            throw new IllegalArgumentException(
                    "random: the binary logarithm of the table's size is " + logSize + ", but must be 1 to 40");
        }
    }

    private static void powerOfTwo(String what, int value) {
        if (Integer.bitCount(value) != 1 || value < 0) {
            throw new IllegalArgumentException("random: " + what + " is " + value + ", but must be a power of two");
        }
    }

    @Override
    public String name() {
        return "random";
    }

    @Override
    public String title() {
        return "Random Access";
    }

    @Override
    public Map<String, Object> parameters(int pes) {
        Map<String, Object> all = new LinkedHashMap<>();
        all.put("Table size (aggregate)", 1L << logSize);
        all.put("Update ratio", ratio);
        all.put("Number of updates (aggregate)", (long) ratio << logSize);
        all.put("Vector (LOOKAHEAD) length", lookahead);
        return all;
    }

    @Override
    public void check(int pes) {
        if (Integer.bitCount(pes) != 1) {
            throw new IllegalArgumentException("random: " + pes
                    + " PEs: the upper bits of a place in the table say which PE has it, so use a power of two");
        }
        long updates = (long) ratio << logSize;
        if (updates < 2L * pes * lookahead) {
            throw new IllegalArgumentException(
                    "random: " + updates + " updates are too few for " + pes + " PEs that make " + lookahead
                            + " at a time, twice; use a larger table or ratio, or a shorter lookahead");
        }
        if (1L << logSize < pes) {
            throw new IllegalArgumentException(
                    "random: a table of " + (1L << logSize) + " elements is too small for " + pes + " PEs");
        }
        Checks.fits("random", "the table", (double) (1L << logSize) / pes, "use a smaller table or more PEs");
    }

    @Override
    public int[] marks() {
        return new int[] {0, 2};
    }

    @Override
    public Rate[] rates(int pes, double[] seconds) {
        double updates = (double) ((long) ratio << logSize);
        return new Rate[] {
            new Rate("GUPS/s", 1e-9 * updates / seconds[0], seconds[0], "Rate (GUPS/s): %f, Time (s): %f")
        };
    }

    @Override
    public Trial prepare(OpenShmem shmem, Totals totals) {
        return new Run(this, shmem, totals);
    }

    /** x to the power of {@code n} modulo the polynomial: the n-th number of the sequence. */
    static long power(long n) {
        long result = 1;
        long square = 2;
        for (long rest = Math.floorMod(n, PERIOD); rest > 0; rest >>= 1) {
            if ((rest & 1) != 0) {
                result = product(result, square);
            }
            square = product(square, square);
        }
        return result;
    }

    private static long product(long a, long b) {
        long sum = 0;
        for (int bit = Long.SIZE - 1; bit >= 0; bit--) {
            sum = next(sum) ^ ((b >>> bit & 1) != 0 ? a : 0);
        }
        return sum;
    }

    private static long next(long random) {
        return random << 1 ^ random >> Long.SIZE - 1 & POLYNOMIAL;
    }

    private static final class Run implements Trial {
        private final OpenShmem shmem;
        private final Totals totals;
        private final int me;
        private final int pes;
        private final int lookahead;
        private final long[] table;
        private final long[] seeds;
        private final long[] numbers;
        private final int shift;
        private final long mask;
        private final int stepsOfPass;
        private final long first;
        /** A bucket of numbers for each PE, and how many are in it. */
        private final HostArray[] buckets;

        private final int[] counts;
        private final SymmetricArray memory;
        /** Where the numbers come that PEs send here, by the step's parity and PE. */
        private final SymmetricArray[][] inboxes = new SymmetricArray[2][];
        /** For each inbox the step, from 1, in the upper half, and the count in the lower one. */
        private final SymmetricArray come;

        private long step;

        Run(RandomAccess kernel, OpenShmem shmem, Totals totals) {
            this.shmem = shmem;
            this.totals = totals;
            this.me = shmem.myPe();
            this.pes = shmem.nPes();
            this.lookahead = kernel.lookahead;
            long size = (1L << kernel.logSize) / pes;
            long updates = kernel.ratio * size;
            this.table = new long[(int) size];
            this.mask = size - 1;
            this.shift = Long.numberOfTrailingZeros(size);
            this.first = size * me;
            this.stepsOfPass = Math.toIntExact(updates / (2L * lookahead));
            this.seeds = new long[lookahead];
            this.numbers = new long[lookahead];
            for (int i = 0; i < lookahead; i++) {
                seeds[i] = power(SEED + updates / lookahead * i + first);
            }
            for (int i = 0; i < table.length; i++) {
                table[i] = first + i;
            }
            this.buckets = new HostArray[pes];
            this.counts = new int[pes];
            this.memory = shmem.allocate(DataType.INT64, 2L * pes * lookahead);
            this.come = shmem.allocate(DataType.INT64, 2L * pes);
            inboxes[0] = new SymmetricArray[pes];
            inboxes[1] = new SymmetricArray[pes];
            for (int pe = 0; pe < pes; pe++) {
                buckets[pe] = HostArray.allocate(DataType.INT64, lookahead);
                for (int parity = 0; parity < 2; parity++) {
                    inboxes[parity][pe] = memory.slice((long) (parity * pes + pe) * lookahead, lookahead);
                }
            }
        }

        @Override
        public void pass(int number) {
            System.arraycopy(seeds, 0, numbers, 0, lookahead);
            for (int i = 0; i < stepsOfPass; i++) {
                advance(numbers);
                deal();
                exchange();
            }
        }

        private static void advance(long[] numbers) {
            for (int i = 0; i < numbers.length; i++) {
                numbers[i] = next(numbers[i]);
            }
        }

        private void deal() {
            if (pes == 1) {
                return;
            }
            Arrays.fill(counts, 0);
            int upper = pes - 1;
            for (int i = 0; i < numbers.length; i++) {
                long random = numbers[i];
                int pe = (int) (random >>> shift) & upper;
                buckets[pe].segment().setAtIndex(ValueLayout.JAVA_LONG, counts[pe]++, random);
            }
        }

        private void exchange() {
            if (pes == 1) {
                for (int i = 0; i < numbers.length; i++) {
                    table[(int) (numbers[i] & mask)] ^= numbers[i];
                }
                return;
            }
            // Whoever has sent a step's numbers has used those of the step before last, so that two inboxes are enough.
            int parity = (int) (step++ & 1);
            int mine = parity * pes + me;
            for (int distance = 1; distance < pes; distance++) {
                int pe = (me + distance) % pes;
                shmem.putSignal(
                        inboxes[parity][me],
                        buckets[pe],
                        counts[pe],
                        come,
                        mine,
                        step << Integer.SIZE | counts[pe],
                        SignalOp.SET,
                        pe);
            }
            update(buckets[me].segment(), counts[me]);
            for (int distance = 1; distance < pes; distance++) {
                int pe = (me + distance) % pes;
                long seen = shmem.signalWaitUntil(come, parity * pes + pe, Comparison.GE, step << Integer.SIZE);
                update(inboxes[parity][pe].segment(), (int) seen);
            }
        }

        private void update(MemorySegment random, int count) {
            long[] table = this.table;
            for (int i = 0; i < count; i++) {
                long value = random.getAtIndex(ValueLayout.JAVA_LONG, i);
                table[(int) (value & mask)] ^= value;
            }
        }

        @Override
        public @Nullable String error() {
            double wrong = 0;
            for (int i = 0; i < table.length; i++) {
                wrong += table[i] == first + i ? 0 : 1;
            }
            wrong = totals.sum(wrong);
            return wrong == 0 ? null : "number of incorrect table elements: " + (long) wrong;
        }

        @Override
        public void close() {
            memory.close();
            come.close();
        }
    }
}
