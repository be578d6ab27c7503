// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.frontend;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import java.util.function.IntUnaryOperator;
import org.comm4j.kernel.capture.KernelSource;
import org.comm4j.kernel.ir.Instruction;
import org.comm4j.kernel.ir.Printer;
import org.comm4j.kernel.ir.Program;
import org.comm4j.kernel.ir.Verifier;
import org.comm4j.kernel.lang.F32View;
import org.comm4j.kernel.lang.I32Ptr;
import org.comm4j.kernel.lang.Kernel;
import org.comm4j.kernel.lang.Unroll;
import org.junit.jupiter.api.Test;

/** The text of programs. */
class GoldenTest {
    record Pair(int a, float b) {}

    @Kernel
    static void looped(I32Ptr out, int n) {
        for (int i = 0; i < n; i++) {
            Unroll.times(4);
            out.set(i, i);
        }
    }

    @Kernel
    static void closed(I32Ptr out, int n) {
        IntUnaryOperator f = x -> x * n;
        Pair pair = new Pair(f.applyAsInt(2), 1);
        out.set(0, pair.a());
    }

    @Kernel
    static void viewed(F32View view) {
        view.set(0, 1);
    }

    private static Program program(String kernel, FrontendOptions options) {
        Program program = Frontend.compile(
                        KernelSource.of(Arrays.stream(GoldenTest.class.getDeclaredMethods())
                                .filter(method -> method.getName().equals(kernel))
                                .findFirst()
                                .orElseThrow()),
                        options)
                .program();
        Verifier.verify(program);
        return program;
    }

    /** Without places, which are tested by themselves. */
    private static String text(Program program) {
        return Printer.print(program).replaceAll(" ; \\S+:\\d+", "").replaceAll("line\\d+_", "block");
    }

    @Test
    void aLoopIsABranchAndAVariableIsMemory() {
        assertThat(text(program("looped", FrontendOptions.DEFAULT))).isEqualTo("""
            program lines

            kernel void @GoldenTest_looped(ptr %out, i32 %n) {
            entry:
              %0 = alloca i32 "i"
              jump block0
            block0:
              store i32 0, ptr %0
              jump block1
            block1:
              %2 = load i32, ptr %0
              %3 = compare ge i32 %2, %n
              branch %3, block2, block3
            block3:
              %4 = load i32, ptr %0
              %5 = sign_extend i32 %4 to i64
              %6 = load i32, ptr %0
              %7 = mul i64 %5, 4
              %8 = offset ptr %out, %7
              store i32 %6, ptr %8
              %10 = load i32, ptr %0
              %11 = add i32 %10, 1
              store i32 %11, ptr %0
              jump block1, unroll 4
            block2:
              return
            }
            """);
    }

    @Test
    void aLambdaIsAStructOfWhatItCapturesAndARecordAValue() {
        assertThat(text(program("closed", FrontendOptions.DEFAULT))).isEqualTo("""
            program lines

            function i32 @GoldenTest_lambda_closed_0(i32 %n, i32 %x) {
            entry:
              jump block0
            block0:
              %0 = mul i32 %x, %n
              return i32 %0
            }

            kernel void @GoldenTest_closed(ptr %out, i32 %n) {
            entry:
              jump block0
            block0:
              %0 = compose closure{i32}(i32 %n)
              %1 = call i32 @GoldenTest_lambda_closed_0(i32 %n, i32 2)
              %2 = compose Pair{i32, f32}(i32 %1, f32 1.0)
              store i32 %1, ptr %out
              return
            }
            """);
    }

    @Test
    void boundsOfViewsAreChecked() {
        for (FrontendOptions options : List.of(FrontendOptions.DEFAULT, new FrontendOptions(true, true, true))) {
            Program program = program("viewed", options);
            assertThat(program.functions()).isEmpty();
            assertThat(Printer.print(program))
                    .contains("fail \"IndexOutOfBoundsException\"")
                    .containsOnlyOnce(" = compare ");
        }
    }

    @Test
    void everyInstructionKnowsItsLine() {
        Program program = program("closed", FrontendOptions.DEFAULT);
        List<Integer> lines = program.kernel().blocks().stream()
                .flatMap(block -> block.instructions().stream())
                .map(Instruction::at)
                .map(at -> at.line() - program.kernel().at().line())
                .distinct()
                .toList();
        assertThat(lines).isEqualTo(List.of(0, 1, 2));
        assertThat(program.kernel().at().file()).isEqualTo("GoldenTest.java");
        assertThat(program.kernel().at().method()).isEqualTo("GoldenTest.closed");
    }
}
