// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.bench;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.comm4j.core.DataType;
import org.comm4j.core.ReduceOp;
import org.jspecify.annotations.Nullable;

/**
 * Which of NVSHMEM's device perftests to run, and how.
 *
 * @param cases in this order
 * @param min the smallest size in bytes
 * @param max the largest
 * @param factor each size is so many times the one before
 * @param iterations of each size, in one launch; {@link Atomic#iterations} of single atomic operations
 * @param warmup iterations of a launch before
 * @param warmupTime how long launches that do nothing go on before a test, so that what launches is compiled code, and
 *     a tenth of it before each size
 * @param blocks of tests of bandwidth; others have one
 * @param threads of a block
 * @param type of elements that {@link DevicePerftest#P_BW} and {@link DevicePerftest#G_BW} move
 * @param reduction of those that reduce
 * @param checked whether each size is done once more, and what came out is looked at
 */
public record DeviceSettings(
        List<DeviceCase> cases,
        long min,
        long max,
        int factor,
        int iterations,
        int warmup,
        Duration warmupTime,
        int blocks,
        int threads,
        DataType type,
        ReduceOp reduction,
        boolean checked) {
    static final long USUAL_MIN = 4;
    static final long USUAL_MAX = 4 << 20;

    public DeviceSettings {
        cases = List.copyOf(cases);
        NvshmemCase.check(cases, iterations, warmup, warmupTime, min, max, factor);
        if (blocks < 1 || threads < 32 || threads > 1024 || threads % 32 != 0) {
            throw new IllegalArgumentException(
                    blocks + " blocks of " + threads + " threads: at least one, of 32, 64, … 1024 threads");
        }
        if (type.isComplex() || type.bytes() > 8) {
            throw new IllegalArgumentException("elements of " + type + ": of 1, 2, 4 or 8 bytes are possible");
        }
    }

    /** The sizes that are asked for where none is. */
    public static long orUsualMin(@Nullable Long min, @Nullable Long max) {
        return min != null ? min : max == null ? USUAL_MIN : Math.min(USUAL_MIN, max);
    }

    public static long orUsualMax(@Nullable Long min, @Nullable Long max) {
        return max != null ? max : min == null ? USUAL_MAX : Math.max(USUAL_MAX, min);
    }

    /** The types of a collective or atomic operation, one after the other; of others that of their elements. */
    List<DataType> types(DevicePerftest test) {
        if (test.isOfWidths()) {
            return List.of(DataType.INT32, DataType.INT64);
        }
        return List.of(
                switch (test) {
                    case P_BW, G_BW -> type;
                    case ATOMIC_BW, SIGNAL_PING_PONG, FLAG_PING_PONG -> DataType.INT64;
                    case PUT_BW, GET_BW, ST_BW -> DataType.FLOAT64;
                    default -> DataType.INT32;
                });
    }

    /** How many elements are measured, of a PE's part where there are parts. */
    List<Long> counts(DeviceCase test, DataType of, int pes) {
        List<Long> counts = new ArrayList<>();
        if (!test.hasSizes()) {
            return List.of(1L);
        }
        if (test.test().kind() == DevicePerftest.Kind.COLLECTIVE) {
            long unit = unit(test.test(), of, pes);
            long most = Math.max(1, max / unit);
            for (long count = Math.max(1, min / unit); count <= most && count < test.limit(); count *= factor) {
                counts.add(count);
            }
        } else {
            for (long size = min; size <= max; size *= factor) {
                counts.add(size / of.bytes());
            }
        }
        return counts;
    }

    /** The sizes of {@link #counts}, which of pairs need not be multiples of an element. */
    List<Long> sizes(DeviceCase test, DataType of, int pes) {
        if (!test.hasSizes()) {
            return List.of((long) of.bytes());
        }
        if (test.test().kind() == DevicePerftest.Kind.COLLECTIVE) {
            long unit = unit(test.test(), of, pes);
            return counts(test, of, pes).stream().map(count -> count * unit).toList();
        }
        List<Long> sizes = new ArrayList<>();
        for (long size = min; size <= max; size *= factor) {
            sizes.add(size);
        }
        return sizes;
    }

    private static long unit(DevicePerftest test, DataType of, int pes) {
        return of.bytes() * (test.hasParts() ? pes : 1L);
    }

    /** The largest buffer that any test needs. */
    long largest(int pes) {
        long largest = Long.BYTES;
        for (DeviceCase test : cases) {
            for (DataType of : types(test.test())) {
                List<Long> sizes = sizes(test, of, pes);
                largest = Math.max(largest, sizes.isEmpty() ? 0 : sizes.getLast());
            }
        }
        return largest;
    }

    /** For files. */
    Map<String, @Nullable Object> options() {
        Map<String, @Nullable Object> options = new LinkedHashMap<>();
        options.put("min_bytes", min);
        options.put("max_bytes", max);
        options.put("factor", factor);
        options.put("iterations", iterations);
        options.put("warmup", warmup);
        options.put("blocks", blocks);
        options.put("threads", threads);
        options.put("check", checked);
        return options;
    }
}
