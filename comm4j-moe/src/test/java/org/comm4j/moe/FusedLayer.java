// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.moe;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.SplittableRandom;
import org.comm4j.core.Buffer;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.device.ShmemPe;
import org.comm4j.kernel.CompiledKernel;
import org.comm4j.kernel.lang.BlockDim;
import org.comm4j.kernel.lang.BlockIdx;
import org.comm4j.kernel.lang.F32Ptr;
import org.comm4j.kernel.lang.GridDim;
import org.comm4j.kernel.lang.I32Ptr;
import org.comm4j.kernel.lang.Kernel;
import org.comm4j.kernel.lang.ThreadIdx;

/** A layer whose experts are a kernel of the program: expert e multiplies a token by e + 1. */
final class FusedLayer {
    private static final int EXPERTS = 11;
    private static final int CHOICES = 3;
    private static final int TOKENS = 13;

    private FusedLayer() {}

    /** A block takes experts in turn, as soon as their rows are there. */
    @Kernel
    static void experts(RoutedRows rows, int firstExpert, int hidden) {
        for (int e = BlockIdx.x(); e < rows.experts(); e += GridDim.x()) {
            if (FusedExperts.await(rows, e)) {
                for (int row = rows.begin(e); row < rows.end(e); row++) {
                    F32Ptr x = FusedExperts.row(rows, row).asF32();
                    F32Ptr y = FusedExperts.result(rows, row).asF32();
                    for (int i = ThreadIdx.x(); i < hidden; i += BlockDim.x()) {
                        y.set(i, x.get(i) * (firstExpert + e + 1));
                    }
                }
            }
        }
    }

    /** Tokens are doubled on their way. */
    @Kernel
    static void send(RoutedRows rows, F32Ptr x, I32Ptr chosen, int tokens, int hidden) {
        FusedExperts.dispatch(rows, SumType.F32, chosen, tokens, (token, i) -> 2 * x.get((long) token * hidden + i));
    }

    /** Tokens are added to their sums. */
    @Kernel
    static void sum(RoutedRows rows, F32Ptr x, F32Ptr weights, F32Ptr y, int hidden) {
        FusedExperts.combine(rows, SumType.F32, weights, (token, i, sum) -> {
            long at = (long) token * hidden + i;
            y.set(at, x.get(at) + sum);
        });
    }

    private static Buffer memory(ShmemPe pe, HostArray from) {
        Buffer to = pe.allocate(from.type(), from.count());
        to.copyFrom(from);
        return to;
    }

    static void run(ShmemPe pe, long seed) {
        run(pe, seed, ExpertLayout.PADDED, 24);
        // Sums are made one by one.
        run(pe, seed, ExpertLayout.RAGGED, 12);
    }

    private static void run(ShmemPe pe, long seed, ExpertLayout layout, int hidden) {
        MoeShape shape = MoeShape.experts(EXPERTS)
                .perToken(CHOICES)
                .hidden(hidden)
                .tokens(TOKENS)
                .input(DataType.FLOAT32);
        try (ExpertParallel ep = ExpertParallel.of(pe, shape, MoeOptions.DEFAULT.layout(layout));
                CompiledKernel experts = pe.compiler().compile(FusedLayer::experts);
                CompiledKernel send = pe.compiler().compile(FusedLayer::send);
                CompiledKernel sum = pe.compiler().compile(FusedLayer::sum)) {
            SplittableRandom random = new SplittableRandom(seed + pe.myPe());
            HostArray tokens = HostArray.allocate(DataType.FLOAT32, TOKENS * hidden);
            HostArray routes = HostArray.allocate(DataType.INT32, TOKENS * CHOICES);
            for (int i = 0; i < tokens.count(); i++) {
                tokens.setFloat(i, random.nextInt(100));
            }
            float[] factors = new float[TOKENS];
            for (int i = 0; i < routes.count(); i++) {
                // No expert twice.
                routes.setInt(i, (random.nextInt(3) + i % CHOICES * 4) % EXPERTS);
                factors[i / CHOICES] += routes.getInt(i) + 1;
            }
            Buffer x = memory(pe, tokens);
            Buffer chosen = memory(pe, routes);
            Buffer y = pe.allocate(DataType.FLOAT32, TOKENS * hidden);
            int mine =
                    ep.placement().local(pe.myPe()).length > 0 ? ep.placement().local(pe.myPe())[0] : 0;
            Buffer weights = pe.allocate(DataType.FLOAT32, TOKENS * CHOICES);
            weights.fill(0.5);
            for (int i = 0; i < 2; i++) {
                int some = TOKENS - i;
                y.fill(0);
                Routed routed = ep.reserve(TOKENS);
                send.launch(ep.blocks(), routed.rows(), x, chosen, some, hidden);
                experts.launch(ep.blocks(), routed.rows(), mine, hidden);
                sum.launch(ep.blocks(), routed.rows(), x, weights, y, hidden);
                routed.close();
                ep.check();
                float[] found = y.toFloatArray();
                for (int j = 0; j < found.length; j++) {
                    float token = tokens.getFloat(j);
                    float expected = j < some * hidden ? token + token * factors[j / hidden] : 0;
                    assertThat(found[j]).isEqualTo(expected);
                }
            }
            for (int i = 0; i < 2; i++) {
                y.fill(0);
                Routed routed = ep.dispatchSend(Tokens.of(x, chosen, TOKENS));
                experts.launch(ep.blocks(), routed.rows(), mine, hidden);
                routed.receive();
                ep.combine(Sums.into(y), routed);
                float[] found = y.toFloatArray();
                for (int j = 0; j < found.length; j++) {
                    assertThat(found[j]).isEqualTo(tokens.getFloat(j) * factors[j / hidden]);
                }
            }
        }
    }
}
