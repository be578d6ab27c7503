// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.differential;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.comm4j.core.HostArray;
import org.comm4j.kernel.CompileOptions;
import org.comm4j.kernel.CpuOptions;
import org.comm4j.kernel.KernelCompiler;
import org.comm4j.kernel.KernelException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Divisions of special numbers. Unchecked kernels give 0 where Java throws. */
class DivisionTest {
    private static final int PAIRS = 6;
    private static final int[] LEFT = {0, 1, 2, 3, 1, 3};
    private static final int[] RIGHT = {1, 0, 3, 2, 2, 0};

    /** Makes quotients and remainders of each pair, then those by a constant 0. */
    private static Case divisions() {
        List<Node> lines = new ArrayList<>();
        for (String type : List.of("int", "long")) {
            String out = type.equals("int") ? "oi" : "ol";
            int slot = 0;
            for (String op : List.of("/", "%")) {
                for (int i = 0; i < PAIRS; i++) {
                    lines.add(store(out, slot++, element(type, LEFT[i]) + " " + op + " " + element(type, RIGHT[i])));
                }
                lines.add(store(out, slot++, element(type, 0) + " " + op + " 0"));
                lines.add(store(out, slot++, "7 " + op + " 0"));
            }
        }
        Node body = new Node(
                Node.Kind.FIXED, "static void body@@(int id, " + Javac.PARAMETERS + ") {\n$0}\n", Node.list(lines));
        return Javac.compile(List.of(body), true).getFirst();
    }

    private static String element(String type, int number) {
        return type + "s.get(id * 4 + " + number + ")";
    }

    private static Node store(String out, int slot, String value) {
        return new Node(Node.Kind.STATEMENT, out + ".set(id * " + Case.SLOTS + " + " + slot + ", " + value + ");");
    }

    private static long expected(long left, long right, boolean quotient) {
        return right == 0 ? 0 : quotient ? left / right : left % right;
    }

    static void holds(Executor executor) {
        Object found = executor.run(List.of(divisions())).getFirst();
        assertThat(found).as(executor.name()).isInstanceOf(Case.Results.class);
        Case.Results results = (Case.Results) found;
        List<HostArray> inputs = Case.inputs();
        for (int id = 0; id < Case.ELEMENTS; id++) {
            for (int slot = 0; slot < Case.SLOTS; slot++) {
                int pair = slot % 8;
                boolean quotient = slot < 8;
                int left = 4 * id + (pair < PAIRS ? LEFT[pair] : 0);
                int right = 4 * id + (pair < PAIRS ? RIGHT[pair] : 0);
                int a = inputs.get(2).getInt(left);
                int b = pair < PAIRS ? inputs.get(2).getInt(right) : 0;
                assertThat(results.ints()[id * Case.SLOTS + slot])
                        .as("%s: int %d %s %d", executor.name(), a, quotient ? "/" : "%", b)
                        .isEqualTo((int) expected(a, b, quotient));
                long c = inputs.get(3).getLong(left);
                long d = pair < PAIRS ? inputs.get(3).getLong(right) : 0;
                assertThat(results.longs()[id * Case.SLOTS + slot])
                        .as("%s: long %d %s %d", executor.name(), c, quotient ? "/" : "%", d)
                        .isEqualTo(expected(c, d, quotient));
            }
        }
    }

    @Test
    void asNvvmOnThisProcessor(@TempDir Path folder) {
        assumeTrue(LlvmExecutor.isThere(), LlvmExecutor.CLANG + " is not installed: NVVM IR is not run on the CPU");
        holds(new LlvmExecutor(folder, "-O0", CompileOptions.DEFAULT));
        holds(new LlvmExecutor(folder, "-O2", CompileOptions.DEFAULT));
    }

    @Test
    void aCheckedKernelEnds(@TempDir Path folder) {
        assumeTrue(LlvmExecutor.isThere(), LlvmExecutor.CLANG + " is not installed: NVVM IR is not run on the CPU");
        Executor checked = new LlvmExecutor(folder, "-O1", CompileOptions.DEFAULT.withChecks());
        assertThat(checked.run(List.of(divisions())).getFirst())
                .isInstanceOf(IllegalStateException.class)
                .asString()
                .contains("java.lang.ArithmeticException: / by zero at ");
    }

    /** On the CPU it is Java's exception in every mode. */
    @Test
    void onTheCpuExecutor() {
        for (CpuOptions options : List.of(CpuOptions.fast(), CpuOptions.checked(1), CpuOptions.debug())) {
            try (KernelCompiler<?> compiler = KernelCompiler.cpu(options)) {
                Object found =
                        Executor.cpu(compiler, "CPU").run(List.of(divisions())).getFirst();
                assertThat(found).isInstanceOf(KernelException.class);
                assertThat((Throwable) found)
                        .hasCauseInstanceOf(ArithmeticException.class)
                        .hasMessageMatching("(?s).*thread \\(\\d+, 0, 0\\) of block \\(\\d, 0, 0\\), at .*");
            }
        }
    }
}
