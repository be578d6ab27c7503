// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.EnumSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class DataTypeTest {
    @ParameterizedTest
    @CsvSource({
        "INT8, 1, 1",
        "INT16, 2, 2",
        "INT32, 4, 4",
        "INT64, 8, 8",
        "UINT8, 1, 1",
        "UINT16, 2, 2",
        "UINT32, 4, 4",
        "UINT64, 8, 8",
        "FLOAT16, 2, 2",
        "BFLOAT16, 2, 2",
        "FLOAT8_E4M3, 1, 1",
        "FLOAT8_E5M2, 1, 1",
        "FLOAT32, 4, 4",
        "FLOAT64, 8, 8",
        "COMPLEX64, 8, 4",
        "COMPLEX128, 16, 8"
    })
    void sizesAndAlignments(DataType type, int bytes, int alignment) {
        assertThat(type.bytes()).isEqualTo(bytes);
        assertThat(type.alignment()).isEqualTo(alignment);
    }

    @ParameterizedTest
    @EnumSource(DataType.class)
    void everyTypeIsOfOneKind(DataType type) {
        boolean[] kinds = {type.isInteger(), type.isFloat(), type.isComplex()};
        assertThat(kinds).containsOnlyOnce(true);
        assertThat(type.isInteger()).isEqualTo(type.name().contains("INT"));
        assertThat(type.isUnsigned()).isEqualTo(type.name().startsWith("UINT"));
        assertThat(type.isFloat()).isEqualTo(type.name().contains("FLOAT"));
        assertThat(type.isComplex()).isEqualTo(type.name().startsWith("COMPLEX"));
    }

    @Test
    void whichReductionsExist() {
        for (DataType type : DataType.values()) {
            EnumSet<ReduceOp> expected = EnumSet.of(ReduceOp.SUM, ReduceOp.PROD, ReduceOp.AVG);
            if (!type.isComplex()) {
                expected.addAll(EnumSet.of(ReduceOp.MIN, ReduceOp.MAX));
            }
            if (type.isInteger()) {
                expected.addAll(EnumSet.of(ReduceOp.BAND, ReduceOp.BOR, ReduceOp.BXOR));
            }
            for (ReduceOp op : ReduceOp.values()) {
                assertThat(op.supports(type)).as("%s of %s", op, type).isEqualTo(expected.contains(op));
            }
        }
    }
}
