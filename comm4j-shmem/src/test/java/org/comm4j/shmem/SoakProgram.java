// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.shmem;

import java.time.Duration;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.core.World;

/**
 * Random one-sided operations of each PE of {@link MpiSoakTest}, between barriers. Each PE knows what all do and keeps
 * the memory of all PEs in plain Java arrays. The operations between two barriers write to different places, or
 * commute, so that their order does not matter.
 */
final class SoakProgram {
    private static final int WORDS = 4096;
    /** Words that atomics of all PEs go to; puts go to the rest, each PE's into a part of its own. */
    private static final int SHARED = 64;

    private static final int STEPS = 40;
    private static final int OPERATIONS = 6;

    private final OpenShmem shmem;
    private final SplittableRandom random;
    private final SplittableRandom delays;
    private final int pes;
    private final int me;
    private final SymmetricArray array;
    /** What every PE's array must hold. */
    private final long[][] expected;

    private SoakProgram(OpenShmem shmem, long seed) {
        this.shmem = shmem;
        this.pes = shmem.nPes();
        this.me = shmem.myPe();
        this.random = new SplittableRandom(seed);
        this.delays = new SplittableRandom(seed + 1 + me);
        this.array = shmem.allocate(DataType.INT64, WORDS);
        this.expected = new long[pes][WORDS];
    }

    /** The arguments are seconds and a seed. */
    public static void main(String[] args) {
        try (World world = World.join();
                OpenShmem shmem = OpenShmem.init(world)) {
            shmem.timeout(Duration.ofMinutes(1));
            long seed = Long.parseLong(args[1]);
            long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(Long.parseLong(args[0]));
            SoakProgram program = new SoakProgram(shmem, seed);
            SymmetricArray more = shmem.allocate(DataType.INT64, 1);
            long steps = 0;
            do {
                for (int i = 0; i < STEPS; i++) {
                    program.step("seed " + seed + ", step " + steps++);
                }
                if (shmem.myPe() == 0) {
                    more.fill(System.nanoTime() - end < 0 ? 1 : 0);
                }
                shmem.barrierAll();
            } while (shmem.g(more, 0, 0) == 1);
            shmem.barrierAll();
            System.out.println(
                    "soaked: " + steps + " steps of " + shmem.nPes() * OPERATIONS + " operations on " + shmem);
        }
    }

    private void step(String where) {
        boolean[] takenPuts = new boolean[pes];
        for (int pe = 0; pe < pes; pe++) {
            for (int i = 0; i < OPERATIONS; i++) {
                operation(pe, takenPuts);
            }
            Arrays.fill(takenPuts, false);
        }
        shmem.barrierAll();
        for (int i = 0; i < WORDS; i++) {
            expect(array.getLong(i), expected[me][i], where + ", word " + i);
        }
        look(where);
        shmem.barrierAll();
    }

    /** Draws an operation of a PE, plays it in the arrays, and does it where it is this PE's. */
    private void operation(int pe, boolean[] takenPuts) {
        int target = random.nextInt(pes);
        int word = random.nextInt(SHARED);
        long value = random.nextLong();
        boolean mine = pe == me;
        if (mine) {
            delay();
        }
        // Atomics of one kind on a word commute.
        switch (word % 4) {
            case 0 -> {
                expected[target][word] += value;
                if (mine && value % 2 == 0) {
                    shmem.atomicAdd(array, word, value, target);
                } else if (mine) {
                    long ignored = shmem.atomicFetchAdd(array, word, value, target);
                }
            }
            case 1 -> {
                expected[target][word] ^= value;
                if (mine) {
                    shmem.atomicXor(array, word, value, target);
                }
            }
            case 2 -> {
                expected[target][word] |= value;
                if (mine) {
                    shmem.atomicOr(array, word, value, target);
                }
            }
            default -> put(pe, target, value, mine, takenPuts);
        }
    }

    /** A put into the target's part for this PE, once between two barriers, as puts may overtake each other. */
    private void put(int pe, int target, long value, boolean mine, boolean[] takenPuts) {
        int part = (WORDS - SHARED) / pes;
        int count = 1 + random.nextInt(Math.max(1, part >> random.nextInt(12)));
        int at = SHARED + pe * part + random.nextInt(part - count + 1);
        if (takenPuts[target]) {
            return;
        }
        takenPuts[target] = true;
        HostArray source = HostArray.allocate(DataType.INT64, count);
        for (int i = 0; i < count; i++) {
            source.setLong(i, value + i);
            expected[target][at + i] = value + i;
        }
        if (mine && count == 1) {
            shmem.p(array, at, value, target);
        } else if (mine && value % 2 == 0) {
            shmem.put(array.slice(at, count), source, target);
        } else if (mine) {
            shmem.putNbi(array.slice(at, count), source, target);
            shmem.quiet();
        }
    }

    /** Reads what another PE has, while the others do the same. */
    private void look(String where) {
        int other = delays.nextInt(pes);
        int count = 1 + delays.nextInt(WORDS);
        int at = delays.nextInt(WORDS - count + 1);
        HostArray seen = HostArray.allocate(DataType.INT64, count);
        shmem.get(seen, array.slice(at, count), other);
        for (int i = 0; i < count; i++) {
            expect(seen.getLong(i), expected[other][at + i], where + ", word " + (at + i) + " read from PE " + other);
        }
    }

    private void delay() {
        if (delays.nextInt(20) == 0) {
            LockSupport.parkNanos(delays.nextLong(1, TimeUnit.MILLISECONDS.toNanos(5)));
        }
    }

    private void expect(long actual, long wanted, String what) {
        if (actual != wanted) {
            throw new AssertionError(what + " is " + actual + " on PE " + me + ", not " + wanted);
        }
    }
}
