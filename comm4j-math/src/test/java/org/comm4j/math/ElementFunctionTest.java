// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.math;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.function.DoubleUnaryOperator;
import org.comm4j.core.Buffer;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.cuda.Cuda;
import org.comm4j.cuda.Device;
import org.comm4j.test.Natives;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Lambdas of the user's, called by a processor and compiled into kernels, with and without captured numbers. */
class ElementFunctionTest {
    static {
        // Whichever test is the first one: the library is looked for once.
        Natives.use();
    }

    @Test
    void onProcessors() {
        try (Compute compute = new CpuCompute()) {
            check(compute, 0, 1, 7, 64, 1001);
        }
    }

    @Test
    void asKernelsOnProcessors() {
        try (Compute compute = new GpuCompute(new ExecutorQueue())) {
            check(compute, 0, 3, 65);
        }
    }

    @Test
    @Tag("gpu")
    void onGpus() {
        assumeTrue(Cuda.problem() == null, () -> "no GPU: " + Cuda.problem());
        try (Compute compute = new GpuCompute(Device.of(0))) {
            check(compute, 0, 1, 7, 64, 100_001);
        }
    }

    private static Buffer put(Compute compute, DataType type, int n, DoubleUnaryOperator element) {
        HostArray array = HostArray.allocate(type, n);
        for (int i = 0; i < n; i++) {
            array.setDouble(i, element.applyAsDouble(i));
        }
        Buffer there = compute.allocate(type, n).buffer();
        there.copyFrom(array);
        return there;
    }

    private static void is(Buffer found, DoubleUnaryOperator element) {
        HostArray array = found.toHost();
        double tolerance = found.type() == DataType.FLOAT64 ? 1e-14 : 1e-5;
        for (int i = 0; i < array.count(); i++) {
            double expected = element.applyAsDouble(i);
            assertThat(array.getDouble(i)).isEqualTo(expected, within(tolerance * (1 + Math.abs(expected))));
        }
    }

    private static void check(Compute compute, int... lengths) {
        float factor = 2.5f;
        long added = 3;
        ElementFunction.Of1 one = x -> x > 0 ? Math.sqrt(x) : -x;
        ElementFunction.Of2 two = (x, y) -> factor * x * y + added;
        ElementFunction.Of3 three = (x, y, z) -> Math.max(x, y) - z;
        for (DataType type : new DataType[] {DataType.FLOAT32, DataType.FLOAT64}) {
            for (int n : lengths) {
                Buffer x = put(compute, type, n, i -> i - 5);
                Buffer y = put(compute, type, n, i -> 1 / (1 + i));
                Buffer z = put(compute, type, n, i -> i % 3);
                Buffer result = put(compute, type, n, i -> Double.NaN);
                compute.map(one, result, x);
                is(result, i -> one.of(i - 5));
                compute.map(two, result, x, y);
                is(result, i -> 2.5 * (i - 5) / (1 + i) + 3);
                compute.map(three, z, x, y, z);
                is(z, i -> Math.max(i - 5, 1 / (1 + i)) - i % 3);
            }
        }
        Buffer real = put(compute, DataType.FLOAT64, 4, i -> 0);
        Buffer complex = compute.allocate(DataType.COMPLEX64, 4).buffer();
        assertThatThrownBy(() -> compute.map(two, real, real)).hasMessageContaining("2 numbers, given 1");
        assertThatThrownBy(() -> compute.map(one, complex, complex)).hasMessageContaining("is complex");
        assertThatThrownBy(() -> compute.map(one, real, put(compute, DataType.FLOAT64, 5, i -> 0)))
                .hasMessageContaining("5");
    }
}
