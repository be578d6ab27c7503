// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel;

import java.util.stream.Stream;
import org.comm4j.kernel.lang.Kernel;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;

/** On a GPU. */
@Tag("gpu")
@Timeout(60)
class GpuGridReduceTest extends GridReduceContract {
    @BeforeAll
    static void require() {
        Machine.requireGpu();
    }

    static Stream<Machine> machines() {
        return Stream.of(
                        CompileOptions.DEFAULT,
                        CompileOptions.DEFAULT.withMath(Kernel.Math.EXACT).withChecks())
                .map(Machine::gpu);
    }
}
