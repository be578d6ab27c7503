// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.comm4j.core.contract.NullArguments;
import org.comm4j.cuda.ComputeCapability;
import org.comm4j.cuda.LaunchConfig;
import org.comm4j.kernel.lang.BF16Ptr;
import org.comm4j.kernel.lang.C128Ptr;
import org.comm4j.kernel.lang.C64Ptr;
import org.comm4j.kernel.lang.CudaArch;
import org.comm4j.kernel.lang.F16Ptr;
import org.comm4j.kernel.lang.F32Ptr;
import org.comm4j.kernel.lang.F64Ptr;
import org.comm4j.kernel.lang.F8E4M3Ptr;
import org.comm4j.kernel.lang.F8E5M2Ptr;
import org.comm4j.kernel.lang.GlobalIdx;
import org.comm4j.kernel.lang.I16Ptr;
import org.comm4j.kernel.lang.I32Ptr;
import org.comm4j.kernel.lang.I64Ptr;
import org.comm4j.kernel.lang.I8Ptr;
import org.comm4j.kernel.lang.Kernel;
import org.junit.jupiter.api.Test;

/** A null where there must be none is told by the names of the operation and the parameter. */
class NullArgumentsTest {
    private final List<String> wrong = new ArrayList<>();

    @Kernel
    static void scale(F32Ptr x, int n, float factor) {
        int i = GlobalIdx.x();
        if (i < n) {
            x.set(i, x.get(i) * factor);
        }
    }

    @Test
    void ofAllTypes() throws Exception {
        Method method = NullArgumentsTest.class.getDeclaredMethod("scale", F32Ptr.class, int.class, float.class);
        DeviceUnit unit = DeviceUnit.ptx("unit", ".version 8.0");
        ComputeCapability capability = new ComputeCapability(9, 0);
        CudaArch arch = CudaArch.of(capability);
        Object[] samples = {
            method, arch, capability, CompileOptions.DEFAULT, CpuOptions.fast(), unit, LaunchConfig.grid(1)
        };
        for (Class<?> type : List.of(
                KernelCompiler.class,
                KernelCode.class,
                CompileOptions.class,
                CpuOptions.class,
                CudaArch.class,
                DeviceUnit.class,
                GpuKernel.class,
                F16Ptr.class,
                BF16Ptr.class,
                F8E4M3Ptr.class,
                F8E5M2Ptr.class,
                F32Ptr.class,
                F64Ptr.class,
                C64Ptr.class,
                C128Ptr.class,
                I8Ptr.class,
                I16Ptr.class,
                I32Ptr.class,
                I64Ptr.class)) {
            wrong.addAll(NullArguments.ofType(type, Set.of("valueOf"), samples));
        }
        try (KernelCompiler<CompiledKernel> compiler = KernelCompiler.cpu();
                CompiledKernel kernel = compiler.compile(method)) {
            wrong.addAll(NullArguments.ofObject(KernelCompiler.class, compiler, Set.of(), samples));
            wrong.addAll(NullArguments.ofObject(CompiledKernel.class, kernel, Set.of(), samples));
        }
        wrong.addAll(NullArguments.ofObject(CompileOptions.class, CompileOptions.DEFAULT, Set.of(), samples));
        wrong.addAll(NullArguments.ofObject(CpuOptions.class, CpuOptions.fast(), Set.of(), samples));
        wrong.addAll(NullArguments.ofObject(DeviceUnit.class, unit, Set.of(), samples));
        assertThat(wrong).isEmpty();
    }
}
