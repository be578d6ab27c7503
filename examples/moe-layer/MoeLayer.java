// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

import org.comm4j.core.Buffer;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.core.World;
import org.comm4j.device.ShmemPe;
import org.comm4j.kernel.CompiledKernel;
import org.comm4j.kernel.lang.BlockDim;
import org.comm4j.kernel.lang.BlockIdx;
import org.comm4j.kernel.lang.F32Ptr;
import org.comm4j.kernel.lang.GridDim;
import org.comm4j.kernel.lang.Kernel;
import org.comm4j.kernel.lang.ThreadIdx;
import org.comm4j.moe.ExpertLayout;
import org.comm4j.moe.ExpertParallel;
import org.comm4j.moe.FusedExperts;
import org.comm4j.moe.MoeOptions;
import org.comm4j.moe.MoeShape;
import org.comm4j.moe.Routed;
import org.comm4j.moe.RoutedRows;
import org.comm4j.moe.Sums;
import org.comm4j.moe.Tokens;

/** A mixture-of-experts layer: router, dispatch, products with the experts' matrices, combine. */
class MoeLayer {
    private static final int EXPERTS = 16;
    private static final int CHOICES = 2;

    /** Rows of an expert times its matrix, as soon as they are there; a block takes experts in turn. */
    @Kernel
    static void experts(RoutedRows rows, F32Ptr matrices, int hidden) {
        for (int e = BlockIdx.x(); e < rows.experts(); e += GridDim.x()) {
            // After a whole dispatch it returns at once.
            if (FusedExperts.await(rows, e)) {
                F32Ptr matrix = matrices.plus((long) e * hidden * hidden);
                for (int row = rows.begin(e); row < rows.end(e); row++) {
                    F32Ptr x = FusedExperts.row(rows, row).asF32();
                    F32Ptr y = FusedExperts.result(rows, row).asF32();
                    for (int j = ThreadIdx.x(); j < hidden; j += BlockDim.x()) {
                        float sum = 0;
                        for (int i = 0; i < hidden; i++) {
                            sum += x.get(i) * matrix.get((long) i * hidden + j);
                        }
                        y.set(j, sum);
                    }
                }
            }
        }
    }

    /** Some value between -1 and 1, the same on all PEs. */
    private static float value(int a, int b, int c) {
        int h = (a * 31 + b) * 31 + c;
        h = (h ^ h >>> 15) * 0x2c1b3c6d;
        h = (h ^ h >>> 12) * 0x297a2d39;
        return (h >> 8) / (float) (1 << 23);
    }

    private static float element(int pe, int token, int i) {
        return value(pe + 1, token, i);
    }

    private static float matrix(int expert, int i, int j) {
        return value(1000 + expert, i, j);
    }

    /** Chooses the experts with the largest scores, weighted by the softmax of those. */
    private static void route(int pe, int token, int hidden, int[] chosen, float[] weights) {
        float[] scores = new float[EXPERTS];
        for (int e = 0; e < EXPERTS; e++) {
            for (int i = 0; i < hidden; i++) {
                scores[e] += element(pe, token, i) * value(e, 7, i);
            }
        }
        double total = 0;
        for (int k = 0; k < CHOICES; k++) {
            int best = 0;
            for (int e = 1; e < EXPERTS; e++) {
                best = scores[e] > scores[best] ? e : best;
            }
            chosen[k] = best;
            weights[k] = (float) Math.exp(scores[best] / hidden);
            total += weights[k];
            scores[best] = Float.NEGATIVE_INFINITY;
        }
        for (int k = 0; k < CHOICES; k++) {
            weights[k] /= (float) total;
        }
    }

    /** What comes out of the layer, in plain Java. */
    private static float[] expected(int pe, int token, int hidden, int[] chosen, float[] weights) {
        float[] sums = new float[hidden];
        for (int j = 0; j < hidden; j++) {
            for (int k = 0; k < CHOICES; k++) {
                float product = 0;
                for (int i = 0; i < hidden; i++) {
                    product += element(pe, token, i) * matrix(chosen[k], i, j);
                }
                sums[j] = Math.fma(weights[k], product, sums[j]);
            }
        }
        return sums;
    }

    void main() {
        boolean right = true;
        try (World world = World.join();
                ShmemPe pe = ShmemPe.of(world)) {
            int hidden = pe.onGpu() ? 512 : 32;
            int tokens = pe.onGpu() ? 64 : 8;
            MoeShape shape = MoeShape.experts(EXPERTS)
                    .perToken(CHOICES)
                    .hidden(hidden)
                    .tokens(tokens)
                    .input(DataType.FLOAT32);
            try (ExpertParallel ep = ExpertParallel.of(pe, shape, MoeOptions.DEFAULT.layout(ExpertLayout.RAGGED));
                    CompiledKernel experts = pe.compiler().compile(MoeLayer::experts)) {
                right = run(pe, ep, experts, hidden, tokens);
            }
        }
        if (!right) {
            System.exit(1);
        }
    }

    private static boolean run(ShmemPe pe, ExpertParallel ep, CompiledKernel experts, int hidden, int tokens) {
        HostArray x = HostArray.allocate(DataType.FLOAT32, (long) tokens * hidden);
        HostArray chosen = HostArray.allocate(DataType.INT32, (long) tokens * CHOICES);
        HostArray weights = HostArray.allocate(DataType.FLOAT32, (long) tokens * CHOICES);
        float[][] wanted = new float[tokens][];
        for (int t = 0; t < tokens; t++) {
            int[] best = new int[CHOICES];
            float[] shares = new float[CHOICES];
            route(pe.myPe(), t, hidden, best, shares);
            wanted[t] = expected(pe.myPe(), t, hidden, best, shares);
            for (int k = 0; k < CHOICES; k++) {
                chosen.setInt((long) t * CHOICES + k, best[k]);
                weights.setFloat((long) t * CHOICES + k, shares[k]);
            }
            for (int i = 0; i < hidden; i++) {
                x.setFloat((long) t * hidden + i, element(pe.myPe(), t, i));
            }
        }
        int[] local = ep.placement().local(pe.myPe());
        HostArray matrices = HostArray.allocate(DataType.FLOAT32, (long) local.length * hidden * hidden);
        for (int e = 0; e < local.length; e++) {
            for (int i = 0; i < hidden; i++) {
                for (int j = 0; j < hidden; j++) {
                    matrices.setFloat(((long) e * hidden + i) * hidden + j, matrix(local[e], i, j));
                }
            }
        }
        Tokens all = Tokens.of(on(pe, x), on(pe, chosen), tokens);
        Buffer w = on(pe, matrices, (long) EXPERTS * hidden * hidden);
        Buffer y = pe.allocate(DataType.FLOAT32, (long) tokens * hidden);
        Sums sums = Sums.into(y).weights(on(pe, weights));

        boolean right = true;
        double[] least = {Double.MAX_VALUE, Double.MAX_VALUE};
        for (int round = 0; round < 6; round++) {
            boolean fused = round % 2 == 1;
            pe.barrier();
            long start = System.nanoTime();
            Routed routed = fused ? ep.dispatchSend(all) : ep.dispatch(all);
            experts.launch(ep.blocks(), routed.rows(), w, hidden);
            if (fused) {
                routed.receive();
            }
            ep.combine(sums, routed);
            least[round % 2] = Math.min(least[round % 2], (System.nanoTime() - start) / 1e6);
            float[] found = y.toFloatArray();
            for (int i = 0; i < found.length; i++) {
                right &= found[i] == wanted[i / hidden][i % hidden];
            }
        }
        IO.println(String.format(
                "PE %d of %d (%s): %d tokens through %d experts, %s, %.1f ms, fused %.1f ms",
                pe.myPe(),
                pe.nPes(),
                pe.where(),
                tokens,
                EXPERTS,
                right ? "as in plain Java" : "NOT as in plain Java",
                least[0],
                least[1]));
        return right;
    }

    private static Buffer on(ShmemPe pe, HostArray from) {
        return on(pe, from, from.count());
    }

    /** Symmetric memory, of the same size on all PEs. */
    private static Buffer on(ShmemPe pe, HostArray from, long count) {
        Buffer to = pe.allocate(from.type(), count);
        to.slice(0, from.count()).copyFrom(from);
        return to;
    }
}
