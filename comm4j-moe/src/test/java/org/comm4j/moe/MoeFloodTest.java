// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.moe;

import java.time.Duration;
import org.comm4j.core.World;
import org.comm4j.device.ShmemPe;
import org.comm4j.kernel.CpuOptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** {@link MoeFlood} on the CPU, with PEs that are threads. */
class MoeFloodTest {
    private static final long SEED = Long.getLong("comm4j.seed", System.nanoTime());

    @Test
    void operationsInARow() {
        run(4, 24);
    }

    @Test
    @Tag("nightly")
    void tenThousandOperations() {
        run(4, 10_000);
    }

    private static void run(int pes, int operations) {
        try {
            World.threads(pes, world -> {
                try (ShmemPe pe = ShmemPe.onCpu(world, CpuOptions.fast())) {
                    pe.timeout(Duration.ofSeconds(60));
                    MoeFlood.run(pe, null, operations, 200_000, SEED);
                }
            });
        } catch (Throwable e) {
            throw new AssertionError(
                    pes + " PEs, " + operations + " operations: " + e + "\n(the same data again: -Dcomm4j.seed=" + SEED
                            + ")",
                    e);
        }
    }
}
