// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.device;

import org.comm4j.core.DataType;
import org.jspecify.annotations.Nullable;

/** How elements lie in words of 32 bits. */
enum PeerType {
    F32,
    I32,
    F16,
    BF16;

    boolean isFloat() {
        return this != I32;
    }

    /** Null for types that reductions do not know. */
    static @Nullable PeerType of(DataType type) {
        return switch (type) {
            case FLOAT32 -> F32;
            case INT32 -> I32;
            case FLOAT16 -> F16;
            case BFLOAT16 -> BF16;
            default -> null;
        };
    }
}
