// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import org.comm4j.core.Buffer;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.kernel.lang.CudaArch;
import org.comm4j.kernel.link.Toolchain;
import org.comm4j.test.Natives;
import org.junit.jupiter.api.Test;

/** {@link CopyEngineKernels} as the CPU does them, and their machine code. */
class CpuCopyEngineTest extends CopyEngineContract {
    @Override
    KernelCompiler<?> compiler() {
        return KernelCompiler.cpu(CpuOptions.checked(1));
    }

    @Override
    Buffer put(HostArray content) {
        HostArray copy = HostArray.allocate(content.type(), content.count());
        copy.copyFrom(content);
        return copy;
    }

    @Override
    HostArray get(Buffer memory) {
        return (HostArray) memory;
    }

    @Test
    void formsOfTheCopyEngineBecomeMachineCode() {
        Natives.use();
        assumeTrue(Toolchain.problem() == null, Toolchain::problem);
        compiles("stores");
        for (int i = 1; i <= 3; i++) {
            compiles("pixels", i);
        }
        compiles("move", 4);
        compiles("move", 5);
        compiles("combine", CopyEngineKernels.ADD, 3);
        compiles("combine", CopyEngineKernels.MIN, 2);
        compiles("combine", CopyEngineKernels.MAX, 2);
        for (DataType type : new DataType[] {DataType.FLOAT16, DataType.BFLOAT16, DataType.INT32, DataType.INT64}) {
            for (int operation = CopyEngineKernels.ADD; operation <= CopyEngineKernels.MAX; operation++) {
                compiles("reduce", type, operation);
            }
        }
        compiles("reduce", DataType.FLOAT32, CopyEngineKernels.ADD);
        compiles("reduce", DataType.FLOAT64, CopyEngineKernels.ADD);
    }

    private static void compiles(String name, Object... constants) {
        KernelCode code = KernelCode.compile(
                KernelMethod.named(CopyEngineKernels.class, name),
                CudaArch.parse("sm_90"),
                CompileOptions.DEFAULT.withoutCache(),
                constants);
        assertThat(code.cubin()).startsWith(0x7f, 'E', 'L', 'F');
    }
}
