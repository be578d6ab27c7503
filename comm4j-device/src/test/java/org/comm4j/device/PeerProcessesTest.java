// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.device;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.comm4j.test.Nightly;
import org.comm4j.test.Sizes;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** {@link PeerCases} on the CPU, with PEs that are processes. */
class PeerProcessesTest {
    static List<Integer> sizes() {
        return Nightly.isOn() ? Sizes.of(3, 4) : Sizes.of(2);
    }

    @ParameterizedTest
    @MethodSource("sizes")
    void allCasesPass(int pes) {
        // So many JVMs would spend most of the time compiling.
        String output = PeerProgram.job(pes, DeviceProgram.CPU, List.of("-XX:TieredStopAtLevel=1"));
        for (PeerCases each : PeerProgram.SOME) {
            for (int pe = 0; pe < pes; pe++) {
                assertThat(output).contains("[" + pe + "] passed " + each + "\n");
            }
        }
        assertThat(output).endsWith("exit code 0\n");
    }
}
