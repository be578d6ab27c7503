// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.programs;

import java.util.stream.Stream;
import org.comm4j.kernel.CompileOptions;
import org.comm4j.kernel.Machine;
import org.comm4j.kernel.lang.Kernel;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.provider.Arguments;

/** The programs on a GPU. */
@Tag("gpu")
class GpuProgramsTest extends ProgramsContract {
    @BeforeAll
    static void require() {
        Machine.requireGpu();
    }

    static Stream<Arguments> runs() {
        return everyProgram(Stream.of(
                        CompileOptions.DEFAULT.withMath(Kernel.Math.EXACT),
                        CompileOptions.DEFAULT.withMath(Kernel.Math.EXACT).withChecks())
                .map(Machine::gpu));
    }
}
