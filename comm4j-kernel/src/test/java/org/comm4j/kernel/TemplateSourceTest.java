// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.core.ReduceOp;
import org.comm4j.cuda.LaunchConfig;
import org.comm4j.kernel.lang.Constant;
import org.comm4j.kernel.lang.CudaArch;
import org.comm4j.kernel.lang.DeviceFunction;
import org.comm4j.kernel.lang.I32Ptr;
import org.comm4j.kernel.lang.Kernel;
import org.junit.jupiter.api.Test;

/** Functions of which there is one for each constant of a call. */
class TemplateSourceTest {
    private static final String SCALED =
            "#define scaled(NAME, N, UP) extern \"C\" __device__ int NAME(int x) { return (UP) ? (N) * x : x; }\n";

    @DeviceFunction(value = "scaled__of_$1_$2", unit = "scales")
    static int scaled(int n, boolean up, int x) {
        return up ? n * x : x;
    }

    @DeviceFunction(value = "chosen__of_$1", unit = "scales")
    static int chosen(ReduceOp op) {
        return op.ordinal();
    }

    static int twice(@Constant int n, int x) {
        return scaled(2 * n, true, x);
    }

    @Kernel
    static void constants(I32Ptr out) {
        out.set(0, scaled(-3, false, out.get(0)));
        out.set(1, twice(4, out.get(1)));
        out.set(2, chosen(ReduceOp.MAX));
    }

    @Kernel
    static void unknown(I32Ptr out, int n) {
        out.set(0, scaled(n, true, 5));
    }

    @Test
    void constantsAreInTheNamesAndNoArguments() throws NoSuchMethodException {
        KernelCode code = KernelCode.compile(
                TemplateSourceTest.class.getDeclaredMethod("constants", I32Ptr.class),
                CudaArch.parse("sm_90"),
                CompileOptions.DEFAULT);
        assertThat(code.nvvm())
                .contains(
                        "declare i32 @scaled__of_m3_0(i32)",
                        "declare i32 @scaled__of_8_1(i32)",
                        "declare i32 @chosen__of_" + ReduceOp.MAX.ordinal() + "()");
        HostArray out = HostArray.of(5, 7, 0);
        try (KernelCompiler<CompiledKernel> compiler = KernelCompiler.cpu();
                CompiledKernel kernel = compiler.compile(TemplateSourceTest::constants)) {
            kernel.launch(LaunchConfig.grid(1).block(1), out);
        }
        assertThat(out.type()).isEqualTo(DataType.INT32);
        assertThat(out.toIntArray()).containsExactly(5, 56, ReduceOp.MAX.ordinal());
    }

    @Test
    void whatIsNoConstantIsRefused() {
        assertThatThrownBy(() -> KernelCode.compile(
                        TemplateSourceTest.class.getDeclaredMethod("unknown", I32Ptr.class, int.class),
                        CudaArch.parse("sm_90"),
                        CompileOptions.DEFAULT))
                .isInstanceOf(KernelCompileException.class)
                .hasMessageContaining("TemplateSourceTest.scaled needs a constant as argument 1");
    }

    @Test
    void whatIsCalledIsInstantiated() {
        assertThat(TemplateSource.instantiated(
                        SCALED, List.of("scaled__of_m3_0", "other__of_1", "scaled", "xscaled__of_1_1")))
                .isEqualTo(SCALED + "scaled(scaled__of_m3_0, -3, 0)\n");
        assertThat(TemplateSource.instantiated("#define f(NAME) int NAME", List.of("f__of")))
                .isEqualTo("#define f(NAME) int NAME\nf(f__of)\n");
        DeviceUnit unit = DeviceUnit.templates("scales", SCALED, List.of(Path.of("/headers")), "-std=c++17");
        DeviceUnit made = unit.forFunctions(Set.of("scaled__of_8_1")).getFirst();
        assertThat(new String(made.content(), StandardCharsets.UTF_8)).endsWith("\nscaled(scaled__of_8_1, 8, 1)\n");
        assertThat(made.includes()).containsExactly(Path.of("/headers"));
        assertThat(made.options()).containsExactly("-std=c++17");
    }
}
