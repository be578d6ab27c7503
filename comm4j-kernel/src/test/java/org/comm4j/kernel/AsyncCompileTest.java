// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.comm4j.kernel.lang.CudaArch;
import org.comm4j.kernel.lang.Kernel;
import org.comm4j.kernel.link.Toolchain;
import org.comm4j.kernel.samples.BulkPipeline;
import org.comm4j.kernel.samples.TensorProduct;
import org.comm4j.test.Natives;
import org.comm4j.test.Nightly;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The same kernels by NVIDIA's own compilers. */
class AsyncCompileTest {
    private static final Set<String> SM_90 = Set.of("ring", "scale");

    @BeforeAll
    static void require() {
        Natives.use();
        assumeTrue(Toolchain.problem() == null, Toolchain::problem);
    }

    static Stream<Arguments> everyKernel() {
        return Stream.of(AsyncKernels.class, TensorProduct.class, BulkPipeline.class)
                .flatMap(type -> Arrays.stream(type.getDeclaredMethods()))
                .filter(method -> method.isAnnotationPresent(Kernel.class)
                        && !method.getName().equals("notConstant"))
                .flatMap(method ->
                        Nightly.variants(method.getName().hashCode(), List.of("sm_80", "sm_90", "sm_100")).stream()
                                .map(arch -> Arguments.of(
                                        method.getDeclaringClass().getSimpleName() + "." + method.getName(),
                                        method,
                                        arch)));
    }

    private static KernelCode compile(Method method, String arch, CompileOptions options) {
        return KernelCode.compile(method, CudaArch.parse(arch), options.withoutCache());
    }

    @ParameterizedTest(name = "{0} for {2}")
    @MethodSource("everyKernel")
    void becomesMachineCode(String name, Method method, String arch) {
        if (SM_90.contains(method.getName()) && arch.equals("sm_80")) {
            assertThatThrownBy(() -> compile(method, arch, CompileOptions.DEFAULT))
                    .isInstanceOf(KernelCompileException.class)
                    .hasMessageContaining("needs sm_90 or later, and this is compiled for sm_80")
                    .hasMessageContaining(name.endsWith("ring") ? "Cluster.rank" : "BulkCopy.toShared");
            return;
        }
        for (CompileOptions options : Nightly.variants(
                name.hashCode(), List.of(CompileOptions.DEFAULT, CompileOptions.DEFAULT.withChecks()))) {
            assertThat(compile(method, arch, options).cubin()).startsWith(0x7f, 'E', 'L', 'F');
        }
    }

    @Test
    void saysWhatMustBeConstant() throws NoSuchMethodException {
        Method method = AsyncKernels.class.getDeclaredMethod("notConstant", int.class);
        assertThatThrownBy(() -> compile(method, "sm_80", CompileOptions.DEFAULT))
                .isInstanceOf(KernelCompileException.class)
                .hasMessageContaining("AsyncCopy.waitFor needs a constant");
    }

    @Test
    void sumsAreInRegisters() {
        for (Method method : TensorProduct.class.getDeclaredMethods()) {
            if (method.isAnnotationPresent(Kernel.class)) {
                KernelCode code = compile(method, "sm_90", CompileOptions.DEFAULT);
                assertThat(code.ptx()).contains("mma.sync", "cp.async").doesNotContain("__local_depot");
            }
        }
    }
}
