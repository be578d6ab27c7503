// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.Serializable;
import java.util.function.DoubleUnaryOperator;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.cuda.LaunchConfig;
import org.comm4j.kernel.lang.Constant;
import org.comm4j.kernel.lang.CudaArch;
import org.comm4j.kernel.lang.F64Ptr;
import org.comm4j.kernel.lang.GlobalIdx;
import org.comm4j.kernel.lang.Kernel;
import org.junit.jupiter.api.Test;

/** Lambdas as values of constant parameters: their bodies are compiled into the kernel. */
class ConstantLambdaTest {
    interface Function extends Serializable {
        double of(double x);
    }

    static final class Squares implements Function {
        @Override
        public double of(double x) {
            return x * x;
        }
    }

    @Kernel
    static void apply(@Constant Function f, int n, F64Ptr x) {
        int i = GlobalIdx.x();
        if (i < n) {
            x.set(i, f.of(x.get(i)));
        }
    }

    @Kernel
    static void applyOperator(@Constant DoubleUnaryOperator f, F64Ptr x) {
        x.set(0, f.applyAsDouble(x.get(0)));
    }

    private static double cube(double x) {
        return x * x * x;
    }

    private static double applied(Function f) {
        HostArray x = HostArray.allocate(DataType.FLOAT64, 3);
        x.fill(3);
        try (var compiler = KernelCompiler.cpu();
                CompiledKernel kernel = compiler.compile(Machine.method(ConstantLambdaTest.class, "apply"), f)) {
            kernel.launch(LaunchConfig.forElements(3), 3, x);
        }
        assertThat(x.getDouble(0)).isEqualTo(x.getDouble(2));
        return x.getDouble(2);
    }

    @Test
    void areCalled() {
        int two = 2;
        boolean adds = true;
        assertThat(applied(x -> x + 1)).isEqualTo(4);
        assertThat(applied(x -> adds ? x + two : x)).isEqualTo(5);
        assertThat(applied(ConstantLambdaTest::cube)).isEqualTo(27);
        assertThat(applied(Math::sqrt)).isEqualTo(Math.sqrt(3));
    }

    @Test
    void aKernelForAGpuHasTheirBodies() {
        double captured = 0.375;
        Function f = x -> x * captured;
        String ir = KernelCode.compile(
                        Machine.method(ConstantLambdaTest.class, "apply"),
                        CudaArch.parse("sm_90"),
                        CompileOptions.DEFAULT,
                        f)
                .ir();
        assertThat(ir).contains("(f64 0.375, f64 %");
    }

    @Test
    void othersAreRefused() {
        assertThatThrownBy(() -> applied(new Squares()))
                .isInstanceOf(KernelCompileException.class)
                .hasMessageContaining("neither a method reference nor a lambda");
        DoubleUnaryOperator plain = x -> x;
        try (var compiler = KernelCompiler.cpu()) {
            assertThatThrownBy(() -> compiler.compile(Machine.method(ConstantLambdaTest.class, "applyOperator"), plain))
                    .isInstanceOf(KernelCompileException.class)
                    .hasMessageContaining("Serializable");
            assertThatThrownBy(() -> compiler.compile(Machine.method(ConstantLambdaTest.class, "apply"), 3))
                    .isInstanceOf(KernelCompileException.class)
                    .hasMessageContaining("instead of a lambda");
        }
    }
}
