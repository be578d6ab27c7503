// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.stream.Stream;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.cuda.LaunchConfig;
import org.comm4j.kernel.lang.C128Ptr;
import org.comm4j.kernel.lang.C64Ptr;
import org.comm4j.kernel.lang.Complex128;
import org.comm4j.kernel.lang.Complex64;
import org.comm4j.kernel.lang.F32Ptr;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** On the executor of the CPU, where bounds and arguments are checked. */
@Timeout(60)
class CpuComplexTest extends ComplexContract {
    static Stream<Machine> machines() {
        return Stream.of(CpuOptions.fast(), CpuOptions.fast().shuffled(5), CpuOptions.debug(), CpuOptions.checked(9))
                .map(Machine::cpu);
    }

    @ParameterizedTest
    @MethodSource("machines")
    void indicesOutsideAreRefused(Machine machine) {
        HostArray x = HostArray.allocate(DataType.COMPLEX64, 4);
        HostArray y = HostArray.allocate(DataType.COMPLEX64, 5);
        CompiledKernel axpy = machine.kernel(ComplexContract.class, "axpy64");
        assertThatThrownBy(() -> machine.launch(axpy, LaunchConfig.forElements(5), 5, Complex64.of(1), x, y))
                .isInstanceOf(KernelException.class)
                .hasMessageContaining("outside")
                .hasMessageContaining("ComplexContract.java");
    }

    @ParameterizedTest
    @MethodSource("machines")
    void otherArgumentsAreRefused(Machine machine) {
        HostArray x = HostArray.allocate(DataType.COMPLEX64, 4);
        CompiledKernel axpy = machine.kernel(ComplexContract.class, "axpy64");
        LaunchConfig config = LaunchConfig.forElements(4);
        Complex64 a = Complex64.of(1);
        String where = "kernel " + axpy.name() + ", parameter 4 'y'";
        assertThatThrownBy(() -> machine.launch(axpy, config, 4, a, x, HostArray.of(1f, 2f)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith(where + ": a pointer C64Ptr is for elements of COMPLEX64, not for those of ");
        assertThatThrownBy(() -> machine.launch(axpy, config, 4, a, x, HostArray.allocate(DataType.COMPLEX128, 4)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith(where + ": a pointer C64Ptr is for elements of COMPLEX64, not for those of ");
        assertThatThrownBy(() -> machine.launch(axpy, config, 4, a, x, F32Ptr.of(HostArray.of(1f, 2f))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith(where + ": expected C64Ptr or a buffer of its elements, given F32Ptr");
        HostArray odd = HostArray.allocate(DataType.FLOAT32, 9).slice(1, 8).view(DataType.COMPLEX64);
        assertThatThrownBy(() -> machine.launch(axpy, config, 4, a, x, odd))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith(where + ": the address ")
                .hasMessageEndingWith(" is not a multiple of 8 bytes, as this access needs");
        assertThatThrownBy(() -> machine.launch(axpy, config, 4, a, x, x))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("parameter 3 'x' is marked @Restrict")
                .hasMessageContaining("overlaps that of parameter 4 'y'");
        assertThatThrownBy(() -> machine.launch(axpy, config, 4, a, C64Ptr.of(x), C64Ptr.of(x, 1)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("parameter 3 'x' is marked @Restrict")
                .hasMessageContaining("overlaps that of parameter 4 'y'");
    }

    @Test
    void pointersAreChecked() {
        HostArray array = HostArray.allocate(DataType.COMPLEX128, 3);
        array.setComplex(2, 5, -6);
        C128Ptr p = C128Ptr.of(array, 1);
        assertThat(p.get(1)).isEqualTo(new Complex128(5, -6));
        assertThat(p.plus(1).get(0)).isEqualTo(new Complex128(5, -6));
        assertThat(p.get(-1)).isEqualTo(Complex128.of(0));
        assertThatThrownBy(() -> p.get(2)).isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> p.set(-2, Complex128.of(1))).isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> C128Ptr.of(array, 4)).isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> new C128Ptr(p.parts().plus(1)).get(0))
                .hasMessageContaining("is not a multiple of 16 bytes");
    }

    @Test
    void quotientsAndModuliDoNotOverflow() {
        Complex64 large = new Complex64(0x1p126f, 0x1p126f);
        Complex64 small = new Complex64(0x1p-120f, -0x1p-120f);
        assertThat(large.dividedBy(large)).isEqualTo(Complex64.of(1));
        assertThat(small.dividedBy(small)).isEqualTo(Complex64.of(1));
        assertThat(large.abs()).isEqualTo((float) (0x1p126 * Math.sqrt(2)));
        assertThat(new Complex64(Float.NaN, Float.NEGATIVE_INFINITY).abs())
                .isPositive()
                .isInfinite();
        Complex128 huge = new Complex128(0x1p1022, 0x1p1022);
        assertThat(huge.dividedBy(huge)).isEqualTo(Complex128.of(1));
        assertThat(Complex128.of(1).dividedBy(Complex128.of(0)).re()).isNaN();
    }
}
