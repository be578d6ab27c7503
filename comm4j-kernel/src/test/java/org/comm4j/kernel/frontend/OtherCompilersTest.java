// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.frontend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Map;
import org.comm4j.core.Buffer;
import org.comm4j.cuda.LaunchConfig;
import org.comm4j.kernel.capture.KernelSource;
import org.comm4j.kernel.ir.Printer;
import org.comm4j.kernel.ir.Program;
import org.comm4j.kernel.ir.Verifier;
import org.comm4j.kernel.lang.I32Ptr;
import org.comm4j.test.MemoryCompiler;
import org.junit.jupiter.api.Test;

/** Code that other compilers than javac write into methods. It is imitated, for their libraries are not here. */
class OtherCompilersTest {
    private static final String KOTLIN = """
        package kotlin.jvm.internal;

        public final class Intrinsics {
            public static void checkNotNullParameter(Object value, String name) {
                if (value == null) {
                    throw new NullPointerException(name);
                }
            }

            public static void checkNotNullExpressionValue(Object value, String expression) {
                checkNotNullParameter(value, expression);
            }

            public static void checkNotNull(Object value) {
                checkNotNullParameter(value, "");
            }
        }
        """;

    private static final String KERNEL = """
        package other;

        import kotlin.jvm.internal.Intrinsics;
        import org.comm4j.kernel.lang.*;

        public final class Kernels {
            record Pair(int a, int b) {}

            static int sum(Pair pair) {
                Intrinsics.checkNotNullParameter(pair, "pair");
                return pair.a + pair.b;
            }

            @Kernel
            public static void kotlin(I32Ptr out, int n) {
                Intrinsics.checkNotNullParameter(out, "out");
                Pair pair = new Pair(n, 2);
                Intrinsics.checkNotNullExpressionValue(pair, "pair");
                Intrinsics.checkNotNull(pair);
                out.set(0, sum(pair));
            }

            @Kernel
            public static void plain(I32Ptr out, int n) {
                Pair pair = new Pair(n, 2);
                out.set(0, sum(pair));
            }
        }
        """;

    private static Program program(Class<?> kernels, String name) {
        Method method = Arrays.stream(kernels.getDeclaredMethods())
                .filter(each -> each.getName().equals(name))
                .findFirst()
                .orElseThrow();
        Program program = Frontend.compile(KernelSource.of(method), FrontendOptions.DEFAULT)
                .program();
        Verifier.verify(program);
        return program;
    }

    private static String body(Program program) {
        String text = Printer.print(program).replaceAll(" ; \\S+:\\d+", "").replaceAll("line\\d+_", "block");
        return text.substring(text.indexOf("kernel void")).replaceAll("Kernels_(kotlin|plain)", "Kernels_kernel");
    }

    /** Its checks that parameters are not null are no code on a GPU. */
    @Test
    void kotlin() throws Exception {
        assumeTrue(ModuleLayer.boot().findModule("jdk.compiler").isPresent(), "this Java runtime has no compiler");
        MemoryCompiler.Result compiled = MemoryCompiler.compile(
                Map.of("kotlin.jvm.internal.Intrinsics", KOTLIN, "other.Kernels", KERNEL),
                I32Ptr.class,
                Buffer.class,
                LaunchConfig.class);
        assertThat(compiled.succeeded()).as(compiled.errors()).isTrue();
        Class<?> kernels =
                new MemoryCompiler.Loader(compiled.classes(), getClass().getClassLoader()).loadClass("other.Kernels");
        assertThat(body(program(kernels, "kotlin"))).isEqualTo(body(program(kernels, "plain")));
    }
}
