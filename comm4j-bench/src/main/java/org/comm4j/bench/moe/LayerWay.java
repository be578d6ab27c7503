// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.bench.moe;

import org.comm4j.core.Buffer;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.cuda.LaunchConfig;
import org.comm4j.cuda.Stream;
import org.comm4j.device.ShmemPe;
import org.comm4j.kernel.CompiledKernel;
import org.comm4j.kernel.GpuKernel;
import org.comm4j.kernel.lang.BF16Ptr;
import org.comm4j.kernel.lang.F32Ptr;
import org.comm4j.kernel.lang.I32Ptr;
import org.comm4j.moe.ExpertParallel;
import org.comm4j.moe.Routed;
import org.comm4j.moe.Sums;
import org.comm4j.moe.Tokens;
import org.jspecify.annotations.Nullable;

/**
 * A whole layer, in two ways: dispatch, the experts' kernel and combine after each other; and fused, where kernels of
 * the program send and sum, and the experts' kernel begins with an expert when its rows are there. The experts'
 * matrices are those that leave a row as it is, so that the sums are known.
 */
final class LayerWay implements AutoCloseable {
    private final ExpertParallel ep;
    private final LaunchConfig blocks;
    private final LaunchConfig products;
    private final MoeTokens tokens;
    private final int hidden;
    private final Buffer matrices;
    private final CompiledKernel send;
    private final CompiledKernel experts;
    private final CompiledKernel fusedExperts;
    private final CompiledKernel sum;

    /** Collective. */
    LayerWay(ShmemPe pe, MoeSettings settings, MoeTokens tokens) {
        this.tokens = tokens;
        hidden = settings.hidden();
        ep = ExpertParallel.of(pe, settings.shape(tokens.count), settings.options());
        if (settings.blocks() > 0) {
            ep.blocks(settings.blocks());
        }
        blocks = ep.blocks().dependently();
        products = pe.onGpu() ? blocks.block(LayerKernels.THREADS) : blocks;
        HostArray ones = HostArray.allocate(DataType.BFLOAT16, (long) ep.localExperts() * hidden * hidden);
        for (long e = 0; e < ep.localExperts(); e++) {
            for (int i = 0; i < hidden; i++) {
                ones.setDouble((e * hidden + i) * hidden + i, 1);
            }
        }
        matrices = MoeTokens.on(pe, ones);
        send = pe.compiler().compile(LayerKernels::send);
        experts = pe.compiler().compile(LayerKernels::experts, false);
        fusedExperts = pe.compiler().compile(LayerKernels::experts, true);
        sum = pe.compiler().compile(LayerKernels::sum);
    }

    /** Dispatches, launches the experts' kernel, and combines. */
    void inSteps(int round, @Nullable Stream stream) {
        Tokens given = Tokens.of(tokens.x, chosen(round), tokens.count);
        Sums sums = Sums.into(tokens.sums).weights(tokens.weights);
        Routed routed = stream == null ? ep.dispatch(given) : ep.dispatch(given, stream);
        launch(experts, products, stream, routed.rows(), BF16Ptr.of(matrices), hidden);
        if (stream == null) {
            ep.combine(sums, routed);
        } else {
            ep.combine(sums, routed, stream);
        }
    }

    /** The same by kernels that communicate themselves. */
    void fused(int round, @Nullable Stream stream) {
        Routed routed = ep.reserve(tokens.count);
        launch(
                send,
                blocks,
                stream,
                routed.rows(),
                BF16Ptr.of(tokens.x),
                I32Ptr.of(chosen(round)),
                tokens.count,
                hidden);
        launch(fusedExperts, products, stream, routed.rows(), BF16Ptr.of(matrices), hidden);
        launch(sum, blocks, stream, routed.rows(), F32Ptr.of(tokens.weights), BF16Ptr.of(tokens.sums), hidden);
        routed.close();
    }

    private Buffer chosen(int round) {
        return tokens.chosen[round % tokens.chosen.length];
    }

    private static void launch(
            CompiledKernel kernel, LaunchConfig shape, @Nullable Stream stream, Object... arguments) {
        if (stream == null) {
            kernel.launch(shape, arguments);
        } else {
            ((GpuKernel) kernel).launch(shape, stream, arguments);
        }
    }

    /** Collective: how many elements of this PE's sums are wrong, of both ways. */
    long wrong(int round, @Nullable Stream stream) {
        tokens.sums.fill(-99);
        inSteps(round, stream);
        long wrong = counted(stream);
        tokens.sums.fill(-99);
        fused(round, stream);
        return wrong + counted(stream);
    }

    private long counted(@Nullable Stream stream) {
        if (stream != null) {
            stream.synchronize();
        }
        ep.check();
        return tokens.wrong();
    }

    @Override
    public void close() {
        send.close();
        experts.close();
        fusedExperts.close();
        sum.close();
        MoeTokens.free(matrices);
        ep.close();
    }
}
