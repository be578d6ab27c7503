// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.device;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.stream.Stream;
import org.comm4j.kernel.CompileOptions;
import org.comm4j.kernel.KernelCode;
import org.comm4j.kernel.lang.Constant;
import org.comm4j.kernel.lang.CudaArch;
import org.comm4j.kernel.lang.Kernel;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What becomes of kernels with {@link NcclDevice}'s arguments on an H200. */
class NcclCodeTest {
    @BeforeAll
    static void require() {
        Compilers.require();
    }

    static Stream<Method> kernels() {
        return Arrays.stream(NcclKernels.class.getDeclaredMethods())
                .filter(method -> method.isAnnotationPresent(Kernel.class));
    }

    private static KernelCode code(Method method, Object... constants) {
        return KernelCode.compile(method, CudaArch.parse("sm_90"), CompileOptions.DEFAULT, constants);
    }

    private static Method kernel(String name) {
        return kernels().filter(each -> each.getName().equals(name)).findFirst().orElseThrow();
    }

    @ParameterizedTest
    @MethodSource("kernels")
    void nothingIsCalledAndNothingIsInLocalMemory(Method method) {
        boolean constant = method.getParameters()[0].isAnnotationPresent(Constant.class);
        for (Coop coop : constant ? Coop.values() : new Coop[] {Coop.BLOCK}) {
            KernelCode code = constant ? code(method, coop) : code(method);
            assertThat(Compilers.calls(code)).isEmpty();
            assertThat(code.ptx()).doesNotContain(".local", "__local_depot");
            assertThat(code.cubin()).isNotEmpty();
        }
    }

    @Test
    void barriersAreReleasesAndAcquires() {
        KernelCode code = code(kernel("allReduce"));
        assertThat(code.ptx()).contains("st.release.sys.b32", "ld.acquire.sys.b32");
        assertThat(code.cooperative()).isTrue();
        // A peer's memory is known to be global, and its place is computed, not looked up.
        assertThat(code.ptx()).contains("ld.global.f32").doesNotContain("popc.b32");
    }

    @Test
    void messagesAreOneStore() {
        KernelCode code = code(kernel("sums"));
        assertThat(code.ptx()).contains("st.relaxed.sys.global.v2.b64", "ld.relaxed.sys.global.v2.b64");
        assertThat(code.cooperative()).isTrue();
    }
}
