// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.operator.solver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.lang.reflect.Method;
import org.comm4j.kernel.CompileOptions;
import org.comm4j.kernel.CudaArch;
import org.comm4j.kernel.Kernel;
import org.comm4j.kernel.KernelCode;
import org.comm4j.test.Natives;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The calculations of solvers as machine code of a GPU, which needs none. */
class CalculationCodeTest {
    @ParameterizedTest
    @ValueSource(classes = {Cg.class, Cgls.class, Lsqr.class})
    void calculationsAreKernels(Class<?> solver) {
        Natives.use();
        assumeTrue(KernelCode.problem() == null, KernelCode::problem);
        int kernels = 0;
        for (Method method : solver.getDeclaredMethods()) {
            if (method.isAnnotationPresent(Kernel.class)) {
                KernelCode code = KernelCode.compile(method, CudaArch.parse("sm_90"), CompileOptions.DEFAULT);
                assertThat(code.attributes().localBytes()).as(method.getName()).isZero();
                kernels++;
            }
        }
        assertThat(kernels).isEqualTo(2);
    }
}
