// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.comm4j.kernel.lang.Constant;
import org.comm4j.kernel.lang.CudaArch;
import org.comm4j.kernel.lang.Kernel;
import org.comm4j.kernel.link.Toolchain;
import org.comm4j.kernel.samples.Histogram;
import org.comm4j.kernel.samples.Jacobi;
import org.comm4j.kernel.samples.MatrixProduct;
import org.comm4j.kernel.samples.Reduction;
import org.comm4j.kernel.samples.Saxpy;
import org.comm4j.kernel.samples.Scan;
import org.comm4j.kernel.samples.Transpose;
import org.comm4j.test.Natives;
import org.comm4j.test.Nightly;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The kernels of the tests that need a GPU become machine code without one. */
class ContractCodeTest {
    @BeforeAll
    static void require() {
        Natives.use();
        assumeTrue(Toolchain.problem() == null, Toolchain::problem);
    }

    static Stream<Method> kernels() {
        return Stream.of(
                        VocabularyContract.class,
                        ComplexContract.class,
                        GridReduceContract.class,
                        GpuMisuseTest.class,
                        FaultyProgram.class,
                        Histogram.class,
                        Jacobi.class,
                        MatrixProduct.class,
                        Reduction.class,
                        Saxpy.class,
                        Scan.class,
                        Transpose.class)
                .flatMap(type -> Arrays.stream(type.getDeclaredMethods()))
                .filter(method -> method.isAnnotationPresent(Kernel.class));
    }

    @ParameterizedTest
    @MethodSource("kernels")
    void becomesMachineCode(Method method) {
        Object[] constants = Arrays.stream(method.getParameters())
                .filter(parameter -> parameter.isAnnotationPresent(Constant.class))
                .map(_ -> 3)
                .toArray();
        CompileOptions plain = CompileOptions.DEFAULT.withoutCache();
        for (CompileOptions options :
                Nightly.variants(method.getName().hashCode(), List.of(plain, plain.withChecks()))) {
            KernelCode code = KernelCode.compile(method, CudaArch.parse("sm_90"), options, constants);
            assertThat(code.attributes().registers()).isPositive();
        }
    }
}
