// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.moe;

import org.comm4j.kernel.lang.Block;
import org.comm4j.kernel.lang.BlockDim;
import org.comm4j.kernel.lang.BlockIdx;
import org.comm4j.kernel.lang.Constant;
import org.comm4j.kernel.lang.F32Ptr;
import org.comm4j.kernel.lang.Grid;
import org.comm4j.kernel.lang.GridDim;
import org.comm4j.kernel.lang.Half;
import org.comm4j.kernel.lang.I32Ptr;
import org.comm4j.kernel.lang.I8Ptr;
import org.comm4j.kernel.lang.Int4;
import org.comm4j.kernel.lang.Kernel;
import org.comm4j.kernel.lang.Scope;
import org.comm4j.kernel.lang.Shared;
import org.comm4j.kernel.lang.ThreadIdx;
import org.comm4j.kernel.lang.Unroll;
import org.comm4j.kernel.lang.Warp;

/**
 * The kernel of combine. Each PE says that its experts' results are there, and reads those of its own tokens where they
 * are: nothing is copied, and nothing counted.
 */
final class PullKernels {
    /** The most threads of a block. */
    static final int THREADS = 512;

    /** Elements that a thread sums at once. */
    private static final int UNIT = 8;
    /** Answers that a thread loads before it adds the first. */
    private static final int BATCH = 4;

    static final long NOWHERE = Long.MIN_VALUE;

    private PullKernels() {}

    /**
     * Sums the answers of each token's experts, times their weights, in the order of choices.
     *
     * @param from type of results
     * @param to type of {@code out}
     * @param wide whether all rows are multiples of {@value #UNIT} elements at multiples of 16 bytes
     * @param extras of {@link #WEIGHTS} and its like
     * @param out rows of {@code hidden} elements
     * @param parts of a row, which blocks share
     * @param announces whether this PE's results are said to be there, too
     */
    @Kernel(maxThreads = THREADS)
    static void combine(
            @Constant SumType from,
            @Constant SumType to,
            @Constant boolean wide,
            MoeSpace space,
            long results,
            I8Ptr out,
            F32Ptr weights,
            I8Ptr bias,
            float factor,
            int extras,
            int hidden,
            int parts,
            boolean announces) {
        Grid.awaitPrevious();
        Grid.launchDependents();
        int epoch = space.epoch().get(0);
        int tokens = space.tokens().get(0);
        if (announces && BlockIdx.x() == 0) {
            announce(space, epoch);
        }
        if (!Block.syncAnd(announced(space, epoch))) {
            return;
        }
        int items = tokens * parts;
        int share = (items + GridDim.x() - 1) / GridDim.x();
        int begin = Math.min(BlockIdx.x() * share, items);
        int end = Math.min(begin + share, items);
        int unit = wide ? UNIT : 1;
        int units = hidden / unit;
        // Twice, so that one barrier a token is enough.
        long[] sources = Shared.i64(2 * Warp.SIZE);
        float[] factors = Shared.f32(2 * Warp.SIZE);
        for (int token = begin / parts; token * parts < end; token++) {
            int half = (token & 1) * Warp.SIZE;
            if (Warp.id() == 0) {
                source(space, results, (long) hidden * bytes(from), token, weights, extras, sources, factors, half);
            }
            Block.sync();
            int first = (int) ((long) Math.max(begin - token * parts, 0) * units / parts);
            int last = (int) ((long) Math.min(end - token * parts, parts) * units / parts);
            long at = (long) token * hidden * bytes(to);
            I8Ptr row = out.plus(at);
            I8Ptr added = bias.plus((extras & BIAS) != 0 ? at : 0);
            for (int i = first + ThreadIdx.x(); i < last; i += BlockDim.x()) {
                if (wide) {
                    eight(from, to, space, sources, factors, half, row, added, factor, extras, i);
                } else {
                    one(from, to, space, sources, factors, half, row, added, factor, extras, i);
                }
            }
        }
    }

    /** Waits for the results of all PEs; whether they came, for those that this thread looked at. */
    static boolean announced(MoeSpace space, int epoch) {
        boolean complete = true;
        for (int pe = ThreadIdx.x(); pe < space.pes() && complete; pe += BlockDim.x()) {
            I32Ptr flag = space.base().plus(space.answers() + 4L * pe).asI32();
            complete = Waiting.flag(space, flag, epoch, Waiting.RESULTS, pe);
        }
        return complete;
    }

    static void announce(MoeSpace space, int epoch) {
        for (int i = ThreadIdx.x(); i < space.pes(); i += BlockDim.x()) {
            int pe = space.me() + i < space.pes() ? space.me() + i : space.me() + i - space.pes();
            space.at(pe).plus(space.answers() + 4L * space.me()).asI32().setRelease(0, epoch, Scope.SYSTEM);
        }
    }

    /** Only says that this PE's results are there. One block. */
    @Kernel(maxThreads = THREADS)
    static void announce(MoeSpace space) {
        Grid.awaitPrevious();
        Grid.launchDependents();
        announce(space, space.epoch().get(0));
    }

    /** Whether there are weights, whether there is a bias, and whether the sum is added to what is there. */
    static final int WEIGHTS = 1;

    static final int BIAS = 2;
    static final int ACCUMULATE = 4;

    /** A lane's: where the answer of a choice is, and its weight. */
    static void source(
            MoeSpace space,
            long results,
            long bytes,
            int token,
            F32Ptr weights,
            int extras,
            long[] sources,
            float[] factors,
            int half) {
        int lane = Warp.laneId();
        boolean mine = lane < space.perToken();
        long route = (long) token * space.perToken() + lane;
        long place = mine ? space.place(route).get(0) : -1;
        sources[half + lane] =
                place < 0 ? NOWHERE : space.distances().get(place >>> 32) + results + (place & 0xffff_ffffL) * bytes;
        factors[half + lane] = mine && (extras & WEIGHTS) != 0 ? weights.get(route) : 1;
    }

    /**
     * Multiplies the gradient of each token's sum with the answers of its choices. A warp has a choice: each lane sums
     * every 32nd product, and lanes are added in a tree, so the order does not depend on the grid.
     *
     * @param from type of results
     * @param type of {@code gradients}
     * @param to by token and choice; 0 for a dropped one
     */
    @Kernel(maxThreads = THREADS)
    static void weightGradients(
            @Constant SumType from,
            @Constant SumType type,
            MoeSpace space,
            long results,
            F32Ptr to,
            I8Ptr gradients,
            int hidden) {
        Grid.awaitPrevious();
        Grid.launchDependents();
        int choices = space.perToken();
        int routes = space.tokens().get(0) * choices;
        int warps = BlockDim.x() / Warp.SIZE;
        int lane = Warp.laneId();
        for (int route = BlockIdx.x() * warps + Warp.id(); route < routes; route += GridDim.x() * warps) {
            long place = space.place(route).get(0);
            float sum = 0;
            if (place >= 0) {
                long row = (place & 0xffff_ffffL) * hidden * bytes(from);
                I8Ptr answer = space.base().plus(space.distances().get(place >>> 32) + results + row);
                I8Ptr gradient = gradients.plus((long) (route / choices) * hidden * bytes(type));
                for (int i = lane; i < hidden; i += Warp.SIZE) {
                    sum = Math.fma(SumType.get(type, gradient, i), SumType.get(from, answer, i), sum);
                }
            }
            for (int other = Warp.SIZE / 2; other > 0; other /= 2) {
                sum += Warp.shuffleXor(sum, other);
            }
            if (lane == 0) {
                to.set(route, sum);
            }
        }
    }

    private static int bytes(SumType type) {
        return type == SumType.F32 ? 4 : 2;
    }

    private static void one(
            SumType from,
            SumType to,
            MoeSpace space,
            long[] sources,
            float[] factors,
            int half,
            I8Ptr row,
            I8Ptr bias,
            float factor,
            int extras,
            int i) {
        float sum = 0;
        for (int k = 0; k < space.perToken(); k++) {
            long source = sources[half + k];
            if (source != NOWHERE) {
                sum = Math.fma(factors[half + k], SumType.get(from, space.base().plus(source), i), sum);
            }
        }
        float value = factor * sum;
        if ((extras & BIAS) != 0) {
            value += SumType.get(to, bias, i);
        }
        if ((extras & ACCUMULATE) != 0) {
            value += SumType.get(to, row, i);
        }
        SumType.set(to, row, i, value);
    }

    private static void eight(
            SumType from,
            SumType to,
            MoeSpace space,
            long[] sources,
            float[] factors,
            int half,
            I8Ptr row,
            I8Ptr bias,
            float factor,
            int extras,
            int i) {
        int words = from == SumType.F32 ? 8 : 4;
        int outWords = to == SumType.F32 ? 8 : 4;
        I32Ptr at = row.asI32();
        float[] sums = new float[UNIT];
        int[] loaded = new int[BATCH * UNIT];
        for (int first = 0; first < space.perToken(); first += BATCH) {
            // All loads are under way before the first is waited for.
            for (int j = 0; j < BATCH; j++) {
                Unroll.all();
                long source = first + j < space.perToken() ? sources[half + first + j] : NOWHERE;
                if (source != NOWHERE) {
                    I32Ptr from4 = space.base().plus(source).asI32();
                    put(loaded, UNIT * j, from4.get4((long) i * words));
                    if (from == SumType.F32) {
                        put(loaded, UNIT * j + 4, from4.get4((long) i * words + 4));
                    }
                }
            }
            for (int j = 0; j < BATCH; j++) {
                Unroll.all();
                long source = first + j < space.perToken() ? sources[half + first + j] : NOWHERE;
                if (source != NOWHERE) {
                    float weight = factors[half + first + j];
                    for (int e = 0; e < UNIT; e++) {
                        Unroll.all();
                        sums[e] = Math.fma(weight, element(from, loaded, UNIT * j, e), sums[e]);
                    }
                }
            }
        }
        for (int e = 0; e < UNIT; e++) {
            Unroll.all();
            sums[e] *= factor;
        }
        if ((extras & BIAS) != 0) {
            add(to, bias.asI32(), (long) i * outWords, loaded, sums);
        }
        if ((extras & ACCUMULATE) != 0) {
            add(to, at, (long) i * outWords, loaded, sums);
        }
        if (to == SumType.F32) {
            at.set4((long) i * outWords, new Int4(bits(sums[0]), bits(sums[1]), bits(sums[2]), bits(sums[3])));
            at.set4((long) i * outWords + 4, new Int4(bits(sums[4]), bits(sums[5]), bits(sums[6]), bits(sums[7])));
        } else {
            at.set4(
                    (long) i * outWords,
                    new Int4(
                            SumType.pair(to, sums[0], sums[1]),
                            SumType.pair(to, sums[2], sums[3]),
                            SumType.pair(to, sums[4], sums[5]),
                            SumType.pair(to, sums[6], sums[7])));
        }
    }

    private static void add(SumType type, I32Ptr from, long word, int[] loaded, float[] sums) {
        put(loaded, 0, from.get4(word));
        if (type == SumType.F32) {
            put(loaded, 4, from.get4(word + 4));
        }
        for (int e = 0; e < UNIT; e++) {
            Unroll.all();
            sums[e] += element(type, loaded, 0, e);
        }
    }

    private static void put(int[] words, int at, Int4 four) {
        words[at] = four.x();
        words[at + 1] = four.y();
        words[at + 2] = four.z();
        words[at + 3] = four.w();
    }

    private static float element(SumType type, int[] words, int at, int e) {
        if (type == SumType.F32) {
            return Float.intBitsToFloat(words[at + e]);
        }
        int word = words[at + e / 2];
        if (type == SumType.BF16) {
            return Float.intBitsToFloat((e & 1) == 0 ? word << 16 : word & 0xffff0000);
        }
        return new Half((short) ((e & 1) == 0 ? word : word >>> 16)).toFloat();
    }

    private static int bits(float value) {
        return Float.floatToRawIntBits(value);
    }

    /** {@link FusedExperts#combine}; not there, since places of shared arrays are those of the kernel's own code. */
    static void sums(RoutedRows rows, SumType type, F32Ptr weights, FusedExperts.TokenSink sink) {
        MoeSpace space = rows.space();
        int epoch = space.epoch().get(0);
        if (BlockIdx.x() == 0) {
            announce(space, epoch);
        }
        boolean complete = Block.syncAnd(announced(space, epoch));
        long[] sources = Shared.i64(2 * Warp.SIZE);
        float[] factors = Shared.f32(2 * Warp.SIZE);
        int tokens = complete ? space.tokens().get(0) : 0;
        int turn = 0;
        for (int token = BlockIdx.x(); token < tokens; token += GridDim.x()) {
            int half = turn * Warp.SIZE;
            if (Warp.id() == 0) {
                source(space, space.results(), rows.resultBytes(), token, weights, WEIGHTS, sources, factors, half);
            }
            Block.sync();
            for (int i = ThreadIdx.x(); i < rows.hidden(); i += BlockDim.x()) {
                float sum = 0;
                for (int k = 0; k < space.perToken(); k++) {
                    long from = sources[half + k];
                    if (from != NOWHERE) {
                        sum = Math.fma(
                                factors[half + k],
                                SumType.get(type, space.base().plus(from), i),
                                sum);
                    }
                }
                sink.accept(token, i, sum);
            }
            turn ^= 1;
        }
    }
}
