// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.lang;

/**
 * A half-precision number ({@code __half}), by its bits. Arithmetic is that of {@code float} or, two at a time, of
 * {@link Half2}.
 */
public record Half(short bits) {
    /** Rounded to nearest, ties to even. */
    public static Half of(float value) {
        return new Half(SmallFloat.floatToHalf(value));
    }

    public float toFloat() {
        return SmallFloat.halfToFloat(bits);
    }
}
