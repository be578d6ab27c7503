// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.moe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import org.comm4j.device.ShmemCompiler;
import org.comm4j.kernel.CompileOptions;
import org.comm4j.kernel.KernelCode;
import org.comm4j.kernel.lang.CudaArch;
import org.comm4j.test.Natives;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What becomes of the kernels on an H200: no call, no local array, no cooperative launch, 16 bytes at once. */
class MoeCodeTest {
    @BeforeAll
    static void require() {
        Natives.use();
        assumeTrue(KernelCode.problem() == null, KernelCode::problem);
    }

    private static KernelCode compile(Class<?> of, String name, Object... constants) {
        KernelCode code = KernelCode.compile(
                MoeMachine.kernel(of, name), CudaArch.parse("sm_90"), CompileOptions.DEFAULT, constants);
        assertThat(code.ptx()).doesNotContain(".local", "__local_depot").doesNotContainPattern("\\scall[. ]");
        assertThat(code.cubin()).isNotEmpty();
        assertThat(code.cooperative()).isFalse();
        return code;
    }

    @ParameterizedTest
    @CsvSource("true, true")
    void dispatchStoresVectorsAndReleasesFlags(boolean quantize, boolean plain) {
        KernelCode code = compile(SendKernels.class, "dispatch", quantize, false, SumType.BF16, plain, plain);
        assertThat(code.ptx())
                .containsPattern("ld\\.global\\.v4\\.[fub]32")
                .containsPattern("st\\.global\\.v4\\.[fub]32")
                .contains("st.release.sys.b32", "ld.acquire.sys.b32");
        assertThat(code.ptx().contains("cvt.rn.satfinite.e4m3x2.f32")).isEqualTo(quantize);
    }

    @ParameterizedTest
    @CsvSource({"false, true", "false, false"})
    @Tag("nightly")
    void dispatchOfOtherKindsDoesSo(boolean quantize, boolean plain) {
        dispatchStoresVectorsAndReleasesFlags(quantize, plain);
    }

    @Test
    @Tag("nightly")
    void receiveWaits() {
        assertThat(compile(SendKernels.class, "receive").ptx()).contains("ld.acquire.sys.b32");
    }

    @ParameterizedTest
    @CsvSource({"BF16, BF16", "F32, F16"})
    void combineLoadsVectors(SumType from, SumType to) {
        assertThat(compile(PullKernels.class, "combine", from, to, true).ptx())
                .containsPattern("ld\\.global\\.v4\\.[fub]32")
                .containsPattern("st\\.global\\.v4\\.[fub]32")
                .contains("fma.rn.f32", "st.release.sys.b32");
    }

    @Test
    @Tag("nightly")
    void scaledAnswersAreConvertedInPairs() {
        assertThat(compile(PullKernels.class, "combine", SumType.E4M3, SumType.BF16, true)
                        .ptx())
                .contains("cvt.rn.f16x2.e4m3x2")
                .containsPattern("ld\\.global\\.v4\\.[fub]32");
        assertThat(compile(PullKernels.class, "combine", SumType.E4M3, SumType.F32, false)
                        .ptx())
                .contains("fma.rn.f32");
        assertThat(compile(ScaledAnswersTest.class, "answer").ptx()).contains("cvt.rn.satfinite.e4m3x2.f32");
        assertThat(compile(ScaledAnswersTest.class, "together").ptx()).contains("cvt.rn.satfinite.e4m3x2.f32");
    }

    @Test
    @Tag("nightly")
    void oddRowsGoElementByElement() {
        assertThat(compile(PullKernels.class, "combine", SumType.BF16, SumType.BF16, false)
                        .ptx())
                .contains("fma.rn.f32");
    }

    @Test
    @Tag("nightly")
    void rowsArePutOverANetwork() {
        CompileOptions options;
        try {
            options = ShmemCompiler.codeOptions(CompileOptions.DEFAULT);
        } catch (UnsupportedOperationException e) {
            assumeTrue(false, e.getMessage());
            return;
        }
        for (String name : new String[] {"count", "begin", "keep", "rows", "answers"}) {
            KernelCode code =
                    KernelCode.compile(MoeMachine.kernel(NetworkKernels.class, name), CudaArch.parse("sm_90"), options);
            assertThat(code.cubin()).as(name).isNotEmpty();
            assertThat(code.cooperative()).as(name).isFalse();
        }
        for (String name : new String[] {"toRelays", "back"}) {
            KernelCode code =
                    KernelCode.compile(MoeMachine.kernel(HostKernels.class, name), CudaArch.parse("sm_90"), options);
            assertThat(code.cubin()).as(name).isNotEmpty();
        }
        for (String name : new String[] {"forward", "arrived"}) {
            assertThat(compile(HostKernels.class, name).ptx()).as(name).contains("st.release.sys.b32");
        }
    }

    @Test
    void functionsAreInlinedIntoKernelsOfTheProgram() {
        assertThat(compile(FusedLayer.class, "experts").ptx()).contains("ld.acquire.sys.b32");
        assertThat(compile(FusedLayer.class, "send").ptx()).containsPattern("st\\.global\\.v4\\.[fub]32");
        assertThat(compile(FusedLayer.class, "sum").ptx())
                .contains("fma.rn.f32")
                .containsPattern("ld\\.global\\.v4\\.[fub]32");
    }

    @Test
    @Tag("nightly")
    void answersAreSaidFromKernelsOfTheProgram() {
        assertThat(compile(EarlyAnswersTest.class, "answer").ptx())
                .contains("cas.b64", "st.release.sys.b32")
                .containsPattern("atom\\.\\S*add\\.u64");
        assertThat(compile(EarlyAnswersTest.class, "localAnswer").ptx()).contains("fma.rn.f32");
        assertThat(compile(ReplicaKernels.class, "meet").ptx()).contains("st.release.sys.b32", "ld.acquire.sys.b32");
    }
}
