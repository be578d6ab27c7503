// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.programs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.comm4j.kernel.CompileOptions;
import org.comm4j.kernel.KernelAttributes;
import org.comm4j.kernel.KernelCode;
import org.comm4j.kernel.lang.CudaArch;
import org.comm4j.kernel.lang.Kernel;
import org.comm4j.kernel.link.Toolchain;
import org.comm4j.test.Natives;
import org.comm4j.test.Nightly;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The programs' kernels become machine code by NVIDIA's own compilers, whole and without memory of threads; without a
 * GPU.
 */
class ProgramsCodeTest {
    private static final Pattern CALL = Pattern.compile("call(?:\\.uni)?\\s+(?:\\([^)]*\\),)?\\s*([\\w$]+)");

    @BeforeAll
    static void require() {
        Natives.use();
        assumeTrue(Toolchain.problem() == null, Toolchain::problem);
    }

    static Stream<Arguments> everyKernel() {
        return Program.all().stream()
                .flatMap(program -> Arrays.stream(program.getClass().getDeclaredMethods()))
                .filter(method -> method.isAnnotationPresent(Kernel.class))
                .flatMap(method ->
                        Nightly.variants(method.getName().hashCode(), List.of("sm_80", "sm_90", "sm_100")).stream()
                                .map(arch -> Arguments.of(
                                        method.getDeclaringClass().getSimpleName(), method.getName(), arch, method)));
    }

    @ParameterizedTest(name = "{0}.{1} for {2}")
    @MethodSource("everyKernel")
    void becomesMachineCode(String program, String kernel, String arch, Method method) {
        Object[] constants = method.getDeclaringClass() == Convolution3d.class
                ? new Object[] {Convolution3d.Edge.ZERO}
                : new Object[0];
        KernelCode code =
                KernelCode.compile(method, CudaArch.parse(arch), CompileOptions.DEFAULT.withoutCache(), constants);
        // The linker refuses what is unresolved.
        KernelAttributes attributes = code.attributes();
        assertThat(attributes.registers()).isPositive();
        assertThat(attributes.localBytes()).isZero();
        if (arch.equals("sm_90")) {
            // Views check their indices, and Math.clamp throws if its bounds are the wrong way round.
            boolean checks = program.equals("Convolution2d")
                    || Arrays.stream(method.getParameterTypes())
                            .anyMatch(type -> type.getSimpleName().endsWith("View"));
            assertThat(CALL.matcher(code.ptx()).results().map(call -> call.group(1)))
                    .allMatch(called -> called.equals("__assertfail") && checks);
        }
    }
}
