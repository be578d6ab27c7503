// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.bench.prk;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicInteger;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@link Pieces} of arrays that are longer than one. */
class PiecesTest {
    @ParameterizedTest(name = "{0} rows of {1} in {2} pieces")
    @CsvSource({"0, 7, 0", "3, 5, 1", "9000001, 1, 3", "9001, 1000, 3", "2, 5000000, 2"})
    void areAllOfIt(int rows, int row, int pieces) {
        HostArray array = HostArray.allocate(DataType.INT32, (long) rows * row);
        AtomicInteger written = new AtomicInteger();
        Pieces.write(array, row, (values, first) -> {
            written.incrementAndGet();
            assertThat(first % row).isZero();
            assertThat(values.count() % row).isZero();
            for (long i = 0; i < values.count(); i++) {
                values.setInt(i, (int) (first + i));
            }
        });
        assertThat(written).hasValue(pieces);
        for (long i = 0; i < array.count(); i++) {
            if (array.getInt(i) != i) {
                throw new AssertionError("element " + i + " is " + array.getInt(i));
            }
        }
        double[] sums = Pieces.measure(array, row, (values, first) -> {
                    double sum = 0;
                    for (long i = 0; i < values.count(); i++) {
                        sum += values.getInt(i);
                    }
                    return sum;
                })
                .toArray();
        assertThat(sums).hasSize(pieces);
        double expected = 0;
        for (double sum : sums) {
            expected += sum;
        }
        assertThat(expected).isEqualTo(array.count() * (array.count() - 1) / 2.0);
    }
}
