// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.nvshmem;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.comm4j.core.DataType;
import org.comm4j.core.ReduceOp;
import org.comm4j.test.Nightly;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** NVIDIA's compiler takes the kernels of all reductions; no GPU is needed for that. */
class ReductionKernelsTest {
    /** That of an H200, unless there is much time. */
    static List<String> architectures() {
        return Nightly.variants(1, List.of("sm_75", "sm_90", "sm_120"));
    }

    @ParameterizedTest
    @MethodSource("architectures")
    void theKernelsCompile(String architecture) {
        int kernels = 0;
        for (ReduceOp op : ReduceOp.values()) {
            for (DataType type : DataType.values()) {
                if (ReductionKernels.supports(op, type)) {
                    assertThat(PtxCompiler.compiled(ReductionKernels.ptx(op, type), architecture))
                            .contains(ReductionKernels.name(op, type));
                    kernels++;
                }
            }
        }
        // 8 integer types and 8 operations, 4 real ones and 5, 2 complex ones and 3.
        assertThat(kernels).isEqualTo(90);
    }
}
