// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import org.comm4j.core.Buffer;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.kernel.lang.CudaArch;
import org.comm4j.kernel.lang.StructuredMatrix;
import org.comm4j.kernel.link.Toolchain;
import org.comm4j.test.Natives;
import org.junit.jupiter.api.Test;

/** Copies of tensors and products of warpgroups as the CPU does them, and their machine code. */
class CpuTensorTest extends TensorContract {
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

    private static KernelCode product(String arch) {
        return KernelCode.compile(
                KernelMethod.named(TensorKernels.class, "product"),
                CudaArch.parse(arch),
                CompileOptions.DEFAULT.withoutCache(),
                DataType.BFLOAT16,
                64,
                0,
                1);
    }

    @Test
    void productsAreOfOneArchitecture() {
        assertThatThrownBy(() -> product("sm_90"))
                .isInstanceOf(KernelCompileException.class)
                .hasMessageContaining("Wgmma.fence is of sm_90a alone")
                .hasMessageContaining("withSuffix(\"a\")");
    }

    /** The sums stay in registers, and no copy of them is between two products. */
    @Test
    void sumsAreInRegisters() {
        Natives.use();
        assumeTrue(Toolchain.problem() == null, Toolchain::problem);
        KernelCode code = product("sm_90a");
        assertThat(code.ptx())
                .contains("wgmma.mma_async.sync.aligned.m64n64k16.f32.bf16.bf16", ".target sm_90a")
                .doesNotContain("__local_depot");
        assertThat(code.attributes().localBytes()).isZero();
    }

    @Test
    void sparseProductsBecomeMachineCode() {
        Natives.use();
        assumeTrue(Toolchain.problem() == null, Toolchain::problem);
        for (DataType type : new DataType[] {
            DataType.BFLOAT16, DataType.FLOAT16, DataType.FLOAT8_E4M3, DataType.FLOAT8_E5M2, DataType.FLOAT32
        }) {
            KernelCode code = KernelCode.compile(
                    KernelMethod.named(SparseKernels.class, "product"),
                    CudaArch.parse("sm_90a"),
                    CompileOptions.DEFAULT.withoutCache(),
                    type,
                    16,
                    type.bytes() == 1 ? 4 : 2);
            assertThat(code.ptx()).contains("wgmma.mma_async.sp.sync.aligned.m64n16k" + 64 / type.bytes());
            assertThat(code.attributes().localBytes()).isZero();
        }
    }

    @Test
    void matricesWithTooFewZerosAreRefused() {
        HostArray dense = matrix(DataType.FLOAT32, 64, 1);
        dense.setFloat(34, 1);
        dense.setFloat(35, 2);
        for (int i = 0; i < 34; i++) {
            dense.setFloat(i, 0);
        }
        assertThatThrownBy(() -> StructuredMatrix.of(dense, 2, 32))
                .hasMessageContaining("there are 2 in row 1 from column 2 on");
        assertThatThrownBy(() -> StructuredMatrix.of(dense, 4, 16)).hasMessageContaining("a multiple of 32");
        assertThatThrownBy(() -> StructuredMatrix.prune(HostArray.allocate(DataType.INT32, 64), 2, 32))
                .hasMessageContaining("is of one of");
    }

    @Test
    void copiesBecomeMachineCode() {
        Natives.use();
        assumeTrue(Toolchain.problem() == null, Toolchain::problem);
        for (String name : new String[] {"box3", "add", "move", "shares"}) {
            KernelCode code = KernelCode.compile(
                    KernelMethod.named(TensorKernels.class, name),
                    CudaArch.parse("sm_90"),
                    CompileOptions.DEFAULT.withoutCache());
            assertThat(code.cubin()).startsWith(0x7f, 'E', 'L', 'F');
        }
        KernelCode code = KernelCode.compile(
                KernelMethod.named(TensorKernels.class, "fromRegisters"),
                CudaArch.parse("sm_90a"),
                CompileOptions.DEFAULT.withoutCache(),
                DataType.FLOAT16);
        assertThat(code.cubin()).startsWith(0x7f, 'E', 'L', 'F');
    }
}
