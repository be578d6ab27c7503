// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.device;

import org.comm4j.kernel.lang.Block;
import org.comm4j.kernel.lang.BlockDim;
import org.comm4j.kernel.lang.BlockIdx;
import org.comm4j.kernel.lang.F32Ptr;
import org.comm4j.kernel.lang.GridDim;
import org.comm4j.kernel.lang.I8Ptr;
import org.comm4j.kernel.lang.KernelLibrary;
import org.comm4j.kernel.lang.PeerPointers;
import org.comm4j.kernel.lang.Shared;
import org.comm4j.kernel.lang.ThreadIdx;
import org.comm4j.kernel.lang.Unroll;

/**
 * Collectives within kernels of the program, which say what goes in and what becomes of the result, so that nothing of
 * both has to be written to memory and read again:
 *
 * <pre>{@code
 * @Kernel
 * static void mean(@Constant int me, @Constant int pes, PeerGroup group, F32Ptr x, F32Ptr y, long n) {
 *     FusedCollectives.allReduce(me, pes, group, n, i -> x.get(i), (i, sum) -> y.set(i, sum / pes));
 * }
 *
 * GpuKernel mean = compiler.compile(Program::mean, peers.myPe(), peers.nPes());
 * mean.launch(peers.blocks(n / 512 + 1, 0), stream, peers.group(), x, y, n);
 * }</pre>
 *
 * <p>Such a kernel is launched on all PEs, in the shape of {@link PeerCollectives#blocks}, with the same counts, and by
 * all threads; several functions may be called one after the other. {@code me} and {@code pes} are constants of the
 * kernel. Data goes as in {@link PeerCollectives.Algorithm#ONE_SHOT}: no function waits for other blocks of its own
 * grid.
 */
@KernelLibrary
public final class FusedCollectives {
    private FusedCollectives() {}

    /** What a PE puts in. */
    @FunctionalInterface
    public interface Source {
        float at(long i);
    }

    /** What becomes of a sum. */
    @FunctionalInterface
    public interface Sink {
        void accept(long i, float value);
    }

    /** What becomes of an element of a PE. */
    @FunctionalInterface
    public interface PeSink {
        void accept(int pe, long i, float value);
    }

    /** What becomes of a row of sums: called by all threads of a block, with the row in memory that they share. */
    @FunctionalInterface
    public interface RowSink {
        void accept(long row, F32Ptr sums);
    }

    /**
     * Sums of {@code count} elements over all PEs, in their order.
     *
     * @param source called twice for each element
     * @param sink called once for each element, by some thread
     */
    public static void allReduce(int me, int pes, PeerGroup group, long count, Source source, Sink sink) {
        exchange(me, pes, group, count, source, (pe, i, value) -> {}, sink, true);
    }

    /**
     * The elements of all PEs, {@code count} of each.
     *
     * @param source called twice for each element of this PE
     * @param sink called once for each element of each PE, by some thread
     */
    public static void allGather(int me, int pes, PeerGroup group, long count, Source source, PeSink sink) {
        exchange(me, pes, group, count, source, sink, (i, value) -> {}, false);
    }

    private static void exchange(
            int me, int pes, PeerGroup group, long count, Source source, PeSink each, Sink sum, boolean sums) {
        int block = BlockIdx.x();
        I8Ptr space = group.spaces().at(me);
        int epoch = PeerSpace.exchanges(space, block).get(0);
        int[] firsts = new int[PeerPointers.MAX];
        int[] seconds = new int[PeerPointers.MAX];
        boolean complete = true;
        long step = 2L * BlockDim.x() * GridDim.x();
        // All threads of a block make the same number of exchanges.
        for (long begin = 2L * BlockDim.x() * block; begin < count; begin += step * PeerSpace.ROUNDS) {
            long mine = begin + 2L * ThreadIdx.x();
            for (int round = 0; round < PeerSpace.ROUNDS && begin + round * step < count; round++) {
                long at = mine + round * step;
                int first = at < count ? Float.floatToRawIntBits(source.at(at)) : 0;
                int second = at + 1 < count ? Float.floatToRawIntBits(source.at(at + 1)) : 0;
                for (int k = 1; k < pes; k++) {
                    Unroll.all();
                    PeerExchange.send(me, pes, group.spaces(), epoch, (me + k) % pes, block, round, first, second);
                }
            }
            for (int round = 0; round < PeerSpace.ROUNDS && begin + round * step < count; round++) {
                long at = mine + round * step;
                complete = complete
                        && PeerExchange.receive(me, pes, space, group.report(), epoch, block, round, firsts, seconds);
                if (complete && at < count) {
                    firsts[me] = Float.floatToRawIntBits(source.at(at));
                    seconds[me] = at + 1 < count ? Float.floatToRawIntBits(source.at(at + 1)) : 0;
                    give(pes, firsts, at, each, sum, sums);
                    if (at + 1 < count) {
                        give(pes, seconds, at + 1, each, sum, sums);
                    }
                }
            }
            PeerExchange.endEpoch(me, pes, space, epoch, block);
            epoch = PeerSpace.next(epoch);
        }
        Block.sync();
        if (ThreadIdx.x() == 0) {
            PeerSpace.exchanges(space, block).set(0, epoch);
        }
        Block.sync();
    }

    private static void give(int pes, int[] words, long i, PeSink each, Sink sink, boolean sums) {
        float sum = Float.intBitsToFloat(words[0]);
        if (!sums) {
            each.accept(0, i, sum);
        }
        for (int pe = 1; pe < pes; pe++) {
            Unroll.all();
            float value = Float.intBitsToFloat(words[pe]);
            if (sums) {
                sum += value;
            } else {
                each.accept(pe, i, value);
            }
        }
        if (sums) {
            sink.accept(i, sum);
        }
    }

    /**
     * Sums of {@code rows} rows of {@code columns} elements over all PEs, in their order; a row is a block's.
     *
     * @param source of an element, {@code row * columns + column}; called once for each
     * @param sink called for each row; the sums are in the block's dynamic shared memory, of at least {@code 4 *
     *     columns} bytes
     */
    public static void allReduceRows(
            int me, int pes, PeerGroup group, long rows, int columns, Source source, RowSink sink) {
        int block = BlockIdx.x();
        I8Ptr space = group.spaces().at(me);
        int epoch = PeerSpace.exchanges(space, block).get(0);
        F32Ptr sums = Shared.dynamicF32();
        int[] firsts = new int[PeerPointers.MAX];
        int[] seconds = new int[PeerPointers.MAX];
        boolean complete = true;
        int step = 2 * BlockDim.x();
        for (long row = block; row < rows; row += GridDim.x()) {
            long from = row * columns;
            for (int begin = 0; begin < columns; begin += PeerSpace.ROUNDS * step) {
                int mine = begin + 2 * ThreadIdx.x();
                for (int round = 0; round < PeerSpace.ROUNDS && begin + round * step < columns; round++) {
                    int at = mine + round * step;
                    float first = at < columns ? source.at(from + at) : 0;
                    float second = at + 1 < columns ? source.at(from + at + 1) : 0;
                    for (int k = 1; k < pes; k++) {
                        Unroll.all();
                        PeerExchange.send(
                                me,
                                pes,
                                group.spaces(),
                                epoch,
                                (me + k) % pes,
                                block,
                                round,
                                Float.floatToRawIntBits(first),
                                Float.floatToRawIntBits(second));
                    }
                    // This thread's own, until the others' have come.
                    if (at < columns) {
                        sums.set(at, first);
                    }
                    if (at + 1 < columns) {
                        sums.set(at + 1, second);
                    }
                }
                for (int round = 0; round < PeerSpace.ROUNDS && begin + round * step < columns; round++) {
                    int at = mine + round * step;
                    complete = complete
                            && PeerExchange.receive(
                                    me, pes, space, group.report(), epoch, block, round, firsts, seconds);
                    if (complete && at < columns) {
                        firsts[me] = Float.floatToRawIntBits(sums.get(at));
                        sums.set(at, sum(pes, firsts));
                        if (at + 1 < columns) {
                            seconds[me] = Float.floatToRawIntBits(sums.get(at + 1));
                            sums.set(at + 1, sum(pes, seconds));
                        }
                    }
                }
                PeerExchange.endEpoch(me, pes, space, epoch, block);
                epoch = PeerSpace.next(epoch);
            }
            if (Block.syncAnd(complete)) {
                sink.accept(row, sums);
            }
            Block.sync();
        }
        if (ThreadIdx.x() == 0) {
            PeerSpace.exchanges(space, block).set(0, epoch);
        }
        Block.sync();
    }

    private static float sum(int pes, int[] words) {
        float sum = Float.intBitsToFloat(words[0]);
        for (int pe = 1; pe < pes; pe++) {
            Unroll.all();
            sum += Float.intBitsToFloat(words[pe]);
        }
        return sum;
    }
}
