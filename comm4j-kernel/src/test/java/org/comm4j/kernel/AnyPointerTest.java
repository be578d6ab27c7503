// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.comm4j.core.Buffer;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.cuda.LaunchConfig;
import org.comm4j.kernel.lang.Constant;
import org.comm4j.kernel.lang.GlobalIdx;
import org.comm4j.kernel.lang.Kernel;
import org.comm4j.kernel.lang.Ptr;
import org.junit.jupiter.api.Test;

/** One kernel for several types of elements: its pointer takes any buffer. */
class AnyPointerTest {
    @Kernel
    static void halve(@Constant boolean wide, int n, Ptr x) {
        int i = GlobalIdx.x();
        if (i < n) {
            if (wide) {
                x.asF64().set(i, x.asF64().get(i) / 2);
            } else {
                x.asF32().set(i, x.asF32().get(i) / 2);
            }
        }
    }

    @Test
    void takesAnyBuffer() {
        try (var compiler = KernelCompiler.cpu()) {
            for (DataType type :
                    new DataType[] {DataType.FLOAT32, DataType.FLOAT64, DataType.COMPLEX64, DataType.COMPLEX128}) {
                boolean wide = type == DataType.FLOAT64 || type == DataType.COMPLEX128;
                HostArray x = HostArray.allocate(type, 5);
                x.fill(3);
                int numbers = type.isComplex() ? 10 : 5;
                compiler.compile(Machine.method(AnyPointerTest.class, "halve"), wide)
                        .launch(LaunchConfig.forElements(numbers), numbers, x);
                assertThat(type.isComplex() ? x.getReal(4) : x.getDouble(4)).isEqualTo(1.5);
            }
        }
    }

    @Test
    void hasTheClassOfItsElements() {
        for (DataType type : DataType.values()) {
            Buffer buffer = HostArray.allocate(type, 1);
            assertThat(Ptr.of(buffer).address()).isEqualTo(buffer.address());
            assertThat(Ptr.of(buffer).elementBytes()).isEqualTo(type.bytes() / (type.isComplex() ? 2 : 1));
        }
    }

    @Test
    void seesTheEndOfTheBuffer() {
        try (var compiler = KernelCompiler.cpu();
                CompiledKernel halve = compiler.compile(Machine.method(AnyPointerTest.class, "halve"), true)) {
            HostArray three = HostArray.allocate(DataType.FLOAT64, 3);
            assertThatThrownBy(() -> halve.launch(LaunchConfig.forElements(4), 4, three))
                    .isInstanceOf(KernelException.class)
                    .hasMessageContaining("outside");
            assertThatThrownBy(() -> halve.launch(LaunchConfig.forElements(4), 4, "three"))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("expected Ptr");
        }
    }
}
