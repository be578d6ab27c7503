// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.moe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.comm4j.core.Buffer;
import org.comm4j.core.CollectiveMismatchException;
import org.comm4j.core.CommTimeoutException;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.core.World;
import org.comm4j.device.ShmemPe;
import org.comm4j.kernel.CpuOptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What is wrong is an exception that says what, on the PEs that can know it, and the exchange goes on after it. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class MoeFaultTest {
    private static final MoeShape SHAPE =
            MoeShape.experts(7).perToken(2).hidden(8).tokens(4).input(DataType.FLOAT32);
    private static final String SAME = "all PEs make the same calls in the same order";
    private static final MoeOptions RAGGED = MoeOptions.DEFAULT.layout(ExpertLayout.RAGGED);

    private static void run(int pes, MoeOptions options, Consumer<Each> body) {
        World.threads(pes, world -> {
            try (ShmemPe pe = ShmemPe.onCpu(world, CpuOptions.fast())) {
                pe.timeout(Duration.ofSeconds(30));
                try (ExpertParallel ep = ExpertParallel.of(pe, SHAPE, options)) {
                    body.accept(new Each(pe, ep));
                }
            }
        });
    }

    /** A PE. */
    private record Each(ShmemPe pe, ExpertParallel ep) {
        HostArray x() {
            return HostArray.allocate(DataType.FLOAT32, 4 * 8);
        }

        HostArray chosen(int... experts) {
            HostArray all = HostArray.allocate(DataType.INT32, 8);
            for (int i = 0; i < 8; i++) {
                all.setInt(i, experts[i % experts.length]);
            }
            return all;
        }

        /** All is right. */
        void works() {
            HostArray x = x();
            HostArray y = HostArray.allocate(DataType.FLOAT32, 4 * 8);
            x.fill(pe.myPe() + 1);
            Routed routed = ep.dispatch(x, chosen(6, 1), 4);
            routed.results().copyFrom(routed.x().toHost());
            ep.combine(Sums.into(y), routed);
            assertThat(y.getFloat(31)).isEqualTo(2f * (pe.myPe() + 1));
        }
    }

    @Test
    void aWrongRouteIsNamed() {
        run(3, MoeOptions.DEFAULT, each -> {
            HostArray chosen = each.chosen(0, 1);
            if (each.pe.myPe() == 1) {
                chosen.setInt(5, 300);
                chosen.setInt(6, -7);
                assertThatThrownBy(() -> each.ep.dispatch(each.x(), chosen, 4))
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessage("dispatch: rank 1: token 2, choice 1: expert 300 is not one of 0 to 6");
            } else {
                each.ep.dispatch(each.x(), chosen, 4);
            }
            each.works();
        });
    }

    /** A dispatch along earlier routes writes few words; of the others nobody may take zeros for counts of epoch 0. */
    @Test
    void epochsThatOverflowAreNotZero() {
        run(2, MoeOptions.DEFAULT.inFlight(2), each -> {
            each.ep.epochs(-2);
            Routed first = each.ep.dispatch(each.x(), each.chosen(6, 1), 4);
            Routed second = each.ep.dispatch(each.x(), first);
            second.close();
            first.close();
            for (int i = 0; i < 4; i++) {
                each.works();
            }
            assertThat(each.ep.load().toLongArray()).containsExactly(0, 40, 0, 0, 0, 0, 40);
        });
    }

    @Test
    void memoryOfTheDispatchIsNoArgument() {
        run(1, MoeOptions.DEFAULT.inFlight(1), each -> {
            Routed first = each.ep.dispatch(each.x(), each.chosen(6, 1), 4);
            assertThatThrownBy(() -> each.ep.combine(Sums.into(first.results()), first))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageStartingWith("combine on PE 0 of 1: out ")
                    .hasMessageContaining(" overlaps ");
            Buffer rows = first.x().slice(first.x().count() - 4 * 8, 4 * 8);
            Buffer numbers = first.counts();
            first.close();
            assertThatThrownBy(() -> each.ep.dispatch(rows, each.chosen(6, 1), 4))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageStartingWith("dispatch on PE 0 of 1: x ")
                    .hasMessageEndingWith(" overlaps 128 bytes of the memory of the dispatch, which holds its rows and"
                            + " results: copy it first");
            assertThatThrownBy(() -> each.ep.dispatch(each.x(), numbers, 3))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("chosen ");
            each.works();
        });
    }

    @Test
    void allPesKnowThatOneHasTooFewRows() {
        run(3, RAGGED.capacity(10), each -> {
            // PE 0 has experts 0 to 2.
            assertThatThrownBy(() -> each.ep.dispatch(each.x(), each.chosen(2, 5), 4))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessage("dispatch on PE " + each.pe.myPe() + " of 3: PE 0 needed 12 rows in a dispatch and has"
                            + " 10; those beyond were not sent: there is MoeOptions.capacity");
            HostArray chosen = each.chosen(-1);
            each.ep.dispatch(each.x(), chosen, 4).close();
        });
    }

    @Test
    void aPaddedAreaHasRoomForEachTokenOnce() {
        run(2, MoeOptions.DEFAULT, each -> {
            assertThatThrownBy(() -> each.ep.dispatch(each.x(), each.chosen(3), 4))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("expert 3 was chosen 16 times in a dispatch and has 8 rows");
            each.works();
        });
    }

    @Test
    void aCountOnTheDeviceIsChecked() {
        run(2, MoeOptions.DEFAULT, each -> {
            HostArray count = HostArray.allocate(DataType.INT32, 1);
            count.setInt(0, each.pe.myPe() == 0 ? 5 : 2);
            Tokens tokens = Tokens.of(each.x(), each.chosen(0, 1), count, 4);
            if (each.pe.myPe() == 0) {
                assertThatThrownBy(() -> each.ep.dispatch(tokens))
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessage("dispatch on PE 0 of 2: a count on the device was 5, which is not 0 to the most");
            } else {
                each.ep.dispatch(tokens);
            }
            each.works();
        });
    }

    @Test
    void wrongArgumentsAreRefusedBeforeAnythingIsSent() {
        run(1, MoeOptions.DEFAULT, each -> {
            HostArray x = each.x();
            HostArray chosen = each.chosen(0);
            ExpertParallel ep = each.ep;
            refused(() -> ep.dispatch(x, chosen, 5), "dispatch on PE 0 of 1: 5 tokens are not 0 to 4");
            refused(() -> ep.dispatch(x.slice(0, 24), chosen, 4), "x", "has fewer than 32 elements");
            refused(() -> ep.dispatch(x.slice(1, 31), chosen, 3), "x", "is not at a multiple of 16 bytes");
            refused(() -> ep.dispatch(x.view(DataType.INT32), chosen, 4), "x", "is not of [FLOAT32]");
            refused(() -> ep.dispatch(x, x, 4), "chosen", "is not of [INT32, UINT32, INT64]");
            refused(() -> ep.dispatch(Tokens.of(x, chosen, 4).scales(x)), "0 scales a token are of the shape");
            refused(() -> ep.dispatch(Tokens.of(x, chosen, 4).payload(x)), "1 payloads were given, 0 are of");
            Routed first = ep.dispatch(x, each.chosen(0, 1), 4);
            refused(() -> ep.combine(Sums.into(chosen), first), "out", "is not of [FLOAT32, BFLOAT16, FLOAT16]");
            refused(() -> ep.combine(x.slice(0, 8), first, x), "out", "has fewer than 32 elements");
            refused(() -> ep.combine(x, first, chosen), "weights", "is not of [FLOAT32]");
            refused(first::starts, "starts: rows of PADDED begin at");
            refused(first::receive, "were received already");
            Routed second = ep.dispatchSend(Tokens.of(x, each.chosen(0, 1), 4));
            refused(second::x, "was only sent: receive() is to come first");
            refused(() -> ep.dispatch(x, chosen, 4), "2 dispatches are in flight: combine or close one");
            second.close();
            ep.combine(Sums.into(x), first);
            refused(() -> ep.combine(Sums.into(x), first), "was ended by combine");
            refused(first::results, "was ended by combine");
            each.works();
            ep.close();
            refused(() -> ep.dispatch(x, chosen, 4), "is closed");
        });
    }

    private static void refused(Runnable call, String... words) {
        assertThatThrownBy(call::run).satisfies(e -> assertThat(e.getMessage()).contains(words));
    }

    @Test
    void wrongShapesAreRefused() {
        refused(() -> MoeShape.experts(0), "1 to 2048 experts, not 0");
        refused(() -> SHAPE.perToken(33), "1 to 32 choices, not 33");
        refused(() -> SHAPE.input(DataType.FLOAT64), "not FLOAT64");
        refused(() -> SHAPE.payload(6), "a multiple of 4 bytes a token, not 6");
        refused(() -> SHAPE.scales(1, DataType.FLOAT16), "not 1 x FLOAT16");
        refused(() -> SHAPE.hidden(7).inputBytes(), "a token of 7 x FLOAT32 has 28 bytes");
        refused(() -> MoeShape.experts(3).inputBytes(), "set hidden(n)");
        refused(() -> MoeOptions.DEFAULT.padding(8), "set layout(RAGGED) first");
        refused(() -> RAGGED.padding(257), "1 to 256 rows, not 257");
        refused(() -> RAGGED.inFlight(0), "not 0");
        refused(() -> RAGGED.results(DataType.INT32), "not INT32");
        refused(() -> ExpertParallel.memory(SHAPE, RAGGED.group(2), 3), "3 PEs are no groups of 2");
        MoeOptions fp8 = RAGGED.quantize(Quantization.FP8_BLOCK_128);
        refused(() -> ExpertParallel.memory(SHAPE.hidden(8), fp8, 1), "multiples of 16 elements");
        assertThat(ExpertParallel.memory(SHAPE, RAGGED, 2).toString()).contains("MB a PE", "rows", "results");
    }

    @Test
    void thePeThatDoesNotComeIsNamed() {
        World.threads(3, world -> {
            try (ShmemPe pe = ShmemPe.onCpu(world, CpuOptions.fast())) {
                pe.timeout(Duration.ofSeconds(30));
                try (ExpertParallel ep = ExpertParallel.of(pe, SHAPE, MoeOptions.DEFAULT);
                        ExpertParallel other = ExpertParallel.of(pe, SHAPE, MoeOptions.DEFAULT)) {
                    Each each = new Each(pe, ep);
                    each.works();
                    Routed routed = other.dispatch(each.x(), each.chosen(0, 6, 2, 5, 6, -1, 1, 3), 4);
                    ep.timeout(Duration.ofMillis(500));
                    other.timeout(Duration.ofMillis(500));
                    pe.barrier();
                    if (pe.myPe() != 2) {
                        assertThatThrownBy(() -> ep.dispatch(each.x(), each.chosen(0), 4))
                                .isInstanceOf(CommTimeoutException.class)
                                .hasMessage("dispatch: rank " + pe.myPe() + " waits for rank 2's counts since 0.5 s;"
                                        + " rank 2 lives and has not begun this dispatch: " + SAME);
                    }
                    // So that none of the two that come is later than the limit.
                    pe.barrier();
                    if (pe.myPe() != 2) {
                        assertThatThrownBy(() -> other.combine(Sums.into(each.x()), routed))
                                .isInstanceOf(CommTimeoutException.class)
                                .hasMessage("combine: rank " + pe.myPe() + " waits for rank 2's results (experts 5 to"
                                        + " 6, 3 of 7 rows) since 0.5 s; rank 2 lives and has not begun this combine: "
                                        + SAME);
                        assertThatThrownBy(() -> ep.dispatch(each.x(), each.chosen(0), 4))
                                .isInstanceOf(CommTimeoutException.class);
                    }
                    pe.barrier();
                }
            }
        });
    }

    /** The flag of a PE is taken back, as if its rows were still on their way. */
    @Test
    void rowsThatDoNotComeAreCounted() {
        run(3, RAGGED, each -> {
            Routed routed = each.ep.dispatchSend(Tokens.of(each.x(), each.chosen(0, 2, -1, 6), 4));
            each.pe.barrier();
            if (each.pe.myPe() == 0) {
                MoeSpace space = routed.rows().space();
                space.base().plus(space.flags() + 4).asI32().set(0, 0);
                each.ep.timeout(Duration.ofMillis(300));
                assertThatThrownBy(routed::receive)
                        .isInstanceOf(CommTimeoutException.class)
                        .hasMessage("dispatch: rank 0 waits for rank 1's rows (experts 0 to 2, 4 of 12 rows) since"
                                + " 0.3 s; rank 1 lives and has begun this dispatch and has not sent them: " + SAME);
            }
            each.pe.barrier();
        });
    }

    @Test
    void shapesAndOptionsAreThoseOfAllPes() {
        World.threads(3, world -> {
            try (ShmemPe pe = ShmemPe.onCpu(world, CpuOptions.fast())) {
                pe.timeout(Duration.ofSeconds(30));
                MoeShape shape = pe.myPe() == 1 ? SHAPE.tokens(5) : SHAPE;
                assertThatThrownBy(() -> ExpertParallel.of(pe, shape, RAGGED))
                        .isInstanceOf(CollectiveMismatchException.class)
                        .hasMessageStartingWith("ExpertParallel.of on PE " + pe.myPe()
                                + " of 3: the PEs do not call the same: ranks 0, 2 MoeShape[")
                        .hasMessageContaining("; rank 1 MoeShape[")
                        .hasMessageContaining("tokens=4");
                int[][] table = {{0}, {0}, {0}, {1}, {1}, {2}, {pe.myPe() == 2 ? 1 : 2}};
                MoeOptions placed = RAGGED.localExperts(3).placement(ExpertPlacement.of(3, table));
                assertThatThrownBy(() -> ExpertParallel.of(pe, SHAPE, placed))
                        .isInstanceOf(CollectiveMismatchException.class);
                try (ExpertParallel ep = ExpertParallel.of(pe, SHAPE, RAGGED)) {
                    new Each(pe, ep).works();
                }
            }
        });
    }

    @Test
    void callsInAnotherOrderAreRefusedInCheckedMode() {
        run(2, MoeOptions.DEFAULT, each -> {
            each.ep.checked(true);
            Routed first = each.ep.dispatch(each.x(), each.chosen(0, 1), 4);
            assertThatThrownBy(() -> {
                        if (each.pe.myPe() == 0) {
                            each.ep.combine(Sums.into(each.x()), first);
                        } else {
                            each.ep.dispatch(each.x(), each.chosen(0, 1), 4);
                        }
                    })
                    .isInstanceOf(CollectiveMismatchException.class)
                    .hasMessageEndingWith(
                            "the PEs do not call the same: rank 0 combine(slot 0); rank 1 dispatch(slot 1)");
            each.ep.combine(Sums.into(each.x()), first);
            each.works();
        });
    }
}
