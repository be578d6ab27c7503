// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.differential;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.comm4j.cuda.Cuda;
import org.comm4j.cuda.Device;
import org.comm4j.kernel.CompileOptions;
import org.comm4j.kernel.CpuOptions;
import org.comm4j.kernel.KernelCode;
import org.comm4j.kernel.KernelCompiler;
import org.comm4j.kernel.lang.CudaArch;
import org.comm4j.kernel.link.Toolchain;
import org.comm4j.test.Natives;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Kernels that NVIDIA's compilers would make something else of than Java, were they told in the obvious way. */
class CompilerDefectsTest {
    /** The inputs have MIN_VALUE of every type, and NaN. */
    private static final List<String> INTS = List.of(
            "Math.abs(ints.get(id * 4))",
            "Math.abs(ints.get(id * 4)) % 18",
            "Math.abs(ints.get(id * 4)) % nonZero(ints.get(id * 4 + 1))",
            "Math.abs(ints.get(id * 4)) < 0 ? 1 : 0",
            "Math.abs(longs.get(id * 4)) < 0 ? 1 : 0",
            "(short) -shorts.get(id * 4)",
            "(short) (-1 - shorts.get(id * 4) + 1)",
            "(short) -shorts.get(id * 4) < 0 ? 1 : 0",
            "(short) Math.abs(shorts.get(id * 4))",
            "(byte) -bytes.get(id * 4)",
            "(char) -shorts.get(id * 4)",
            "magnitude(ints.get(id * 4)) < 0 ? 1 : 0",
            "magnitude(ints.get(id * 4)) % 18",
            "(int) (magnitude(longs.get(id * 4)) % 18)",
            "(ints.get(id * 4) < 0 ? -ints.get(id * 4) : ints.get(id * 4)) % 18",
            "(ints.get(id * 4) > -1 ? ints.get(id * 4) : 0 - ints.get(id * 4)) % 18",
            "negated(shorts.get(id * 4))",
            "isNaN() ? YES : NO",
            "differs() ? YES : NO",
            "equal() ? NO : YES",
            "largest() ? YES : NO",
            "same() ? NO : YES",
            "ordered() ? NO : YES");

    private static final int NO = 12345;

    /** PTX that negates a short and extends the result, with lines of debug information in between. */
    private static final String NEGATED_SHORT =
            "neg\\.s16\\s+(%rs\\d+),.*\\s+(\\.loc.*\\s+)*cvt\\.s(32|64)\\.s16\\s+%\\w+, \\1;";

    @SuppressWarnings("InlineFormatString") // a page of text
    private static final String BODY = """
        static final int YES = 54321;
        static final int NO = %d;

        static boolean isNaN() {
            double nan = Double.NaN;
            double divisor = -1e10;
            return Double.isNaN(nan / divisor);
        }

        static boolean differs() {
            float nan = Float.NaN;
            float next = nan + 1;
            return next != next;
        }

        static boolean equal() {
            double zero = 0;
            double quotient = zero / zero;
            return quotient == quotient;
        }

        static boolean same() {
            double nan = Double.NaN;
            double one = nan + 1;
            double other = nan + 1;
            return one == other;
        }

        static boolean ordered() {
            float nan = Float.NaN;
            float one = nan - 2;
            float other = nan - 2;
            return one <= other || one >= other;
        }

        static int magnitude(int x) {
            return x < 0 ? -x : x;
        }

        static long magnitude(long x) {
            return x >= 0 ? x : -x;
        }

        static int negated(short s) {
            int negative = -s;
            return (short) negative;
        }

        static boolean largest() {
            double nan = Double.NaN;
            double next = nan - 1;
            return Double.isNaN(Math.max(next, nan));
        }

        static void body@@(int id, %s) {
        $0}
        """;

    private static List<Case> kernels() {
        List<Node> kernels = new ArrayList<>();
        for (int from = 0; from < INTS.size(); from += Case.SLOTS) {
            List<Node> lines = new ArrayList<>();
            for (String value : INTS.subList(from, Math.min(from + Case.SLOTS, INTS.size()))) {
                lines.add(new Node(
                        Node.Kind.STATEMENT, "oi.set(id * " + Case.SLOTS + " + " + lines.size() + ", " + value + ");"));
            }
            String body = BODY.formatted(NO, Javac.PARAMETERS);
            kernels.add(new Node(Node.Kind.FIXED, body, Node.list(lines)));
        }
        List<Case> cases = new ArrayList<>();
        // Each has the same helpers.
        kernels.forEach(each -> cases.addAll(Javac.compile(List.of(each), true)));
        return cases;
    }

    private static void holds(Executor executor) {
        for (Case each : kernels()) {
            List<Case> one = List.of(each);
            Object expected = Executor.java().run(one).getFirst();
            assertThat(DifferentialTest.difference(expected, executor.run(one).getFirst()))
                    .as(executor.name())
                    .isEmpty();
        }
    }

    @Test
    void onTheCpu(@TempDir Path folder) {
        assumeTrue(DifferentialTest.COMPILES, "this Java runtime has no compiler");
        holds(Executor.cpu(KernelCompiler.cpu(CpuOptions.fast()), "CPU"));
        if (LlvmExecutor.isThere()) {
            holds(new LlvmExecutor(folder, "-O2", CompileOptions.DEFAULT));
        }
    }

    @Test
    @Tag("gpu")
    void onTheGpu() {
        assumeTrue(DifferentialTest.COMPILES, "this Java runtime has no compiler");
        Natives.use();
        assumeTrue(Cuda.problem() == null, Cuda::problem);
        CompileOptions options = CompileOptions.DEFAULT.withoutCache();
        try (Device device = Device.of(0);
                var compiler = KernelCompiler.of(device, options)) {
            holds(GpuDifferentialTest.executor(device, compiler, "GPU"));
        }
    }

    /** Shows without a GPU that the PTX has nothing that ptxas gets wrong, and no wrong constant. */
    @Test
    void asPtx() {
        assumeTrue(DifferentialTest.COMPILES, "this Java runtime has no compiler");
        Natives.use();
        assumeTrue(Toolchain.problem() == null, Toolchain::problem);
        for (Case each : kernels()) {
            for (String arch : List.of("sm_90", "sm_100")) {
                KernelCode code =
                        KernelCode.compile(each.kernel(), CudaArch.parse(arch), CompileOptions.DEFAULT.withoutCache());
                assertThat(code.ptx())
                        .as(arch)
                        .doesNotContainPattern("abs\\.s")
                        .doesNotContainPattern(NEGATED_SHORT)
                        .doesNotContainPattern("mov\\.\\w+\\s+%r\\d+, " + NO + ";");
            }
        }
    }
}
