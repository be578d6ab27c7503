// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.differential;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.comm4j.kernel.CompileOptions;
import org.comm4j.kernel.CpuOptions;
import org.comm4j.kernel.KernelCode;
import org.comm4j.kernel.KernelCompiler;
import org.comm4j.kernel.lang.CudaArch;
import org.comm4j.kernel.link.Toolchain;
import org.comm4j.test.Natives;
import org.comm4j.test.Nightly;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Random kernels do the same wherever they run, to the bit. {@code -Dorg.comm4j.kernel.cases=1000} draws more of them,
 * {@code -Dorg.comm4j.kernel.seed=7} others; what fails is made smaller before it is shown.
 */
class DifferentialTest {
    static final long SEED = Long.getLong("org.comm4j.kernel.seed", 1);
    private static final int BATCH = 40;
    private static final int MOST = Nightly.times(24, 40);
    private static final int SHRINK_SECONDS = Integer.getInteger("org.comm4j.kernel.shrink", 60);

    /** Whether this Java runtime has a compiler; else kernels are taken that were packed ahead. */
    static final boolean COMPILES =
            ModuleLayer.boot().findModule("jdk.compiler").isPresent();

    static Node draw(int number) {
        return Generator.draw(SEED * 1_000_000 + number);
    }

    static int cases(int usual) {
        return Integer.getInteger("org.comm4j.kernel.cases", usual);
    }

    @Test
    void onTheCpuExecutor() {
        compare(cases(MOST), Executor.cpu(KernelCompiler.cpu(CpuOptions.fast()), "CPU"));
        compare(cases(MOST), Executor.cpu(KernelCompiler.cpu(CpuOptions.debug()), "CPU debug"));
        compare(cases(15), Executor.cpu(KernelCompiler.cpu(CpuOptions.checked(SEED)), "CPU checked"));
    }

    @Test
    void asNvvmOnThisProcessor(@TempDir Path folder) {
        assumeTrue(LlvmExecutor.isThere(), LlvmExecutor.CLANG + " is not installed: NVVM IR is not run on the CPU");
        compare(cases(Nightly.times(4, 14)), new LlvmExecutor(folder, "-O2", CompileOptions.DEFAULT));
        compare(cases(Nightly.times(2, 5)), new LlvmExecutor(folder, "-O1", CompileOptions.DEFAULT.withChecks()));
    }

    /** More of them, in all threads; {@link RandomRun} is also a program. */
    @Test
    @Tag("nightly")
    void thousands(@TempDir Path folder) throws InterruptedException {
        assumeTrue(COMPILES, "this Java runtime has no compiler");
        List<String> names = new ArrayList<>(List.of("cpu", "cpu-debug", "cpu-checked"));
        if (LlvmExecutor.isThere()) {
            names.add("llvm");
        }
        assertThat(new RandomRun(names, null, folder).run(cases(2000))).isTrue();
    }

    /** They are accepted, and leave nothing to call that is not there. */
    @Test
    void byNvidiasCompilers() {
        Natives.use();
        assumeTrue(Toolchain.problem() == null, Toolchain::problem);
        CompileOptions options = CompileOptions.DEFAULT.withoutCache();
        Executor java = Executor.java();
        compare(cases(6), Executor.each("libNVVM", one -> {
            CompileOptions each = one.id() % 2 == 0 ? options : options.withChecks();
            KernelCode code = KernelCode.compile(one.kernel(), CudaArch.parse("sm_90"), each);
            assertThat(code.ptx()).contains(".entry " + code.symbol());
            assertThat(code.cubin()).startsWith(0x7f, 'E', 'L', 'F');
            return (Case.Results) java.run(List.of(one)).getFirst();
        }));
    }

    /**
     * A case that was drawn, what it is compiled to, and what Java computes. Where javac's own code does not load there
     * is none.
     */
    private record Drawn(int number, Node node, Case made, Object expected) {}

    /** From the first on; every executor runs the same ones. */
    private static final List<Drawn> DRAWN = new ArrayList<>();

    private static int drawn;

    /**
     * Those of numbers below {@code count}, all of which javac compiles at once: most of what it needs it needs once.
     */
    private static synchronized List<Drawn> drawn(int atLeast) {
        int count = COMPILES ? Math.max(atLeast, cases(MOST)) : atLeast;
        List<Node> nodes = new ArrayList<>();
        for (int i = drawn; i < count; i++) {
            nodes.add(draw(i));
        }
        if (!nodes.isEmpty()) {
            ClassLoader loader = DifferentialTest.class.getClassLoader();
            List<@Nullable Case> compiled = COMPILES ? Javac.compile(nodes, true) : Packed.cases(loader, drawn, count);
            List<Object> expected = Executor.java()
                    .run(compiled.stream().filter(Objects::nonNull).toList());
            int next = 0;
            for (int i = 0; i < nodes.size(); i++) {
                Case made = compiled.get(i);
                if (made != null) {
                    DRAWN.add(new Drawn(drawn + i, nodes.get(i), made, expected.get(next++)));
                }
            }
            drawn = count;
        }
        return DRAWN.stream().filter(each -> each.number() < atLeast).toList();
    }

    /** As on a machine whose Java has no compiler. */
    @Test
    void packedKernelsAreTheSame(@TempDir Path folder) throws Exception {
        Path jar = folder.resolve("cases.jar");
        Packed.write(jar, 3);
        try (URLClassLoader loader =
                new URLClassLoader(new URL[] {jar.toUri().toURL()}, DifferentialTest.class.getClassLoader())) {
            assertThat(Packed.problem(loader, 3)).isNull();
            assertThat(Packed.problem(loader, 4)).contains("packed are 3 random kernels of seed " + SEED);
            assertThat(Packed.problem(DifferentialTest.class.getClassLoader(), 3))
                    .contains("none are packed with the tests");
            List<Case> packed =
                    Packed.cases(loader, 0, 3).stream().filter(Objects::nonNull).toList();
            List<Drawn> drawn = drawn(3);
            assertThat(packed).hasSameSizeAs(drawn);
            Executor cpu = Executor.cpu(KernelCompiler.cpu(CpuOptions.fast()), "CPU");
            List<Object> found = cpu.run(packed);
            for (int i = 0; i < packed.size(); i++) {
                assertThat(difference(drawn.get(i).expected(), found.get(i))).isEmpty();
            }
        }
    }

    static void compare(int cases, Executor executor) {
        System.out.println("random kernels from seed " + SEED + ": " + cases + " on " + executor.name());
        String missing = COMPILES ? null : Packed.problem(DifferentialTest.class.getClassLoader(), cases);
        assumeTrue(missing == null, missing);
        Executor java = Executor.java();
        List<Drawn> all = drawn(cases);
        for (int from = 0; from < all.size(); from += BATCH) {
            List<Drawn> some = all.subList(from, Math.min(all.size(), from + BATCH));
            List<Object> found = executor.run(some.stream().map(Drawn::made).toList());
            for (int i = 0; i < some.size(); i++) {
                Drawn one = some.get(i);
                String difference = difference(one.expected(), found.get(i));
                if (!difference.isEmpty()) {
                    System.out.println("case " + one.number() + " of seed " + SEED + " differs: " + difference);
                    Case small = COMPILES ? shrink(one.node(), one.made(), java, executor, difference) : one.made();
                    assertThat(difference(
                                    java.run(List.of(small)).getFirst(),
                                    executor.run(List.of(small)).getFirst()))
                            .as("case %d of seed %d on %s:%n%s", one.number(), SEED, executor.name(), small.source())
                            .isEmpty();
                }
            }
        }
    }

    static String difference(Object expected, Object found) {
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
