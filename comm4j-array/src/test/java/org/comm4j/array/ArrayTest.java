// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.array;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.function.Consumer;
import org.comm4j.core.Communicator;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.core.World;
import org.comm4j.math.Coefficient;
import org.comm4j.math.Complex;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Arrays on 1 to 5 ranks that are threads, against plain loops over the whole array. */
class ArrayTest {
    static void ranks(int ranks, Consumer<Backend> body) {
        World.threads(ranks, world -> {
            try (Communicator comm = world.communicator();
                    Backend backend = Backend.of(comm)) {
                body.accept(backend);
            }
        });
    }

    private static double[] whole(DistributedArray array) {
        HostArray all = array.toHost();
        return all.toDoubleArray();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 5})
    void randomArraysAreTheSameForAnySplit(int ranks) {
        ranks(ranks, backend -> {
            double[] expected = whole(backend.random(backend.replicated(4, 3, 5), DataType.FLOAT64, 11));
            for (int axis = 0; axis < 3; axis++) {
                assertThat(whole(backend.random(backend.scattered(axis, 4, 3, 5), DataType.FLOAT64, 11)))
                        .containsExactly(expected);
            }
        });
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 5})
    void dotsAndNorms(int ranks) {
        ranks(ranks, backend -> {
            for (Layout layout : new Layout[] {
                backend.replicated(3, 7),
                backend.scattered(0, 3, 7),
                backend.scattered(1, 3, 7),
                backend.scattered(0, 1)
            }) {
                for (DataType type : new DataType[] {DataType.FLOAT64, DataType.COMPLEX128, DataType.COMPLEX64}) {
                    DistributedArray x = backend.random(layout, type, 1);
                    DistributedArray y = backend.random(layout, type, 2);
                    HostArray a = x.toHost();
                    HostArray b = y.toHost();
                    double re = 0;
                    double im = 0;
                    double squares = 0;
                    double largest = 0;
                    double moduli = 0;
                    for (long i = 0; i < a.count(); i++) {
                        double ar = type.isComplex() ? a.getReal(i) : a.getDouble(i);
                        double ai = type.isComplex() ? a.getImaginary(i) : 0;
                        double br = type.isComplex() ? b.getReal(i) : b.getDouble(i);
                        double bi = type.isComplex() ? b.getImaginary(i) : 0;
                        re += ar * br + ai * bi;
                        im += ar * bi - ai * br;
                        squares += ar * ar + ai * ai;
                        largest = Math.max(largest, Math.hypot(ar, ai));
                        moduli += Math.hypot(ar, ai);
                    }
                    Complex dot = x.vdot(y);
                    assertThat(dot.real()).isEqualTo(re, within(1e-12));
                    assertThat(dot.imaginary()).isEqualTo(im, within(1e-12));
                    assertThat(x.norm()).isEqualTo(Math.sqrt(squares), within(1e-12));
                    assertThat(x.norm(1)).isEqualTo(moduli, within(1e-12));
                    assertThat(x.norm(Double.POSITIVE_INFINITY)).isEqualTo(largest, within(1e-15 * largest));
                    assertThat(x.norm(0)).isEqualTo((double) a.count());
                }
            }
        });
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void normsOfHugeAndTinyNumbers(int ranks) {
        ranks(ranks, backend -> {
            Layout layout = backend.scattered(0, 4);
            assertThat(backend.full(layout, DataType.FLOAT64, 1e300).norm()).isEqualTo(2e300, within(1e286));
            assertThat(backend.full(layout, DataType.FLOAT64, 1e-300).norm()).isEqualTo(2e-300, within(1e-314));
            assertThat(backend.zeros(layout, DataType.FLOAT64).norm()).isZero();
            assertThat(backend.full(layout, DataType.FLOAT64, Double.NaN).norm())
                    .isNaN();
            assertThat(backend.full(layout, DataType.FLOAT64, Double.NEGATIVE_INFINITY)
                            .norm())
                    .isEqualTo(Double.POSITIVE_INFINITY);
        });
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 4})
    void algebra(int ranks) {
        ranks(ranks, backend -> {
            Layout layout = backend.scattered(0, 10);
            DistributedArray x = backend.random(layout, DataType.FLOAT64, 1);
            DistributedArray z = backend.random(layout, DataType.COMPLEX128, 2);
            Vector sum = x.plus(z);
            assertThat(sum.type()).isEqualTo(DataType.COMPLEX128);
            Vector difference = sum.minus(z);
            assertThat(difference.minus(x).norm()).isLessThan(1e-15);
            assertThat(x.times(3).axpy(-3, x).norm()).isZero();
            StackedArray stack = StackedArray.of(x.times(1), backend.full(backend.replicated(3), DataType.FLOAT64, 2));
            assertThat(stack.norm()).isEqualTo(Math.sqrt(x.norm() * x.norm() + 12), within(1e-14));
            assertThat(stack.like().assign(stack).scale(Coefficient.of(2)).norm())
                    .isEqualTo(2 * stack.norm(), within(1e-14));
            assertThatThrownBy(() -> x.axpy(1, z)).hasMessageContaining("different element types");
            assertThatThrownBy(() -> x.axpy(1, backend.zeros(backend.scattered(0, 9), DataType.FLOAT64)))
                    .hasMessageContaining("different layouts");
        });
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void closedArraysAreRefused(int ranks) {
        ranks(ranks, backend -> {
            DistributedArray x = backend.zeros(backend.scattered(0, 10), DataType.FLOAT64);
            x.close();
            x.close();
            assertThatThrownBy(() -> x.fill(Coefficient.ONE)).isInstanceOf(IllegalStateException.class);
            backend.close();
            assertThatThrownBy(() -> backend.zeros(backend.scattered(0, 10), DataType.FLOAT64))
                    .hasMessageContaining("closed");
        });
    }
}
