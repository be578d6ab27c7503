// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.math;

import org.comm4j.core.Buffer;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;

/**
 * Double-precision complex numbers beside the vectors that they are computed from: results of reductions and factors of
 * vector operations. Their memory is one buffer, so that one reduction over the ranks serves all of them.
 */
public final class Scalars {
    /** The host's way to the numbers. */
    interface Access {
        /** Returns a part of a number, when what computes it is done. */
        double get(int part);

        /** Sets a number in the order of what is computed. */
        void set(int index, double real, double imaginary);
    }

    private final Buffer buffer;
    private final Access access;
    private final Scalar[] all;

    Scalars(Buffer buffer, Access access) {
        this.buffer = buffer;
        this.access = access;
        all = new Scalar[(int) (buffer.count() / 2)];
        for (int i = 0; i < all.length; i++) {
            all[i] = new Scalar(this, i);
        }
    }

    /** Returns scalars in host memory. */
    static Scalars onHost(int count) {
        HostArray numbers = HostArray.allocate(DataType.FLOAT64, 2L * count);
        return new Scalars(numbers, new Access() {
            @Override
            public double get(int part) {
                return numbers.getDouble(part);
            }

            @Override
            public void set(int index, double real, double imaginary) {
                numbers.setDouble(2L * index, real);
                numbers.setDouble(2L * index + 1, imaginary);
            }
        });
    }

    /** Returns the number of scalars. */
    public int count() {
        return all.length;
    }

    /**
     * Returns the scalar at {@code index}; always the same object.
     *
     * @throws IndexOutOfBoundsException if there is none
     */
    public Scalar get(int index) {
        if (index < 0 || index >= all.length) {
            throw new IndexOutOfBoundsException("there are " + all.length + " scalars, none at " + index);
        }
        return all[index];
    }

    /** Returns the memory of all scalars: {@code FLOAT64}, real and imaginary parts in turn. */
    public Buffer buffer() {
        return buffer;
    }

    double part(int at) {
        return access.get(at);
    }

    void set(int index, double real, double imaginary) {
        access.set(index, real, imaginary);
    }
}
