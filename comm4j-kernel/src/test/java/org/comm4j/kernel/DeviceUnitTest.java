// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.core.ReduceOp;
import org.comm4j.cuda.LaunchConfig;
import org.comm4j.kernel.lang.BlockIdx;
import org.comm4j.kernel.lang.CudaArch;
import org.comm4j.kernel.lang.DeviceFunction;
import org.comm4j.kernel.lang.F16Ptr;
import org.comm4j.kernel.lang.F32Ptr;
import org.comm4j.kernel.lang.F64Ptr;
import org.comm4j.kernel.lang.Grid;
import org.comm4j.kernel.lang.I32Ptr;
import org.comm4j.kernel.lang.I64Ptr;
import org.comm4j.kernel.lang.Kernel;
import org.comm4j.kernel.lang.Ptr;
import org.jspecify.annotations.Nullable;
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

    @DeviceFunction(value = "find_$1_$3", unit = "answers", words = "INT32 int, FLOAT32 float, MIN least, MAX greatest")
    static int find(Ptr in, int count, ReduceOp op, @Nullable I32Ptr skip) {
        return op.ordinal() + count + in.elementBytes() + (skip == null ? 0 : skip.get(0));
    }

    private static <P extends Ptr> int greatest(P in) {
        return find(in, 5, ReduceOp.MAX, null);
    }

    @Kernel
    static void named(I32Ptr out, F32Ptr floats) {
        out.set(0, greatest(out));
        out.set(1, greatest(floats));
        out.set(2, find(floats, 6, ReduceOp.MIN, out));
    }

    @Kernel
    static void namedWhenItRuns(I32Ptr out, ReduceOp op) {
        out.set(0, find(out, 7, op, null));
    }

    @Kernel
    static void withoutName(I32Ptr out, F64Ptr doubles) {
        out.set(0, find(doubles, 5, ReduceOp.MAX, null));
        out.set(1, find(out, 5, ReduceOp.SUM, null));
    }

    private static KernelCode code(String name, Class<?>... parameters) throws NoSuchMethodException {
        return KernelCode.compile(
                DeviceUnitTest.class.getDeclaredMethod(name, parameters),
                CudaArch.parse("sm_90"),
                CompileOptions.DEFAULT);
    }

    /** Types and constants are in the names, and no arguments; null is the address 0. */
    @Test
    void namesWithTypesAndConstants() throws NoSuchMethodException {
        assertThat(code("named", I32Ptr.class, F32Ptr.class).nvvm())
                .contains(
                        "declare i32 @find_int_greatest(i8*, i32, i8*)",
                        "declare i32 @find_float_greatest(i8*, i32, i8*)",
                        "declare i32 @find_float_least(i8*, i32, i8*)")
                .containsPattern("call i32 @find_int_greatest\\(i8\\* [^,]*, i32 5, i8\\* null\\)");
        HostArray out = HostArray.allocate(DataType.INT32, 3);
        HostArray floats = HostArray.allocate(DataType.FLOAT32, 1);
        try (KernelCompiler<CompiledKernel> compiler = KernelCompiler.cpu();
                CompiledKernel named = compiler.compile(DeviceUnitTest::named)) {
            named.launch(LaunchConfig.grid(1).block(1), out, floats);
        }
        int greatest = ReduceOp.MAX.ordinal() + 5 + 4;
        assertThat(out.toIntArray()).containsExactly(greatest, greatest, ReduceOp.MIN.ordinal() + 6 + 4 + greatest);
    }

    @Test
    void namesThatAreKnownWhenTheKernelRuns() throws NoSuchMethodException {
        KernelCode code = code("namedWhenItRuns", I32Ptr.class, ReduceOp.class);
        assertThat(code.nvvm())
                .contains("@find_int_least(", "@find_int_greatest(")
                .doesNotContain("find_float");
        assertThat(code.ir()).contains("switch", "find has no such function");
    }

    @Test
    void whatHasNoNameIsRefused() {
        assertThatThrownBy(() -> code("withoutName", I32Ptr.class, F64Ptr.class))
                .isInstanceOf(KernelCompileException.class)
                .hasMessageContaining("DeviceUnitTest.find has no function for FLOAT64, MAX")
                .hasMessageContaining("DeviceUnitTest.find has no function for INT32, SUM")
                .hasMessageContaining("there are functions for: INT32 int, FLOAT32 float, MIN least, MAX greatest");
    }

    @Test
    void onDemand() {
        DeviceUnit unit = DeviceUnit.onDemand(
                "answers",
                functions -> functions.stream()
                        .map(name -> DeviceUnit.source(name, "// " + name))
                        .toList());
        assertThat(unit.kind()).isEqualTo(DeviceUnit.Kind.ON_DEMAND);
        List<DeviceUnit> made = unit.include(Path.of("x"))
                .whenLoaded(module -> () -> {})
                .forFunctions(new TreeSet<>(List.of("answer", "question")));
        assertThat(made)
                .extracting(each -> new String(each.content(), StandardCharsets.UTF_8))
                .containsExactly("// answer", "// question");
        assertThat(made.getFirst().forFunctions(Set.of("more"))).containsExactly(made.getFirst());
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
