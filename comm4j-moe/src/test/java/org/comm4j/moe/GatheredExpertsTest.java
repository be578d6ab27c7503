// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.moe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.SplittableRandom;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.core.World;
import org.comm4j.test.Nightly;
import org.junit.jupiter.api.Test;

/** {@link GatheredExperts} beside {@link ExpertParallel}, by messages of the embedded engine on the CPU. */
class GatheredExpertsTest {
    private static final long SEED = Long.getLong("comm4j.seed", System.nanoTime());

    /** Small numbers, whose sums do not depend on their order. */
    private static void fill(HostArray array, SplittableRandom random) {
        for (long i = 0; i < array.count(); i++) {
            array.setDouble(i, random.nextInt(-8, 9));
        }
    }

    private static void layer(World world, ExpertTransport messages, SplittableRandom all, SplittableRandom own) {
        int ranks = world.size();
        MoeShape shape = MoeShape.experts(all.nextInt(ranks, 20))
                .perToken(all.nextInt(1, 9))
                .hidden(4 * all.nextInt(1, 20))
                .tokens(all.nextInt(1, 9))
                .input(DataType.FLOAT32)
                .scales(all.nextInt(0, 4), DataType.FLOAT32);
        for (int i = all.nextInt(0, 3); i > 0; i--) {
            shape = shape.payload(4 * i);
        }
        MoeOptions options = all.nextBoolean()
                ? MoeOptions.DEFAULT
                : MoeOptions.DEFAULT.layout(ExpertLayout.RAGGED).padding(all.nextInt(1, 5));
        try (ExpertParallel counted = ExpertParallel.of(messages, shape, options);
                GatheredExperts gathered = GatheredExperts.of(messages, shape, options)) {
            assertThat(gathered.localExperts()).isEqualTo(counted.localExperts());
            for (int round = 0; round < 3; round++) {
                round(shape, options, counted, gathered, own);
            }
        }
    }

    private static void round(
            MoeShape shape,
            MoeOptions options,
            ExpertParallel counted,
            GatheredExperts gathered,
            SplittableRandom own) {
        int count = own.nextInt(3) == 0 ? shape.tokens() : own.nextInt(shape.tokens() + 1);
        HostArray x = HostArray.allocate(DataType.FLOAT32, (long) count * shape.hidden());
        fill(x, own);
        HostArray chosen = HostArray.allocate(DataType.INT64, (long) count * shape.perToken());
        for (int t = 0; t < count; t++) {
            // No expert twice, for which areas of PADDED have no room.
            int first = own.nextInt(shape.experts());
            for (int k = 0; k < shape.perToken(); k++) {
                boolean drop = k >= shape.experts() || own.nextInt(6) == 0;
                chosen.setLong((long) t * shape.perToken() + k, drop ? -1 : (first + k) % shape.experts());
            }
        }
        Tokens tokens = Tokens.of(x, chosen, count);
        if (own.nextBoolean()) {
            HostArray number = HostArray.allocate(DataType.INT32, 1);
            number.setInt(0, count);
            tokens = Tokens.of(x, chosen, number, count);
        }
        if (shape.scales() > 0) {
            HostArray scales = HostArray.allocate(DataType.FLOAT32, (long) (count + 1) * shape.scales());
            fill(scales, own);
            tokens = own.nextBoolean() ? tokens.scales(scales) : tokens.scales(scales, 1, count + 1);
        }
        for (int bytes : shape.payloads()) {
            HostArray payload = HostArray.allocate(DataType.FLOAT32, (long) count * bytes / 4);
            fill(payload, own);
            tokens = tokens.payload(payload);
        }
        Routed expected = counted.dispatch(tokens);
        Routed found = gathered.dispatch(tokens);
        int[] counts = expected.counts().toIntArray();
        assertThat(found.counts().toIntArray()).containsExactly(counts);
        int[] starts = new int[counts.length];
        if (options.layout() == ExpertLayout.RAGGED) {
            assertThat(found.starts().toIntArray())
                    .containsExactly(expected.starts().toIntArray());
            // A rank with fewer experts has room for less padding.
            int[] rows = found.rowExperts().toIntArray();
            assertThat(rows).containsExactly(Arrays.copyOf(expected.rowExperts().toIntArray(), rows.length));
            starts = expected.starts().toIntArray();
        } else {
            int area = shape.tokens() * counted.placement().pes();
            for (int e = 0; e < starts.length; e++) {
                starts[e] = e * area;
            }
        }
        HostArray answers = HostArray.allocate(DataType.FLOAT32, found.results().count());
        float[] x0 = expected.x().toFloatArray();
        float[] x1 = found.x().toFloatArray();
        for (int e = 0; e < counts.length; e++) {
            int first = starts[e];
            int end = first + counts[e];
            same(x1, x0, first, end, shape.hidden());
            same(found.scales().toFloatArray(), expected.scales().toFloatArray(), first, end, shape.scales());
            for (int p = 0; p < shape.payloads().size(); p++) {
                float[] theirs = expected.payload(p).view(DataType.FLOAT32).toFloatArray();
                float[] ours = found.payload(p).view(DataType.FLOAT32).toFloatArray();
                same(ours, theirs, first, end, shape.payloads().get(p) / 4);
            }
            for (int i = first * shape.hidden(); i < end * shape.hidden(); i++) {
                answers.setFloat(i, x1[i] * (e + 1));
            }
        }
        found.results().copyFrom(answers);
        HostArray same = HostArray.allocate(DataType.FLOAT32, expected.results().count());
        same.segment().copyFrom(answers.segment().asSlice(0, Math.min(same.byteSize(), answers.byteSize())));
        expected.results().copyFrom(same);
        combine(shape, counted, gathered, expected, found, count, own);
    }

    private static void combine(
            MoeShape shape,
            ExpertParallel counted,
            GatheredExperts gathered,
            Routed expected,
            Routed found,
            int count,
            SplittableRandom own) {
        HostArray weights = HostArray.allocate(DataType.FLOAT32, (long) count * shape.perToken());
        fill(weights, own);
        HostArray bias = HostArray.allocate(DataType.FLOAT32, (long) count * shape.hidden());
        fill(bias, own);
        boolean biased = own.nextBoolean();
        boolean accumulates = own.nextBoolean();
        float factor = own.nextInt(1, 4);
        HostArray[] out = {HostArray.allocate(DataType.FLOAT32, (long) (count + 1) * shape.hidden()), null};
        out[1] = HostArray.allocate(DataType.FLOAT32, out[0].count());
        for (int i = 0; i < 2; i++) {
            out[i].fill(5);
            Sums sums = Sums.into(out[i]).factor(factor).accumulate(accumulates);
            sums = biased ? sums.bias(bias) : sums;
            sums = biased == accumulates ? sums : sums.weights(weights);
            if (i == 0) {
                counted.combine(sums, expected);
            } else {
                gathered.combine(sums, found);
            }
        }
        assertThat(out[1].toFloatArray()).containsExactly(out[0].toFloatArray());
    }

    private static void same(float[] found, float[] expected, int first, int end, int elements) {
        assertThat(Arrays.copyOfRange(found, first * elements, end * elements))
                .containsExactly(Arrays.copyOfRange(expected, first * elements, end * elements));
    }

    @Test
    void rowsAndSumsAreThoseOfMessages() {
        int layers = Nightly.isOn() ? 40 : 1;
        for (int ranks = Nightly.isOn() ? 1 : 2; ranks <= 3; ranks++) {
            try {
                World.threads(ranks, world -> {
                    ExpertTransport messages = new MessageExpertsTest.Messages(world, world.communicator(), false);
                    SplittableRandom all = new SplittableRandom(SEED);
                    SplittableRandom own = new SplittableRandom(SEED + world.rank() + 1);
                    for (int i = 0; i < layers; i++) {
                        layer(world, messages, all, own);
                    }
                });
            } catch (Throwable e) {
                throw new AssertionError(ranks + " ranks: " + e + "\n(again: -Dcomm4j.seed=" + SEED + ")", e);
            }
        }
    }

    @Test
    void wrongCallsAreSaid() {
        World.threads(2, world -> {
            ExpertTransport messages = new MessageExpertsTest.Messages(world, world.communicator(), false);
            MoeShape shape = MoeShape.experts(4).perToken(2).hidden(8).tokens(4);
            MoeOptions options = MoeOptions.DEFAULT;
            refused(messages, shape, options.layout(ExpertLayout.BY_RANK), "each rank has all tokens anyway");
            refused(messages, shape, options.group(2), "groups of ranks");
            refused(messages, shape, options.layout(ExpertLayout.RAGGED).capacity(9), "there is room for all rows");
            int[][] replicas = {{0, 1}, {1}, {0}, {1}};
            refused(messages, shape, options.placement(ExpertPlacement.of(2, replicas)), "replicas");
            refused(messages, MoeShape.experts(1).hidden(8), options, "ranks without experts");
            try (GatheredExperts gathered = GatheredExperts.of(messages, shape, options.inFlight(1))) {
                HostArray x = HostArray.allocate(DataType.BFLOAT16, 4 * 8);
                HostArray chosen = HostArray.allocate(DataType.INT32, 4 * 2);
                chosen.setInt(0, 1);
                chosen.setInt(5, world.rank() == 1 ? 7 : 2);
                if (world.rank() == 1) {
                    assertThatThrownBy(() -> gathered.dispatch(x, chosen, 3))
                            .isInstanceOf(IllegalArgumentException.class)
                            .hasMessage("dispatch: rank 1: token 2, choice 1: expert 7 is not one of 0 to 3");
                } else {
                    gathered.dispatch(x, chosen, 3).close();
                }
                chosen.setInt(5, 2);
                Routed routed = gathered.dispatch(x, chosen, 1);
                assertThatThrownBy(() -> gathered.dispatch(x, chosen, 1))
                        .isInstanceOf(IllegalStateException.class)
                        .hasMessageContaining("1 dispatches are in flight");
                gathered.combine(Sums.into(x), routed);
                assertThatThrownBy(() -> gathered.combine(Sums.into(x), routed))
                        .isInstanceOf(IllegalStateException.class)
                        .hasMessageContaining("was ended by combine");
            }
        });
    }

    private static void refused(ExpertTransport messages, MoeShape shape, MoeOptions options, String why) {
        assertThatThrownBy(() -> GatheredExperts.of(messages, shape, options))
                .isInstanceOf(UnsupportedOperationException.class)
                .hasMessageContaining(why);
    }
}
