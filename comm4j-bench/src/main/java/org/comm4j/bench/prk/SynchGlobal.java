// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.bench.prk;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.LinkedHashMap;
import java.util.Map;
import org.comm4j.core.DataType;
import org.comm4j.shmem.OpenShmem;
import org.comm4j.shmem.SymmetricArray;
import org.jspecify.annotations.Nullable;

/** All PEs' strings of digits one behind the other, of which each PE takes every P-th digit for its next string. */
public record SynchGlobal(int iterations, int length) implements ResearchKernel {
    private static final String DIGITS = "27638472638746283742712311207892";

    public SynchGlobal {
        Checks.atLeast("synch_global", "the number of iterations", iterations, 1);
        Checks.atLeast("synch_global", "the length of the string", length, 1);
    }

    @Override
    public String name() {
        return "synch_global";
    }

    @Override
    public String title() {
        return "global synchronization";
    }

    @Override
    public Map<String, Object> parameters(int pes) {
        Map<String, Object> all = new LinkedHashMap<>();
        all.put("Scramble string length", length);
        all.put("Number of iterations", iterations);
        return all;
    }

    @Override
    public void check(int pes) {
        if (length % pes != 0) {
            throw new IllegalArgumentException("synch_global: a string of " + length + " digits cannot be dealt out to "
                    + pes + " PEs, of which each takes every " + pes + "-th; use a length that is a multiple of "
                    + pes);
        }
    }

    @Override
    public int[] marks() {
        return new int[] {0, iterations};
    }

    @Override
    public Rate[] rates(int pes, double[] seconds) {
        return new Rate[] {new Rate("synch/s", iterations / seconds[0], seconds[0], "Rate (synch/s): %f, time (s): %f")
        };
    }

    @Override
    public Trial prepare(OpenShmem shmem, Totals totals) {
        return new Run(shmem, totals, length);
    }

    private static final class Run implements Trial {
        private final OpenShmem shmem;
        private final Totals totals;
        private final int pes;
        private final SymmetricArray mine;
        private final SymmetricArray all;
        private final long expected;

        Run(OpenShmem shmem, Totals totals, int length) {
            this.shmem = shmem;
            this.totals = totals;
            this.pes = shmem.nPes();
            this.mine = shmem.allocate(DataType.UINT8, length / pes);
            this.all = shmem.allocate(DataType.UINT8, length);
            all.fill('9');
            for (int i = 0; i < mine.count(); i++) {
                mine.setInt(i, DIGITS.charAt(i % DIGITS.length()));
            }
            this.expected = digits(mine.segment()) * pes;
        }

        @Override
        public void pass(int number) {
            shmem.world().fcollect(all, mine);
            MemorySegment from = all.segment();
            MemorySegment to = mine.segment();
            int count = (int) mine.count();
            int at = shmem.myPe();
            for (int i = 0; i < count; i++) {
                to.set(ValueLayout.JAVA_BYTE, i, from.get(ValueLayout.JAVA_BYTE, at));
                at += pes;
            }
        }

        private static long digits(MemorySegment string) {
            long sum = 0;
            for (long i = 0; i < string.byteSize(); i++) {
                sum += string.get(ValueLayout.JAVA_BYTE, i) - '0';
            }
            return sum;
        }

        @Override
        public @Nullable String error() {
            double wrong = totals.max((double) Math.abs(digits(all.segment()) - expected));
            return wrong == 0 ? null : "the checksum differs by " + (long) wrong + " from " + expected;
        }

        @Override
        public void close() {
            mine.close();
            all.close();
        }
    }
}
