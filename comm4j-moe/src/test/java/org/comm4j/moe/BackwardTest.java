// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.moe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.SplittableRandom;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.core.World;
import org.comm4j.device.ShmemPe;
import org.comm4j.kernel.CompiledKernel;
import org.comm4j.kernel.CpuOptions;
import org.comm4j.kernel.lang.BlockDim;
import org.comm4j.kernel.lang.BlockIdx;
import org.comm4j.kernel.lang.F32Ptr;
import org.comm4j.kernel.lang.GridDim;
import org.comm4j.kernel.lang.Kernel;
import org.comm4j.kernel.lang.ThreadIdx;
import org.junit.jupiter.api.Test;

/**
 * Gradients of a layer whose experts are matrices, by dispatches along the routes of the forward pass, beside central
 * differences of the layer itself. The loss is linear in each of tokens, weights and matrices, so differences are exact
 * but for rounding.
 */
class BackwardTest {
    private static final long SEED = Long.getLong("comm4j.seed", System.nanoTime());
    private static final int EXPERTS = 5;
    private static final int CHOICES = 2;
    private static final int HIDDEN = 8;
    private static final int TOKENS = 6;
    private static final float STEP = 0.25f;

    /** Multiplies each row by its expert's matrix, or by its transpose. */
    @Kernel
    static void multiply(RoutedRows rows, F32Ptr matrices, boolean transposed) {
        int n = rows.hidden();
        for (int e = BlockIdx.x(); e < rows.experts(); e += GridDim.x()) {
            F32Ptr a = matrices.plus((long) e * n * n);
            for (int row = rows.begin(e); row < rows.end(e); row++) {
                F32Ptr x = FusedExperts.row(rows, row).asF32();
                F32Ptr y = FusedExperts.result(rows, row).asF32();
                for (int i = ThreadIdx.x(); i < n; i += BlockDim.x()) {
                    float sum = 0;
                    for (int j = 0; j < n; j++) {
                        sum = Math.fma(a.get(transposed ? j * n + i : i * n + j), x.get(j), sum);
                    }
                    y.set(i, sum);
                }
            }
        }
    }

    /** Adds weight * gradient * token' of rows for each expert; rows of weights have a token's, then its experts. */
    @Kernel
    static void outer(RoutedRows tokens, RoutedRows gradients, RoutedRows weights, F32Ptr to, int firstExpert) {
        int n = tokens.hidden();
        for (int e = BlockIdx.x(); e < tokens.experts(); e += GridDim.x()) {
            for (int at = ThreadIdx.x(); at < n * n; at += BlockDim.x()) {
                float sum = 0;
                for (int row = tokens.begin(e); row < tokens.end(e); row++) {
                    F32Ptr w = FusedExperts.row(weights, row).asF32();
                    int k = w.get(tokens.choices()) == firstExpert + e ? 0 : 1;
                    float g = FusedExperts.row(gradients, row).asF32().get(at / n);
                    sum += w.get(k) * g * FusedExperts.row(tokens, row).asF32().get(at % n);
                }
                to.set((long) e * n * n + at, sum);
            }
        }
    }

    private static HostArray random(SplittableRandom random, int count) {
        HostArray all = HostArray.allocate(DataType.FLOAT32, count);
        for (int i = 0; i < count; i++) {
            all.setFloat(i, (float) random.nextDouble(-1, 1));
        }
        return all;
    }

    /** What the layer has on a PE, and the loss of all. */
    private record Layer(
            World world,
            ExpertParallel ep,
            CompiledKernel multiply,
            HostArray x,
            HostArray chosen,
            HostArray weights,
            HostArray matrices,
            HostArray factors) {
        double loss() {
            HostArray y = HostArray.allocate(DataType.FLOAT32, x.count());
            Routed routed = ep.dispatch(x, chosen, TOKENS);
            multiply.launch(ep.blocks(), routed.rows(), matrices, false);
            ep.combine(y, routed, weights);
            double own = 0;
            for (int i = 0; i < y.count(); i++) {
                own += (double) factors.getFloat(i) * y.getFloat(i);
            }
            byte[] mine = ByteBuffer.allocate(Double.BYTES).putDouble(own).array();
            return world.exchange("loss", mine).stream()
                    .mapToDouble(each -> ByteBuffer.wrap(each).getDouble())
                    .sum();
        }

        /** The derivative by an element of one PE's array; all PEs call it. */
        double difference(HostArray of, int at, boolean here) {
            float before = of.getFloat(at);
            of.setFloat(at, before + (here ? STEP : 0));
            double above = loss();
            of.setFloat(at, before - (here ? STEP : 0));
            double below = loss();
            of.setFloat(at, before);
            return (above - below) / (2 * STEP);
        }
    }

    @Test
    void gradientsAreThoseOfDifferences() {
        World.threads(2, world -> {
            MoeShape shape = MoeShape.experts(EXPERTS)
                    .perToken(CHOICES)
                    .hidden(HIDDEN)
                    .tokens(TOKENS)
                    .input(DataType.FLOAT32);
            MoeOptions options = MoeOptions.DEFAULT.layout(ExpertLayout.RAGGED).inFlight(4);
            try (ShmemPe pe = ShmemPe.onCpu(world, CpuOptions.fast())) {
                pe.timeout(Duration.ofSeconds(30));
                try (ExpertParallel ep = ExpertParallel.of(pe, shape, options);
                        CompiledKernel multiply = pe.compiler().compile(BackwardTest::multiply);
                        CompiledKernel outer = pe.compiler().compile(BackwardTest::outer)) {
                    judge(world, ep, multiply, outer);
                }
            }
        });
    }

    private static void judge(World world, ExpertParallel ep, CompiledKernel multiply, CompiledKernel outer) {
        int me = world.rank();
        SplittableRandom random = new SplittableRandom(SEED + me);
        HostArray chosen = HostArray.allocate(DataType.INT32, TOKENS * CHOICES);
        for (int t = 0; t < TOKENS; t++) {
            int first = random.nextInt(EXPERTS);
            chosen.setInt(2L * t, first);
            chosen.setInt(2L * t + 1, (first + 1 + random.nextInt(EXPERTS - 1)) % EXPERTS);
        }
        Layer layer = new Layer(
                world,
                ep,
                multiply,
                random(random, TOKENS * HIDDEN),
                chosen,
                random(random, TOKENS * CHOICES),
                random(random, ep.localExperts() * HIDDEN * HIDDEN),
                random(random, TOKENS * HIDDEN));
        // Forward, then its gradients.
        HostArray y = HostArray.allocate(DataType.FLOAT32, TOKENS * HIDDEN);
        HostArray ofWeights = HostArray.allocate(DataType.FLOAT32, TOKENS * CHOICES);
        HostArray ofTokens = HostArray.allocate(DataType.FLOAT32, TOKENS * HIDDEN);
        HostArray ofMatrices = HostArray.allocate(DataType.FLOAT32, layer.matrices.count());
        HostArray along = HostArray.allocate(DataType.FLOAT32, TOKENS * HIDDEN);
        for (int t = 0; t < TOKENS; t++) {
            for (int k = 0; k < CHOICES; k++) {
                along.setFloat((long) t * HIDDEN + k, layer.weights.getFloat(2L * t + k));
                along.setFloat((long) t * HIDDEN + CHOICES + k, chosen.getInt(2L * t + k));
            }
        }
        Routed routed = ep.dispatch(layer.x, chosen, TOKENS);
        RoutedRows tokens = routed.rows();
        multiply.launch(ep.blocks(), tokens, layer.matrices, false);
        ep.combine(y, routed, layer.weights);
        ep.weightGradients(ofWeights, layer.factors, routed);
        Routed gradients = ep.dispatch(layer.factors, routed);
        Routed weights = ep.dispatch(along, routed);
        int firstExpert = ep.placement().local(me)[0];
        outer.launch(ep.blocks(), tokens, gradients.rows(), weights.rows(), ofMatrices, firstExpert);
        multiply.launch(ep.blocks(), gradients.rows(), layer.matrices, true);
        ep.combine(ofTokens, gradients, layer.weights);
        weights.close();
        for (int owner = 0; owner < world.size(); owner++) {
            for (int i = 0; i < 3; i++) {
                SplittableRandom same = new SplittableRandom(SEED * 31 + 7 * owner + i);
                look(layer, "token", layer.x, ofTokens, same.nextInt(TOKENS * HIDDEN), owner);
                look(layer, "weight", layer.weights, ofWeights, same.nextInt(TOKENS * CHOICES), owner);
                // Each PE has two experts or more.
                int element = same.nextInt(2 * HIDDEN * HIDDEN);
                look(layer, "matrix", layer.matrices, ofMatrices, element, owner);
            }
        }
    }

    private static void look(Layer layer, String what, HostArray of, HostArray gradients, int at, int owner) {
        boolean here = layer.world.rank() == owner;
        double difference = layer.difference(of, at, here);
        if (here) {
            assertThat((double) gradients.getFloat(at))
                    .as("derivative by " + what + " " + at + " of PE " + owner + ", -Dcomm4j.seed=" + SEED)
                    .isCloseTo(difference, within(2e-4));
        }
    }
}
