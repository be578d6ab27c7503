// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.moe;

import org.comm4j.kernel.lang.F32Ptr;
import org.comm4j.kernel.lang.I8Ptr;

/** Payloads of tokens, for kernels: an argument by value. Those that there are not have 0 bytes. */
record Payloads(One p0, One p1, One p2, One p3, One p4, One p5) {
    static final int MOST = 6;

    /**
     * A payload.
     *
     * @param bytes of a token
     * @param to where those of rows are, in bytes from the beginning of a PE's memory
     */
    record One(I8Ptr from, int bytes, long to) {}

    /** Returns no payloads; the pointer is any. */
    static Payloads none(I8Ptr any) {
        One none = new One(any, 0, 0);
        return new Payloads(none, none, none, none, none, none);
    }

    One at(int i) {
        return i == 0 ? p0 : i == 1 ? p1 : i == 2 ? p2 : i == 3 ? p3 : i == 4 ? p4 : p5;
    }

    /**
     * All that goes along with tokens, in kernels.
     *
     * @param weights of choices, where a token goes to a PE once
     * @param scales of tokens
     * @param scaleRow elements from a token's scales to the next one's
     * @param scaleStep elements from one scale to the next
     */
    record Along(F32Ptr weights, I8Ptr scales, long scaleRow, long scaleStep, Payloads payloads) {}
}
