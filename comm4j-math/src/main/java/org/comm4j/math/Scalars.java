// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.math;

import org.comm4j.core.Buffer;
import org.comm4j.core.HostArray;

/**
 * Double-precision complex numbers beside the vectors that they are computed from: results of reductions and factors of
 * vector operations. Their memory is one buffer, so that one reduction over the ranks serves all of them.
 */
public final class Scalars {
    private final HostArray buffer;
    private final Scalar[] all;

    Scalars(HostArray buffer) {
        this.buffer = buffer;
        all = new Scalar[(int) (buffer.count() / 2)];
        for (int i = 0; i < all.length; i++) {
            all[i] = new Scalar(this, i);
        }
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
        return buffer.getDouble(at);
    }

    void set(int at, double value) {
        buffer.setDouble(at, value);
    }
}
