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
    static final int UNIT = 8;
    /** Answers that a thread loads before it adds the first. */
    private static final int BATCH = 4;

    static final long NOWHERE = Long.MIN_VALUE;

    private PullKernels() {}

    /**
     * Sums the answers of each token's experts, times their weights, in the order of choices.
     *
     * @param from type of results
     * @param to type of {@code out}
     * @param wide whether all rows are multiples of what a thread sums at once, at multiples of 16 bytes
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
            Announcing.announce(space, epoch);
        }
        int items = tokens * parts;
        int share = (items + GridDim.x() - 1) / GridDim.x();
        int begin = Math.min(BlockIdx.x() * share, items);
        int end = Math.min(begin + share, items);
        int firstRoute = begin / parts * space.perToken();
        int routes = (end + parts - 1) / parts * space.perToken() - firstRoute;
        // Few routes do not need all PEs.
        boolean complete = routes < space.living()
                ? Announcing.announced(space, epoch, firstRoute, routes)
                : Announcing.announced(space, epoch);
        if (!Block.syncAnd(complete)) {
            return;
        }
        int unit = !wide ? 1 : from == SumType.E4M3 ? ScaledAnswers.UNIT : UNIT;
        int units = hidden / unit;
        // Twice, so that one barrier a token is enough.
        long[] sources = Shared.i64(2 * Warp.SIZE);
        long[] scales = Shared.i64(2 * Warp.SIZE);
        float[] factors = Shared.f32(2 * Warp.SIZE);
        for (int token = begin / parts; token * parts < end; token++) {
            int half = (token & 1) * Warp.SIZE;
            if (Warp.id() == 0) {
                source(space, results, (long) hidden * from.bytes(), token, weights, extras, sources, factors, half);
                if (from == SumType.E4M3) {
                    scales(space, hidden, token, scales, half);
                }
            }
            Block.sync();
            int first = (int) ((long) Math.max(begin - token * parts, 0) * units / parts);
            int last = (int) ((long) Math.min(end - token * parts, parts) * units / parts);
            long at = (long) token * hidden * to.bytes();
            I8Ptr row = out.plus(at);
            I8Ptr added = bias.plus((extras & BIAS) != 0 ? at : 0);
            for (int i = first + ThreadIdx.x(); i < last; i += BlockDim.x()) {
                if (wide && from == SumType.E4M3) {
                    float[] sums = new float[ScaledAnswers.UNIT];
                    ScaledAnswers.add(space, sources, scales, factors, half, i, sums);
                    finish(to, sums, 0, row, added, factor, extras, 2 * i);
                    finish(to, sums, UNIT, row, added, factor, extras, 2 * i + 1);
                } else if (wide) {
                    eight(from, to, space, sources, factors, half, row, added, factor, extras, i);
                } else {
                    one(from, to, space, sources, scales, factors, half, row, added, factor, extras, i);
                }
            }
        }
    }

    /** Only says that this PE's results are there. One block. */
    @Kernel(maxThreads = THREADS)
    static void announce(MoeSpace space) {
        Grid.awaitPrevious();
        Grid.launchDependents();
        Announcing.announce(space, space.epoch().get(0));
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
        float weight = mine && (extras & WEIGHTS) != 0 ? weights.get(route) : 1;
        if (space.renormalize() && (extras & WEIGHTS) != 0) {
            weight *= share(space.perToken(), place, weight);
        }
        factors[half + lane] = weight;
    }

    /** A lane's: where the scales of a choice's answer are. */
    static void scales(MoeSpace space, int hidden, int token, long[] scales, int half) {
        int lane = Warp.laneId();
        long place = lane < space.perToken()
                ? space.place((long) token * space.perToken() + lane).get(0)
                : -1;
        long row = (place & 0xffff_ffffL) * 4 * ScaledAnswers.scales(hidden);
        scales[half + lane] = place < 0 ? NOWHERE : space.distances().get(place >>> 32) + space.resultScales() + row;
    }

    /** Returns an element of a choice's answer. Only those of E4M3 have scales, and only they are in the array. */
    private static float answer(SumType from, MoeSpace space, long source, long[] scales, int choice, int i) {
        return answer(from, space, source, from == SumType.E4M3 ? scales[choice] : NOWHERE, i);
    }

    private static float answer(SumType from, MoeSpace space, long source, long scales, int i) {
        return from == SumType.E4M3
                ? ScaledAnswers.get(space, source, scales, i)
                : SumType.get(from, space.base().plus(source), i);
    }

    /** Returns the sum of a token's weights, divided by that of the choices that are not lost; 1 if that is 0. */
    private static float share(int choices, long place, float weight) {
        float all = 0;
        float left = 0;
        for (int k = 0; k < choices; k++) {
            long theirs = Warp.shuffle(place, k);
            float counted = Warp.shuffle(weight, k);
            all += theirs != -1 ? counted : 0;
            left += theirs >= 0 ? counted : 0;
        }
        return left == 0 ? 1 : all / left;
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
                long row = place & 0xffff_ffffL;
                long there = space.distances().get(place >>> 32);
                long source = there + results + row * hidden * from.bytes();
                long scales = there + space.resultScales() + row * 4 * ScaledAnswers.scales(hidden);
                I8Ptr gradient = gradients.plus((long) (route / choices) * hidden * type.bytes());
                for (int i = lane; i < hidden; i += Warp.SIZE) {
                    sum = Math.fma(SumType.get(type, gradient, i), answer(from, space, source, scales, i), sum);
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

    private static void one(
            SumType from,
            SumType to,
            MoeSpace space,
            long[] sources,
            long[] scales,
            float[] factors,
            int half,
            I8Ptr row,
            I8Ptr bias,
            float factor,
            int extras,
            int i) {
        float value = factor * sum(from, space, sources, scales, factors, half, i);
        if ((extras & BIAS) != 0) {
            value += SumType.get(to, bias, i);
        }
        if ((extras & ACCUMULATE) != 0) {
            value += SumType.get(to, row, i);
        }
        SumType.set(to, row, i, value);
    }

    /** Returns the sum of one element of all choices' answers. */
    private static float sum(
            SumType from, MoeSpace space, long[] sources, long[] scales, float[] factors, int half, int i) {
        float sum = 0;
        for (int k = 0; k < space.perToken(); k++) {
            long source = sources[half + k];
            if (source != NOWHERE) {
                sum = Math.fma(factors[half + k], answer(from, space, source, scales, half + k, i), sum);
            }
        }
        return sum;
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
        float[] sums = new float[UNIT];
        add(from, space, sources, factors, half, i, sums);
        finish(to, sums, 0, row, bias, factor, extras, i);
    }

    /** Adds the answers of all choices to the eight sums of number {@code i}, in the order of choices. */
    private static void add(
            SumType from, MoeSpace space, long[] sources, float[] factors, int half, int i, float[] sums) {
        int words = from == SumType.F32 ? 8 : 4;
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
    }

    /** What becomes of eight sums from {@code s} on. */
    private static void finish(
            SumType to, float[] sums, int s, I8Ptr row, I8Ptr bias, float factor, int extras, int i) {
        int words = to == SumType.F32 ? 8 : 4;
        long word = (long) i * words;
        I32Ptr at = row.asI32();
        for (int e = 0; e < UNIT; e++) {
            Unroll.all();
            sums[s + e] *= factor;
        }
        if ((extras & BIAS) != 0) {
            add(to, bias.asI32(), word, sums, s);
        }
        if ((extras & ACCUMULATE) != 0) {
            add(to, at, word, sums, s);
        }
        if (to == SumType.F32) {
            at.set4(word, new Int4(bits(sums[s]), bits(sums[s + 1]), bits(sums[s + 2]), bits(sums[s + 3])));
            at.set4(word + 4, new Int4(bits(sums[s + 4]), bits(sums[s + 5]), bits(sums[s + 6]), bits(sums[s + 7])));
        } else {
            at.set4(
                    word,
                    new Int4(
                            SumType.pair(to, sums[s], sums[s + 1]),
                            SumType.pair(to, sums[s + 2], sums[s + 3]),
                            SumType.pair(to, sums[s + 4], sums[s + 5]),
                            SumType.pair(to, sums[s + 6], sums[s + 7])));
        }
    }

    private static void add(SumType type, I32Ptr from, long word, float[] sums, int s) {
        int[] loaded = new int[UNIT];
        put(loaded, 0, from.get4(word));
        if (type == SumType.F32) {
            put(loaded, 4, from.get4(word + 4));
        }
        for (int e = 0; e < UNIT; e++) {
            Unroll.all();
            sums[s + e] += element(type, loaded, 0, e);
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
    static void sums(RoutedRows rows, SumType type, boolean done, F32Ptr weights, FusedExperts.TokenSink sink) {
        MoeSpace space = rows.space();
        int epoch = space.epoch().get(0);
        if (!done && BlockIdx.x() == 0) {
            Announcing.announce(space, epoch);
        }
        int all = space.tokens().get(0);
        int share = (all + GridDim.x() - 1) / GridDim.x();
        int begin = Math.min(BlockIdx.x() * share, all);
        int end = Math.min(begin + share, all);
        int firstRoute = begin * space.perToken();
        int routes = end * space.perToken() - firstRoute;
        // Who has no answers for this PE need not say so, but has read its counts before it sends others.
        boolean complete = done
                ? SendKernels.arrived(space, epoch) && Announcing.announced(space, epoch, firstRoute, routes)
                : Announcing.announced(space, epoch);
        if (!Block.syncAnd(complete)) {
            return;
        }
        long[] sources = Shared.i64(2 * Warp.SIZE);
        long[] scales = Shared.i64(2 * Warp.SIZE);
        float[] factors = Shared.f32(2 * Warp.SIZE);
        // Then rows of answers are multiples of 16 bytes.
        boolean wide = type != SumType.E4M3 && rows.hidden() % UNIT == 0;
        int unit = wide ? UNIT : 1;
        for (int token = begin; token < end; token++) {
            int half = (token & 1) * Warp.SIZE;
            if (Warp.id() == 0) {
                source(space, space.results(), rows.resultBytes(), token, weights, WEIGHTS, sources, factors, half);
                if (type == SumType.E4M3) {
                    scales(space, rows.hidden(), token, scales, half);
                }
            }
            Block.sync();
            for (int i = ThreadIdx.x(); i < rows.hidden() / unit; i += BlockDim.x()) {
                if (wide) {
                    float[] sums = new float[UNIT];
                    add(type, space, sources, factors, half, i, sums);
                    for (int e = 0; e < UNIT; e++) {
                        Unroll.all();
                        sink.accept(token, UNIT * i + e, sums[e]);
                    }
                } else {
                    sink.accept(token, i, sum(type, space, sources, scales, factors, half, i));
                }
            }
        }
    }
}
