// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.moe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.comm4j.core.CommException;
import org.comm4j.core.CommTimeoutException;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.core.World;
import org.comm4j.device.ShmemPe;
import org.comm4j.kernel.CpuOptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** PEs go on without one that stays away, in every layout, with replicas and without. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class ExcludeTest {
    private static final int OPERATIONS = 2;
    private static final Duration SHORT = Duration.ofMillis(60);

    private static void run(int pes, MoeShape shape, MoeOptions options, Consumer<SurvivingLayer> body) {
        World.threads(pes, world -> {
            try (ShmemPe pe = ShmemPe.onCpu(world, CpuOptions.fast())) {
                pe.timeout(Duration.ofSeconds(30));
                ExpertPlacement given = options.placement();
                int[][] placed = given == null
                        ? MoeOracle.even(shape.experts(), pes)
                        : IntStream.range(0, shape.experts())
                                .mapToObj(given::pes)
                                .toArray(int[][]::new);
                try (ExpertParallel ep = ExpertParallel.of(pe, shape, options)) {
                    body.accept(new SurvivingLayer(pe, ep, shape, options, placed, new BitSet()));
                }
            }
        });
    }

    private static MoeShape shape(int experts) {
        return MoeShape.experts(experts).perToken(3).hidden(8).tokens(5).input(DataType.FLOAT32);
    }

    /** Works with all, then without one that does not come, then without another one. */
    private static void staysAway(SurvivingLayer layer, int... away) {
        int me = layer.pe().myPe();
        long salt = 1;
        layer.operation(salt++);
        for (int rank : away) {
            if (me == rank) {
                layer.pe().barrier();
            } else if (!layer.dead().get(me)) {
                layer.ep().timeout(SHORT);
                long each = salt;
                assertThatThrownBy(() -> layer.operation(each)).isInstanceOf(CommTimeoutException.class);
                layer.ep().timeout(Duration.ofSeconds(30));
                layer.ep().exclude(rank);
                layer.dead().set(rank);
                for (int i = 0; i < OPERATIONS; i++) {
                    layer.operation(++salt);
                }
                layer.pe().barrier();
            } else {
                layer.pe().barrier();
            }
            layer.dead().set(rank);
        }
        if (layer.dead().get(me)) {
            assertThatThrownBy(() -> layer.operation(99))
                    .isInstanceOf(CommException.class)
                    .hasMessage("dispatch on PE " + me + " of " + layer.pe().nPes()
                            + ": the other PEs have excluded this one, which takes part no more");
        } else {
            List<Integer> excluded = layer.dead().stream().boxed().toList();
            assertThat(layer.ep().excluded()).isEqualTo(excluded);
        }
        layer.pe().barrier();
    }

    @Test
    void oneAfterTheOther() {
        run(3, shape(7), MoeOptions.DEFAULT.inFlight(1), layer -> staysAway(layer, 2, 0));
    }

    @Test
    void replicasTakeTheChoices() {
        int[][] table = {{0, 1}, {1, 2}, {0, 1, 2}, {1}, {2}};
        MoeOptions options = MoeOptions.DEFAULT
                .placement(ExpertPlacement.of(3, table))
                .localExperts(5)
                .renormalize(true);
        run(3, shape(5), options, layer -> staysAway(layer, 1));
    }

    @Test
    void othersSendTheTokensOfTheirGroup() {
        run(4, shape(8), MoeOptions.DEFAULT.group(2), layer -> staysAway(layer, 0, 3));
    }

    @Test
    void byRank() {
        MoeOptions options = MoeOptions.DEFAULT.layout(ExpertLayout.BY_RANK);
        run(4, shape(7), options.renormalize(true).group(2), layer -> staysAway(layer, 2));
    }

    /** What was in flight is ended, and an expert that is placed anew gets its weights from those that live. */
    @Test
    void whatIsInFlightEndsAndExpertsMove() {
        run(3, shape(4), MoeOptions.DEFAULT.localExperts(4), layer -> {
            ShmemPe pe = layer.pe();
            ExpertParallel ep = layer.ep();
            HostArray x = HostArray.allocate(DataType.FLOAT32, 40);
            HostArray chosen = HostArray.allocate(DataType.INT32, 15);
            for (int i = 0; i < 15; i++) {
                chosen.setInt(i, i % 3);
            }
            try (var from = pe.host().allocate(DataType.FLOAT32, 8)) {
                for (int i = 0; i < ep.localExperts(); i++) {
                    from.slice(2L * i, 2).fill(10 + ep.placement().local(pe.myPe())[i]);
                }
                Routed routed = ep.dispatch(x, chosen, 5);
                Routed again = ep.dispatch(x, chosen, 5);
                PendingSums pending = ep.combineSend(Sums.into(x), again);
                pe.barrier();
                if (pe.myPe() == 2) {
                    pe.barrier();
                    return;
                }
                ep.exclude(2);
                assertThatThrownBy(routed::results)
                        .isInstanceOf(IllegalStateException.class)
                        .hasMessageContaining("was ended by exclude(2)");
                assertThatThrownBy(pending::receive).isInstanceOf(IllegalStateException.class);
                assertThatThrownBy(() -> ep.dispatch(x, again)).isInstanceOf(IllegalStateException.class);
                // Experts 0 and 1 were on PE 0, 2 on PE 1, 3 on PE 2.
                ep.placement(ExpertPlacement.of(3, new int[][] {{1}, {0, 1}, {0}, {0, 1}}));
                HostArray to = HostArray.allocate(DataType.FLOAT32, 6);
                to.fill(-1);
                ep.fetch(to, from, 2);
                assertThat(to.toFloatArray())
                        .containsExactly(
                                pe.myPe() == 0
                                        ? new float[] {11, 11, 12, 12, -1, -1}
                                        : new float[] {10, 10, 11, 11, -1, -1});
                new SurvivingLayer(
                                pe,
                                ep,
                                layer.shape(),
                                layer.options(),
                                new int[][] {{1}, {0, 1}, {0}, {0, 1}},
                                BitSet.valueOf(new long[] {4}))
                        .operation(3);
                pe.barrier();
            }
        });
    }

    @Test
    void whoDoesNotComeIsNamed() {
        run(3, shape(4), MoeOptions.DEFAULT, layer -> {
            ExpertParallel ep = layer.ep();
            int me = layer.pe().myPe();
            assertThatThrownBy(() -> ep.exclude(me))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("exclude on PE " + me + " of 3: rank " + me
                            + " is not another one of 0 to 2; it is called by those that go on");
            if (me == 0) {
                ep.timeout(SHORT);
                assertThatThrownBy(() -> ep.exclude(1))
                        .isInstanceOf(CommTimeoutException.class)
                        .hasMessageStartingWith("exclude on PE 0 of 3: ranks [0, 2] are to go on, and not all of them"
                                + " have called exclude(1) in 0.06 s: ");
                ep.timeout(Duration.ofSeconds(30));
            }
            layer.pe().barrier();
            layer.operation(1);
        });
    }
}
