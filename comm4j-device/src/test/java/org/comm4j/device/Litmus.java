// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.device;

import static org.assertj.core.api.Assertions.assertThat;

import org.comm4j.core.Buffer;
import org.comm4j.core.Comparison;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.core.SignalOp;
import org.comm4j.cuda.LaunchConfig;
import org.comm4j.kernel.CompiledKernel;
import org.comm4j.kernel.lang.BlockIdx;
import org.comm4j.kernel.lang.Constant;
import org.comm4j.kernel.lang.I64Ptr;
import org.comm4j.kernel.lang.Kernel;

/**
 * What may be seen in which order. Values only grow, so that PEs never wait for each other and a round takes as long as
 * its stores: who has seen a flag of round k must find data of round k or later. Each block is a test of its own, of
 * one thread on each PE.
 */
final class Litmus {
    /** Words of data, each in a cache line of its own. */
    private static final int WORDS = 4;

    private static final long APART = 16;
    private static final long LINE = WORDS * APART;

    /** How a PE hands over. */
    static final int FENCE_PUT = 0;

    static final int FENCE_SIGNAL = 1;
    static final int QUIET_SIGNAL = 2;
    static final int PUT_SIGNAL = 3;
    static final int FENCE_ATOMIC = 4;
    private static final String[] NAMES = {
        "put, fence, put of a flag",
        "put, fence, signal",
        "put without waiting, quiet, signal",
        "put with a signal",
        "put, fence, atomic add"
    };

    private Litmus() {}

    /** PEs of one parity write to the next ones, which look. */
    @Kernel
    static void passMessages(
            @Constant int how, int turn, int rounds, I64Ptr datas, I64Ptr sources, I64Ptr flags, I64Ptr counts) {
        int me = Shmem.myPe();
        int next = (me + 1) % Shmem.nPes();
        int previous = (me + Shmem.nPes() - 1) % Shmem.nPes();
        I64Ptr data = datas.plus(LINE * BlockIdx.x());
        I64Ptr source = sources.plus(LINE * BlockIdx.x());
        I64Ptr flag = flags.plus(LINE * BlockIdx.x());
        if (me % 2 == turn) {
            for (int round = 1; round <= rounds; round++) {
                if (how == QUIET_SIGNAL || how == PUT_SIGNAL) {
                    for (int i = 0; i < WORDS; i++) {
                        source.setVolatile(i * APART, round);
                    }
                }
                if (how == PUT_SIGNAL) {
                    Shmem.putSignal(data, source, LINE, flag, round, SignalOp.SET, next);
                } else if (how == QUIET_SIGNAL) {
                    Shmem.putNbi(data, source, LINE, next);
                    Shmem.quiet();
                    Shmem.signal(flag, round, SignalOp.SET, next);
                } else {
                    for (int i = 0; i < WORDS; i++) {
                        Shmem.p(data.plus(i * APART), (long) round, next);
                    }
                    Shmem.fence();
                    if (how == FENCE_PUT) {
                        Shmem.p(flag, (long) round, next);
                    } else if (how == FENCE_SIGNAL) {
                        Shmem.signal(flag, round, SignalOp.SET, next);
                    } else {
                        Shmem.atomicAdd(flag, 1L, next);
                    }
                }
            }
            Shmem.quiet();
        } else if (previous % 2 == turn) {
            long wrong = 0;
            long looks = 0;
            long seen = 0;
            while (seen < rounds) {
                seen = Shmem.signalWaitUntil(flag, Comparison.GT, seen);
                looks++;
                for (int i = WORDS - 1; i >= 0; i--) {
                    // An ordinary load, which must not find what a cache still has of the round before.
                    if (data.get(i * APART) < seen) {
                        wrong++;
                    }
                }
            }
            counts.set(2L * BlockIdx.x(), wrong);
            counts.set(2L * BlockIdx.x() + 1, looks);
        }
    }

    /**
     * Of two PEs each writes to the other one and then looks what that has written: not both may have missed the
     * other's.
     */
    @Kernel
    static void writeAndLook(@Constant boolean quiet, int rounds, I64Ptr words, I64Ptr seen, I64Ptr others) {
        int me = Shmem.myPe();
        int other = me ^ 1;
        if (other < Shmem.nPes()) {
            I64Ptr word = words.plus(LINE * BlockIdx.x());
            I64Ptr mine = seen.plus((long) rounds * BlockIdx.x());
            for (int round = 1; round <= rounds; round++) {
                Shmem.p(word, (long) round, other);
                if (quiet) {
                    Shmem.quiet();
                }
                mine.set(round - 1, word.getVolatile(0));
            }
            Shmem.put(others.plus((long) rounds * BlockIdx.x()), mine, rounds, other);
            Shmem.quiet();
        }
    }

    /** A PE writes to the second one after it, and tells the first one, which tells the second. */
    @Kernel
    static void relay(int turn, int rounds, I64Ptr datas, I64Ptr flags, I64Ptr relayed, I64Ptr counts) {
        int pes = Shmem.nPes();
        int role = (Shmem.myPe() - turn + pes) % pes;
        int first = (turn + 1) % pes;
        int second = (turn + 2) % pes;
        I64Ptr data = datas.plus(LINE * BlockIdx.x());
        I64Ptr flag = flags.plus(LINE * BlockIdx.x());
        I64Ptr told = relayed.plus(LINE * BlockIdx.x());
        if (role == 0) {
            for (int round = 1; round <= rounds; round++) {
                Shmem.p(data, (long) round, second);
                Shmem.quiet();
                Shmem.signal(flag, round, SignalOp.SET, first);
            }
        } else if (role == 1) {
            long seen = 0;
            while (seen < rounds) {
                seen = Shmem.signalWaitUntil(flag, Comparison.GT, seen);
                Shmem.signal(told, seen, SignalOp.SET, second);
            }
        } else if (role == 2) {
            long wrong = 0;
            long looks = 0;
            long seen = 0;
            while (seen < rounds) {
                seen = Shmem.signalWaitUntil(told, Comparison.GT, seen);
                looks++;
                if (data.getVolatile(0) < seen) {
                    wrong++;
                }
            }
            counts.set(2L * BlockIdx.x(), wrong);
            counts.set(2L * BlockIdx.x() + 1, looks);
        }
    }

    /** All threads of all PEs take numbers at one place: each gets one of its own. */
    @Kernel
    static void takeNumbers(I64Ptr counter, int rounds, I64Ptr taken) {
        for (int round = 0; round < rounds; round++) {
            long number = Shmem.atomicFetchAdd(counter, 1L, 0);
            taken.set((long) BlockIdx.x() * rounds + round, number);
        }
        // The last word on what all of them add up to.
        Shmem.atomicAdd(counter.plus(APART), (long) rounds, 0);
    }

    @Kernel
    static void tell(I64Ptr word, long value) {
        for (int pe = 0; pe < Shmem.nPes(); pe++) {
            Shmem.p(word, value, pe);
        }
        Shmem.quiet();
    }

    /** Rounds, how many of them were looked at, and which were wrong. */
    private static final class Tally {
        long rounds;
        long looks;
        long wrong;
    }

    private interface Chunk {
        void run(int turn, Tally tally);
    }

    /** All tests, each for so long; what PE 0 says of it. */
    static String run(TestPe pe, long millis) throws Exception {
        StringBuilder said = new StringBuilder();
        int blocks = pe.onCpu() ? 1 : 64;
        int rounds = !pe.onCpu() ? 20_000 : millis < 1000 ? 3_000 : 200_000;
        LaunchConfig shape = LaunchConfig.grid(blocks).block(1);
        Buffer word = pe.zeroed(DataType.INT64, 1);
        Buffer data = pe.zeroed(DataType.INT64, LINE * blocks);
        Buffer source = pe.zeroed(DataType.INT64, LINE * blocks);
        Buffer flag = pe.zeroed(DataType.INT64, LINE * blocks);
        Buffer told = pe.zeroed(DataType.INT64, LINE * blocks);
        Buffer counts = pe.zeroed(DataType.INT64, 2L * blocks);
        Buffer seen = pe.zeroed(DataType.INT64, (long) rounds * blocks);
        Buffer others = pe.zeroed(DataType.INT64, (long) rounds * blocks);
        Runnable clear = () -> {
            for (Buffer each : new Buffer[] {data, flag, told, counts}) {
                each.fill(0);
            }
        };
        try (CompiledKernel tell = pe.compiler().compile(Litmus::tell)) {
            for (int how = FENCE_PUT; how <= FENCE_ATOMIC; how++) {
                try (CompiledKernel kernel = pe.compiler().compile(Litmus::passMessages, how)) {
                    said.append(repeat(pe, tell, word, millis, 0, NAMES[how], (turn, tally) -> {
                        clear.run();
                        pe.launch(kernel, shape, turn % 2, rounds, data, source, flag, counts);
                        count(tally, counts.toHost());
                        tally.rounds += pe.myPe() % 2 == turn % 2 ? (long) rounds * blocks : 0;
                    }));
                }
            }
            for (boolean quiet : new boolean[] {true, false}) {
                try (CompiledKernel kernel = pe.compiler().compile(Litmus::writeAndLook, quiet)) {
                    String name = "two write to each other" + (quiet ? ", quiet," : "") + " and look";
                    said.append(repeat(pe, tell, word, millis, quiet ? 0 : Long.MAX_VALUE, name, (turn, tally) -> {
                        clear.run();
                        pe.launch(kernel, shape, rounds, data, seen, others);
                        if ((pe.myPe() ^ 1) < pe.nPes()) {
                            bothMissed(tally, seen.toHost(), others.toHost(), blocks, rounds);
                        }
                    }));
                }
            }
            if (pe.nPes() > 2) {
                try (CompiledKernel kernel = pe.compiler().compile(Litmus::relay)) {
                    said.append(repeat(pe, tell, word, millis, 0, "put, quiet, told by a third", (turn, tally) -> {
                        clear.run();
                        pe.launch(kernel, shape, turn % pe.nPes(), rounds, data, flag, told, counts);
                        count(tally, counts.toHost());
                        tally.rounds += turn % pe.nPes() == pe.myPe() ? (long) rounds * blocks : 0;
                    }));
                }
            }
            try (CompiledKernel kernel = pe.compiler().compile(Litmus::takeNumbers)) {
                said.append(repeat(pe, tell, word, millis, 0, "numbers taken at one place", (turn, tally) -> {
                    clear.run();
                    int some = rounds / 10;
                    pe.launch(kernel, shape, data, some, seen);
                    takenOnce(tally, seen.toHost(), some * blocks);
                    if (pe.myPe() == 0) {
                        long all = (long) some * blocks * pe.nPes();
                        HostArray sums = data.toHost();
                        assertThat(sums.getLong(0)).isEqualTo(all);
                        assertThat(sums.getLong(APART)).isEqualTo(all);
                    }
                    pe.barrier();
                }));
            }
        }
        return said.toString();
    }

    private static void count(Tally tally, HostArray counts) {
        for (long i = 0; i < counts.count(); i += 2) {
            tally.wrong += counts.getLong(i);
            tally.looks += counts.getLong(i + 1);
        }
    }

    /**
     * In round k this PE saw the other's word of round j: so it did not see that of round j + 1, which the other one
     * wrote before it looked, and then it had to see this PE's of round k.
     */
    private static void bothMissed(Tally tally, HostArray mine, HostArray others, int blocks, int rounds) {
        for (int block = 0; block < blocks; block++) {
            long at = (long) block * rounds;
            for (int k = 1; k <= rounds; k++) {
                long j = mine.getLong(at + k - 1);
                assertThat(j).isBetween(0L, (long) rounds);
                if (j < rounds) {
                    tally.looks += j > 0 ? 1 : 0;
                    if (others.getLong(at + j) < k) {
                        tally.wrong++;
                    }
                }
            }
        }
        tally.rounds += (long) rounds * blocks;
    }

    /** Numbers of a block grow, as each of its threads takes one after the other. */
    private static void takenOnce(Tally tally, HostArray taken, int count) {
        boolean[] known = new boolean[count];
        long most = 0;
        for (int i = 0; i < count; i++) {
            long number = taken.getLong(i);
            most = Math.max(most, number);
            tally.wrong += number < 0 ? 1 : 0;
            if (number >= 0 && number < count) {
                tally.wrong += known[(int) number] ? 1 : 0;
                known[(int) number] = true;
            }
        }
        tally.rounds += count;
        tally.looks += most >= count ? count : 0;
    }

    /** As often as there is time for, by the clock of PE 0. */
    private static String repeat(
            TestPe pe, CompiledKernel tell, Buffer word, long millis, long mayBeWrong, String name, Chunk chunk) {
        Tally tally = new Tally();
        long start = System.nanoTime();
        int turn = 0;
        do {
            chunk.run(turn, tally);
            turn++;
            if (pe.myPe() == 0) {
                boolean more = turn < 6 || (System.nanoTime() - start) / 1_000_000 < millis;
                tell.launch(LaunchConfig.grid(1).block(1), word, more ? (long) turn : -1L);
            }
            pe.barrier();
        } while (word.toHost().getLong(0) == turn);
        String said = String.format(
                "litmus on PE %d of %d: %s: %,d rounds, %,d looked at while they went on, %,d out of order%s%n",
                pe.myPe(),
                pe.nPes(),
                name,
                tally.rounds,
                tally.looks,
                tally.wrong,
                mayBeWrong > 0 ? " (which may be)" : "");
        assertThat(tally.wrong).as(said).isLessThanOrEqualTo(mayBeWrong);
        return said;
    }
}
