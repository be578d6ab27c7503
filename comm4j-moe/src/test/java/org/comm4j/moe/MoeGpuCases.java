// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.moe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.BitSet;
import java.util.List;
import org.comm4j.core.CommException;
import org.comm4j.core.CommTimeoutException;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.cuda.DeviceArray;
import org.comm4j.cuda.Graph;
import org.comm4j.cuda.GraphExec;
import org.comm4j.cuda.Stream;
import org.comm4j.device.ShmemPe;

/** {@link ExpertParallel} in streams and graphs. */
final class MoeGpuCases {
    static final List<String> NAMES = List.of("flood in a stream", "graph", "exclude", "operations in a row");
    private static final int TOKENS = 33;
    private static final int CHOICES = 4;
    private static final int HIDDEN = 512;
    private static final int EXPERTS = 24;

    private MoeGpuCases() {}

    static void runAll(ShmemPe pe, long seed) {
        try (Stream stream = pe.nvshmem().device().newStream()) {
            MoeProgram.run(NAMES.get(0), "", () -> flood(pe, stream, seed));
            MoeProgram.run(NAMES.get(1), "", () -> graph(pe, stream, seed));
            MoeProgram.run(NAMES.get(2), "", () -> exclude(pe, stream));
            MoeProgram.run(NAMES.get(3), "", () -> MoeFlood.run(pe, stream, 10_000, 20_000, seed));
        }
    }

    /** A layer whose experts answer what they are asked: with weights that sum to 1, tokens come back as they were. */
    private static final class Echo implements AutoCloseable {
        final ExpertParallel ep;
        final DeviceArray x;
        final DeviceArray y;
        final DeviceArray chosen;
        final DeviceArray weights;

        Echo(ShmemPe pe, long seed) {
            ep = ExpertParallel.of(
                    pe,
                    MoeShape.experts(EXPERTS).perToken(CHOICES).hidden(HIDDEN).tokens(TOKENS),
                    MoeOptions.DEFAULT.layout(ExpertLayout.RAGGED));
            HostArray tokens = HostArray.allocate(DataType.BFLOAT16, TOKENS * HIDDEN);
            for (long i = 0; i < tokens.count(); i++) {
                tokens.setDouble(i, (double) (MoeOracle.hash(seed, pe.myPe(), i) % 128));
            }
            HostArray experts = HostArray.allocate(DataType.INT32, TOKENS * CHOICES);
            for (long i = 0; i < experts.count(); i++) {
                experts.setLong(i, Math.floorMod(MoeOracle.hash(seed, i, pe.myPe()), (long) EXPERTS));
            }
            x = on(pe, tokens);
            y = on(pe, HostArray.allocate(DataType.BFLOAT16, TOKENS * HIDDEN));
            chosen = on(pe, experts);
            weights = on(pe, HostArray.allocate(DataType.FLOAT32, TOKENS * CHOICES));
            weights.fill(1.0 / CHOICES);
        }

        private static DeviceArray on(ShmemPe pe, HostArray from) {
            DeviceArray to = pe.nvshmem().device().allocate(from.type(), from.count());
            to.copyFrom(from);
            return to;
        }

        void round(int tokens, Stream stream) {
            end(ep.dispatch(x, chosen, tokens, stream), stream);
        }

        private void end(Routed routed, Stream stream) {
            ((DeviceArray) routed.results()).copyFrom((DeviceArray) routed.x(), stream);
            ep.combine(y, routed, weights, stream);
        }

        /** Two dispatches are in flight. */
        void twoRounds(int tokens, Stream stream) {
            Routed first = ep.dispatch(x, chosen, tokens, stream);
            Routed second = ep.dispatch(x, chosen, tokens - 1, stream);
            end(second, stream);
            end(first, stream);
        }

        void judge() {
            ep.check();
            assertThat(y.toHost().segment().mismatch(x.toHost().segment())).isEqualTo(-1);
        }

        @Override
        public void close() {
            x.close();
            y.close();
            chosen.close();
            weights.close();
            ep.close();
        }
    }

    private static void flood(ShmemPe pe, Stream stream, long seed) {
        try (Echo echo = new Echo(pe, seed)) {
            for (int i = 0; i < 2000; i++) {
                echo.ep.blocks(1 + (int) Math.floorMod(MoeOracle.hash(seed, i, pe.myPe()), 40L));
                echo.round((int) Math.floorMod(MoeOracle.hash(seed, i, pe.myPe(), 1), TOKENS + 1L), stream);
            }
            echo.y.fill(0);
            echo.round(TOKENS, stream);
            pe.nvshmem().synchronize(stream);
            echo.judge();
        }
    }

    /** Two graphs and calls in turn, of one exchange. */
    private static void graph(ShmemPe pe, Stream stream, long seed) {
        try (Echo echo = new Echo(pe, seed)) {
            // Kernels are loaded by the first call.
            echo.round(TOKENS, stream);
            pe.nvshmem().synchronize(stream);
            Graph graph = Graph.capture(stream, () -> {
                for (int i = 0; i < 5; i++) {
                    echo.round(TOKENS, stream);
                }
            });
            Graph other = Graph.capture(stream, () -> echo.twoRounds(TOKENS, stream));
            try (graph;
                    other;
                    GraphExec exec = graph.instantiate();
                    GraphExec otherExec = other.instantiate()) {
                for (int i = 0; i < 100; i++) {
                    echo.y.fill(0);
                    (i % 3 == 0 ? otherExec : exec).launch(stream);
                    echo.round(TOKENS - 1, stream);
                }
                pe.nvshmem().synchronize(stream);
                echo.judge();
            }
        }
    }

    /** The last PE stays away, while a kernel of the others waits for it in a stream. */
    private static void exclude(ShmemPe pe, Stream stream) {
        MoeShape shape = MoeShape.experts(9).perToken(3).hidden(64).tokens(7).input(DataType.FLOAT32);
        int last = pe.nPes() - 1;
        try (ExpertParallel ep = ExpertParallel.of(pe, shape, MoeOptions.DEFAULT)) {
            BitSet dead = new BitSet();
            int[][] placed = MoeOracle.even(shape.experts(), pe.nPes());
            SurvivingLayer layer = new SurvivingLayer(pe, ep, shape, MoeOptions.DEFAULT, placed, dead);
            layer.operation(1);
            if (pe.myPe() != last) {
                ep.timeout(Duration.ofMillis(200));
                DeviceArray x = pe.nvshmem().device().allocate(DataType.FLOAT32, 7 * 64);
                DeviceArray chosen = pe.nvshmem().device().allocate(DataType.INT32, 7 * 3);
                Routed _ = ep.dispatch(x, chosen, 7, stream);
                stream.synchronize();
                assertThatThrownBy(ep::check).isInstanceOf(CommTimeoutException.class);
                ep.timeout(Duration.ofSeconds(60));
                ep.exclude(last);
                dead.set(last);
                for (int i = 0; i < 100; i++) {
                    layer.operation(i);
                }
            }
            pe.world().barrier();
            if (pe.myPe() == last && last > 0) {
                assertThatThrownBy(() -> layer.operation(1)).isInstanceOf(CommException.class);
            }
            pe.world().barrier();
        }
    }
}
