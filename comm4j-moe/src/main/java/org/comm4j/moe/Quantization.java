// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.moe;

import org.comm4j.core.DataType;

/**
 * Conversion of tokens on their way to experts, for BFLOAT16, FLOAT16 and FLOAT32. A block is 128 elements of a token,
 * the last one may be shorter. Let {@code amax} be the largest magnitude in it, infinity taken as the largest FLOAT32
 * and NaN left out:
 *
 * <pre>{@code
 * scale = amax == 0 ? 1 : max(amax / 448, Float.MIN_NORMAL)
 * q = FLOAT8_E4M3(x * (1 / scale))      // to nearest, ties to even, at most 448; NaN stays NaN
 * }</pre>
 *
 * <p>All of it is FLOAT32 arithmetic, so {@code q * scale} is the token again, with 4 bits of each element.
 */
public enum Quantization {
    /** Tokens arrive as they are. */
    NONE,
    /** FLOAT8_E4M3 with a FLOAT32 scale for each block. */
    FP8_BLOCK_128,
    /**
     * FLOAT8_E4M3 with a scale for each block that is the least power of two of at least that above. It is stored as
     * its exponent plus 127, UINT8 (UE8M0 of the OCP microscaling formats).
     */
    FP8_BLOCK_128_UE8M0,
    /** FLOAT8_E4M3 with one FLOAT32 scale, the block is the whole token. */
    FP8_ROW;

    /** Elements of a block. */
    static final int BLOCK = 128;

    /** Returns the scales of a token. */
    int scales(int hidden) {
        return this == NONE ? 0 : this == FP8_ROW ? 1 : (hidden + BLOCK - 1) / BLOCK;
    }

    DataType scaleType() {
        return this == FP8_BLOCK_128_UE8M0 ? DataType.UINT8 : DataType.FLOAT32;
    }
}
