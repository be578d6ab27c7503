// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.regex.Pattern;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.cuda.LaunchConfig;
import org.comm4j.kernel.capture.KernelSource;
import org.comm4j.kernel.frontend.Frontend;
import org.comm4j.kernel.lang.CudaArch;
import org.comm4j.kernel.lang.F32Ptr;
import org.comm4j.kernel.lang.GlobalIdx;
import org.comm4j.kernel.lang.Kernel;
import org.comm4j.kernel.lang.Restrict;
import org.comm4j.kernel.link.Toolchain;
import org.comm4j.test.Natives;
import org.junit.jupiter.api.Test;

class RestrictTest {
    private static KernelCode code(String kernel) {
        return KernelCode.compile(
                Machine.method(RestrictKernels.class, kernel), CudaArch.parse("sm_90"), CompileOptions.DEFAULT);
    }

    private static long count(String text, String word) {
        return Pattern.compile(word).matcher(text).results().count();
    }

    private static String ptx(String kernel) {
        Natives.use();
        assumeTrue(Toolchain.problem() == null, Toolchain::problem);
        return code(kernel).ptx();
    }

    @Test
    void isSaidToNvidiasCompiler() {
        assertThat(code("plain").nvvm()).doesNotContain("noalias");
        assertThat(code("pointers").nvvm()).contains("(i8* noalias %p.in, i8* noalias %p.out, i32 %p.n)");
        assertThat(code("pointers").ir()).contains("(ptr restrict %in, ptr restrict %out, i32 %n)");
        assertThat(code("views").nvvm())
                .contains(
                        "(i8* noalias %p.in.pointer, i64 %p.in.length, i8* noalias %p.out.pointer, i64 %p.out.length,");
    }

    @Test
    void readsAreOneAndThroughTheCacheForConstants() {
        assertThat(count(ptx("plain"), "ld\\.global\\.f32")).isEqualTo(2);
        assertThat(ptx("plain")).doesNotContain("ld.global.nc");
        for (String kernel : new String[] {"pointers", "views", "records"}) {
            String ptx = ptx(kernel);
            assertThat(count(ptx, "ld\\.global\\.nc\\.f32")).as(kernel).isEqualTo(1);
            assertThat(count(ptx, "ld\\.global\\.f32")).as(kernel).isZero();
        }
        assertThat(ptx("wide")).contains("ld.global.nc.v4.f32");
        assertThat(ptx("atomics")).contains("ld.global.nc.f32", "add.f32");
    }

    private static java.util.Set<Integer> written(String kernel) {
        return Frontend.written(KernelSource.of(Machine.method(RestrictKernels.class, kernel)));
    }

    @Test
    void whatIsWrittenIsKnown() {
        assertThat(written("plain")).containsExactly(1);
        assertThat(written("pointers")).containsExactly(1);
        assertThat(written("views")).containsExactly(1);
        assertThat(written("records")).containsExactly(0);
        // Fields of a record count together: what is read through it is as what is written.
        assertThat(written("roundabout")).contains(2, 3).doesNotContain(4);
        assertThat(written("atomics")).containsExactly(1);
        assertThat(written("wide")).containsExactly(1);
    }

    @Kernel
    static void number(@Restrict int n, F32Ptr x) {
        x.set(0, n);
    }

    @Test
    void onlyWhatPointsIsRestricted() {
        assertThatThrownBy(() -> KernelCode.compile(
                        Machine.method(RestrictTest.class, "number"), CudaArch.parse("sm_90"), CompileOptions.DEFAULT))
                .isInstanceOf(KernelCompileException.class)
                .hasMessageContaining("parameter n: @Restrict is for pointers and views, not for int");
    }

    @Kernel
    static void mean(@Restrict F32Ptr a, @Restrict F32Ptr b, @Restrict F32Ptr out) {
        int i = GlobalIdx.x();
        out.set(i, (a.get(i) + b.get(i)) / 2);
    }

    /** On both machines; here on the one that is always there. */
    @Test
    void launchesLookAtTheArguments() {
        HostArray x = HostArray.of(1f, 2f, 3f, 4f);
        HostArray out = HostArray.allocate(DataType.FLOAT32, 2);
        LaunchConfig two = LaunchConfig.grid(1).block(2);
        try (var compiler = KernelCompiler.cpu();
                CompiledKernel mean = compiler.compile(Machine.method(RestrictTest.class, "mean"))) {
            mean.launch(two, x, F32Ptr.of(x, 2), out);
            assertThat(out.toFloatArray()).containsExactly(2, 3);
            mean.launch(two, x, x, out);
            assertThat(out.toFloatArray()).containsExactly(1, 2);
            assertThatThrownBy(() -> mean.launch(two, x, out, F32Ptr.of(x, 2)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining(
                            "kernel RestrictTest.mean, parameter 1 'a' is marked @Restrict, but its memory"
                                    + " overlaps that of parameter 3 'out': HostArray[4 x FLOAT32]");
            assertThat(x.toFloatArray()).containsExactly(1, 2, 3, 4);
        }
    }
}
