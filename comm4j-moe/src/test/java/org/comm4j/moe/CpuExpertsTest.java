// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.moe;

import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.comm4j.core.World;
import org.comm4j.device.ShmemPe;
import org.comm4j.kernel.CpuOptions;
import org.comm4j.test.Nightly;
import org.comm4j.test.Sizes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** {@link MoeLayerCase} on the CPU, with PEs that are threads. */
class CpuExpertsTest {
    private static final long SEED = Long.getLong("comm4j.seed", System.nanoTime());

    static Stream<Arguments> layers() {
        int layers = Nightly.isOn() ? 250 : 1;
        return (Nightly.isOn() ? List.of(1, 2, 3, 4, 8) : Sizes.of(1, 2, 3, 4))
                .stream()
                        .flatMap(pes -> IntStream.range(0, pes == 8 ? layers / 10 : layers)
                                .mapToObj(i -> Arguments.of(pes, MoeLayerCase.random(pes, SEED + 1000 * pes + i))));
    }

    @ParameterizedTest
    @MethodSource("layers")
    void rowsAndSumsAreThoseOfPlainJava(int pes, MoeLayerCase layer) {
        run(pes, layer, CpuOptions.fast());
    }

    /** Beyond the last epoch, in a slot whose words nobody has written, as only dispatches without counts came. */
    @Test
    void noEpochIsThatOfUnwrittenWords() {
        run(3, MoeLayerCase.random(3, 33_730_343_476_210L), CpuOptions.fast());
    }

    @ParameterizedTest
    @MethodSource("few")
    void nothingRaces(int pes, MoeLayerCase layer) {
        run(pes, layer, CpuOptions.checked(SEED));
    }

    /** Of rows that are no multiple of what a thread sums at once, and of a type that has no scales. */
    @Test
    void narrowSumsReadNoScales() {
        run(2, MoeLayerCase.random(2, 47_301_859_965_411L), CpuOptions.checked(SEED));
    }

    static Stream<Arguments> few() {
        return Sizes.of(1, 2).stream().map(pes -> Arguments.of(pes, MoeLayerCase.random(pes, SEED + 77 + pes)));
    }

    private static void run(int pes, MoeLayerCase layer, CpuOptions options) {
        try {
            World.threads(pes, world -> {
                try (ShmemPe pe = ShmemPe.onCpu(world, options)) {
                    pe.timeout(Duration.ofSeconds(60));
                    layer.run(pe, 2);
                }
            });
        } catch (Throwable e) {
            throw new AssertionError(
                    layer + " on " + pes + " PEs: " + e + "\n(the same data again: -Dcomm4j.seed=" + SEED + ")", e);
        }
    }
}
