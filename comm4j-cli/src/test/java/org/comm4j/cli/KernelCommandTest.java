// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.comm4j.ffi.LibraryName;
import org.comm4j.ffi.NativeLibrary;
import org.comm4j.kernel.Constant;
import org.comm4j.kernel.F32Ptr;
import org.comm4j.kernel.GlobalIdx;
import org.comm4j.kernel.Kernel;
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

    private int kernel(String... words) {
        String[] all = new String[words.length + 1];
        all[0] = "kernel";
        System.arraycopy(words, 0, all, 1, words.length);
        return Main.commandLine(new PrintWriter(out, true), new PrintWriter(err, true))
                .execute(all);
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
