// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.stream.Stream;
import org.comm4j.kernel.lang.Constant;
import org.comm4j.kernel.lang.F32Ptr;
import org.comm4j.kernel.lang.GlobalIdx;
import org.comm4j.kernel.lang.I32Ptr;
import org.comm4j.kernel.lang.Kernel;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Wrong arguments on the CPU. The same list runs on GPUs ({@link GpuMisuseTest}) and on the driver of the tests ({@link
 * StubLaunchTest}).
 */
class ArgumentChecksTest {
    static Stream<CpuOptions> modes() {
        return Stream.of(CpuOptions.fast(), CpuOptions.debug(), CpuOptions.checked(3));
    }

    @Kernel
    static void scale(F32Ptr x, int n, float factor) {
        int i = GlobalIdx.x();
        if (i < n) {
            x.set(i, x.get(i) * factor);
        }
    }

    @ParameterizedTest
    @MethodSource("modes")
    void areRefused(CpuOptions options) {
        Machine cpu = Machine.cpu(options);
        WrongArguments.ofScale(cpu.kernel(ArgumentChecksTest.class, "scale"), WrongArguments.Memory.host());
        WrongArguments.ofSum(cpu.kernel(WrongArguments.class, "sum"), WrongArguments.Memory.host());
    }

    @Kernel
    static void constant(@Constant int n, I32Ptr out) {
        out.set(0, n);
    }

    @Test
    void constantsHaveValuesWhenTheKernelIsCompiled() {
        try (var compiler = KernelCompiler.cpu()) {
            assertThatThrownBy(() -> compiler.compile(Machine.method(ArgumentChecksTest.class, "constant")))
                    .isInstanceOf(KernelCompileException.class)
                    .hasMessageContaining("parameter n is a @Constant, but no value is given for it");
            assertThatThrownBy(() -> compiler.compile(Machine.method(ArgumentChecksTest.class, "constant"), 3L))
                    .isInstanceOf(KernelCompileException.class)
                    .hasMessageContaining("parameter n: its value is given as Long instead of int");
        }
    }
}
