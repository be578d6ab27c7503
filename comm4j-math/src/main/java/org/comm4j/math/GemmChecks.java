// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.math;

import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;
import org.comm4j.core.Buffer;
import org.comm4j.core.DataType;

/** What {@link Gemm} asks of its matrices. */
final class GemmChecks {
    private static final int PIECE = 16;
    private static final Set<DataType> TYPES = EnumSet.of(
            DataType.BFLOAT16, DataType.FLOAT16, DataType.FLOAT8_E4M3, DataType.FLOAT8_E5M2, DataType.FLOAT32);

    private GemmChecks() {}

    /** Throws if types, counts or rows do not fit. */
    static void check(int groups, boolean isA, boolean isB, int m, int n, int k, Buffer a, Buffer b, Buffer c) {
        String sizes = String.format(Locale.ROOT, "Gemm of m = %d, n = %d, k = %d", m, n, k);
        if (a.type() != b.type() || !TYPES.contains(a.type())) {
            throw new IllegalArgumentException(
                    sizes + ": A and B are both of one of " + TYPES + ", not of " + a.type() + " and " + b.type());
        }
        if (c.type() != DataType.FLOAT32 && c.type() != DataType.BFLOAT16 && c.type() != DataType.FLOAT16) {
            throw new IllegalArgumentException(sizes + ": C is FLOAT32, BFLOAT16 or FLOAT16, not " + c.type());
        }
        if (a.type().bytes() != 2 && (isA || !isB)) {
            throw new IllegalArgumentException(sizes + ": of " + a.type()
                    + ", A is not transposed and B is; store the matrix the other way round");
        }
        if (m < 0 || n < 0 || k < 0) {
            throw new IllegalArgumentException(sizes + ": sizes are 0 or more");
        }
        count(sizes, "A", a, (long) m * k);
        count(sizes, "B", b, (long) groups * k * n);
        count(sizes, "C", c, (long) m * n);
        rows(sizes, "A", a, isA ? m : k);
        rows(sizes, "B", b, isB ? k : n);
        if (n % 2 != 0) {
            throw new IllegalArgumentException(sizes + ": n is even; pad C with a column");
        }
    }

    private static void count(String sizes, String name, Buffer buffer, long count) {
        if (buffer.count() != count) {
            throw new IllegalArgumentException(sizes + ": " + name + " has " + count + " elements, not " + buffer);
        }
    }

    private static void rows(String sizes, String name, Buffer buffer, int length) {
        int bytes = buffer.type().bytes();
        if (buffer.count() > 0 && (long) length * bytes % PIECE != 0) {
            throw new IllegalArgumentException(sizes + ": rows of " + name + " have " + length + " elements of " + bytes
                    + " bytes, which is no multiple of " + PIECE + " bytes; pad them");
        }
    }
}
