// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.comm4j.cuda.Nvrtc;
import org.comm4j.ffi.LibraryName;
import org.comm4j.ffi.NativeLibrary;
import org.comm4j.kernel.lang.Constant;
import org.comm4j.kernel.lang.DeviceFunction;
import org.comm4j.kernel.lang.F32Ptr;
import org.comm4j.kernel.lang.GlobalIdx;
import org.comm4j.kernel.lang.Kernel;
import org.comm4j.test.Natives;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KernelCommandTest {
    @TempDir
    Path folder;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @Kernel
    static void scale(F32Ptr x, int n, float factor) {
        int i = GlobalIdx.x();
        if (i < n) {
            x.set(i, x.get(i) * factor);
        }
    }

    @Kernel
    static void add(F32Ptr x, int n) {
        x.set(n, 1);
    }

    @Kernel
    static void add(F32Ptr x, @Constant int n, @Constant float y) {
        x.set(n, y);
    }

    @Kernel
    static void wrong(F32Ptr x) {
        x.set(0, new Object().hashCode());
    }

    sealed interface Shape {}

    record Circle(double radius) implements Shape {}

    record Box(double x, double y, int z) implements Shape {}

    @Kernel
    static void shapes(int n, F32Ptr x) {
        Shape shape = n > 3 ? new Circle(n) : new Box(n, 2, 3);
        x.set(
                0,
                switch (shape) {
                    case Circle(double radius) -> (float) radius;
                    case Box(double a, double b, int c) -> (float) (a + b + c);
                });
    }

    @DeviceFunction(value = "twice", unit = "com.example.bits", pure = true)
    static float twice(float x) {
        return 2 * x;
    }

    @Kernel
    static void twofold(F32Ptr x) {
        x.set(0, twice(x.get(0)));
    }

    private int kernel(String... words) {
        String[] all = new String[words.length + 1];
        all[0] = "kernel";
        System.arraycopy(words, 0, all, 1, words.length);
        return Main.execute(new PrintWriter(out, true), new PrintWriter(err, true), all);
    }

    private static String name(String method) {
        return KernelCommandTest.class.getName() + "::" + method;
    }

    private static void requireCompilers() {
        Natives.use();
        for (LibraryName library : new LibraryName[] {LibraryName.NVVM, LibraryName.NVJITLINK}) {
            NativeLibrary found = NativeLibrary.of(library);
            assumeTrue(found.isPresent(), () -> "" + found.problem());
        }
    }

    @Test
    void stagesBeforeNvidiasCompilersNeedNothing() {
        assertThat(kernel("--print", "ir", name("scale"))).as(err.toString()).isZero();
        assertThat(out.toString())
                .contains("kernel void @", "(ptr %x, i32 %n, f32 %factor)", "KernelCommandTest.java:");
        assertThat(kernel("--print", "nvvm", "--no-lines", name("scale"))).isZero();
        assertThat(out.toString()).contains("target triple = \"nvptx64-nvidia-cuda\"", "!\"kernel\", i32 1}");
    }

    @Test
    void ptxCubinAndAttributes() throws Exception {
        requireCompilers();
        assertThat(kernel("--print=ptx", "--arch=sm_80", "--no-cache", name("scale")))
                .as(err.toString())
                .isZero();
        assertThat(out.toString()).contains(".target sm_80", ".visible .entry", "ld.global.f32");
        Path cubin = folder.resolve("scale.cubin");
        assertThat(kernel("--no-cache", "-o", cubin.toString(), name("scale"))).isZero();
        assertThat(out.toString())
                .containsPattern("KernelCommandTest.scale for sm_90: \\d+ registers, 0 bytes of shared");
        assertThat(Files.readAllBytes(cubin)).startsWith(0x7f, 'E', 'L', 'F');
    }

    @Test
    void theSizeOfAUnionIsReported() {
        requireCompilers();
        assertThat(kernel("--no-cache", name("shapes"))).as(err.toString()).isZero();
        assertThat(out.toString())
                .contains("a value of Shape is one of several records: 32 bytes, of which 8 say which it is");
        out.getBuffer().setLength(0);
        assertThat(kernel("--no-cache", name("scale"))).isZero();
        assertThat(out.toString()).doesNotContain("one of several records");
    }

    @Test
    void overloadsAreToldApartAndConstantsGiven() {
        assertThat(kernel("--print=ir", name("add"))).isEqualTo(1);
        assertThat(err.toString())
                .contains("has several kernels add; it has add(F32Ptr,int), add(F32Ptr,int,float), scale(");
        assertThat(kernel("--print=ir", name("add(F32Ptr, int, float)"), "3", "2.5"))
                .as(err.toString())
                .isZero();
        assertThat(out.toString()).contains("(ptr %x)", "2.5");
        assertThat(kernel("--print=ir", name("add(F32Ptr,int,float)"), "3")).isEqualTo(2);
        assertThat(err.toString()).contains("2 parameters that are marked @Constant, but 1 values are given");
        assertThat(kernel("--print=ir", name("add(F32Ptr,int,float)"), "3", "x"))
                .isEqualTo(2);
        assertThat(err.toString()).contains("'x' is no float");
    }

    private Path file(String name, String content) throws Exception {
        return Files.writeString(folder.resolve(name), content);
    }

    @Test
    void deviceCodeIsLinked() throws Exception {
        requireCompilers();
        assumeTrue(Nvrtc.problem() == null, Nvrtc::problem);
        Path headers = Files.createDirectory(folder.resolve("headers"));
        Files.writeString(headers.resolve("factor.h"), "#define FACTOR 2.0f\n");
        Path source = file("bits.cu", """
            #include <factor.h>
            extern "C" __device__ float twice(float x) { return FACTOR * x; }
            """);
        String twofold = name("twofold");
        assertThat(kernel("--print=ptx", "--no-cache", "--unit", source.toString(), "-I", headers.toString(), twofold))
                .as(err.toString())
                .isZero();
        assertThat(out.toString()).contains(".visible .entry").doesNotContain("call.uni", "call (");
        Path other = file("other.cu", Files.readString(source));
        String named = "--unit=com.example.bits=" + other;
        assertThat(kernel("--no-cache", named, "-I" + headers, twofold)).isZero();
        // What is missing or wrong is said.
        assertThat(kernel("--print=ptx", "--no-cache", twofold)).isEqualTo(1);
        assertThat(err.toString()).contains("looking for device unit com.example.bits");
        assertThat(kernel("--print=ptx", "--no-cache", named, twofold)).isEqualTo(1);
        assertThat(err.toString())
                .contains("compiling device unit com.example.bits (NVRTC)", "open source file \"factor.h\"");
        assertThat(kernel("--print=ptx", "--unit", other.toString(), twofold)).isEqualTo(2);
        assertThat(err.toString()).contains("calls nothing of a device unit other; it does of com.example.bits");
        assertThat(kernel("--print=ptx", "--unit", folder.resolve("no.cu").toString(), twofold))
                .isEqualTo(2);
        assertThat(err.toString()).contains("no.cu for --unit");
        assertThat(kernel("--print=ptx", "--unit", source.toString(), "-I", "nowhere", twofold))
                .isEqualTo(2);
        assertThat(err.toString()).contains("there is no folder nowhere for -I");
    }

    @Test
    void whatCannotBeCompiledIsSaid() {
        assertThat(kernel("--print=ir", name("wrong"))).isEqualTo(1);
        assertThat(err.toString()).contains("wrong(F32Ptr) cannot be compiled", "KernelCommandTest.java:");
    }

    @Test
    void wrongCommandLinesAreRefused() {
        assertThat(kernel("--print=ir", "nothing")).isEqualTo(2);
        assertThat(err.toString()).contains("'nothing' is no kernel; write it as CLASS::METHOD");
        assertThat(kernel("--arch=hopper", name("scale"))).isEqualTo(2);
        assertThat(err.toString()).contains("there is no architecture 'hopper'");
        assertThat(kernel("-cp", folder.resolve("no").toString(), name("scale")))
                .isEqualTo(2);
        assertThat(kernel("--print=ir", "com.example.Nothing::f")).isEqualTo(1);
        assertThat(err.toString()).contains("there is no class com.example.Nothing on the class path");
        assertThat(kernel("--print=elf", name("scale"))).isEqualTo(2);
    }
}
