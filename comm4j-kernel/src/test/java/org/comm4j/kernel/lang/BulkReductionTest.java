// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.lang;

import static org.assertj.core.api.Assertions.assertThat;

import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Reductions of the copy engine beside atomic operations of kernels on the same elements. */
class BulkReductionTest {
    private static final int TIMES = 200_000;

    @ParameterizedTest
    @EnumSource(
            value = DataType.class,
            names = {"INT32", "UINT32", "INT64", "UINT64", "FLOAT32", "FLOAT64"})
    void nothingThatIsAddedIsLost(DataType type) throws InterruptedException {
        HostArray sum = HostArray.allocate(type, 2);
        HostArray ones = HostArray.allocate(type, 2);
        ones.fill(1);
        I8Ptr to = Ptr.of(sum).asI8();
        I8Ptr from = Ptr.of(ones).asI8();
        Thread engine = new Thread(() -> {
            for (int i = 0; i < TIMES; i++) {
                BulkReduction.ADD.apply(type, to, from, 2);
            }
        });
        engine.start();
        for (int i = 0; i < TIMES; i++) {
            switch (type) {
                case FLOAT32 -> to.asF32().atomicAdd(0, 1);
                case FLOAT64 -> to.asF64().atomicAdd(0, 1);
                case INT32, UINT32 -> to.asI32().atomicAdd(0, 1);
                default -> to.asI64().atomicAdd(0, 1);
            }
        }
        engine.join();
        assertThat(number(sum, 0)).isEqualTo(2 * TIMES);
        assertThat(number(sum, 1)).isEqualTo(TIMES);
    }

    private static double number(HostArray array, long i) {
        return switch (array.type()) {
            case FLOAT32, FLOAT64 -> array.getDouble(i);
            case INT32, UINT32 -> array.getInt(i);
            default -> array.getLong(i);
        };
    }
}
