// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.device;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Method;
import java.util.List;
import org.comm4j.device.PeerVariant.Kind;
import org.comm4j.kernel.CompileOptions;
import org.comm4j.kernel.KernelCode;
import org.comm4j.kernel.lang.CudaArch;
import org.comm4j.kernel.lang.Kernel;
import org.comm4j.test.Nightly;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What becomes of the kernels of {@link PeerCollectives} on an H200. */
class PeerCodeTest {
    @BeforeAll
    static void require() {
        Compilers.require();
    }

    /** Each kind, and jobs of 1, 2, 4 and 8 PEs; all by night. */
    static List<Arguments> variants() {
        return Nightly.again(List.of(
                Arguments.of(2, 0, new PeerVariant(Kind.WORDS, PeerType.F32, PeerOp.SUM, false, true, false, 1)),
                Arguments.of(4, 1, new PeerVariant(Kind.WORDS, PeerType.BF16, PeerOp.SUM, false, true, false, 1)),
                Arguments.of(8, 7, new PeerVariant(Kind.WORDS, PeerType.F16, PeerOp.MAX, true, true, false, 1)),
                Arguments.of(4, 3, new PeerVariant(Kind.WORDS, PeerType.I32, PeerOp.SUM, false, false, false, 1)),
                Arguments.of(2, 0, new PeerVariant(Kind.PUSH, PeerType.F32, PeerOp.SUM, false, false, true, 1)),
                Arguments.of(4, 1, new PeerVariant(Kind.PUSH, PeerType.BF16, PeerOp.SUM, true, true, true, 1)),
                Arguments.of(8, 5, new PeerVariant(Kind.PUSH, PeerType.F16, PeerOp.MIN, true, true, true, 1)),
                Arguments.of(4, 3, new PeerVariant(Kind.PUSH, PeerType.F16, PeerOp.MAX, true, false, false, 1)),
                Arguments.of(2, 1, new PeerVariant(Kind.DIRECT, PeerType.F32, PeerOp.SUM, false, true, true, 4)),
                Arguments.of(4, 2, new PeerVariant(Kind.DIRECT, PeerType.F16, PeerOp.SUM, false, true, true, 4)),
                Arguments.of(8, 0, new PeerVariant(Kind.DIRECT, PeerType.BF16, PeerOp.MIN, true, true, true, 4)),
                Arguments.of(4, 0, new PeerVariant(Kind.DIRECT, PeerType.F32, PeerOp.SUM, true, false, true, 4)),
                Arguments.of(1, 0, new PeerVariant(Kind.DIRECT, PeerType.F32, PeerOp.SUM, false, false, false, 1))));
    }

    private static void isDirect(KernelCode code) {
        // Neither calls nor local memory.
        assertThat(Compilers.calls(code)).isEmpty();
        assertThat(code.ptx()).doesNotContain(".local", "__local_depot");
        assertThat(code.cubin()).isNotEmpty();
        // Kernels that wait for other PEs alone are not launched cooperatively.
        assertThat(code.cooperative()).isFalse();
    }

    @ParameterizedTest
    @MethodSource("variants")
    void loadsAndStoresAreWhatTheyShouldBe(int pes, int me, PeerVariant variant) {
        KernelCode code = KernelCode.compile(
                variant.method(), CudaArch.parse("sm_90"), CompileOptions.DEFAULT, variant.constants(me, pes));
        isDirect(code);
        if (pes == 1) {
            return;
        }
        if (variant.kind() == Kind.DIRECT) {
            assertThat(code.ptx())
                    .contains(
                            "st.relaxed.sys.global.b32",
                            "ld.relaxed.sys.global.b32",
                            "ld.acquire.sys.b32",
                            "st.release.sys.b32");
            assertThat(code.ptx())
                    .containsPattern("ld\\.global\\.v4\\.[fu]32")
                    .containsPattern("st\\.global\\.v4\\.[fu]32");
        } else {
            assertThat(code.ptx()).contains("st.relaxed.sys.global.v2.b64", "ld.relaxed.sys.global.v2.b64");
        }
    }

    @Test
    void whatAProgramPutsInIsInlined() {
        for (Method method : FusedKernels.class.getDeclaredMethods()) {
            if (method.isAnnotationPresent(Kernel.class)) {
                isDirect(KernelCode.compile(method, CudaArch.parse("sm_90"), CompileOptions.DEFAULT, 1, 2));
                isDirect(KernelCode.compile(method, CudaArch.parse("sm_90"), CompileOptions.DEFAULT, 3, 8));
            }
        }
    }
}
