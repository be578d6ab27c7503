// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.math;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** The generator against the known answers of Random123's kat_vectors, and its distribution. */
class PhiloxTest {
    @Test
    void knownAnswerOfZeros() {
        // philox4x32 10, counter and key 0: 6627e8d5 e169c58d bc57ac4c 9b00dbd8
        assertThat(Philox.bits(0, 0, false)).isEqualTo(0xe169c58d_6627e8d5L);
        assertThat(Philox.bits(0, 0, true)).isEqualTo(0x9b00dbd8_bc57ac4cL);
    }

    @Test
    void numbersAreUniform() {
        int n = 100_000;
        double sum = 0;
        double squares = 0;
        for (int i = 0; i < n; i++) {
            double value = Philox.uniform(42, i, false);
            assertThat(value).isGreaterThanOrEqualTo(0).isLessThan(1);
            sum += value;
            squares += value * value;
        }
        assertThat(sum / n).isBetween(0.495, 0.505);
        assertThat(squares / n).isBetween(0.328, 0.339);
    }
}
