// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.core;

/**
 * How the elements of several ranks become one.
 *
 * <p>Which pairs exist: {@link #SUM}, {@link #PROD} and {@link #AVG} for every type; {@link #MIN} and {@link #MAX} for
 * every type but the complex ones, which have no order; {@link #BAND}, {@link #BOR} and {@link #BXOR} for integers.
 *
 * <p>Integers wrap around. {@code FLOAT16}, {@code BFLOAT16} and {@code FLOAT8_*} are reduced in float32 and rounded
 * once, at the end. A NaN among the operands of {@code MIN} or {@code MAX} makes the result NaN.
 */
public enum ReduceOp {
    SUM,
    PROD,
    MIN,
    MAX,
    /** The sum divided by the number of ranks; for integers the wrapped sum divided, rounded towards zero. */
    AVG,
    BAND,
    BOR,
    BXOR;

    /** Returns whether this operation is defined for elements of {@code type}. */
    public boolean supports(DataType type) {
        return switch (this) {
            case SUM, PROD, AVG -> true;
            case MIN, MAX -> !type.isComplex();
            case BAND, BOR, BXOR -> type.isInteger();
        };
    }
}
