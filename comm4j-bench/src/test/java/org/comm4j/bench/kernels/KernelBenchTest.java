// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.bench.kernels;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.comm4j.cuda.Nvrtc;
import org.comm4j.kernel.CompileOptions;
import org.comm4j.kernel.CompiledKernel;
import org.comm4j.kernel.CpuOptions;
import org.comm4j.kernel.KernelAttributes;
import org.comm4j.kernel.KernelCode;
import org.comm4j.kernel.KernelCompileException;
import org.comm4j.kernel.KernelCompiler;
import org.comm4j.kernel.lang.CudaArch;
import org.comm4j.kernel.lang.Kernel;
import org.comm4j.test.Natives;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

class KernelBenchTest {
    private static final KernelSettings SETTINGS =
            new KernelSettings(List.of(KernelCase.COPY), 1000, 64, 3, 2, 4e12, 6e13);

    static Stream<String> kernels() {
        return Arrays.stream(BenchKernels.class.getDeclaredMethods())
                .filter(method -> method.isAnnotationPresent(Kernel.class))
                .map(method -> method.getName())
                .sorted();
    }

    private static void run(KernelProblem problem, CpuOptions options) {
        try (var compiler = KernelCompiler.cpu(options)) {
            for (KernelProblem.Step step : problem.steps()) {
                try (CompiledKernel kernel = compiler.compile(KernelBench.method(step.kernel()))) {
                    kernel.launch(step.config(), step.arguments().toArray());
                }
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void kernelsInJavaAreRight(KernelCase each) {
        for (long elements : new long[] {1, 5000, each == KernelCase.SCAN ? 40_000 : 10_000}) {
            KernelProblem problem = each.problem(elements, elements > 1 ? 128 : 1);
            assertThat(problem.bytes()).isPositive();
            run(problem, CpuOptions.fast());
            assertThat(problem.wrong().getAsLong()).isZero();
        }
    }

    @ParameterizedTest
    @EnumSource
    void kernelsInJavaHaveNoRaces(KernelCase each) {
        KernelProblem problem = each.problem(each == KernelCase.SCAN ? 3000 : 1024, 64);
        run(problem, CpuOptions.checked(3));
        assertThat(problem.wrong().getAsLong()).isZero();
    }

    /** Otherwise the column of wrong elements would be empty always. */
    @ParameterizedTest
    @EnumSource
    void whatIsWrongIsFound(KernelCase each) {
        KernelProblem problem = each.problem(1024, 64);
        run(problem, CpuOptions.fast());
        problem.arrays().get(1).fill(77);
        if (each == KernelCase.PRODUCT || each == KernelCase.TENSOR) {
            problem.arrays().get(2).fill(77);
        }
        assertThat(problem.wrong().getAsLong()).isPositive();
    }

    @ParameterizedTest
    @MethodSource("kernels")
    void kernelsInJavaBecomeMachineCodeWithoutLocalMemory(String name) {
        Natives.use();
        KernelCode code;
        try {
            code = KernelCode.compile(
                    KernelBench.method(name), CudaArch.parse("sm_90"), CompileOptions.DEFAULT.withoutCache());
            code.cubin();
        } catch (KernelCompileException e) {
            assumeTrue(Nvrtc.problem() == null, Nvrtc::problem);
            throw e;
        }
        KernelAttributes uses = code.attributes();
        assertThat(uses.registers()).isPositive();
        assertThat(uses.localBytes()).isZero();
        if (Set.of("copy", "saxpy", "reduction", "histogram", "product", "scan").contains(name)) {
            assertThat(code.ptx()).containsPattern("ld(\\.global)?(\\.nc)?\\.v4");
        }
    }

    @Test
    void kernelsInCudaBecomeMachineCode() {
        Natives.use();
        assumeTrue(Nvrtc.problem() == null, Nvrtc::problem);
        CudaCompiler cuda = CudaCompiler.byNvrtc("sm_90");
        assertThat(cuda.cubin()).startsWith(0x7f, 'E', 'L', 'F');
        assertThat(cuda.compiler()).isEqualTo("NVRTC -arch=sm_90");
        String names = kernels().collect(Collectors.joining("\n"));
        assertThat(names.lines())
                .allSatisfy(name -> assertThat(CudaCompiler.source()).containsPattern("\\s" + name + "\\("));
    }

    @Test
    void names() {
        assertThat(KernelCase.list("all")).containsExactly(KernelCase.values());
        assertThat(KernelCase.list("scan,copy,scan")).containsExactly(KernelCase.SCAN, KernelCase.COPY);
        assertThatThrownBy(() -> KernelCase.list("copy,fft"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(
                        "there is no kernel 'fft'; there are copy, saxpy, pointers, views, stencil, product, tensor,"
                                + " reduction, histogram, transpose, scan");
    }

    @Test
    void roofline() {
        KernelPeak peak = new KernelPeak(4e12, 6e13, 9e14);
        assertThat(peak.micros(4e6, 1e6, 6e13)).isCloseTo(1, within(1e-9));
        assertThat(peak.micros(4e6, 6e8, 6e13)).isCloseTo(10, within(1e-9));
        assertThat(peak.micros(4e6, 1e6, 0)).isNaN();
        KernelProblem product = KernelCase.PRODUCT.problem(1, 128);
        KernelProblem tensor = KernelCase.TENSOR.problem(1, 128);
        KernelPeak computing = new KernelPeak(1e18, 6e13, 9e14);
        assertThat(computing.micros(product) / computing.micros(tensor)).isCloseTo(9e14 / 6e13, within(1e-9));
        assertThat(KernelPeak.lanes(80)).isEqualTo(64);
        assertThat(KernelPeak.lanes(90)).isEqualTo(128);
        // 989 TFLOP/s of an H100 with 132 multiprocessors at 1830 MHz.
        assertThat(2 * 132 * 1.83 * KernelPeak.tensorLanes(90)).isCloseTo(989_400, within(500.0));
        assertThat(KernelPeak.tensorLanes(70)).isZero();
    }

    private static KernelRow row(double java, double cuda, long wrong) {
        return new KernelRow(
                new KernelRow.Size(KernelCase.SAXPY, 1000, 12_000, 2000),
                new KernelRow.Side(java, 16, wrong),
                new KernelRow.Side(cuda, 18, 0),
                1.5);
    }

    @Test
    void thresholdAndMean() {
        List<KernelRow> rows = List.of(row(2, 4, 0), row(4, 2, 0));
        assertThat(KernelRow.mean(rows)).isCloseTo(1, within(1e-12));
        assertThat(KernelRow.reaches(rows, 0.5)).isTrue();
        assertThat(KernelRow.reaches(rows, 0.51)).isFalse();
        assertThat(KernelRow.reaches(List.of(row(1, 2, 1)), 0)).isFalse();
    }

    @Test
    void table() {
        KernelPeak peak = new KernelPeak(4e12, 0, 0);
        List<String> header = KernelTable.header("GPU, sm_90", "nvcc -O3", peak, SETTINGS);
        assertThat(header)
                .contains(
                        "# Java kernels by comm4j, CUDA C++ by nvcc -O3",
                        "# peaks: 4000 GB/s, unknown GFLOP/s, unknown on tensor cores");
        assertThat(header.getLast()).startsWith("# kernel ").endsWith(" registers  wrong");
        assertThat(KernelTable.row(row(2, 4, 0)))
                .isEqualTo("  saxpy              1000        2.00        4.00   2.000       6.0       1.0    75.0%     "
                        + " 16/18      0");
        assertThat(KernelTable.row(row(2, 4, 0))).hasSameSizeAs(header.getLast());
        assertThat(KernelTable.footer(List.of(row(2, 4, 0)), new HostCosts(100, 40, 2.5, 2.1, 1.9)))
                .containsExactly(
                        "# geometric mean of the ratios: 2.000",
                        "#",
                        "# compile: 100.0 ms at first, 40.0 ms warm, 2.50 ms from the cache on disk",
                        "# launch: 2.100 us of the host prepared, 1.900 us a bare cuLaunchKernel, 0.200 us more");
        assertThat(KernelTable.json("GPU", "nvcc", peak, SETTINGS, List.of(row(2, 4, 0)), null))
                .contains("\"kernel\": \"saxpy\"", "\"ratio\": 2.0", "\"geometric_mean\": 2.0")
                .doesNotContain("host");
    }

    @Test
    void settings() {
        assertThatThrownBy(() -> new KernelSettings(List.of(), 0, 1, 1, 1, 0, 0))
                .hasMessage("--elements 0: 1 to 1073741824");
        assertThatThrownBy(() -> new KernelSettings(List.of(), 1, 0, 1, 1, 0, 0))
                .hasMessage("--order 0: 1 to 32768");
        assertThatThrownBy(() -> new KernelSettings(List.of(), 1, 1, 0, 1, 0, 0))
                .hasMessage("--rounds 0: at least 1");
        assertThatThrownBy(() -> new KernelSettings(List.of(), 1, 1, 1, 0, 0, 0))
                .hasMessage("--launches 0: at least 1");
        assertThatThrownBy(() -> new KernelSettings(List.of(), 1, 1, 1, 1, -1, 0))
                .hasMessageContaining("not negative");
    }
}
