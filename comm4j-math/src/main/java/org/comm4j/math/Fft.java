// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.math;

import org.comm4j.core.Buffer;

/**
 * A discrete Fourier transform along the middle of three axes, outer × length × inner, planned once for many calls.
 * Neither direction is scaled: the inverse of the transform is {@link #length} times the numbers.
 *
 * <p>Made for a complex type, it transforms complex numbers. Made for a real type, it transforms real numbers into the
 * ⌊n / 2⌋ + 1 complex numbers up to the Nyquist frequency, and back; of the first one, and for an even length the last
 * one, the inverse reads only the real part. It computes in double precision on a processor, whatever the type.
 */
public interface Fft extends AutoCloseable {
    /** Returns the number of elements that are transformed together. */
    int length();

    /**
     * Computes y[k] = Σⱼ x[j] e^(−2πi j k / n) for each line, in the order of its {@link Compute}.
     *
     * @param x outer × n × inner elements of the type
     * @param y outer × n × inner complex elements, or ⌊n / 2⌋ + 1 of them if the type is real; complex numbers may be
     *     transformed in place
     * @throws IllegalArgumentException if a buffer has another type or size, or they overlap in part
     */
    void forward(Buffer x, Buffer y);

    /**
     * Computes y[j] = Σₖ x[k] e^(2πi j k / n) for each line, in the order of its {@link Compute}.
     *
     * @param x the shape of the result of {@link #forward}; kept
     * @param y outer × n × inner elements of the type
     * @throws IllegalArgumentException if a buffer has another type or size, or they overlap in part
     */
    void inverse(Buffer x, Buffer y);

    /** Returns a length of at least {@code least} without prime factors above 5 (SciPy {@code next_fast_len}). */
    static int fastLength(int least) {
        return BluesteinFft.smooth(Math.max(1, least));
    }

    /** Gives back its work memory, when what was started is done; closing twice is fine. */
    @Override
    void close();
}
