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
            // Blocks run in parallel.
            synchronized (BulkReduction.class) {
                apply(type, to.plus(i * bytes), values.plus(i * bytes));
            }
        }
    }

    private void apply(DataType type, I8Ptr to, I8Ptr value) {
        switch (type) {
            case FLOAT16 ->
                to.asF16().set(0, of(to.asF16().get(0), value.asF16().get(0)));
            case BFLOAT16 ->
                to.asBF16().set(0, of(to.asBF16().get(0), value.asBF16().get(0)));
            case INT32 ->
                to.asI32().set(0, (int) of(to.asI32().get(0), value.asI32().get(0)));
            case UINT32 ->
                to.asI32().set(0, (int) of(
                        Integer.toUnsignedLong(to.asI32().get(0)),
                        Integer.toUnsignedLong(value.asI32().get(0))));
            case INT64 -> to.asI64().set(0, of(to.asI64().get(0), value.asI64().get(0)));
            case UINT64 -> {
                // Unsigned numbers are in the order of signed ones whose first bit is turned.
                long flip = this == ADD ? 0 : Long.MIN_VALUE;
                to.asI64().set(0, of(to.asI64().get(0) ^ flip, value.asI64().get(0) ^ flip) ^ flip);
            }
            case FLOAT32 -> {
                only(ADD, type);
                to.asF32().set(0, to.asF32().get(0) + value.asF32().get(0));
            }
            case FLOAT64 -> {
                only(ADD, type);
                to.asF64().set(0, to.asF64().get(0) + value.asF64().get(0));
            }
            default -> throw none(type);
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
