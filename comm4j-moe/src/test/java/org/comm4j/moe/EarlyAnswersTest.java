// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.moe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import org.comm4j.core.CommTimeoutException;
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
import org.comm4j.kernel.lang.I32Ptr;
import org.comm4j.kernel.lang.Kernel;
import org.comm4j.kernel.lang.ThreadIdx;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Kernels wait for no PE that they do not need, neither for rows of an expert nor for answers. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class EarlyAnswersTest {
    private static final int EXPERTS = 8;
    private static final int CHOICES = 2;
    private static final int HIDDEN = 8;
    private static final int TOKENS = 5;
    private static final MoeShape SHAPE = MoeShape.experts(EXPERTS)
            .perToken(CHOICES)
            .hidden(HIDDEN)
            .tokens(TOKENS)
            .input(DataType.FLOAT32);

    /** How a kernel tells of answers. */
    private static final int OF_ROWS = 1;

    private static final int OF_PARTS = 2;

    /** Expert e multiplies tokens by e + 1; a block has rows in turn. */
    @Kernel
    static void answer(RoutedRows rows, int firstExpert, int says) {
        for (int e = 0; e < rows.experts(); e++) {
            for (int row = rows.begin(e) + BlockIdx.x(); row < rows.end(e); row += GridDim.x()) {
                F32Ptr x = FusedExperts.row(rows, row).asF32();
                F32Ptr y = FusedExperts.result(rows, row).asF32();
                for (int i = ThreadIdx.x(); i < rows.hidden(); i += BlockDim.x()) {
                    y.set(i, x.get(i) * (firstExpert + e + 1));
                }
                if (says == OF_ROWS) {
                    FusedExperts.done(rows, row);
                }
            }
            if (says == OF_PARTS) {
                FusedExperts.donePart(rows, e, GridDim.x());
            }
        }
    }

    /** The same of tokens that come once. */
    @Kernel
    static void localAnswer(RoutedRows rows, int firstExpert, int says) {
        for (int group = 0; group < rows.experts(); group++) {
            for (int row = rows.begin(group) + BlockIdx.x(); row < rows.end(group); row += GridDim.x()) {
                F32Ptr x = FusedExperts.row(rows, row).asF32();
                FusedExperts.localSum(
                        rows, SumType.F32, row, (choice, expert, i) -> x.get(i) * (firstExpert + expert + 1));
                if (says == OF_ROWS) {
                    FusedExperts.done(rows, row);
                }
            }
            if (says == OF_PARTS) {
                FusedExperts.donePart(rows, group, GridDim.x());
            }
        }
    }

    /** Whether the rows of an expert come. */
    @Kernel
    static void await(RoutedRows rows, int expert, I32Ptr came) {
        boolean complete = FusedExperts.await(rows, expert);
        if (ThreadIdx.x() == 0) {
            came.set(0, complete ? 1 : 0);
        }
    }

    private static void run(int pes, MoeOptions options, BiConsumer<ShmemPe, ExpertParallel> body) {
        World.threads(pes, world -> {
            try (ShmemPe pe = ShmemPe.onCpu(world, CpuOptions.fast())) {
                pe.timeout(Duration.ofSeconds(20));
                try (ExpertParallel ep = ExpertParallel.of(pe, SHAPE, options)) {
                    body.accept(pe, ep);
                }
            }
        });
    }

    private static HostArray ones(int count, float value) {
        HostArray all = HostArray.allocate(DataType.FLOAT32, count);
        all.fill(value);
        return all;
    }

    private static HostArray chosen(int... experts) {
        HostArray all = HostArray.allocate(DataType.INT32, TOKENS * CHOICES);
        for (int i = 0; i < all.count(); i++) {
            all.setInt(i, experts[i % experts.length]);
        }
        return all;
    }

    /** PE 0 combines while the others, who have said their answers, have not begun to. */
    @ParameterizedTest
    @CsvSource({"PADDED, 1", "RAGGED, 1", "BY_RANK, 1", "PADDED, 2", "RAGGED, 2", "BY_RANK, 2"})
    void answersThatWereSaidAreNotWaitedFor(ExpertLayout layout, int says) {
        boolean byRank = layout == ExpertLayout.BY_RANK;
        int pes = layout == ExpertLayout.RAGGED ? 4 : 3;
        MoeOptions options = MoeOptions.DEFAULT.layout(layout).group(layout == ExpertLayout.RAGGED ? 2 : 1);
        run(pes, options, (pe, ep) -> {
            int me = pe.myPe();
            HostArray weights = ones(TOKENS * CHOICES, 0.5f);
            int first = ep.placement().local(me)[0];
            try (CompiledKernel answer = pe.compiler().compile(EarlyAnswersTest::answer);
                    CompiledKernel localAnswer = pe.compiler().compile(EarlyAnswersTest::localAnswer)) {
                for (int round = 0; round < 3; round++) {
                    int group = me / options.group();
                    Tokens tokens = Tokens.of(
                            ones(TOKENS * HIDDEN, group + 1 + round), chosen(0, 3, 7, 1, 4, 6), TOKENS - round);
                    Routed routed = ep.dispatch(byRank ? tokens.weights(weights) : tokens);
                    if (byRank) {
                        localAnswer.launch(ep.blocks(), routed.rows(), first, says);
                    } else {
                        answer.launch(ep.blocks(), routed.rows(), first, says);
                    }
                    HostArray y = ones(TOKENS * HIDDEN, 0);
                    if (me != 0) {
                        pe.barrier();
                    }
                    Sums sums = Sums.into(y);
                    ep.combine(byRank ? sums : sums.weights(weights), routed);
                    if (me == 0) {
                        pe.barrier();
                    }
                    int[] pairs = {0 + 3 + 2, 7 + 1 + 2, 4 + 6 + 2};
                    for (int i = 0; i < (TOKENS - round) * HIDDEN; i++) {
                        assertThat(y.getFloat(i)).isEqualTo(0.5f * (group + 1 + round) * pairs[i / HIDDEN % 3]);
                    }
                }
            }
        });
    }

    /** A token has fewer choices than there are PEs: it does not wait for PE 3. */
    @Test
    void onlyOwnersOfItsTokensAreWaitedFor() {
        run(4, MoeOptions.DEFAULT, (pe, ep) -> {
            HostArray x = ones(TOKENS * HIDDEN, 2);
            // PE 1 has experts 2 and 3, PE 3 has 6 and 7.
            boolean first = pe.myPe() < 2;
            Routed routed = ep.dispatch(x, first ? chosen(2, 3) : chosen(6, 1), 1);
            routed.results().copyFrom(routed.x().toHost());
            HostArray y = ones(TOKENS * HIDDEN, 0);
            if (!first) {
                pe.barrier();
            }
            ep.combine(Sums.into(y), routed);
            if (first) {
                pe.barrier();
            }
            assertThat(y.getFloat(HIDDEN - 1)).isEqualTo(4);
        });
    }

    @Test
    void onlyPesWithRowsOfTheExpertAreWaitedFor() {
        run(3, MoeOptions.DEFAULT, (pe, ep) -> {
            // PE 1 has rows of expert 0, and PE 2 of expert 1 of PE 0.
            int mine = pe.myPe();
            Tokens tokens = Tokens.of(ones(TOKENS * HIDDEN, 1), mine == 1 ? chosen(0, 5) : chosen(1, 5), TOKENS);
            Routed routed = ep.dispatchSend(tokens);
            pe.barrier();
            if (mine == 0) {
                MoeSpace space = routed.rows().space();
                space.base().plus(space.flags() + 8).asI32().set(0, 0);
                ep.timeout(Duration.ofMillis(200));
                HostArray came = HostArray.allocate(DataType.INT32, 1);
                try (CompiledKernel await = pe.compiler().compile(EarlyAnswersTest::await)) {
                    await.launch(ep.blocks(), routed.rows(), 0, came);
                    assertThat(came.getInt(0)).isEqualTo(1);
                    ep.check();
                    await.launch(ep.blocks(), routed.rows(), 1, came);
                    assertThat(came.getInt(0)).isEqualTo(0);
                    assertThatThrownBy(ep::check)
                            .isInstanceOf(CommTimeoutException.class)
                            .hasMessageContaining("rank 0 waits for rank 2's rows");
                }
            }
            pe.barrier();
        });
    }

    @ParameterizedTest
    @ValueSource(ints = {OF_ROWS, OF_PARTS})
    void anAnswerIsSaidOnce(int says) {
        run(2, MoeOptions.DEFAULT, (pe, ep) -> {
            Routed routed = ep.dispatch(ones(TOKENS * HIDDEN, 1), chosen(0, 5), TOKENS);
            try (CompiledKernel answer = pe.compiler().compile(EarlyAnswersTest::answer)) {
                answer.launch(ep.blocks(), routed.rows(), 0, says);
                ep.check();
                answer.launch(ep.blocks(), routed.rows(), 0, says);
            }
            assertThatThrownBy(ep::check)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageStartingWith("check on PE " + pe.myPe() + " of 2: a kernel has called FusedExperts."
                            + (says == OF_ROWS
                                    ? "done more often than there were rows of group "
                                    : "donePart more often than experts have parts: "));
            ep.combine(Sums.into(ones(TOKENS * HIDDEN, 0)), routed);
        });
    }

    /** One does not call it. */
    @Test
    void whoDoesNotBringWeightsIsNamed() {
        run(2, MoeOptions.DEFAULT, (pe, ep) -> {
            try (var from = pe.host().allocate(DataType.FLOAT32, 8)) {
                if (pe.myPe() == 0) {
                    ep.timeout(Duration.ofMillis(100));
                    assertThatThrownBy(() -> ep.fetch(ones(8, 0), from, 2))
                            .isInstanceOf(CommTimeoutException.class)
                            .hasMessageStartingWith("fetch or reduceReplicas: rank 0 waits for rank 1's weights or"
                                    + " gradients since 0.1 s; rank 1 lives and has not called the same");
                }
                pe.barrier();
            }
        });
    }
}
