// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.math;

import org.comm4j.core.Buffer;

/** One number of {@link Scalars}: the result of a reduction, and a factor of the vector operations that follow. */
public final class Scalar implements Coefficient {
    private final Scalars scalars;
    private final int index;

    Scalar(Scalars scalars, int index) {
        this.scalars = scalars;
        this.index = index;
    }

    @Override
    public double real() {
        return scalars.part(2 * index);
    }

    @Override
    public double imaginary() {
        return scalars.part(2 * index + 1);
    }

    /** Sets the number to a real value. */
    public void set(double value) {
        set(value, 0);
    }

    /** Sets the number to a complex value. */
    public void set(double real, double imaginary) {
        scalars.set(index, real, imaginary);
    }

    /** Returns the memory of the number: two {@code FLOAT64}, the real part first. */
    public Buffer buffer() {
        return scalars.buffer().slice(2L * index, 2);
    }

    @Override
    public String toString() {
        return "Scalar[" + index + "]";
    }
}
