// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.moe;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.comm4j.test.Sizes;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** {@link MoeLayerCase} on the CPU, with PEs that are processes. */
@Tag("nightly")
class CpuProcessesTest {
    private static final long SEED = Long.getLong("comm4j.seed", System.nanoTime());
    private static final int LAYERS = 3;

    static List<Integer> sizes() {
        return Sizes.of(4, 3, 8);
    }

    @ParameterizedTest
    @MethodSource("sizes")
    void rowsAndSumsAreThoseOfPlainJava(int pes) {
        String output = MoeProgram.job(pes, MoeProgram.CPU, LAYERS, SEED);
        for (int pe = 0; pe < pes; pe++) {
            for (int i = 0; i < LAYERS; i++) {
                assertThat(output.lines()).contains("[" + pe + "] passed layer " + i);
            }
        }
        assertThat(output).endsWith("exit code 0\n");
    }
}
