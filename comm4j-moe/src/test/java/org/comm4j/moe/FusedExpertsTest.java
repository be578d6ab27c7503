// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.moe;

import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import org.comm4j.core.World;
import org.comm4j.device.ShmemPe;
import org.comm4j.kernel.CpuOptions;
import org.comm4j.test.Nightly;
import org.comm4j.test.Sizes;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Kernels of the program have the rows, and tokens that go to a PE once, on the CPU with PEs that are threads. */
class FusedExpertsTest {
    private static final long SEED = Long.getLong("comm4j.seed", System.nanoTime());

    static List<Integer> sizes() {
        return Nightly.isOn() ? Sizes.of(2, 3, 4) : Sizes.of(3);
    }

    static List<Integer> others() {
        return Nightly.isOn() ? Sizes.of(2, 3, 4) : Sizes.of(2);
    }

    private static void run(int pes, Consumer<ShmemPe> body) {
        try {
            World.threads(pes, world -> {
                try (ShmemPe pe = ShmemPe.onCpu(world, CpuOptions.fast())) {
                    pe.timeout(Duration.ofSeconds(60));
                    body.accept(pe);
                }
            });
        } catch (Throwable e) {
            throw new AssertionError(pes + " PEs: " + e + "\n(the same data again: -Dcomm4j.seed=" + SEED + ")", e);
        }
    }

    @ParameterizedTest
    @MethodSource("sizes")
    void kernelsOfTheProgramDispatchAndCombine(int pes) {
        run(pes, pe -> FusedLayer.run(pe, SEED));
    }

    @ParameterizedTest
    @MethodSource("others")
    void tokensGoToAPeOnce(int pes) {
        run(pes, pe -> RankLayer.run(pe, SEED));
    }
}
