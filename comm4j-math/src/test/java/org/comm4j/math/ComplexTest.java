// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.math;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ComplexTest {
    /** The results of {@code numpy.abs(complex(a, b))}. */
    @ParameterizedTest
    @CsvSource({
        "3, -4, 5",
        "0, -0.0, 0",
        "Infinity, NaN, Infinity",
        "NaN, -Infinity, Infinity",
        "-Infinity, 1, Infinity",
        "Infinity, -Infinity, Infinity",
        "NaN, 1, NaN",
        "1e300, NaN, NaN",
        "3e307, 4e307, 5e307",
        "3e-320, 4e-320, 5e-320",
    })
    void modulusIsNumPys(double a, double b, double modulus) {
        assertThat(new Complex(a, b).abs()).isEqualTo(Double.valueOf(modulus));
        assertThat(Complex.modulus(b, a)).isEqualTo(Double.valueOf(modulus));
    }
}
