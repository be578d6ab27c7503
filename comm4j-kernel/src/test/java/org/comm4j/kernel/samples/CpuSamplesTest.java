// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.samples;

import java.util.stream.Stream;
import org.comm4j.kernel.CpuOptions;
import org.comm4j.kernel.Machine;

/** The samples in all modes of the executor on the CPU. */
class CpuSamplesTest extends SamplesContract {
    static Stream<Machine> machines() {
        return Stream.of(
                        CpuOptions.fast(),
                        CpuOptions.fast().processors(1),
                        CpuOptions.fast().shuffled(7),
                        CpuOptions.debug(),
                        CpuOptions.debug().shuffled(3),
                        CpuOptions.checked(1),
                        CpuOptions.checked(2),
                        CpuOptions.checked(77))
                .map(Machine::cpu);
    }
}
