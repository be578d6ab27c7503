// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.moe;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.comm4j.core.Buffer;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.cuda.LaunchConfig;
import org.comm4j.cuda.Stream;
import org.comm4j.device.ShmemPe;
import org.comm4j.kernel.CompiledKernel;
import org.comm4j.kernel.GpuKernel;
import org.comm4j.kernel.lang.BlockDim;
import org.comm4j.kernel.lang.BlockIdx;
import org.comm4j.kernel.lang.F32Ptr;
import org.comm4j.kernel.lang.Gpu;
import org.comm4j.kernel.lang.Grid;
import org.comm4j.kernel.lang.GridDim;
import org.comm4j.kernel.lang.I32Ptr;
import org.comm4j.kernel.lang.Kernel;
import org.comm4j.kernel.lang.ThreadIdx;
import org.jspecify.annotations.Nullable;

/**
 * Operations in a row without a word of the host: kernels are late at random places, the number of tokens changes, two
 * dispatches are in flight, epochs overflow. Kernels look at the sums themselves.
 */
final class MoeFlood {
    private static final int EXPERTS = 10;
    private static final int CHOICES = 4;
    private static final int HIDDEN = 20;
    private static final int TOKENS = 5;
    /** Tables of routes, in turn. */
    private static final int TABLES = 16;

    private MoeFlood() {}

    private static float element(int pe, int operation, int token, int i) {
        return (pe * 31 + operation * 7 + token * 13 + i * 3) & 127;
    }

    /** One in eight is late. */
    private static void delay(int number, int nanos) {
        int hash = number * 0x9e3779b9;
        if (hash >>> 29 == 0) {
            long end = Gpu.globalTimer() + (hash & 0xffffff) % nanos;
            while (Gpu.globalTimer() < end) {}
        }
    }

    @Kernel
    static void send(RoutedRows rows, I32Ptr chosen, int tokens, int pe, int operation, int nanos) {
        Grid.awaitPrevious();
        Grid.launchDependents();
        delay(operation * 64 + pe * 8 + BlockIdx.x(), nanos);
        FusedExperts.dispatch(rows, SumType.F32, chosen, tokens, (token, i) -> {
            if (i == 4) {
                delay(operation * 1000 + pe * 100 + token, nanos);
            }
            return element(pe, operation, token, i);
        });
    }

    @Kernel
    static void echo(RoutedRows rows, int pe, int operation, int nanos) {
        Grid.awaitPrevious();
        Grid.launchDependents();
        for (int e = BlockIdx.x(); e < rows.experts(); e += GridDim.x()) {
            if (FusedExperts.await(rows, e)) {
                for (int row = rows.begin(e); row < rows.end(e); row++) {
                    F32Ptr x = FusedExperts.row(rows, row).asF32();
                    F32Ptr y = FusedExperts.result(rows, row).asF32();
                    for (int i = ThreadIdx.x(); i < rows.hidden(); i += BlockDim.x()) {
                        y.set(i, x.get(i));
                    }
                    if ((operation & 3) == 0) {
                        FusedExperts.done(rows, row);
                    }
                }
                if ((operation & 3) == 2) {
                    FusedExperts.donePart(rows, e, 1);
                }
            }
            delay(operation * 500 + pe * 50 + e, nanos);
        }
    }

    /** Runs beside the kernel before it, where that one says of its answers that they are there. */
    @Kernel
    static void sum(RoutedRows rows, F32Ptr weights, int pe, int operation, int nanos, I32Ptr wrong) {
        boolean done = (operation & 1) == 0;
        if (!done) {
            Grid.awaitPrevious();
        }
        Grid.launchDependents();
        delay(operation * 32 + pe * 4 + BlockIdx.x() + 7, nanos);
        FusedExperts.combine(rows, SumType.F32, done, weights, (token, i, sum) -> {
            if (sum != element(pe, operation, token, i)) {
                int _ = wrong.atomicAdd(0, 1);
            }
            if (i == 0) {
                int _ = wrong.atomicAdd(1, 1);
            }
        });
        Grid.awaitPrevious();
    }

    private static Buffer memory(ShmemPe pe, HostArray from) {
        Buffer to = pe.allocate(from.type(), from.count());
        to.copyFrom(from);
        return to;
    }

    private static void launch(CompiledKernel kernel, ExpertParallel ep, @Nullable Stream stream, Object... arguments) {
        LaunchConfig shape = ep.blocks().dependently();
        if (stream == null) {
            kernel.launch(shape, arguments);
        } else {
            ((GpuKernel) kernel).launch(shape, stream, arguments);
        }
    }

    /** A dispatch that was sent. */
    private record Sent(Routed routed, int operation) {}

    /** So many operations; {@code stream} on GPUs alone. */
    static void run(ShmemPe pe, @Nullable Stream stream, int operations, int nanos, long seed) {
        MoeShape shape = MoeShape.experts(EXPERTS)
                .perToken(CHOICES)
                .hidden(HIDDEN)
                .tokens(TOKENS)
                .input(DataType.FLOAT32);
        MoeOptions options = MoeOptions.DEFAULT.layout(ExpertLayout.RAGGED);
        int me = pe.myPe();
        try (ExpertParallel ep = ExpertParallel.of(pe, shape, options);
                CompiledKernel send = pe.compiler().compile(MoeFlood::send);
                CompiledKernel echo = pe.compiler().compile(MoeFlood::echo);
                CompiledKernel sum = pe.compiler().compile(MoeFlood::sum)) {
            ep.epochs(-operations / 4);
            HostArray routes = HostArray.allocate(DataType.INT32, TABLES * TOKENS * CHOICES);
            HostArray factors = HostArray.allocate(DataType.FLOAT32, TOKENS * CHOICES);
            factors.fill(1.0 / CHOICES);
            for (int i = 0; i < routes.count(); i++) {
                routes.setLong(i, Math.floorMod(MoeOracle.hash(seed, i, me), (long) EXPERTS));
            }
            Buffer chosen = memory(pe, routes);
            Buffer weights = memory(pe, factors);
            Buffer wrong = memory(pe, HostArray.allocate(DataType.INT32, 2));
            SplittableRandom all = new SplittableRandom(seed);
            SplittableRandom own = new SplittableRandom(seed + me);
            List<Sent> sent = new ArrayList<>();
            long tokens = 0;
            for (int i = 0; i < operations || !sent.isEmpty(); ) {
                ep.blocks(own.nextInt(1, pe.onGpu() ? 30 : 4));
                boolean sends = i < operations && (sent.isEmpty() || sent.size() < 2 && all.nextBoolean());
                if (sends) {
                    int some = own.nextInt(TOKENS + 1);
                    tokens += some;
                    Routed routed = ep.reserve(some);
                    Buffer table = chosen.slice((long) (i % TABLES) * TOKENS * CHOICES, TOKENS * CHOICES);
                    launch(send, ep, stream, routed.rows(), table, some, me, i, nanos);
                    sent.add(new Sent(routed, i++));
                } else {
                    Sent next = sent.remove(all.nextInt(sent.size()));
                    launch(echo, ep, stream, next.routed.rows(), me, next.operation, nanos);
                    launch(sum, ep, stream, next.routed.rows(), weights, me, next.operation, nanos, wrong);
                    next.routed.close();
                }
            }
            if (stream != null) {
                pe.nvshmem().synchronize(stream);
            }
            ep.check();
            assertThat(wrong.toIntArray()).as("wrong elements and tokens").containsExactly(0, (int) tokens);
        }
    }
}
