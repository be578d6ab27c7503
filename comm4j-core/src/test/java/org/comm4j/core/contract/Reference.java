// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.core.contract;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;
import org.comm4j.core.DataType;
import org.comm4j.core.HostArray;
import org.comm4j.core.ReduceOp;
import org.jspecify.annotations.Nullable;

/** The results that collectives must have: plain sequential loops, in rank order. */
final class Reference {
    private static final long MEMO_BYTES = 400 << 20;

    /** Ranks that are threads of one JVM need the same results at about the same time: computed once. */
    private static final Map<Object, HostArray> MEMO = new LinkedHashMap<>();

    private static long memoBytes;

    private Reference() {}

    /** What {@code rank} sends: {@code count} elements. */
    static HostArray input(Case c, int rank, long count) {
        record Key(Case c, int rank, long count) {}
        return memoised(new Key(c, rank, count), () -> {
            HostArray data = HostArray.allocate(c.type(), count);
            Inputs.fill(data, c.values(), c.seed(), rank);
            return data;
        });
    }

    /** The inputs of all ranks, {@code count} elements each, combined. */
    static HostArray reduced(Case c, int ranks, long count) {
        record Key(Case c, int ranks, long count) {}
        return memoised(new Key(c, ranks, count), () -> {
            HostArray result = HostArray.allocate(c.type(), count);
            HostArray[] inputs = new HostArray[ranks];
            for (int r = 0; r < ranks; r++) {
                inputs[r] = input(c, r, count);
            }
            reduce(c.op(), inputs, result);
            return result;
        });
    }

    private static HostArray memoised(Object key, Supplier<HostArray> compute) {
        synchronized (MEMO) {
            HostArray known = MEMO.get(key);
            if (known == null) {
                known = compute.get();
                MEMO.put(key, known);
                memoBytes += known.byteSize();
                forgetOldest();
            }
            return known;
        }
    }

    private static void forgetOldest() {
        Iterator<HostArray> oldest = MEMO.values().iterator();
        while (memoBytes > MEMO_BYTES || MEMO.size() > 256) {
            memoBytes -= oldest.next().byteSize();
            oldest.remove();
        }
    }

    /** Combines {@code inputs}, one of each rank, element by element into {@code result}. */
    static void reduce(@Nullable ReduceOp op, HostArray[] inputs, HostArray result) {
        DataType type = result.type();
        for (long i = 0; i < result.count(); i++) {
            if (type.isInteger()) {
                reduceInteger(op, inputs, result, i);
            } else if (type.isComplex()) {
                reduceComplex(op, inputs, result, i);
            } else {
                reduceReal(op, inputs, result, i);
            }
        }
    }

    private static void reduceInteger(@Nullable ReduceOp op, HostArray[] inputs, HostArray result, long i) {
        boolean unsigned = result.type().isUnsigned();
        long acc = inputs[0].getLong(i);
        for (int r = 1; r < inputs.length; r++) {
            long x = inputs[r].getLong(i);
            acc = switch (op) {
                case SUM, AVG -> acc + x;
                case PROD -> acc * x;
                case MIN -> (unsigned ? Long.compareUnsigned(x, acc) : Long.compare(x, acc)) < 0 ? x : acc;
                case MAX -> (unsigned ? Long.compareUnsigned(x, acc) : Long.compare(x, acc)) > 0 ? x : acc;
                case BAND -> acc & x;
                case BOR -> acc | x;
                case BXOR -> acc ^ x;
            };
        }
        result.setLong(i, acc);
        if (op == ReduceOp.AVG) {
            long wrapped = result.getLong(i);
            result.setLong(i, unsigned ? Long.divideUnsigned(wrapped, inputs.length) : wrapped / inputs.length);
        }
    }

    private static void reduceReal(@Nullable ReduceOp op, HostArray[] inputs, HostArray result, long i) {
        boolean single = result.type() != DataType.FLOAT64;
        double acc = inputs[0].getDouble(i);
        for (int r = 1; r < inputs.length; r++) {
            double x = inputs[r].getDouble(i);
            acc = rounded(
                    single,
                    switch (op) {
                        case SUM, AVG -> acc + x;
                        case PROD -> acc * x;
                        case MIN -> Math.min(acc, x);
                        case MAX -> Math.max(acc, x);
                        default -> throw new AssertionError(op);
                    });
        }
        result.setDouble(i, op == ReduceOp.AVG ? rounded(single, acc / inputs.length) : acc);
    }

    private static void reduceComplex(@Nullable ReduceOp op, HostArray[] inputs, HostArray result, long i) {
        boolean single = result.type() == DataType.COMPLEX64;
        double re = inputs[0].getReal(i);
        double im = inputs[0].getImaginary(i);
        for (int r = 1; r < inputs.length; r++) {
            double x = inputs[r].getReal(i);
            double y = inputs[r].getImaginary(i);
            if (op == ReduceOp.PROD) {
                double product = rounded(single, rounded(single, re * x) - rounded(single, im * y));
                im = rounded(single, rounded(single, re * y) + rounded(single, im * x));
                re = product;
            } else {
                re = rounded(single, re + x);
                im = rounded(single, im + y);
            }
        }
        int divisor = op == ReduceOp.AVG ? inputs.length : 1;
        result.setComplex(i, rounded(single, re / divisor), rounded(single, im / divisor));
    }

    /** One float operation done in double and then rounded is the float operation: 53 bits are more than twice 24. */
    private static double rounded(boolean single, double value) {
        return single ? (float) value : value;
    }
}
