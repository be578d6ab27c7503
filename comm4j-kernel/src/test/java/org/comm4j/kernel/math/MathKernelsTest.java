// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.math;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.lang.reflect.Method;
import java.util.List;
import java.util.stream.Stream;
import org.comm4j.core.HostArray;
import org.comm4j.cuda.LaunchConfig;
import org.comm4j.kernel.CompileOptions;
import org.comm4j.kernel.CpuOptions;
import org.comm4j.kernel.KernelCode;
import org.comm4j.kernel.KernelCompiler;
import org.comm4j.kernel.lang.CudaArch;
import org.comm4j.kernel.lang.Kernel;
import org.comm4j.kernel.link.Toolchain;
import org.comm4j.test.Natives;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Three arithmetics, and what becomes of CUDA's functions in each. */
class MathKernelsTest {
    private static final CompileOptions OPTIONS = CompileOptions.DEFAULT.withoutCache();

    @BeforeAll
    static void natives() {
        Natives.use();
    }

    private static KernelCode code(Class<?> owner, String name, CompileOptions options) {
        Method method = Stream.of(owner.getDeclaredMethods())
                .filter(each -> each.getName().equals(name))
                .findFirst()
                .orElseThrow();
        return KernelCode.compile(method, CudaArch.parse("sm_90"), options);
    }

    private static KernelCode code(String name) {
        return code(MathKernels.class, name, OPTIONS);
    }

    private static String firstLine(Class<?> owner, String name, CompileOptions options) {
        return code(owner, name, options).ir().lines().findFirst().orElseThrow();
    }

    @Test
    void kernelComesBeforeClassAndClassBeforeCompiler() {
        CompileOptions fast = OPTIONS.withMath(Kernel.Math.FAST);
        assertThat(firstLine(MathKernels.class, "contracted", OPTIONS)).contains(" cuda");
        assertThat(firstLine(MathKernels.class, "contracted", fast)).contains(" fast");
        assertThat(firstLine(MathKernels.class, "exact", fast)).doesNotContain("fast", "cuda");
        assertThat(firstLine(MathKernels.Exact.Inner.class, "product", fast)).doesNotContain("fast", "cuda");
        assertThat(firstLine(MathKernels.Exact.class, "own", fast)).contains(" cuda");
        assertThat(OPTIONS.withMath(Kernel.Math.DEFAULT)).isEqualTo(OPTIONS);
    }

    @Test
    void productsAndSumsAreFusedOnlyWhereTheyMay() {
        assumeTrue(Toolchain.problem() == null, Toolchain::problem);
        assertThat(code("contracted").ptx()).contains("fma.rn.f32").doesNotContain("mul.rn");
        assertThat(code("exact").ptx()).contains("mul.rn.f32").doesNotContain("fma.");
        assertThat(code("separate").ptx()).contains("mul.rn.f32", "add.rn.f32").doesNotContain("fma.");
    }

    @Test
    void functionsOfFloatsStayInFloat() {
        String cuda = code("single").nvvm();
        assertThat(cuda).contains("@__nv_expf(", "@__nv_powf(", "max.NaN.f32").doesNotContain("@__nv_exp(");
        String exact = code(MathKernels.class, "single", OPTIONS.withMath(Kernel.Math.EXACT))
                .nvvm();
        assertThat(exact).contains("@__nv_exp(", "@__nv_pow(").doesNotContain("@__nv_expf(", "max.NaN");
        assertThat(code("fast").nvvm()).contains("@__nv_fast_expf(", "@__nv_fast_powf(");
    }

    @Test
    void everythingIsInlined() {
        assumeTrue(Toolchain.problem() == null, Toolchain::problem);
        for (String name : List.of("several", "special", "bits", "single", "fast")) {
            KernelCode code = code(name);
            assertThat(code.cubin()).as(name).startsWith(0x7f, 'E', 'L', 'F');
            assertThat(code.ptx()).as(name).doesNotContain("__nv_", "call.uni");
        }
    }

    @Test
    void bodiesRunOnTheCpu() {
        HostArray x = HostArray.of(0.25f, 2f, 3f);
        HostArray y = HostArray.of(0.25, 2.0, 3.0);
        HostArray n = HostArray.of(0x11223344, 0x55667788, 0);
        try (var compiler = KernelCompiler.cpu(CpuOptions.fast())) {
            LaunchConfig one = LaunchConfig.grid(1).block(1);
            compiler.compile(MathKernels::bits).launch(one, n, x);
            assertThat(n.getInt(0)).isEqualTo(0x11223388);
            assertThat(x.getFloat(0)).isEqualTo(1.75f / 2);
            compiler.compile(MathKernels::several).launch(one, x, y, n);
            float sin = (float) Math.sin(0.875f);
            float cos = (float) Math.cos(0.875f);
            assertThat(n.getInt(0)).isEqualTo(Math.getExponent(sin) + 1 + Math.round(cos / 0.875f));
            assertThat(y.getDouble(0)).isCloseTo(0.25 + Math.sqrt(0.5), within(Math.ulp(1.0)));
        }
    }
}
