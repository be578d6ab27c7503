// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.moe;

import org.comm4j.core.DataType;
import org.comm4j.kernel.I8Ptr;
import org.comm4j.kernel.KernelLibrary;
import org.jspecify.annotations.Nullable;

/** Elements that combine reads and writes. */
@KernelLibrary
enum SumType {
    F32,
    BF16,
    F16;

    /** Null if it is none. */
    static @Nullable SumType of(DataType type) {
        return switch (type) {
            case FLOAT32 -> F32;
            case BFLOAT16 -> BF16;
            case FLOAT16 -> F16;
            default -> null;
        };
    }

    static float get(SumType type, I8Ptr array, long i) {
        if (type == F32) {
            return array.asF32().get(i);
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
}
