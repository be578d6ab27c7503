// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.core.contract;

import static org.assertj.core.api.Assertions.assertThat;

import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.core.ReduceOp;
import org.junit.jupiter.api.Test;

/** The reference against results worked out by hand. */
class ReferenceTest {

    private static long integer(DataType type, ReduceOp op, long... values) {
        HostArray[] inputs = new HostArray[values.length];
        for (int r = 0; r < values.length; r++) {
            inputs[r] = HostArray.allocate(type, 1);
            inputs[r].setLong(0, values[r]);
        }
        HostArray result = HostArray.allocate(type, 1);
        Reference.reduce(op, inputs, result);
        return result.getLong(0);
    }

    private static double real(DataType type, ReduceOp op, double... values) {
        HostArray[] inputs = new HostArray[values.length];
        for (int r = 0; r < values.length; r++) {
            inputs[r] = HostArray.allocate(type, 1);
            inputs[r].setDouble(0, values[r]);
        }
        HostArray result = HostArray.allocate(type, 1);
        Reference.reduce(op, inputs, result);
        return result.getDouble(0);
    }

    @Test
    void integersWrapAndDivideTowardsZero() {
        assertThat(integer(DataType.INT8, ReduceOp.SUM, 100, 100)).isEqualTo(-56);
        assertThat(integer(DataType.UINT8, ReduceOp.SUM, 200, 100)).isEqualTo(44);
        assertThat(integer(DataType.INT8, ReduceOp.AVG, 100, 100)).isEqualTo(-28);
        assertThat(integer(DataType.UINT8, ReduceOp.AVG, 200, 100)).isEqualTo(22);
        assertThat(integer(DataType.INT32, ReduceOp.AVG, -3, -4)).isEqualTo(-3);
        assertThat(integer(DataType.UINT64, ReduceOp.AVG, -1, -1)).isEqualTo(0x7fff_ffff_ffff_ffffL);
        assertThat(integer(DataType.INT16, ReduceOp.PROD, 300, 300)).isEqualTo((short) 90_000);
    }

    @Test
    void unsignedOrderIsNotSignedOrder() {
        assertThat(integer(DataType.UINT64, ReduceOp.MAX, 1, -1)).isEqualTo(-1);
        assertThat(integer(DataType.INT64, ReduceOp.MAX, 1, -1)).isEqualTo(1);
        assertThat(integer(DataType.UINT8, ReduceOp.MIN, 1, 255)).isEqualTo(1);
        assertThat(integer(DataType.INT8, ReduceOp.MIN, 1, 255)).isEqualTo(-1);
    }

    @Test
    void bits() {
        assertThat(integer(DataType.UINT16, ReduceOp.BAND, 0b1100, 0b1010)).isEqualTo(0b1000);
        assertThat(integer(DataType.UINT16, ReduceOp.BOR, 0b1100, 0b1010)).isEqualTo(0b1110);
        assertThat(integer(DataType.UINT16, ReduceOp.BXOR, 0b1100, 0b1010)).isEqualTo(0b0110);
    }

    @Test
    void smallFloatsAreRoundedOnceAtTheEnd() {
        // 256 + 1 is 256 in bfloat16, so rounding at each step would lose both ones.
        assertThat(real(DataType.BFLOAT16, ReduceOp.SUM, 256, 1, 1)).isEqualTo(258);
        assertThat(real(DataType.FLOAT16, ReduceOp.SUM, 2048, 1, 1)).isEqualTo(2050);
        assertThat(real(DataType.FLOAT16, ReduceOp.SUM, 65504, 65504, -65504)).isEqualTo(65504);
        assertThat(real(DataType.FLOAT8_E4M3, ReduceOp.SUM, 448, 448)).isEqualTo(448);
        assertThat(real(DataType.FLOAT8_E4M3, ReduceOp.SUM, 16, 1, 1)).isEqualTo(18);
    }

    @Test
    void floatsAreCombinedInRankOrder() {
        assertThat(real(DataType.FLOAT32, ReduceOp.SUM, 0x1p24, 1, -0x1p24)).isEqualTo(0);
        assertThat(real(DataType.FLOAT32, ReduceOp.SUM, 0x1p24, -0x1p24, 1)).isEqualTo(1);
        assertThat(real(DataType.FLOAT64, ReduceOp.SUM, 0x1p24, 1, -0x1p24)).isEqualTo(1);
        assertThat(real(DataType.FLOAT32, ReduceOp.AVG, 1, 0, 0)).isEqualTo(1f / 3f);
        assertThat(real(DataType.FLOAT64, ReduceOp.MIN, 1, Double.NaN, 0)).isNaN();
        assertThat(real(DataType.FLOAT64, ReduceOp.MAX, 1, 7, 0)).isEqualTo(7);
    }

    @Test
    void complexNumbers() {
        HostArray[] inputs = {HostArray.allocate(DataType.COMPLEX64, 1), HostArray.allocate(DataType.COMPLEX64, 1)};
        inputs[0].setComplex(0, 1, 2);
        inputs[1].setComplex(0, 3, -4);
        HostArray result = HostArray.allocate(DataType.COMPLEX64, 1);
        Reference.reduce(ReduceOp.PROD, inputs, result);
        assertThat(result.getReal(0)).isEqualTo(11);
        assertThat(result.getImaginary(0)).isEqualTo(2);
        Reference.reduce(ReduceOp.AVG, inputs, result);
        assertThat(result.getReal(0)).isEqualTo(2);
        assertThat(result.getImaginary(0)).isEqualTo(-1);
    }
}
