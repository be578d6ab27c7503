// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.moe;

import java.util.Objects;
import org.comm4j.core.DataType;
import org.comm4j.kernel.lang.BFloat16;
import org.comm4j.kernel.lang.Half;
import org.comm4j.kernel.lang.I8Ptr;
import org.comm4j.kernel.lang.KernelLibrary;
import org.jspecify.annotations.Nullable;

/** Elements that kernels compute with, in FLOAT32: those of tokens that are not opaque, of answers and of sums. */
@KernelLibrary
public enum SumType {
    /** {@link DataType#FLOAT32}. */
    F32,
    /** {@link DataType#BFLOAT16}. */
    BF16,
    /** {@link DataType#FLOAT16}. */
    F16,
    /** {@link DataType#FLOAT8_E4M3} with a FLOAT32 scale for each 128 elements: of answers alone. */
    E4M3;

    /** Null if neither tokens nor sums are computed with in it. */
    static @Nullable SumType of(DataType type) {
        return switch (type) {
            case FLOAT32 -> F32;
            case BFLOAT16 -> BF16;
            case FLOAT16 -> F16;
            default -> null;
        };
    }

    /** Of answers. */
    static SumType ofAnswers(DataType type) {
        return type == DataType.FLOAT8_E4M3 ? E4M3 : Objects.requireNonNull(of(type));
    }

    int bytes() {
        return this == F32 ? 4 : this == E4M3 ? 1 : 2;
    }

    /** {@link #E4M3} without its scale. */
    static float get(SumType type, I8Ptr array, long i) {
        if (type == F32) {
            return array.asF32().get(i);
        }
        if (type == E4M3) {
            return array.asF8E4M3().get(i);
        }
        return type == BF16 ? array.asBF16().get(i) : array.asF16().get(i);
    }

    /** Rounded to nearest, ties to even. */
    static void set(SumType type, I8Ptr array, long i, float value) {
        if (type == F32) {
            array.asF32().set(i, value);
        } else if (type == BF16) {
            array.asBF16().set(i, value);
        } else {
            array.asF16().set(i, value);
        }
    }

    /** Two elements of 16 bits. */
    static int pair(SumType type, float low, float high) {
        if (type == F16) {
            return Half.of(low).bits() & 0xffff | Half.of(high).bits() << 16;
        }
        return BFloat16.of(low).bits() & 0xffff | BFloat16.of(high).bits() << 16;
    }
}
