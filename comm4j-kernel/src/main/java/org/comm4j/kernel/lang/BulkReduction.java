// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.kernel.lang;

import org.comm4j.core.DataType;

/** Operations of the copy engine on an element of memory and one of shared memory, as the CPU does them. */
enum BulkReduction {
    ADD("sum"),
    MIN("minimum"),
    MAX("maximum");

    private final String noun;

    BulkReduction(String noun) {
        this.noun = noun;
    }

    /** Combines {@code count} elements, each at once for all threads. */
    void apply(DataType type, I8Ptr to, I8Ptr values, long count) {
        int bytes = type.bytes();
        for (long i = 0; i < count; i++) {
            apply(type, to.plus(i * bytes), values.plus(i * bytes));
        }
    }

    /** Combines by the atomic operations that kernels have, so that elements may be theirs, too. */
    private void apply(DataType type, I8Ptr to, I8Ptr value) {
        switch (type) {
            case FLOAT16 -> {
                // Kernels have no atomic operations on single halves.
                synchronized (BulkReduction.class) {
                    to.asF16().set(0, of(to.asF16().get(0), value.asF16().get(0)));
                }
            }
            case BFLOAT16 -> {
                synchronized (BulkReduction.class) {
                    to.asBF16().set(0, of(to.asBF16().get(0), value.asBF16().get(0)));
                }
            }
            case INT32 -> combine(to.asI32(), value.asI32().get(0), 0);
            // Unsigned numbers are in the order of signed ones whose first bit is turned.
            case UINT32 -> combine(to.asI32(), value.asI32().get(0), this == ADD ? 0 : Integer.MIN_VALUE);
            case INT64 -> combine(to.asI64(), value.asI64().get(0), 0);
            case UINT64 -> combine(to.asI64(), value.asI64().get(0), this == ADD ? 0 : Long.MIN_VALUE);
            case FLOAT32 -> {
                only(ADD, type);
                to.asF32().atomicAdd(0, value.asF32().get(0));
            }
            case FLOAT64 -> {
                only(ADD, type);
                to.asF64().atomicAdd(0, value.asF64().get(0));
            }
            default -> throw none(type);
        }
    }

    /** @param flip bits that are turned in both before they are combined */
    private void combine(I32Ptr to, int value, int flip) {
        int before = to.getVolatile(0);
        for (int seen; ; before = seen) {
            seen = to.atomicCas(0, before, (int) of(before ^ flip, value ^ flip) ^ flip);
            if (seen == before) {
                return;
            }
        }
    }

    /** @param flip bits that are turned in both before they are combined */
    private void combine(I64Ptr to, long value, long flip) {
        long before = to.getVolatile(0);
        for (long seen; ; before = seen) {
            seen = to.atomicCas(0, before, of(before ^ flip, value ^ flip) ^ flip);
            if (seen == before) {
                return;
            }
        }
    }

    private void only(BulkReduction one, DataType type) {
        if (this != one) {
            throw none(type);
        }
    }

    private IllegalArgumentException none(DataType type) {
        return new IllegalArgumentException("the copy engine makes no " + noun + " of " + type
                + "; it adds FLOAT64, FLOAT32, FLOAT16, BFLOAT16 and integers of 32 and 64 bits, and makes minima and"
                + " maxima of all these but FLOAT64 and FLOAT32");
    }

    private float of(float x, float y) {
        return switch (this) {
            case ADD -> x + y;
            case MIN -> Math.min(x, y);
            case MAX -> Math.max(x, y);
        };
    }

    private long of(long x, long y) {
        return switch (this) {
            case ADD -> x + y;
            case MIN -> Math.min(x, y);
            case MAX -> Math.max(x, y);
        };
    }
}
