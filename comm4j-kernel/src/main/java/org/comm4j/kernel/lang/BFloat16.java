// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.lang;

/**
 * The upper half of a float ({@code __nv_bfloat16}), by its bits. Arithmetic is that of {@code float} or, two at a
 * time, of {@link BFloat162}.
 */
public record BFloat16(short bits) {
    /** Rounded to nearest, ties to even. */
    public static BFloat16 of(float value) {
        return new BFloat16(SmallFloat.floatToBfloat16(value));
    }

    public float toFloat() {
        return SmallFloat.bfloat16ToFloat(bits);
    }
}
