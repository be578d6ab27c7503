// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.util.HashMap;
import java.util.Map;
import java.util.stream.Stream;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.cuda.LaunchConfig;
import org.comm4j.kernel.lang.CudaArch;
import org.comm4j.kernel.lang.F32Ptr;
import org.comm4j.kernel.lang.I32Ptr;
import org.comm4j.kernel.lang.Kernel;
import org.comm4j.kernel.lang.ThreadIdx;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The compiler for the CPU takes what the one for GPUs takes, and looks for races in tests. */
class CpuCompilerTest {
    private static int written;

    static Stream<CpuOptions> modes() {
        return Stream.of(CpuOptions.fast(), CpuOptions.debug(), CpuOptions.checked(3));
    }

    @Kernel
    static void concatenates(I32Ptr out) {
        out.set(0, ("a" + ThreadIdx.x()).length());
    }

    @Kernel
    static void allocates(I32Ptr out) {
        Map<Integer, Integer> map = new HashMap<>();
        synchronized (map) {
            map.put(1, 2);
        }
        out.set(0, map.get(1));
    }

    @Kernel
    static void exits(I32Ptr out) {
        if (out.get(0) != 0) {
            System.exit(9);
        }
    }

    @Kernel
    static void writesStatic(I32Ptr out) {
        written = ThreadIdx.x();
        out.set(0, 1);
    }

    @Kernel
    static void takesArray(float[] x) {
        x[0] = 1;
    }

    @ParameterizedTest
    @ValueSource(strings = {"concatenates", "allocates", "exits", "writesStatic", "takesArray"})
    void whatAGpuCannotDoIsRefusedInTheSameWords(String name) {
        KernelMethod.named(CpuCompilerTest.class, name);
        KernelCompileException expected = catchThrowableOfType(
                KernelCompileException.class,
                () -> KernelCode.compile(
                        KernelMethod.named(CpuCompilerTest.class, name),
                        CudaArch.parse("sm_90"),
                        CompileOptions.DEFAULT));
        assertThat(expected.problems()).isNotEmpty();
        modes().forEach(options -> assertThatThrownBy(
                        () -> KernelCompiler.cpu(options).compile(KernelMethod.named(CpuCompilerTest.class, name)))
                .isInstanceOf(KernelCompileException.class)
                .hasMessage(expected.getMessage()));
    }

    @Test
    void anyJavaIsTakenOnRequest() {
        HostArray out = HostArray.allocate(DataType.INT32, 1);
        try (var compiler = KernelCompiler.cpu(CpuOptions.fast().anyJava())) {
            for (String name : new String[] {"concatenates", "allocates", "writesStatic"}) {
                compiler.compile(KernelMethod.named(CpuCompilerTest.class, name))
                        .launch(LaunchConfig.grid(1).block(1), out);
                assertThat(out.getInt(0)).isPositive();
            }
        }
        assertThat(written).isZero();
    }

    @Kernel
    static void allToOne(F32Ptr x) {
        x.set(0, x.get(0) + ThreadIdx.x());
    }

    /** Nobody has to ask for it. */
    @Test
    void inTestsRacesAreFound() {
        assertThat(CpuOptions.ofProcess()).isEqualTo(CpuOptions.checked(1));
        HostArray x = HostArray.allocate(DataType.FLOAT32, 1);
        try (var compiler = KernelCompiler.cpu();
                CompiledKernel kernel = compiler.compile(CpuCompilerTest::allToOne)) {
            assertThatThrownBy(() -> kernel.launch(LaunchConfig.grid(1).block(256), x))
                    .isInstanceOf(KernelException.class)
                    .hasMessageContaining("race on element 0");
        }
    }

    @Test
    void aPropertyDecidesOtherwise() {
        try {
            System.setProperty(CpuDefault.PROPERTY, "fast");
            assertThat(CpuOptions.ofProcess()).isEqualTo(CpuOptions.fast());
            System.setProperty(CpuDefault.PROPERTY, "Debug");
            assertThat(CpuOptions.ofProcess()).isEqualTo(CpuOptions.debug());
            System.setProperty(CpuDefault.PROPERTY, "quick");
            assertThatThrownBy(CpuOptions::ofProcess)
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("-Dorg.comm4j.kernel.cpu=quick: it is fast, checked or debug");
        } finally {
            System.clearProperty(CpuDefault.PROPERTY);
        }
    }

    @ParameterizedTest
    @MethodSource("modes")
    void aClosedCompilerCompilesNothing(CpuOptions options) {
        KernelCompiler<CompiledKernel> compiler = KernelCompiler.cpu(options);
        CompiledKernel before = compiler.compile(CpuCompilerTest::allToOne);
        compiler.close();
        compiler.close();
        assertThatThrownBy(() -> compiler.compile(CpuCompilerTest::allToOne))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("was closed");
        before.launch(LaunchConfig.grid(1).block(1), HostArray.allocate(DataType.FLOAT32, 1));
    }
}
