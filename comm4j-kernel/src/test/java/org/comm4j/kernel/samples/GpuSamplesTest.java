// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.samples;

import java.util.stream.Stream;
import org.comm4j.kernel.CompileOptions;
import org.comm4j.kernel.Machine;
import org.comm4j.kernel.lang.Kernel;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

/** The samples on a GPU. */
@Tag("gpu")
class GpuSamplesTest extends SamplesContract {
    @BeforeAll
    static void require() {
        Machine.requireGpu();
    }

    static Stream<Machine> machines() {
        return Stream.of(
                        CompileOptions.DEFAULT.withMath(Kernel.Math.EXACT),
                        CompileOptions.DEFAULT.withMath(Kernel.Math.EXACT).withChecks(),
                        CompileOptions.DEFAULT.withMath(Kernel.Math.EXACT).withoutCache())
                .map(Machine::gpu);
    }
}
