// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.bind;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.comm4j.kernel.CompileOptions;
import org.comm4j.kernel.DeviceUnit;
import org.comm4j.kernel.KernelCode;
import org.comm4j.kernel.lang.CudaArch;
import org.comm4j.kernel.lang.Kernel;
import org.comm4j.kernel.link.Toolchain;
import org.comm4j.test.Natives;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The declarations that the example kernel-curand has, and its kernel. */
class DeviceExampleTest {
    private static final Path EXAMPLE = Path.of("../examples/kernel-curand");

    @TempDir
    Path folder;

    @BeforeAll
    static void require() {
        DeviceCases.require();
        assumeTrue(Natives.find("nvidia-curand").isPresent(), Natives.missing("nvidia-curand"));
    }

    /** What there is without the version of clang, which differs from machine to machine. */
    private static String text(String made) {
        return made.replaceFirst("// by clang version .*\n", "");
    }

    @Test
    void theCheckedInFilesAreWhatTheGeneratorMakes() throws Exception {
        DeviceConfig config = new DeviceConfig();
        config.read(EXAMPLE.resolve("curand/Philox.conf"));
        Binder.Output output = Binder.generate(config, DeviceCases.includes());
        String advice = "comm4j bind makes it, as the example's README says";
        assertThat(text(Files.readString(EXAMPLE.resolve("curand/Philox.java"))))
                .as(advice)
                .isEqualTo(text(output.java()));
        assertThat(text(Files.readString(EXAMPLE.resolve("curand/Philox.cu"))))
                .as(advice)
                .isEqualTo(text(output.shim()));
    }

    @ParameterizedTest
    @ValueSource(strings = {"sm_80", "sm_90", "sm_100"})
    void theKernelIsCompiledWithCudasHeader(String architecture) throws Exception {
        assumeTrue(Toolchain.problem() == null, Toolchain::problem);
        Class<?> philox =
                DeviceCases.compile("curand.Philox", Files.readString(EXAMPLE.resolve("curand/Philox.java")), folder);
        Files.copy(EXAMPLE.resolve("curand/Philox.cu"), folder.resolve("curand/Philox.cu"));
        Class<?> program =
                DeviceCases.compile("KernelCurand", Files.readString(EXAMPLE.resolve("KernelCurand.java")), folder);
        DeviceUnit unit = (DeviceUnit) philox.getMethod("deviceUnit", Path[].class)
                .invoke(null, (Object) DeviceCases.includes().toArray(Path[]::new));
        Method kernel = Arrays.stream(program.getDeclaredMethods())
                .filter(method -> method.isAnnotationPresent(Kernel.class))
                .findFirst()
                .orElseThrow();
        KernelCode code = KernelCode.compile(
                kernel,
                CudaArch.parse(architecture),
                CompileOptions.DEFAULT.withoutCache().with(unit));
        assertThat(code.ir()).contains("comm4j_Philox__");
        // Ten rounds with two products of 64 bits each, and no call.
        assertThat(code.ptx().lines().filter(line -> line.matches(".*\\bmul\\.(hi\\.u32|wide\\.u32).*")))
                .hasSizeGreaterThanOrEqualTo(20);
        assertThat(code.ptx().lines().filter(line -> line.contains("call"))).isEmpty();
        assertThat(code.attributes().localBytes()).isZero();
    }
}
