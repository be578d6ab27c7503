// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.moe;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.comm4j.core.Communicator;
import org.comm4j.core.Operations;
import org.comm4j.core.World;
import org.comm4j.cuda.Device;
import org.comm4j.device.ShmemPe;
import org.comm4j.kernel.CpuOptions;
import org.comm4j.kernel.KernelCompiler;
import org.comm4j.test.Nightly;
import org.comm4j.test.Sizes;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** {@link MoeLayerCase} by messages, as NCCL's are, of the embedded engine on the CPU. */
class MessageExpertsTest {
    private static final long SEED = Long.getLong("comm4j.seed", System.nanoTime());

    /** The embedded engine's messages. */
    record Messages(World world, Communicator communicator, boolean isPadded) implements ExpertTransport {
        @Override
        @Nullable
        public Device device() {
            return null;
        }

        @Override
        public KernelCompiler<?> compiler() {
            return KernelCompiler.cpu(CpuOptions.fast());
        }

        @Override
        public void group(org.comm4j.cuda.@Nullable Stream stream, Consumer<Operations> body) {
            communicator.group(body);
        }

        @Override
        public void synchronize(org.comm4j.cuda.Stream stream) {
            throw new UnsupportedOperationException("there are no streams");
        }
    }

    static Stream<Arguments> layers() {
        int layers = Nightly.isOn() ? 60 : 1;
        return Sizes.of(2, 3).stream()
                .flatMap(ranks -> IntStream.range(0, layers)
                        .mapToObj(i -> Arguments.of(
                                ranks,
                                MoeLayerCase.random(ranks, SEED + 1000 * ranks + i)
                                        .alone())));
    }

    private static void run(int ranks, String what, BiConsumer<ShmemPe, World> body) {
        try {
            World.threads(ranks, world -> {
                try (ShmemPe pe = ShmemPe.onCpu(world, CpuOptions.fast())) {
                    pe.timeout(Duration.ofSeconds(60));
                    body.accept(pe, world);
                }
            });
        } catch (Throwable e) {
            throw new AssertionError(
                    what + " on " + ranks + " ranks: " + e + "\n(the same data again: -Dcomm4j.seed=" + SEED + ")", e);
        }
    }

    @ParameterizedTest
    @MethodSource("layers")
    void rowsAndSumsAreThoseOfPlainJava(int ranks, MoeLayerCase layer) {
        run(ranks, layer.toString(), (pe, world) -> {
            Messages messages = new Messages(world, world.communicator(), false);
            try (ExpertParallel ep = ExpertParallel.of(messages, layer.shape(), layer.options())) {
                layer.run(pe, ep, 2);
            }
        });
    }

    @Test
    void tokensGoToARankOnce() {
        run(2, "by rank", (pe, world) -> {
            for (boolean padded : new boolean[] {false, true}) {
                Messages messages = new Messages(world, world.communicator(), padded);
                RankLayer.run(pe, SEED, false, (shape, options) -> ExpertParallel.of(messages, shape, options));
            }
        });
    }

    @Test
    void whatThereIsNotIsSaid() {
        run(2, "refusals", (pe, world) -> {
            MoeShape shape = MoeShape.experts(4).perToken(2).hidden(8).tokens(4);
            Messages messages = new Messages(world, world.communicator(), false);
            assertThatThrownBy(() -> ExpertParallel.of(messages, shape, MoeOptions.DEFAULT.group(2)))
                    .isInstanceOf(UnsupportedOperationException.class)
                    .hasMessageContaining("in no groups of 2 with the same tokens");
            Messages padded = new Messages(world, messages.communicator, true);
            assertThatThrownBy(() -> ExpertParallel.of(padded, shape, MoeOptions.DEFAULT))
                    .isInstanceOf(UnsupportedOperationException.class)
                    .hasMessageContaining("with the layout BY_RANK alone");
            try (ExpertParallel ep = ExpertParallel.of(messages, shape, MoeOptions.DEFAULT)) {
                assertThatThrownBy(() -> ep.exclude(1 - world.rank()))
                        .isInstanceOf(UnsupportedOperationException.class)
                        .hasMessageContaining("exclude on PE ");
                assertThatThrownBy(() -> ep.reserve(1))
                        .isInstanceOf(UnsupportedOperationException.class)
                        .hasMessageContaining("there is none here, as ranks that send messages do not reach");
            }
        });
    }
}
