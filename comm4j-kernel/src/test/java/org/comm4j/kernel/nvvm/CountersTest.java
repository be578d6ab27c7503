// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.nvvm;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.regex.Pattern;
import org.comm4j.kernel.CompileOptions;
import org.comm4j.kernel.KernelCode;
import org.comm4j.kernel.KernelMethod;
import org.comm4j.kernel.lang.CudaArch;
import org.comm4j.kernel.lang.F32Ptr;
import org.comm4j.kernel.lang.I32Ptr;
import org.comm4j.kernel.lang.Kernel;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What LLVM is told of sums that do not overflow: nothing that is not so. */
class CountersTest {
    private static final String STEP = "%v\\d+ = (add|sub) nsw i32 %v\\d+, ";

    @Kernel
    static void up(int n, I32Ptr p) {
        for (int i = 0; i < n; i++) {
            p.set(i, 7);
        }
    }

    @Kernel
    static void upFromTheRight(int n, I32Ptr p) {
        int i = 0;
        while (i < n) {
            if (p.get(i) < 0) {
                p.set(i, 7);
            }
            i += 1;
        }
    }

    @Kernel
    static void down(int n, I32Ptr p) {
        for (int i = n; i > 0; i--) {
            p.set(i, 7);
        }
    }

    @Kernel
    static void nested(int n, I32Ptr p) {
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < i; j++) {
                if (p.get(j) == 3) {
                    break;
                }
            }
        }
    }

    /** After {@code i <= n} the sum may overflow. */
    @Kernel
    static void upToItself(int n, I32Ptr p) {
        for (int i = 0; i <= n; i++) {
            p.set(i, 7);
        }
    }

    /** The condition says nothing of a second step. */
    @Kernel
    static void severalSteps(int n, I32Ptr p) {
        int i = 0;
        while (i < n) {
            do {
                i++;
            } while (p.get(i) > 0);
        }
    }

    @Kernel
    static void assignedInBetween(int n, int other, I32Ptr p) {
        for (int i = 0; i < n; i++) {
            if (p.get(i) > 0) {
                i = other;
            }
        }
    }

    @Kernel
    static void alsoWithoutTheCondition(int from, int n, I32Ptr p) {
        int i = from;
        if (i < n) {
            p.set(i, 7);
        }
        i++;
        p.set(i, 8);
    }

    @Kernel
    static void awayFromTheBound(int n, I32Ptr p) {
        for (int i = 0; i < n; i--) {
            p.set(i, 7);
        }
    }

    @Kernel
    static void otherVariable(int n, I32Ptr p) {
        int i = 0;
        int j = 0;
        while (i < n) {
            j++;
            i = p.get(j);
        }
    }

    @Kernel
    static void strided(int n, I32Ptr p) {
        for (int i = 0; i < n; i += 32) {
            p.set(i, 7);
        }
    }

    @Kernel
    static void longStrides(int n, I32Ptr p) {
        for (int i = 0; i < n; i += 1 << 30) {
            p.set(i, 7);
        }
    }

    @Kernel
    static void index(int i, int j, int n, F32Ptr p) {
        p.set(i * n + (j << 1), 7);
    }

    @Kernel
    static void comparedIndex(int a, int b, int n, F32Ptr p) {
        int h = a * b;
        if (h >= 0 && h < n) {
            p.set(h, 7);
        }
    }

    @Kernel
    static void hashedIndex(int a, int mask, F32Ptr p) {
        p.set(a * 31 & mask, 7);
    }

    @Kernel
    static void quotient(float a, F32Ptr p) {
        p.set(0, a / p.get(0));
        p.set(1, 1 / p.get(1));
    }

    private static String nvvm(String name, CompileOptions options) {
        return KernelCode.compile(
                        KernelMethod.named(CountersTest.class, name),
                        CudaArch.parse("sm_90"),
                        options.withoutCache().withoutLines())
                .nvvm();
    }

    private static String nvvm(String name, Kernel.Math math) {
        return nvvm(name, CompileOptions.DEFAULT.withMath(math));
    }

    private static long count(String text, String pattern) {
        return Pattern.compile(pattern).matcher(text).results().count();
    }

    @ParameterizedTest
    @ValueSource(strings = {"up", "upFromTheRight", "down", "nested"})
    void stepsTowardsTheBoundDoNotOverflow(String name) {
        for (Kernel.Math math : new Kernel.Math[] {Kernel.Math.EXACT, Kernel.Math.CUDA, Kernel.Math.FAST}) {
            assertThat(count(nvvm(name, math), STEP + "-?1")).isEqualTo(name.equals("nested") ? 2 : 1);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "upToItself",
                "severalSteps",
                "assignedInBetween",
                "alsoWithoutTheCondition",
                "awayFromTheBound",
                "otherVariable",
                "longStrides"
            })
    void otherSumsMayOverflow(String name) {
        assertThat(nvvm(name, Kernel.Math.CUDA)).contains(" i32 ").doesNotContainPattern(STEP);
    }

    @Test
    void longerStepsAreJavasInExactKernels() {
        assertThat(nvvm("strided", Kernel.Math.CUDA)).containsPattern(STEP + "32");
        assertThat(nvvm("strided", Kernel.Math.EXACT)).doesNotContain("nsw i32");
    }

    @Test
    void indicesAreComputedOnceMore() {
        assertThat(nvvm("index", Kernel.Math.CUDA))
                .contains("mul nsw i32 %p.i, %p.n", "shl nsw i32 %p.j, 1", "add nsw i32 %t", "= add i32 %v")
                .containsPattern("getelementptr \\[4 x i8], \\[4 x i8]\\* %t\\d+, i64 %t\\d+");
        assertThat(nvvm("index", Kernel.Math.EXACT)).doesNotContain("nsw");
        assertThat(nvvm("index", CompileOptions.DEFAULT.withChecks())).doesNotContain("nsw");
    }

    @Test
    void whatElseIsDoneWithAnIndexSeesJavas() {
        assertThat(nvvm("comparedIndex", Kernel.Math.CUDA))
                .containsPattern("(%v\\d+) = mul i32 %p.a, %p.b\\n(?s:.*)icmp s\\w+ i32 \\1, 0")
                .contains("mul nsw i32 %p.a, %p.b");
        assertThat(nvvm("hashedIndex", Kernel.Math.CUDA)).doesNotContain("nsw i32");
    }

    @Test
    void fastDivisionsAreApproximate() {
        assertThat(nvvm("quotient", Kernel.Math.FAST))
                .containsOnlyOnce("call float @llvm.nvvm.div.approx.ftz.f(float %p.a, ")
                .containsOnlyOnce("fdiv contract arcp float 0x3FF0000000000000, ");
        assertThat(nvvm("quotient", Kernel.Math.CUDA)).doesNotContain("approx");
    }
}
