// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.device;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@link PeerCases} and {@link PeerGpuCases} on GPUs: a process for each of them. */
@Tag("gpu")
class GpuPeerTest {
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 4})
    void allCasesPass(int pes) {
        Gpus.require(pes);
        String output = PeerProgram.job(pes, DeviceProgram.GPU, java.util.List.of(DeviceProgram.gpuOptions()));
        Stream<String> names =
                Stream.concat(Stream.of(PeerCases.values()).map(Enum::name), PeerGpuCases.NAMES.stream());
        names.forEach(name -> {
            for (int pe = 0; pe < pes; pe++) {
                // The launcher marks the lines of several.
                String from = pes == 1 ? "" : "[" + pe + "] ";
                assertThat(output.lines()).contains(from + "passed " + name);
            }
        });
        assertThat(output).endsWith("exit code 0\n");
    }
}
