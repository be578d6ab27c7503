// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.programs;

import java.util.stream.Stream;
import org.comm4j.kernel.CpuOptions;
import org.comm4j.kernel.Machine;
import org.comm4j.test.Nightly;
import org.junit.jupiter.params.provider.Arguments;

/** The programs in the modes of the executor on the CPU; the checked one looks for races. */
class CpuProgramsTest extends ProgramsContract {
    static Stream<Arguments> runs() {
        Stream<CpuOptions> orders = Nightly.isOn() ? Stream.of(CpuOptions.checked(77)) : Stream.empty();
        return everyProgram(Stream.concat(
                        Stream.of(
                                CpuOptions.fast(),
                                CpuOptions.fast().shuffled(11),
                                CpuOptions.debug(),
                                CpuOptions.checked(1)),
                        orders)
                .map(Machine::cpu));
    }
}
