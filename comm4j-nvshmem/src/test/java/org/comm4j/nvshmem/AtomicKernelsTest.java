// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.nvshmem;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** NVIDIA's compiler takes the kernels of atomic operations; no GPU is needed for that. */
class AtomicKernelsTest {
    @ParameterizedTest
    @ValueSource(strings = {"sm_75", "sm_90", "sm_120"})
    void theKernelsCompile(String architecture) {
        String names = PtxCompiler.compiled(AtomicKernels.ptx(), architecture);
        for (AtomicKernels.Kind kind : AtomicKernels.Kind.values()) {
            assertThat(names).contains(kind.kernel());
        }
    }
}
