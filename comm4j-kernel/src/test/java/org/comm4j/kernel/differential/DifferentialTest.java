// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.differential;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.comm4j.kernel.CompileOptions;
import org.comm4j.kernel.CpuOptions;
import org.comm4j.kernel.CudaArch;
import org.comm4j.kernel.KernelCode;
import org.comm4j.kernel.KernelCompiler;
import org.comm4j.kernel.link.Toolchain;
import org.comm4j.test.Natives;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Random kernels do the same wherever they run, to the bit. {@code -Dorg.comm4j.kernel.cases=1000} draws more of them,
 * {@code -Dorg.comm4j.kernel.seed=7} others; what fails is made smaller before it is shown.
 */
class DifferentialTest {
    static final long SEED = Long.getLong("org.comm4j.kernel.seed", 1);
    private static final int BATCH = 20;
    private static final int SHRINK_SECONDS = Integer.getInteger("org.comm4j.kernel.shrink", 60);

    static int cases(int usual) {
        return Integer.getInteger("org.comm4j.kernel.cases", usual);
    }

    @Test
    void onTheCpuExecutor() {
        compare(cases(60), Executor.cpu(KernelCompiler.cpu(), "CPU"));
        compare(cases(20), Executor.cpu(KernelCompiler.cpu(CpuOptions.checked(SEED)), "CPU checked"));
    }

    @Test
    void asNvvmOnThisProcessor(@TempDir Path folder) {
        assumeTrue(LlvmExecutor.isThere(), LlvmExecutor.CLANG + " is not installed: NVVM IR is not run on the CPU");
        compare(cases(40), new LlvmExecutor(folder, "-O2", CompileOptions.DEFAULT));
        compare(cases(20), new LlvmExecutor(folder, "-O1", CompileOptions.DEFAULT.withChecks()));
    }

    /** They are accepted, and leave nothing to call that is not there. */
    @Test
    void byNvidiasCompilers() {
        Natives.use();
        assumeTrue(Toolchain.problem() == null, Toolchain::problem);
        CompileOptions options = CompileOptions.DEFAULT.withoutCache();
        Executor java = Executor.java();
        compare(cases(8), Executor.each("libNVVM", one -> {
            CompileOptions each = one.id() % 2 == 0 ? options : options.withChecks();
            KernelCode code = KernelCode.compile(one.kernel(), CudaArch.parse("sm_90"), each);
            assertThat(code.ptx()).contains(".entry " + code.symbol());
            assertThat(code.cubin()).startsWith(0x7f, 'E', 'L', 'F');
            return (Case.Results) java.run(List.of(one)).getFirst();
        }));
    }

    static void compare(int cases, Executor executor) {
        System.out.println("random kernels from seed " + SEED + ": " + cases + " on " + executor.name());
        Executor java = Executor.java();
        for (int from = 0; from < cases; from += BATCH) {
            List<Node> drawn = new ArrayList<>();
            for (int i = from; i < Math.min(cases, from + BATCH); i++) {
                drawn.add(Generator.draw(SEED * 1_000_000 + i));
            }
            List<Case> compiled = Javac.compile(drawn, true);
            List<Integer> numbers = new ArrayList<>();
            List<Node> nodes = new ArrayList<>();
            List<Case> made = new ArrayList<>();
            for (int i = 0; i < drawn.size(); i++) {
                if (compiled.get(i) != null) {
                    numbers.add(from + i);
                    nodes.add(drawn.get(i));
                    made.add(compiled.get(i));
                }
            }
            List<Object> expected = java.run(made);
            List<Object> found = executor.run(made);
            for (int i = 0; i < made.size(); i++) {
                String difference = difference(expected.get(i), found.get(i));
                if (!difference.isEmpty()) {
                    System.out.println("case " + numbers.get(i) + " of seed " + SEED + " differs: " + difference);
                    Case small = shrink(nodes.get(i), made.get(i), java, executor, difference);
                    assertThat(difference(
                                    java.run(List.of(small)).getFirst(),
                                    executor.run(List.of(small)).getFirst()))
                            .as("case %d of seed %d on %s:%n%s", numbers.get(i), SEED, executor.name(), small.source())
                            .isEmpty();
                }
            }
        }
    }

    private static String difference(Object expected, Object found) {
        if (!(expected instanceof Case.Results java)) {
            throw new IllegalStateException("Java itself fails", (Throwable) expected);
        }
        return switch (found) {
            case Case.Results results -> java.difference(results);
            case Throwable thrown -> {
                StringWriter text = new StringWriter();
                thrown.printStackTrace(new PrintWriter(text));
                yield "fails: " + text;
            }
            default -> throw new IllegalStateException(String.valueOf(found));
        };
    }

    /** What kind of difference: a smaller case has to have the same one. */
    private static String kind(String difference) {
        return difference.startsWith("fails: ")
                ? difference.lines().findFirst().orElseThrow().replaceAll("\\d+", "")
                : difference.isEmpty() ? "" : "values";
    }

    private static Case shrink(Node node, Case made, Executor java, Executor executor, String difference) {
        long end = System.nanoTime() + SHRINK_SECONDS * 1_000_000_000L;
        Node smallest = node;
        Case result = made;
        int next = 0;
        while (System.nanoTime() < end) {
            List<Node> candidates = smallest.smaller();
            boolean found = false;
            while (next < candidates.size() && !found && System.nanoTime() < end) {
                List<Node> some = candidates.subList(next, Math.min(candidates.size(), next + BATCH));
                List<Case> compiled = Javac.compile(some, false);
                List<Case> valid = compiled.stream().filter(Objects::nonNull).toList();
                List<Object> expected = java.run(valid);
                List<Object> got = executor.run(valid);
                for (int i = 0; i < valid.size() && !found; i++) {
                    if (expected.get(i) instanceof Case.Results
                            && kind(difference(expected.get(i), got.get(i))).equals(kind(difference))) {
                        result = valid.get(i);
                        smallest = some.get(compiled.indexOf(result));
                        found = true;
                    }
                }
                next += BATCH;
            }
            if (!found) {
                return result;
            }
            // What failed before mostly fails again.
            next = 0;
        }
        return result;
    }
}
