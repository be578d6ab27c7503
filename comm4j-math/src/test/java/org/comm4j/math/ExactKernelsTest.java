// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.math;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.comm4j.math.ExactKernels.Terms;
import org.comm4j.math.ExactKernels.Trial;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which terms the kernels of exact sums add on their fast way. Results do not tell: the slow one has the same. */
class ExactKernelsTest {
    private static boolean fit(double... terms) {
        // The largest term of a block is below 1.
        double top = ExactKernels.split(-1 + ExactKernels.ROOM).top();
        Trial sums = ExactKernels.begin(top);
        for (int i = 0; i < terms.length; i += 4) {
            Terms four = new Terms(terms[i], terms[i + 1], terms[i + 2], terms[i + 3]);
            sums = ExactKernels.tried(false, sums, four, top);
        }
        return ExactKernels.fits(sums);
    }

    @Test
    void ordinaryProductsFit() {
        Random random = new Random(1);
        for (int trial = 0; trial < 1000; trial++) {
            double[] terms =
                    random.doubles(16, 0x1p-8, 1).map(x -> x * (x - 0.7)).toArray();
            assertThat(fit(terms)).as("%s", terms).isTrue();
        }
        assertThat(fit(0.0, -0.0, 1, -1)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(doubles = {0x1p12, -0x1p12, 0x1.0000000000001p-60, Double.MIN_VALUE, Double.NaN, -1 / 0.0, 1 / 0.0})
    void whatIsLargerOrHasSmallerBitsDoesNot(double term) {
        assertThat(fit(0.5, term, 0.5, -0.25)).isFalse();
    }
}
