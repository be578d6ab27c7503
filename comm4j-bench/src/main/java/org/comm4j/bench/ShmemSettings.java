// Copyright the comm4j authors.
// SPDX-License-Identifier: Apache-2.0

package org.comm4j.bench;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.comm4j.core.DataType;
import org.jspecify.annotations.Nullable;

/**
 * Which tests of OpenSHMEM to run, and how. Calls, sizes and warming up are OSU's unless something else is given.
 *
 * @param tests in this order
 * @param min the smallest size in bytes; null: that of the test
 * @param max the largest
 * @param factor each size is so many times the one before
 * @param iterations calls in a timed block; 0: those of the test and size
 * @param warmup calls before that are not timed, at least; those of the test and size if these are more
 * @param warmupTime how long a test goes on before anything of it is timed, so that it is compiled code
 * @param blocks timed blocks of each size, of which the fastest counts
 * @param type what atomics work on: an integer of 32 or 64 bits
 * @param withBarriers whether collectives are timed together with the barrier after each
 * @param checked whether each size is called once more, and what came out is looked at
 */
public record ShmemSettings(
        List<ShmemTest> tests,
        @Nullable Long min,
        long max,
        int factor,
        int iterations,
        int warmup,
        Duration warmupTime,
        int blocks,
        DataType type,
        boolean withBarriers,
        boolean checked) {
    public static final long USUAL_MAX = 1 << 20;

    /** What collectives move. */
    static final DataType ELEMENT = DataType.FLOAT32;

    /** Above it there are fewer calls. */
    private static final long LARGE = 8 << 10;

    public ShmemSettings {
        tests = List.copyOf(tests);
        if (tests.isEmpty()) {
            throw new IllegalArgumentException("a benchmark needs a test at least");
        }
        if (iterations < 0 || warmup < 0 || warmupTime.isNegative() || blocks < 1) {
            throw new IllegalArgumentException(iterations + " iterations, " + warmup + " calls for warming up, "
                    + warmupTime + " of it, " + blocks + " blocks: none may be below 0, and there is 1 block at least");
        }
        if (factor < 2 || min != null && min < 1) {
            throw new IllegalArgumentException("sizes from " + min + " bytes by factor " + factor
                    + " do not grow; give a factor of at least 2 and a smallest size above 0");
        }
        if (min != null && max < min) {
            throw new IllegalArgumentException("sizes from " + min + " to " + max + " bytes: there is none");
        }
        if (type != DataType.INT32 && type != DataType.INT64) {
            throw new IllegalArgumentException("atomics of " + Names.of(type) + ": they are of int32 or int64");
        }
    }

    /** Bytes of a message, or of what a PE gives to each other one. */
    List<Long> sizes(ShmemTest test) {
        if (!test.hasSizes()) {
            return List.of(test.kind() == ShmemTest.Kind.ATOMIC ? (long) type.bytes() : 0L);
        }
        long least = test.kind() == ShmemTest.Kind.COLLECTIVE ? ELEMENT.bytes() : 1;
        long first = Math.max(min == null ? least : min, least);
        return Sizes.series(first, Math.max(first, max), factor, 0);
    }

    int iterations(ShmemTest test, long size) {
        if (iterations > 0) {
            return iterations;
        }
        return switch (test.kind()) {
            case ATOMIC -> 500;
            case RATE -> size < LARGE ? 500 : 50;
            case BARRIER -> 1000;
            case LATENCY, COLLECTIVE -> size > LARGE ? 100 : 1000;
        };
    }

    int warmup(ShmemTest test, long size) {
        int usual = switch (test.kind()) {
            case ATOMIC, RATE -> 50;
            case BARRIER -> 200;
            case LATENCY, COLLECTIVE -> size > LARGE ? 10 : 200;
        };
        return Math.max(warmup, usual);
    }

    /** The most memory that an array of a PE needs. */
    long largest(int pes) {
        long most = Long.BYTES;
        for (ShmemTest test : tests) {
            for (long size : sizes(test)) {
                long calls = Math.max(iterations(test, size), warmup(test, size));
                most = Math.max(
                        most,
                        switch (test.kind()) {
                            case RATE -> size * calls;
                            case ATOMIC -> Long.BYTES * calls;
                            case COLLECTIVE -> size * pes;
                            case LATENCY, BARRIER -> size;
                        });
            }
        }
        return most;
    }

    /** For files. */
    Map<String, @Nullable Object> options() {
        Map<String, @Nullable Object> options = new LinkedHashMap<>();
        options.put("min_bytes", min);
        options.put("max_bytes", max);
        options.put("factor", factor);
        options.put("iterations", iterations == 0 ? null : iterations);
        options.put("warmup", warmup);
        options.put("blocks", blocks);
        options.put("with_barriers", withBarriers);
        options.put("check", checked);
        return options;
    }
}
