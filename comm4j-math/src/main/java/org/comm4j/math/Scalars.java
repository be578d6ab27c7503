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
    private final Buffer buffer;
    /** The memory itself on the host; of a GPU a number on its way. */
    private final HostArray host;

    private final boolean onHost;

    private final Scalar[] all;

    Scalars(Buffer buffer) {
        this.buffer = buffer;
        onHost = buffer instanceof HostArray;
        host = buffer instanceof HostArray array ? array : HostArray.allocate(DataType.FLOAT64, 1);
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
        if (onHost) {
            return host.getDouble(at);
        }
        buffer.slice(at, 1).copyTo(host);
        return host.getDouble(0);
    }

    void set(int at, double value) {
        if (onHost) {
            host.setDouble(at, value);
        } else {
            host.setDouble(0, value);
            buffer.slice(at, 1).copyFrom(host);
        }
    }
}
