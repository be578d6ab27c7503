// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.array;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Shapes, slices, elements and lines of the whole array, in every layout, against plain loops over it. */
class WholeArrayTest {
    /** Every way to have an array of 4 × 3 × 5 elements, also with empty parts. */
    static List<Layout> layouts(Backend backend) {
        int ranks = backend.size();
        List<Layout> layouts = new ArrayList<>(List.of(backend.replicated(4, 3, 5)));
        for (int axis = 0; axis < 3; axis++) {
            layouts.add(backend.scattered(axis, 4, 3, 5));
            long[] sizes = new long[ranks];
            sizes[ranks - 1] = layouts.getLast().length(axis);
            layouts.add(Layout.scattered(sizes, axis, 4, 3, 5));
        }
        if (ranks == 4) {
            layouts.add(backend.blocks(new int[] {2, 1, 2}, 4, 3, 5));
            layouts.add(Layout.blocks(new long[][] {{4}, {0, 3}, {1, 4}}, 4, 3, 5));
            layouts.add(backend.grouped(Layout.scattered(2, 1, 4, 3, 5), 1, 0, 0, 1));
            layouts.add(backend.grouped(Layout.blocks(new int[] {1, 1, 1}, 4, 3, 5), 0, 1, 2, 3));
        }
        return layouts;
    }

    private static double[] numbers() {
        double[] numbers = new double[60];
        for (int i = 0; i < 60; i++) {
            numbers[i] = i - 20;
        }
        return numbers;
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4})
    void shapesAndSlices(int ranks) {
        ArrayTest.ranks(ranks, backend -> {
            for (Layout layout : layouts(backend)) {
                DistributedArray x = backend.of(layout, numbers());
                assertThat(x.toHost().toDoubleArray()).as("%s", layout).containsExactly(numbers());
                for (long[] shape : new long[][] {{60}, {2, 30}, {1, 60}, {15, 2, 2}}) {
                    DistributedArray y = x.reshape(shape);
                    assertThat(y.layout().shape()).containsExactly(shape);
                    assertThat(y.toHost().toDoubleArray()).containsExactly(numbers());
                }
                assertThat(x.ravel().layout().ndim()).isEqualTo(1);
                assertThatThrownBy(() -> x.reshape(7)).hasMessageContaining("60 elements");
                for (int axis = 0; axis < 3; axis++) {
                    DistributedArray y = x.slice(axis - 3, 1, 3);
                    double[] expected = new double[60 / (int) layout.length(axis) * 2];
                    int at = 0;
                    for (int i = 0; i < 60; i++) {
                        int[] index = {i / 15, i / 5 % 3, i % 5};
                        if (index[axis] >= 1 && index[axis] < 3) {
                            expected[at++] = i - 20;
                        }
                    }
                    assertThat(y.toHost().toDoubleArray())
                            .as("%s, axis %d", layout, axis)
                            .containsExactly(expected);
                }
                assertThatThrownBy(() -> x.slice(0, 3, 5)).isInstanceOf(IndexOutOfBoundsException.class);
                assertThat(x.get(2, 1, 4).real()).isEqualTo(2 * 15 + 5 + 4 - 20);
                assertThat(x.get(0, 0, 0).real()).isEqualTo(-20);
                assertThatThrownBy(() -> x.get(0, 3, 0)).isInstanceOf(IndexOutOfBoundsException.class);
                assertThatThrownBy(() -> x.get(0, 0)).isInstanceOf(IndexOutOfBoundsException.class);
            }
        });
    }

    /** An array that shares the memory has the same elements on every rank, or there is none. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void sharedMemoryKeepsTheElements(int ranks) {
        ArrayTest.ranks(ranks, backend -> {
            DistributedArray x = backend.of(backend.scattered(1, 4, 6), new double[24]);
            if (ranks > 1) {
                // As many elements on each rank, but others.
                assertThatThrownBy(() -> x.reshape(backend.scattered(0, 4, 6)))
                        .hasMessageContaining("not the same elements");
            }
            DistributedArray y = x.reshape(backend.scattered(1, 4, 2, 3));
            y.part().fill(7);
            assertThat(x.toHost().toDoubleArray()).containsOnly(7);
        });
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4})
    void normsAlongAnAxis(int ranks) {
        ArrayTest.ranks(ranks, backend -> {
            for (Layout layout : layouts(backend)) {
                DistributedArray x = backend.of(layout, numbers());
                for (int axis = 0; axis < 3; axis++) {
                    int inner = axis == 0 ? 15 : axis == 1 ? 5 : 1;
                    int length = (int) layout.length(axis);
                    for (double order : new double[] {0, 1, 2, 3, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY}) {
                        DistributedArray norms = x.norm(order, axis);
                        assertThat(norms.layout().ndim()).isEqualTo(2);
                        assertThat(norms.layout().partition()).isEqualTo(Partition.REPLICATED);
                        double[] found = norms.toHost().toDoubleArray();
                        assertThat(found).hasSize(60 / length);
                        for (int line = 0; line < found.length; line++) {
                            double sum = 0;
                            double largest = 0;
                            double smallest = 1e9;
                            for (int k = 0; k < length; k++) {
                                double value = Math.abs(line / inner * inner * length + line % inner + k * inner - 20);
                                sum += order == 0 ? value == 0 ? 0 : 1 : Math.pow(value, order);
                                largest = Math.max(largest, value);
                                smallest = Math.min(smallest, value);
                            }
                            double expected = order == 0
                                    ? sum
                                    : order == Double.POSITIVE_INFINITY
                                            ? largest
                                            : order < 0 ? smallest : Math.pow(sum, 1 / order);
                            assertThat(found[line])
                                    .as("order %s along axis %d of %s", order, axis, layout)
                                    .isEqualTo(expected, within(1e-12 * expected));
                        }
                    }
                }
            }
            DistributedArray huge = backend.full(backend.scattered(0, 4, 2), DataType.COMPLEX128, 1e300);
            assertThat(huge.norm(2, 0).toHost().getDouble(1)).isEqualTo(2e300, within(1e286));
        });
    }

    /** The norm of an array whose parts are empty on some ranks; nobody's neutral number may win. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 4})
    void normsWithEmptyParts(int ranks) {
        ArrayTest.ranks(ranks, backend -> {
            long[] sizes = new long[ranks];
            sizes[0] = 2;
            DistributedArray x = backend.of(Layout.scattered(sizes, 0, 2), -3, 2);
            assertThat(x.norm(Double.POSITIVE_INFINITY)).isEqualTo(3);
            assertThat(x.norm(Double.NEGATIVE_INFINITY)).isEqualTo(2);
            assertThat(x.norm()).isEqualTo(Math.sqrt(13), within(1e-15));
            assertThat(x.norm(0)).isEqualTo(2);
        });
    }

    /** Each group has the whole array: its dots add up the group's parts only, and are the same in all. */
    @ParameterizedTest
    @ValueSource(ints = {2, 4, 6})
    void groupsReduceWithinThemselves(int ranks) {
        ArrayTest.ranks(ranks, backend -> {
            int[] groups = new int[ranks];
            for (int r = 0; r < ranks; r++) {
                groups[r] = r % 2;
            }
            Layout whole = backend.scattered(0, 7, 3);
            Layout mine = backend.grouped(Layout.scattered(ranks / 2, 0, 7, 3), groups);
            DistributedArray x = backend.random(whole, DataType.COMPLEX128, 1);
            DistributedArray y = backend.random(whole, DataType.COMPLEX128, 2);
            DistributedArray u = backend.random(mine, DataType.COMPLEX128, 1);
            DistributedArray v = backend.random(mine, DataType.COMPLEX128, 2);
            assertThat(u.vdot(v).real()).isEqualTo(x.vdot(y).real(), within(1e-13));
            assertThat(u.vdot(v).imaginary()).isEqualTo(x.vdot(y).imaginary(), within(1e-13));
            for (double order : new double[] {0, 1, 2, Double.POSITIVE_INFINITY}) {
                assertThat(u.norm(order)).isEqualTo(x.norm(order), within(1e-13));
            }
            HostArray all = u.toHost();
            assertThat(all.segment().mismatch(x.toHost().segment())).isEqualTo(-1);
            // A stack of both kinds adds up what each has.
            StackedArray both = StackedArray.of(u, x);
            assertThat(both.norm()).isEqualTo(Math.sqrt(2) * x.norm(), within(1e-13));
            assertThat(both.vdot(both).real()).isEqualTo(2 * x.vdot(x).real(), within(1e-12));
            // Copies of one group can differ from those of another one.
            u.scale(org.comm4j.math.Coefficient.of(1 + backend.rank() % 2));
            assertThat(u.norm()).isEqualTo((1 + backend.rank() % 2) * x.norm(), within(1e-13));
            Layout unknown = Layout.scattered(1, 0, 3)
                    .grouped(java.util.stream.IntStream.range(5, 5 + ranks).toArray());
            assertThatThrownBy(() -> backend.zeros(unknown, DataType.FLOAT64).norm())
                    .hasMessageContaining("Backend.grouped");
        });
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void partsThatOnlyTheirRankKnows(int ranks) {
        ArrayTest.ranks(ranks, backend -> {
            Layout layout = Layout.agreed(backend, -1, 2, 3 * backend.rank());
            long[] sizes = new long[ranks];
            long length = 0;
            for (int r = 0; r < ranks; r++) {
                sizes[r] = 3L * r;
                length += sizes[r];
            }
            assertThat(layout).isEqualTo(Layout.scattered(sizes, 1, 2, length));
            if (ranks > 1) {
                assertThatThrownBy(() -> Layout.agreed(backend, 0, 2, backend.rank() == 2 ? 4 : 3))
                        .hasMessageContaining("rank 2: its part [2, 4]");
                assertThatThrownBy(() -> Layout.agreed(backend, 0, new long[backend.rank() == 1 ? 1 : 2]))
                        .hasMessageContaining("rank 1");
            }
        });
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void functionsOfElements(int ranks) {
        ArrayTest.ranks(ranks, backend -> {
            Layout layout = backend.scattered(0, 10);
            DistributedArray x = backend.random(layout, DataType.FLOAT64, 1);
            DistributedArray y = backend.random(layout, DataType.FLOAT64, 2);
            Vector z = Elementwise.of((a, b) -> a * b + 1).apply(x, y);
            assertThat(z.minus(x.like().multiply(x, y))
                            .minus(backend.full(layout, DataType.FLOAT64, 1))
                            .norm())
                    .isLessThan(1e-15);
            Elementwise.of(a -> a * a).into(x, x);
            assertThat(x.minus(x).norm()).isZero();
            assertThat(x.norm(Double.POSITIVE_INFINITY)).isLessThan(1);
            assertThatThrownBy(() -> Elementwise.of((a, b) -> a).apply(x)).hasMessageContaining("2 numbers, given 1");
            assertThatThrownBy(() -> Elementwise.of((a, b) -> a).apply(x, backend.zeros(layout, DataType.FLOAT32)))
                    .hasMessageContaining("types");
            assertThatThrownBy(() -> Elementwise.of(a -> a).apply(x.like(DataType.COMPLEX128)))
                    .hasMessageContaining("complex");
        });
    }
}
