// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.lang.reflect.Method;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.comm4j.kernel.CompileOptions;
import org.comm4j.kernel.KernelCode;
import org.comm4j.kernel.KernelCompileException;
import org.comm4j.kernel.lang.CudaArch;
import org.comm4j.kernel.lang.DeviceFunction;
import org.comm4j.test.Natives;
import org.comm4j.test.Nightly;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;
import org.junit.jupiter.params.provider.MethodSource;

/** What becomes of kernels with {@link Gin} on an H200, with the headers of each version of NCCL. */
class GinCodeTest {
    static final List<String> VERSIONS = Natives.NCCL_VERSIONS;

    @BeforeAll
    static void require() {
        Compilers.require();
    }

    private static Path headers(String version) {
        Path folder = Natives.folder("nvidia-nccl-cu13-" + version).resolve("nvidia/nccl/include");
        assumeTrue(folder.toFile().isDirectory(), () -> "there is no " + folder);
        return folder;
    }

    private static CompileOptions options(String version) {
        return CompileOptions.DEFAULT.with(GinUnit.of(headers(version), Natives.cudaHeaders()));
    }

    private static KernelCode code(String kernel, String version, Object... constants) {
        Method method = Arrays.stream(GinKernels.class.getDeclaredMethods())
                .filter(each -> each.getName().equals(kernel))
                .findFirst()
                .orElseThrow();
        return KernelCode.compile(method, CudaArch.parse("sm_90"), options(version), constants);
    }

    /** The newest one, unless there is much time. */
    static List<String> someVersions() {
        return Nightly.variants(-1, VERSIONS);
    }

    @ParameterizedTest
    @MethodSource("someVersions")
    void everyFunctionIsLinked(String version) {
        areLinked("functions", version);
    }

    /** Linked several times each. */
    @ParameterizedTest
    @FieldSource("VERSIONS")
    @Tag("nightly")
    void everyMethodIsLinked(String version) {
        areLinked("everything", version);
    }

    private static void areLinked(String kernel, String version) {
        boolean gets = !version.startsWith("2.28");
        KernelCode code = code(kernel, version, gets);
        // With what is missing it would throw.
        assertThat(code.cubin()).isNotEmpty();
        assertThat(code.cooperative()).isTrue();
        assertThat(Compilers.functions(code))
                .isEqualTo(Arrays.stream(GinFunctions.class.getDeclaredMethods())
                        .map(method -> method.getAnnotation(DeviceFunction.class))
                        .filter(Objects::nonNull)
                        .map(DeviceFunction::value)
                        .filter(name -> gets || !name.equals("comm4j_gin_get"))
                        .collect(Collectors.toCollection(TreeSet::new)));
    }

    /**
     * NCCL's host library looks for no variables, and those of CUDA's C++ library would be a third of the code; a
     * function that a kernel uses once is part of it.
     */
    @Test
    @Tag("nightly")
    void noVariablesAreLeftAndNothingIsCalled() {
        KernelCode put = code("put", Natives.NCCL_VERSIONS.getLast());
        assertThat(put.ptx()).doesNotContain(".global .", ".const .");
        assertThat(Compilers.calls(put)).isEmpty();
    }

    /** Where NVRTC pays attention to them; sizes are asserted by the headers themselves. */
    @ParameterizedTest
    @MethodSource("someVersions")
    void attributesStandInFrontOfStructs(String version) {
        String text = GinUnit.text(headers(version));
        assertThat(text)
                .doesNotContainPattern("}\\s*__attribute__")
                .containsPattern("struct __attribute__\\(\\(packed(, aligned\\(16\\))?\\)\\)")
                .containsPattern(
                        "struct __attribute__\\(\\(__packed__\\)\\) __attribute__\\(\\(__aligned__\\(4\\)\\)\\)")
                .doesNotContainPattern("#\\s*include\\s*[<\"](std|nccl)");
    }

    @Test
    @Tag("nightly")
    void getIsOfNewerVersions() {
        KernelCode code = code("everything", "2.28.9", true);
        assertThatThrownBy(code::cubin)
                .isInstanceOf(KernelCompileException.class)
                .hasMessageContaining("comm4j_gin_get");
    }

    /**
     * They are beside the library; others, which {@code org.comm4j.device.include} may name, have to be of its version.
     */
    @Test
    void headersAreOfTheLibrarysVersion() {
        String newest = Natives.NCCL_VERSIONS.getLast();
        assertThat(NcclHeaders.folder()).isEqualTo(headers(newest));
        assertThat(NcclHeaders.version(headers(newest))).hasToString(newest);
        System.setProperty(
                Headers.PROPERTY,
                String.join(File.pathSeparator, "/nowhere", headers("2.30.7").toString()));
        try {
            assertThatThrownBy(() -> NcclDevice.withGin(CompileOptions.DEFAULT))
                    .isInstanceOf(UnsupportedOperationException.class)
                    .hasMessageContaining("are of 2.30.7")
                    .hasMessageContaining("is of " + newest);
        } finally {
            System.clearProperty(Headers.PROPERTY);
        }
    }
}
