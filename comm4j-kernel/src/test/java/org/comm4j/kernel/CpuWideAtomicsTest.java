// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.stream.Stream;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.cuda.LaunchConfig;
import org.comm4j.kernel.lang.CudaArch;
import org.comm4j.kernel.lang.I64Ptr;
import org.comm4j.kernel.lang.Kernel;
import org.comm4j.kernel.lang.Long2;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** On the executor of the CPU. */
@Timeout(60)
class CpuWideAtomicsTest extends WideAtomicsContract {
    static Stream<Machine> machines() {
        return Stream.of(CpuOptions.fast(), CpuOptions.fast().shuffled(5), CpuOptions.debug(), CpuOptions.checked(9))
                .map(Machine::cpu);
    }

    @Kernel
    static void misaligned(I64Ptr pair) {
        pair.atomicExch2(1, new Long2(1, 2));
    }

    @ParameterizedTest
    @MethodSource("machines")
    void anOddElementIsRefused(Machine machine) {
        HostArray pair = HostArray.allocate(DataType.INT64, 4);
        assertThatThrownBy(() -> machine.launch(
                        machine.kernel(CpuWideAtomicsTest.class, "misaligned"),
                        LaunchConfig.grid(1).block(1),
                        pair))
                .isInstanceOf(KernelException.class)
                .hasMessageContaining("is not a multiple of 16 bytes, as this access needs");
    }

    @Test
    void olderGpusHaveNone() {
        assertThatThrownBy(() -> KernelCode.compile(
                        Machine.method(CpuWideAtomicsTest.class, "misaligned"),
                        CudaArch.parse("sm_89"),
                        CompileOptions.DEFAULT))
                .isInstanceOf(KernelCompileException.class)
                .hasMessageContaining("needs sm_90 or later, and this is compiled for sm_89")
                .hasMessageContaining("called from I64Ptr.atomicExch2")
                .hasMessageContaining("called from CpuWideAtomicsTest.misaligned");
    }
}
