// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.stream.Stream;
import org.comm4j.kernel.lang.Kernel;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;

/** On a GPU that has them. */
@Tag("gpu")
@Timeout(60)
class GpuWideAtomicsTest extends WideAtomicsContract {
    @BeforeAll
    static void require() {
        Machine.requireGpu();
        int arch =
                Machine.gpu(CompileOptions.DEFAULT).open().computeCapability().number();
        assumeTrue(arch >= 90, () -> "atomics on 128 bits need sm_90, and this is sm_" + arch);
    }

    static Stream<Machine> machines() {
        return Stream.of(
                        CompileOptions.DEFAULT.withMath(Kernel.Math.EXACT),
                        CompileOptions.DEFAULT.withMath(Kernel.Math.EXACT).withChecks())
                .map(Machine::gpu);
    }
}
