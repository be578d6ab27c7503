// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.operator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.comm4j.array.Backend;
import org.comm4j.array.DistributedArray;
import org.comm4j.array.Layout;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.operator.signal.FFTND;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Transforms whose slabs travel while others are transformed are those that travel as a whole. */
class SlabTest {
    private static FFTND transform(Backend backend, Layout layout, DataType type, int slabs, int... axes) {
        FFTND.Builder builder = FFTND.of(backend, layout, axes).dtype(type).slabs(slabs);
        return (type.isComplex() ? builder : builder.real()).build();
    }

    private static double[] numbers(DistributedArray array) {
        HostArray whole = array.toHost();
        double[] all = new double[2 * (int) whole.count()];
        for (int i = 0; i < whole.count(); i++) {
            all[2 * i] = whole.type().isComplex() ? whole.getReal(i) : whole.getDouble(i);
            all[2 * i + 1] = whole.type().isComplex() ? whole.getImaginary(i) : 0;
        }
        return all;
    }

    /** More slabs than rows, ranks without rows, real and complex elements. */
    static void all(Backend backend) {
        int ranks = backend.size();
        long[] uneven = new long[ranks];
        uneven[0] = 7 - (ranks - 1) / 2;
        for (int r = 1; r < ranks; r += 2) {
            uneven[r] = r == 1 ? 7 - uneven[0] : 0;
        }
        uneven[0] = ranks == 1 ? 7 : uneven[0];
        for (DataType type : new DataType[] {DataType.FLOAT32, DataType.FLOAT64, DataType.COMPLEX128}) {
            for (Layout layout : new Layout[] {
                backend.scattered(0, 7, 6, 5), Layout.scattered(uneven, 0, 7, 6, 5), backend.scattered(0, 9, 4)
            }) {
                int[] axes = layout.ndim() == 3 ? new int[] {0, 1, 2} : new int[] {0, 1};
                LinearOperator whole = transform(backend, layout, type, 1, axes);
                for (int slabs : new int[] {2, 3, 8}) {
                    LinearOperator each = transform(backend, layout, type, slabs, axes);
                    assertThat(each.range()).isEqualTo(whole.range());
                    DistributedArray x = backend.random(layout, type, 5);
                    for (int again = 0; again < 2; again++) {
                        DistributedArray y = (DistributedArray) each.times(x);
                        assertThat(numbers(y)).containsExactly(numbers((DistributedArray) whole.times(x)));
                        DistributedArray back = (DistributedArray) each.H().times(y);
                        assertThat(numbers(back)).containsExactly(numbers((DistributedArray)
                                whole.H().times(y)));
                        assertThat(back.minus(x).norm()).isLessThan(1e-5 * x.norm());
                    }
                }
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 5})
    void slabsAreTheWhole(int ranks) {
        Ranks.run(ranks, SlabTest::all);
    }

    @ParameterizedTest
    @ValueSource(ints = 1)
    void noSlabs(int ranks) {
        Ranks.run(
                ranks,
                backend -> assertThatThrownBy(() -> FFTND.of(backend, backend.scattered(0, 2, 2), 0, 1)
                                .slabs(0))
                        .hasMessageContaining("0 slabs"));
    }
}
