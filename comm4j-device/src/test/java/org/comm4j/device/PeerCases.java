// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.SplittableRandom;
import org.comm4j.core.Buffer;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.core.ReduceOp;
import org.comm4j.device.PeerCollectives.Algorithm;
import org.comm4j.device.PeerTuning.Setting;
import org.comm4j.kernel.CompiledKernel;
import org.comm4j.test.Nightly;

/** {@link PeerCollectives} against a loop over the PEs, in their order, on the host: the same bits. */
enum PeerCases {
    ALL_REDUCE(PeerCases::allReduce),
    PARTS(PeerCases::parts),
    FLOOD(PeerCases::flood),
    EPOCHS_BEGIN_ANEW(PeerCases::epochsBeginAnew),
    FUSED(PeerCases::fused),
    FUSED_ROWS(PeerCases::fusedRows),
    MISUSE(PeerCases::misuse);

    /** 0, 1, odd ones, and those around the pieces in which data goes. */
    private static final int[] COUNTS = {0, 1, 2, 7, 16, 31, 127, 256, 257, 1000, 1536, 2051};

    private static final DataType[] TYPES = {DataType.FLOAT32, DataType.INT32, DataType.FLOAT16, DataType.BFLOAT16};
    private static final ReduceOp[] OPS = {ReduceOp.SUM, ReduceOp.MIN, ReduceOp.MAX};
    private static final Algorithm[] ALGORITHMS = Algorithm.values();
    private static final Algorithm[] WAYS = {Algorithm.ONE_SHOT, Algorithm.TWO_SHOT, Algorithm.DIRECT};

    private interface Body {
        void run(PeerPlace pe);
    }

    @SuppressWarnings("ImmutableEnumChecker") // cases have no state
    private final Body body;

    PeerCases(Body body) {
        this.body = body;
    }

    void run(PeerPlace pe) {
        body.run(pe);
    }

    // ---- what is right ----

    /** What a PE puts in: any PE can tell. */
    private static HostArray data(DataType type, long count, int pe, long seed) {
        HostArray data = HostArray.allocate(type, count);
        SplittableRandom random = new SplittableRandom(seed * 31 + pe);
        for (long i = 0; i < count; i++) {
            if (type == DataType.INT32) {
                data.setInt(i, random.nextInt());
            } else {
                data.setDouble(i, random.nextDouble() * 200 - 100);
            }
        }
        return data;
    }

    private static HostArray[] all(DataType type, long count, int pes, long seed) {
        HostArray[] all = new HostArray[pes];
        for (int pe = 0; pe < pes; pe++) {
            all[pe] = data(type, count, pe, seed);
        }
        return all;
    }

    private static int combine(ReduceOp op, int a, int b) {
        return op == ReduceOp.SUM ? a + b : op == ReduceOp.MIN ? Math.min(a, b) : Math.max(a, b);
    }

    private static float combine(ReduceOp op, float a, float b) {
        return op == ReduceOp.SUM ? a + b : op == ReduceOp.MIN ? Math.min(a, b) : Math.max(a, b);
    }

    private static void combine(HostArray sums, long at, HostArray[] sources, long from, ReduceOp op) {
        if (sums.type() == DataType.INT32) {
            int value = sources[0].getInt(from);
            for (int pe = 1; pe < sources.length; pe++) {
                value = combine(op, value, sources[pe].getInt(from));
            }
            sums.setInt(at, value);
        } else {
            float value = sources[0].getFloat(from);
            for (int pe = 1; pe < sources.length; pe++) {
                value = combine(op, value, sources[pe].getFloat(from));
            }
            sums.setFloat(at, value);
        }
    }

    private static void check(Buffer found, HostArray expected, String what) {
        HostArray bytes = found.toHost();
        assertThat(bytes.segment().mismatch(expected.segment())).as(what).isEqualTo(-1L);
    }

    // ---- cases ----

    /**
     * Whether to try this: always on GPUs, on the CPU one of so many by night and of nine times as many for a change.
     * Each is a kernel of its own to be compiled, and there are few processors.
     */
    private static boolean isTaken(PeerPlace pe, SplittableRandom random, int oneOf) {
        return pe.onGpu() || random.nextInt(Nightly.isOn() ? oneOf : 9 * oneOf) == 0;
    }

    private static void allReduce(PeerPlace pe) {
        SplittableRandom random = pe.random(1);
        for (int count : COUNTS) {
            for (DataType type : TYPES) {
                for (Algorithm algorithm : WAYS) {
                    if (isTaken(pe, random, 3)) {
                        oneAllReduce(pe, random, count, type, algorithm);
                    }
                }
            }
        }
    }

    private static void oneAllReduce(
            PeerPlace pe, SplittableRandom random, int count, DataType type, Algorithm algorithm) {
        ReduceOp op = OPS[random.nextInt(OPS.length)];
        boolean inPlace = random.nextBoolean();
        boolean symmetric = random.nextBoolean();
        long first = random.nextInt(4) == 0 ? type.bytes() * (1L + random.nextInt(5)) : 0;
        HostArray[] all = all(type, count, pe.nPes(), random.nextLong());
        Buffer source = pe.memory(0, symmetric, type, first, count);
        source.copyFrom(all[pe.myPe()]);
        Buffer destination =
                inPlace ? source : pe.memory(1, random.nextInt(4) == 0 ? !symmetric : symmetric, type, first, count);
        HostArray expected = HostArray.allocate(type, count);
        for (int i = 0; i < count; i++) {
            combine(expected, i, all, i, op);
        }
        PeerTuning tuning = pe.peers.tuning();
        pe.peers.tuning(random.nextBoolean() ? tuning : tuning.with(Setting.DIRECT_BYTES, 0));
        pe.peers.allReduce(destination, source, op, algorithm);
        pe.peers.tuning(tuning);
        String what = algorithm + " " + op + " of " + count + " " + type + (inPlace ? " in place" : "")
                + (symmetric ? " symmetric" : "") + " at " + first;
        check(destination, expected, what);
        if (!inPlace) {
            check(source, all[pe.myPe()], "the source of " + what);
        }
    }

    private static void parts(PeerPlace pe) {
        SplittableRandom random = pe.random(2);
        int me = pe.myPe();
        int pes = pe.nPes();
        for (int count : COUNTS) {
            for (DataType type : TYPES) {
                for (Algorithm algorithm : WAYS) {
                    if (!isTaken(pe, random, 4)) {
                        continue;
                    }
                    ReduceOp op = OPS[random.nextInt(OPS.length)];
                    boolean symmetric = random.nextBoolean();
                    boolean inPlace = random.nextBoolean();
                    long first = random.nextInt(4) == 0 ? type.bytes() * (1L + random.nextInt(5)) : 0;
                    String what = algorithm + " of " + count + " " + type + (inPlace ? " in place" : "")
                            + (symmetric ? " symmetric" : "") + " at " + first;

                    HostArray[] whole = all(type, (long) pes * count, pes, random.nextLong());
                    HostArray one = HostArray.allocate(type, count);
                    for (int i = 0; i < count; i++) {
                        combine(one, i, whole, (long) me * count + i, op);
                    }
                    Buffer source = pe.memory(0, symmetric, type, first, (long) pes * count);
                    source.copyFrom(whole[me]);
                    Buffer part = inPlace
                            ? source.slice((long) me * count, count)
                            : pe.memory(1, random.nextBoolean(), type, first, count);
                    pe.peers.reduceScatter(part, source, op, algorithm);
                    check(part, one, "reduceScatter " + op + " " + what);

                    HostArray[] own = all(type, count, pes, random.nextLong());
                    HostArray gathered = HostArray.allocate(type, (long) pes * count);
                    for (int each = 0; each < pes; each++) {
                        gathered.slice((long) each * count, count).copyFrom(own[each]);
                    }
                    Buffer destination = pe.memory(1, symmetric, type, first, (long) pes * count);
                    destination.fill(0);
                    Buffer mine = inPlace
                            ? destination.slice((long) me * count, count)
                            : pe.memory(0, random.nextBoolean(), type, first, count);
                    mine.copyFrom(own[me]);
                    pe.peers.allGather(destination, mine, algorithm);
                    check(destination, gathered, "allGather " + what);

                    HostArray exchanged = HostArray.allocate(type, (long) pes * count);
                    for (int each = 0; each < pes; each++) {
                        exchanged
                                .slice((long) each * count, count)
                                .copyFrom(whole[each].slice((long) me * count, count));
                    }
                    source.copyFrom(whole[me]);
                    destination.fill(0);
                    pe.peers.allToAll(destination, source, algorithm);
                    check(destination, exchanged, "allToAll " + what);
                }
            }
        }
    }

    /** One after the other without a barrier, PEs at different speeds, of all sizes and algorithms in a row. */
    private static void flood(PeerPlace pe) {
        SplittableRandom random = pe.random(3);
        SplittableRandom own = new SplittableRandom(DeviceContract.SEED + 77L * pe.myPe());
        for (int round = 0; round < (pe.onGpu() ? 100 : 40); round++) {
            int count = 1 + random.nextInt(round % 10 == 0 ? 2000 : 80);
            boolean symmetric = random.nextBoolean();
            Algorithm algorithm = ALGORITHMS[random.nextInt(ALGORITHMS.length)];
            // Each of the two buffers is written while others may still be at the one before.
            Buffer array = pe.memory(round % 2, symmetric, DataType.INT32, 0, count);
            HostArray mine = HostArray.allocate(DataType.INT32, count);
            for (int i = 0; i < count; i++) {
                mine.setInt(i, round * 1000 + i + pe.myPe());
            }
            array.copyFrom(mine);
            pe.peers.allReduce(array, array, ReduceOp.SUM, algorithm);
            int others = pe.nPes() * (pe.nPes() - 1) / 2;
            int[] found = array.toHost().toIntArray();
            for (int i = 0; i < count; i++) {
                assertThat(found[i])
                        .as("round %d, element %d", round, i)
                        .isEqualTo(pe.nPes() * (round * 1000 + i) + others);
            }
            if (own.nextInt(20) == 0) {
                nap(own.nextInt(3));
            }
        }
    }

    private static void nap(int millis) {
        try {
            Thread.sleep(millis);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /**
     * Across 2^32 operations: what the last ones before have left in places that the first ones behind do not use is
     * gone when the same epochs come again.
     */
    private static void epochsBeginAnew(PeerPlace pe) {
        SplittableRandom random = pe.random(4);
        // All threads and rounds; and all blocks, but the last with one thread.
        int block = 2 * pe.peers.machine().threads;
        int large = PeerSpace.ROUNDS * block * pe.peers.machine().blocks;
        int small = block * (pe.peers.machine().blocks - 1) + 1;
        // Later than all before this case, which have left words of theirs.
        int then = 1000;
        pe.peers.machine().epochs(then, -5);
        pe.barrier();
        for (int i = 0; i < 6; i++) {
            oneShot(pe, random, large);
        }
        pe.barrier();
        pe.peers.machine().epochs(-4, -5);
        pe.barrier();
        for (int i = 0; i < 8; i++) {
            oneShot(pe, random, small);
            oneAllReduce(pe, random, 300, DataType.FLOAT32, Algorithm.DIRECT);
        }
        pe.barrier();
        pe.peers.machine().epochs(then + 4, 7);
        for (int i = 0; i < 4; i++) {
            pe.barrier();
            if (pe.myPe() == i % pe.nPes()) {
                // The others look at what is there meanwhile.
                nap(50);
            }
            oneShot(pe, random, large);
        }
    }

    private static void oneShot(PeerPlace pe, SplittableRandom random, int count) {
        oneAllReduce(pe, random, count, DataType.INT32, Algorithm.ONE_SHOT);
    }

    private static void fused(PeerPlace pe) {
        int me = pe.myPe();
        int pes = pe.nPes();
        for (int count : new int[] {1, 63, 2049, 5000}) {
            HostArray[] all = all(DataType.FLOAT32, count, pes, count);
            Buffer in = pe.memory(0, false, DataType.FLOAT32, 0, count);
            in.copyFrom(all[me]);
            Buffer out = pe.memory(1, false, DataType.FLOAT32, 0, count);
            try (CompiledKernel kernel = pe.compiler.compile(FusedKernels::sum, me, pes)) {
                kernel.launch(pe.peers.blocks(3, 0), pe.peers.group(), in, out, (long) count);
            }
            float[] halves = out.toHost().toFloatArray();
            for (int i = 0; i < count; i++) {
                float sum = all[0].getFloat(i) + 1;
                for (int each = 1; each < pes; each++) {
                    sum += all[each].getFloat(i) + 1;
                }
                assertThat(halves[i]).as("element %d of %d", i, count).isEqualTo(0.5f * sum);
            }
            // Weighted by PE, and summed by each thread for itself: an all-gather that is never written.
            try (CompiledKernel kernel = pe.compiler.compile(FusedKernels::choose, me, pes)) {
                kernel.launch(pe.peers.blocks(2, 0), pe.peers.group(), in, out, (long) count);
            }
            float[] chosen = out.toHost().toFloatArray();
            for (int i = 0; i < count; i++) {
                assertThat(chosen[i]).isEqualTo(i % pes + all[i % pes].getFloat(i));
            }
        }
    }

    /** Bias and root mean square norm of rows of sums. */
    private static void fusedRows(PeerPlace pe) {
        int me = pe.myPe();
        int pes = pe.nPes();
        int rows = 7;
        for (int columns : new int[] {1, 33, 300, 1025}) {
            HostArray[] all = all(DataType.FLOAT32, (long) rows * columns, pes, columns);
            Buffer in = pe.memory(0, false, DataType.FLOAT32, 0, (long) rows * columns);
            in.copyFrom(all[me]);
            Buffer out = pe.memory(1, false, DataType.FLOAT32, 0, (long) rows * columns);
            try (CompiledKernel kernel = pe.compiler.compile(FusedKernels::biasAndNorm, me, pes)) {
                kernel.launch(pe.peers.blocks(rows, 4 * columns), pe.peers.group(), in, out, (long) rows, columns);
            }
            float[] found = out.toHost().toFloatArray();
            for (int row = 0; row < rows; row++) {
                float[] biased = new float[columns];
                float squares = 0;
                for (int i = 0; i < columns; i++) {
                    float sum = all[0].getFloat((long) row * columns + i);
                    for (int each = 1; each < pes; each++) {
                        sum += all[each].getFloat((long) row * columns + i);
                    }
                    biased[i] = sum + 0.25f * i;
                    squares += biased[i] * biased[i];
                }
                float norm = 1 / (float) Math.sqrt(squares / columns + 1e-6f);
                for (int i = 0; i < columns; i++) {
                    assertThat(found[row * columns + i])
                            .as("row %d, column %d of %d", row, i, columns)
                            .isEqualTo(biased[i] * norm);
                }
            }
        }
    }

    private static void misuse(PeerPlace pe) {
        Buffer floats = pe.memory(0, true, DataType.FLOAT32, 0, 16);
        Buffer more = pe.memory(0, true, DataType.FLOAT32, 0, 17);
        Buffer other = pe.memory(1, true, DataType.FLOAT32, 0, 17);
        assertThatThrownBy(() -> pe.peers.allReduce(other, floats, ReduceOp.SUM))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("do not fit");
        assertThatThrownBy(() -> pe.peers.allReduce(more.slice(1, 16), floats, ReduceOp.SUM))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("overlap");
        assertThatThrownBy(() -> pe.peers.allReduce(pe.memory(1, true, DataType.INT32, 0, 16), floats, ReduceOp.SUM))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("types");
        assertThatThrownBy(() -> pe.peers.allReduce(floats, floats, ReduceOp.PROD))
                .isInstanceOf(UnsupportedOperationException.class)
                .hasMessageContaining("PROD");
        Buffer doubles = pe.memory(0, true, DataType.FLOAT64, 0, 16);
        assertThatThrownBy(() -> pe.peers.allReduce(doubles, doubles, ReduceOp.SUM))
                .isInstanceOf(UnsupportedOperationException.class)
                .hasMessageContaining("FLOAT64");
    }
}
