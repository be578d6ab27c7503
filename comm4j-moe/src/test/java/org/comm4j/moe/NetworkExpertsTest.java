// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.moe;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.comm4j.core.World;
import org.comm4j.device.ShmemPe;
import org.comm4j.kernel.CpuOptions;
import org.comm4j.test.Nightly;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** {@link MoeLayerCase} on the CPU where only neighbours reach each other's memory: two hosts of two or four PEs. */
class NetworkExpertsTest {
    private static final long SEED = Long.getLong("comm4j.seed", System.nanoTime());

    static Stream<Arguments> layers() {
        int layers = Nightly.isOn() ? 40 : 1;
        return IntStream.of(Nightly.isOn() ? new int[] {1, 2, 4} : new int[] {2})
                .boxed()
                .flatMap(reach -> IntStream.range(0, layers)
                        .mapToObj(i -> Arguments.of(
                                2 * reach,
                                reach,
                                MoeLayerCase.random(2 * reach, SEED + 1000 * reach + i)
                                        .alone())));
    }

    private static void run(int pes, String what, Consumer<ShmemPe> body) {
        try {
            World.threads(pes, world -> {
                try (ShmemPe pe = ShmemPe.onCpu(world, CpuOptions.fast())) {
                    pe.timeout(Duration.ofSeconds(60));
                    body.accept(pe);
                }
            });
        } catch (Throwable e) {
            throw new AssertionError(
                    what + " on " + pes + " PEs: " + e + "\n(the same data again: -Dcomm4j.seed=" + SEED + ")", e);
        }
    }

    @ParameterizedTest
    @MethodSource("layers")
    void rowsAndSumsAreThoseOfPlainJava(int pes, int reach, MoeLayerCase layer) {
        run(pes, layer.toString(), pe -> {
            try (ExpertParallel ep = ExpertParallel.of(pe, layer.shape(), layer.options(), reach)) {
                layer.run(pe, ep, 2, reach);
            }
        });
    }

    static Stream<Arguments> hosts() {
        Arguments two = Arguments.of(4, 2);
        return Nightly.isOn() ? Stream.of(two, Arguments.of(8, 4), Arguments.of(6, 2)) : Stream.of(two);
    }

    /** Rows cross to a host once, and sums come back. */
    @ParameterizedTest
    @MethodSource("hosts")
    void tokensGoToAHostOnce(int pes, int reach) {
        run(
                pes,
                "by rank",
                pe -> RankLayer.run(
                        pe, SEED, false, reach, (shape, options) -> ExpertParallel.of(pe, shape, options, reach)));
    }

    /** Hosts of one PE: rows go to where they belong. */
    @Test
    @Tag("nightly")
    void tokensGoToAPeOnce() {
        run(
                3,
                "by rank",
                pe -> RankLayer.run(pe, SEED, false, 1, (shape, options) -> ExpertParallel.of(pe, shape, options, 1)));
    }

    @Test
    void whatThereIsNotIsSaid() {
        run(2, "refusals", pe -> {
            MoeShape shape = MoeShape.experts(4).perToken(2).hidden(8).tokens(4);
            assertThatThrownBy(() -> ExpertParallel.of(pe, shape, MoeOptions.DEFAULT.group(2), 1))
                    .isInstanceOf(UnsupportedOperationException.class)
                    .hasMessageContaining("in no groups of 2 with the same tokens");
            try (ExpertParallel ep = ExpertParallel.of(pe, shape, MoeOptions.DEFAULT, 1)) {
                assertThatThrownBy(() -> ep.exclude(1 - pe.myPe()))
                        .isInstanceOf(UnsupportedOperationException.class)
                        .hasMessage("exclude on PE " + pe.myPe() + " of 2: there is none here, as PE " + (1 - pe.myPe())
                                + " is out of reach of PE " + pe.myPe());
            }
        });
    }
}
