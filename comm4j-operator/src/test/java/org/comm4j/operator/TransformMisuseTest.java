// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.operator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.comm4j.array.Backend;
import org.comm4j.array.DistributedArray;
import org.comm4j.array.Layout;
import org.comm4j.core.DataType;
import org.comm4j.operator.signal.ConvolveND;
import org.comm4j.operator.signal.FFT;
import org.comm4j.operator.signal.FFTND;
import org.comm4j.operator.signal.Fredholm1;
import org.comm4j.operator.signal.MDC;
import org.comm4j.operator.signal.Shift;
import org.junit.jupiter.api.Test;

/** Wrong transforms and convolutions, and memory that is full, are named with the remedy. */
class TransformMisuseTest {
    private static final DataType TYPE = DataType.FLOAT64;

    private static void refused(ThrowingCallable call, String... words) {
        assertThatThrownBy(call).isInstanceOf(IllegalArgumentException.class).hasMessageContainingAll(words);
    }

    @Test
    void transforms() {
        Ranks.run(2, backend -> {
            Layout plane = backend.scattered(0, 6, 8);
            refused(() -> FFTND.of(backend, plane, 1, -1), "axis -1", "named twice");
            refused(() -> FFTND.of(backend, plane), "no axes");
            assertThatThrownBy(() -> FFT.of(backend, plane, 2)).hasMessageContaining("axis 2");
            refused(() -> FFT.of(backend, plane, 1).pad(0), "length 0 along axis 1");
            refused(() -> FFT.of(backend, plane, 1).pad(7), "length 7 along axis 1", "below the axis's 8", "lengths");
            assertThat(FFT.of(backend, plane, 1).lengths(7).build().range().shape())
                    .containsExactly(6, 7);
            refused(() -> FFT.of(backend, plane, 1).pad(8, 9), "2 lengths for 1 axes");
            FFTND fft = FFT.of(backend, plane, 1).real().build();
            DistributedArray complex = backend.zeros(plane, DataType.COMPLEX128);
            refused(() -> fft.times(complex), "FLOAT64", "COMPLEX128");
            // A spectrum of another length has other bins that stand for two.
            DistributedArray spectrum = backend.zeros(backend.scattered(0, 6, 8), DataType.COMPLEX128);
            refused(() -> fft.inverse().times(spectrum), "5", "8");
            refused(() -> Shift.of(backend, plane, TYPE, 1, Double.NaN, 1, 8), "not a number");
            refused(() -> Shift.of(backend, plane, TYPE, 1, 0.5, 0, 8), "sampling 0.0");
        });
    }

    @Test
    void convolutions() {
        Ranks.run(2, backend -> {
            Layout line = backend.scattered(0, 12);
            double[] even = {1, 2, 3, 4};
            double[] odd = {1, 2, 3};
            refused(
                    () -> NonStationaryConvolve1D.of(backend, line, TYPE, 0, new double[][] {even, even}, 2, 8),
                    "same odd number");
            refused(
                    () -> NonStationaryConvolve1D.of(backend, line, TYPE, 0, new double[][] {odd, odd, odd}, 1, 4, 9),
                    "equal distances");
            refused(
                    () -> NonStationaryConvolve1D.of(backend, line, TYPE, 0, new double[][] {odd}, 1, 4),
                    "1 filters for 2 places");
            refused(() -> Convolve1D.of(backend, line, TYPE, 0, odd, 3), "offset 3");
            refused(
                    () -> ConvolveND.of(backend, line, TYPE, odd, new int[] {4}, new int[] {0}, 0),
                    "filter of 3 samples",
                    "[4]");
            refused(() -> Interp.of(backend, line, TYPE, 0, Interp.Kind.LINEAR, 11.5), "place 11.5", "0 to 11");
        });
    }

    @Test
    void kernelsOfDeconvolution() {
        Ranks.run(2, backend -> {
            DistributedArray kernel = backend.zeros(backend.scattered(0, 5, 3, 2), DataType.COMPLEX64);
            refused(() -> MDC.of(kernel, 7, 1), "5 frequencies", "7 samples have 4");
            refused(() -> MDC.of(kernel, 8, 1).twoSided(), "8 samples", "odd number");
            DistributedArray real = backend.zeros(backend.scattered(0, 5, 3, 2), DataType.FLOAT32);
            refused(() -> MDC.of(real, 9, 1), "complex elements");
            DistributedArray across = backend.zeros(backend.scattered(1, 5, 3, 2), TYPE);
            refused(() -> Fredholm1.of(across, 1), "divided along axis 0");
        });
    }

    /** The message says what each array takes. */
    @Test
    void fullMemory() {
        Ranks.run(1, TransformMisuseTest::fill);
    }

    private static void fill(Backend backend) {
        DistributedArray there = backend.zeros(backend.local(300), TYPE);
        assertThatThrownBy(() -> backend.zeros(backend.local(1L << 46), TYPE))
                .isInstanceOf(OutOfMemoryError.class)
                .hasMessageContainingAll(
                        "rank 0 has no memory",
                        (1L << 49) + " bytes here",
                        "1 open arrays take 2400",
                        there.toString());
    }
}
