// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.cuda;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.charset.StandardCharsets;
import org.comm4j.test.Natives;
import org.junit.jupiter.api.Test;

/** The compiler needs no device. */
class NvrtcTest {

    private static void require() {
        Natives.use();
        assumeTrue(Nvrtc.problem() == null, Nvrtc::problem);
    }

    @Test
    void aCubinIsMachineCodeAndPtxIsText() {
        require();
        byte[] cubin = Nvrtc.compile(KernelContract.SOURCE, "scale.cu", "sm_90");
        assertThat(new String(cubin, 1, 3, StandardCharsets.US_ASCII)).isEqualTo("ELF");
        String ptx = new String(
                Nvrtc.compile(KernelContract.SOURCE, "scale.cu", "compute_90", "-DX=1", "--use_fast_math"),
                StandardCharsets.UTF_8);
        assertThat(ptx).contains(".version", ".target sm_90", "scale");
    }

    @Test
    void aMistakeIsReportedWithTheCompilersLog() {
        require();
        assertThatThrownBy(() -> Nvrtc.compile("__global__ void f() { nothing(); }", "mistake.cu", "sm_90"))
                .isInstanceOf(CudaException.class)
                .hasMessageContaining("compile mistake.cu for sm_90 failed")
                .hasMessageContaining("NVRTC_ERROR_COMPILATION")
                .hasMessageContaining("mistake.cu(1)")
                .hasMessageContaining("\"nothing\" is undefined");
    }

    @Test
    void anUnknownArchitectureIsAnsweredWithTheKnownOnes() {
        require();
        assertThat(Nvrtc.architectures()).contains(90);
        assertThatThrownBy(() -> Nvrtc.compile(KernelContract.SOURCE, "scale.cu", "sm_20"))
                .isInstanceOf(CudaException.class)
                .hasMessageContaining("this NVRTC knows sm_");
    }

    @Test
    void wrongArgumentsAreRefusedFirst() {
        assertThatThrownBy(() -> Nvrtc.compile("", "x.cu", "hopper"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'hopper'");
        assertThatThrownBy(() -> Nvrtc.compile("a\0b", "x.cu", "sm_90")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> Nvrtc.compile("", "x.cu", "sm_90", "-arch=sm_80"))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> Nvrtc.compile("", "x.cu", "sm_90", "--gpu-architecture=sm_80"))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
