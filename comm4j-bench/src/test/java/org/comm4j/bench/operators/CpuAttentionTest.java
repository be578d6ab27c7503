// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.bench.operators;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import org.comm4j.core.Buffer;
import org.comm4j.core.HostArray;
import org.comm4j.kernel.CompileOptions;
import org.comm4j.kernel.KernelCode;
import org.comm4j.kernel.KernelCompiler;
import org.comm4j.kernel.KernelMethod;
import org.comm4j.kernel.lang.CudaArch;
import org.comm4j.test.Natives;
import org.junit.jupiter.api.Test;

/** {@link FlashAttention} as the CPU does it, and its machine code. */
class CpuAttentionTest extends AttentionContract {
    @Override
    KernelCompiler<?> compiler() {
        return KernelCompiler.cpu();
    }

    @Override
    Buffer put(HostArray content) {
        HostArray copy = HostArray.allocate(content.type(), content.count());
        copy.copyFrom(content);
        return copy;
    }

    @Test
    void causalTilesInTurns() {
        compares(1, 1, 1, 2 * FlashAttention.TILE);
    }

    /** Scores, weights and sums stay in registers. */
    @Test
    void nothingIsInLocalMemory() {
        Natives.use();
        assumeTrue(KernelCode.problem() == null, KernelCode::problem);
        KernelCode code = KernelCode.compile(
                KernelMethod.named(FlashAttention.class, "forward"),
                CudaArch.parse("sm_90a"),
                CompileOptions.DEFAULT.withoutCache(),
                1,
                1);
        assertThat(code.attributes().localBytes()).isZero();
        assertThat(code.ptx()).doesNotContain("__local_depot");
    }
}
