// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.frontend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.util.Arrays;
import java.util.List;
import org.comm4j.kernel.capture.KernelSource;
import org.comm4j.kernel.ir.Program;
import org.comm4j.kernel.ir.Verifier;
import org.comm4j.kernel.lang.Gpu;
import org.comm4j.kernel.lang.I32Ptr;
import org.comm4j.kernel.lang.I32View;
import org.comm4j.kernel.lang.Kernel;
import org.comm4j.kernel.lang.KernelLibrary;
import org.junit.jupiter.api.Test;

/** What ends a kernel with an error, and what it prints. */
class FailureTest {
    private static final FrontendOptions CHECKED = new FrontendOptions(true, true, true);

    @Kernel
    static void indexed(I32Ptr out, int n) {
        int[] local = new int[4];
        local[n] = 1;
        out.set(0, local[n]);
    }

    @Kernel
    static void viewed(I32Ptr out, long n) {
        I32View view = new I32View(out, 4);
        view.set(n, (int) n);
        out.set(8, view.get(n) + 1);
    }

    @Kernel
    static void sliced(I32Ptr out, long n) {
        I32View view = new I32View(out, 4).slice(1, n);
        out.set(8, (int) view.length());
        view.set(n - 1, 7);
    }

    @Kernel
    static void negativeView(I32Ptr out, long n) {
        out.set(0, new I32View(out, n).get(0));
    }

    @Kernel
    static void thrown(I32Ptr out, int n) {
        if (n < 0) {
            throw new IllegalArgumentException("n is " + n + ", which is too small");
        }
        out.set(0, Math.addExact(n, Integer.MAX_VALUE - 1));
    }

    @Kernel
    static void clamped(I32Ptr out, int n) {
        out.set(0, Math.clamp(5L, n, 7));
    }

    @Kernel
    static void asserted(I32Ptr out, int n) {
        assert n > 0 : "n is not positive";
        out.set(0, n);
    }

    /** What users call. */
    @KernelLibrary
    static final class Library {
        private Library() {}

        static int positive(int n) {
            return inner(n);
        }

        private static int inner(int n) {
            assert n > 0 : "not positive";
            return n;
        }
    }

    @Kernel
    static void called(I32Ptr out, int n) {
        out.set(0, Library.positive(n + 1));
        out.set(1, Library.positive(n));
    }

    @Kernel
    static void printed(I32Ptr out, long n) {
        Gpu.printf("%d of %s: %5.2f%n", n, "all", 2.5f);
    }

    private static Interpreter run(String kernel, FrontendOptions options, Object... more) {
        Program program = Frontend.compile(
                        KernelSource.of(Arrays.stream(FailureTest.class.getDeclaredMethods())
                                .filter(method -> method.getName().equals(kernel))
                                .findFirst()
                                .orElseThrow()),
                        options)
                .program();
        Verifier.verify(program);
        Interpreter interpreter = new Interpreter(program);
        interpreter.run(program.kernel(), List.of(interpreter.allocate(64, 16), more[0]));
        return interpreter;
    }

    @Test
    void anIndexOutsideOfAnArrayEndsACheckedKernel() {
        run("indexed", CHECKED, 3L);
        for (long index : new long[] {4, -1, Integer.MIN_VALUE}) {
            assertThatThrownBy(() -> run("indexed", CHECKED, index))
                    .isInstanceOf(Interpreter.Failed.class)
                    .hasMessageContaining("ArrayIndexOutOfBoundsException at FailureTest.indexed (FailureTest.java:");
        }
    }

    @Test
    void anIndexOutsideOfAViewEndsAnyKernel() {
        for (FrontendOptions options : List.of(FrontendOptions.DEFAULT, CHECKED)) {
            run("viewed", options, 0L);
            run("viewed", options, 3L);
            for (long index : new long[] {4, -1, Long.MIN_VALUE, Long.MAX_VALUE}) {
                assertThatThrownBy(() -> run("viewed", options, index))
                        .isInstanceOf(Interpreter.Failed.class)
                        .hasMessageContaining("IndexOutOfBoundsException at FailureTest.viewed (FailureTest.java:");
            }
            run("sliced", options, 1L);
            run("sliced", options, 3L);
            for (long count : new long[] {0, 4, -1, Long.MIN_VALUE, Long.MAX_VALUE}) {
                assertThatThrownBy(() -> run("sliced", options, count))
                        .isInstanceOf(Interpreter.Failed.class)
                        .hasMessageContaining("IndexOutOfBoundsException at FailureTest.sliced (FailureTest.java:");
            }
            run("negativeView", options, 1L);
            assertThatThrownBy(() -> run("negativeView", options, -1L))
                    .isInstanceOf(Interpreter.Failed.class)
                    .hasMessageContaining("IllegalArgumentException: a view of ? elements");
        }
    }

    @Test
    void whatIsThrownEndsTheKernelWithTheConstantPartOfItsMessage() {
        assertThatThrownBy(() -> run("thrown", FrontendOptions.DEFAULT, -3L))
                .isInstanceOf(Interpreter.Failed.class)
                .hasMessageContaining("IllegalArgumentException: n is ?, which is too small");
        run("thrown", FrontendOptions.DEFAULT, 1L);
        assertThatThrownBy(() -> run("thrown", FrontendOptions.DEFAULT, 2L))
                .isInstanceOf(Interpreter.Failed.class)
                .hasMessageContaining("ArithmeticException: integer overflow");
        // What the JDK's methods throw is no other, with checks and without.
        for (FrontendOptions options : List.of(FrontendOptions.DEFAULT, CHECKED)) {
            run("clamped", options, 7L);
            assertThatThrownBy(() -> run("clamped", options, 8L))
                    .isInstanceOf(Interpreter.Failed.class)
                    .hasMessageContaining("IllegalArgumentException");
        }
    }

    @Test
    void assertionsAreEvaluatedWhenAsked() {
        assertThatThrownBy(() -> run("asserted", CHECKED, 0L))
                .isInstanceOf(Interpreter.Failed.class)
                .hasMessageContaining("AssertionError: n is not positive");
        run("asserted", FrontendOptions.DEFAULT, 0L);
    }

    @Test
    void anAssertionInALibraryNamesTheLineThatCalledTheLibrary() {
        run("called", CHECKED, 1L);
        int first = lineOfFailure(-1L);
        assertThat(lineOfFailure(0L)).isEqualTo(first + 1);
    }

    private static int lineOfFailure(long n) {
        Throwable failure = catchThrowable(() -> run("called", CHECKED, n));
        assertThat(failure)
                .isInstanceOf(Interpreter.Failed.class)
                .hasMessageMatching(
                        "AssertionError: not positive at FailureTest\\.called \\(FailureTest\\.java:\\d+\\)");
        return Integer.parseInt(failure.getMessage().replaceAll(".*java:(\\d+).*", "$1"));
    }

    @Test
    void formatsAreThoseOfC() {
        assertThat(run("printed", FrontendOptions.DEFAULT, 5L).printed).containsExactly("%lld of %s: %5.2f\n");
    }
}
