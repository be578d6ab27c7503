// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.cpu;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.cuda.LaunchConfig;
import org.comm4j.kernel.CompiledKernel;
import org.comm4j.kernel.CpuOptions;
import org.comm4j.kernel.KernelCompiler;
import org.comm4j.kernel.capture.KernelSource;
import org.comm4j.kernel.lang.Constant;
import org.comm4j.kernel.lang.I32Ptr;
import org.comm4j.kernel.lang.Kernel;
import org.comm4j.kernel.lang.ThreadIdx;
import org.junit.jupiter.api.Test;

/** Kernels that are the same share what is made of them; all others do not. */
class CpuCodeTest {
    private static final int READ = Integer.parseInt("7");
    private static final List<CpuOptions> OPTIONS =
            List.of(CpuOptions.fast(), CpuOptions.fast().shuffled(1), CpuOptions.checked(1), CpuOptions.debug());

    @Kernel
    static void scaled(@Constant int factor, I32Ptr out) {
        out.set(ThreadIdx.x(), factor * ThreadIdx.x());
    }

    @Kernel
    static void readsAField(@Constant int factor, I32Ptr out) {
        out.set(ThreadIdx.x(), factor * READ);
    }

    private static Method method(String name) {
        return Arrays.stream(CpuCodeTest.class.getDeclaredMethods())
                .filter(each -> each.getName().equals(name))
                .findFirst()
                .orElseThrow();
    }

    private static CpuCode code(String name, CpuOptions options, Object... constants) {
        return CpuCode.portable(KernelSource.of(method(name), constants), options);
    }

    @Test
    void theSameKernelIsMadeOnce() {
        for (CpuOptions options : OPTIONS) {
            assertThat(code("scaled", options, 2)).isSameAs(code("scaled", options, 2));
            assertThat(code("scaled", options, 2)).isNotSameAs(code("scaled", options, 3));
            for (CpuOptions other : OPTIONS) {
                if (!other.equals(options)) {
                    assertThat(code("scaled", options, 2)).isNotSameAs(code("scaled", other, 2));
                }
            }
        }
    }

    /** Its value may be another one the next time, as tests change fields. */
    @Test
    void whatReadsFieldsIsMadeAnew() {
        CpuOptions options = CpuOptions.fast();
        assertThat(code("readsAField", options, 2)).isNotSameAs(code("readsAField", options, 2));
    }

    @Test
    void constantsAreThoseOfEachKernel() {
        for (CpuOptions options : OPTIONS) {
            try (KernelCompiler<CompiledKernel> one = KernelCompiler.cpu(options);
                    KernelCompiler<CompiledKernel> two = KernelCompiler.cpu(options)) {
                for (int factor : new int[] {2, 3, 2}) {
                    for (KernelCompiler<CompiledKernel> compiler : List.of(one, two)) {
                        HostArray out = HostArray.allocate(DataType.INT32, 5);
                        compiler.compile(method("scaled"), factor)
                                .launch(LaunchConfig.grid(1).block(5), out);
                        assertThat(out.toIntArray()).containsExactly(0, factor, 2 * factor, 3 * factor, 4 * factor);
                    }
                }
            }
        }
    }
}
