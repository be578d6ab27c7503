// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.moe;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.comm4j.core.Buffer;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.core.SmallFloats;
import org.comm4j.device.ShmemPe;

/** A dispatch and its combine, beside {@link MoeOracle}: what goes into them follows from a number. */
final class MoeFlight {
    /** Rows of the output behind those of tokens. */
    private static final int REST = 2;

    private final MoeShape shape;
    private final MoeOptions options;
    private final MoeLayerCase layer;
    private final ShmemPe pe;
    private final ExpertParallel ep;
    private final long salt;
    /** What rows and answers follow from. */
    private long data;

    private final int group;
    private final MoeOracle oracle;
    private final long[][] chosen;
    private final int tokens;
    private final boolean split;
    private final boolean onDevice;
    private final boolean weighted;
    private final boolean biased;
    private final boolean accumulates;
    private final boolean elsewhere;
    private final boolean strides;
    private final boolean symmetric;
    private final float factor;
    /** Whether rows come into arrays of the program, and whether those are symmetric. */
    private final boolean given;

    private final boolean givenSymmetric;
    private Routed routed;
    private Buffer answers;

    MoeFlight(MoeLayerCase layer, ShmemPe pe, ExpertParallel ep, int[][] placed, int reach, long salt) {
        this.layer = layer;
        this.shape = layer.shape();
        this.options = layer.options();
        this.pe = pe;
        this.ep = ep;
        this.salt = salt;
        this.data = salt;
        SplittableRandom random = new SplittableRandom(salt);
        int groups = pe.nPes() / options.group();
        group = pe.myPe() / options.group();
        long[][][] all = new long[groups][][];
        int[] counts = new int[shape.experts()];
        int room = options.layout() == ExpertLayout.PADDED ? shape.tokens() * groups : Integer.MAX_VALUE;
        for (int each = 0; each < groups; each++) {
            int most = shape.tokens();
            // None, all, about as many as blocks.
            int[] edges = {0, most, 1, 2, 3, 4, 5};
            int edge = Math.min(edges[random.nextInt(edges.length)], most);
            int m = random.nextInt(4) == 0 ? edge : random.nextInt(most + 1);
            all[each] = new long[m][shape.perToken()];
            for (long[] token : all[each]) {
                for (int k = 0; k < token.length; k++) {
                    int bound = layer.skew() && random.nextInt(5) > 0 ? Math.min(shape.experts(), 2) : shape.experts();
                    int expert = random.nextInt(bound);
                    // An area has room for one choice of each token.
                    boolean drop = random.nextInt(100) < layer.drops() || counts[expert] == room;
                    token[k] = drop ? -1 : expert;
                    counts[expert] += drop ? 0 : 1;
                }
            }
        }
        oracle = new MoeOracle(placed, pe.nPes(), options.group(), all, reach);
        chosen = all[group];
        tokens = chosen.length;
        split = random.nextInt(3) == 0;
        onDevice = random.nextInt(3) == 0;
        weighted = random.nextInt(4) > 0;
        biased = random.nextInt(3) == 0;
        accumulates = random.nextInt(3) == 0;
        elsewhere = random.nextInt(4) == 0 && !scaled();
        strides = random.nextBoolean();
        symmetric = random.nextBoolean();
        factor = random.nextInt(3) == 0 ? 0.37f : 1;
        given = random.nextInt(4) == 0;
        givenSymmetric = random.nextBoolean();
    }

    MoeOracle oracle() {
        return oracle;
    }

    private Buffer memory(HostArray from) {
        if (!pe.onGpu()) {
            return from;
        }
        Buffer to = pe.nvshmem().device().allocate(from.type(), from.count());
        to.copyFrom(from);
        return to;
    }

    // ---- what a token is ----

    private byte element(int source, int token, int at) {
        return (byte) (MoeOracle.hash(data, source, token, at / 8) >>> at % 8 * 8);
    }

    /** Of a token that is quantized: numbers of any size, and those that are none. */
    private float number(int source, int token, int i) {
        long hash = MoeOracle.hash(data, source, token, i, 5);
        float value = MoeOracle.value(hash) * Math.scalb(1f, (int) (MoeOracle.hash(data, token, i / 128) & 15) - 8);
        long kind = hash >>> 3 & 255;
        if ((MoeOracle.hash(data, source, token, i / 128, 6) & 7) == 0) {
            return 0;
        }
        return MoeOracle.rounded(
                shape.input(),
                kind == 0 ? Float.NaN : kind == 1 ? Float.POSITIVE_INFINITY : kind == 2 ? 3e-40f : value);
    }

    private boolean quantizes() {
        return options.quantize() != Quantization.NONE;
    }

    private static void set(HostArray array, long i, float value) {
        if (array.type() == DataType.FLOAT8_E4M3) {
            array.segment().set(ValueLayout.JAVA_BYTE, i, SmallFloats.floatToE4m3(value));
        } else if (array.type() == DataType.FLOAT16) {
            array.segment().setAtIndex(ValueLayout.JAVA_SHORT, i, Float.floatToFloat16(value));
        } else {
            array.setDouble(i, value);
        }
    }

    private HostArray x() {
        HostArray x = HostArray.allocate(shape.input(), (long) tokens * shape.hidden());
        int row = shape.inputBytes();
        for (int t = 0; t < tokens; t++) {
            for (int i = 0; i < (quantizes() ? 0 : row); i++) {
                x.segment().set(ValueLayout.JAVA_BYTE, (long) t * row + i, element(group, t, i));
            }
            for (int i = 0; i < (quantizes() ? shape.hidden() : 0); i++) {
                set(x, (long) t * shape.hidden() + i, number(group, t, i));
            }
        }
        return x;
    }

    void dispatch() {
        HostArray routes = HostArray.allocate(layer.routeType(), (long) tokens * shape.perToken());
        for (int t = 0; t < tokens; t++) {
            for (int k = 0; k < shape.perToken(); k++) {
                routes.setLong((long) t * shape.perToken() + k, chosen[t][k]);
            }
        }
        Tokens all = Tokens.of(memory(x()), memory(routes), tokens);
        if (onDevice) {
            HostArray count = HostArray.allocate(DataType.INT32, 1);
            count.setInt(0, tokens);
            all = Tokens.of(all.x(), all.chosen(), memory(count), tokens);
        }
        all = along(all);
        MoeMemory.Plan plan = new MoeMemory.Plan(shape, options, pe.nPes());
        long rows = plan.capacity();
        if (given) {
            all = all.into(array(plan.rowType(), rows * shape.hidden()));
            all = plan.scales() > 0 ? all.scalesInto(array(plan.scaleType(), rows * plan.scales())) : all;
        }
        routed = split ? ep.dispatchSend(all) : ep.dispatch(all);
        if (split) {
            routed.receive();
        }
        assertThat(routed.tokens()).isEqualTo(tokens);
        if (given) {
            assertThat(routed.x()).isSameAs(all.into());
        }
    }

    private Buffer array(DataType type, long count) {
        return givenSymmetric ? pe.allocate(type, count) : memory(HostArray.allocate(type, count));
    }

    private Tokens along(Tokens all) {
        if (shape.scales() > 0) {
            int bytes = shape.scaleType().bytes();
            // Each scale a column, or with room behind each token's.
            long rowStride = strides ? 1 : shape.scales() + 1;
            long step = strides ? tokens + 1 : 1;
            HostArray scales = HostArray.allocate(shape.scaleType(), (long) (tokens + 2) * (shape.scales() + 1));
            for (int t = 0; t < tokens; t++) {
                for (int i = 0; i < shape.scales() * bytes; i++) {
                    long at = (t * rowStride + i / bytes * step) * bytes + i % bytes;
                    scales.segment().set(ValueLayout.JAVA_BYTE, at, element(-1 - group, t, i));
                }
            }
            all = all.scales(memory(scales), rowStride, step);
        }
        for (int p = 0; p < shape.payloads().size(); p++) {
            int bytes = shape.payloads().get(p);
            HostArray payload = HostArray.allocate(DataType.INT8, (long) tokens * bytes);
            for (int i = 0; i < tokens * bytes; i++) {
                payload.segment().set(ValueLayout.JAVA_BYTE, i, element(-100 - group - 100 * p, i / bytes, i % bytes));
            }
            all = all.payload(memory(payload));
        }
        return all;
    }

    // ---- what came ----

    /** The first row of each expert of this PE, and behind the last. */
    private int[] starts() {
        List<List<MoeOracle.Row>> local = oracle.of(pe.myPe());
        int[] starts = new int[local.size() + 1];
        for (int e = 0; e < local.size(); e++) {
            int padding = options.padding();
            starts[e + 1] = options.layout() == ExpertLayout.PADDED
                    ? (e + 1) * shape.tokens() * (pe.nPes() / options.group())
                    : starts[e] + (local.get(e).size() + padding - 1) / padding * padding;
        }
        return starts;
    }

    void judgeRows() {
        List<List<MoeOracle.Row>> local = oracle.of(pe.myPe());
        int[] starts = starts();
        assertThat(routed.counts().toIntArray())
                .containsExactly(local.stream().mapToInt(List::size).toArray());
        if (options.layout() == ExpertLayout.RAGGED) {
            assertThat(routed.starts().toIntArray()).containsExactly(starts);
            int[] experts = new int[(int) routed.rowExperts().count()];
            Arrays.fill(experts, -1);
            for (int e = 0; e < local.size(); e++) {
                Arrays.fill(experts, starts[e], starts[e] + local.get(e).size(), e);
            }
            assertThat(routed.rowExperts().toIntArray()).containsExactly(experts);
        }
        HostArray x = routed.x().toHost();
        HostArray scales = routed.scales().toHost();
        assertThat(x.type()).isEqualTo(quantizes() ? DataType.FLOAT8_E4M3 : shape.input());
        for (int e = 0; e < local.size(); e++) {
            for (int j = 0; j < local.get(e).size(); j++) {
                MoeOracle.Row from = local.get(e).get(j);
                int row = starts[e] + j;
                if (quantizes()) {
                    judgeQuantized(x.segment(), scales, row, from);
                } else {
                    int bytes = shape.inputBytes();
                    judge("row " + from, x.segment(), (long) row * bytes, bytes, from.group(), from.token());
                    int size = shape.scaleType().bytes();
                    for (int s = 0; s < shape.scales(); s++) {
                        for (int b = 0; b < size; b++) {
                            byte found = scales.segment()
                                    .get(ValueLayout.JAVA_BYTE, scale(row, s, shape.scales()) * size + b);
                            if (found != element(-1 - from.group(), from.token(), s * size + b)) {
                                throw new AssertionError("scale " + s + " of row " + row + " is not that of " + from);
                            }
                        }
                    }
                }
                for (int p = 0; p < shape.payloads().size(); p++) {
                    int bytes = shape.payloads().get(p);
                    judge(
                            "payload " + p + " of " + from,
                            payload(p),
                            (long) row * bytes,
                            bytes,
                            -100 - from.group() - 100 * p,
                            from.token());
                }
            }
        }
    }

    private final MemorySegment[] payloads = new MemorySegment[MoeShape.MOST_PAYLOADS];

    private MemorySegment payload(int number) {
        if (payloads[number] == null) {
            payloads[number] = routed.payload(number).toHost().segment();
        }
        return payloads[number];
    }

    private void judge(String what, MemorySegment found, long at, int bytes, int source, int token) {
        for (int i = 0; i < bytes; i++) {
            if (found.get(ValueLayout.JAVA_BYTE, at + i) != element(source, token, i)) {
                throw new AssertionError(what + " on PE " + pe.myPe() + " is another at byte " + i);
            }
        }
    }

    /** Where a scale of a row is. */
    private long scale(int row, int number, int scales) {
        if (!options.scaleColumns()) {
            return (long) row * scales + number;
        }
        int period = options.layout() == ExpertLayout.PADDED
                ? shape.tokens() * (pe.nPes() / options.group())
                : (int) routed.rowExperts().count();
        return (long) row / period * period * scales + (long) number * period + row % period;
    }

    private void judgeQuantized(MemorySegment x, HostArray scales, int row, MoeOracle.Row from) {
        boolean powers = options.quantize() == Quantization.FP8_BLOCK_128_UE8M0;
        int size = options.quantize() == Quantization.FP8_ROW ? shape.hidden() : 128;
        int blocks = (shape.hidden() + size - 1) / size;
        for (int block = 0; block < blocks; block++) {
            float[] values = new float[Math.min(size, shape.hidden() - size * block)];
            for (int i = 0; i < values.length; i++) {
                values[i] = number(from.group(), from.token(), size * block + i);
            }
            float scale = MoeOracle.scale(values, powers);
            long at = scale(row, block, blocks);
            float found = powers
                    ? Math.scalb(1f, (scales.segment().get(ValueLayout.JAVA_BYTE, at) & 0xff) - 127)
                    : scales.getFloat(at);
            if (found != scale) {
                throw new AssertionError("scale " + block + " of " + from + " is " + found + " instead of " + scale);
            }
            for (int i = 0; i < values.length; i++) {
                byte expected = SmallFloats.floatToE4m3(values[i] * (1 / scale));
                if (x.get(ValueLayout.JAVA_BYTE, (long) row * shape.hidden() + size * block + i) != expected) {
                    throw new AssertionError("element " + (size * block + i) + " of " + from + ", " + values[i]
                            + ", is not " + SmallFloats.e4m3ToFloat(expected) + " with scale " + scale);
                }
            }
        }
    }

    // ---- what is answered ----

    private boolean scaled() {
        return options.results(shape) == DataType.FLOAT8_E4M3;
    }

    /** Of 128 elements of an answer of FLOAT8_E4M3. */
    private float scale(int source, int token, int choice, int block) {
        return 1 + MoeOracle.value(data, source, token, choice, block, 8) / 2;
    }

    private float result(int source, int token, int choice, int expert, int element) {
        if (scaled()) {
            float value = MoeOracle.value(data, source, token, choice, expert, element);
            return SmallFloats.e4m3ToFloat(SmallFloats.floatToE4m3(value))
                    * scale(source, token, choice, element / 128);
        }
        return MoeOracle.rounded(options.results(shape), MoeOracle.value(data, source, token, choice, expert, element));
    }

    private float weight(int source, int token, int choice) {
        return weighted ? MoeOracle.value(data, source, token, choice) : 1;
    }

    private float bias(int token, int element) {
        return MoeOracle.rounded(layer.output(), MoeOracle.value(data, token, element, 77));
    }

    void answer() {
        HostArray all = routed.results().toHost();
        HostArray scales = routed.resultScales().toHost();
        int blocks = scaled() ? (shape.hidden() + 127) / 128 : 0;
        List<List<MoeOracle.Row>> local = oracle.of(pe.myPe());
        int[] starts = starts();
        for (int e = 0; e < local.size(); e++) {
            for (int j = 0; j < local.get(e).size(); j++) {
                MoeOracle.Row from = local.get(e).get(j);
                long row = starts[e] + j;
                for (int i = 0; i < blocks; i++) {
                    scales.setFloat(row * blocks + i, scale(from.group(), from.token(), from.choice(), i));
                }
                for (int i = 0; i < shape.hidden(); i++) {
                    float value = result(from.group(), from.token(), from.choice(), from.expert(), i);
                    if (scaled()) {
                        value = MoeOracle.value(data, from.group(), from.token(), from.choice(), from.expert(), i);
                    }
                    set(all, row * shape.hidden() + i, value);
                }
            }
        }
        routed.resultScales().copyFrom(scales);
        if (elsewhere) {
            // Other PEs read symmetric memory where it is.
            answers = symmetric ? pe.allocate(all.type(), all.count()) : memory(all);
            answers.copyFrom(all);
        } else {
            routed.results().copyFrom(all);
        }
    }

    void combine() {
        HostArray weights = HostArray.allocate(DataType.FLOAT32, (long) tokens * shape.perToken());
        for (int t = 0; t < tokens; t++) {
            for (int k = 0; k < shape.perToken(); k++) {
                weights.setFloat((long) t * shape.perToken() + k, weight(group, t, k));
            }
        }
        HostArray bias = HostArray.allocate(layer.output(), (long) tokens * shape.hidden());
        for (int t = 0; t < tokens && biased; t++) {
            for (int i = 0; i < shape.hidden(); i++) {
                set(bias, (long) t * shape.hidden() + i, bias(t, i));
            }
        }
        Buffer out = memory(HostArray.allocate(layer.output(), (long) (tokens + REST) * shape.hidden()));
        out.fill(7);
        Sums sums = Sums.into(out).factor(factor).accumulate(accumulates);
        sums = weighted ? sums.weights(memory(weights)) : sums;
        sums = biased ? sums.bias(memory(bias)) : sums;
        sums = elsewhere ? sums.results(answers) : sums;
        if (split) {
            ep.combineSend(sums, routed).receive();
        } else {
            ep.combine(sums, routed);
        }
        HostArray found = out.toHost();
        for (int t = 0; t < tokens + REST; t++) {
            for (int i = 0; i < shape.hidden(); i++) {
                float expected = t < tokens ? expected(t, i) : 7;
                float value = (float) found.getDouble((long) t * shape.hidden() + i);
                if (Float.floatToIntBits(value) != Float.floatToIntBits(expected)) {
                    throw new AssertionError("token " + t + " of " + tokens + " on PE " + pe.myPe() + ", element " + i
                            + ": " + value + " instead of " + expected);
                }
            }
        }
    }

    /** Gradients of weights, and other rows along the same routes; needs memory for one more dispatch. */
    void backward() {
        if (!elsewhere) {
            judgeGradients();
        }
        if (shape.scales() == 0 && shape.payloads().isEmpty()) {
            data = MoeOracle.hash(salt, 99);
            routed = ep.dispatch(memory(x()), routed);
            assertThat(routed.tokens()).isEqualTo(tokens);
            judgeRows();
            answer();
            combine();
        }
    }

    private void judgeGradients() {
        HostArray gradients = HostArray.allocate(layer.output(), (long) tokens * shape.hidden());
        for (long i = 0; i < gradients.count(); i++) {
            set(gradients, i, MoeOracle.rounded(layer.output(), MoeOracle.value(data, i, 55)));
        }
        Buffer to = memory(HostArray.allocate(DataType.FLOAT32, (long) tokens * shape.perToken()));
        to.fill(7);
        ep.weightGradients(to, memory(gradients), routed);
        HostArray found = to.toHost();
        for (int t = 0; t < tokens; t++) {
            for (int k = 0; k < shape.perToken(); k++) {
                float expected = 0;
                if (chosen[t][k] >= 0) {
                    float[] lanes = new float[32];
                    for (int i = 0; i < shape.hidden(); i++) {
                        float gradient = (float) gradients.getDouble((long) t * shape.hidden() + i);
                        lanes[i % 32] = Math.fma(gradient, result(group, t, k, (int) chosen[t][k], i), lanes[i % 32]);
                    }
                    for (int half = 16; half > 0; half /= 2) {
                        for (int i = 0; i < half; i++) {
                            lanes[i] += lanes[i + half];
                        }
                    }
                    expected = lanes[0];
                }
                assertThat(found.getFloat((long) t * shape.perToken() + k)).isEqualTo(expected);
            }
        }
    }

    private float expected(int token, int i) {
        float value = factor * oracle.sum(group, token, this::result, this::weight, i);
        value = biased ? value + bias(token, i) : value;
        return MoeOracle.rounded(layer.output(), accumulates ? value + 7 : value);
    }
}
