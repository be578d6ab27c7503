// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.math;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.util.List;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.test.Natives;
import org.junit.jupiter.api.Test;

/** Transpositions and sums along lines, of the processor and by the interface's own methods, against plain loops. */
class LinesTest {
    static {
        // Whichever test is the first one: the library is looked for once.
        Natives.use();
    }

    private static final DataType[] TYPES = {DataType.FLOAT32, DataType.FLOAT64, DataType.COMPLEX64, DataType.COMPLEX128
    };
    private static final long[][] SHAPES = {
        {1, 3, 4, 1}, {2, 5, 1, 3}, {3, 1, 7, 2}, {1, 70, 45, 1}, {2, 0, 3, 2}, {0, 2, 2, 2}, {1, 600, 2, 1}
    };

    /** The processor, one that has only the interface's own methods, and the kernels of a GPU on the executor. */
    private static List<Compute> computes() {
        Compute cpu = new CpuCompute();
        InvocationHandler handler = (proxy, method, arguments) -> method.isDefault()
                ? InvocationHandler.invokeDefault(proxy, method, arguments)
                : method.invoke(cpu, arguments);
        Compute plain = (Compute)
                Proxy.newProxyInstance(Compute.class.getClassLoader(), new Class<?>[] {Compute.class}, handler);
        return List.of(cpu, plain, new GpuCompute(new ExecutorQueue()));
    }

    private static HostArray counted(DataType type, long count) {
        HostArray array = HostArray.allocate(type, count);
        for (long i = 0; i < count; i++) {
            if (type.isComplex()) {
                array.setComplex(i, (double) (i % 97), (double) -(i % 89));
            } else {
                array.setDouble(i, (double) (i % 97));
            }
        }
        return array;
    }

    private static double real(HostArray array, long i) {
        return array.type().isComplex() ? array.getReal(i) : array.getDouble(i);
    }

    private static double imaginary(HostArray array, long i) {
        return array.type().isComplex() ? array.getImaginary(i) : 0;
    }

    @Test
    void axesAreSwapped() {
        for (Compute compute : computes()) {
            for (DataType type : TYPES) {
                for (long[] s : SHAPES) {
                    HostArray x = counted(type, s[0] * s[1] * s[2] * s[3]);
                    HostArray y = HostArray.allocate(type, x.count());
                    compute.transpose(s[0], s[1], s[2], s[3], x, y);
                    for (long to = 0; to < y.count(); to++) {
                        long i = to % s[3];
                        long r = to / s[3] % s[1];
                        long c = to / s[3] / s[1] % s[2];
                        long o = to / s[3] / s[1] / s[2];
                        long from = ((o * s[1] + r) * s[2] + c) * s[3] + i;
                        assertThat(real(y, to)).isEqualTo(real(x, from));
                        assertThat(imaginary(y, to)).isEqualTo(imaginary(x, from));
                    }
                }
            }
        }
    }

    @Test
    void sumsRunInBothDirections() {
        for (Compute compute : computes()) {
            for (DataType type : TYPES) {
                for (long[] s : SHAPES) {
                    long length = s[1];
                    long inner = s[2] * s[3];
                    HostArray x = counted(type, s[0] * length * inner);
                    for (boolean backward : new boolean[] {false, true}) {
                        HostArray y = HostArray.allocate(type, x.count());
                        compute.cumulate(backward, s[0], length, inner, x, y);
                        for (long line = 0; line < s[0] * inner; line++) {
                            double re = 0;
                            double im = 0;
                            for (long k = 0; k < length; k++) {
                                long row = backward ? length - 1 - k : k;
                                long at = (line / inner * length + row) * inner + line % inner;
                                re += real(x, at);
                                im += imaginary(x, at);
                                // Sums of small integers are exact.
                                assertThat(real(y, at)).isEqualTo(re);
                                assertThat(imaginary(y, at)).isEqualTo(im);
                            }
                        }
                    }
                }
            }
        }
    }

    @Test
    void wrongSizesAreRefused() {
        Compute cpu = new CpuCompute();
        HostArray x = counted(DataType.FLOAT64, 12);
        HostArray y = HostArray.allocate(DataType.FLOAT64, 12);
        assertThatThrownBy(() -> cpu.transpose(1, 3, 3, 1, x, y)).hasMessageContaining("9 elements");
        assertThatThrownBy(() -> cpu.transpose(1, 3, 4, 1, x, x)).hasMessageContaining("same memory");
        assertThatThrownBy(() -> cpu.cumulate(false, 1, 3, 3, x, y)).hasMessageContaining("9 elements");
        assertThatThrownBy(() -> cpu.cumulate(false, 1, 12, 1, x, HostArray.allocate(DataType.FLOAT32, 12)))
                .hasMessageContaining("element type");
    }
}
