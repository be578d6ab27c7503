// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.frontend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.comm4j.kernel.CompileOptions;
import org.comm4j.kernel.KernelCode;
import org.comm4j.kernel.lang.CudaArch;
import org.comm4j.kernel.lang.F32Ptr;
import org.comm4j.kernel.lang.Kernel;
import org.comm4j.kernel.link.Toolchain;
import org.comm4j.test.Natives;
import org.comm4j.test.Nightly;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** From Java to machine code by NVIDIA's own compilers; without a GPU. */
class EndToEndTest {
    private static final CompileOptions OPTIONS = CompileOptions.DEFAULT.withoutCache();

    private static final Pattern CALL = Pattern.compile("call(?:\\.uni)?\\s+(?:\\([^)]*\\),)?\\s*([\\w$]+)");

    @BeforeAll
    static void require() {
        Natives.use();
        assumeTrue(Toolchain.problem() == null, Toolchain::problem);
    }

    static Stream<Arguments> everyKernel() {
        return Stream.of(JavaKernels.class, MethodKernels.class, LanguageKernels.class, VocabularyKernels.class)
                .flatMap(type -> Arrays.stream(type.getDeclaredMethods()))
                .filter(method -> method.isAnnotationPresent(Kernel.class))
                .flatMap(method ->
                        Nightly.variants(method.getName().hashCode(), List.of("sm_80", "sm_90", "sm_100")).stream()
                                .filter(arch -> !arch.equals("sm_80")
                                        || method.getAnnotation(Kernel.class).cluster().length == 0)
                                .map(arch -> Arguments.of(method.getName(), method, arch)));
    }

    private static KernelCode compile(Method method, String arch, CompileOptions options) {
        Object[] constants = switch (method.getName()) {
            case "constants" -> new Object[] {4, JavaKernels.Color.RED};
            case "constantStrategy" -> new Object[] {new LanguageKernels.Half()};
            case "constantsBesideConditionals" -> new Object[] {true};
            case "enums" -> new Object[] {JavaKernels.Op.AGAIN};
            default -> new Object[0];
        };
        return KernelCode.compile(method, CudaArch.parse(arch), options, constants);
    }

    @ParameterizedTest(name = "{0} for {2}")
    @MethodSource("everyKernel")
    void becomesMachineCode(String name, Method method, String arch) {
        for (CompileOptions options : Nightly.variants(name.hashCode(), List.of(OPTIONS, OPTIONS.withChecks()))) {
            KernelCode code = compile(method, arch, options);
            String ptx = code.ptx();
            assertThat(ptx.contains(".entry " + code.symbol())).isTrue();
            // Everything has been inlined, but for the slow paths of libdevice.
            List<String> called = CALL.matcher(ptx)
                    .results()
                    .map(call -> call.group(1))
                    .filter(each -> !each.startsWith("__internal_"))
                    .distinct()
                    .toList();
            assertThat(List.of("vprintf", "__assertfail")).containsAll(called);
            assertThat(code.cubin()).startsWith(0x7f, 'E', 'L', 'F');
        }
    }

    @Kernel
    static void doubles(F32Ptr x) {
        x.set(0, 2 * x.get(0));
    }

    /** Machine code is kept, and what one gets of it is one's own. */
    @Test
    void whoWritesIntoMachineCodeChangesNobodyElses() throws Exception {
        KernelCode code = compile(getClass().getDeclaredMethod("doubles", F32Ptr.class), "sm_90", OPTIONS);
        byte[] first = code.cubin();
        byte[] expected = first.clone();
        Arrays.fill(first, (byte) 0);
        assertThat(code.cubin()).isEqualTo(expected);
    }
}
