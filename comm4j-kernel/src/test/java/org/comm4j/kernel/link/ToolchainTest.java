// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.link;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.List;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.comm4j.kernel.CompileOptions;
import org.comm4j.kernel.disk.DiskCache;
import org.comm4j.kernel.ir.Build;
import org.comm4j.kernel.ir.Program;
import org.comm4j.kernel.ir.Samples;
import org.comm4j.kernel.ir.Type.Scalar;
import org.comm4j.kernel.ir.Verifier;
import org.comm4j.kernel.lang.CudaArch;
import org.comm4j.kernel.lang.Kernel;
import org.comm4j.kernel.nvvm.NvvmEmitter;
import org.comm4j.test.Natives;
import org.comm4j.test.Nightly;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** With NVIDIA's own compilers; without a GPU. */
class ToolchainTest {
    static final List<String> ARCHITECTURES = List.of("sm_80", "sm_90", "sm_100");

    @BeforeAll
    static void require() {
        Natives.use();
        assumeTrue(Toolchain.problem() == null, Toolchain::problem);
    }

    static Toolchain toolchain(String arch, CompileOptions options) {
        return new Toolchain(CudaArch.parse(arch), options, new DiskCache(null, 0));
    }

    static Toolchain.Source source(Program program) {
        Verifier.verify(program);
        return new Toolchain.Source(
                program.kernel().at().method(),
                program.kernel().name(),
                NvvmEmitter.emit(program),
                program.math(),
                program.units());
    }

    static Stream<Arguments> everySample() {
        List<Supplier<Build>> samples = List.of(
                Samples::saxpy,
                Samples::structs,
                Samples::memory,
                Samples::ptx,
                Samples::choices,
                () -> Samples.arithmetic(Scalar.I8),
                () -> Samples.arithmetic(Scalar.I16),
                () -> Samples.arithmetic(Scalar.I32),
                () -> Samples.arithmetic(Scalar.I64),
                () -> Samples.arithmetic(Scalar.F32),
                () -> Samples.arithmetic(Scalar.F64));
        return IntStream.range(0, samples.size())
                .boxed()
                .flatMap(i -> Nightly.variants(i, ARCHITECTURES).stream()
                        .map(arch -> Arguments.of(
                                arch, samples.get(i).get().program().kernel().name(), samples.get(i))));
    }

    @ParameterizedTest(name = "{1} for {0}")
    @MethodSource("everySample")
    void everySampleCompilesAndLinks(String arch, String name, Supplier<Build> sample) {
        for (boolean option : new boolean[] {false, true}) {
            Program program = sample.get().program(option, option, option);
            CompileOptions options = new CompileOptions(option, option, 0, "", false, List.of(), Kernel.Math.EXACT);
            byte[] made = toolchain(arch, options).cubin(source(program));
            Cubin cubin = new Cubin(made);
            assertThat(cubin.hasKernel(name)).isTrue();
            assertThat(cubin.unresolved()).isEmpty();
            assertThat(cubin.functions(name)).isEmpty();
        }
    }
}
