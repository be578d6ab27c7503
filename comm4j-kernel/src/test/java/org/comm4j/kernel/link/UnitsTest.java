// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.link;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.comm4j.kernel.ir.Build.parameter;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.comm4j.cuda.Nvrtc;
import org.comm4j.kernel.CompileOptions;
import org.comm4j.kernel.DeviceUnit;
import org.comm4j.kernel.KernelCompileException;
import org.comm4j.kernel.disk.DiskCache;
import org.comm4j.kernel.ir.Build;
import org.comm4j.kernel.ir.External;
import org.comm4j.kernel.ir.Program;
import org.comm4j.kernel.ir.Type;
import org.comm4j.kernel.ir.Type.Pointer;
import org.comm4j.kernel.ir.Type.Scalar;
import org.comm4j.kernel.ir.Value;
import org.comm4j.kernel.lang.CudaArch;
import org.comm4j.kernel.lang.Kernel;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Device code of others, linked into kernels. */
class UnitsTest {
    private static final Type.Struct PAIR = new Type.Struct("Pair", List.of(Scalar.F32, Scalar.F32));

    private static final String SOURCE = """
        struct Pair { float x, y; };
        extern "C" __device__ float twice(float x) { return 2 * x; }
        extern "C" __device__ void put(float *p, int i, float x) { p[i] = x; }
        extern "C" __device__ float dot(Pair a) { return a.x * a.y; }
        extern "C" __device__ Pair swap(Pair a) { return {a.y, a.x}; }
        extern "C" __device__ bool negative(signed char x, short y, bool z) { return x < 0 || y < 0 || z; }
        """;

    /** Structs by value are passed in memory by CUDA C++: its functions that have them are called, not inlined. */
    private static final List<String> WITH_STRUCTS = List.of("dot", "swap");

    @TempDir
    Path folder;

    @BeforeAll
    static void require() {
        ToolchainTest.require();
        assumeTrue(Nvrtc.problem() == null, Nvrtc::problem);
    }

    /** Calls all functions of the source. */
    private static Program caller() {
        Build b = Build.kernel("caller", parameter(0, Pointer.GENERIC, "p"), parameter(1, Scalar.I8, "small"));
        Value i = b.thread();
        Value x = b.load(Scalar.F32, b.element(b.p(0), i, 4));
        Value twice = b.external(new External("twice", Scalar.F32, List.of(Scalar.F32), false, true), x);
        Value pair = b.compose(PAIR, x, twice);
        Value swapped = b.external(new External("swap", PAIR, List.of(PAIR), false, false), pair);
        Value dot = b.external(new External("dot", Scalar.F32, List.of(PAIR), false, false), swapped);
        Value negative = b.external(
                new External("negative", Scalar.I1, List.of(Scalar.I8, Scalar.I16, Scalar.I1), false, false),
                b.p(1),
                new Value.Int(Scalar.I16, -3),
                new Value.Int(Scalar.I1, 1));
        b.external(
                new External("put", Scalar.VOID, List.of(Pointer.GENERIC, Scalar.I32, Scalar.F32), false, false),
                b.p(0),
                i,
                b.select(negative, dot, x));
        b.ret();
        return b.unit("mine").program();
    }

    private byte[] link(String arch, DeviceUnit... units) {
        return new Toolchain(
                        CudaArch.parse(arch),
                        new CompileOptions(false, true, 0, "", true, List.of(units), Kernel.Math.EXACT),
                        new DiskCache(folder.resolve("cache"), 1 << 24))
                .cubin(ToolchainTest.source(caller()));
    }

    @ParameterizedTest
    @ValueSource(strings = {"sm_80", "sm_90", "sm_100"})
    void sourceIsInlined(String arch) {
        Cubin cubin = new Cubin(link(arch, DeviceUnit.source("mine", SOURCE)));
        assertThat(cubin.functions("caller")).isSubsetOf(WITH_STRUCTS);
        assertThat(cubin.unresolved()).isEmpty();
        assertThat(cubin.localBytes("caller")).isZero();
    }

    @Test
    void ltoIrIsInlined() {
        byte[] lto = Nvrtc.compileLto(SOURCE, "mine.cu", "sm_80");
        Cubin cubin = new Cubin(link("sm_90", DeviceUnit.ltoIr("mine", lto)));
        assertThat(cubin.functions("caller")).isSubsetOf(WITH_STRUCTS);
    }

    /** A header of declarations, and a library that defines its functions, as source and as LTO-IR. */
    @Test
    void definitionsOfAnotherUnitAreLinkedWithItsDeclarations() {
        String declarations = SOURCE.replaceFirst("\\{ return 2 \\* x; }", "{ return 2 * half(x); }")
                .replaceFirst("extern", "__device__ float half(float x);\nextern");
        String definitions = "__device__ float half(float x) { return x / 2; }\n";
        DeviceUnit declared = DeviceUnit.source("mine", declarations);
        assertThatThrownBy(() -> link("sm_90", declared)).hasMessageContaining("half");
        byte[] lto = Nvrtc.compileLto(definitions, "definitions.cu", "sm_80");
        for (DeviceUnit defined :
                List.of(DeviceUnit.source("definitions", definitions), DeviceUnit.ltoIr("definitions", lto))) {
            Cubin cubin = new Cubin(link("sm_90", declared.with(defined)));
            assertThat(cubin.functions("caller")).isSubsetOf(WITH_STRUCTS);
            assertThat(cubin.unresolved()).isEmpty();
        }
        assertThatThrownBy(() -> declared.with(declared)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void ptxIsCalled() {
        String ptx = new String(Nvrtc.compile(SOURCE, "mine.cu", "compute_90", "-rdc=true"), StandardCharsets.UTF_8)
                .replace("\0", "");
        Cubin cubin = new Cubin(link("sm_90", DeviceUnit.ptx("mine", ptx)));
        assertThat(cubin.functions("caller")).contains("twice", "put");
    }

    @Test
    void sourceIsCompiledAgainWhenAHeaderChanges() throws IOException {
        Path header = Files.writeString(folder.resolve("mine.h"), "#include \"inner.h\"\n");
        Files.writeString(folder.resolve("inner.h"), SOURCE);
        DeviceUnit unit = DeviceUnit.source("mine", "#include <mine.h>\n").include(folder);
        byte[] before = link("sm_90", unit);
        assertThat(link("sm_90", unit)).isEqualTo(before);
        Files.writeString(folder.resolve("inner.h"), SOURCE.replace("return 2 * x;", "return x / 3.25f + x;"));
        assertThat(header).exists();
        assertThat(link("sm_90", unit)).isNotEqualTo(before);
    }

    /** As processes do that start together on a machine: each compiles, one of them keeps it. */
    @Test
    void manyMakeTheSameUnitAtATime() throws Exception {
        DeviceUnit unit = DeviceUnit.source("mine", SOURCE);
        DeviceUnit wrong = DeviceUnit.source("mine", SOURCE + "\n#error wrong\n");
        try (ExecutorService threads = Executors.newFixedThreadPool(5)) {
            List<Future<byte[]>> made = threads.invokeAll(List.of(
                    () -> link("sm_90", unit),
                    () -> link("sm_90", wrong),
                    () -> link("sm_90", unit),
                    () -> link("sm_100", unit),
                    () -> link("sm_90", unit)));
            assertThat(made.get(2).get())
                    .isEqualTo(made.get(0).get())
                    .isEqualTo(made.get(4).get());
            assertThat(made.get(3).get()).isNotEqualTo(made.get(0).get());
            assertThatThrownBy(() -> made.get(1).get())
                    .hasCauseInstanceOf(KernelCompileException.class)
                    .hasMessageContaining("wrong");
            // Two units, two kernels; of what failed, and of what was written beside, there is nothing.
            try (Stream<Path> files = Files.list(folder.resolve("cache"))) {
                assertThat(files.filter(file -> !file.toString().endsWith(".bin")))
                        .isEmpty();
            }
            assertThat(link("sm_90", unit)).isEqualTo(made.get(0).get());
        }
    }

    @Test
    void mistakesInSourceAreReportedWithTheLog() {
        assertThatThrownBy(() -> link("sm_90", DeviceUnit.source("mine", "__device__ int f() { return nothing; }")))
                .isInstanceOf(KernelCompileException.class)
                .hasMessageContaining("Kernel T.caller cannot be compiled: compiling device unit mine (NVRTC) failed")
                .hasMessageContaining("identifier \"nothing\" is undefined");
    }

    @Test
    void missingFunctionsAreNamed() {
        assertThatThrownBy(() -> link(
                        "sm_90",
                        DeviceUnit.source("mine", "extern \"C\" __device__ float twice(float x) { return 2 * x; }")))
                .isInstanceOf(KernelCompileException.class)
                .hasMessageContaining("Kernel T.caller cannot be compiled: linking")
                .hasMessageContaining("swap");
    }

    @Test
    void missingUnitsAreNamed() {
        assertThatThrownBy(() -> link("sm_90", DeviceUnit.source("other", SOURCE)))
                .isInstanceOf(KernelCompileException.class)
                .hasMessageContaining("device unit mine")
                .hasMessageContaining("[other]");
    }

    @Test
    void whatIsNoLtoIrIsRefused() {
        assertThatThrownBy(() -> link("sm_90", DeviceUnit.ltoIr("mine", new byte[] {1, 2, 3, 4})))
                .isInstanceOf(KernelCompileException.class)
                .hasMessageContaining("linking")
                .hasMessageContaining("nvJitLink");
    }

    @Test
    void architecturesAreNotAnOptionOfAUnit() {
        assertThatThrownBy(() -> DeviceUnit.source("mine", SOURCE, "-arch=sm_80"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("device unit mine, option -arch=sm_80");
    }
}
