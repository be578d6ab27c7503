// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import org.comm4j.kernel.lang.CudaArch;
import org.comm4j.kernel.link.Toolchain;
import org.comm4j.test.Natives;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What accesses of complex numbers become; needs NVIDIA's compilers, and no GPU. */
class ComplexCodeTest {
    @BeforeAll
    static void require() {
        Natives.use();
        assumeTrue(Toolchain.problem() == null, Toolchain::problem);
    }

    @ParameterizedTest
    @CsvSource({"axpy64, v2.f32", "axpy128, v2.f64"})
    void aNumberIsOneAccess(String kernel, String pair) {
        String ptx = KernelCode.compile(
                        Machine.method(ComplexContract.class, kernel),
                        CudaArch.parse("sm_90"),
                        CompileOptions.DEFAULT.withoutCache())
                .ptx();
        String either = "(" + pair + "|" + pair.replace('f', 'b') + ")";
        assertThat(ptx.lines().filter(line -> line.contains("ld.global")))
                .as(ptx)
                .hasSize(2)
                .allSatisfy(line -> assertThat(line).containsPattern("ld\\.global\\.(nc\\.)?" + either));
        assertThat(ptx.lines().filter(line -> line.contains("st.global")))
                .as(ptx)
                .singleElement()
                .asString()
                .containsPattern("st\\.global\\." + either);
    }
}
