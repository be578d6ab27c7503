// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Set;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.cuda.LaunchConfig;
import org.junit.jupiter.api.Test;

/** Device code that is made when it is known what is called, and what it finds on the CPU. */
class DeviceUnitTest {
    @DeviceFunction(value = "answer", unit = "answers", cooperative = true)
    static int answer() {
        return CpuContext.get(Integer.class, () -> "nobody knows the answer");
    }

    @Kernel
    static void ask(I32Ptr out) {
        out.set(BlockIdx.x(), answer());
        Grid.sync();
    }

    @Kernel
    static void sizes(I64Ptr out, F16Ptr of) {
        out.set(0, bytes(out));
        out.set(1, bytes(of));
        out.set(2, of.elementType() == DataType.FLOAT16 ? 1 : 0);
    }

    private static <P extends Ptr> int bytes(P pointer) {
        return switch (pointer.elementBytes()) {
            case 2 -> 2;
            case 8 -> 8;
            default -> 0;
        };
    }

    @Test
    void onDemand() {
        DeviceUnit unit = DeviceUnit.onDemand(
                "answers", functions -> DeviceUnit.source("answers", "// " + String.join(", ", functions)));
        assertThat(unit.kind()).isEqualTo(DeviceUnit.Kind.ON_DEMAND);
        DeviceUnit made =
                unit.include(Path.of("x")).whenLoaded(module -> () -> {}).forFunctions(Set.of("answer"));
        assertThat(new String(made.content(), StandardCharsets.UTF_8)).isEqualTo("// answer");
        assertThat(made.forFunctions(Set.of("more"))).isSameAs(made);
    }

    /** What waits for other blocks runs with them, though the launch does not say so. */
    @Test
    void contextAndCooperation() {
        HostArray out = HostArray.allocate(DataType.INT32, 3);
        try (KernelCompiler<CompiledKernel> compiler = KernelCompiler.cpu();
                CompiledKernel ask = compiler.compile(DeviceUnitTest::ask)) {
            CpuContext.run(42, () -> ask.launch(LaunchConfig.grid(3).block(1), out));
            assertThat(out.toIntArray()).containsExactly(42, 42, 42);
            assertThatThrownBy(() -> ask.launch(LaunchConfig.grid(3).block(1), out))
                    .isInstanceOf(KernelException.class)
                    .hasMessageContaining("nobody knows the answer");
        }
    }

    @Test
    void cooperationIsKnownBeforeALaunch() throws NoSuchMethodException {
        CudaArch arch = CudaArch.parse("sm_90");
        assertThat(KernelCode.compile(
                                DeviceUnitTest.class.getDeclaredMethod("ask", I32Ptr.class),
                                arch,
                                CompileOptions.DEFAULT)
                        .cooperative())
                .isTrue();
        KernelCode sizes = KernelCode.compile(
                DeviceUnitTest.class.getDeclaredMethod("sizes", I64Ptr.class, F16Ptr.class),
                arch,
                CompileOptions.DEFAULT);
        assertThat(sizes.cooperative()).isFalse();
        // The size is known: nothing is left to choose from.
        assertThat(sizes.ir()).doesNotContain("switch");
    }

    @Test
    void sizesOnTheCpu() {
        HostArray out = HostArray.allocate(DataType.INT64, 3);
        HostArray halves = HostArray.allocate(DataType.FLOAT16, 1);
        try (KernelCompiler<CompiledKernel> compiler = KernelCompiler.cpu();
                CompiledKernel sizes = compiler.compile(DeviceUnitTest::sizes)) {
            sizes.launch(LaunchConfig.grid(1).block(1), out, halves);
        }
        assertThat(out.toLongArray()).containsExactly(8, 2, 1);
    }
}
