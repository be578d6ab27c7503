// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.ir;

import static org.assertj.core.api.Assertions.assertThat;

import org.comm4j.kernel.Golden;
import org.junit.jupiter.api.Test;

class PrinterTest {
    @Test
    void saxpyReadsWell() {
        assertThat(Printer.print(Samples.saxpy().program(true, true, true))).isEqualTo("""
                program fast checked lines

                kernel void @saxpy(i32 %n, f32 %a, ptr %x, ptr %y) threads 256 blocks 2 { ; T.java:9
                entry:
                  %0 = call pure i32 @llvm.nvvm.read.ptx.sreg.ctaid.x() ; T.java:10
                  %1 = call pure i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
                  %2 = mul i32 %0, %1
                  %3 = call pure i32 @llvm.nvvm.read.ptx.sreg.tid.x()
                  %4 = add i32 %2, %3
                  %5 = compare lt i32 %4, %n
                  branch %5, inside, after
                inside:
                  %6 = sign_extend i32 %4 to i64 ; T.java:11
                  %8 = mul i64 %6, 4
                  %7 = offset ptr %x, %8
                  %9 = load f32, ptr %7
                  %10 = sign_extend i32 %4 to i64
                  %12 = mul i64 %10, 4
                  %11 = offset ptr %y, %12
                  %13 = mul f32 %a, %9
                  %14 = load f32, ptr %11
                  %15 = add f32 %13, %14
                  store f32 %15, ptr %11
                  jump after
                after:
                  return ; T.java:12
                }
                """);
    }

    @Test
    void everythingElseIsAsItWas() {
        Golden.check("structs.ir", Printer.print(Samples.structs().program()));
        Golden.check("memory.ir", Printer.print(Samples.memory().program()));
        Golden.check("ptx.ir", Printer.print(Samples.ptx().program()));
        Golden.check("choices.ir", Printer.print(Samples.choices().unit("mine").program()));
    }
}
