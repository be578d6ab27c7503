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
 * Which of NVSHMEM's perftests to run, and how.
 *
 * @param cases in this order
 * @param min the smallest size in bytes; null: that of the test's program
 * @param max the largest; null: that of the test's program
 * @param factor each size is so many times the one before
 * @param iterations of each size; {@link Perftest#BARRIER_ALL} and {@link Perftest#SYNC_ALL} have their programs'
 *     always
 * @param warmup iterations before, untimed
 * @param warmupTime how long calls go on before a case, so that what follows is compiled code
 * @param type of what collectives move
 * @param reduction of those that reduce
 * @param checked whether each size is called once more, and what came out is looked at
 * @param kernel what runs between the calls of {@link Perftest#STREAM_LATENCY}
 */
public record PerftestSettings(
        List<PerftestCase> cases,
        @Nullable Long min,
        @Nullable Long max,
        int factor,
        int iterations,
        int warmup,
        Duration warmupTime,
        DataType type,
        ReduceOp reduction,
        boolean checked,
        Busy kernel) {
    private static final long USUAL_MIN = 4;
    private static final long USUAL_MAX = 4 << 20;
    private static final long STREAM_LATENCY_MIN = 1;
    private static final long STREAM_LATENCY_MAX = 128 << 20;
    private static final long MALLOC_MIN = 1 << 30;

    /** Of a GPU's memory, what allocations take together. */
    private static final double MALLOC_PART = 0.4;

    /**
     * A kernel that does nothing for a while.
     *
     * @param cycles of the GPU's clock that it takes at least
     */
    public record Busy(int blocks, int threads, long cycles) {
        /** The least that there can be, in one warp. */
        public static final Busy LEAST = new Busy(1, 32, 1);

        public Busy {
            if (blocks < 1 || threads < 1 || threads > 1024 || cycles < 0) {
                throw new IllegalArgumentException("a kernel of " + blocks + " blocks of " + threads
                        + " threads that takes " + cycles + " cycles: at least 1 block, of 1 to 1024 threads");
            }
        }
    }

    public PerftestSettings {
        cases = List.copyOf(cases);
        NvshmemCase.check(
                cases,
                iterations,
                warmup,
                warmupTime,
                min == null ? USUAL_MIN : min,
                max == null ? Long.MAX_VALUE : max,
                factor);
    }

    /** The smallest size that is asked for. */
    long min(Perftest test) {
        return min != null
                ? min
                : switch (test) {
                    case STREAM_LATENCY -> STREAM_LATENCY_MIN;
                    case MALLOC -> MALLOC_MIN;
                    default -> USUAL_MIN;
                };
    }

    /**
     * The largest size that is asked for.
     *
     * @param memory of a GPU
     */
    long max(Perftest test, long memory) {
        return max != null
                ? max
                : switch (test) {
                    case MALLOC -> (long) (MALLOC_PART * memory);
                    case STREAM_LATENCY -> Math.max(min(test), STREAM_LATENCY_MAX);
                    default -> Math.max(min(test), USUAL_MAX);
                };
    }

    /** What is measured: elements for collectives, of each PE's part where there are parts; bytes for all others. */
    List<Long> counts(Perftest test, int pes, long memory) {
        long unit = unit(test, pes);
        long most = Math.max(1, max(test, memory) / unit);
        List<Long> counts = new ArrayList<>();
        long together = 0;
        for (long count = Math.max(1, min(test) / unit); count <= most; count *= factor) {
            together += count;
            // Allocations stay until the last one is made.
            if (test == Perftest.MALLOC && together > most) {
                break;
            }
            counts.add(count);
        }
        return counts;
    }

    /** How many bytes of the larger buffer a count of one stands for. */
    long unit(Perftest test, int pes) {
        return test.kind() != Perftest.Kind.COLLECTIVE ? 1 : type.bytes() * (test.hasParts() ? pes : 1L);
    }

    /** The largest buffer that any test but {@link Perftest#MALLOC} needs. */
    long largest(int pes, long memory) {
        return cases.stream()
                .filter(PerftestCase::hasSizes)
                .mapToLong(each -> counts(each.test(), pes, memory).getLast() * unit(each.test(), pes))
                .max()
                .orElse(0);
    }

    /** For files. */
    Map<String, @Nullable Object> options() {
        Map<String, @Nullable Object> options = new LinkedHashMap<>();
        options.put("min_bytes", min);
        options.put("max_bytes", max);
        options.put("factor", factor);
        options.put("iterations", iterations);
        options.put("warmup", warmup);
        options.put("check", checked);
        return options;
    }
}
