// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.operator.solver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.stream.Stream;
import org.comm4j.kernel.CompileOptions;
import org.comm4j.kernel.KernelCode;
import org.comm4j.kernel.KernelMethod;
import org.comm4j.kernel.lang.Constant;
import org.comm4j.kernel.lang.CudaArch;
import org.comm4j.kernel.lang.F64Ptr;
import org.comm4j.kernel.lang.Kernel;
import org.comm4j.math.Calculation;
import org.comm4j.test.Natives;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The calculations of solvers as machine code of a GPU, which needs none. */
class CalculationCodeTest {
    @Kernel
    static void calculate(@Constant Calculation calculation, F64Ptr a, F64Ptr b, F64Ptr c) {
        calculation.run(a, b, c);
    }

    static Stream<Calculation> calculations() {
        return Stream.of(Cg.STEP, Cg.TURN, Cgls.STEP, Cgls.TURN, Lsqr.SCALE, Lsqr.ROTATE, Shrinkage.END);
    }

    @ParameterizedTest
    @MethodSource("calculations")
    void calculationsAreCompiledIntoKernels(Calculation calculation) {
        Natives.use();
        assumeTrue(KernelCode.problem() == null, KernelCode::problem);
        KernelCode code = KernelCode.compile(
                KernelMethod.named(CalculationCodeTest.class, "calculate"),
                CudaArch.parse("sm_90"),
                CompileOptions.DEFAULT,
                calculation);
        assertThat(code.attributes().localBytes()).isZero();
        assertThat(code.ptx()).doesNotContain("call.uni");
    }
}
