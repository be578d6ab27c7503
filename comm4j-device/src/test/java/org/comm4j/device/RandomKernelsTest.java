// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.device;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.comm4j.kernel.CompileOptions;
import org.comm4j.kernel.CpuOptions;
import org.comm4j.kernel.KernelCode;
import org.comm4j.kernel.lang.CudaArch;
import org.comm4j.test.Nightly;
import org.comm4j.test.Sizes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Random kernels that communicate leave the same in memory as a plain loop, on any number of PEs. {@code
 * -Dcomm4j.device.random.cases=1000} draws more of them, {@code -Dcomm4j.device.random.seed=7} others; what fails is
 * made smaller before it is shown.
 */
@Timeout(900)
class RandomKernelsTest {
    private static final Duration SHRINK = Duration.ofSeconds(30);

    private static List<RandomKernel> drawn(int count) {
        return IntStream.range(0, count).mapToObj(RandomKernels::draw).toList();
    }

    private static void compare(List<RandomKernel> kernels, int pes, CpuOptions options) {
        List<String> said = RandomKernels.onCpu(kernels, RandomJavac.compile(kernels), pes, options);
        for (int i = 0; i < kernels.size(); i++) {
            if (!said.get(i).isEmpty()) {
                RandomKernel small = RandomKernels.shrink(
                        kernels.get(i), (some, methods) -> RandomKernels.onCpu(some, methods, pes, options), SHRINK);
                throw new AssertionError("kernel " + i + " of seed " + RandomKernels.SEED + " on " + pes + " PEs: "
                        + said.get(i) + "\nas small as it still goes wrong:\n" + small.source("Small"));
            }
        }
    }

    @Test
    void onTheCpu() {
        int count = RandomKernels.cases(Nightly.times(8, 16));
        System.out.println("random kernels that communicate, from seed " + RandomKernels.SEED + ": " + count);
        List<RandomKernel> kernels = drawn(count);
        for (int pes : Sizes.upTo(8)) {
            compare(kernels, pes, CpuOptions.fast());
        }
    }

    @Test
    void onTheCpuChecked() {
        compare(drawn(RandomKernels.cases(Nightly.times(4, 8))), 3, CpuOptions.checked(RandomKernels.SEED));
    }

    /** They are accepted, and everything in them is inlined. */
    @Test
    void byNvidiasCompilers() {
        Compilers.require();
        CompileOptions options = Compilers.options(Compilers.targets().getFirst(), CompileOptions.DEFAULT);
        for (Method method : RandomJavac.compile(drawn(3))) {
            KernelCode code = KernelCode.compile(method, CudaArch.parse("sm_90"), options);
            assertThat(code.cubin()).startsWith(0x7f, 'E', 'L', 'F');
            // NVSHMEM says so if its teams are wrong.
            assertThat(Compilers.calls(code)).as(code.name()).isSubsetOf("__assertfail", "vprintf");
        }
    }

    /** A machine on which putting to other PEs loses the last element: the kernel that shows it has one operation. */
    @Test
    void whatGoesWrongIsFoundAndMadeSmall() {
        RandomKernels.Runner wrong = (kernels, methods) -> {
            List<String> said = new ArrayList<>();
            for (RandomKernel kernel : kernels) {
                boolean puts = kernel.phases().stream()
                        .flatMap(List::stream)
                        .anyMatch(op -> op instanceof RandomOp.Move move && move.put() && move.count() > 3);
                said.add(puts ? "the last element is lost" : "");
            }
            return said;
        };
        RandomKernel failing = drawn(100).stream()
                .filter(kernel -> kernel.phases().size() > 2)
                .filter(kernel ->
                        !wrong.run(List.of(kernel), List.of()).getFirst().isEmpty())
                .findFirst()
                .orElseThrow();
        RandomKernel small = RandomKernels.shrink(failing, wrong, SHRINK);
        assertThat(small.phases()).hasSize(1);
        assertThat(small.phases().getFirst())
                .singleElement()
                .isInstanceOfSatisfying(
                        RandomOp.Move.class, move -> assertThat(move.count()).isBetween(4, 7));
        // And the oracle itself tells such a loss.
        assertThat(small.expected(1, 3)
                        .of(((RandomOp.Move) small.phases().getFirst().getFirst()).bank(), 1))
                .isNotEqualTo(RandomKernel.initial(1, 3)
                        .of(((RandomOp.Move) small.phases().getFirst().getFirst()).bank(), 1));
    }

    /** A kernel that does something else than the oracle expects is told from one that does not. */
    @Test
    void anotherKernelIsNotTakenForIt() {
        List<RandomKernel> kernels = drawn(4);
        List<Method> methods = new ArrayList<>(RandomJavac.compile(kernels));
        methods.add(methods.removeFirst());
        assertThat(RandomKernels.onCpu(kernels, methods, 2, CpuOptions.fast())).doesNotContain("");
    }

    /** As on a machine whose Java has no compiler. */
    @Test
    void packedKernelsAreTheSame(@TempDir Path folder) throws Exception {
        Path jar = folder.resolve("kernels.jar");
        RandomJavac.pack(jar, 3);
        ClassLoader parent = RandomKernelsTest.class.getClassLoader();
        try (URLClassLoader loader = new URLClassLoader(new URL[] {jar.toUri().toURL()}, parent)) {
            assertThat(RandomPacked.problem(loader, 3)).isNull();
            assertThat(RandomPacked.problem(loader, 4))
                    .contains("packed are 3 random kernels of seed " + RandomKernels.SEED);
            assertThat(RandomPacked.problem(parent, 3)).contains("none are packed with the tests");
            List<Method> methods = IntStream.range(0, 3)
                    .mapToObj(i -> RandomPacked.packed(loader, i))
                    .toList();
            assertThat(RandomKernels.onCpu(drawn(3), methods, 2, CpuOptions.fast()))
                    .containsOnly("");
        }
    }
}
