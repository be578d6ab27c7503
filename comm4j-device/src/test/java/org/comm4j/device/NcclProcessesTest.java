// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.device;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.comm4j.test.Nightly;
import org.comm4j.test.Sizes;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** {@link NcclCases} and {@link GinCases} on the CPU, with ranks that are processes. */
class NcclProcessesTest {
    static List<Integer> sizes() {
        return Nightly.isOn() ? Sizes.of(3, 4) : Sizes.of(2);
    }

    @ParameterizedTest
    @MethodSource("sizes")
    void allCasesPass(int ranks) {
        // So many JVMs would spend most of the time compiling.
        String output = NcclProgram.job(ranks, DeviceProgram.CPU, List.of("-XX:TieredStopAtLevel=1"));
        for (int rank = 0; rank < ranks; rank++) {
            for (NcclCases each : NcclProgram.SOME) {
                assertThat(output).contains("[" + rank + "] passed " + each + "\n");
            }
            for (GinCases each : NcclProgram.SOME_OF_THE_NETWORK) {
                assertThat(output).contains("[" + rank + "] passed network " + each + "\n");
            }
        }
        assertThat(output).endsWith("exit code 0\n");
    }
}
