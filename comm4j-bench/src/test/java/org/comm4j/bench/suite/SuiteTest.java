// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.bench.suite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.stream.Stream;
import org.comm4j.kernel.CompiledKernel;
import org.comm4j.kernel.CpuOptions;
import org.comm4j.kernel.KernelCompiler;
import org.comm4j.kernel.KernelMethod;
import org.comm4j.kernel.lang.Kernel;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class SuiteTest {
    static Stream<SuiteCase> cases() {
        return Suite.all().stream();
    }

    @ParameterizedTest
    @MethodSource("cases")
    void kernelsInJavaAreRight(SuiteCase each) {
        SuiteProblem problem = each.problem().apply(each.small());
        assertThat(problem.error().getAsDouble()).isGreaterThan(Math.max(each.tolerance(), 1e-3));
        try (var compiler = KernelCompiler.cpu(CpuOptions.fast())) {
            for (SuiteProblem.Step step : problem.steps()) {
                try (CompiledKernel kernel = compiler.compile(KernelMethod.named(each.kernels(), step.kernel()))) {
                    kernel.launch(step.config(), step.arguments().toArray());
                }
            }
        }
        assertThat(problem.error().getAsDouble()).isLessThanOrEqualTo(each.tolerance());
    }

    @Test
    void kernelsOfBothLanguagesHaveTheSameNames() {
        assertThat(Suite.all()).hasSize(40).extracting(SuiteCase::name).doesNotHaveDuplicates();
        assertThat(Suite.all())
                .allSatisfy(each -> assertThat(
                                each.problem().apply(each.small()).steps())
                        .allSatisfy(step -> assertThat(Suite.source(each.file()))
                                .containsPattern("__global__ void " + step.kernel() + "\\(")));
    }

    @Test
    void names() {
        assertThat(Suite.list("all")).hasSize(40);
        assertThat(Suite.list("lud,bfs,lud")).extracting(SuiteCase::name).containsExactly("lud", "bfs");
        assertThatThrownBy(() -> Suite.list("lud,fft"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("there is no kernel 'fft'; there are softmax, black-scholes,");
    }

    private static SuiteRow row(double java, double cuda, double error) {
        return new SuiteRow(
                Suite.all().getFirst(),
                Kernel.Math.CUDA,
                new SuiteRow.Side(java, 16, 0, error),
                new SuiteRow.Side(cuda, 18, 8, 0),
                1e-3);
    }

    @Test
    void table() {
        assertThat(row(2, 4, 0).ratio()).isEqualTo(0.5);
        assertThat(SuiteRow.mean(List.of(row(2, 4, 0), row(4, 2, 0)))).isCloseTo(1, within(1e-12));
        assertThat(row(2, 4, 0).text(false)).hasSameSizeAs(SuiteRow.header(false));
        assertThat(row(2, 4, 1e-4).text(true))
                .isEqualTo("softmax\tCUDA\t2.0000\t4.0000\t0.500\t1.0e-04\t0.0e+00\t16/18\t0/8");
        assertThat(row(2, 4, Double.POSITIVE_INFINITY).text(true)).contains(" wrong\t");
        assertThat(SuiteBench.footer(List.of(row(2, 4, 0), row(4, 2, 1))))
                .containsExactly("# CUDA: geometric mean of 2 ratios 1.0000, 1 above 1.03, 1 wrong");
    }
}
